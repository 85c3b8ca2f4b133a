// The first element.
#include <stdio.h>
int main()
{
    double *m;
    cudaMallocManaged(&m, 8 * sizeof *m);
    m[0] = 1;
    printf("%g\n", m[0]);
    cudaFree(m);
    return 0;
}
// check: all
