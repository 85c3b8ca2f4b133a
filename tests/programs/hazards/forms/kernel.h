// Forms of access in kernels: each kernel races with a set of the whole buffer, and must be reported with exactly the
// bytes it touches.
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

#define FORM(NAME, ...) __global__ static void NAME(char *p, int n) { (void)n; __VA_ARGS__; }
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
FORM(read_ldg, KEEP(__ldg((float4 *)p)))
FORM(atomic_add, atomicAdd((int *)p, 1))
FORM(atomic_add_double, atomicAdd((double *)p, 1.0))
FORM(atomic_cas, atomicCAS((unsigned long long *)p, 1ull, 2ull))

static char *d;
static cudaStream_t a, b;
static struct Object : Base {} object;

/* One line for each: a pair of lines is reported once. */
#define RACE(FORM)                                                                                 \
    cudaMemset(d, 0, 512), cudaMemcpy(d, &object, sizeof object, cudaMemcpyHostToDevice);           \
    cudaDeviceSynchronize();                                                                       \
    FORM<<<1, 1, 0, a>>>(d, 77);                                                                   \
    cudaMemsetAsync(d, 0, 512, b);                                                                 \
    cudaDeviceSynchronize();

int main()
{
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMalloc(&d, 512);
    RACE(read_char)
    RACE(read_short)
    RACE(read_int)
    RACE(read_double)
    RACE(read_int128)
    RACE(read_float4)
    RACE(read_double2)
    RACE(read_struct12)
    RACE(read_struct24)
    RACE(read_struct128)
    RACE(read_packed)
    RACE(read_member)
    RACE(read_fields)
    RACE(read_unaligned)
    RACE(read_builtin_memcpy)
    RACE(read_loop)
    RACE(read_odd_bytes)
    RACE(read_memcpy)
    RACE(read_memcpy_n)
    RACE(read_memcmp)
    RACE(read_virtual)
    RACE(read_reference)
    RACE(read_volatile)
    RACE(read_atomic)
    RACE(read_std_atomic)
    RACE(write_char)
    RACE(write_short)
    RACE(write_int)
    RACE(write_double)
    RACE(write_int128)
    RACE(write_float4)
    RACE(write_struct12)
    RACE(write_struct128)
    RACE(write_members)
    RACE(write_unaligned)
    RACE(write_loop)
    RACE(write_zeros)
    RACE(write_copy)
    RACE(write_even_bytes)
    RACE(write_memset)
    RACE(write_memcpy)
    RACE(write_memmove)
    RACE(write_memcpy_n)
    RACE(write_vptr)
    RACE(write_volatile)
    RACE(write_atomic)
    RACE(write_std_atomic)
    RACE(update)
    RACE(update_double)
    RACE(update_char)
    RACE(update_field)
    RACE(update_swap)
    RACE(update_atomic)
    RACE(update_sync)
    RACE(update_exchange)
    RACE(update_compare)
    RACE(read_ldg)
    RACE(atomic_add)
    RACE(atomic_add_double)
    RACE(atomic_cas)
    cudaFree(d);
    printf("60 forms\n");
    return 0;
}
