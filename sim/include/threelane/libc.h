/* threelane/libc.h - leads calls of some C library functions to the virtual GPU's own.
 *
 * The assembler is told that, in this translation unit, memcpy is another name of threelane_memcpy, and so on. That
 * catches what the source calls and what the compiler makes of struct copies and of printf("...\n") alike. In host
 * code each goes on to the C library. The memory functions matter only where accesses are instrumented.
 */
#ifndef THREELANE_LIBC_H
#define THREELANE_LIBC_H
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
int threelane_printf(const char *format, ...);
int threelane_vprintf(const char *format, va_list args);
int threelane_printf_chk(int flag, const char *format, ...);
int threelane_puts(const char *text);
int threelane_putchar(int c);
clock_t threelane_clock(void);
void threelane_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
void *threelane_memcpy(void *to, const void *from, size_t bytes);
void *threelane_memmove(void *to, const void *from, size_t bytes);
void *threelane_memset(void *to, int value, size_t bytes);
int threelane_memcmp(const void *a, const void *b, size_t bytes);
#ifdef __cplusplus
}
#endif

#ifdef THREELANE_REDIRECT
__asm__(".set printf, threelane_printf\n\t.set vprintf, threelane_vprintf\n\t"
        ".set __printf_chk, threelane_printf_chk\n\t"
        ".set puts, threelane_puts\n\t.set putchar, threelane_putchar\n\t.set clock, threelane_clock\n\t"
        ".set __assert_fail, threelane_assert_fail\n");
#if THREELANE_INSTRUMENTED
__asm__(".set memcpy, threelane_memcpy\n\t.set memmove, threelane_memmove\n\t.set memset, threelane_memset\n\t"
        ".set memcmp, threelane_memcmp\n\t.set bcmp, threelane_memcmp\n");
#endif
#endif
#endif
