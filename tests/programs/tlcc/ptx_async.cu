// Inline PTX that copies asynchronously and uses barriers in shared memory, as programs write it: with addresses of 32
// bits, predicates, and loops around a look at a barrier.
// out: cp.async 0
// out: predicated 0
// out: mbarrier 0
// out: bulk 0
// out: bars 0
#include <cstdio>
#include <cstdint>

enum { N = 256 };

__device__ uint32_t smem(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__global__ void copies(const int *in, int *out)
{
    __shared__ __align__(16) int buffer[N];
    int i = threadIdx.x * 4;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(smem(&buffer[i])), "l"(in + i));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    __syncthreads();
    int v;
    asm volatile("ld.shared.u32 %0, [%1 + 4];" : "=r"(v) : "r"(smem(&buffer[N - 4 - i])));
    out[i] = buffer[N - 4 - i], out[i + 1] = v, out[i + 2] = buffer[N - 2 - i], out[i + 3] = buffer[N - 1 - i];
}

__global__ void predicated(const int *in, int *out)
{
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = -1;
    int wanted = threadIdx.x % 2;
    asm volatile("{\n"
                 "  .reg .pred p;\n"
                 "  setp.ne.b32 p, %0, 0;\n"
                 "  @p cp.async.ca.shared.global [%1], [%2], %3, %4;\n"
                 "}\n" ::"r"(wanted), "r"(smem(&dynamic[threadIdx.x])), "l"(in + threadIdx.x), "n"(4), "r"(4));
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = dynamic[threadIdx.x];
}

__device__ void wait_for(uint64_t *b, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\n"
                 "bra LAB_WAIT;\n"
                 "DONE:\n"
                 "}\n" ::"r"(smem(b)), "r"(parity));
}

__device__ bool has_passed(uint64_t *b, uint64_t token)
{
    uint32_t passed;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(passed)
                 : "r"(smem(b)), "l"(token)
                 : "memory");
    return passed;
}

__global__ void barriers(const int *in, int *out)
{
    __shared__ uint64_t full, empty;
    __shared__ int buffer[32];
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(&full)), "r"(32));
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(smem(&empty)), "r"(32));
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int i = 0; i < N / 32; i++) {
        if (threadIdx.x < 32) {
            if (i) wait_for(&empty, (i - 1) & 1);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(smem(&buffer[lane])), "l"(in + i * 32 + lane));
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(smem(&full)));
        } else {
            wait_for(&full, i & 1);
            out[i * 32 + lane] = buffer[31 - lane];
            uint64_t token;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(smem(&empty)) : "memory");
            while (i % 2 && !has_passed(&empty, token)) {}
        }
    }
}

__global__ void bulk(const int *in, int *out)
{
    __shared__ __align__(16) int buffer[N];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full)));
        asm volatile("fence.proxy.async.shared::cta;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&full)), "r"(N * 4));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         smem(buffer)),
                     "l"(in), "r"(N * 4), "r"(smem(&full))
                     : "memory");
    }
    __syncthreads();
    wait_for(&full, 0);
    for (int i = threadIdx.x; i < N; i += blockDim.x) buffer[i] += 1;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(smem(buffer)),
                     "r"(N * 4)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

__global__ void bars(const int *in, int *out)
{
    __shared__ int buffer[64];
    int pair = threadIdx.x / 64, lane = threadIdx.x % 32;
    if (pair == 1) {                            // two warps of the three
        if (threadIdx.x < 96) {
            buffer[lane] = in[lane];
            asm volatile("bar.arrive 1, 64;");
        } else {
            asm volatile("bar.sync 1, 64;");
            out[lane] = buffer[31 - lane];
        }
    } else {
        asm volatile("bar.sync %0, %1;" ::"r"(2), "r"(64));
        __barrier_sync_count(3, 64);
    }
}

int main()
{
    int *in, *out, bad;
    cudaMallocManaged(&in, N * 4);
    cudaMallocManaged(&out, N * 4);
    for (int i = 0; i < N; i++) in[i] = i;
#define RUN(NAME, CONFIG, VALUE, KERNEL, MANY)                                                                         \
    KERNEL<<<1, CONFIG>>>(in, out);                                                                                    \
    printf("%s", cudaDeviceSynchronize() ? "failed " : "");                                                            \
    bad = 0;                                                                                                           \
    for (int i = 0; i < MANY; i++) bad += out[i] != (VALUE);                                                           \
    printf(NAME " %d\n", bad)
    RUN("cp.async", 64, N - 4 - i / 4 * 4 + i % 4, copies, N);
    predicated<<<1, N, N * 4>>>(in, out);
    cudaDeviceSynchronize();
    bad = 0;
    for (int i = 0; i < N; i++) bad += out[i] != (i % 2 ? i : -1);
    printf("predicated %d\n", bad);
    RUN("mbarrier", 64, i / 32 * 32 + 31 - i % 32, barriers, N);
    RUN("bulk", 64, i + 1, bulk, N);
    RUN("bars", 128, 31 - i, bars, 32);
}
