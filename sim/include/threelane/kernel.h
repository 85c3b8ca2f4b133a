/* threelane/kernel.h - launches and kernel bodies: what tlcc's rewritten text refers to.
 *
 * `__global__ void K(float *p, int n) { BODY }` has become
 *     void K(float *p, int n) { ::tl::params(p, n); ::tl::body(__func__, [=]() mutable { BODY }); }
 * and `K<<<g, b, s, st>>>(args)` has become `::tl::push(g, b, s, st) ? (void)0 : K(args)`.
 *
 * Flags for tlcc. The default build compiles, and never links, with -fsanitize=thread; the hooks are ours
 * (sim/exec/hooks.c). By itself that misses accesses; these flags close the holes:
 *   both    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-memcmp
 *           (else small copies are inlined unseen; the calls are led to threelane/libc.h's functions), and the same
 *           for strcpy, stpcpy, strncpy, strcat, strncat; -U_FORTIFY_SOURCE for their checked forms
 *   g++     --param tsan-distinguish-volatile=1   from g++ 11 on. Before, a volatile access looks like a plain one:
 *           a kernel can then wait for memory that others write only with atomics, and its volatile stores are held
 *           back like plain ones.
 *           --param tsan-instrument-func-entry-exit=0   from g++ 12 on; before, two empty calls per function.
 *           -fno-tree-vectorize -fno-tree-slp-vectorize   (a vector access wider than 16 bytes is seen, but as a
 *           range call per access: slower)
 *           -ffixed-r15 on x86-64: hooks in line count there (threelane/hooks.h). -fno-lto: code that is made when the
 *           program is linked has no hooks.
 *   clang   -mllvm -tsan-distinguish-volatile -mllvm -tsan-instrument-read-before-write
 *           -mllvm -tsan-instrument-func-entry-exit=0 -fno-vectorize -fno-slp-vectorize
 *   both    -g1, and -fno-optimize-sibling-calls, for the lines in messages; -fstack-clash-protection (gcc >= 8, clang >= 11 on x86-64), so that large
 *           local arrays cannot jump over the guard below a device thread's stack.
 * Unseen all the same: clang's vectors wider than 16 bytes and long double; with g++ a struct that is passed by value,
 * straight from memory, to a function that is not put in line, and __builtin_memset() of a few bytes
 * (tests/programs/exec/forms.h and tests/programs/hazards/forms have the lists of what is seen).
 * --plain: none of these, no -fsanitize. Programs run, but kernels' stores land when the kernel starts, kernels cannot
 * wait for memory that others write, and only what the processor, or an atomic operation outside of shared memory, catches is reported.
 * Blocks of long kernels run on all processors (sim/spread; THREELANE_CORES), which nobody can tell but by the clock on
 * the wall: whatever has an order waits for the blocks before.
 */
#ifndef THREELANE_KERNEL_H
#define THREELANE_KERNEL_H
#include "driver_types.h"
#include "vector_types.h"

#ifdef __has_feature
#define THREELANE_HAS_TSAN __has_feature(thread_sanitizer)
#else
#define THREELANE_HAS_TSAN 0
#endif
#if defined(__SANITIZE_THREAD__) || THREELANE_HAS_TSAN
#define THREELANE_INSTRUMENTED 1
#else
#define THREELANE_INSTRUMENTED 0
#endif

#define THREELANE_REDIRECT
#include "threelane/libc.h"
#include "threelane/hooks.h"
#include "threelane/self.h"

#ifndef TL_WORDS_LATER
#include "threelane/words.h"
#endif

/* The launches' side of the runtime (sim/runtime). */
extern "C" {
bool threelane_push(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, size_t shared,
                    cudaStream_t stream, const char *file, int line);
void threelane_cluster(unsigned x, unsigned y, unsigned z);
void threelane_queue(const char *name, void (*run_block)(void *), void *closure, void (*destroy)(void *));
void **threelane_launch_args(void);
void threelane_launch_parameters(void **args, void *const *at, const size_t *bytes, size_t n);
void threelane_lacks_fma(void);
void threelane_reference(const char *kernel);
/* Of device code: the value that a conditional node looks at. */
void cudaGraphSetConditional(unsigned long long handle, unsigned int value);
void threelane_variable(const void *address, size_t bytes, bool managed, const char *name);
void threelane_variables(const void *beside, const char *name, bool managed);

/* Constant for as long as a block's code can look at them; the executor sets them between blocks. */
#if THREELANE_INSTRUMENTED
extern const uint3 blockIdx __asm__("threelane_block_index");
#else
extern const __thread uint3 blockIdx __asm__("threelane_block_here"); /* blocks run on several processors */
#endif
extern const uint3 blockDim __asm__("threelane_block_dim");
extern const uint3 gridDim __asm__("threelane_grid_dim");
}
static constexpr int warpSize = 32;

