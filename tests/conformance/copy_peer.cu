// A copy that names the devices of both ends; here both are the same one. It is queued like any other. And what may be
// asked of the link between two devices.
// run: THREELANE_MODEL=h200
// out: ok copy_peer
#include "conformance.h"

int main()
{
    const size_t bytes = 1 << 20;
    static unsigned char out[1 << 20];
    unsigned char *a, *b;
    cudaStream_t s;
    int devices = 0;
    warm_up();
    OK(cudaGetDeviceCount(&devices));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMalloc(&a, bytes));
    OK(cudaMalloc(&b, bytes));
    OK(cudaMemset(a, 3, bytes));
    OK(cudaMemset(b, 4, bytes));
    OK(cudaDeviceSynchronize());

    busy(s);
    RETURNS_AT_ONCE(cudaMemcpyPeerAsync(b, 0, a, 0, bytes, s));
    IS(cudaErrorNotReady, cudaStreamQuery(s));
    WAITS(cudaStreamSynchronize(s));
    OK(cudaMemcpy(out, b, bytes, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 3 && out[bytes - 1] == 3);

    OK(cudaMemcpyPeerAsync(a, 0, b, 0, 0, s));       /* no bytes: nothing to do */
    IS(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(b, devices, a, 0, bytes, s));
    IS(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(b, 0, a, -1, bytes, s));
    IS(cudaErrorInvalidDevice, cudaGetLastError());
    OK(cudaStreamSynchronize(s));

    // A link joins two devices: there is none from a device to itself.
    int value = 7;
    IS(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    IS(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, devices));
    IS(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, -1, 0));
    CHECK(value == 7);
    IS(cudaErrorInvalidDevice, cudaGetLastError());
    if (devices > 1) {
        int can = -1;
        OK(cudaDeviceCanAccessPeer(&can, 0, 1));
        OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
        CHECK(value == can);
        IS(cudaErrorInvalidValue, cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)99, 0, 1));
        IS(cudaErrorInvalidValue, cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 1));
    }
    return finish("copy_peer");
}
