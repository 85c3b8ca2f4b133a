/* player.c - see player.h.
 *
 * The order of the log is the order in which things are done: a thread does its next record when
 * all earlier ones, of whatever thread, have begun, and not before the record's virtual time. A
 * call that waits, waits for what this process's own engine does. So a log that lies about times
 * makes a program that is late, never one that is early. */
#include "sim/replay/player.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "sim/include/cuda.h"
#include "sim/include/nvtx3/nvToolsExt.h"
#include "sim/include/threelane/glue.h"
#include "sim/api/api_launch.h"
#include "sim/exec/exec.h"
#include "sim/hazard/hazard.h"
#include "sim/replay/playlog.h"
#include "sim/replay/replay.h"

/* A mirror is 2^36 bytes of addresses; pages become real when they are touched. Words that look
 * like addresses lie between FIRST_ADDRESS (this process has nothing below but, on small machines,
 * the arena) and LAST_ADDRESS. */
enum {
    MIRROR_BITS = 36,
    MIRRORS = 64,
    SHOWN = 64,
    SCRATCH = 4096,
    OUTS = 4,
    ARGUMENT_BYTES = 4096,
    LEAST_COPY = 64,
    TEXT = 4096
};
#define MIRROR_BYTES ((uint64_t)1 << MIRROR_BITS)
#define FIRST_ADDRESS ((uint64_t)1 << 40)
#define LAST_ADDRESS ((uint64_t)1 << 48)
#define NOWHERE 0xdead000000000000u /* no address at all */
#define MOST_STRETCHES ((size_t)1 << 20)

typedef struct Player {
    uint32_t thread, next;
    bool begun;
} Player;

static const Glue *glue;
static PlayLog log_;
static uint32_t cursor;
static Player players[PLAY_THREADS];
static _Thread_local Player *current;
static const char *source; /* the student's file, as sites name it */
static const char *inside; /* the student's function that runs, for messages */

/* ---- ends ---- */

#define ENDS __attribute__((noreturn, format(printf, 1, 2)))
#define END_WITH(NAME, STATUS, BEFORE)                               \
    ENDS static void NAME(const char *format, ...)                   \
    {                                                                \
        char text[1024];                                             \
        va_list list;                                                \
        va_start(list, format);                                      \
        vsnprintf(text, sizeof text, format, list);                  \
        va_end(list);                                                \
        host_fatal(STATUS, (TraceSite){NULL, 0}, BEFORE "%s", text); \
    }
END_WITH(limit, PLAYER_LIMIT, "over the limit: ")
END_WITH(refuse, PLAYER_REFUSED, "")
END_WITH(ended, PLAYER_ENDED, "")
END_WITH(damaged, PLAYER_DAMAGED, "the program's log is not one that a program writes: ")
END_WITH(broken, PLAYER_BROKEN, "")

/* ---- addresses ---- */

typedef struct Shown {
    uintptr_t address;
    uint64_t there;
    size_t bytes;
} Shown; /* there: in the box; 0: unknown */
static Shown shown[SHOWN];
static size_t n_shown;
static struct {
    uint64_t number;
    uintptr_t address;
} mirrors[MIRRORS];
static size_t n_mirrors;

void threelane_shown(const void *memory, size_t bytes)
{
    if (!glue || n_shown == SHOWN || !bytes) return;
    shown[n_shown++] = (Shown){(uintptr_t)memory, 0, bytes};
}

/* The box had `there` where this process has `here`, both given by the harness. */
static void pair(uintptr_t here, uint64_t there)
{
    for (size_t i = 0; i < n_shown; i++) {
        uintptr_t offset = here - shown[i].address;
        if (offset < shown[i].bytes && there > offset) shown[i].there = there - offset;
    }
}

