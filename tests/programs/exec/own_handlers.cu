// A program's own handlers for what the processor catches are called as it asked for them, also when the virtual GPU has
// one in front of them since: with one argument, or with three that say why.
// out: plain handler: signal 11
// out: full handler: signal 8, sent by 8
// out: value 5
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf out;
static volatile int number, told, full_number;

static void plain(int signal)
{
    number = signal;
    siglongjmp(out, 1);
}
static void full(int signal, siginfo_t *info, void *context)
{
    full_number = context ? signal : -1;
    told = info->si_signo;
}

__global__ void set(int *p) { *p = 5; }

int main()
{
    struct sigaction one = {}, three = {};
    one.sa_handler = plain;
    sigaction(SIGSEGV, &one, NULL);
    three.sa_sigaction = full;
    three.sa_flags = SA_SIGINFO;
    sigaction(SIGFPE, &three, NULL);

    int *p, value = 0;
    cudaMalloc(&p, sizeof *p);
    set<<<1, 1>>>(p);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    if (!sigsetjmp(out, 1)) *(volatile int *)0x10 = 1;
    printf("plain handler: signal %d\n", number);
    raise(SIGFPE);
    printf("full handler: signal %d, sent by %d\n", full_number, told);
    printf("value %d\n", value);
    cudaFree(p);
    return 0;
}
