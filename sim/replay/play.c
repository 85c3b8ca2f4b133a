/* play.c - see play.h. */
#include "sim/replay/play.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/replay/play_ends.h"
#include "sim/replay/play_machine.h"
#include "sim/replay/play_memory.h"
#include "sim/replay/replay.h"

enum { ARGUMENT_BYTES = 4096, TEXT = 4096, MOST_LINE = 10000000, DEPTH = 200 };
#define NOWHERE 0xdead000000000000u /* no address at all */

/* Values for a call of the harness's, held until all is over: a call need not come back. */
typedef struct Values {
    struct Values *next;
    _Alignas(16) char at[];
} Values;

typedef struct Player {
    uint32_t thread, next;
    bool begun;
} Player;

static const Glue *glue;
static ParsedLog log_;
static uint32_t cursor;
static Player players[PLAY_THREADS];
static _Thread_local Player *current;
static _Thread_local bool called;     /* a function of the harness's runs, for the student */
static _Thread_local unsigned nested; /* the student's functions, in each other */
static const char *inside;            /* the student's function that runs, for messages */

/* ---- turns ---- */

static Player *me(void)
{
    if (!current) {
        uint32_t id = player_thread();
        if (id >= PLAY_THREADS) play_limit("more than %d threads", PLAY_THREADS);
        current = &players[id];
    }
    return current;
}

static void play_thread(void *player);

/* The log has come to a record; if it is a new thread of the student's, that thread is made. */
static void arrive(void)
{
    if (cursor >= log_.n || log_.records[cursor].verb != PLAY_THREAD) return;
    Player *player = &players[log_.records[cursor].thread];
    if (player->next != cursor || player->begun || player->thread == 1)
        play_damaged("a thread begins twice");
    player->begun = true;
    if (!player_start_thread(play_thread, player)) play_limit("too many threads");
}

/* The first line says what the log is. */
static size_t line_of_log(uint32_t record) { return (size_t)record + 2; }

static bool is_turn(void *index) { return cursor >= *(uint32_t *)index; }

/* The calling thread's next record, when its turn and its time have come; NULL: there is none
 * left. */
static const PlayRecord *take(void)
{
    Player *player = me();
    uint32_t index = player->next;
    if (index == PLAY_NONE) return NULL;
    const PlayRecord *record = &log_.records[index];
    player_wait(is_turn, &index);
    play_set_line(line_of_log(index));
    if (cursor != index || player->next != index) play_damaged("its order");
    player_advance(record->ns);
    play_set_line(line_of_log(index));
    player->next = record->next;
    cursor++;
    arrive();
    return record;
}

/* ---- words ---- */

static uint64_t number(const PlayRecord *record, size_t i)
{
    uint64_t value;
    if (!play_number(play_word(record, i), 16, &value)) play_damaged("a number is missing");
    return value;
}

static int line_of(const PlayRecord *record, size_t i)
{
    uint64_t line;
    if (!play_number(play_word(record, i), 10, &line) || line > MOST_LINE)
        play_damaged("a line number");
    return (int)line;
}

static bool is_pointer(GlueType type)
{
    return type.kind == GLUE_POINTER || type.kind == GLUE_OBJECT_POINTER;
}

/* "p:ADDRESS" or "o:ADDRESS:BYTES": the address; *rest: what follows it, NULL for none. */
static uint64_t address_of(const char *text, const char **rest)
{
    uint64_t there;
    char digits[20];
    if ((text[0] != 'p' && text[0] != 'o') || text[1] != ':') play_damaged("an argument");
    size_t n = strcspn(text + 2, ":");
    if (n >= sizeof digits) play_damaged("an argument");
    memcpy(digits, text + 2, n);
    digits[n] = 0;
    if (!play_number(digits, 16, &there)) play_damaged("an argument");
    *rest = text[2 + n] ? text + 2 + n + 1 : NULL;
    return there;
}

/* A pointer whose size only the harness knows: into a live block, or memory that is the program's
 * own. The harness says what it needs (threelane_needs). */
