// Irregular work: breadth first, sparse rows, a hash table, union of sets, counting with one warp, several to one place.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=double
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DERRORS=2
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=6
// variant: -DSTYLE=1 -DERRORS=3 -O0
// variant: -DSTYLE=2 -DTYPE=double -std=c++20 -O3
// variant: -DSTYLE=3 -DERRORS=2 -G
// variant: -DSTYLE=5 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = global-race
// wrong: -DSTYLE=2 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=3 -DWRONG=1 = global-race
// wrong: -DSTYLE=4 -DWRONG=1 = global-race
// wrong: -DSTYLE=5 -DWRONG=1 = barrier
// wrong: -DSTYLE=5 -DWRONG=2 = barrier
// wrong: -DSTYLE=1 -DWRONG=2 = host-race
// wrong: -DSTYLE=6 -DWRONG=1 = barrier
#include "helper.h"
enum { V = 300, SLOTS = 1024, EMPTY = -1 };
__global__ void expand(const int *first, const int *edge, int *level, int now, int *again, int *visits, const int *here,
                       int *there)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= V || !here[v]) return;
    for (int e = first[v]; e < first[v + 1]; e++) {
        int w = edge[e];
        if (WRONG == 1) visits[w]++;
        else atomicAdd(&visits[w], 1);
        if (atomicCAS(&level[w], EMPTY, now + 1) == EMPTY) {
            there[w] = 1;
            *again = 1;      // all write the same
        }
    }
}
__global__ void rows(const int *first, const int *column, const T *x, T *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= V) return;
    T sum = 0;
    for (int e = first[row] + lane; e < first[row + 1] + (WRONG && row == V - 1) * 40; e += 32) sum += x[column[e]];
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (lane == 0) y[row] = sum;
}
__global__ void insert(const int *keys, int *table, int *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= V) return;
    unsigned slot = keys[i] * 2654435761u % SLOTS;
    for (;;) {
        int seen;
        if (WRONG) {
            seen = table[slot];
            if (seen == EMPTY) table[slot] = keys[i];
        } else {
            seen = atomicCAS(&table[slot], EMPTY, keys[i]);
        }
        if (seen == EMPTY || seen == keys[i]) break;
        slot = (slot + 1) % SLOTS;
    }
    atomicAdd(&values[slot], 1);
}
__global__ void smallest(int *label, const int *first, const int *edge, int *changed)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= V) return;
    for (int e = first[v]; e < first[v + 1]; e++) {
        if (WRONG) {
            if (label[edge[e]] > v) label[edge[e]] = v, atomicExch(changed, 1);
        } else if (atomicMin(&label[edge[e]], v) > v) {
            atomicExch(changed, 1);
        }
    }
}
__global__ void votes(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int any;
    if (threadIdx.x == 0) any = 0;
    if (WRONG == 1 && threadIdx.x < 10) __syncthreads();
    else __syncthreads();
    unsigned mask = __ballot_sync(~0u, in[i] & 1);
    if (WRONG == 2 && threadIdx.x % 32 < 8) mask = __ballot_sync(~0u, in[i] & 2);
    if (mask && threadIdx.x % 32 == 0) atomicOr(&any, 1);
    __syncthreads();
    if (__syncthreads_or(any) && threadIdx.x == 0) out[blockIdx.x] = 1;
}
__global__ void parted(const int *in, int *out)
{
    int i = threadIdx.x;
    if (i % 2) {
        unsigned active = __activemask();
        out[i] = __popc(active) > 0 ? in[i] : 0;
    } else {
        out[i] = in[i] + 1;
        if (WRONG) __syncthreads();
    }
    if (!WRONG) __syncthreads();
    if (WRONG && i % 2) {
        __syncthreads();
    }
    out[i + 64] = out[63 - i];
}
int main()
{
    std::vector<int> first(V + 1), edge, level(V, EMPTY), labels(V);
    for (int v = 0; v < V; v++) {
        first[v] = (int)edge.size();
        labels[v] = v;
        for (int k = 1; k <= v % 4 + 1; k++) edge.push_back((v * k + k) % V);
    }
    first[V] = (int)edge.size();
    level[0] = 0;
    int *d_first, *d_edge, *d_level, *d_visits, *again, *d_keys, *table;
    T *x, *y;
    CHECK(cudaMalloc(&d_first, first.size() * 4));
    CHECK(cudaMalloc(&d_edge, edge.size() * 4));
    CHECK(cudaMalloc(&d_level, V * 4));
    CHECK(cudaMalloc(&d_visits, SLOTS * 4));
    CHECK(cudaMalloc(&d_keys, V * 4));
    CHECK(cudaMalloc(&table, SLOTS * 4));
    CHECK(cudaMalloc(&x, V * sizeof(T)));
    CHECK(cudaMalloc(&y, V * sizeof(T)));
    CHECK(cudaMallocManaged(&again, 4));
    CHECK(cudaMemcpy(d_first, first.data(), first.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edge, edge.data(), edge.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_level, level.data(), V * 4, cudaMemcpyHostToDevice));
    if (STYLE == 3)
        for (int &label : labels) label %= 100;
    CHECK(cudaMemcpy(d_keys, labels.data(), V * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_visits, 0, SLOTS * 4));
    CHECK(cudaMemset(table, 0xff, SLOTS * 4));
    std::vector<T> ones(V, 1), sums(V);
    CHECK(cudaMemcpy(x, ones.data(), V * sizeof(T), cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    bool right = true;
#if STYLE == 1
    int *here = d_keys, *there = table;
    CHECK(cudaMemset(here, 0, V * 4));
    CHECK(cudaMemset(here, 1, 4));
    for (int now = 0; now < V; now++) {
        *again = 0;
        CHECK(cudaMemset(there, 0, V * 4));
        expand<<<(V + 63) / 64, 64>>>(d_first, d_edge, d_level, now, again, d_visits, here, there);
        if (WRONG != 2) CHECK(cudaDeviceSynchronize());
        if (!*again) break;
        std::swap(here, there);
    }
    CHECK(cudaMemcpy(level.data(), d_level, V * 4, cudaMemcpyDeviceToHost));
    right = level[1] == 1;
#elif STYLE == 2
    rows<<<(V * 32 + 127) / 128, 128>>>(d_first, d_edge, x, y);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(sums.data(), y, V * sizeof(T), cudaMemcpyDeviceToHost));
    for (int v = 0; v < V; v++) right = right && sums[v] == first[v + 1] - first[v];
#elif STYLE == 3
    insert<<<(V + 63) / 64, 64>>>(d_keys, table, d_visits);
#elif STYLE == 4
    int *changed, more = 1;
    CHECK(cudaMalloc(&changed, 4));
    for (int round = 0; more && round < V; round++) {
        CHECK(cudaMemset(changed, 0, 4));
        smallest<<<(V + 63) / 64, 64>>>(d_keys, d_first, d_edge, changed);
        CHECK(cudaMemcpy(&more, changed, 4, cudaMemcpyDeviceToHost));
        more = 0;
    }
    CHECK(cudaFree(changed));
#elif STYLE == 5
    votes<<<4, 64>>>(d_keys, d_visits);
#else
    parted<<<1, 64>>>(d_keys, d_visits);
#endif
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    cudaFree(d_first), cudaFree(d_edge), cudaFree(d_level), cudaFree(d_visits), cudaFree(d_keys), cudaFree(table);
    cudaFree(x), cudaFree(y), cudaFree(again);
    return verdict(right);
}
