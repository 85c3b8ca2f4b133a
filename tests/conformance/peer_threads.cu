// The current device is the thread's own; managed memory is every device's, one after the other.
// nvcc: -Xcompiler -pthread
// run: THREELANE_MODEL=h200+devices=2
// out: ok peer_threads
#include "conformance.h"
#include <pthread.h>

__global__ void add(int *p, int by) { *p += by; }

static int *managed, of_thread[2] = {-1, -1};
static int *made[2];

static void *work(void *arg)
{
    int me = (int)(size_t)arg, device = -1;
    OK(cudaGetDevice(&device)); /* a new thread begins with device 0 */
    CHECK(device == 0);
    OK(cudaSetDevice(me));
    OK(cudaMalloc(&made[me], 4));
    OK(cudaMemset(made[me], 0, 4));
    add<<<1, 1>>>(made[me], 20 + me);
    OK(cudaMemcpy(&of_thread[me], made[me], 4, cudaMemcpyDeviceToHost));
    OK(cudaGetDevice(&device));
    CHECK(device == me);
    return NULL;
}

int main()
{
    pthread_t thread[2];
    cudaPointerAttributes attributes;
    int device = -1;
    needs_devices(2, "peer_threads");
    OK(cudaSetDevice(1));
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    OK(cudaGetDevice(&device));
    CHECK(device == 1);
    for (int i = 0; i < 2; i++) {
        CHECK(of_thread[i] == 20 + i);
        OK(cudaPointerGetAttributes(&attributes, made[i]));
        CHECK(attributes.device == i);
    }

    OK(cudaMallocManaged(&managed, 4));
    *managed = 1;
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        add<<<1, 1>>>(managed, 10);
        OK(cudaDeviceSynchronize());
    }
    CHECK(*managed == 21);
    return finish("peer_threads");
}
