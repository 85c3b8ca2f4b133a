/* user_object.h - things of the program's own that graphs keep alive: a pointer, what destroys it,
 * and a count of who holds it. */
#ifndef THREELANE_USER_OBJECT_H
#define THREELANE_USER_OBJECT_H
#include "sim/runtime/call.h"

typedef struct UserObject UserObject;
/* NULL when memory is short. */
UserObject *user_object_new(void *of, cudaHostFn_t destroy, unsigned held);
cudaUserObject_t user_object_handle(const UserObject *);
UserObject *user_object_find(const Call *, cudaUserObject_t); /* NULL for a NULL handle */
/* The program holds it so often more, or less: false if it does not hold it so often. The last one
 * who lets go destroys it, and so does the end of the last graph that has it. */
void user_object_hold(UserObject *, unsigned more);
bool user_object_let_go(UserObject *, unsigned less, TraceSite);

/* What a graph holds: a list, NULL when empty. The same for it. */
typedef struct GraphObject GraphObject;
bool user_objects_add(GraphObject **, UserObject *, unsigned more); /* false: memory is short */
bool user_objects_take(GraphObject **, UserObject *, unsigned less, TraceSite);
bool user_objects_copy(GraphObject **to, const GraphObject *from);
void user_objects_leave(GraphObject **, TraceSite);
#endif
