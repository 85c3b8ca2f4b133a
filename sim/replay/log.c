/* log.c - see log.h. Everything here happens with the baton held, so one buffer serves all
 * threads. */
#include "sim/replay/log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "common/limits.h"
#include "common/env.h"
#include "sim/host/raw.h"
#include "sim/include/threelane/glue.h"
#include "sim/replay/log_parse.h"
#include "sim/replay/replay.h"
#include "sim/api/api_launch.h"
#include "sim/exec/exec.h"
#include "sim/hazard/hazard.h"
#include "sim/host/host.h"
#include "sim/memory/memory.h"
#include "sim/runtime/call.h"
#include "sim/runtime/observer.h"

enum {
    BUFFER = 1 << 16,
    ROOM_FOR_LINE = 1 << 13,
    PARAMETERS = 64,
    PARAMETER_BYTES = 4096,
    LEAST_COPY = 64,
    RUNS = 8,
    READS = 4
};

static bool log_on;
static int file = -1;
static pid_t owner;
static char buffer[BUFFER + 2 * ROOM_FOR_LINE];
static size_t used, n_lines;
static _Thread_local bool announced;
static _Thread_local uint32_t token;
static uint32_t n_tokens;

bool log_student(void) { return log_on && host_student(); }

/* A log that is too long for the player is not made longer: a program that calls without end is
 * ended by its time, not by the room that we took for it. */
static bool full(size_t more)
{
    static size_t written;
    written += more;
    return written > LIMIT_LOG_BYTES || n_lines > LIMIT_LOG_RECORDS + 1u;
}

void log_flush(void)
{
    static bool ended;
    if (file < 0 || (pid_t)raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0) != owner) return;
    size_t at = ended ? used : 0;
    ended = ended || full(used);
    while (at < used) {
        long n = raw_syscall(SYS_write, file, (long)(buffer + at), (long)(used - at), 0, 0, 0);
        if (n == -EINTR) continue;
        if (n <= 0) break; /* the player will find it cut off */
        at += (size_t)n;
    }
    used = 0;
}

/* The runtime tells a log what the program asks for; it knows no more of it. */
static const CallLog told = {.call = log_call,
                             .given = log_given,
                             .push = log_push,
                             .wants_parameters = log_wants_parameters,
                             .parameters = log_parameters,
                             .kernel = log_kernel,
                             .take_token = log_take_token,
                             .host_function = log_host_function,
                             .host_function_end = log_host_function_end,
                             .nvtx = log_nvtx,
                             .flush = log_flush};

__attribute__((constructor(101))) static void open_log(void)
{
    const char *path = getenv(ENV_LOG);
    if (!path || !*path) return;
    if (!strncmp(path, "fd:", 3)) file = fcntl(atoi(path + 3), F_DUPFD_CLOEXEC, 3);
    else file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_LOG "=%s: %s", path,
                   strerror(errno));
    owner = getpid();
    log_on = true;
    call_log = &told;
}

/* ---- lines ---- */

static void put(const char *text)
{
    size_t n = strlen(text);
    if (used + n > sizeof buffer) return;
    memcpy(buffer + used, text, n);
    used += n;
}

static void put_number(char before, uint64_t value, unsigned base)
{
    char digits[32];
    size_t n = sizeof digits;
    do digits[--n] = "0123456789abcdef"[value % base];
    while (value /= base);
    if (before) digits[--n] = before;
    if (used + sizeof digits - n > sizeof buffer) return;
    memcpy(buffer + used, digits + n, sizeof digits - n);
    used += sizeof digits - n;
}

static void put_bytes(const void *from, size_t n)
{
    const unsigned char *bytes = from;
    if (!n) put("-");
    if (used + 2 * n > sizeof buffer) return;
    for (size_t i = 0; i < n; i++) {
        buffer[used++] = "0123456789abcdef"[bytes[i] >> 4];
        buffer[used++] = "0123456789abcdef"[bytes[i] & 15];
    }
}

