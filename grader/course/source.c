/* source.c - see source.h. */
#include "grader/course/source.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "common/text.h"

static bool has_ending(const char *path)
{
    static const char *const endings[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
        if (!strcmp(dot, endings[i])) return true;
    }
    return false;
}

static const char *reason(int error)
{
    switch (error) {
    case EISDIR: return "a folder; name the file in it";
    case EINVAL:
    case ENXIO: return "not a regular file";
    case EFBIG: return "larger than 4 MiB: this is no source file";
    default: return strerror(error);
    }
}

char *source_open(const char *path, char *error, size_t error_size)
{
    Text text = {0};
    int failed = text_read_file(&text, path, LIMIT_SUBMISSION);
    char *full = NULL;
    if (failed) snprintf(error, error_size, "%.500s: %s", path, reason(failed));
    else if (!text.length) snprintf(error, error_size, "%.500s: the file is empty", path);
    else if (memchr(text.data, 0, text.length))
        snprintf(error, error_size, "%.500s: not a text file", path);
    else if (!has_ending(path))
        snprintf(error, error_size, "%.500s: a source's name ends in .cu", path);
    else if (!(full = realpath(path, NULL)))
        snprintf(error, error_size, "%.500s: %s", path, strerror(errno));
    text_release(&text);
    return full;
}

bool source_same(const char *path, const char *other)
{
    Text a = {0}, b = {0};
    bool same = text_read_file(&a, path, LIMIT_SUBMISSION) == 0 &&
                text_read_file(&b, other, LIMIT_SUBMISSION) == 0 && a.length == b.length &&
                !memcmp(text_string(&a), text_string(&b), a.length);
    text_release(&a);
    text_release(&b);
    return same;
}

/* ---- line directives ---- */

/* Reads a source as its first phases of translation do: lines joined by a backslash are one. */
typedef struct Reader {
    const char *at, *end;
    size_t line;
} Reader;

static int peek(Reader *r)
{
    while (r->at < r->end && *r->at == '\\') {
        const char *next = r->at + 1; /* compilers forgive blanks between the two */
        while (next < r->end && (*next == ' ' || *next == '\t' || *next == '\r')) next++;
        if (next == r->end || *next != '\n') break;
        r->at = next + 1;
        r->line++;
    }
    return r->at < r->end ? (unsigned char)*r->at : EOF;
}

static int take(Reader *r)
{
    int c = peek(r);
    if (c == EOF) return c;
    r->at++;
    r->line += c == '\n';
    return c;
}

static bool follows(Reader r, const char *word)
{
    for (; *word; word++)
        if (take(&r) != *word) return false;
    return true;
}

static bool in_word(int c) { return isalnum(c) || c == '_' || c == '$' || c >= 0x80; }

/* Over the comment that begins here, if one does. */
static bool skip_comment(Reader *r)
{
    if (follows(*r, "//")) {
        while (peek(r) != EOF && peek(r) != '\n') take(r);
        return true;
    }
    if (!follows(*r, "/*")) return false;
    take(r), take(r);
    while (peek(r) != EOF && !follows(*r, "*/")) take(r);
    take(r), take(r);
    return true;
}

static void skip_blanks(Reader *r)
{
    for (;;) {
        int c = peek(r);
        if (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r') take(r);
        else if (!skip_comment(r)) return;
    }
}

static void skip_quoted(Reader *r)
{
    int quote = take(r);
    for (int c; (c = peek(r)) != EOF && c != '\n';) {
        take(r);
        if (c == quote) return;
        if (c == '\\' && peek(r) != '\n') take(r);
    }
}

/* Is what begins here, the first on its line, a directive that says where it is? */
static bool says_line(Reader r)
{
    if (follows(r, "%:")) take(&r), take(&r);
    else if (follows(r, "?"
                        "?="))
        take(&r), take(&r), take(&r);
    else if (peek(&r) == '#') take(&r);
    else return false;
    skip_blanks(&r);
    if (isdigit(peek(&r))) return true;
    if (!follows(r, "line")) return false;
    for (int i = 0; i < 4; i++) take(&r);
    return !in_word(peek(&r));
}

/* A raw string's text knows no joined lines. Whether a compiler reads one here can hang on what it
 * leaves out (#if 0), so lines in it are looked at as well. */
static bool skip_raw(Reader *r, size_t *line)
{
    char end[20] = ")";
    size_t n = 1;
    take(r); /* the quote */
    while (r->at < r->end && *r->at != '(' && n < 18) end[n++] = *r->at++;
    end[n++] = '"';
    size_t left = r->at < r->end ? (size_t)(r->end - r->at) : 0;
    const char *stop = memmem(r->at, left, end, n);
    for (stop = stop ? stop + n : r->end; r->at < stop; r->at++) {
        if (*r->at != '\n') continue;
        Reader inside = {r->at + 1, r->end, ++r->line};
        skip_blanks(&inside);
        if (inside.at < stop && says_line(inside)) {
            *line = inside.line;
            return true;
        }
    }
    return false;
}

bool source_says_line(const char *text, size_t length, size_t *line)
{
    Reader r = {text, text + length, 1};
    bool first = true; /* on its line */
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) r.at += 3;
    for (;;) {
        skip_blanks(&r);
        int c = peek(&r);
        if (c == EOF) return false;
        *line = r.line;
        if (first && says_line(r)) return true;
        first = c == '\n';
        if (c == '"' || c == '\'') {
            skip_quoted(&r);
        } else if (isdigit(c)) {
            while (in_word(c = peek(&r)) || c == '.' || c == '\'') {
                Reader next = r;
                take(&next);
                if (c == '\'' && !in_word(peek(&next))) break;
                r = next;
            }
        } else if (in_word(c)) {
            int last = 0;
            for (; in_word(c = peek(&r)); take(&r)) last = c;
            if (c == '"' && last == 'R' && skip_raw(&r, line)) return true;
        } else {
            take(&r);
        }
    }
}

/* ---- what no one sees ---- */

/* Code that the compiler does not follow for us, or is told not to. */
static bool is_unseen(const char *word)
{
    static const char *const words[] = {"asm",           "__asm", "__asm__", "__attribute",
                                        "__attribute__", "gnu",   "clang",   "_Pragma"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i])) return true;
    return !strncmp(word, "__builtin_", 10) || strstr(word, "intrin");
}

bool source_is_unseen(const char *text, size_t length, size_t *line, char word[SOURCE_WORD])
{
    Reader r = {text, text + length, 1};
    bool after_pragma = false;
    for (;;) {
        skip_blanks(&r);
        int c = peek(&r);
        if (c == EOF) return false;
        *line = r.line;
        if (follows(r, "##") || follows(r, "%:%:")) { /* words can be made of it */
            strcpy(word, "##");
            return true;
        }
        if (c == '"' || c == '\'') {
            skip_quoted(&r);
        } else if (in_word(c)) {
            size_t n = 0;
            for (; in_word(c = peek(&r)); take(&r))
                if (n + 1 < SOURCE_WORD) word[n++] = (char)c;
            word[n] = 0;
            if (is_unseen(word)) return true;
            if (after_pragma && strcmp(word, "unroll") && strcmp(word, "once") &&
                strcmp(word, "nounroll"))
                return true;
            after_pragma = !strcmp(word, "pragma");
        } else {
            if (c == '\n') after_pragma = false;
            take(&r);
        }
    }
}
