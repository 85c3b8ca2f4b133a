// Copies between devices: with access and without, by every call that makes one.
// run: THREELANE_MODEL=h200+devices=2
// out: ok peer_copies
// hazard: out-of-bounds A
#include "conformance.h"

enum { BYTES = 1 << 20 };
static unsigned char out[BYTES];
static unsigned char *a[2], *b[2];

static bool holds(const unsigned char *device, int value)
{
    memset(out, 0, BYTES);
    OK(cudaMemcpy(out, device, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BYTES; i++)
        if (out[i] != value) return false;
    return true;
}
static void put(unsigned char *device, int owner, int value)
{
    OK(cudaSetDevice(owner));
    OK(cudaMemset(device, value, BYTES));
    OK(cudaDeviceSynchronize());
}

int main()
{
    cudaStream_t s[2];
    cudaEvent_t e;
    needs_devices(2, "peer_copies");
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&a[i], BYTES));
        OK(cudaMalloc(&b[i], BYTES));
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    }
    for (int access = 0; access < 2; access++) {
        for (int i = 0; i < 2 && access; i++) {
            OK(cudaSetDevice(i));
            OK(cudaDeviceEnablePeerAccess(1 - i, 0));
        }
        int v = 10 * access;
        for (int where = 0; where < 2; where++) { /* in a stream of either device */
            put(a[0], 0, v + 1 + where);
            put(a[1], 1, 99);
            OK(cudaSetDevice(where));
            OK(cudaMemcpyPeerAsync(a[1], 1, a[0], 0, BYTES, s[where]));
            OK(cudaStreamSynchronize(s[where]));
            CHECK(holds(a[1], v + 1 + where));
        }
        put(a[0], 0, v + 3);
        OK(cudaMemcpyAsync(a[1], a[0], BYTES, cudaMemcpyDefault, s[0])); /* the pointers say it all */
        OK(cudaStreamSynchronize(s[0]));
        CHECK(holds(a[1], v + 3));
        put(a[0], 0, v + 4);
        OK(cudaMemcpyAsync(a[1], a[0], BYTES, cudaMemcpyDeviceToDevice, s[0]));
        OK(cudaStreamSynchronize(s[0]));
        CHECK(holds(a[1], v + 4));
        put(a[0], 0, v + 5);
        OK(cudaMemcpy(a[1], a[0], BYTES, cudaMemcpyDefault));
        CHECK(holds(a[1], v + 5));
        OK(cudaDeviceSynchronize());

        /* in three dimensions, whole slices: 8 rows of 512 bytes, 4 slices */
        put(a[0], 0, v + 6);
        cudaMemcpy3DPeerParms box = {};
        box.srcPtr = make_cudaPitchedPtr(a[0], 512, 512, 8);
        box.dstPtr = make_cudaPitchedPtr(a[1], 512, 512, 8);
        box.srcDevice = 0;
        box.dstDevice = 1;
        box.extent = make_cudaExtent(512, 8, 4);
        OK(cudaMemcpy3DPeerAsync(&box, s[0]));
        OK(cudaStreamSynchronize(s[0]));
        OK(cudaMemcpy(out, a[1], BYTES, cudaMemcpyDeviceToHost));
        CHECK(out[0] == v + 6 && out[512 * 32 - 1] == v + 6 && out[512 * 32] == v + 5);

        /* cudaMemcpyPeer comes after what is pending on both devices, and before what is issued later */
        put(a[0], 0, v + 7);
        put(a[1], 1, 99);
        OK(cudaSetDevice(1));
        OK(cudaStreamSynchronize(s[1]));
        busy(0);
        OK(cudaMemset(b[1], v + 8, BYTES));
        OK(cudaSetDevice(0));
        OK(cudaMemcpyPeer(b[0], 0, b[1], 1, BYTES));
        OK(cudaMemcpyPeer(a[1], 1, a[0], 0, BYTES));
        OK(cudaSetDevice(1));
        OK(cudaMemset(b[1], 99, BYTES));
        CHECK(holds(a[1], v + 7));
        OK(cudaSetDevice(0));
        CHECK(holds(b[0], v + 8));
    }

    /* pending: it is queued like any other */
    OK(cudaSetDevice(0));
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    busy(s[0]);
    RETURNS_AT_ONCE(cudaMemcpyPeerAsync(a[1], 1, a[0], 0, BYTES, s[0]));
    OK(cudaEventRecord(e, s[0]));
    IS(cudaErrorNotReady, cudaEventQuery(e));
    WAITS(cudaEventSynchronize(e));

    OK(cudaMemcpyPeerAsync(a[1], 1, a[0], 0, 0, s[0])); /* nothing to do */
    IS(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(a[1], 9, a[0], 0, BYTES, s[0]));
    IS(cudaErrorInvalidDevice, cudaMemcpyPeer(a[1], 1, a[0], -1, BYTES));
    IS(cudaErrorInvalidValue, cudaMemcpyPeerAsync(a[1], 1, a[0], 0, 2 * (size_t)BYTES + 512, s[0])); // A
    IS(cudaErrorInvalidValue, cudaMemcpyPeerAsync(NULL, 1, a[0], 0, BYTES, s[0]));
    cudaGetLastError();
    return finish("peer_copies");
}
