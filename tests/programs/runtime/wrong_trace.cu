// run: THREELANE_TRACE=/nowhere/t
// status: 97
// err: THREELANE_TRACE=/nowhere/t: cannot be written
int main()
{
    cudaFree(0);
    return 0;
}
