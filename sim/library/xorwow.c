#include "sim/library/xorwow.h"
#include <string.h>

enum { BITS = 160, WORDS = 5, UNIT_MOST = 67, JUMPS = UNIT_MOST + 64 };

/* Row i of a jump is what becomes of bit i alone. */
typedef struct Jump {
    unsigned row[BITS][WORDS];
} Jump;

static Jump jump[JUMPS];
static int made; /* so many of them are there */
static char making;

static void apply(const Jump *by, unsigned v[WORDS])
{
    unsigned to[WORDS] = {0};

    for (int i = 0; i < BITS; i++) {
        if (!(v[i / 32] >> i % 32 & 1)) continue;
        for (int k = 0; k < WORDS; k++) to[k] ^= by->row[i][k];
    }
    memcpy(v, to, sizeof to);
}

static void make(int wanted)
{
    while (__atomic_test_and_set(&making, __ATOMIC_ACQUIRE)) continue;
    for (int n = made; n <= wanted; n++) {
        for (int i = 0; i < BITS; i++) {
            unsigned *row = jump[n].row[i];
            memset(row, 0, sizeof jump[n].row[i]);
            row[i / 32] = 1u << i % 32;
            if (n == 0) {
                xorwow_step(row);
            } else {
                apply(&jump[n - 1], row);
                apply(&jump[n - 1], row);
            }
        }
        __atomic_store_n(&made, n + 1, __ATOMIC_RELEASE);
    }
    __atomic_clear(&making, __ATOMIC_RELEASE);
}

void threelane_xorwow_skip(unsigned v[5], unsigned long long n, int unit)
{
    for (int bit = 0; n >> bit; bit++) {
        if (__atomic_load_n(&made, __ATOMIC_ACQUIRE) <= unit + bit) make(unit + bit);
        if (n >> bit & 1) apply(&jump[unit + bit], v);
        if (bit == 63) break;
    }
}