static uintptr_t mirror_of(uint64_t address, bool make)
{
    uint64_t number = address >> MIRROR_BITS;
    for (size_t i = 0; i < n_mirrors; i++)
        if (mirrors[i].number == number) return mirrors[i].address;
    if (!make) return 0;
    if (n_mirrors == MIRRORS) limit("host memory in more than %d places", MIRRORS);
    /* aligned, so that the lower bits are the same on both sides; nothing else lies beside it */
    char *at =
        mmap(NULL, 3 * MIRROR_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) limit("no address space for its memory: %s", strerror(errno));
    uintptr_t begin = ((uintptr_t)at + MIRROR_BYTES - 1) / MIRROR_BYTES * MIRROR_BYTES;
    if (mprotect((void *)begin, MIRROR_BYTES, PROT_READ | PROT_WRITE) != 0 &&
        mmap((void *)begin, MIRROR_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        limit("no address space for its memory: %s", strerror(errno));
    mirrors[n_mirrors].number = number;
    mirrors[n_mirrors++].address = begin;
    return begin;
}

typedef enum Where { WHERE_NULL, WHERE_ARENA, WHERE_SHOWN, WHERE_MIRROR, WHERE_NOWHERE } Where;

/* What an address of the box is here. bytes: how much will be touched, checked outside the
 * arena. */
static Where find(uint64_t there, uint64_t bytes, bool make, uintptr_t *here)
{
    *here = 0;
    if (!there) return WHERE_NULL;
    if (there - log_.base < memory_span) {
        *here = (uintptr_t)(there - log_.base + memory_base);
        return WHERE_ARENA;
    }
    for (size_t i = 0; i < n_shown; i++) {
        uint64_t offset = there - shown[i].there;
        if (!shown[i].there || offset >= shown[i].bytes) continue;
        *here = shown[i].address + offset;
        return bytes <= shown[i].bytes - offset ? WHERE_SHOWN : WHERE_NOWHERE;
    }
    uint64_t offset = there & (MIRROR_BYTES - 1);
    if (there < 65536 || there >= LAST_ADDRESS || bytes > MIRROR_BYTES - offset)
        return WHERE_NOWHERE;
    uintptr_t mirror = mirror_of(there, make);
    if (!mirror) return WHERE_NOWHERE;
    *here = mirror + offset;
    return WHERE_MIRROR;
}

static void *pointer(uint64_t there, uint64_t bytes)
{
    uintptr_t here;
    if (find(there, bytes, true, &here) == WHERE_NOWHERE)
        damaged("%#llx (%llu bytes) is no memory of the program's", (unsigned long long)there,
                (unsigned long long)bytes);
    return (void *)here;
}

/* What a word in a structure becomes: an address is translated, one that would hit this process is
 * taken away (also the harness's: nobody knows how much would be written there), and everything
 * else is a number. */
static uint64_t word(uint64_t value)
{
    uintptr_t here;
    unsigned char there;
    Where where = value < FIRST_ADDRESS && value - log_.base >= memory_span
                      ? WHERE_NOWHERE
                      : find(value, 1, false, &here);
    if (where == WHERE_ARENA || where == WHERE_MIRROR) return here;
    if (where == WHERE_SHOWN) return NOWHERE;
    if (value < FIRST_ADDRESS || value >= LAST_ADDRESS) return value;
    uintptr_t page = (uintptr_t)value & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    return mincore((void *)page, 1, &there) == 0 ? NOWHERE : value;
}

/* A struct came from the log and goes to `at`, words looked at. Where it lies in memory does not
 * matter, aligned or not: its pointers are at multiples of their size from its start. */
static void store(void *at, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t value = 0;
        size_t length = n - i < 8 ? n - i : 8;
        memcpy(&value, (const char *)bytes + i, length);
        if (length == 8) value = word(value);
        memcpy((char *)at + i, &value, length);
    }
}

/* ---- turns ---- */

static Player *me(void)
{
    if (!current) {
        uint32_t id = host_thread();
        if (id >= PLAY_THREADS) limit("more than %d threads", PLAY_THREADS);
        current = &players[id];
    }
    return current;
}

static void *play_thread(void *player);

/* The log has come to a record; if it is a new thread of the student's, that thread is made. */
static void arrive(void)
{
    pthread_t thread;
    if (cursor >= log_.n || log_.records[cursor].verb != PLAY_THREAD) return;
    Player *player = &players[log_.records[cursor].thread];
    if (player->next != cursor || player->begun || player->thread == 1)
        damaged("a thread begins twice");
    player->begun = true;
    if (pthread_create(&thread, NULL, play_thread, player) != 0) limit("too many threads");
    pthread_detach(thread);
}

static bool is_turn(void *index) { return cursor >= *(uint32_t *)index; }

/* The calling thread's next record, when its turn and its time have come; NULL: there is none
 * left. */
static const PlayRecord *take(void)
{
    Player *player = me();
    uint32_t index = player->next;
    if (index == PLAY_NONE) return NULL;
    const PlayRecord *record = &log_.records[index];
    host_wait(is_turn, &index, HOST_NEVER, "what the program did next", (TraceSite){NULL, 0});
    if (cursor != index) damaged("its order");
    host_advance_to(record->ns);
    player->next = record->next;
    cursor++;
    arrive();
    return record;
}

/* ---- words ---- */

static uint64_t number(const PlayRecord *record, size_t i)
{
    uint64_t value;
    if (!play_number(play_word(record, i), 16, &value)) damaged("a number is missing");
    return value;
}

static ThreelaneSite site_of(const PlayRecord *record, size_t i)
{
    uint64_t line;
    if (!play_number(play_word(record, i), 10, &line) || line > 10000000) damaged("a line number");
    return line ? (ThreelaneSite){source, (int)line} : (ThreelaneSite){NULL, 0};
}

/* Reads a VALUE of this type into `to` (type.bytes). */
static void read_value(const char *text, GlueType type, void *to)
{
    static unsigned char held[ARGUMENT_BYTES];
    uint64_t there;
    char digits[20];
    if (type.bytes > ARGUMENT_BYTES)
        refuse("a value of %zu bytes cannot be passed in graded code", type.bytes);
    if (text[0] && text[1] == ':') {
        const char *rest = text + 2, *colon = strchr(rest, ':');
        switch (text[0]) {
        case 'n':
        case 'b': /* kernels' parameters are all b */
            if (!play_bytes(rest, held, type.bytes)) break;
            if (type.kind == GLUE_NUMBER) {
                memcpy(to, held, type.bytes);
            } else if (type.kind == GLUE_OBJECT) {
                store(to, held, type.bytes);
            } else {
                break;
            }
            return;
        case 'p':
        case 'o':
            if (type.kind != (text[0] == 'p' ? GLUE_POINTER : GLUE_OBJECT_POINTER)) break;
            size_t n = colon ? (size_t)(colon - rest) : strlen(rest);
            if (n >= sizeof digits || (text[0] == 'o' && !colon)) break;
            memcpy(digits, rest, n);
            digits[n] = 0;
            if (!play_number(digits, 16, &there)) break;
            void *here = pointer(there, type.target ? type.target : 1);
            uintptr_t place;
            Where where = find(there, 1, false, &place);
            if (where == WHERE_SHOWN && text[0] == 'p')
                refuse("a pointer into the harness's own memory, whose size is not known, is "
                       "passed to the harness");
            /* what is in a struct is looked at before the harness follows it */
            if ((where == WHERE_SHOWN || where == WHERE_MIRROR) && text[0] == 'o' &&
                !strcmp(colon, ":-"))
                break;
            if (text[0] == 'o' && strcmp(colon, ":-") != 0) {
                uintptr_t at = (uintptr_t)here;
                const MemoryBlock *block =
                    at - memory_base < memory_span ? memory_find(here) : NULL;
                if (!here || type.target > ARGUMENT_BYTES ||
                    !play_bytes(colon + 1, held, type.target))
                    break;
                if (at - memory_base >= memory_span ||
                    (block && block->kind != TRACE_MEM_DEVICE &&
                     block->bytes - (at - block->address) >= type.target))
                    store(here, held, type.target);
            }
            memcpy(to, &here, sizeof here);
            return;
        default: break;
        }
    }
    damaged("an argument");
}

/* ---- what the student's code did ---- */

static void play_host_function(void *number_as_pointer);
static void play_callback(cudaStream_t stream, cudaError_t error, void *number_as_pointer)
{
    (void)stream, (void)error;
    play_host_function(number_as_pointer);
}

static void play_driver_callback(CUstream stream, CUresult error, void *number_as_pointer)
{
    (void)stream, (void)error;
    play_host_function(number_as_pointer);
}

static uint64_t spread(uint64_t pitch, uint64_t width, uint64_t height)
{
    if (!height || !width) return 0;
    if (pitch && height - 1 > (UINT64_MAX - width) / pitch) return UINT64_MAX;
    return pitch * (height - 1) + width;
}

static const GlueFunction *function(const GlueFunction *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name)) return &list[i];
    return NULL;
}

