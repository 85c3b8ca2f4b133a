// Memory that a kernel makes for itself: what is said names the reason.
// err: (malloc and new in a kernel are not simulated)
// hazard: wrong-memory 7
__global__ void make(int **p)
{
    *p = new int[4];
    (*p)[2] = 5;
}
int main()
{
    int **p;
    cudaMalloc(&p, sizeof *p);
    make<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
