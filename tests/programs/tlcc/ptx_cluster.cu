// Clusters in PTX: the barrier in two halves, an address in another block, who one is.
// out: 3 2 1 0 3 2 1 0
// out: 4 4 2 1
#include <cstdio>

__device__ static void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__global__ void __cluster_dims__(4, 1, 1) around(int *to, int *sizes)
{
    __shared__ int mine;
    unsigned rank, blocks, there, cluster, clusters;
    int got;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
    unsigned own = (unsigned)__cvta_generic_to_shared(&mine), other = blocks - 1 - rank;
    if (threadIdx.x == 0) asm volatile("st.shared.u32 [%0], %1;" ::"r"(own), "r"(-1) : "memory");
    cluster_sync();
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(other));
    if (threadIdx.x == 0) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(rank) : "memory");
    cluster_sync();
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(own) : "memory");
    if (threadIdx.x == 0) to[blockIdx.x] = got;
    if (threadIdx.x == 0 && blockIdx.x == 7) {
        sizes[0] = (int)blocks;
        asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(sizes[1]));
        sizes[2] = (int)clusters;
        sizes[3] = (int)cluster;
    }
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    cluster_sync();
}

int main()
{
    int *d, h[12];
    cudaMalloc(&d, sizeof h);
    around<<<8, 32>>>(d, d + 8);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%d%s", h[i], i < 7 ? " " : "\n");
    printf("%d %d %d %d\n", h[8], h[9], h[10], h[11]);
    cudaFree(d);
    return cudaGetLastError() != cudaSuccess;
}
