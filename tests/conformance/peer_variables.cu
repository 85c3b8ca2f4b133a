// Every device has its own copy of a __device__ variable, at an address of its own: copies between the two, the same
// variable by name and by address, and no way for a kernel to the other device's.
// run: THREELANE_MODEL=h200+devices=2
// out: ok peer_variables
// err: peer access opens allocated memory, never variables
// hazard: wrong-memory A
// hazard: wrong-memory 16
// status: 0
#include "conformance.h"

__device__ int numbers[4] = {1, 2, 3, 4}, other = 9;
__constant__ int factor = 1;
__managed__ int shared_by_all = 3;

__global__ void fill(int by) { numbers[threadIdx.x] = by + (int)threadIdx.x * factor; }
__global__ void add(int *to, const int *from) { *to += *from; }
__global__ void by_both(int *own) // the same variable by its name and through a pointer
{
    numbers[0] = 100;
    own[0] += 1;
    numbers[0] += 10;
    own[1] = numbers[0];
}


static bool is(const int *at, int a, int b, int c, int d)
{
    int v[4];
    OK(cudaMemcpy(v, at, sizeof v, cudaMemcpyDeviceToHost));
    return v[0] == a && v[1] == b && v[2] == c && v[3] == d;
}

int main()
{
    int *at[2], *again, *managed[2], *factors[2], *others[2], value, three = 3;
    size_t bytes;
    cudaPointerAttributes about = {};
    needs_devices(2, "peer_variables");
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        fill<<<1, 4>>>(10 * i);
        OK(cudaGetLastError());
        OK(cudaDeviceSynchronize());
    }
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaGetSymbolAddress((void **)&at[i], numbers));
        OK(cudaGetSymbolAddress((void **)&again, numbers));
        OK(cudaGetSymbolAddress((void **)&others[i], other));
        OK(cudaGetSymbolAddress((void **)&factors[i], factor));
        OK(cudaGetSymbolAddress((void **)&managed[i], shared_by_all));
        CHECK(again == at[i]);
        OK(cudaPointerGetAttributes(&about, at[i] + 1));
        CHECK(about.type == cudaMemoryTypeDevice && about.device == i);
    }
    CHECK(at[0] != at[1] && others[0] != others[1] && factors[0] != factors[1]);
    CHECK(managed[0] == managed[1] && managed[0] == &shared_by_all);
    OK(cudaGetSymbolSize(&bytes, numbers));
    CHECK(bytes == sizeof numbers);

    /* an address says whose it is, whichever device is current */
    for (int current = 0; current < 2; current++) {
        OK(cudaSetDevice(current));
        CHECK(is(at[0], 0, 1, 2, 3));
        CHECK(is(at[1], 10, 11, 12, 13));
        IS(cudaErrorInvalidValue, cudaFree(at[0])); // A
    }

    /* from one to the other, by address */
    OK(cudaMemcpyPeer(at[1], 1, at[0], 0, 2 * sizeof(int)));
    OK(cudaDeviceSynchronize());
    CHECK(is(at[0], 0, 1, 2, 3));
    CHECK(is(at[1], 0, 1, 12, 13));
    OK(cudaSetDevice(0));
    OK(cudaMemcpy(at[0] + 2, at[1] + 2, 2 * sizeof(int), cudaMemcpyDefault));
    OK(cudaDeviceSynchronize());
    CHECK(is(at[0], 0, 1, 12, 13));

    /* by name and by address it is the same one */
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMemset(at[i], 0, sizeof numbers));
        by_both<<<1, 1>>>(at[i]);
        OK(cudaDeviceSynchronize());
        CHECK(is(at[i], 111, 111, 0, 0));
        OK(cudaMemcpyFromSymbol(&value, numbers, sizeof value));
        CHECK(value == 111);
        value = 20 + i;
        OK(cudaMemcpyToSymbol(numbers, &value, sizeof value));
        CHECK(is(at[i], 20 + i, 111, 0, 0));
        OK(cudaMemcpy(factors[i], &three, sizeof three, cudaMemcpyHostToDevice));
        fill<<<1, 4>>>(i);
        OK(cudaDeviceSynchronize());
        CHECK(is(at[i], i, i + 3, i + 6, i + 9));
    }

    /* only the device that is current sets them, whatever it has access to */
    OK(cudaSetDevice(1));
    IS(cudaErrorInvalidValue, cudaMemset(at[0], 0, sizeof numbers));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    IS(cudaErrorInvalidValue, cudaMemset(at[0], 0, sizeof numbers));
    IS(cudaErrorInvalidValue, cudaMemsetAsync(at[0], 0, sizeof numbers, 0));
    CHECK(is(at[0], 0, 3, 6, 9));
    CHECK(is(at[1], 1, 4, 7, 10));

    /* each device's kernels reach its own by its address */
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        add<<<1, 1>>>(others[i], at[i] + 2);
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpyFromSymbol(&value, other, sizeof value));
        CHECK(value == 9 + (i ? 7 : 6));
    }

    /* and never the other device's: access is to what was allocated */
    add<<<1, 1>>>(at[1] + 3, at[0] + 1);
    IS(700, cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    IS(700, cudaDeviceSynchronize());
    return finish("peer_variables");
}
