// Access to another device's memory: one way, from the current device, and what the calls return. (Two H200s return
// 704 and 705; the order in which the other arguments are looked at is the header's.)
// run: THREELANE_MODEL=h200+devices=2
// out: ok peer_access
#include "conformance.h"

int main()
{
    int can = -1, devices = 0, value = -1;
    needs_devices(2, "peer_access");
    OK(cudaGetDeviceCount(&devices));
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can == 1);
    OK(cudaDeviceCanAccessPeer(&can, 1, 0));
    CHECK(can == 1);
    OK(cudaDeviceCanAccessPeer(&can, 0, 0)); /* a device is no peer of itself */
    CHECK(can == 0);
    IS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, devices));
    IS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, -1, 0));

    OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    CHECK(value == 1);
    OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
    CHECK(value >= 0);
    OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrCudaArrayAccessSupported, 0, 1));
    CHECK(value == 1);

    OK(cudaSetDevice(0));
    IS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    IS(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0)); /* it cannot access itself as a peer */
    IS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(devices, 0));
    IS(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1)); /* flags are 0 */
    OK(cudaDeviceEnablePeerAccess(1, 0));
    IS(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    IS(cudaErrorPeerAccessAlreadyEnabled, cudaGetLastError()); /* an error like any other: it is kept ... */
    IS(cudaSuccess, cudaGetLastError());                       /* ... and not sticky */

    OK(cudaSetDevice(1)); /* the other way was not asked for */
    IS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    OK(cudaDeviceDisablePeerAccess(0));
    IS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));

    OK(cudaSetDevice(0));
    OK(cudaDeviceDisablePeerAccess(1));
    OK(cudaDeviceEnablePeerAccess(1, 0)); /* and again */
    OK(cudaDeviceReset());                /* which takes it away */
    IS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    return finish("peer_access");
}
