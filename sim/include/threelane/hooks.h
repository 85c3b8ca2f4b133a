/* threelane/hooks.h - the hooks of -fsanitize=thread, as far as they are put in line (g++ on x86-64).
 *
 * The instrumentation puts a call of __tsan_read4 and kin before each access. Two things make that cheap in a loop:
 *
 * The assembler is told that `call __tsan_read4` is a macro: a few instructions ask whether the address lies where this
 * very access has nothing more to tell while the kernel runs (ThreelaneAccess, sim/exec/touch.c), or goes on where the
 * thread before it left off, and count it. Only what does neither goes on to the function. The count is in a register that tlcc keeps free (-ffixed-r15).
 *
 * The compiler is shown a function of that name that changes no vector registers and hardly others, as ours do not
 * (sim/exec/touch.c), and so keeps sums and the like in registers over a hook (-fipa-ra). It must be the compiler's own declaration, thus
 * __builtin_, and come before all others (no_reorder). Nobody calls it: with the macro, and since the library's own is
 * stronger. Code for AVX would have to keep more: there it is not done. Only for the accesses that loops are full of:
 * each such function takes a millisecond of every compilation.
 *
 * Not in shared libraries, whose hooks may be another object's.
 */
#ifndef THREELANE_HOOKS_H
#define THREELANE_HOOKS_H
#include <stdint.h>

/* Where nothing is to be known of accesses (sim/light/hook_sites.h), the first instruction of each place, a test that means
 * nothing, becomes a jump to its last one by a change of one byte; threelane_places says where they are. */
/* A place in the program that accesses memory. In [begin, begin + bytes) an access here has nothing to tell: all of
 * that has been read, of memory that the kernel only reads; or it is a thread's own. An access at `next` goes on with
 * those since `start`, each where the one before it ended, all in one page: that they were is said later, for all.
 *
 * So does one at `turn`, in memory where it matters whose an access is: there the address has the thread's rank above it
 * (threelane_turn), and `step` leads to the next one: of the same thread, or of the one after it. A run is of one of the
 * two kinds; the other one's place is 0. */
typedef struct ThreelaneAccess {
    uintptr_t begin, bytes;
    uintptr_t next;
    uint64_t turn, step;
    uint64_t start, last; /* of the run; the latest access that the function saw, with its rank */
    int16_t patience;     /* accesses in vain until it is worth the while to look for more */
    uint8_t waits, flags; /* a power of two: patience then; touch.c's */
    int32_t pc;           /* of the access, seen from threelane_turn */
} ThreelaneAccess;

#if THREELANE_INSTRUMENTED && defined(__x86_64__) && !defined(__clang__) && (!defined(__PIC__) || defined(__PIE__))
__asm__(".macro threelane_touch name, size, mask\n"
        ".pushsection .bss.threelane_sites, \"aw\", @nobits\n"
        ".balign 64\n"
        ".Lthreelane_site\\@: .skip 64\n"
        ".popsection\n"
        "771: .byte 0xa8, 772f - 770f\n"
        "770:\n"
        ".pushsection threelane_places, \"a?\", @progbits\n"
        ".long 771b - .\n"
        ".popsection\n"
        ".ifeqs \"\\name\", \"write\"\n"
        "movq threelane_turn(%rip), %rax\n"
        "addq %rdi, %rax\n"
        "cmpq .Lthreelane_site\\@+24(%rip), %rax\n"
        "jne 774f\n"
        "testl $4095, %edi\n"
        "je 775f\n"
        "addq .Lthreelane_site\\@+32(%rip), %rax\n"
        "movq %rax, .Lthreelane_site\\@+24(%rip)\n"
        "jmp 772f\n"
        "774:\n"
        ".endif\n"
        "movq %rdi, %rax\n"
        "subq .Lthreelane_site\\@(%rip), %rax\n"
        ".if \\mask\n"
        "testb $\\mask, %dil\n"
        "jne 775f\n"
        ".endif\n"
        "cmpq .Lthreelane_site\\@+8(%rip), %rax\n"
        "jb 772f\n"
        ".ifeqs \"\\name\", \"read\"\n"
        "cmpq %rdi, .Lthreelane_site\\@+16(%rip)\n"
        "jne 775f\n"
        "testl $4095, %edi\n"
        "je 775f\n"
        "leaq \\size(%rdi), %rax\n"
        "movq %rax, .Lthreelane_site\\@+16(%rip)\n"
        "jmp 772f\n"
        ".endif\n"
        "775: leaq .Lthreelane_site\\@(%rip), %rsi\n"
        "callq threelane_\\name\\size\n"
        "jmp 773f\n"
        "772: incq %r15\n"
        "773:\n"
        ".endm\n"
        ".macro call to:vararg\n"
        ".ifeqs \"\\to\", \"__tsan_read4\"\n threelane_touch read, 4, 3\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_write4\"\n threelane_touch write, 4, 3\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_read8\"\n threelane_touch read, 8, 7\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_write8\"\n threelane_touch write, 8, 7\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_read1\"\n threelane_touch read, 1, 0\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_write1\"\n threelane_touch write, 1, 0\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_read2\"\n threelane_touch read, 2, 1\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_write2\"\n threelane_touch write, 2, 1\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_read16\"\n threelane_touch read, 16, 15\n.exitm\n.endif\n"
        ".ifeqs \"\\to\", \"__tsan_write16\"\n threelane_touch write, 16, 15\n.exitm\n.endif\n"
        "callq \\to\n"
        ".endm\n");

extern "C" bool threelane_counts_in_register;
__attribute__((constructor, unused, no_sanitize_thread)) static void threelane_count_so() { threelane_counts_in_register = true; }

#ifndef __AVX__
#define THREELANE_HOOK(NAME)                                                                                          \
    __asm__(".weak __tsan_" #NAME);                                                                                   \
    __attribute__((noinline, used, no_reorder, no_sanitize_thread)) void __builtin___tsan_##NAME(void *p)             \
    {                                                                                                                 \
        __asm__ volatile("" : : "r"(p) : "rax", "rsi", "rdi", "cc", "memory", "st",   \
                         "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "mm0", "mm1", "mm2", "mm3",    \
                         "mm4", "mm5", "mm6", "mm7");                                                                 \
    }
extern "C" {
THREELANE_HOOK(read4)
THREELANE_HOOK(read8)
THREELANE_HOOK(write4)
THREELANE_HOOK(write8)
}
#undef THREELANE_HOOK
#endif
#endif
#endif
