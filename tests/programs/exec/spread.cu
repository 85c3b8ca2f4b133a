// With --plain the blocks of a long kernel run on several processors, and nobody can tell: memory, what kernels print,
// faults and times are those of one. Each work below runs in two processes, and must say the same in both.
// flags: --plain -O1
// out: 11 works are the same on one processor and on four
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>

enum { BLOCKS = 1500, THREADS = 64, WORDS = BLOCKS * THREADS };

struct Memory {
    unsigned words[WORDS], counts[64], order[BLOCKS], n_order, numbers[BLOCKS];
    float sum, sums[16];
    double wide;
};

__device__ unsigned mix(unsigned x)
{
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    return x;
}
/* Blocks last differently long. */
__device__ unsigned spin(unsigned x, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) x = mix(x + i);
    return x;
}
__device__ unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned rounds() { return 20 + mix(blockIdx.x * 7919 + 1) % 200; }

__global__ void alone(Memory *m) { m->words[rank()] = spin(rank() + 1, rounds()); }

__global__ void barriers(Memory *m)
{
    __shared__ unsigned part[THREADS], most;
    extern __shared__ unsigned other[];
    if (threadIdx.x == 0) most = 0;
    part[threadIdx.x] = spin(rank() + 1, rounds());
    __syncthreads();
    other[threadIdx.x] = part[(threadIdx.x + 1) % THREADS] ^ __shfl_xor_sync(~0u, part[threadIdx.x], 5);
    atomicMax(&most, other[threadIdx.x]);
    int n = __syncthreads_count(other[threadIdx.x] & 1);
    m->words[rank()] = part[threadIdx.x] + other[(threadIdx.x + 7) % THREADS] + most + n;
}

__global__ void early(Memory *m)
{
    if (threadIdx.x > blockIdx.x % THREADS) return;
    __shared__ unsigned part[THREADS];
    part[threadIdx.x] = spin(rank() + 1, rounds());
    __syncthreads();
    m->words[rank()] = part[threadIdx.x] + part[0];
}

__global__ void atomics(Memory *m)
{
    unsigned x = spin(rank() + 1, rounds());
    float f = (x & 0xffff) / 1000.0f;
    if (x % 5 == 0) m->words[rank()] = atomicAdd(&m->counts[x % 64], x);
    if (x % 7 == 0) atomicAdd(&m->sums[x % 16], f), atomicAdd(&m->wide, f * 1e-3);
    if (threadIdx.x == 0) atomicAdd(&m->sum, f);
    if (threadIdx.x == 1) m->order[atomicAdd(&m->n_order, 1)] = blockIdx.x;
    __threadfence();
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> last(m->numbers[blockIdx.x % 3]);
    if (threadIdx.x == 2) last.exchange(blockIdx.x), last.fetch_xor(x);
}

/* Whoever comes last adds up what the others left. */
__global__ void last(Memory *m)
{
    __shared__ bool is_last;
    m->words[rank()] = spin(rank() + 1, rounds());
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicInc(&m->n_order, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    unsigned sum = 0;
    for (int i = threadIdx.x; i < WORDS; i += THREADS) sum += m->words[i];
    m->counts[threadIdx.x] = sum + blockIdx.x;
}

__global__ void prints(Memory *m)
{
    unsigned x = m->words[rank()] = spin(rank() + 1, rounds());
    if (threadIdx.x == blockIdx.x % THREADS) printf("block %u: %u\n", blockIdx.x, x);
}

__global__ void heap(Memory *m)
{
    unsigned x = spin(rank() + 1, rounds());
    if (threadIdx.x % 32) return;
    unsigned *p = (unsigned *)malloc(64 + x % 64);
    *p = x;
    m->words[rank()] = *p + (unsigned)(size_t)p;
    if (x & 1) free(p);
}

__global__ void clocks(Memory *m)
{
    unsigned x = spin(rank() + 1, rounds());
    if (blockIdx.x > BLOCKS / 2 && threadIdx.x == 3) {
        long long begin = clock64();
        while (clock64() - begin < 100 + x % 100) {}
        m->words[rank()] = (unsigned)(clock64() - begin);
    }
}

/* A lock in shared memory, tiles with barriers of their own. */
__global__ void locks(Memory *m)
{
    __shared__ unsigned lock, sum;
    if (threadIdx.x == 0) lock = sum = 0;
    auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    unsigned x = spin(rank() + 1, rounds());
    __syncthreads();
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0u, 1u) == 0) {
            sum = sum * 31 + x;
            atomicExch(&lock, 0u);
            done = true;
        }
    tile.sync();
    __syncthreads();
    m->words[rank()] = sum + tile.shfl(x, 3);
}

