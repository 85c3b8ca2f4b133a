/* text.c - see text.h. */
#include "common/text.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/exit_status.h"
#include "common/utf8.h"

static void *have(void *memory)
{
    if (!memory) {
        static const char words[] = "threelane: out of memory\n";
        ssize_t ignored = write(STDERR_FILENO, words, sizeof words - 1);
        (void)ignored;
        _exit(VERDICT_GRADER);
    }
    return memory;
}

void *memory_get(size_t count, size_t size)
{
    return have(calloc(count ? count : 1, size ? size : 1));
}

void *memory_grow(void *memory, size_t count, size_t size)
{
    return have(reallocarray(memory, count ? count : 1, size ? size : 1));
}

void memory_room(size_t used, size_t room)
{
    if (used < room) return;
    fprintf(stderr, "threelane: no room for more than %zu: this is a mistake in Threelane\n", room);
    _exit(VERDICT_GRADER);
}

char *memory_copy(const char *string) { return have(strdup(string)); }

char *memory_format(const char *format, ...)
{
    va_list arguments;
    char *string = NULL;
    va_start(arguments, format);
    if (vasprintf(&string, format, arguments) < 0) string = NULL;
    va_end(arguments);
    return have(string);
}

void text_release(Text *text)
{
    free(text->data);
    *text = (Text){0};
}

void text_clear(Text *text)
{
    text->length = 0;
    if (text->data) text->data[0] = 0;
}

const char *text_string(const Text *text) { return text->data ? text->data : ""; }

void text_append(Text *text, const void *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        size_t room = text->room ? text->room * 2 : 128;
        while (room < text->length + length + 1) room *= 2;
        text->data = memory_grow(text->data, room, 1);
        text->room = room;
    }
    if (length) memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void text_add(Text *text, const char *string) { text_append(text, string, strlen(string)); }

void text_printf(Text *text, const char *format, ...)
{
    va_list arguments;
    char *string = NULL;
    va_start(arguments, format);
    int length = vasprintf(&string, format, arguments);
    va_end(arguments);
    have(length < 0 ? NULL : string);
    text_append(text, string, (size_t)length);
    free(string);
}

char *text_take(Text *text)
{
    if (!text->data) text_add(text, "");
    char *data = text->data;
    *text = (Text){0};
    return data;
}

int text_read_file(Text *text, const char *path, size_t most)
{
    /* O_NONBLOCK: opening a pipe by name must not wait for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno;
    struct stat about;
    int error = 0;
    if (fstat(fd, &about) != 0) error = errno;
    else if (S_ISDIR(about.st_mode)) error = EISDIR;
    else if (!S_ISREG(about.st_mode)) error = EINVAL;
    else if ((uint64_t)about.st_size > most) error = EFBIG;
    while (!error) {
        char piece[65536];
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) error = errno;
        if (n <= 0) break;
        if (text->length + (size_t)n > most) error = EFBIG;
        else text_append(text, piece, (size_t)n);
    }
    close(fd);
    return error;
}

int text_write_file(const char *path, const void *bytes, size_t length)
{
    char *temporary = memory_format("%s.XXXXXX", path);
    int error = 0;
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        error = errno;
        free(temporary);
        return error;
    }
    const char *from = bytes;
    while (length && !error) {
        ssize_t n = write(fd, from, length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) error = errno;
        else from += n, length -= (size_t)n;
    }
    mode_t mask = umask(0);
    umask(mask);
    if (!error && fchmod(fd, 0666 & ~mask) != 0) error = errno;
    if (close(fd) != 0 && !error) error = errno;
    if (!error && rename(temporary, path) != 0) error = errno;
    if (error) unlink(temporary);
    free(temporary);
    return error;
}

void text_add_shown(Text *text, const char *bytes, size_t length, bool ascii)
{
    const char *at = bytes, *end = at + length;
    while (at < end) {
        const char *plain = at;
        while (at < end && ((*at >= 0x20 && *at < 0x7f) || *at == '\n' || *at == '\t')) at++;
        text_append(text, plain, (size_t)(at - plain));
        if (at == end) break;
        uint32_t c;
        size_t n = utf8_next(at, (size_t)(end - at), &c);
        if (n > 1 && utf8_harmless(c)) {
            if (ascii) text_add(text, "?");
            else text_append(text, at, n);
            at += n;
        } else {
            text_printf(text, "\\x%02x", (unsigned char)*at++);
        }
    }
}

char **list_split(const char *string, char separator, size_t *count)
{
    size_t n = 0;
    char **list = memory_get(1, sizeof *list);
    const char *at = string ? string : "";
    while (true) {
        const char *end = strchrnul(at, separator), *first = at, *last = end;
        while (first < last && isspace((unsigned char)*first)) first++;
        while (last > first && isspace((unsigned char)last[-1])) last--;
        if (last > first || *end || n) {
            list = memory_grow(list, n + 2, sizeof *list);
            list[n++] = memory_format("%.*s", (int)(last - first), first);
            list[n] = NULL;
        }
        if (!*end) break;
        at = end + 1;
    }
    if (count) *count = n;
    return list;
}

void list_free(char **list)
{
    for (size_t i = 0; list && list[i]; i++) free(list[i]);
    free(list);
}