static void line_of(uint32_t thread, uint64_t ns, const char *verb)
{
    if (used >= BUFFER) log_flush();
    n_lines++;
    put_number(0, thread, 10);
    put_number(' ', ns, 10);
    put(" ");
    put(verb);
}

static void line(const char *verb) { line_of(host_thread(), host_now(), verb); }

static void line_end(void) { put("\n"); }

static void put_value(const GlueValue *value)
{
    uintptr_t pointer;
    put(" ");
    switch (value->type.kind) {
    case GLUE_NUMBER:
    case GLUE_OBJECT:
        put(value->type.kind == GLUE_NUMBER ? "n:" : "b:");
        put_bytes(value->at, value->type.bytes);
        break;
    case GLUE_POINTER:
    case GLUE_OBJECT_POINTER:
        memcpy(&pointer, value->at, sizeof pointer);
        put(value->type.kind == GLUE_POINTER ? "p:" : "o:");
        put_number(0, pointer, 16);
        if (value->type.kind == GLUE_POINTER) break;
        put(":");
        bool there = pointer && value->type.target <= PLAY_TARGET &&
                     pointer - memory_base >= memory_device_span;
        put_bytes((const void *)pointer, there ? value->type.target : 0);
        break;
    default: put("v");
    }
}

/* ---- what host code does to memory: copies are noted as copies, everything else by its place
 * ---- */

/* Consecutive writes of one thread: [to, end), begun at ns. from: where the bytes written so far
 * had been read just before; 0: nowhere. It is noted before the next record, which may be another
 * thread's. */
typedef struct Stretch {
    uintptr_t to, end, from;
    uint32_t thread;
    uint64_t ns;
} Stretch;
static Stretch stretches[RUNS];
static unsigned next_stretch;
static struct {
    uintptr_t address;
    size_t bytes;
} reads[READS];
static unsigned next_read;

/* Pinned and managed memory: what the host writes there is noted however small it is, for it takes
 * the place of what copies and kernels left. */
static bool in_arena(uintptr_t address) { return address - memory_base < memory_span; }

static void note_stretch(Stretch *stretch)
{
    size_t bytes = stretch->end - stretch->to;
    bool copied = stretch->from && bytes >= LEAST_COPY;
    if (bytes >= LEAST_COPY || (bytes && in_arena(stretch->to))) {
        line_of(stretch->thread, stretch->ns, copied ? "copy" : "wrote");
        put_number(' ', stretch->to, 16);
        if (copied) put_number(' ', stretch->from, 16);
        put_number(' ', bytes, 16);
        line_end();
    }
    *stretch = (Stretch){0};
}

static void note_stretches(void)
{
    for (unsigned i = 0; i < RUNS; i++)
        if (stretches[i].end) note_stretch(&stretches[i]);
}

static uintptr_t just_read(uintptr_t wanted, size_t bytes)
{
    for (unsigned k = 0; k < READS; k++) {
        unsigned i = (next_read + READS - 1 - k) % READS;
        if (reads[i].bytes == bytes && (!wanted || reads[i].address == wanted))
            return reads[i].address;
    }
    return 0;
}

static void host_access(uintptr_t address, size_t bytes, bool write)
{
    if (!log_student() || bytes > 16) return;
    if (!write) {
        reads[next_read].address = address;
        reads[next_read].bytes = bytes;
        next_read = (next_read + 1) % READS;
        return;
    }
    for (unsigned i = 0; i < RUNS; i++) {
        Stretch *s = &stretches[i];
        if (!s->end) continue;
        if (address >= s->to && address + bytes <= s->end) {
            s->from = 0; /* a second time: who knows with what */
            return;
        }
        if (address != s->end || s->thread != host_thread()) continue;
        /* the hook comes before the access, so what was written last can be looked at now */
        size_t done = s->end - s->to;
        if (s->from && (!just_read(s->from + done, bytes) ||
                        memcmp((const void *)(address - bytes),
                               (const void *)(s->from + done - bytes), bytes) != 0))
            s->from = 0;
        s->end += bytes;
        return;
    }
    Stretch *s = &stretches[next_stretch++ % RUNS];
    if (s->end) note_stretch(s);
    *s = (Stretch){address, address + bytes, just_read(0, bytes), host_thread(), host_now()};
}

