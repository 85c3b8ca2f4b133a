// What happens inside a kernel, as records of the trace: what its barriers allow, whatever runs first.
// run: THREELANE_INSIDE=who*,roles THREELANE_TRACE=fd:1
// check: off
// out: inside	3	load-compute	0	166666667	1000000000	0
// out: inside	3	compute-store	0	166666667	1000000000	0
// out: inside	4	load-compute	0	333333333	1000000000	0
// out: inside	4	load-store	0	666666667	1000000000	0
// out: inside	5	load-compute	0	500000000	1000000000	0
// out: inside	6	barriers	0	7	0	0
// out: inside	6	load-compute	0	166666667	1000000000	0
// out: inside	8	barriers	0	4	0	0
// out: inside	8	reads	1	1536	768	7000000
// out: inside	8	writes	2	768	768	7000000
// err: counted 8 times, sum 147072
// not: inside	8	load
// not: inside	8	compute
#include <cstdio>

enum { TILES = 6, T = 32, BLOCKS = 2 };

// Three warps that hand tiles to each other, through flags: a warp may be as many tiles ahead as there are buffers.
template <int BUFFERS> __global__ void roles(const float *in, float *out, int together, int *count)
{
    __shared__ float a[BUFFERS][T], c[BUFFERS][T];
    __shared__ int full[BUFFERS], empty[BUFFERS], made[BUFFERS], taken[BUFFERS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < BUFFERS) full[threadIdx.x] = empty[threadIdx.x] = made[threadIdx.x] = taken[threadIdx.x] = 0;
    if (!threadIdx.x) atomicAdd(count, 1); // once, although the kernel runs several times to be looked at
    __syncthreads();
    for (int t = 0; t < TILES; t++) {
        int s = t % BUFFERS, round = t / BUFFERS;
        size_t at = (size_t)(blockIdx.x * TILES + t) * T + lane;
        if (warp == 0) {
            while (atomicAdd(&empty[s], 0) < 32 * round) {}
            a[s][lane] = in[at];
            __threadfence_block();
            atomicAdd(&full[s], 1);
        } else if (warp == 1) {
            while (atomicAdd(&full[s], 0) < 32 * (round + 1)) {}
            while (atomicAdd(&taken[s], 0) < 32 * round) {}
            c[s][lane] = a[s][lane] * 2;
            __threadfence_block();
            atomicAdd(&empty[s], 1);
            atomicAdd(&made[s], 1);
        } else {
            while (atomicAdd(&made[s], 0) < 32 * (round + 1)) {}
            out[at] = c[s][lane];
            __threadfence_block();
            atomicAdd(&taken[s], 1);
        }
        if (together) __syncthreads();
    }
}

// Everybody does everything: nothing is ahead of anything.
__global__ void whole(const float *in, float *out)
{
    __shared__ float a[3 * T];
    for (int t = 0; t < TILES / 3; t++) {
        a[threadIdx.x] = in[t * 96 + threadIdx.x] + in[0];
        __syncthreads();
        out[t * 96 + threadIdx.x] = a[95 - threadIdx.x];
        __syncthreads();
    }
}

int main()
{
    enum { N = BLOCKS * TILES * T };
    static float host[N];
    float *in, *out, sum = 0;
    int *count, counted;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&count, sizeof *count);
    cudaMemset(count, 0, sizeof *count);
    for (int i = 0; i < N; i++) host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    // they are operations 3 to 6, and 8
    roles<1><<<BLOCKS, 96>>>(in, out, 0, count);
    roles<2><<<BLOCKS, 96>>>(in, out, 0, count);
    roles<3><<<BLOCKS, 96>>>(in, out, 0, count);
    roles<2><<<BLOCKS, 96>>>(in, out, 1, count);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (float f : host) sum += f;
    whole<<<1, 96>>>(in, out);
    cudaMemcpy(&counted, count, sizeof counted, cudaMemcpyDeviceToHost);
    fprintf(stderr, "counted %d times, sum %g\n", counted, sum);
}