/* A kernel of the harness's, as an address: probing it (api_launch.h) calls it and learns which one
 * it is. */
static const GlueFunction *probed;
static void probe_kernel(void)
{
    void *arguments[PLAY_WORDS];
    static _Alignas(16) char values[ARGUMENT_BYTES];
    for (size_t i = 0; i < PLAY_WORDS; i++) arguments[i] = values;
    memset(values, 0, sizeof values);
    probed->call(arguments);
}

static const void *kernel_of(const char *name)
{
    if (!strcmp(name, "-")) return NULL;
    probed = function(glue->kernels, glue->n_kernels, name);
    if (!probed)
        refuse(
            "the kernels of this exercise are given; a kernel of your own (%.60s) cannot be graded",
            name);
    void (*address)(void) = probe_kernel;
    const void *kernel;
    memcpy(&kernel, &address, sizeof kernel);
    return kernel;
}

/* The arguments of a call that is to be made again. */
typedef struct Given {
    uint64_t word[PLAY_WORDS];
    const void *pointer[PLAY_WORDS];
    ThreelaneSite at;
} Given;
static _Alignas(16) char scratch[OUTS][SCRATCH];

static struct cudaMemLocation location_of(uint64_t word)
{
    return (struct cudaMemLocation){.type = (enum cudaMemLocationType)(word >> 32),
                                    .id = (int)(uint32_t)word};
}

