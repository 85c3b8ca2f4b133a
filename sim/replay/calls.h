/* calls.h - the calls that a program log can hold, and how a player makes them again.
 *
 * Each line: the call's name, its arguments as letters, and the call in the player's words.
 *   s  a handle of a stream or event        p  a pointer into memory        o  where a result goes
 *   z  a size                               i  a number, flags, an enum     f  a host function      d  its data
 * S(i), P(i, bytes), O(i), Z(i), I(i), F and D are the player's arguments; P promises that many bytes if the memory is
 * not of the virtual GPU, which looks for itself. A call that is not here cannot be graded by playing it again. */
#ifndef THREELANE_CALLS_H
#define THREELANE_CALLS_H
#define LOGGED_CALLS(CALL, STREAM)                                                                                     \
    CALL(cudaGetLastError, "", (AT))                                                                                   \
    CALL(cudaPeekAtLastError, "", (AT))                                                                                \
    CALL(cudaGetDeviceCount, "o", (O(0), AT))                                                                          \
    CALL(cudaSetDevice, "i", (I(0), AT))                                                                               \
    CALL(cudaInitDevice, "iii", (I(0), (unsigned)I(1), (unsigned)I(2), AT))                                            \
    CALL(cudaGetDevice, "o", (O(0), AT))                                                                               \
    CALL(cudaGetDeviceProperties, "oi", (O(0), I(1), AT))                                                              \
    CALL(cudaDeviceGetAttribute, "oii", (O(0), (enum cudaDeviceAttr)I(1), I(2), AT))                                   \
    CALL(cudaSetDeviceFlags, "i", ((unsigned)I(0), AT))                                                                \
    CALL(cudaGetDeviceFlags, "o", (O(0), AT))                                                                          \
    CALL(cudaDeviceSynchronize, "", (AT))                                                                              \
    CALL(cudaDeviceReset, "", (AT))                                                                                    \
    CALL(cudaDeviceGetStreamPriorityRange, "oo", (O(0), O(1), AT))                                                     \
    CALL(cudaDeviceGetLimit, "oi", (O(0), (enum cudaLimit)I(1), AT))                                                   \
    CALL(cudaDeviceSetLimit, "iz", ((enum cudaLimit)I(0), Z(1), AT))                                                   \
    CALL(cudaDeviceGetCacheConfig, "o", (O(0), AT))                                                                    \
    CALL(cudaDeviceSetCacheConfig, "i", ((enum cudaFuncCache)I(0), AT))                                                \
    CALL(cudaDeviceCanAccessPeer, "oii", (O(0), I(1), I(2), AT))                                                       \
    CALL(cudaDriverGetVersion, "o", (O(0), AT))                                                                        \
    CALL(cudaRuntimeGetVersion, "o", (O(0), AT))                                                                       \
    CALL(cudaMalloc, "oz", (O(0), Z(1), AT))                                                                           \
    CALL(cudaMallocPitch, "oozz", (O(0), O(1), Z(2), Z(3), AT))                                                        \
    CALL(cudaMallocManaged, "ozi", (O(0), Z(1), (unsigned)I(2), AT))                                                   \
    CALL(cudaFree, "p", (P(0, 1), AT))                                                                                 \
    CALL(cudaMallocHost, "oz", (O(0), Z(1), AT))                                                                       \
    CALL(cudaHostAlloc, "ozi", (O(0), Z(1), (unsigned)I(2), AT))                                                       \
    CALL(cudaFreeHost, "p", (P(0, 1), AT))                                                                             \
    CALL(cudaHostRegister, "pzi", (P(0, Z(1)), Z(1), (unsigned)I(2), AT))                                              \
    CALL(cudaHostUnregister, "p", (P(0, 1), AT))                                                                       \
    CALL(cudaHostGetDevicePointer, "opi", (O(0), P(1, 1), (unsigned)I(2), AT))                                         \
    CALL(cudaHostGetFlags, "op", (O(0), P(1, 1), AT))                                                                  \
    CALL(cudaMemGetInfo, "oo", (O(0), O(1), AT))                                                                       \
    CALL(cudaPointerGetAttributes, "op", (O(0), P(1, 1), AT))                                                          \
    STREAM(cudaMallocAsync, "ozs", (O(0), Z(1), S(2), AT))                                                             \
    STREAM(cudaFreeAsync, "ps", (P(0, 1), S(1), AT))                                                                   \
    STREAM(cudaMemcpy, "ppzi", (P(0, Z(2)), P(1, Z(2)), Z(2), K(3), AT))                                               \
    STREAM(cudaMemcpyAsync, "ppzis", (P(0, Z(2)), P(1, Z(2)), Z(2), K(3), S(4), AT))                                   \
    STREAM(cudaMemcpy2D, "pzpzzzi",                                                                                    \
           (P(0, E(1, 4, 5)), Z(1), P(2, E(3, 4, 5)), Z(3), Z(4), Z(5), K(6), AT))                                     \
    STREAM(cudaMemcpy2DAsync, "pzpzzzis",                                                                              \
           (P(0, E(1, 4, 5)), Z(1), P(2, E(3, 4, 5)), Z(3), Z(4), Z(5), K(6), S(7), AT))                               \
    STREAM(cudaMemset, "piz", (P(0, Z(2)), I(1), Z(2), AT))                                                            \
    STREAM(cudaMemsetAsync, "pizs", (P(0, Z(2)), I(1), Z(2), S(3), AT))                                                \
    STREAM(cudaMemset2D, "pzizz", (P(0, E(1, 3, 4)), Z(1), I(2), Z(3), Z(4), AT))                                      \
    STREAM(cudaMemset2DAsync, "pzizzs", (P(0, E(1, 3, 4)), Z(1), I(2), Z(3), Z(4), S(5), AT))                          \
    STREAM(cudaMemPrefetchAsync_v12, "pzis", (P(0, Z(1)), Z(1), I(2), S(3), AT))                                       \
    CALL(cudaStreamCreate, "o", (O(0), AT))                                                                            \
    CALL(cudaStreamCreateWithFlags, "oi", (O(0), (unsigned)I(1), AT))                                                  \
    CALL(cudaStreamCreateWithPriority, "oii", (O(0), (unsigned)I(1), I(2), AT))                                        \
    CALL(cudaStreamDestroy, "s", (S(0), AT))                                                                           \
    STREAM(cudaStreamSynchronize, "s", (S(0), AT))                                                                     \
    STREAM(cudaStreamQuery, "s", (S(0), AT))                                                                           \
    STREAM(cudaStreamWaitEvent, "ssi", (S(0), V(1), (unsigned)I(2), AT))                                               \
    STREAM(cudaStreamGetFlags, "so", (S(0), O(1), AT))                                                                 \
    STREAM(cudaStreamGetPriority, "so", (S(0), O(1), AT))                                                              \
    STREAM(cudaStreamGetDevice, "so", (S(0), O(1), AT))                                                                \
    STREAM(cudaStreamGetId, "so", (S(0), O(1), AT))                                                                    \
    STREAM(cudaStreamAddCallback, "sfdi", (S(0), CALLBACK, D, (unsigned)I(3), AT))                                     \
    STREAM(cudaStreamAttachMemAsync, "spzi", (S(0), P(1, 1), Z(2), (unsigned)I(3), AT))                                \
    STREAM(cudaStreamIsCapturing, "so", (S(0), O(1), AT))                                                              \
    CALL(cudaEventCreate, "o", (O(0), AT))                                                                             \
    CALL(cudaEventCreateWithFlags, "oi", (O(0), (unsigned)I(1), AT))                                                   \
    CALL(cudaEventDestroy, "s", (V(0), AT))                                                                            \
    STREAM(cudaEventRecord, "ss", (V(0), S(1), AT))                                                                    \
    STREAM(cudaEventRecordWithFlags, "ssi", (V(0), S(1), (unsigned)I(2), AT))                                          \
    CALL(cudaEventSynchronize, "s", (V(0), AT))                                                                        \
    CALL(cudaEventQuery, "s", (V(0), AT))                                                                              \
    CALL(cudaEventElapsedTime, "oss", (O(0), V(1), V(2), AT))                                                          \
    STREAM(cudaLaunchHostFunc, "sfd", (S(0), HOSTFN, D, AT))
#endif
