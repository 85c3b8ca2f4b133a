/* hook_sites.c - see hook_sites.h.
 *
 * One byte of each place changes, so that whoever runs there at the same time sees the one
 * instruction or the other.
 */
#include "sim/light/hook_sites.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum { TEST = 0xa8, JUMP = 0xeb, PAGE = 4096 };

/* Places, each as its distance from where that is said. The linker makes these names. */
extern const int32_t __start_threelane_places[] __attribute__((weak, visibility("hidden")));
extern const int32_t __stop_threelane_places[] __attribute__((weak, visibility("hidden")));

static bool skipped;

static unsigned char *place_at(const int32_t *entry)
{
    return (unsigned char *)(uintptr_t)entry + *entry;
}

static bool make_writable(void)
{
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (const int32_t *at = __start_threelane_places; at < __stop_threelane_places; at++) {
        unsigned char *place = place_at(at);
        if (*place != TEST) return false;
        if ((uintptr_t)place < low) low = (uintptr_t)place;
        if ((uintptr_t)place > high) high = (uintptr_t)place;
    }
    if (low > high) return false;
    low = low / PAGE * PAGE;
    return mprotect((void *)low, high + 1 - low, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

bool sites_known(void)
{
    static bool asked, known;
    if (!asked) known = make_writable();
    asked = true;
    return known;
}

void sites_skip(bool skip)
{
    if (skip == skipped || !sites_known()) return;
    skipped = skip;
    for (const int32_t *at = __start_threelane_places; at < __stop_threelane_places; at++)
        *(volatile unsigned char *)place_at(at) = skip ? JUMP : TEST;
}