/* calls.def's words for the arguments. A result goes where nobody looks; the student's code saw its
 * own. */
#define I(i) ((int)(uint32_t)given->word[i])
#define Z(i) ((size_t)given->word[i])
#define E(pitch, width, height) spread(given->word[pitch], given->word[width], given->word[height])
#define H(i) ((void *)(uintptr_t)given->word[i])
#define P(i, bytes) pointer(given->word[i], bytes)
#define O(i) ((void *)(given->word[i] ? scratch[i] : NULL))
#define K(i) (given->pointer[i])
#define V(i) ((void *)(uintptr_t)given->pointer[i])
#define L(i) location_of(given->word[i])
#define HOSTFN (given->word[1] ? play_host_function : NULL)
#define CALLBACK (given->word[1] ? play_callback : NULL)
#define D ((void *)(uintptr_t)given->word[1])
#define A(i, bytes) ((CUdeviceptr)(uintptr_t)P(i, bytes))
#define TIMES(i, n) (Z(i) > SIZE_MAX / (n) ? SIZE_MAX : Z(i) * (n))
#define E_OF(pitch, width, height, n) \
    spread(given->word[pitch], TIMES(width, n), given->word[height])
#define DRIVER_CALLBACK (given->word[1] ? play_driver_callback : NULL)