#define THREELANE_INLINE inline __attribute__((always_inline))

#include "threelane/convert.h"

namespace tl {

/* A variable in device memory: tlcc writes one beside each that the program declares. name: as a module has it; 0 for
 * those of a namespace, and static ones. */
struct Variable {
    template <class T> Variable(const volatile T &variable, bool managed, const char *name)
    {
        threelane_variable((const void *)&reinterpret_cast<const volatile char &>(variable), sizeof variable, managed,
                           name);
    }
};

/* Those of a template, of which there are as many as the program uses: tlcc writes one of these beside each template. Its
 * own place says in which namespace they are. */
struct Variables {
    Variables(const char *name, bool managed) { threelane_variables(this, name, managed); }
    char place = 0;
};

/* Reads and writes of threelane_self that the instrumentation does not see. The loop over a block's threads writes
 * what the inlined body reads, so the variables cannot be declared constant. */
#if THREELANE_INSTRUMENTED && defined(__x86_64__)
THREELANE_INLINE unsigned load(const unsigned &from)
{
    unsigned value;
    __asm__("movl %1, %0" : "=r"(value) : "m"(from));
    return value;
}
THREELANE_INLINE void store(unsigned &to, unsigned value) { __asm__ volatile("movl %1, %0" : "=m"(to) : "r"(value)); }
THREELANE_INLINE void store_turn(uint64_t value) { __asm__ volatile("movq %1, %0" : "=m"(threelane_turn) : "r"(value)); }
#elif THREELANE_INSTRUMENTED && defined(__aarch64__)
THREELANE_INLINE unsigned load(const unsigned &from)
{
    unsigned value;
    __asm__("ldr %w0, %1" : "=r"(value) : "m"(from));
    return value;
}
THREELANE_INLINE void store(unsigned &to, unsigned value) { __asm__ volatile("str %w1, %0" : "=m"(to) : "r"(value)); }
#else
/* By a type that nothing of the program has: its own stores change none of this, so that a loop over threads that do not
 * wait comes out as a loop of C would. */
enum Word : unsigned {};
THREELANE_INLINE unsigned load(const unsigned &from) { return reinterpret_cast<const Word &>(from); }
THREELANE_INLINE void store(unsigned &to, unsigned value) { reinterpret_cast<Word &>(to) = (Word)value; }
#endif
#if !THREELANE_INSTRUMENTED || !defined(__x86_64__)
THREELANE_INLINE void store_turn(uint64_t) {}
#endif

THREELANE_INLINE uint3 thread_index()
{
    return uint3{load(threelane_self.thread[0]), load(threelane_self.thread[1]), load(threelane_self.thread[2])};
}

/* True when the launch was rejected: the kernel's function is then not called. Not put in line, so that an uninitialised
 * stream is warned of at the launch. */
__attribute__((noinline, unused)) static bool push(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0,
                           const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    if (!stream) stream = (cudaStream_t)0x2;    /* cudaStreamPerThread */
#endif
    return threelane_push(grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream, file, line);
}

/* A launch through cudaLaunchKernel brings the arguments as an array of pointers: each goes to its parameter. The
 * address is hidden from the compiler, which would otherwise take a const parameter for unchanged. */
inline void params() {}
template <class... T> THREELANE_INLINE void params(T &...to)
{
    void **args = threelane_launch_args();
    if (!args) return;
    void *address[] = {(void *)&to...};
    const size_t bytes[] = {sizeof(T)...};
    for (void *&target : address) __asm__ volatile("" : "+r"(target) : : "memory");
    threelane_launch_parameters(args, address, bytes, sizeof...(T));
    __asm__ volatile("" : : : "memory");
}

#if defined(__x86_64__) && defined(__FMA__)
/* Made on one machine (-fmad=true) and run on another: not an illegal instruction in the middle of a kernel. */
__attribute__((constructor(101), unused)) static void needs_fma()
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("fma")) threelane_lacks_fma();
}
#endif