static uintptr_t read_pointer(const char *text)
{
    const char *rest;
    uint64_t there = address_of(text, &rest);
    PlayWhere where;
    uintptr_t here;
    PlayerBlock block;
    if (text[0] != 'p' || rest) play_damaged("an argument");
    where = play_memory_find(there, 1, true, &here);
    if (where == PLAY_SHOWN)
        play_refuse("a pointer into the harness's own memory, whose size is not known, is passed "
                    "to the harness");
    if (where == PLAY_NOWHERE || (where == PLAY_ARENA && !player_block(here, &block)))
        play_damaged("%#llx is no memory of the program's", (unsigned long long)there);
    return here;
}

/* A pointer to a struct: all of it is there, and what is in it has been looked at before the
 * harness follows it. */
static uintptr_t read_object_pointer(const char *text, GlueType type)
{
    static unsigned char held[ARGUMENT_BYTES];
    const char *rest;
    uint64_t there = address_of(text, &rest);
    PlayWhere where;
    if (text[0] != 'o' || !rest) play_damaged("an argument");
    if (!there && !strcmp(rest, "-")) return 0;
    if (type.target > PLAY_TARGET)
        play_refuse("a struct of %zu bytes cannot be passed by pointer in graded code",
                    type.target);
    uintptr_t here = play_memory_of_host(there, type.target ? type.target : 1, &where);
    if (!play_bytes(rest, held, type.target)) play_damaged("what is in a struct");
    play_memory_store((void *)here, held, type.target);

    return here;
}

/* Reads a VALUE of this type into `to` (type.bytes). */
static void read_value(const char *text, GlueType type, void *to)
{
    static unsigned char held[ARGUMENT_BYTES];
    if (type.bytes > ARGUMENT_BYTES)
        play_refuse("a value of %zu bytes cannot be passed in graded code", type.bytes);
    if (is_pointer(type)) {
        uintptr_t here =
            type.kind == GLUE_POINTER ? read_pointer(text) : read_object_pointer(text, type);
        memcpy(to, &here, sizeof here);
        return;
    }
    bool number = type.kind == GLUE_NUMBER;
    if ((text[0] != 'n' && text[0] != 'b') || text[1] != ':' ||
        (!number && type.kind != GLUE_OBJECT) || !play_bytes(text + 2, held, type.bytes))
        play_damaged("an argument");
    if (number) memcpy(to, held, type.bytes);
    else play_memory_store(to, held, type.bytes);
}

/* ---- what the student's code did ---- */

static const GlueFunction *function(const GlueFunction *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name)) return &list[i];
    return NULL;
}

/* "~work": the student's own `work`, which is not the harness's (log.h). */
_Noreturn static void no_kernel(const char *name)
{
    play_refuse("the kernels of this exercise are given; a kernel of your own (%.60s) cannot be "
                "graded",
                name + (name[0] == '~'));
}

static uint64_t spread(uint64_t pitch, uint64_t width, uint64_t height)
{
    if (!height || !width) return 0;
    if (pitch && height - 1 > (UINT64_MAX - width) / pitch) return UINT64_MAX;
    return pitch * (height - 1) + width;
}

static uintptr_t resolve(PlayerCall *call, size_t i, uint64_t bytes)
{
    call->bytes[i] = bytes;
    return call->pointer[i] = play_memory_pointer(call->word[i], bytes);
}

/* So many bytes from a corner of pitched memory on: what a box in it reaches over. */
static uint64_t box_bytes(const uint64_t memory[4], const uint64_t corner[3],
                          const uint64_t extent[3])
{
    const uint64_t most = (uint64_t)1 << 20, rows = (uint64_t)1 << 40;
    for (int i = 0; i < 3; i++)
        if (corner[i] > rows || extent[i] > rows) return UINT64_MAX;
    if (memory[1] > rows || memory[3] > most || corner[2] > most || extent[2] > most)
        return UINT64_MAX;
    if (!extent[0] || !extent[1] || !extent[2]) return 0;
    uint64_t last = (corner[2] + extent[2] - 1) * memory[3] + corner[1] + extent[1] - 1;
    if (last && memory[1] > UINT64_MAX / 2 / last) return UINT64_MAX;
    return last * memory[1] + corner[0] + extent[0];
}