static void host_copy(void *to, const void *from, int value, size_t bytes)
{
    bool counts = bytes >= LEAST_COPY;
    if (!log_student() || !bytes || (!counts && !in_arena((uintptr_t)to))) return;
    note_stretches();
    line(!counts ? "wrote" : from ? "copy" : "set");
    put_number(' ', (uintptr_t)to, 16);
    if (counts) put_number(' ', from ? (uintptr_t)from : (unsigned char)value, 16);
    put_number(' ', bytes, 16);
    line_end();
}

/* ---- records ---- */

static void announce(void)
{
    if (!announced && host_thread() > 1 && !host_is_driver()) {
        line("thread");
        line_end();
    }
    announced = true;
}

/* Comes from within locks and the like: takes no time, and gives nobody a turn. */
static void note_order(bool release, const void *object)
{
    if (!log_student()) return;
    note_stretches();
    announce();
    line(release ? "release" : "acquire");
    put_number(' ', (uintptr_t)object, 16);
    line_end();
}

static void begin(void)
{
    static bool begun;
    runtime_start(); /* the arena's place, and the hook that flushes */
    if (!begun) {
        begun = true;
        put("threelane-log 1");
        put_number(' ', memory_base, 16);
        line_end();
        exec_on_host_access(host_access, host_copy);
        hazard_on_order(note_order);
    }
    call_charge(); /* what the student's code cost so far belongs before this */
    note_stretches();
    announce();
}

static void start(const char *verb)
{
    begin();
    line(verb);
}

static void put_line_number(ThreelaneSite site)
{
    put_number(' ', site.file && site.line > 0 ? (unsigned)site.line : 0, 10);
}

/* A list whose length is the next number among the arguments. */
static void put_list(const void *items, size_t item, const char *rest, va_list *list)
{
    va_list ahead;
    va_copy(ahead, *list);
    for (; *rest && *rest != 'z'; rest++) (void)va_arg(ahead, void *);
    size_t n = va_arg(ahead, size_t);
    va_end(ahead);
    put(" ");
    put_bytes(items, items && n <= PLAY_LIST / item ? n * item : 0);
}

/* "NAME/GRID,BLOCK,SHARED/BYTES/BYTES...", the numbers hexadecimal, the bytes of each argument. */
static void put_kernel_node(const struct cudaKernelNodeParams *node)
{
    KernelArguments *arguments;
    if (!node || !node->func || node->extra) {
        put(" -");
        return;
    }
    LaunchProbe kernel = launch_look(node->func, node->kernelParams, &arguments);
    put(kernel.kernel && launch_is_own(kernel.kernel) ? " ~" : " ");
    put(kernel.name ? kernel.name : "-");
    const uint32_t sides[] = {node->gridDim.x,     node->gridDim.y,  node->gridDim.z,
                              node->blockDim.x,    node->blockDim.y, node->blockDim.z,
                              node->sharedMemBytes};
    for (int i = 0; i < 7; i++) put_number(i ? ',' : '/', sides[i], 16);
    for (size_t i = 0; arguments && i < arguments->n; i++) {
        put("/");
        put_bytes(arguments->at[i], arguments->bytes[i]);
    }
    free(arguments);
}

/* What a pointer leads to, whole; nothing of NULL. */
static void put_pointed_to(const void *pointer, size_t bytes)
{
    put(" ");
    put_bytes(pointer, pointer ? bytes : 0);
}

/* A place for what the box alone has (a function, a token): its number. */
static void put_token(bool there)
{
    token = there ? ++n_tokens : 0;
    put_number(' ', token, 16);
}

static void put_kernel(const void *function)
{
    LaunchProbe kernel = launch_probe(function);
    put(kernel.kernel && launch_is_own(kernel.kernel) ? " ~" : " ");
    put(kernel.name ? kernel.name : "-");
}

