// Numbers of devices as the driver reads them (two H200s): blanks before, what follows the digits ends the list.
// run: CUDA_VISIBLE_DEVICES= THREELANE_MODEL=h200+devices=2
// out: 1,0: 10
// out: 1x: 1
// out: 0x1: 0
// out: 0;1: 0
// out: 0, 1: 01
// out: 1,9,0: 1
// out: +1: 1
// out: a,1: none
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *visible)
{
    fflush(stdout);
    pid_t child = fork();
    if (child) {
        waitpid(child, NULL, 0);
        return;
    }
    setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    int n = 0;
    cudaDeviceProp p;
    printf("%s: ", visible);
    if (cudaGetDeviceCount(&n)) printf("none");
    for (int i = 0; i < n; i++) {
        cudaGetDeviceProperties(&p, i);
        printf("%c", p.uuid.bytes[15]);       /* the last digit is the device's number */
    }
    printf("\n");
    fflush(stdout);
    _exit(0);
}

int main()
{
    for (const char *visible : {"1,0", "1x", "0x1", "0;1", "0, 1", "1,9,0", "+1", "a,1"}) tell(visible);
}