__global__ void fails(Memory *m, unsigned *nothing)
{
    unsigned x = spin(rank() + 1, blockIdx.x == 1207 ? 40000 : 100);
    assert(blockIdx.x != 1207 || threadIdx.x != 5);
    if (blockIdx.x == 1209) *nothing = x; // before, by the clock
    m->words[rank()] = x;
}

__global__ void divides(Memory *m, unsigned zero)
{
    m->words[rank()] = spin(rank() + 1, rounds()) / (blockIdx.x == 1300 ? zero : 3);
    if (blockIdx.x > 1300) atomicAdd(&m->n_order, 1);
}

static void work(int which)
{
    Memory *m, *host = (Memory *)calloc(1, sizeof *host);
    cudaMalloc(&m, sizeof *m);
    cudaMemset(m, 0, sizeof *m);
    for (int again = 0; again < 2; again++) switch (which) {
        case 0: alone<<<BLOCKS, THREADS>>>(m); break;
        case 1: barriers<<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(m); break;
        case 2: early<<<BLOCKS, THREADS>>>(m); break;
        case 3: atomics<<<BLOCKS, THREADS>>>(m); break;
        case 4: last<<<BLOCKS, THREADS>>>(m); break;
        case 5: prints<<<BLOCKS, THREADS>>>(m); break;
        case 6: heap<<<BLOCKS, THREADS>>>(m); break;
        case 7: clocks<<<BLOCKS, THREADS>>>(m); break;
        case 8: locks<<<BLOCKS, THREADS>>>(m); break;
        case 9: fails<<<BLOCKS, THREADS>>>(m, nullptr); break;
        case 10: divides<<<BLOCKS, THREADS>>>(m, 0); break;
        }
    cudaEvent_t from, to;
    cudaEventCreate(&from), cudaEventCreate(&to);
    cudaEventRecord(from);
    if (which < 9) alone<<<10, THREADS>>>(m);
    cudaEventRecord(to);
    float ms = 0;
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    if (which < 9) cudaEventElapsedTime(&ms, from, to);
    if (which < 9) cudaMemcpy(host, m, sizeof *m, cudaMemcpyDeviceToHost);
    unsigned long long sum = 1469598103934665603ull;
    for (size_t i = 0; i < sizeof *host; i++) sum = (sum ^ ((unsigned char *)host)[i]) * 1099511628211ull;
    printf("%016llx %g\n", sum, ms);
}

static std::string said(const char *cores, int which, int *threads)
{
    setenv("THREELANE_CORES", cores, 1);
    std::string command = "exec /proc/" + std::to_string(getpid()) + "/exe " + std::to_string(which) + " 2>&1", text;
    FILE *from = popen(command.c_str(), "r");
    char line[4096];
    while (fgets(line, sizeof line, from))
        if (sscanf(line, "threads %d", threads) != 1) text += line;
    text += std::to_string(pclose(from));
    return text;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        work(atoi(argv[1]));
        fflush(stdout);
        char line[256];
        for (FILE *f = fopen("/proc/self/status", "r"); fgets(line, sizeof line, f);)
            if (!strncmp(line, "Threads:", 8)) printf("threads %d\n", atoi(line + 8));
        return 0;
    }
    int same = 0;
    for (int which = 0; which < 11; which++) {
        int one = 0, four = 0;
        std::string a = said("1", which, &one), b = said("4:always", which, &four);
        if (a != b) printf("work %d differs:\n%.2000s\n---\n%.2000s\n", which, a.c_str(), b.c_str());
        else if (four != one + 3) printf("work %d ran on %d threads, and on %d: nothing was spread\n%s", which, one, four, a.c_str());
        else same++;
    }
    printf("%d works are the same on one processor and on four\n", same);
    return same != 11;
}
