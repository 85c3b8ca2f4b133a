/* library.c - string and stdio functions of the C library in host code (threelane/libc.h leads
 * their calls here): what they read and write counts like any other access. Ordinary memory, which
 * nobody watches, costs one look.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/exec/exec_internal.h"
#include "sim/memory/memory.h"

#define CALLER ((const char *)__builtin_return_address(0) - 1)

static bool watched(const void *p)
{
    uintptr_t at = (uintptr_t)p;
    return !exec_kernel && (hazard_tracks(at) || at - memory_base < memory_span);
}

/* Before: what may not be touched at all is told before the C library crashes on it. */
static void first_look(const void *p, bool write, const void *pc)
{
    uintptr_t at = (uintptr_t)p;
    if (watched(p) && at - memory_base < memory_span &&
        (at - memory_base < memory_device_span || !memory_holds(p, 1)))
        exec_announce(at, 1, write, pc);
}

static void reads(const void *p, size_t bytes, const void *pc)
{
    if (watched(p)) exec_announce((uintptr_t)p, bytes, false, pc);
}

static void writes(const void *p, size_t bytes, const void *pc)
{
    if (watched(p)) exec_announce((uintptr_t)p, bytes, true, pc);
}

/* A string of at most `most` bytes, its end included when it has one there. */
static void reads_text(const char *text, size_t most, const void *pc)
{
    if (!watched(text)) return;
    first_look(text, false, pc);
    size_t n = strnlen(text, most);
    reads(text, n < most ? n + 1 : most, pc);
}

/* What programs call that are compiled with _FORTIFY_SOURCE. */
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list args);
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);

/* ---- formats ---- */

static intmax_t integer(va_list *args, int longs, char other)
{
    if (other == 'z' || other == 't' || other == 'j' || longs == 1) return va_arg(*args, long);
    return longs > 1 ? va_arg(*args, long long) : va_arg(*args, int);
}

static void format_reads(const char *format, va_list given, const void *pc)
{
    va_list args;
    va_copy(args, given);
    reads_text(format, SIZE_MAX, pc);
    for (const char *f = format; (f = strchr(f, '%')) != NULL; f++) {
        size_t precision = SIZE_MAX;
        int longs = 0;
        char other = 0;
        f += 1 + strspn(f + 1, "-+ #0'I");
        if (*f == '*') {
            (void)va_arg(args, int);
            f++;
        } else {
            f += strspn(f, "0123456789");
            if (*f == '$') break; /* numbered arguments: not looked at */
        }
        if (*f == '.') {
            f++;
            if (*f == '*') {
                int n = va_arg(args, int);
                precision = n < 0 ? SIZE_MAX : (size_t)n;
                f++;
            } else {
                precision = 0;
                for (; *f >= '0' && *f <= '9'; f++) precision = precision * 10 + (size_t)(*f - '0');
            }
        }
        for (; *f && strchr("hlLqzjt", *f); f++) {
            if (*f == 'l') longs++;
            else if (*f != 'h') other = *f == 'q' ? 'L' : *f;
        }
        if (*f == 's' || *f == 'S') {
            const char *text = va_arg(args, const char *);
            if (text && *f == 's' && !longs) reads_text(text, precision, pc);
        } else if (*f == 'n') {
            const void *to = va_arg(args, const void *);
            writes(to, longs || other ? sizeof(long) : sizeof(int), pc);
        } else if (*f && strchr("diouxXcC", *f)) {
            integer(&args, longs, other);
        } else if (*f && strchr("eEfFgGaA", *f)) {
            if (other == 'L') (void)va_arg(args, long double);
            else (void)va_arg(args, double);
        } else if (*f == 'p') {
            (void)va_arg(args, void *);
        } else if (*f != '%' && *f != 'm') {
            break; /* not known: what follows cannot be found */
        }
    }
    va_end(args);
}