/* A cudaMemcpy3DParms, word by word: an array, a corner, a pitched pointer, of the source and of
 * the target; the extent; the direction. */
static uint64_t resolve_box(PlayerCall *call, size_t i)
{
    uint64_t *word = call->list[i];
    if (!word) return 0;
    if (word[0] || word[8]) play_refuse("copies of CUDA arrays cannot be graded");
    for (size_t end = 0; end < 16; end += 8)
        word[end + 4] = play_memory_pointer(word[end + 4],
                                            box_bytes(word + end + 4, word + end + 1, word + 16));
    return 0;
}

/* A cudaMemsetParams: target, pitch, value and bytes of an element, width, height. */
static uint64_t resolve_set(PlayerCall *call, size_t i)
{
    uint64_t *word = call->list[i];
    if (!word) return 0;
    uint64_t element = word[2] >> 32;
    if (element > 16 || word[3] > UINT64_MAX / 16) play_damaged("a set");
    word[0] = play_memory_pointer(word[0], spread(word[1], word[3] * element, word[4]));
    return 0;
}

/* Of calls.def's arguments, only those that are pointers: where they point, and that there is as
 * much as the call may touch. */
#define I(i) 0
#define Z(i) (call->word[i])
#define E(pitch, width, height) spread(call->word[pitch], call->word[width], call->word[height])
#define H(i) 0
#define P(i, bytes) resolve(call, i, bytes)
#define O(i) 0
#define K(i) 0
#define V(i) 0
#define L(i) 0
#define M(i) 0
#define U(i) 0
#define W(i) 0
#define N(i) 0
#define ACCESS(i) 0
#define DESCS(i) 0
#define EDGES(i) 0
#define NODE(i) 0
#define BOX(i) resolve_box(call, i)
#define SET(i) resolve_set(call, i)
#define HOSTNODE(i) 0
#define HOSTFN 0
#define CALLBACK 0
#define D 0
#define A(i, bytes) resolve(call, i, bytes)
#define TIMES(i, n) (call->word[i] > UINT64_MAX / (n) ? UINT64_MAX : call->word[i] * (n))
#define E_OF(pitch, width, height, n) spread(call->word[pitch], TIMES(width, n), call->word[height])
#define DRIVER_CALLBACK 0

#define WAY_AGAIN(LETTERS, ...) AGAIN
#define WAY_AGAIN0 AGAIN
#define WAY_KERNEL NOTHING
#define WAY_HARMLESS NOTHING
#define WAY_NEVER(REASON) NOTHING
#define ARGUMENTS_AGAIN(LETTERS, ...) \
    {                                 \
        __VA_ARGS__                   \
    }
#define ARGUMENTS_AGAIN0 \
    {                    \
        0                \
    }
#define ARGUMENTS_KERNEL
#define ARGUMENTS_HARMLESS
#define ARGUMENTS_NEVER(REASON)

#define AGAIN(NAME, ...) \
    static void resolve_##NAME(PlayerCall *call) { (void)call, (void)(uint64_t[])__VA_ARGS__; }
#define NOTHING(NAME, ...)
#define TL_CALL0(NAME, REPLAY, TRACER) WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY)
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY)
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) \
    WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY) WAY_##REPLAY(NAME##_ptsz, ARGUMENTS_##REPLAY)
#include "sim/include/threelane/calls.def"
#undef AGAIN
#undef NOTHING

static void (*const resolve_pointers[])(PlayerCall *) = {
/* beside replay_calls */
#define AGAIN(NAME, ...) resolve_##NAME,
#define NOTHING(NAME, ...) NULL,
#define TL_CALL0(NAME, REPLAY, TRACER) WAY_##REPLAY(NAME, )
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, )
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, ) WAY_##REPLAY(NAME##_ptsz, )
#include "sim/include/threelane/calls.def"
};

static Values *values_for(const GlueFunction *target, void *arguments[PLAY_WORDS]);
static void values_done(Values *);
static void read_kernel_value(const char *text, GlueType type, void *to);

