// A kernel that is called without <<<>>>.
// status: 97
// err: the kernel fill is called like a function: launch it, fill<<<grid, block>>>(...)
__global__ void fill(int *p) { *p = 1; }
int main()
{
    fill(NULL);
    return 0;
}
