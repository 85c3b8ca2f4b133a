/* tracer_nvtx.c - ranges, marks and names. NVTX loads the library named by NVTX_INJECTION64_PATH
 * and calls its InitializeInjectionNvtx2, which puts functions into NVTX's tables; until then NVTX
 * does nothing at all. The layout of these tables is NVTX's interface to tools and does not
 * change. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "gpu/tracer/tracer.h"

typedef void (*Function)(void);
typedef struct Tables {
    size_t size;
    int (*table_of)(int module, Function ***table, unsigned *n);
} Tables;

enum { TABLES = 1, CORE = 1, CUDA = 2, CUDART = 4, CORE2 = 5 };
enum {
    MARK_EX = 1,
    MARK_A,
    MARK_W,
    START_EX,
    START_A,
    START_W,
    END,
    PUSH_EX,
    PUSH_A,
    PUSH_W,
    POP,
    THREAD_A = 14,
    THREAD_W
};
enum { CU_STREAM_A = 5, CU_STREAM_W, RT_STREAM_A = 3, RT_STREAM_W };
enum {
    D_MARK_EX = 1,
    D_START_EX,
    D_END,
    D_PUSH_EX,
    D_POP,
    D_REGISTER_A = 10,
    D_REGISTER_W,
    D_CREATE_A,
    D_CREATE_W
};

/* Ranges that are pushed are told apart by thread and depth, the others by a number from here
 * on. */
static atomic_ullong next_range = 1;
#define PUSHED (UINT64_C(1) << 63)
static __thread uint32_t depth;

static const char *narrow(const wchar_t *wide, char *text, size_t text_size)
{
    size_t at = 0;
    for (; wide && *wide && at + 5 < text_size; wide++) {
        uint32_t c = (uint32_t)*wide;
        if (c < 0x80) text[at++] = (char)c;
        else if (c < 0x800)
            text[at++] = (char)(0xc0 | c >> 6), text[at++] = (char)(0x80 | (c & 63));
        else if (c < 0x10000) {
            text[at++] = (char)(0xe0 | c >> 12);
            text[at++] = (char)(0x80 | (c >> 6 & 63));
            text[at++] = (char)(0x80 | (c & 63));
        } else text[at++] = '?';
    }
    text[at] = '\0';
    return text;
}

static const char *message(const nvtxEventAttributes_t *a, char *text, size_t text_size)
{
    if (!a) return "";
    switch (a->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII: return a->message.ascii ? a->message.ascii : "";
    case NVTX_MESSAGE_TYPE_UNICODE: return narrow(a->message.unicode, text, text_size);
    case NVTX_MESSAGE_TYPE_REGISTERED: /* our own register_a made it: it is the text */
        return a->message.registered ? (const char *)a->message.registered : "";
    default: return "";
    }
}

static void add(RecorderWhat what, const char *name, uint64_t handle)
{
    Recorder *r = tracer_recorder();
    if (r) recorder_nvtx(r, what, tracer_thread(), name, handle);
}

static uint64_t pushed(uint32_t at) { return PUSHED | (uint64_t)tracer_thread() << 32 | at; }

static void mark_a(const char *name) { add(RECORDER_MARK, name, 0); }
static void mark_w(const wchar_t *name)
{
    char text[512];
    mark_a(narrow(name, text, sizeof text));
}
static void mark_ex(const nvtxEventAttributes_t *a)
{
    char text[512];
    mark_a(message(a, text, sizeof text));
}

static uint64_t start_a(const char *name)
{
    uint64_t id = atomic_fetch_add(&next_range, 1);
    add(RECORDER_RANGE, name, id);
    return id;
}
static uint64_t start_w(const wchar_t *name)
{
    char text[512];
    return start_a(narrow(name, text, sizeof text));
}
static uint64_t start_ex(const nvtxEventAttributes_t *a)
{
    char t[512];
    return start_a(message(a, t, sizeof t));
}
static void end(uint64_t id) { add(RECORDER_RANGE_END, NULL, id); }

static int push_a(const char *name)
{
    if (!tracer_recorder()) return (int)depth++;
    add(RECORDER_RANGE, name, pushed(depth));
    return (int)depth++;
}
static int push_w(const wchar_t *name)
{
    char text[512];
    return push_a(narrow(name, text, sizeof text));
}
static int push_ex(const nvtxEventAttributes_t *a)
{
    char text[512];
    return push_a(message(a, text, sizeof text));
}
static int pop(void)
{
    if (!depth) return -1;
    depth--;
    if (tracer_recorder()) add(RECORDER_RANGE_END, NULL, pushed(depth));
    return (int)depth;
}

