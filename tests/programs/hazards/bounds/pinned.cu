// Ten elements.
int main()
{
    int *h;
    cudaMallocHost(&h, 10 * sizeof *h);
    for (int i = 0; i < 10; i++) h[i] = i;
    cudaFreeHost(h);
    return 0;
}
// check: all
