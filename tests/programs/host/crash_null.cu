// A crash is one clear line, and the shell sees the signal.
// status: 139
// err: crash_null.cu:9: segmentation fault in fill(): address 0 (a null pointer)
#include <cstdio>

__attribute__((noinline)) static void fill(float *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = 1.0f;
}

int main()
{
    float *memory = nullptr;
    fill(memory, 4);
    printf("%f\n", memory[0]);
    return 0;
}
