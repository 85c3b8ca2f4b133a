// Where an H200 is more generous than the documentation, the textbook keeps to the documentation: up to 64 KB of
// pageable memory may be on their way when the call returns, a bad configuration is cudaErrorInvalidConfiguration.
// run: THREELANE_MODEL=unit
// out: as documented
// hazard: unfinished 15
#include <cstdio>
#include <cstdlib>

static int bad;
#define CHECK(X) do { if (!(X)) { printf("line %d: %s\n", __LINE__, #X); bad++; } } while (0)

__global__ void nothing() {}
static cudaError_t launch(dim3 grid, dim3 block, size_t shared = 0)
{
    nothing<<<grid, block, shared>>>();
    return cudaGetLastError();
}

int main()
{
    const size_t bound = 64 << 10;
    char *d, *p = (char *)malloc(2 * bound);
    cudaStream_t s;
    cudaMalloc(&d, 2 * bound);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);

    nothing<<<1, 1, 0, s>>>();
    p[0] = 1;
    cudaMemcpyAsync(d, p, bound, cudaMemcpyHostToDevice, s);
    CHECK(cudaStreamQuery(s) == cudaErrorNotReady);   // returned, put aside
    p[0] = 2;
    cudaStreamSynchronize(s);
    cudaMemcpy(p + 1, d, 1, cudaMemcpyDeviceToHost);
    CHECK(p[1] == 1);
    nothing<<<1, 1, 0, s>>>();
    cudaMemcpyAsync(d, p, bound + 1, cudaMemcpyHostToDevice, s);
    CHECK(cudaStreamQuery(s) == cudaSuccess);         // waited until it was through

    // The synchronous call waits for its turn, and for no more up to the bound.
    p[0] = 3;
    cudaMemcpy(d, p, bound, cudaMemcpyHostToDevice);
    CHECK(cudaStreamQuery(0) == cudaErrorNotReady);
    p[0] = 4;
    cudaDeviceSynchronize();
    cudaMemcpy(p + 1, d, 1, cudaMemcpyDeviceToHost);
    CHECK(p[1] == 3);
    cudaMemcpy(d, p, bound + 1, cudaMemcpyHostToDevice);
    CHECK(cudaStreamQuery(0) == cudaSuccess);

    CHECK(launch(0, 1) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 0) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 1025) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, dim3(1, 1, 65)) == cudaErrorInvalidConfiguration);
    CHECK(launch(dim3(1, 65536), 1) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 1, 1 << 20) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 1) == cudaSuccess);
    if (!bad) printf("as documented\n");
    return bad;
}
