// Every form of access that compilers make of C++ must be seen by the hooks, to its last byte. Each form touches BYTES
// bytes at p; run on a block one byte shorter it must fault (cudaErrorIllegalAddress), on a whole block it must not.
// A fault ends a CUDA context, so each form runs in a process of its own.
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

typedef float Float8 __attribute__((vector_size(32)));
struct Big { float v[32]; };
struct Three { float x, y, z; };
struct Doubles { double x, y, z; };
struct __attribute__((packed)) Packed { char c; int i; double d; };
struct Fields { unsigned a : 3, b : 7, c : 22; };
struct Base { virtual int f() { return 1; } int x; };

__device__ unsigned char sink[4096];
#define KEEP(X) do { auto kept = (X); memcpy(sink, &kept, sizeof kept); } while (0)

#define FORMS(F)                                                                                   \
    F(read_char, 1, KEEP(*(char *)p))                                                              \
    F(read_short, 2, KEEP(*(short *)p))                                                            \
    F(read_int, 4, KEEP(*(int *)p))                                                                \
    F(read_double, 8, KEEP(*(double *)p))                                                          \
    F(read_int128, 16, KEEP(*(__int128 *)p))                                                       \
    F(read_float4, 16, KEEP(*(float4 *)p))                                                         \
    F(read_struct12, 12, KEEP(*(Three *)p))                                                        \
    F(read_struct24, 24, KEEP(*(Doubles *)p))                                                      \
    F(read_struct128, 128, KEEP(*(Big *)p))                                                        \
    F(read_packed, 13, KEEP(*(Packed *)p))                                                         \
    F(read_field, 4, KEEP(((Fields *)p)->c + ((Fields *)p)->b))                                    \
    F(read_volatile, 4, KEEP(*(volatile int *)p))                                                  \
    F(read_volatile_double, 8, KEEP(*(volatile double *)p))                                        \
    F(read_unaligned, 9, int x; memcpy(&x, p + 5, 4); KEEP(x))                                     \
    F(read_loop, 400, float s = 0; for (int i = 0; i < 100; i++) s += ((float *)p)[i]; KEEP(s))    \
    F(read_loop_char, 100, int s = 0; for (int i = 0; i < 100; i++) s += p[i]; KEEP(s))            \
    F(read_memcpy4, 4, int x; memcpy(&x, p, 4); KEEP(x))                                           \
    F(read_memcpy64, 64, memcpy(sink, p, 64))                                                      \
    F(read_memcpy_n, 77, memcpy(sink, p, (size_t)n))                                               \
    F(read_memcmp, 16, KEEP(memcmp(p, sink, 16)))                                                  \
    F(read_atomic, 4, KEEP(__atomic_load_n((int *)p, 0)))                                          \
    F(read_ldg, 16, KEEP(__ldg((float4 *)p)))                                                      \
    F(read_virtual, 8, KEEP(((Base *)p)->f()))                                                     \
    F(write_char, 1, *(char *)p = 1)                                                               \
    F(write_short, 2, *(short *)p = 1)                                                             \
    F(write_int, 4, *(int *)p = 1)                                                                 \
    F(write_double, 8, *(double *)p = 1)                                                           \
    F(write_int128, 16, *(__int128 *)p = 1)                                                        \
    F(write_float4, 16, *(float4 *)p = make_float4(1, 2, 3, 4))                                    \
    F(write_struct12, 12, *(Three *)p = (Three{1, 2, 3}))                                          \
    F(write_struct128, 128, *(Big *)p = *(Big *)sink)                                              \
    F(write_packed, 13, ((Packed *)p)->d = 1; ((Packed *)p)->i = 2)                                \
    F(write_field, 4, ((Fields *)p)->c = 5)                                                        \
    F(write_volatile, 4, *(volatile int *)p = 1)                                                   \
    F(write_unaligned, 9, int x = n; memcpy(p + 5, &x, 4))                                         \
    F(write_loop, 400, for (int i = 0; i < 100; i++) ((float *)p)[i] = (float)i)                   \
    F(write_zero_loop, 400, for (int i = 0; i < 100; i++) ((float *)p)[i] = 0)                     \
    F(write_copy_loop, 400, for (int i = 0; i < 100; i++) ((float *)p)[i] = ((float *)sink)[i])    \
    F(write_memset, 64, memset(p, 1, 64))                                                          \
    F(write_memcpy64, 64, memcpy(p, sink, 64))                                                     \
    F(write_memmove, 64, memmove(p, sink, 64))                                                     \
    F(write_memcpy_n, 77, memcpy(p, sink, (size_t)n))                                              \
    F(write_atomic, 4, __atomic_store_n((int *)p, 1, 0))                                           \
    F(update, 4, *(int *)p += 1)                                                                   \
    F(update_float, 4, *(float *)p *= 2)                                                           \
    F(update_sync, 8, __sync_fetch_and_add((long *)p, 1))                                          \
    F(atomic_add, 4, atomicAdd((int *)p, 1))                                                       \
    F(atomic_add_double, 8, atomicAdd((double *)p, 1.0))                                           \
    F(atomic_cas, 8, atomicCAS((unsigned long long *)p, 1ull, 2ull))

/* What clang leaves out, whatever the flags: vectors wider than any of CUDA's, and long double, which devices lack. */
#ifdef __clang__
#define MORE_FORMS(F)
#else
#define MORE_FORMS(F)                                                                              \
    F(read_float8, 32, KEEP(*(Float8 *)p))                                                         \
    F(write_float8, 32, *(Float8 *)p = Float8{} + 1)                                               \
    F(write_long_double, sizeof(long double), *(long double *)p = 1)
#endif

#define KERNEL(NAME, BYTES, ...) __global__ void NAME(char *p, int n) { __VA_ARGS__; }
FORMS(KERNEL)
MORE_FORMS(KERNEL)

struct Form { const char *name; int bytes; void (*kernel)(char *, int); };
#define ENTRY(NAME, BYTES, ...) {#NAME, BYTES, NAME},
static const Form forms[] = {FORMS(ENTRY) MORE_FORMS(ENTRY)};

static cudaError_t run(const Form &form, int bytes)
{
    char *p;
    int n = form.bytes;
    void *args[] = {&p, &n};
    if (cudaMalloc(&p, (size_t)bytes) != cudaSuccess) return cudaErrorMemoryAllocation;
    static struct Object : Base {} object;                /* read_virtual wants a real one */
    if (bytes >= 8) cudaMemcpy(p, &object, 8, cudaMemcpyHostToDevice);
    cudaLaunchKernel((const void *)form.kernel, dim3(1), dim3(1), args, 0, 0);
    return cudaDeviceSynchronize();
}

static int in_process(const Form &form, int bytes, cudaError_t wanted)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(9);
        _exit(bytes == 0 ? 0 : run(form, bytes) == wanted ? 0 : 1);
    }
    int status;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main()
{
    int bad = 0;
    for (const Form &form : forms) {
        int whole = in_process(form, form.bytes, cudaSuccess);
        int cut = in_process(form, form.bytes - 1, cudaErrorIllegalAddress);
        if (whole || cut) printf("%s: whole %d, one byte short %d\n", form.name, whole, cut), bad++;
    }
    printf("%d forms, %d unseen\n", (int)(sizeof forms / sizeof *forms), bad);
    return bad != 0;
}
