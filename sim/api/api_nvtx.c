/* api_nvtx.c - ranges, marks and names from the program. A range of a domain is a range. */
#include "sim/api/api.h"
#include "sim/include/nvtx3/nvToolsExt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 256, TEXT = 512, NAMING = CALL_IN_HOST_FUNCTION | CALL_AFTER_FAULT | CALL_NO_ERROR };

/* A stack for each side: a student's pop takes what the student pushed, and no range of the
 * harness's. */
typedef struct Stack {
    uint32_t open[DEPTH];
    int depth;
} Stack;
static _Thread_local Stack stacks[2];

static Stack *own_stack(void) { return &stacks[host_student()]; }

/* A wide string as UTF-8. */
static const char *narrow(const wchar_t *wide, char *text)
{
    char *to = text;
    for (; wide && *wide && to < text + TEXT - 5; wide++) {
        unsigned c = (unsigned)*wide;
        if (c < 0x80) *to++ = (char)c;
        else if (c < 0x800) {
            *to++ = (char)(0xc0 | c >> 6);
            *to++ = (char)(0x80 | (c & 63));
        } else if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
            *to++ = (char)(0x80 | (c >> 6 & 63));
            *to++ = (char)(0x80 | (c & 63));
        } else {
            *to++ = (char)(0xf0 | (c >> 18 & 7));
            *to++ = (char)(0x80 | (c >> 12 & 63));
            *to++ = (char)(0x80 | (c >> 6 & 63));
            *to++ = (char)(0x80 | (c & 63));
        }
    }
    *to = 0;
    return text;
}

static const char *message(const nvtxEventAttributes_t *attributes, char *text)
{
    if (!attributes) return "";
    const char *words = NULL;
    if (attributes->messageType == NVTX_MESSAGE_TYPE_ASCII) words = attributes->message.ascii;
    if (attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        words = (const char *)attributes->message.registered;
    if (attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        words = narrow(attributes->message.unicode, text);
    return words ? words : "";
}

static void enter(void)
{
    runtime_start();
    if (!exec_in_kernel()) host_spend(0); /* what is due by now comes before the mark */
}

int nvtxRangePushA(const char *words)
{
    if (call_log) call_log->nvtx("range", words ? words : "", 0);
    enter();
    Stack *stack = own_stack();
    if (stack->depth < DEPTH) stack->open[stack->depth] = range_open(words ? words : "");
    return stack->depth++;
}

int nvtxRangePushW(const wchar_t *words)
{
    char text[TEXT];
    return nvtxRangePushA(narrow(words, text));
}

int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
    char text[TEXT];
    return nvtxRangePushA(message(attributes, text));
}

int nvtxRangePop(void)
{
    if (call_log) call_log->nvtx("pop", NULL, 0);
    enter();
    Stack *stack = own_stack();
    if (!stack->depth) return -2; /* NVTX's word for "nothing to pop" */
    if (--stack->depth < DEPTH) range_close(stack->open[stack->depth]);
    return stack->depth;
}

nvtxRangeId_t nvtxRangeStartA(const char *words)
{
    if (call_log) call_log->nvtx("begin", words ? words : "", 0);
    enter();
    return range_open(words ? words : "");
}

nvtxRangeId_t nvtxRangeStartW(const wchar_t *words)
{
    char text[TEXT];
    return nvtxRangeStartA(narrow(words, text));
}

nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
    char text[TEXT];
    return nvtxRangeStartA(message(attributes, text));
}

void nvtxRangeEnd(nvtxRangeId_t id)
{
    if (call_log) call_log->nvtx("finish", NULL, id);
    enter();
    range_close((uint32_t)id);
}

void nvtxMarkA(const char *words)
{
    if (call_log) call_log->nvtx("mark", words ? words : "", 0);
    enter();
    mark_put(words ? words : "");
}

void nvtxMarkW(const wchar_t *words)
{
    char text[TEXT];
    nvtxMarkA(narrow(words, text));
}

void nvtxMarkEx(const nvtxEventAttributes_t *attributes)
{
    char text[TEXT];
    nvtxMarkA(message(attributes, text));
}

void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread; /* programs name the thread they are on */
    enter();
    name_give("thread", host_thread(), name);
}

void nvtxNameCudaDeviceA(int device, const char *name)
{
    enter();
    if (device_exists(device)) name_give("device", (uint32_t)device + 1, name);
}

void nvtxNameCudaStreamA(struct CUstream_st *handle, const char *name)
{
    Call call;
    if (call_enter(&call, __func__, (ThreelaneSite){NULL, 0}, NAMING))
        name_give("stream", stream_of(&call, handle)->id, name);
    call_leave(&call);
}

void nvtxNameCudaEventA(struct CUevent_st *handle, const char *name)
{
    Call call;
    if (call_enter(&call, __func__, (ThreelaneSite){NULL, 0}, NAMING)) {
        const Event *event = event_of(&call, handle);
        if (event) name_give("event", event->id, name);
    }
    call_leave(&call);
}

/* ---- domains: accepted, and all the same ---- */

nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    return (nvtxDomainHandle_t)strdup(name ? name : "");
}
void nvtxDomainDestroy(nvtxDomainHandle_t domain) { free(domain); }
nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text)
{
    (void)domain;
    return (nvtxStringHandle_t)strdup(text ? text : "");
}
int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    (void)domain;
    return nvtxRangePushEx(attributes);
}
int nvtxDomainRangePop(nvtxDomainHandle_t domain)
{
    (void)domain;
    return nvtxRangePop();
}
nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                     const nvtxEventAttributes_t *attributes)
{
    (void)domain;
    return nvtxRangeStartEx(attributes);
}
void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
    (void)domain;
    nvtxRangeEnd(id);
}
void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    (void)domain;
    nvtxMarkEx(attributes);
}
void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name)
{
    (void)domain, (void)category, (void)name;
}
void nvtxNameCategoryA(uint32_t category, const char *name) { (void)category, (void)name; }
void nvtxInitialize(const void *reserved) { (void)reserved; }