/* "NAME/GRID,BLOCK,SHARED/BYTES/BYTES...". */
static Values *read_node(const char *word, PlayerNode *node)
{
    char text[TEXT];
    if (!strcmp(word, "-")) return NULL;
    if (strlen(word) >= sizeof text) play_limit("the arguments of a kernel");
    strcpy(text, word);
    char *at = text, *name = strsep(&at, "/"), *sides = at ? strsep(&at, "/") : NULL;
    node->kernel = function(glue->kernels, glue->n_kernels, name);
    if (!node->kernel) no_kernel(name);
    for (int i = 0; i < 7; i++) {
        const char *side = sides ? strsep(&sides, ",") : NULL;
        uint64_t value;
        if (!side || !play_number(side, 16, &value) || value > UINT32_MAX) play_damaged("a node");
        node->sides[i] = (uint32_t)value;
    }

    Values *held = values_for(node->kernel, node->arguments);
    for (size_t i = 0; i < node->kernel->n; i++) {
        const char *bytes = at ? strsep(&at, "/") : NULL;
        char value[TEXT + 4];
        if (!bytes) no_kernel(name);
        snprintf(value, sizeof value, "b:%s", bytes);
        if (strlen(bytes) != 2 * node->kernel->types[i].bytes) no_kernel(name);
        read_kernel_value(value, node->kernel->types[i], node->arguments[i]);
    }
    if (at) no_kernel(name);
    return held;
}

/* The bytes of a list or a struct; NULL for none. */
static void *read_list(const char *word, size_t bytes)
{
    if (!strcmp(word, "-")) return NULL;
    if (bytes > PLAY_LIST || !bytes) play_damaged("a list");
    void *list = malloc(bytes);
    if (!list) play_limit("memory");
    if (!play_bytes(word, list, bytes)) play_damaged("a list");
    return list;
}

/* How many there are: the next number among the arguments. */
static uint64_t length_of(const PlayRecord *record, const char *letters, size_t i)
{
    while (letters[i] && letters[i] != 'z') i++;
    return letters[i] ? number(record, i + 2) : 0;
}

enum { COPY_BYTES = 160, SET_BYTES = 40, ENTRY_BYTES = 8 };

static void play_call(const PlayRecord *record)
{
    PlayerCall made = {.line = line_of(record, 1)};
    Values *held = NULL;
    int call = replay_find(play_word(record, 0));
    if (call < 0 || replay_calls[call].way != REPLAY_AGAIN)
        play_damaged("a call that does not exist");
    const char *letters = replay_calls[call].letters;
    if (record->n != 2 + strlen(letters)) play_damaged("a call's arguments");

    for (size_t i = 0; letters[i]; i++) {
        const char *word = play_word(record, i + 2);
        if (letters[i] == 'k') {
            if (!strcmp(word, "-")) continue;
            made.kernel[i] = function(glue->kernels, glue->n_kernels, word);
            if (!made.kernel[i]) no_kernel(word);
        } else if (letters[i] == 'm' || letters[i] == 'a' || letters[i] == 'u') {
            bool pool = letters[i] != 'u';
            if (!strcmp(word, "-")) continue;
            if (!play_bytes(word, made.object, pool ? sizeof made.object : PLAY_ATTRIBUTE_BYTES))
                play_damaged(pool ? "a pool" : "an attribute");
            made.given[i] = true;
        } else if (letters[i] == 'n' || letters[i] == 'e') {
            uint64_t n = length_of(record, letters, i);
            made.list[i] = read_list(word, n > PLAY_LIST ? SIZE_MAX : n * ENTRY_BYTES);
        } else if (letters[i] == 'y' || letters[i] == 't') {
            made.list[i] = read_list(word, letters[i] == 'y' ? COPY_BYTES : SET_BYTES);
        } else if (letters[i] == 'x') {
            held = read_node(word, &made.node);
        } else if (letters[i] == 'w') {
            if (!strcmp(word, "-")) continue;
            if (!play_bytes(word, made.object, sizeof(int))) play_damaged("a mode");
            made.given[i] = true;
        } else if (letters[i] != 'v' || strcmp(word, "-") != 0) {
            made.word[i] = number(record, i + 2);
            made.given[i] = true;
        }
    }
    resolve_pointers[call](&made);
    player_call(call, &made);
    for (size_t i = 0; letters[i]; i++) free(made.list[i]);
    if (held) values_done(held);
}