/* Access to a pool: as many descriptions as the number after it says. */
static void put_accesses(const void *pointer, va_list *list)
{
    unsigned char descs[sizeof(struct cudaMemPoolProps)] = {0};
    va_list ahead;
    va_copy(ahead, *list);
    size_t n = va_arg(ahead, size_t);
    va_end(ahead);

    bool fits = pointer && n <= sizeof descs / sizeof(struct cudaMemAccessDesc);
    if (fits) memcpy(descs, pointer, n * sizeof(struct cudaMemAccessDesc));
    put_pointed_to(fits ? descs : NULL, sizeof descs);
}

/* The value of a pool's attribute, which is of 4 or of 8 bytes. */
static void put_attribute_value(const void *value, uint64_t attribute)
{
    if (!value) put(" -");
    else if (attribute <= cudaMemPoolReuseAllowInternalDependencies)
        put_number(' ', *(const uint32_t *)value, 16);
    else put_number(' ', *(const uint64_t *)value, 16);
}

/* An argument by its letter (calls.def). rest: the letters after it; number: the last one that was
 * one. */
static void put_argument(char letter, const char *rest, va_list *list, uint64_t *number)
{
    struct cudaMemLocation place;
    const struct cudaHostNodeParams *host;
    switch (letter) {
    case 'i': put_number(' ', *number = (uint32_t)va_arg(*list, int), 16); break;
    case 'z': put_number(' ', va_arg(*list, size_t), 16); break;
    case 'o': put_number(' ', va_arg(*list, void *) != NULL, 16); break;
    case 'f': put_token(va_arg(*list, void *) != NULL); break;
    case 'd':
        (void)va_arg(*list, void *);
        put(" 0");
        break;
    case 'n': put_list(va_arg(*list, void *), sizeof(cudaGraphNode_t), rest, list); break;
    case 'e': put_list(va_arg(*list, void *), sizeof(cudaGraphEdgeData), rest, list); break;
    case 'w': put_pointed_to(va_arg(*list, void *), sizeof(int)); break;
    case 'x': put_kernel_node(va_arg(*list, void *)); break;
    case 'y': put_pointed_to(va_arg(*list, void *), sizeof(struct cudaMemcpy3DParms)); break;
    case 't': put_pointed_to(va_arg(*list, void *), sizeof(struct cudaMemsetParams)); break;
    case 'j':
        host = va_arg(*list, void *);
        put_token(host && host->fn);
        break;
    case 'k': put_kernel(va_arg(*list, void *)); break;
    case 'l':
        place = va_arg(*list, struct cudaMemLocation);
        put_number(' ', (uint64_t)(uint32_t)place.type << 32 | (uint32_t)place.id, 16);
        break;
    case 'm': put_pointed_to(va_arg(*list, void *), sizeof(struct cudaMemPoolProps)); break;
    case 'u': put_pointed_to(va_arg(*list, void *), sizeof(cudaLaunchAttributeValue)); break;
    case 'a': put_accesses(va_arg(*list, void *), list); break;
    case 'v': put_attribute_value(va_arg(*list, void *), *number); break;
    default: put_number(' ', (uintptr_t)va_arg(*list, void *), 16);
    }
}

void log_call(const char *name, ThreelaneSite site, ...)
{
    if (!log_student()) return;
    int i = replay_find(name);
    const char *letters = i < 0 ? NULL : replay_calls[i].letters;
    start(letters ? "call" : "other");
    put(" ");
    put(name);
    if (letters) {
        va_list list;
        uint64_t number = 0;
        put_line_number(site);
        va_start(list, site);
        for (; *letters; letters++) put_argument(*letters, letters + 1, &list, &number);
        va_end(list);
    }
    line_end();
}

/* Which memory a pool gives may depend on what is over by then: a player that is given another
 * place knows what the program's pointers mean all the same. */
void log_given(const void *address)
{
    if (!log_student()) return;
    line("given");
    put_number(' ', (uintptr_t)address, 16);
    line_end();
}

uint32_t log_take_token(void)
{
    uint32_t taken = token;
    token = 0;
    return taken;
}