#define WAY_AGAIN(LETTERS, ...) AGAIN
#define WAY_AGAIN0 AGAIN
#define WAY_KERNEL NOTHING
#define WAY_HARMLESS NOTHING
#define WAY_NEVER(REASON) NOTHING
#define ARGUMENTS_AGAIN(LETTERS, ...) (__VA_ARGS__, given->at)
#define ARGUMENTS_AGAIN0 (given->at)
#define ARGUMENTS_KERNEL ()
#define ARGUMENTS_HARMLESS ()
#define ARGUMENTS_NEVER(REASON) ()

#define AGAIN(NAME, ARGUMENTS) \
    static void make_##NAME(const Given *given) { threelane_##NAME ARGUMENTS; }
#define NOTHING(NAME, ARGUMENTS)
#define TL_CALL0(NAME, REPLAY, TRACER) WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY)
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY)
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) \
    WAY_##REPLAY(NAME, ARGUMENTS_##REPLAY) WAY_##REPLAY(NAME##_ptsz, ARGUMENTS_##REPLAY)
#include "sim/include/threelane/calls.def"
#undef AGAIN
#undef NOTHING

static void (*const make[])(const Given *) = {
/* beside replay_calls */
#define AGAIN(NAME, ARGUMENTS) make_##NAME,
#define NOTHING(NAME, ARGUMENTS) NULL,
#define TL_CALL0(NAME, REPLAY, TRACER) WAY_##REPLAY(NAME, )
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, )
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) WAY_##REPLAY(NAME, ) WAY_##REPLAY(NAME##_ptsz, )
#include "sim/include/threelane/calls.def"
};

static void play_call(const PlayRecord *record)
{
    Given given = {.at = site_of(record, 1)};
    int call = replay_find(play_word(record, 0));
    if (call < 0 || replay_calls[call].way != REPLAY_AGAIN) damaged("a call that does not exist");
    const char *letters = replay_calls[call].letters;
    if (record->n != 2 + strlen(letters)) damaged("a call's arguments");
    for (size_t i = 0; letters[i]; i++) {
        if (letters[i] == 'k') {
            given.pointer[i] = kernel_of(play_word(record, i + 2));
        } else if (letters[i] != 'v' || strcmp(play_word(record, i + 2), "-") != 0) {
            given.word[i] = number(record, i + 2);
            given.pointer[i] = &given.word[i];
        }
    }
    make[call](&given);
}

static void play_launch(const PlayRecord *record)
{
    uint64_t sides[6];
    for (size_t i = 0; i < 6; i++) {
        sides[i] = number(record, 1 + i);
        if (sides[i] > UINT32_MAX) damaged("a launch");
    }
    threelane_push((unsigned)sides[0], (unsigned)sides[1], (unsigned)sides[2], (unsigned)sides[3],
                   (unsigned)sides[4], (unsigned)sides[5], number(record, 7),
                   (cudaStream_t)number(record, 8), site_of(record, 0).file,
                   site_of(record, 0).line);
}

/* Calls a function of the harness's with the record's values. Kernels get pointers into the arena
 * only. */
static void call(const GlueFunction *target, const PlayRecord *record, bool kernel)
{
    void *arguments[PLAY_WORDS];
    char *values = malloc(target->n * ARGUMENT_BYTES + 1);
    if (!values) limit("memory");
    for (size_t i = 0; i < target->n; i++) {
        GlueType type = target->types[i];
        const char *text = play_word(record, 1 + i);
        arguments[i] = values + i * ARGUMENT_BYTES;
        if (kernel && (type.kind == GLUE_POINTER || type.kind == GLUE_OBJECT_POINTER)) {
            uint64_t there;
            uintptr_t here;
            if (strncmp(text, "b:", 2) || !play_bytes(text + 2, &there, sizeof there))
                damaged("a kernel's argument");
            Where where = find(there, 1, false, &here);
            if (where == WHERE_MIRROR && !memory_find((void *)here))
                where = WHERE_NOWHERE; /* not registered */
            if (where != WHERE_ARENA && where != WHERE_NULL && where != WHERE_MIRROR)
                here = (uintptr_t)NOWHERE;
            memcpy(arguments[i], &here, sizeof here);
        } else {
            read_value(text, type, arguments[i]);
        }
    }
    target->call(arguments);
    free(values);
}