/* "ID:BYTES". */
static void read_attribute(const char *word, PlayerLaunch *launch)
{
    char id[16];
    uint64_t value;
    size_t n = strcspn(word, ":");
    if (n >= sizeof id || !word[n]) play_damaged("an attribute");
    memcpy(id, word, n);
    id[n] = 0;
    if (!play_number(id, 16, &value) || value > UINT32_MAX ||
        !play_bytes(word + n + 1, launch->attributes[launch->there].value, PLAY_ATTRIBUTE_BYTES))
        play_damaged("an attribute");
    launch->attributes[launch->there++].id = (uint32_t)value;
}

static void play_launch(const PlayRecord *record)
{
    PlayerLaunch launch = {.line = line_of(record, 0)};
    for (size_t i = 0; i < 6; i++) {
        uint64_t side = number(record, 1 + i);
        if (side > UINT32_MAX) play_damaged("a launch");
        launch.sides[i] = (uint32_t)side;
    }
    launch.shared = number(record, 7);
    launch.stream = number(record, 8);

    if (record->n > 9) {
        uint64_t n = number(record, 9);
        uint32_t noted = record->n - 10;
        if (!n || n > UINT32_MAX) play_damaged("a launch");
        launch.n_attributes = (uint32_t)n;
        launch.given = strcmp(play_word(record, 10), "-") != 0;
        if (noted != (launch.given && n < PLAY_ATTRIBUTES ? n : launch.given ? PLAY_ATTRIBUTES : 1))
            play_damaged("a launch");
        for (uint32_t i = 0; launch.given && i < noted; i++)
            read_attribute(play_word(record, 10 + i), &launch);
    }
    player_push(&launch);
}

/* Kernels get pointers into memory that a kernel may have: the arena, and what is registered. Any
 * other is one that faults in the virtual GPU. */
static void read_kernel_pointer(const char *text, void *to)
{
    uint64_t there;
    uintptr_t here;
    if (strncmp(text, "b:", 2) != 0 || !play_bytes(text + 2, &there, sizeof there))
        play_damaged("a kernel's argument");
    PlayWhere where = play_memory_find(there, 1, false, &here);
    if (where != PLAY_ARENA && where != PLAY_NULL &&
        (where != PLAY_MIRROR || !player_is_registered(here)))
        here = (uintptr_t)NOWHERE;
    memcpy(to, &here, sizeof here);
}

static void read_kernel_value(const char *text, GlueType type, void *to)
{
    if (is_pointer(type)) read_kernel_pointer(text, to);
    else read_value(text, type, to);
}

static Values *values;

static Values *values_for(const GlueFunction *target, void *arguments[PLAY_WORDS])
{
    if (target->n > PLAY_WORDS) play_refuse("%.60s() has too many parameters", target->name);
    Values *held = calloc(1, sizeof *held + target->n * ARGUMENT_BYTES + 1);
    if (!held) play_limit("memory");
    held->next = values;
    values = held;
    for (size_t i = 0; i < target->n; i++) arguments[i] = held->at + i * ARGUMENT_BYTES;
    return held;
}

static void values_done(Values *held)
{
    Values **at = &values;
    while (*at && *at != held) at = &(*at)->next;
    if (*at) *at = held->next;
    free(held);
}

static void play_kernel(const PlayRecord *record)
{
    const char *name = play_word(record, 0);
    const GlueFunction *kernel = function(glue->kernels, glue->n_kernels, name);
    void *arguments[PLAY_WORDS];
    uint32_t cluster[3] = {0, 0, 0}, n = record->n - 1;
    const char *last = play_word(record, n);
    if (n && !strncmp(last, "c:", 2)) {
        if (!play_bytes(last + 2, cluster, sizeof cluster)) play_damaged("a kernel's clusters");
        n--;
    }
    bool same = kernel && n == kernel->n;
    for (size_t i = 0; same && i < kernel->n; i++)
        same = strlen(play_word(record, 1 + i)) == 2 + 2 * kernel->types[i].bytes;
    if (!same) no_kernel(name);
    if (!player_launch_is_pending()) play_damaged("a kernel without its launch");

    Values *held = values_for(kernel, arguments);
    for (size_t i = 0; i < kernel->n; i++) {
        read_kernel_value(play_word(record, 1 + i), kernel->types[i], arguments[i]);
    }
    player_kernel(kernel, arguments, cluster);
    values_done(held);
}

