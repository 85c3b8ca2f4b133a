#include "sim/tlcc/diagnostics.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line without its terminal escapes. */
static void plain_line(const char *line, size_t size, Bytes *out)
{
    out->size = 0;
    bytes_add_string(out, "");
    for (size_t i = 0; i < size; i++) {
        if (line[i] == '\033' && i + 1 < size && line[i + 1] == '[') {
            for (i += 2; i < size && !isalpha((unsigned char)line[i]); i++) {}
        } else if (line[i]) {
            bytes_add_char(out, line[i]);
        }
    }
}

/* "file:12:5: error: ..." into its parts. */
static bool parse(const char *line, Bytes *file, long *number)
{
    static const char *const kinds[] = {": error: ", ": warning: ", ": note: ", ": fatal error: "};
    const char *end = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *found = strstr(line, kinds[i]);
        if (found && (!end || found < end)) end = found;
    }
    if (!end) return false;
    const char *colon = end;
    while (colon > line && isdigit((unsigned char)colon[-1])) colon--;
    if (colon == end || colon == line || colon[-1] != ':') return false;
    const char *second = colon - 1;
    while (second > line && isdigit((unsigned char)second[-1])) second--;
    if (second == colon - 1 || second == line || second[-1] != ':') return false;
    *number = strtol(second, NULL, 10);
    file->size = 0;
    bytes_add(file, line, (size_t)(second - 1 - line));
    return true;
}

/* Line number of a file, without its newline. */
static bool read_line(const char *path, long number, Bytes *line)
{
    FILE *file = fopen(path, "rb");
    char *buffer = NULL;
    size_t room = 0;
    ssize_t got = -1;
    if (!file) return false;
    for (long i = 0; i < number && (got = getline(&buffer, &room, file)) >= 0; i++) {}
    fclose(file);
    if (got > 0) {
        while (got > 0 && (buffer[got - 1] == '\n' || buffer[got - 1] == '\r')) got--;
        line->size = 0;
        bytes_add_string(line, "");
        for (ssize_t i = 0; i < got; i++) bytes_add_char(line, buffer[i] == '\t' ? ' ' : buffer[i]);
    }
    free(buffer);
    return got > 0;
}

/* A kernel's body is a closure to the compiler; its author did not write one. */
static void add_without_closure(const char *line, size_t size, Bytes *out)
{
    static const char *const noise[] = {"::<lambda()> mutable", "::<lambda()>"};
    for (size_t i = 0; i < size;) {
        size_t skip = 0;
        for (size_t k = 0; k < sizeof noise / sizeof *noise && !skip; k++) {
            size_t length = strlen(noise[k]);
            if (size - i >= length && !memcmp(line + i, noise[k], length)) skip = length;
        }
        if (skip) i += skip;
        else bytes_add_char(out, line[i++]);
    }
}

static bool ends_with(const char *line, const char *end)
{
    size_t size = strlen(line), length = strlen(end);
    return size >= length && !strcmp(line + size - length, end);
}

void diagnostics_clean(const Bytes *messages, bool quotes_input, Bytes *out)
{
    Bytes line = {0}, file = {0}, original = {0};
    bool quote_next = false;
    int drop = 0;
    long number = 0;
    for (size_t at = 0; at < messages->size;) {
        const char *start = messages->data + at;
        const char *newline = memchr(start, '\n', messages->size - at);
        size_t size = newline ? (size_t)(newline - start) + 1 : messages->size - at;
        at += size;
        plain_line(start, newline ? size - 1 : size, &line);
        if (drop > 0 && (line.data[0] == ' ' || !line.data[0])) {
            drop--;                                         /* the quoted line and caret of a dropped message */
            continue;
        }
        drop = 0;
        if (ends_with(line.data, ": In lambda function:")) continue;
        if (strstr(line.data, "embedding a directive within macro arguments")) {
            drop = 2;
            continue;
        }
        if (quotes_input && quote_next && read_line(file.data, number, &original)) {
            bytes_add(out, original.data, original.size);
            bytes_add_char(out, '\n');
            quote_next = false;
            continue;
        }
        quote_next = quotes_input && parse(line.data, &file, &number);
        add_without_closure(start, size, out);
    }
    bytes_release(&line);
    bytes_release(&file);
    bytes_release(&original);
}
