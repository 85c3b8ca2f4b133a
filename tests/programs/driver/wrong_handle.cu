// A handle of another kind is found out, and named.
// flags: -lcuda
// status: 97
// err: wrong_handle.cu:12: cuStreamSynchronize: 
// err: is a context, not a stream
#include <cuda.h>
#include <cstdio>
int main()
{
    CUcontext context;
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 1;
    return cuStreamSynchronize((CUstream)context);
}
