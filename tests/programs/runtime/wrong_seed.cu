// run: THREELANE_SEED=x
// status: 97
// err: THREELANE_SEED=x: a whole number from 0 to
int main()
{
    cudaFree(0);
    return 0;
}
