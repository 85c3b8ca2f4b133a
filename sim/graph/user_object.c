#include "sim/graph/user_object.h"
#include "sim/runtime/handle.h"
#include <stdlib.h>

struct UserObject {
    uint32_t id;
    void *of;
    cudaHostFn_t destroy;
    uint64_t program, graphs; /* how often the program holds it, and graphs */
};

struct GraphObject {
    UserObject *object;
    unsigned count;
    GraphObject *next;
};

UserObject *user_object_new(void *of, cudaHostFn_t destroy, unsigned held)
{
    UserObject *object = malloc(sizeof *object);
    uint32_t id = handle_end(HANDLE_USER_OBJECT) ? handle_end(HANDLE_USER_OBJECT) : 1;
    if (!object || !handle_add(HANDLE_USER_OBJECT, id, object)) {
        free(object);
        return NULL;
    }
    *object = (UserObject){id, of, destroy, held, 0};
    return object;
}

cudaUserObject_t user_object_handle(const UserObject *object)
{
    return handle_make(HANDLE_USER_OBJECT, object->id);
}

UserObject *user_object_find(const Call *call, cudaUserObject_t handle)
{
    if (!handle) return NULL;
    UserObject *object = handle_find(HANDLE_USER_OBJECT, handle);
    if (!object) handle_refuse(HANDLE_USER_OBJECT, handle, call->name, call->site);
    return object;
}

static void look_if_gone(UserObject *object, TraceSite site)
{
    if (object->program || object->graphs) return;
    handle_close(HANDLE_USER_OBJECT, object->id, site);
    cudaHostFn_t destroy = object->destroy;
    void *of = object->of;
    free(object);
    destroy(of);
}

void user_object_hold(UserObject *object, unsigned more) { object->program += more; }

bool user_object_let_go(UserObject *object, unsigned less, TraceSite site)
{
    if (object->program < less) return false;
    object->program -= less;
    look_if_gone(object, site);
    return true;
}

static GraphObject **place_in(GraphObject **list, const UserObject *object)
{
    while (*list && (*list)->object != object) list = &(*list)->next;
    return list;
}

bool user_objects_add(GraphObject **list, UserObject *object, unsigned more)
{
    GraphObject **link = place_in(list, object);
    if (!*link && !(*link = calloc(1, sizeof **link))) return false;
    (*link)->object = object;
    (*link)->count += more;
    object->graphs += more;
    return true;
}

bool user_objects_take(GraphObject **list, UserObject *object, unsigned less, TraceSite site)
{
    GraphObject **link = place_in(list, object), *there = *link;
    if (!there || there->count < less) return false;
    there->count -= less;
    object->graphs -= less;
    if (!there->count) {
        *link = there->next;
        free(there);
    }
    look_if_gone(object, site);
    return true;
}

bool user_objects_copy(GraphObject **to, const GraphObject *from)
{
    for (; from; from = from->next)
        if (!user_objects_add(to, from->object, from->count)) return false;
    return true;
}

void user_objects_leave(GraphObject **list, TraceSite site)
{
    while (*list) user_objects_take(list, (*list)->object, (*list)->count, site);
}