static void play_own(const PlayRecord *record)
{
    const char *name = play_word(record, 0);
    const GlueFunction *own = function(glue->functions, glue->n_functions, name);
    void *arguments[PLAY_WORDS];
    uintptr_t bad;
    if (!own || record->n - 1 != own->n) play_damaged("a function that the harness does not have");

    Values *held = values_for(own, arguments);
    for (size_t i = 0; i < own->n; i++)
        read_value(play_word(record, 1 + i), own->types[i], arguments[i]);
    player_charge();
    bool side = player_side(false), outer = called;
    size_t at = play_line();
    called = true;
    bool fine = player_own(own, arguments, &bad);
    if (!fine) {
        play_set_line(at);
        play_damaged("%.60s() is given what is no memory of the program's", name);
    }
    player_charge();
    player_side(side);
    called = outer;
    values_done(held);
}

/* What a function of the harness is about to touch. What the harness touches by itself is its own
 * matter: that is when no function of its is being called. */
static void needs(const void *memory, size_t bytes)
{
    if (!glue || !called || play_memory_holds((uintptr_t)memory, bytes)) return;
    play_damaged("a function of the harness is given %#llx, where it needs %zu bytes of memory "
                 "that the host may touch",
                 (unsigned long long)(uintptr_t)memory, bytes);
}

static void shown(const void *memory, size_t bytes)
{
    if (glue) play_memory_show((uintptr_t)memory, bytes);
}

static void play_nvtx(const PlayRecord *record)
{
    char text[TEXT + 1] = "";
    const char *digits = play_word(record, 0);
    size_t n = strlen(digits) / 2;
    bool named =
        record->verb == PLAY_RANGE || record->verb == PLAY_BEGIN || record->verb == PLAY_MARK;
    if (named && strcmp(digits, "-") != 0) {
        if (n > TEXT || !play_bytes(digits, text, n)) play_damaged("a name");
        text[n] = 0;
    }
    player_nvtx(record->verb, text, record->verb == PLAY_FINISH ? number(record, 0) : 0);
}

static void play_other(const PlayRecord *record)
{
    const char *name = play_word(record, 0);
    int call = replay_find(name);
    if (call < 0 || replay_calls[call].way == REPLAY_AGAIN)
        play_damaged("a call that does not exist");
    if (replay_calls[call].way == REPLAY_NEVER)
        play_refuse("%s() cannot be graded: %s", name, replay_calls[call].reason);
}

/* Only a name, never followed: the program's own objects are put where none of this process's are.
 */
static uint64_t object_of(uint64_t there)
{
    uintptr_t here;
    PlayWhere where = play_memory_find(there, 1, false, &here);
    return where == PLAY_ARENA || where == PLAY_SHOWN ? here : there ^ (uint64_t)1 << 63;
}

/* The thread's last call was an allocation of a pool, and this is what it was given. */
static void play_given(const PlayRecord *record)
{
    uintptr_t here = player_given();
    PlayerBlock block;
    if (player_block(here, &block) && block.address == here)
        play_memory_given(here, number(record, 0), block.bytes);
}

/* One record that may stand anywhere in the student's code. */
static void play_record(const PlayRecord *record)
{
    switch (record->verb) {
    case PLAY_OWN: play_own(record); break;
    case PLAY_CALL: play_call(record); break;
    case PLAY_PUSH: play_launch(record); break;
    case PLAY_KERNEL: play_kernel(record); break;
    case PLAY_OTHER: play_other(record); break;
    case PLAY_GIVEN: play_given(record); break;
    case PLAY_COPY:
        play_memory_copy(number(record, 0), number(record, 1), 0, number(record, 2), false);
        break;
    case PLAY_SET:
        play_memory_copy(number(record, 0), 0, (int)(number(record, 1) & 0xff), number(record, 2),
                         true);
        break;
    case PLAY_WROTE:
        if (play_memory_wrote(number(record, 0), number(record, 1)))
            player_computed(number(record, 1), inside);
        break;
    case PLAY_RELEASE:
    case PLAY_ACQUIRE:
        player_order(record->verb == PLAY_RELEASE, object_of(number(record, 0)));
        break;
    case PLAY_RANGE:
    case PLAY_POP:
    case PLAY_BEGIN:
    case PLAY_FINISH:
    case PLAY_MARK: play_nvtx(record); break;
    default: play_damaged("its order");
    }
}

