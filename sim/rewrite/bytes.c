#include "sim/rewrite/bytes.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(void)
{
    fputs("tlcc: out of memory\n", stderr);
    exit(1);
}

void *must_alloc(size_t size) { return must_resize(NULL, size); }

void *must_resize(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory) out_of_memory();
    return memory;
}

char *must_copy(const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(must_alloc(size), string, size);
}

static void reserve(Bytes *text, size_t more)
{
    if (more >= (size_t)-1 / 4 - text->size) out_of_memory();
    if (text->size + more + 1 <= text->room) return;
    text->room = (text->size + more + 1) * 2;
    text->data = must_resize(text->data, text->room);
}

void bytes_add(Bytes *text, const char *bytes, size_t size)
{
    reserve(text, size);
    if (size) memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = 0;
}

void bytes_add_string(Bytes *text, const char *string) { bytes_add(text, string, strlen(string)); }

void bytes_add_char(Bytes *text, char c) { bytes_add(text, &c, 1); }

void bytes_add_spaces(Bytes *text, size_t count)
{
    reserve(text, count);
    memset(text->data + text->size, ' ', count);
    text->size += count;
    text->data[text->size] = 0;
}

void bytes_format(Bytes *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *string;
    if (vasprintf(&string, format, list) < 0) out_of_memory();
    va_end(list);
    bytes_add_string(text, string);
    free(string);
}

void bytes_release(Bytes *text)
{
    free(text->data);
    *text = (Bytes){0};
}

void args_add(Args *args, const char *string)
{
    if (args->count + 2 > args->room) {
        args->room = args->room * 2 + 16;
        args->item = must_resize(args->item, (size_t)args->room * sizeof *args->item);
    }
    args->item[args->count++] = must_copy(string);
    args->item[args->count] = NULL;
}

void args_add_all(Args *args, const Args *more)
{
    for (int i = 0; i < more->count; i++) args_add(args, more->item[i]);
}

void args_format(Args *args, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *string;
    if (vasprintf(&string, format, list) < 0) out_of_memory();
    va_end(list);
    args_add(args, string);
    free(string);
}

void args_release(Args *args)
{
    for (int i = 0; i < args->count; i++) free(args->item[i]);
    free(args->item);
    *args = (Args){0};
}

bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}