static void play_kernel(const PlayRecord *record)
{
    const char *name = play_word(record, 0);
    const GlueFunction *kernel = function(glue->kernels, glue->n_kernels, name);
    bool same = kernel && record->n - 1 == kernel->n;
    for (size_t i = 0; same && i < kernel->n; i++)
        same = strlen(play_word(record, 1 + i)) == 2 + 2 * kernel->types[i].bytes;
    if (!same)
        refuse(
            "the kernels of this exercise are given; a kernel of your own (%.60s) cannot be graded",
            name);
    if (!launch_is_pending()) damaged("a kernel without its launch");
    call(kernel, record, true);
}

/* Stretches of memory that host code has copied. They stay at least LEAST_COPY bytes long: one that
 * is cut down further is wiped, or a host could lay any bytes it likes, one by one, out of copies
 * that overlap. */
typedef struct Stretch {
    uintptr_t begin, end;
} Stretch;
static Stretch *stretches; /* sorted, disjoint */
static size_t n_stretches, room_stretches;

static void insert(size_t i, uintptr_t begin, uintptr_t end)
{
    if (begin >= end) return;
    if (n_stretches == MOST_STRETCHES)
        limit("more than %zu pieces of memory copied by the host", MOST_STRETCHES);
    if (n_stretches == room_stretches) {
        room_stretches = room_stretches ? 2 * room_stretches : 64;
        stretches = realloc(stretches, room_stretches * sizeof *stretches);
        if (!stretches) limit("memory");
    }
    memmove(stretches + i + 1, stretches + i, (n_stretches - i) * sizeof *stretches);
    stretches[i] = (Stretch){begin, end};
    n_stretches++;
}

static void keep_or_wipe(size_t i, uintptr_t begin, uintptr_t end)
{
    if (end <= begin) return;
    if (end - begin >= LEAST_COPY) insert(i, begin, end);
    else memset((void *)begin, 0xff, end - begin);
}

static void note_copied(uintptr_t begin, uintptr_t end)
{
    size_t low = 0, high = n_stretches;
    while (low < high) { /* the first that ends after begin */
        size_t middle = (low + high) / 2;
        if (stretches[middle].end <= begin) low = middle + 1;
        else high = middle;
    }
    size_t last = low;
    while (last < n_stretches && stretches[last].begin < end) last++;
    Stretch first = {0, 0}, final = {0, 0};
    if (last > low) {
        first = (Stretch){stretches[low].begin, begin};
        final = (Stretch){end, stretches[last - 1].end};
        memmove(stretches + low, stretches + last, (n_stretches - last) * sizeof *stretches);
        n_stretches -= last - low;
    }
    keep_or_wipe(low, final.begin, final.end);
    insert(low, begin, end);
    keep_or_wipe(low, first.begin, first.end);
}

/* Host memory of that many bytes. */
static char *host_memory(uint64_t there, uint64_t bytes)
{
    char *here = pointer(there, bytes);
    uintptr_t at = (uintptr_t)here;
    if (!here) damaged("a copy");
    if (at - memory_base < memory_span) {
        const MemoryBlock *block = memory_find(here);
        if (!block || block->kind == TRACE_MEM_DEVICE ||
            bytes > block->bytes - (at - block->address))
            damaged("a copy of the host's beyond its memory");
    }
    return here;
}

static void play_copy(const PlayRecord *record)
{
    bool copies = record->verb == PLAY_COPY;
    uint64_t bytes = number(record, 2), value = number(record, 1);
    if (bytes < LEAST_COPY) damaged("a copy");
    char *to = host_memory(number(record, 0), bytes),
         *from = copies ? host_memory(value, bytes) : NULL;
    if (copies) memmove(to, from, bytes);
    else memset(to, (int)(value & 0xff), bytes);
    note_copied((uintptr_t)to, (uintptr_t)to + bytes);
}

