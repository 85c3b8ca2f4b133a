// fread() into device memory.
#include <cstdio>

int main()
{
    char *d;
    cudaMalloc(&d, 16);
    FILE *file = fopen("/dev/zero", "r");
    if (fread(d, 1, 16, file) != 16) return 1;
    cudaFree(d);
    return 0;
}
// status: 97
// hazard: wrong-memory 9