void exec_format_reads(const char *format, va_list args, const void *pc)
{
    if (!exec_kernel && memory_base) format_reads(format, args, pc);
}

#define FORMATTED(NAME, RESULT, PARAMETERS, CALL) \
    int NAME PARAMETERS;                          \
    int NAME PARAMETERS                           \
    {                                             \
        va_list args;                             \
        va_start(args, format);                   \
        exec_format_reads(format, args, CALLER);  \
        int n = CALL;                             \
        va_end(args);                             \
        RESULT;                                   \
        return n;                                 \
    }
#define FILLED(SIZE) \
    if (n >= 0) writes(to, (size_t)n < (SIZE) ? (size_t)n + 1 : (SIZE), CALLER)
FORMATTED(threelane_fprintf, (void)0, (FILE * file, const char *format, ...),
          vfprintf(file, format, args))
FORMATTED(threelane_fprintf_chk, (void)0, (FILE * file, int flag, const char *format, ...),
          __vfprintf_chk(file, flag, format, args))
FORMATTED(threelane_sprintf, FILLED(SIZE_MAX), (char *to, const char *format, ...),
          (first_look(to, true, CALLER), vsprintf(to, format, args)))
FORMATTED(threelane_sprintf_chk, FILLED(SIZE_MAX),
          (char *to, int flag, size_t room, const char *format, ...),
          (first_look(to, true, CALLER), __vsprintf_chk(to, flag, room, format, args)))
FORMATTED(threelane_snprintf, FILLED(size), (char *to, size_t size, const char *format, ...),
          (first_look(to, true, CALLER), vsnprintf(to, size, format, args)))
FORMATTED(threelane_snprintf_chk, FILLED(size),
          (char *to, size_t size, int flag, size_t room, const char *format, ...),
          (first_look(to, true, CALLER), __vsnprintf_chk(to, size, flag, room, format, args)))

/* ---- stdio ---- */

size_t threelane_fwrite(const void *from, size_t size, size_t count, FILE *file);
size_t threelane_fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    reads(from, size * count, CALLER);
    return fwrite(from, size, count, file);
}

size_t threelane_fread(void *to, size_t size, size_t count, FILE *file);
size_t threelane_fread(void *to, size_t size, size_t count, FILE *file)
{
    first_look(to, true, CALLER);
    size_t n = fread(to, size, count, file);
    writes(to, n * size, CALLER);
    return n;
}

int threelane_fputs(const char *text, FILE *file);
int threelane_fputs(const char *text, FILE *file)
{
    reads_text(text, SIZE_MAX, CALLER);
    return fputs(text, file);
}

char *threelane_fgets(char *to, int size, FILE *file);
char *threelane_fgets(char *to, int size, FILE *file)
{
    first_look(to, true, CALLER);
    char *got = fgets(to, size, file);
    if (got) writes(to, strlen(to) + 1, CALLER);
    return got;
}

void exec_text_reads(const char *text, const void *pc) { reads_text(text, SIZE_MAX, pc); }

/* ---- strings ---- */

size_t threelane_strlen(const char *text);
size_t threelane_strlen(const char *text)
{
    reads_text(text, SIZE_MAX, CALLER);
    return strlen(text);
}

size_t threelane_strnlen(const char *text, size_t most);
size_t threelane_strnlen(const char *text, size_t most)
{
    reads_text(text, most, CALLER);
    return strnlen(text, most);
}

#define COPIES(NAME, FUNCTION, BYTES, MOST, PARAMETERS, ARGUMENTS) \
    char *NAME PARAMETERS;                                         \
    char *NAME PARAMETERS                                          \
    {                                                              \
        reads_text(from, MOST, CALLER);                            \
        first_look(to, true, CALLER);                              \
        size_t bytes = BYTES;                                      \
        char *begin = to;                                          \
        char *result = FUNCTION ARGUMENTS;                         \
        writes(begin, bytes, CALLER);                              \
        return result;                                             \
    }
