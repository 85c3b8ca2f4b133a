// The host's end of a copy is smaller than the copy: malloc for n - 1 numbers, a vector of half as many, a copy into
// the midst of a block, one that reads too many, a static array. What lies behind stays as it is.
// hazard: out-of-bounds A
// hazard: out-of-bounds B
// hazard: out-of-bounds C
// hazard: out-of-bounds D
// hazard: out-of-bounds E
// hazard: out-of-bounds F
// err: cudaMemcpy writes h[4092..4095], past the end of it
// err: h: 4092 bytes of pageable memory, cudaMemcpy at host_block.cu:
// err: why: 4096 bytes are asked for, and there are 4092 from there to the end
// err: v.data: 2048 bytes of pageable memory
// err: cudaMemcpy reads h[4092..4095], past the end of it
// err: table: 4092 bytes of pageable memory
// err: big: 1048576 bytes of pageable memory
// out: kept
// right: -DRIGHT
#include "../hazards.h"
#include <vector>
#ifdef RIGHT
enum { LESS = 0, SMALL = 2 };
#else
enum { LESS = 1, SMALL = 1 };
#endif
struct { int table[N - LESS], behind[64]; } all;
static int table[N - LESS], behind[64];

int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h = (int *)malloc((N - LESS) * sizeof *h);
    for (int i = 0; i < N - LESS; i++) h[i] = i;
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);                             // A
    cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);                             // B
    cudaMemcpy(h + N / 2, d, BYTES / 2, cudaMemcpyDeviceToHost);                 // C
    std::vector<int> v(N / 2 * SMALL);
    cudaMemcpy(v.data(), d, BYTES, cudaMemcpyDeviceToHost);                      // D
    behind[0] = 7;
    cudaMemcpy(table, d, BYTES, cudaMemcpyDeviceToHost);                         // E

    // far larger than a page: the heap gives it pages of its own
    char *big = (char *)malloc(1 << 20), *e;
    cudaMalloc(&e, (1 << 20) + 4); cudaMemset(e, 0, (1 << 20) + 4);
    cudaMemcpy(big + 4, e, (1 << 20) - 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(big, e, (1 << 20) + 4 * LESS, cudaMemcpyDeviceToHost);            // F
    cudaMemcpy(&all, d, sizeof all.table, cudaMemcpyDeviceToHost);
    puts(behind[0] == 7 ? "kept" : "destroyed");
    free(big); free(h); cudaFree(e);
    return finish();
}