static void thread_a(uint32_t id, const char *name)
{
    (void)id; /* the system's number; programs name the thread they are in */
    add(RECORDER_NAME_THREAD, name, 0);
}
static void thread_w(uint32_t id, const wchar_t *name)
{
    char t[256];
    thread_a(id, narrow(name, t, sizeof t));
}

static void stream_a(void *handle, const char *name)
{
    Recorder *r = tracer_recorder();
    uint32_t context, stream;
    if (r && tracer_stream_number(handle, &context, &stream))
        recorder_name_stream(r, context, stream, name);
}
static void stream_w(void *handle, const wchar_t *name)
{
    char t[256];
    stream_a(handle, narrow(name, t, sizeof t));
}

/* Domains: their ranges are recorded like all others. A domain's handle only must not be NULL. */
static void d_mark(void *domain, const nvtxEventAttributes_t *a)
{
    (void)domain;
    mark_ex(a);
}
static uint64_t d_start(void *domain, const nvtxEventAttributes_t *a)
{
    (void)domain;
    return start_ex(a);
}
static void d_end(void *domain, uint64_t id)
{
    (void)domain;
    end(id);
}
static int d_push(void *domain, const nvtxEventAttributes_t *a)
{
    (void)domain;
    return push_ex(a);
}
static int d_pop(void *domain)
{
    (void)domain;
    return pop();
}
static void *d_create_a(const char *name)
{
    (void)name;
    static char domain;
    return &domain;
}
static void *d_create_w(const wchar_t *name)
{
    (void)name;
    return d_create_a(NULL);
}
static void *register_a(void *domain, const char *text)
{
    (void)domain;
    Recorder *r = tracer_recorder();
    return r ? (void *)(uintptr_t)recorder_text(r, text) : (void *)(uintptr_t) "";
}
static void *register_w(void *domain, const wchar_t *text)
{
    char t[512];
    return register_a(domain, narrow(text, t, sizeof t));
}

typedef struct Entry {
    int module;
    unsigned at;
    Function function;
} Entry;
#define F(f) ((Function)(f))

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    const void *(*get_table)(uint32_t));
int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t))
{
    static const Entry entries[] = {
        {CORE, MARK_EX, F(mark_ex)},
        {CORE, MARK_A, F(mark_a)},
        {CORE, MARK_W, F(mark_w)},
        {CORE, START_EX, F(start_ex)},
        {CORE, START_A, F(start_a)},
        {CORE, START_W, F(start_w)},
        {CORE, END, F(end)},
        {CORE, PUSH_EX, F(push_ex)},
        {CORE, PUSH_A, F(push_a)},
        {CORE, PUSH_W, F(push_w)},
        {CORE, POP, F(pop)},
        {CORE, THREAD_A, F(thread_a)},
        {CORE, THREAD_W, F(thread_w)},
        {CUDA, CU_STREAM_A, F(stream_a)},
        {CUDA, CU_STREAM_W, F(stream_w)},
        {CUDART, RT_STREAM_A, F(stream_a)},
        {CUDART, RT_STREAM_W, F(stream_w)},
        {CORE2, D_MARK_EX, F(d_mark)},
        {CORE2, D_START_EX, F(d_start)},
        {CORE2, D_END, F(d_end)},
        {CORE2, D_PUSH_EX, F(d_push)},
        {CORE2, D_POP, F(d_pop)},
        {CORE2, D_REGISTER_A, F(register_a)},
        {CORE2, D_REGISTER_W, F(register_w)},
        {CORE2, D_CREATE_A, F(d_create_a)},
        {CORE2, D_CREATE_W, F(d_create_w)},
    };
    if (!tracer_recorder()) return 0;
    const Tables *tables = get_table(TABLES);
    if (!tables || tables->size < sizeof *tables || !tables->table_of) return 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        Function **table;
        unsigned n = 0;
        if (tables->table_of(entries[i].module, &table, &n) && entries[i].at < n &&
            table[entries[i].at])
            *table[entries[i].at] = entries[i].function;
    }
    return 1;
}
