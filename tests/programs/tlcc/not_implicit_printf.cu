// What nvcc does not include by itself is not there here either: a program that needs <cstdio> would fail elsewhere.
// build: fails
// err: not_implicit_printf.cu:8
// err: printf
int main()
{
    cudaFree(0);
    printf("no\n");
    return 0;
}
