/* call_layouts.h - the calls whose arguments the tracer reads, by name, and how they lie (cupti.c).
 * In a file without NVIDIA's headers, whose macros have the names of the table's. */
#ifndef THREELANE_TRACER_CALL_LAYOUTS_H
#define THREELANE_TRACER_CALL_LAYOUTS_H

typedef enum Layout {
    UNSEEN, /* no callback */
    PLAIN,  /* its arguments are not read */
    LAUNCH,
    LAUNCH_CONFIG,
    CU_LAUNCH,
    CU_LAUNCH_CONFIG,
    COPY,
    COPY_ASYNC,
    CU_COPY,
    CU_COPY_ASYNC,
    COPY_PEER, /* of either API: numbers and contexts lie alike */
    COPY_PEER_ASYNC,
    OTHER_COPY,
    SET,
    SET_ASYNC,
    GRAPH,
    HOSTFN,
    ADD_CALLBACK,
    EVENT_RECORD,
    EVENT_WAIT,
    STREAM_NEW,
    STREAM_NEW_FLAGS,
    STREAM_NEW_PRIORITY,
    STREAM_END,
    EVENT_NEW,
    EVENT_END,
    ALLOC,
    ALLOC_ASYNC,
    ALLOC_POOL,
    REGISTER,
    FREE,
    FREE_ASYNC,
    CAPTURE_BEGIN,
    CAPTURE_END
} Layout;

typedef struct CallLayout {
    const char *name;
    Layout layout;
    int detail; /* which copy, which memory, the bytes of what is set */
} CallLayout;

/* The calls of both APIs, as the rows of calls.def say; ends with a NULL name. */
extern const CallLayout call_layouts[];
#endif