/* Host code has written what no copy brought. What it wrote is not here, and what was there before
 * must not be taken for it: no value is. It is said where the host can be seen. */
static void play_wrote(const PlayRecord *record)
{
    static bool said;
    uintptr_t here;
    uint64_t bytes = number(record, 1);
    Where where = find(number(record, 0), 1, false, &here);
    const MemoryBlock *block = where == WHERE_ARENA ? memory_find((void *)here) : NULL;
    if (where != WHERE_SHOWN && (!block || block->kind == TRACE_MEM_DEVICE)) return;
    if (block) {
        uint64_t room = block->bytes - (here - block->address);
        memset((void *)here, 0xff, bytes < room ? bytes : room);
    }
    if (said) return;
    said = true;
    host_warn_of_kind("host-computed", "player", (TraceSite){source, 0},
                      "%llu bytes of memory that the exercise gave out were computed by the host "
                      "(%s): no copy brought them, and they do not count",
                      (unsigned long long)bytes, inside);
}

static void play_nvtx(const PlayRecord *record)
{
    char text[TEXT + 1] = "";
    const char *digits = play_word(record, 0);
    size_t n = strlen(digits) / 2;
    if (record->verb == PLAY_RANGE || record->verb == PLAY_BEGIN || record->verb == PLAY_MARK) {
        if (n > TEXT) damaged("a name");
        if (strcmp(digits, "-") != 0) {
            if (!play_bytes(digits, text, n)) damaged("a name");
            text[n] = 0;
        }
    }
    switch (record->verb) {
    case PLAY_RANGE: nvtxRangePushA(text); break;
    case PLAY_POP: nvtxRangePop(); break;
    case PLAY_BEGIN: nvtxRangeStartA(text); break;
    case PLAY_FINISH: nvtxRangeEnd((nvtxRangeId_t)number(record, 0)); break;
    default: nvtxMarkA(text);
    }
}

static void play_own(const PlayRecord *record)
{
    const GlueFunction *own = function(glue->functions, glue->n_functions, play_word(record, 0));
    if (!own || record->n - 1 != own->n) damaged("a function that the harness does not have");
    call_charge();
    call(own, record, false);
    call_charge();
}

/* Only a name, never read: the program's own objects are put where none of this process's are. */
static const void *object_of(uint64_t there)
{
    uintptr_t here;
    Where where = find(there, 1, false, &here);
    return (const void *)(where == WHERE_ARENA || where == WHERE_SHOWN
                              ? here
                              : (uintptr_t)there ^ (uintptr_t)1 << 63);
}

static void play_other(const PlayRecord *record)
{
    const char *name = play_word(record, 0);
    int call = replay_find(name);
    if (call < 0 || replay_calls[call].way == REPLAY_AGAIN) damaged("a call that does not exist");
    if (replay_calls[call].way == REPLAY_NEVER)
        refuse("%s() cannot be graded: %s", name, replay_calls[call].reason);
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
    case PLAY_COPY:
    case PLAY_SET: play_copy(record); break;
    case PLAY_WROTE: play_wrote(record); break;
    case PLAY_RELEASE: hazard_release(object_of(number(record, 0))); break;
    case PLAY_ACQUIRE: hazard_acquire(object_of(number(record, 0))); break;
    case PLAY_RANGE:
    case PLAY_POP:
    case PLAY_BEGIN:
    case PLAY_FINISH:
    case PLAY_MARK: play_nvtx(record); break;
    default: damaged("its order");
    }
}

