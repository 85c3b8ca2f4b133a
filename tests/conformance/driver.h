/* driver.h - what the conformance programs of the driver API share. A row of GIVES is a call and the code that an H200
 * gave for it (driver 580, CUDA 13.0). */
#ifndef DRIVER_H
#define DRIVER_H
#include "conformance.h"
#include <cuda.h>

static inline void gives_at(int wanted, int got, int line, const char *what)
{
    if (wanted == got) return;
    printf("FAIL %d: %s: %d, not %d\n", line, what, got, wanted);
    failures++;
}
/* The call, of either API, returns this code. */
#define GIVES(CODE, CALL) gives_at(CODE, (int)(CALL), __LINE__, #CALL)

/* The device's primary context is current. */
static inline CUcontext primary()
{
    CUcontext context;
    GIVES(0, cuInit(0));
    GIVES(0, cuDevicePrimaryCtxRetain(&context, 0));
    GIVES(0, cuCtxSetCurrent(context));
    return context;
}
#endif
