// Forms of access in host code: each line touches a buffer that a copy is writing, and must be reported with exactly
// the bytes it touches.
#include <atomic>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

struct Big { float v[32]; };
struct Three { float x, y, z; };
struct Doubles { double x, y, z; };
struct __attribute__((packed)) Packed { char c; int i; double d; };
struct Fields { unsigned a : 3, b : 7, c : 22; };
struct Base { virtual int f() { return 1; } int x; };
__device__ alignas(16) static char place[4096];
#define KEEP(X) do { auto kept = (X); memcpy(place, &kept, sizeof kept); } while (0)

static char *h, *d;
static cudaStream_t s;
static struct Object : Base {} object;

/* The object is there for the virtual call; what it needs lies in memory before the copy is submitted. */
#define FORM(NAME, ...)                                                                            \
    __attribute__((noinline)) static void NAME(char *p, int n) { (void)n; __VA_ARGS__; }
FORM(read_char, KEEP(*(char *)p))
FORM(read_short, KEEP(*(short *)(p + 2)))
FORM(read_int, KEEP(*(int *)p))
FORM(read_double, KEEP(*(double *)(p + 8)))
FORM(read_int128, KEEP(*(__int128 *)p))
FORM(read_float4, KEEP(*(float4 *)(p + 16)))
FORM(read_double2, KEEP(*(double2 *)p))
FORM(read_struct12, KEEP(*(Three *)p))
FORM(read_struct24, KEEP(*(Doubles *)p))
FORM(read_struct128, KEEP(*(Big *)p))
FORM(read_packed, KEEP(*(Packed *)p))
FORM(read_member, KEEP(((Packed *)p)->i))
FORM(read_fields, KEEP(((Fields *)p)->a + ((Fields *)p)->b + ((Fields *)p)->c))
FORM(read_unaligned, int x; memcpy(&x, p + 5, 4); KEEP(x))
FORM(read_builtin_memcpy, int x; __builtin_memcpy(&x, p + 3, 4); KEEP(x))
FORM(read_loop, int s = 0; for (int i = 0; i < 100; i++) s += ((int *)p)[i]; KEEP(s))
FORM(read_odd_bytes, int s = 0; for (int i = 1; i < 100; i += 2) s += p[i]; KEEP(s))
FORM(read_memcpy, memcpy(place, p, 64))
FORM(read_memcpy_n, memcpy(place, p, (size_t)n))
FORM(read_memcmp, KEEP(memcmp(p, place, 16)))
FORM(read_virtual, KEEP(((Base *)p)->f()))
FORM(read_reference, const int &r = ((const int *)p)[1]; KEEP(r))
FORM(read_volatile, KEEP(*(volatile int *)p))
FORM(read_atomic, KEEP(__atomic_load_n((long *)p, __ATOMIC_RELAXED)))
FORM(read_std_atomic, KEEP(((std::atomic<int> *)p)->load(std::memory_order_relaxed)))
FORM(write_char, *(char *)p = 1)
FORM(write_short, *(short *)(p + 2) = 1)
FORM(write_int, *(int *)p = 1)
FORM(write_double, *(double *)(p + 8) = 1)
FORM(write_int128, *(__int128 *)p = 1)
FORM(write_float4, *(float4 *)(p + 16) = make_float4(1, 2, 3, 4))
FORM(write_struct12, *(Three *)p = (Three{1, 2, 3}))
FORM(write_struct128, *(Big *)p = *(Big *)place)
FORM(write_members, ((Packed *)p)->d = 1; ((Packed *)p)->i = 2)
FORM(write_unaligned, int x = n; memcpy(p + 5, &x, 4))
FORM(write_loop, for (int i = 0; i < 100; i++) ((int *)p)[i] = i)
FORM(write_zeros, for (int i = 0; i < 100; i++) ((int *)p)[i] = 0)
FORM(write_copy, for (int i = 0; i < 100; i++) ((int *)p)[i] = ((int *)place)[i])
FORM(write_even_bytes, for (int i = 0; i < 100; i += 2) p[i] = 1)
FORM(write_memset, memset(p, 1, 64))
FORM(write_memcpy, memcpy(p, place, 64))
FORM(write_memmove, memmove(p, place, 64))
FORM(write_memcpy_n, memcpy(p, place, (size_t)n))
FORM(write_vptr, new (p) Base)
FORM(write_volatile, *(volatile int *)p = 1)
FORM(write_atomic, __atomic_store_n((long *)p, 1, __ATOMIC_RELAXED))
FORM(write_std_atomic, ((std::atomic<int> *)p)->store(1, std::memory_order_relaxed))
FORM(update, *(int *)p += 1)
FORM(update_double, *(double *)p *= 2)
FORM(update_char, ++*p)
FORM(update_field, ((Fields *)p)->c += 5)
FORM(update_swap, std::swap(((int *)p)[0], ((int *)p)[1]))
FORM(update_atomic, __atomic_fetch_add((long *)p, 1, __ATOMIC_RELAXED))
FORM(update_sync, __sync_fetch_and_or((int *)p, 1))
FORM(update_exchange, ((std::atomic<int> *)p)->exchange(1, std::memory_order_relaxed))
FORM(update_compare, long x = 0; __atomic_compare_exchange_n((long *)p, &x, 1, false, 0, 0))

static void run(void (*form)(char *, int))
{
    memset(h, 0, 512);
    memcpy(h, &object, sizeof object);
    cudaMemcpyAsync(h, d, 512, cudaMemcpyDeviceToHost, s);
    form(h, 77);
    cudaStreamSynchronize(s);
}

int main()
{
    cudaStreamCreate(&s);
    cudaMallocHost(&h, 512);
    cudaMalloc(&d, 512);
    cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice);
    void (*const forms[])(char *, int) = {
        read_char, read_short, read_int, read_double, read_int128, read_float4, read_double2, read_struct12,
        read_struct24, read_struct128, read_packed, read_member, read_fields, read_unaligned, read_builtin_memcpy,
        read_loop, read_odd_bytes, read_memcpy, read_memcpy_n, read_memcmp, read_virtual, read_reference,
        read_volatile, read_atomic, read_std_atomic, write_char, write_short, write_int, write_double,
        write_int128, write_float4, write_struct12, write_struct128, write_members, write_unaligned, write_loop,
        write_zeros, write_copy, write_even_bytes, write_memset, write_memcpy, write_memmove, write_memcpy_n,
        write_vptr, write_volatile, write_atomic, write_std_atomic, update, update_double, update_char,
        update_field, update_swap, update_atomic, update_sync, update_exchange, update_compare,
    };
    for (auto form : forms) run(form);
    printf("%zu forms\n", sizeof forms / sizeof *forms);
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(s);
    return 0;
}
