// Host code writes one element past the end of pinned memory.
int main()
{
    int *h;
    cudaMallocHost(&h, 10 * sizeof *h);
    for (int i = 0; i <= 10; i++)
        h[i] = i;
    cudaFreeHost(h);
    return 0;
}
// hazard: out-of-bounds 7
// err: host code writes h[40..43]
