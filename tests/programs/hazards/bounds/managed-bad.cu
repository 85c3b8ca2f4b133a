// Host code reads before managed memory.
#include <stdio.h>
int main()
{
    double *other, *m;
    cudaMallocManaged(&other, 8 * sizeof *m);
    cudaMallocManaged(&m, 8 * sizeof *m);
    m[0] = 1;
    printf("%g\n", m[-1]);
    cudaFree(m);
    cudaFree(other);
    return 0;
}
// hazard: out-of-bounds 9
// err: host code reads m[-8..-1]
