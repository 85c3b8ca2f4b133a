// run: THREELANE_MODEL=nope
// status: 97
// err: no device model "nope"
int main()
{
    cudaFree(0);
    return 0;
}