COPIES(threelane_strcpy, strcpy, strlen(from) + 1, SIZE_MAX, (char *to, const char *from),
       (to, from))
COPIES(threelane_stpcpy, stpcpy, strlen(from) + 1, SIZE_MAX, (char *to, const char *from),
       (to, from))
COPIES(threelane_strncpy, strncpy, n, n, (char *to, const char *from, size_t n), (to, from, n))
COPIES(threelane_strcpy_chk, __strcpy_chk, strlen(from) + 1, SIZE_MAX,
       (char *to, const char *from, size_t room), (to, from, room))
COPIES(threelane_strncpy_chk, __strncpy_chk, n, n,
       (char *to, const char *from, size_t n, size_t room), (to, from, n, room))

/* What is appended is written behind what is read. */
#define APPENDS(NAME, FUNCTION, BYTES, MOST, PARAMETERS, ARGUMENTS) \
    char *NAME PARAMETERS;                                          \
    char *NAME PARAMETERS                                           \
    {                                                               \
        reads_text(from, MOST, CALLER);                             \
        reads_text(to, SIZE_MAX, CALLER);                           \
        size_t bytes = BYTES;                                       \
        const char *end = to + strlen(to);                          \
        char *result = FUNCTION ARGUMENTS;                          \
        writes(end, bytes, CALLER);                                 \
        return result;                                              \
    }
APPENDS(threelane_strcat, strcat, strlen(from) + 1, SIZE_MAX, (char *to, const char *from),
        (to, from))
APPENDS(threelane_strncat, strncat, strnlen(from, n) + 1, n, (char *to, const char *from, size_t n),
        (to, from, n))
APPENDS(threelane_strcat_chk, __strcat_chk, strlen(from) + 1, SIZE_MAX,
        (char *to, const char *from, size_t room), (to, from, room))

#define COMPARES(NAME, FUNCTION, MOST, PARAMETERS, ARGUMENTS) \
    int NAME PARAMETERS;                                      \
    int NAME PARAMETERS                                       \
    {                                                         \
        reads_text(a, MOST, CALLER);                          \
        reads_text(b, MOST, CALLER);                          \
        return FUNCTION ARGUMENTS;                            \
    }
COMPARES(threelane_strcmp, strcmp, SIZE_MAX, (const char *a, const char *b), (a, b))
COMPARES(threelane_strncmp, strncmp, n, (const char *a, const char *b, size_t n), (a, b, n))

#define SEARCHES(TYPE, NAME, FUNCTION, PARAMETERS, ARGUMENTS) \
    TYPE NAME PARAMETERS;                                     \
    TYPE NAME PARAMETERS                                      \
    {                                                         \
        reads_text(text, SIZE_MAX, CALLER);                   \
        return FUNCTION ARGUMENTS;                            \
    }
SEARCHES(char *, threelane_strchr, strchr, (const char *text, int c), (text, c))
SEARCHES(char *, threelane_strrchr, strrchr, (const char *text, int c), (text, c))
SEARCHES(char *, threelane_strstr, strstr, (const char *text, const char *part), (text, part))
SEARCHES(char *, threelane_strdup, strdup, (const char *text), (text))
SEARCHES(int, threelane_atoi, atoi, (const char *text), (text))
SEARCHES(double, threelane_atof, atof, (const char *text), (text))
SEARCHES(long, threelane_strtol, strtol, (const char *text, char **end, int base),
         (text, end, base))
SEARCHES(double, threelane_strtod, strtod, (const char *text, char **end), (text, end))

void *threelane_memchr(const void *from, int c, size_t n);
void *threelane_memchr(const void *from, int c, size_t n)
{
    first_look(from, false, CALLER);
    const char *found = memchr(from, c, n);
    reads(from, found ? (size_t)(found - (const char *)from) + 1 : n, CALLER);
    return (void *)(uintptr_t)found;
}
