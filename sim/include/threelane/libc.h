/* threelane/libc.h - leads calls of some C library functions to the virtual GPU's own.
 *
 * The assembler is told that, in this translation unit, memcpy is another name of threelane_memcpy, and so on. That
 * catches what the source calls and what the compiler makes of struct copies and of printf("...\n") alike. In host
 * code each goes on to the C library. The memory, string and
 * stdio functions that only say what they touch (sim/exec/library.c) matter only where accesses are instrumented.
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
        ".set __assert_fail, threelane_assert_fail\n\t.set malloc, threelane_malloc\n");
#if THREELANE_INSTRUMENTED
__asm__(".set memcpy, threelane_memcpy\n\t.set memmove, threelane_memmove\n\t.set memset, threelane_memset\n\t"
        ".set memcmp, threelane_memcmp\n\t.set bcmp, threelane_memcmp\n");
/* What string and stdio functions touch (sim/exec/library.c). */
__asm__(".set fprintf, threelane_fprintf\n\t.set sprintf, threelane_sprintf\n\t"
        ".set snprintf, threelane_snprintf\n\t.set fwrite, threelane_fwrite\n\t"
        ".set fread, threelane_fread\n\t.set fputs, threelane_fputs\n\t"
        ".set fgets, threelane_fgets\n\t.set strlen, threelane_strlen\n\t"
        ".set strnlen, threelane_strnlen\n\t.set strcpy, threelane_strcpy\n\t"
        ".set stpcpy, threelane_stpcpy\n\t.set strncpy, threelane_strncpy\n\t"
        ".set strcat, threelane_strcat\n\t.set strncat, threelane_strncat\n\t"
        ".set strcmp, threelane_strcmp\n\t.set strncmp, threelane_strncmp\n\t"
        ".set strchr, threelane_strchr\n\t.set strrchr, threelane_strrchr\n\t"
        ".set strstr, threelane_strstr\n\t.set strdup, threelane_strdup\n\t"
        ".set atoi, threelane_atoi\n\t.set atof, threelane_atof\n\t.set strtol, threelane_strtol\n\t"
        ".set strtod, threelane_strtod\n\t.set memchr, threelane_memchr\n\t"
        ".set __fprintf_chk, threelane_fprintf_chk\n\t.set __sprintf_chk, threelane_sprintf_chk\n\t"
        ".set __snprintf_chk, threelane_snprintf_chk\n\t.set __strcpy_chk, threelane_strcpy_chk\n\t"
        ".set __strncpy_chk, threelane_strncpy_chk\n\t.set __strcat_chk, threelane_strcat_chk\n\t"
        ".set __memcpy_chk, threelane_memcpy\n\t.set __memmove_chk, threelane_memmove\n\t"
        ".set __memset_chk, threelane_memset\n\t.set __isoc23_strtol, threelane_strtol\n");
#endif
#endif
#endif
