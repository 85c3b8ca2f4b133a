/* convert.c - floating-point numbers that do not fit the integer they are converted to: what device
 * code gets for them (threelane/convert.h has the rules), and a word about conversions that this
 * run cannot make as a card does.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "sim/exec/exec.h"
#include "sim/host/host.h"
#include "sim/include/threelane/self.h"

static uint64_t on_card(double x, int bits, bool is_signed, bool from_double)
{
    uint64_t highest = 1ull << (bits - 1), most = is_signed ? highest - 1 : highest - 1 + highest;
    uint64_t least = is_signed ? highest : 0;

    if (isnan(x)) return bits == 32 && !from_double ? 0 : highest;
    if (x >= ldexp(1, is_signed ? bits - 1 : bits)) return most;
    if (is_signed && x < -ldexp(1, bits - 1)) return least;
    if (!is_signed && x <= -1) return 0;
    return is_signed ? (uint64_t)(int64_t)x : x < 0 ? 0 : (uint64_t)x;
}

/* What x86 answers: one number, whatever was the matter; the compilers take an unsigned from the
 * next larger integer. */
static uint64_t on_host(double x, int bits, bool is_signed)
{
    bool fits = x > -ldexp(1, 63) && x < ldexp(1, 63);
    uint64_t indefinite = 1ull << 63;

    if (bits == 32 && is_signed)
        return x > -ldexp(1, 31) - 1 && x < ldexp(1, 31) ? (uint64_t)(int64_t)x : 1ull << 31;
    if (bits == 64 && !is_signed && x >= ldexp(1, 63)) return x < ldexp(1, 64) ? (uint64_t)x : 0;
    return fits ? (uint64_t)(int64_t)x : indefinite;
}

unsigned long long threelane_convert(double x, int bits, bool is_signed, bool from_double);
unsigned long long threelane_convert(double x, int bits, bool is_signed, bool from_double)
{
    uint64_t value =
        exec_in_kernel() ? on_card(x, bits, is_signed, from_double) : on_host(x, bits, is_signed);

    return bits == 32 ? value & 0xffffffff : value;
}

/* ---- those that are not written out: the compiler calls this when one does not fit ---- */

typedef struct UbsanType {
    uint16_t kind; /* 0: integer, 1: floating point */
    uint16_t info; /* integer: its lowest bit says signed, the rest is log2 of its bits; else its
                      bits */
    char name[];
} UbsanType;
typedef struct UbsanCast {
    const char *file;
    uint32_t line, column;
    const UbsanType *from, *to;
} UbsanCast;

enum { PLACES = 256 };

static bool told_before(const UbsanCast *cast)
{
    static const UbsanCast *told[PLACES];
    static size_t n;

    for (size_t i = 0; i < n; i++)
        if (told[i] == cast) return true;
    if (n == PLACES) return true;
    told[n++] = cast;
    return false;
}

static void put_integer(char *text, size_t size, uint64_t value, int bits, bool is_signed)
{
    if (bits < 64) value &= (1ull << bits) - 1;
    if (is_signed && bits < 64 && value >> (bits - 1)) value |= ~0ull << bits;
    if (is_signed) snprintf(text, size, "%lld", (long long)value);
    else snprintf(text, size, "%llu", (unsigned long long)value);
}

void __ubsan_handle_float_cast_overflow(UbsanCast *cast, uintptr_t given);
void __ubsan_handle_float_cast_overflow(UbsanCast *cast, uintptr_t given)
{
    if (!exec_in_kernel() || cast->from->kind != 1 || cast->to->kind != 0) return;
    threelane_in_order();
    bool is_signed = cast->to->info & 1, from_double = cast->from->info == 64;
    int bits = 1 << (cast->to->info >> 1), wide = bits > 32 ? 64 : 32;
    double x;
    float narrow;
    if (from_double) {
        memcpy(&x, &given, sizeof x);
    } else if (cast->from->info == 32) {
        memcpy(&narrow, &given, sizeof narrow);
        x = (double)narrow;
    } else {
        return; /* long double is none of CUDA's */
    }
    char card[32], here[32];
    uint64_t there = on_card(x, wide, is_signed, from_double),
             got = on_host(x, bits < 32 ? 32 : bits, is_signed || bits < 32);
    put_integer(card, sizeof card, there, bits, is_signed);
    put_integer(here, sizeof here, got, bits, is_signed);
#if defined(__x86_64__)
    if (!strcmp(card, here) || told_before(cast)) return;
#else
    strcpy(here, "another number");
    if (!isnan(x) || !strcmp(card, "0") || told_before(cast))
        return; /* the processor saturates as a GPU does */
#endif
    const char *slash = strrchr(cast->file, '/');
    int length = (int)strcspn(cast->to->name + 1, "'");
    host_warn((TraceSite){slash ? slash + 1 : cast->file, cast->line},
              "kernel %s: %g does not fit %.*s: a GPU makes %s of it, this run had %s; write the "
              "conversion, (%.*s)x, "
              "and it is the GPU's",
              exec_current()->name, x, length, cast->to->name + 1, card, here, length,
              cast->to->name + 1);
}

/* ---- a program for another processor ---- */

void threelane_lacks_fma(void);
void threelane_lacks_fma(void)
{
    fputs("threelane: the program was compiled with fused multiply-add, which this machine's "
          "processor does not have: "
          "compile it here, or with -fmad=false\n",
          stderr);
    _exit(HOST_STATUS_UNSUPPORTED);
}