void play_host_function(void *number_as_pointer)
{
    uintptr_t token = (uintptr_t)number_as_pointer;
    uint32_t index = token && token <= log_.n_functions ? log_.functions[token - 1] : PLAY_NONE;
    if (index == PLAY_NONE) return; /* the program ended before it ran, or ended in it */
    log_.functions[token - 1] = log_.records[index].again;
    Player *before = current;
    current = &players[log_.records[index].thread];
    if (current->next != index) {
        play_set_line(line_of_log(index));
        play_damaged("the order of host functions");
    }
    take();
    const PlayRecord *record;
    while ((record = take()) && record->verb != PLAY_END) play_record(record);
    if (!record) play_ended("the program ended inside a host function");
    current = before;
}

static void play_thread(void *player)
{
    current = player;
    player_side(true);
    take(); /* PLAY_THREAD */
    for (const PlayRecord *record; (record = take());) play_record(record);
}

/* ---- the seam ---- */

void threelane_play(const char *name, const GlueValue *arguments, size_t n, GlueType type,
                    void *result)
{
    const char *outer = inside;
    player_charge();
    const PlayRecord *record = take();
    if (!record) play_ended("the program ended before it came to %.100s()", name);
    if (record->verb != PLAY_IN || strcmp(play_word(record, 0), name) != 0 || record->n - 1 != n)
        play_damaged("%.100s() is not called", name);
    inside = name;
    for (size_t i = 0; i < n; i++) {
        uintptr_t here;
        uint64_t there;
        const GlueType *given = &arguments[i].type;
        const char *word = play_word(record, 1 + i), *rest;
        if (is_pointer(*given)) {
            there = address_of(word, &rest);
        } else if (given->kind == GLUE_NUMBER && given->bytes == sizeof there) {
            /* perhaps an address as the driver API has it: a number */
            if (strncmp(word, "n:", 2) != 0 || !play_bytes(word + 2, &there, sizeof there))
                play_damaged("an argument");
        } else {
            continue;
        }
        memcpy(&here, arguments[i].at, sizeof here);
        play_memory_pair(here, there);
    }
    bool side = player_side(true);
    bool outer_called = called;
    called = false;
    if (++nested > DEPTH) play_limit("%.100s() within itself, %d times", name, DEPTH);
    while ((record = take()) && record->verb != PLAY_OUT) play_record(record);
    if (!record) play_ended("the program ended inside %.100s()", name);
    called = outer_called;
    nested--;
    player_side(side);
    if (type.kind != GLUE_NOTHING) read_value(play_word(record, 0), type, result);
    inside = outer;
}

void play_start(const Glue *with, const ParsedLog *log)
{
    glue = with;
    replay_needs = needs;
    replay_shown = shown;
    log_ = *log;
    cursor = 0;
    play_set_line(0);
    current = NULL;
    called = false;
    nested = 0;
    inside = "before main";
    for (uint32_t i = 0; i < PLAY_THREADS; i++)
        players[i] = (Player){.thread = i, .next = log_.first[i]};
    play_memory_start(log_.base);
}

void play_before_main(void)
{
    arrive();
    const PlayRecord *record;
    bool side = player_side(true);
    while ((record = take()) && record->verb != PLAY_MAIN) play_record(record);
    if (!record) play_ended("the program ended before its main function began");
    player_side(side);
}

void play_after_main(void)
{
    inside = "after main";
    player_side(true);
    for (const PlayRecord *record; (record = take());) play_record(record);
}

void play_release(void)
{
    while (values) values_done(values);
    play_memory_release();
    log_parse_release(&log_);
    glue = NULL;
    current = NULL;
    play_set_line(0);
}
