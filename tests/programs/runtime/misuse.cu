// What CUDA leaves undefined ends in a message that names the file and the line. Each misuse has a process of its own.
// run: THREELANE_MODEL=unit
// out: all named
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static int bad;

// Does it in a child, which must end with this status and say "misuse.cu:LINE: TEXT" and, if given, MORE.
template <class F> static void in_child(int line, int status, const char *text, const char *more, F misuse)
{
    char said[4096], wanted[512];
    int pipes[2], got;
    size_t n = 0;
    ssize_t bytes;
    if (pipe(pipes)) exit(2);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        close(pipes[0]);
        close(pipes[1]);
        misuse();
        _exit(0);
    }
    close(pipes[1]);
    while ((bytes = read(pipes[0], said + n, sizeof said - 1 - n)) > 0) n += (size_t)bytes;
    said[n] = 0;
    close(pipes[0]);
    waitpid(child, &got, 0);
    snprintf(wanted, sizeof wanted, "misuse.cu:%d: %s", line, text);
    bool died = status < 128 ? WIFEXITED(got) && WEXITSTATUS(got) == status
                             : WIFSIGNALED(got) && WTERMSIG(got) == status - 128;
    if (died && strstr(said, wanted) && strstr(said, more)) return;
    printf("line %d: status %#x, not %d; said: %s\n", line, got, status, said);
    bad++;
}
#define MISUSE(STATUS, TEXT, MORE, ...) in_child(__LINE__, STATUS, TEXT, MORE, [] { __VA_ARGS__; })

__global__ void store(int *p) { *p = 1; }
static void CUDART_CB store_in(void *p) { *(volatile int *)p = 1; }

static cudaStream_t gone_stream()
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    return s;
}
static cudaEvent_t gone_event()
{
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventRecord(e);
    cudaEventDestroy(e);
    return e;
}
static int *device_memory(bool keep = true)
{
    int *d;
    cudaMalloc(&d, 64);
    if (!keep) cudaFree(d);
    return d;
}
static int *pinned_memory(bool keep = true)
{
    int *h;
    cudaMallocHost(&h, 64);
    if (!keep) cudaFreeHost(h);
    return h;
}
static int *managed_memory(bool keep = true)
{
    int *m;
    cudaMallocManaged(&m, 64);
    if (!keep) cudaFree(m);
    return m;
}

int main()
{
    // Destroyed handles.
    MISUSE(97, "cudaStreamQuery: the stream was", "misuse.cu:50", cudaStreamQuery(gone_stream()));
    MISUSE(97, "cudaStreamSynchronize: the stream was", "destroyed at", cudaStreamSynchronize(gone_stream()));
    MISUSE(97, "cudaStreamDestroy: the stream was", "destroyed at", cudaStreamDestroy(gone_stream()));
    MISUSE(97, "cudaLaunchKernel: the stream was", "destroyed at", store<<<1, 1, 0, gone_stream()>>>(device_memory()));
    MISUSE(97, "cudaMemcpyAsync: the stream was", "destroyed at",
           cudaMemcpyAsync(device_memory(), pinned_memory(), 4, cudaMemcpyHostToDevice, gone_stream()));
    MISUSE(97, "cudaLaunchHostFunc: the stream was", "destroyed", cudaLaunchHostFunc(gone_stream(), store_in, NULL));
    MISUSE(97, "cudaEventRecord: the event was", "misuse.cu:58", cudaEventRecord(gone_event()));
    MISUSE(97, "cudaEventQuery: the event was", "destroyed at", cudaEventQuery(gone_event()));
    MISUSE(97, "cudaEventSynchronize: the event was", "destroyed at", cudaEventSynchronize(gone_event()));
    MISUSE(97, "cudaEventDestroy: the event was", "destroyed at", cudaEventDestroy(gone_event()));
    MISUSE(97, "cudaStreamWaitEvent: the event was", "destroyed at", cudaStreamWaitEvent(0, gone_event(), 0));
    MISUSE(97, "cudaEventElapsedTime: the event was", "destroyed at",
           float ms; cudaEventElapsedTime(&ms, gone_event(), gone_event()));
    MISUSE(97, "cudaEventRecord: 0x55a0 is not an event", "", cudaEventRecord((cudaEvent_t)0x55a0));

    // Freed memory.
    MISUSE(0, "warning: cudaMemset: this memory (64 bytes) was freed at", "misuse.cu:65",
           cudaMemset(device_memory(false), 0, 4));
    MISUSE(0, "warning: cudaFree: this memory (64 bytes) was freed at", "", cudaFree(device_memory(false)));
    MISUSE(0, "warning: cudaFreeHost: this memory (64 bytes) was freed at", "", cudaFreeHost(pinned_memory(false)));
    in_child(43, 0, "warning: kernel store: illegal write of 4 bytes", "misuse.cu:65 (allocated at", [] {
        store<<<1, 1>>>(device_memory(false));
        cudaDeviceSynchronize();
    });
    MISUSE(97, "host code writes freed memory", "", *(volatile int *)device_memory(false) = 1);
    MISUSE(139, "segmentation fault", "misuse.cu:72 (allocated at",
           *(volatile int *)pinned_memory(false) = 1);
    MISUSE(139, "segmentation fault", "misuse.cu:79 (allocated at",
           memset(managed_memory(false), 0, 64));

    // The wrong free().
    MISUSE(97, "free() of memory from cudaMallocHost (", "misuse.cu:71): use cudaFreeHost", free(pinned_memory()));
    MISUSE(97, "free() of memory from cudaMalloc (", "misuse.cu:64): use cudaFree", free(device_memory()));
    MISUSE(97, "free() of memory from cudaMallocHost", "", delete[] pinned_memory());
    MISUSE(97, "realloc() of memory from cudaMallocHost", "", (void)!realloc(pinned_memory(), 128));

    // Host code that follows a device pointer.
    MISUSE(97, "host code reads device memory (64 bytes from cudaMalloc at", "misuse.cu:64): copy it to the host first",
           volatile int got = *device_memory(); (void)got);
    MISUSE(97, "host code writes device memory", "", *(volatile int *)device_memory() = 1);
    MISUSE(97, "host code reads device memory", "", int got; memcpy(&got, device_memory(), sizeof got));
    MISUSE(97, "host code writes device memory", "", memset(device_memory(), 0, 4));
    if (!bad) printf("all named\n");
    return bad;
}
// hazard: wrong-memory 128
