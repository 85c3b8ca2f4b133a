// assert in host code needs <cassert>, as with nvcc.
// build: fails
// err: not_implicit_assert.cu:8
// err: assert
int main()
{
    cudaFree(0);
    assert(1);
    return 0;
}
