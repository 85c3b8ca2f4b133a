// Two devices by the driver API: access is between contexts, and so are copies. The codes are the header's.
// nvcc: -lcuda
// flags: -lcuda
// run: THREELANE_MODEL=h200+devices=2
// out: ok driver_peers
#include "driver.h"

int main()
{
    CUcontext of[2];
    CUdeviceptr memory[2];
    CUstream stream;
    int value = -1;
    unsigned char out[64] = {0};
    needs_devices(2, "driver_peers");
    GIVES(0, cuInit(0));
    GIVES(0, cuDeviceCanAccessPeer(&value, 0, 1));
    CHECK(value == 1);
    GIVES(0, cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    CHECK(value == 1);
    GIVES(101, cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    GIVES(1, cuDeviceGetP2PAttribute(NULL, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    for (int i = 0; i < 2; i++) {
        GIVES(0, cuDevicePrimaryCtxRetain(&of[i], i));
        GIVES(0, cuCtxSetCurrent(of[i]));
        GIVES(0, cuMemAlloc(&memory[i], sizeof out));
        GIVES(0, cuMemsetD8(memory[i], (unsigned char)(i + 1), sizeof out));
        GIVES(0, cuCtxSynchronize());
    }

    GIVES(0, cuCtxSetCurrent(of[0]));
    GIVES(0, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    GIVES(0, cuMemcpyPeerAsync(memory[1], of[1], memory[0], of[0], sizeof out, stream)); /* without access, too */
    GIVES(0, cuStreamSynchronize(stream));
    GIVES(0, cuMemcpyDtoH(out, memory[1], sizeof out));
    CHECK(out[0] == 1 && out[63] == 1);

    GIVES(705, cuCtxDisablePeerAccess(of[1]));
    GIVES(1, cuCtxEnablePeerAccess(of[1], 1));
    GIVES(217, cuCtxEnablePeerAccess(of[0], 0)); /* its own context */
    GIVES(201, cuCtxEnablePeerAccess(NULL, 0));
    GIVES(0, cuCtxEnablePeerAccess(of[1], 0));
    GIVES(704, cuCtxEnablePeerAccess(of[1], 0));
    GIVES(704, cudaDeviceEnablePeerAccess(1, 0)); /* the runtime knows of it */

    GIVES(0, cuMemsetD8(memory[0], 7, sizeof out));
    GIVES(0, cuMemcpyPeer(memory[1], of[1], memory[0], of[0], sizeof out));
    GIVES(0, cuCtxSetCurrent(of[1]));
    GIVES(0, cuMemcpyDtoH(out, memory[1], sizeof out));
    CHECK(out[0] == 7 && out[63] == 7);
    GIVES(0, cuCtxSetCurrent(of[0]));
    GIVES(0, cuCtxDisablePeerAccess(of[1]));
    GIVES(705, cuCtxDisablePeerAccess(of[1]));
    return finish("driver_peers");
}