void log_push(ThreelaneSite site, TraceDim grid, TraceDim block, size_t shared, const void *stream,
              const cudaLaunchAttribute *attributes, unsigned n)
{
    if (!log_student()) return;
    start("push");
    put_line_number(site);
    const uint32_t sides[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    for (int i = 0; i < 6; i++) put_number(' ', sides[i], 16);
    put_number(' ', shared, 16);
    put_number(' ', (uintptr_t)stream, 16);
    if (n) put_number(' ', n, 16);
    if (n && !attributes) put(" -");
    for (unsigned i = 0; attributes && i < n && i < PLAY_ATTRIBUTES; i++) {
        put_number(' ', (uint32_t)attributes[i].id, 16);
        put(":");
        put_bytes(&attributes[i].val, sizeof attributes[i].val);
    }
    line_end();
}

static struct {
    size_t n, bytes[PARAMETERS], at[PARAMETERS];
    unsigned char all[PARAMETER_BYTES];
} parameters;

bool log_wants_parameters(void)
{
    parameters.n = 0;
    return log_student();
}

void log_parameters(void *const *at, const size_t *bytes, size_t n)
{
    size_t used_bytes = 0;
    if (!log_student()) return;
    parameters.n = 0;
    for (size_t i = 0; i < n && i < PARAMETERS && bytes[i] <= PARAMETER_BYTES - used_bytes; i++) {
        memcpy(parameters.all + used_bytes, at[i], bytes[i]);
        parameters.at[i] = used_bytes;
        parameters.bytes[i] = bytes[i];
        used_bytes += bytes[i];
        parameters.n = i + 1;
    }
}

void log_kernel(const char *name, bool own, TraceDim cluster)
{
    if (!log_student()) return;
    start("kernel ");
    if (own) put("~");
    put(name);
    for (size_t i = 0; i < parameters.n; i++) {
        put(" b:");
        put_bytes(parameters.all + parameters.at[i], parameters.bytes[i]);
    }
    parameters.n = 0;
    if (cluster.x) {
        const uint32_t sides[] = {cluster.x, cluster.y, cluster.z};
        put(" c:");
        put_bytes(sides, sizeof sides);
    }
    line_end();
}

void log_host_function(uint32_t number)
{
    start("fn");
    put_number(' ', number, 16);
    line_end();
}

void log_host_function_end(void)
{
    start("end");
    line_end();
}

void log_nvtx(const char *verb, const char *text, uint64_t id)
{
    if (!log_student()) return;
    start(verb);
    if (text) {
        size_t n = strlen(text);
        put(" ");
        put_bytes(text, n < ROOM_FOR_LINE / 4 ? n : ROOM_FOR_LINE / 4);
    } else if (!strcmp(verb, "finish")) {
        put_number(' ', id, 16);
    }
    line_end();
}

/* ---- the seam ---- */

int threelane_log_main(int (*harness_main)(int, char **), int argc, char **argv)
{
    static bool begun;
    if (begun)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   "main() is called by the program: it is the harness's, and runs once");
    begun = true;
    if (log_on) {
        start("main");
        line_end();
    }
    host_main_begins();
    int status = harness_main(argc, argv);
    host_mark = 1; /* what runs from here on is not the harness */
    return status;
}

static void put_values(const GlueValue *values, size_t n)
{
    for (size_t i = 0; i < n; i++) put_value(&values[i]);
}

int threelane_log_in(const char *name, const GlueValue *arguments, size_t n)
{
    int mark = host_mark;
    if (log_on) {
        start("in ");
        put(name);
        put_values(arguments, n);
        line_end();
    }
    host_mark = 1;
    return mark;
}

void threelane_log_out(int mark, const GlueValue *result)
{
    if (log_on) {
        start("out");
        put_value(result);
        line_end();
    }
    host_mark = mark;
}

int threelane_log_own(const char *name, const GlueValue *arguments, size_t n)
{
    int mark = host_mark;
    if (log_student()) {
        start("own ");
        put(name);
        put_values(arguments, n);
        line_end();
    }
    host_mark = 0;
    return mark;
}

void threelane_log_back(int mark)
{
    if (log_on) call_charge(); /* the harness's own memory accesses: at the time they were made */
    host_mark = mark;
}