static void play_host_function(void *number_as_pointer)
{
    uintptr_t token = (uintptr_t)number_as_pointer;
    uint32_t index = token && token <= log_.n_functions ? log_.functions[token - 1] : PLAY_NONE;
    if (index == PLAY_NONE) return; /* the program ended before it ran, or ended in it */
    Player *before = current;
    current = &players[log_.records[index].thread];
    if (current->next != index) damaged("the order of host functions");
    take();
    const PlayRecord *record;
    while ((record = take()) && record->verb != PLAY_END) play_record(record);
    if (!record) ended("the program ended inside a host function");
    current = before;
}

static void *play_thread(void *player)
{
    current = player;
    take(); /* PLAY_THREAD */
    for (const PlayRecord *record; (record = take());) play_record(record);
    return NULL;
}

/* ---- the seam ---- */

void threelane_play(const char *name, const GlueValue *arguments, size_t n, GlueType type,
                    void *result)
{
    const char *outer = inside;
    call_charge();
    const PlayRecord *record = take();
    if (!record) ended("the program ended before it came to %.100s()", name);
    if (record->verb != PLAY_IN || strcmp(play_word(record, 0), name) != 0 || record->n - 1 != n)
        damaged("%.100s() is not called", name);
    inside = name;
    for (size_t i = 0; i < n; i++) {
        const char *text = play_word(record, 1 + i);
        uintptr_t here;
        uint64_t there;
        char digits[20] = "";
        if (arguments[i].type.kind != GLUE_POINTER && arguments[i].type.kind != GLUE_OBJECT_POINTER)
            continue;
        if (strlen(text) > 2)
            snprintf(digits, sizeof digits, "%.*s", (int)strcspn(text + 2, ":"), text + 2);
        if (!play_number(digits, 16, &there)) damaged("an argument");
        memcpy(&here, arguments[i].at, sizeof here);
        pair(here, there);
    }
    while ((record = take()) && record->verb != PLAY_OUT) play_record(record);
    if (!record) ended("the program ended inside %.100s()", name);
    if (type.kind != GLUE_NOTHING) read_value(play_word(record, 0), type, result);
    inside = outer;
}

static void read_log(const char *path)
{
    struct stat about;
    int file = strncmp(path, "fd:", 3) == 0
                   ? fcntl(atoi(path + 3), F_DUPFD_CLOEXEC, 3)
                   : open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        ended("the program took its log away");
    uint64_t size = (uint64_t)about.st_size;
    if (size > PLAY_MOST_BYTES) limit("a log of %llu MiB", (unsigned long long)size >> 20);
    char *bytes = malloc(size + 1);
    size_t have = 0, line;
    if (!bytes) limit("memory");
    while (have < size) {
        ssize_t got = pread(file, bytes + have, size - have, (off_t)have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        have += (size_t)got;
    }
    close(file);
    switch (playlog_read(&log_, bytes, have, &line)) {
    case PLAY_FINE: break;
    case PLAY_EMPTY: ended("the program ended before its main function began"); break;
    case PLAY_DAMAGED: damaged("line %zu", line); break;
    case PLAY_TOO_LONG: limit("more than %zu calls", PLAY_MOST_RECORDS); break;
    case PLAY_NO_MEMORY: limit("memory"); break;
    }
    for (uint32_t i = 0; i < PLAY_THREADS; i++)
        players[i] = (Player){.thread = i, .next = log_.first[i]};
}

int threelane_play_main(const Glue *with, int (*harness_main)(int, char **), int argc, char **argv)
{
    const char *path = getenv(ENV_PLAY);
    const char *named = getenv(ENV_PLAY_SOURCE);
    glue = with;
    source = named ? named : "student.cu";
    inside = "before main";
    runtime_start();
    if (!path) broken(ENV_PLAY " names no log");
    exec_only_variables(glue->data, glue->data_end, glue->bss, glue->bss_end);
    read_log(path);
    arrive();
    const PlayRecord *record;
    while ((record = take()) && record->verb != PLAY_MAIN) play_record(record);
    if (!record) ended("the program ended before its main function began");
    int status = harness_main(argc, argv);
    inside = "after main";
    while ((record = take())) play_record(record);
    return status;
}
