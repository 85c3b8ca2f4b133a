// run: THREELANE_TRACE=fd:99
// status: 97
// err: THREELANE_TRACE=fd:99: no open file has that number
int main()
{
    cudaFree(0);
    return 0;
}
