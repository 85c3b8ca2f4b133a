// Two GPUs: an event belongs to its device, but query, synchronize and wait work from everywhere.
// out: two devices
#include <cstdio>
#include <cstdlib>

static const char model[] = R"(
[model]
card = Two textbook GPUs
note = every stage takes one unit; calls cost nothing
exact = yes
unit_ns = 1000000
unit_name = unit
stage_ns = 1000000
devices = 2
[engine H2D copy]
class = h2d
order = ready
[engine Compute]
class = compute
order = ready
[engine D2H copy]
class = d2h
order = ready
[copies]
staged_bytes = 65536
[limits]
hardware_queues = 8
resident_grids = 128
room_limited = no
sm_clock_ghz = 1.0
sm_count = 16
warp_size = 32
major = 9
minor = 0
max_threads_per_block = 1024
max_threads_per_sm = 2048
max_blocks_per_sm = 32
registers_per_sm = 65536
shared_per_block = 49152
shared_per_block_optin = 232448
shared_per_sm = 233472
constant_bytes = 65536
memory_bytes = 17179869184
memory_bus_bits = 4096
memory_clock_khz = 1000000
l2_bytes = 33554432
async_engine_count = 2
pci_bus = 1
priority_low = 0
priority_high = -5
invalid_configuration_code = 9
)";

static int bad;
#define IS(WANTED, CALL)                                                                           \
    do {                                                                                           \
        int is_result = (CALL);                                                                    \
        if (is_result != (int)(WANTED)) printf("line %d: %s is %d\n", __LINE__, #CALL, is_result), bad++; \
    } while (0)

__global__ void store(int *p) { *p = 7; }

int main()
{
    FILE *file = fopen("two.ini", "w");
    if (!file || fputs(model, file) < 0 || fclose(file)) return 2;
    setenv("THREELANE_MODEL", "./two.ini", 1);        // read at the first call
    int count, *h, *h2, *d0, *d1;
    float ms;
    cudaStream_t s0, s1;
    cudaEvent_t e0, e1;
    cudaPointerAttributes attributes;
    IS(0, cudaGetDeviceCount(&count));
    IS(2, count);
    IS(0, cudaMallocHost(&h, 4));
    IS(0, cudaMallocHost(&h2, 4));
    IS(0, cudaMalloc(&d0, 4));
    IS(0, cudaStreamCreate(&s0));
    IS(0, cudaEventCreate(&e0));
    IS(0, cudaSetDevice(1));
    IS(0, cudaMalloc(&d1, 4));
    IS(0, cudaStreamCreate(&s1));
    IS(0, cudaEventCreate(&e1));
    IS(0, cudaPointerGetAttributes(&attributes, d0));
    IS(0, attributes.device);
    IS(0, cudaPointerGetAttributes(&attributes, d1));
    IS(1, attributes.device);

    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(e1, s0));
    IS(cudaErrorInvalidResourceHandle, cudaEventRecord(e0, s1));
    store<<<1, 1, 0, s0>>>(d0);                       // a stream of another device
    IS(cudaErrorInvalidResourceHandle, cudaGetLastError());

    IS(0, cudaSetDevice(0));
    *h = *h2 = 0;
    store<<<1, 1, 0, s0>>>(d0);
    IS(0, cudaMemcpyAsync(h, d0, 4, cudaMemcpyDeviceToHost, s0));
    IS(0, cudaEventRecord(e0, s0));
    IS(0, cudaSetDevice(1));
    IS(cudaErrorNotReady, cudaEventQuery(e0));
    IS(0, cudaStreamWaitEvent(s1, e0, 0));
    IS(0, cudaMemcpyAsync(d1, h, 4, cudaMemcpyHostToDevice, s1));      // must find the 7
    IS(0, cudaMemcpyAsync(h2, d1, 4, cudaMemcpyDeviceToHost, s1));
    IS(0, cudaEventRecord(e1, s1));
    IS(0, cudaEventSynchronize(e0));
    IS(cudaErrorNotReady, cudaStreamQuery(s1));
    IS(0, *h2);
    IS(0, cudaEventSynchronize(e1));
    IS(7, *h2);
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e0, e1));
    IS(cudaErrorInvalidDevice, cudaSetDevice(2));
    if (!bad) printf("two devices\n");
    return bad;
}
// hazard: host-race 103 107