struct At { void *place; };

/* A kernel's body with its parameters. Those with copy constructors or destructors of their own are copied as bytes,
 * and nothing is destroyed: on a card, no thread runs any of these. */
template <class F, bool plain = __is_trivially_copyable(F)> struct Closure {
    F f;
    explicit Closure(F &&from) : f(static_cast<F &&>(from)) {}
    F &get() { return f; }
};
template <class F> struct Closure<F, false> {
    alignas(F) unsigned char bytes[sizeof(F)];
    explicit Closure(F &&from) { __builtin_memcpy(bytes, (const void *)&from, sizeof bytes); }
    F &get() { return *reinterpret_cast<F *>(bytes); }
};

/* Does the loop, in the row that began so, go on in another fiber? It did not change while no thread has waited: where
 * the compiler sees that none can, nothing is asked. */
#if THREELANE_INSTRUMENTED
THREELANE_INLINE bool is_lost(unsigned) { return load(threelane_self.row) & THREELANE_LOST; }
#else
THREELANE_INLINE bool is_lost(unsigned row) { return load(threelane_self.row) != row; }
#endif

/* Runs the block's threads from threelane_self.thread on, on the current fiber: to the end, or until a thread had to
 * wait and another fiber has taken the loop over. Every thread starts with its own copy of the parameters; `first` is
 * a local so that the copies are registers where the body is inlined. */
template <class F> __attribute__((noinline)) void run(void *closure)
{
    const Closure<F> first(*static_cast<const Closure<F> *>(closure));
    const unsigned nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    unsigned x = load(threelane_self.thread[0]), y = load(threelane_self.thread[1]),
             z = load(threelane_self.thread[2]);
    for (; z < nz; z++) {
        store(threelane_self.thread[2], z);
        for (; y < ny; y++) {
            store(threelane_self.thread[1], y);
            const unsigned row = load(threelane_self.row);
            uint64_t turn = (uint64_t)(row + x) << THREELANE_TURN_SHIFT;
            for (; x < nx; x++) {
                store(threelane_self.thread[0], x);
                store_turn(turn);
                turn += (uint64_t)1 << THREELANE_TURN_SHIFT;
                Closure<F> body(first);
                body.get()();
                if (__builtin_expect(is_lost(row), 0)) return;
            }
            x = 0;
            store(threelane_self.row, row + nx);
        }
        y = 0;
    }
}

template <class F> void destroy(void *closure)
{
    static_cast<Closure<F> *>(closure)->~Closure<F>();
    threelane_closure_free(closure);
}

#if THREELANE_INSTRUMENTED
/* A constant: what is initialised with it must not be initialised by the first thread that comes by. */
constexpr void *dynamic_shared() { return threelane_dynamic_shared; }
constexpr void *dynamic_shared_for_all() { return threelane_dynamic_shared; }
#define TL_IN_ORDER() ((void)0)
#else
/* Before what earlier and later blocks can see of one another, where the library does not do it itself. */
#define TL_IN_ORDER() threelane_in_order()
/* In a program that has volatile accesses: nobody sees them. */
#define TL_ONE_ORDER __attribute__((constructor, unused)) static void tl_one_order() { threelane_one_order(); }
THREELANE_INLINE void *dynamic_shared() { return threelane_dynamic_at; }
inline void *dynamic_shared_for_all() { return threelane_dynamic_for_all(); }
#endif

}

inline void *operator new(size_t, ::tl::At at) noexcept { return at.place; }
inline void operator delete(void *, ::tl::At) noexcept {}

namespace tl {
/* Before body: the clusters that the kernel is declared with. */
inline void cluster(unsigned x, unsigned y = 1, unsigned z = 1) { threelane_cluster(x, y, z); }

template <class F> THREELANE_INLINE void body(const char *name, F f)
{
    static_assert(alignof(F) <= 64, "kernel parameters are aligned to at most 64 bytes");
    void *closure = threelane_closure_new(sizeof(Closure<F>));
    ::new (At{closure}) Closure<F>(static_cast<F &&>(f));
    threelane_queue(name, run<F>, closure, destroy<F>);
}
}

#endif
