/* visible.c - see visible.h. */
#include "grader/build/visible.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "common/text.h"

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* The text with lines joined that end in a backslash. The caller frees. */
static char *joined(const char *text)
{
    char *copy = memory_copy(text), *to = copy;
    for (const char *at = copy; *at;) {
        const char *next = at + 1;
        while (*at == '\\' && *next && strchr(" \t\r\v\f", *next)) next++;
        if (*at == '\\' && *next == '\n') at = next + 1;
        else *to++ = *at++;
    }
    *to = 0;
    return copy;
}

/* Comments as blanks, in a text of ours. */
static void blank_comments(char *text)
{
    for (char *at = text; *at; at++) {
        const char *end = !strncmp(at, "//", 2)   ? strchr(at, '\n')
                          : !strncmp(at, "/*", 2) ? strstr(at + 2, "*/")
                                                  : at;
        if (end == at) continue;
        if (!end) end = at + strlen(at);
        else if (*end == '*') end += 2;
        for (; at < end; at++)
            if (*at != '\n') *at = ' ';
        at--;
    }
}

static const char *over_blanks(const char *at) { return at + strspn(at, " \t\r\v\f"); }

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (in_word(at[n])) n++;
    return n;
}

static bool is_word(const char *at, const char *word)
{
    return word_length(at) == strlen(word) && !strncmp(at, word, strlen(word));
}

/* Behind `include`: the header, or a file that is not the course's? */
static bool includes_plainly(const char *at, const char *header_name, VisibleOwn *own, void *of)
{
    at = over_blanks(at);
    char end = *at == '"' ? '"' : '>';
    if (*at != '"' && *at != '<') return false;
    size_t n = strcspn(++at, "\">\n");
    if (at[n] != end || !n) return false;

    char *name = memory_format("%.*s", (int)n, at);
    bool header = header_name && !strcmp(name, header_name),
         placed = name[0] != '/' && !strstr(name, ".."); /* among the folders of headers */
    bool plain = header || (end == '>' && placed && !own(name, of));
    free(name);
    return plain;
}

/* Is nothing brought in but header_name and what the course does not have, and no word made? */
static bool is_plain(const char *text, const char *header_name, VisibleOwn *own, void *of)
{
    bool plain = !strstr(text, "%:") && !strstr(text, "?\?=");
    for (const char *at = text; plain && (at = strchr(at, '#')) != NULL;) {
        at = over_blanks(at + 1);
        size_t n = word_length(at); /* none: ##, or a comment that hides what comes */
        plain = n > 0;
        if (is_word(at, "include")) plain = includes_plainly(at + n, header_name, own, of);
        else if (is_word(at, "include_next") || is_word(at, "import") || is_word(at, "embed"))
            plain = false;
    }
    return plain;
}

/* Does it stand behind #ifndef, #ifdef or #define? */
static bool is_exempt(const char *text, const char *at)
{
    static const char *const directives[] = {"ifndef", "ifdef", "define"};
    while (at > text && strchr(" \t\r\v\f", at[-1])) at--;
    const char *end = at;
    while (at > text && in_word(at[-1])) at--;
    size_t length = (size_t)(end - at);
    bool directive = false;
    for (size_t i = 0; i < sizeof directives / sizeof *directives && !directive; i++)
        directive = length == strlen(directives[i]) && !strncmp(at, directives[i], length);
    while (at > text && strchr(" \t\r\v\f", at[-1])) at--;
    return directive && at > text && at[-1] == '#';
}

/* exempt: behind those it does not count. */
static bool has_word(const char *text, const char *word, bool exempt)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        bool whole = (at == text || !in_word(at[-1])) && !in_word(at[length]);
        if (whole && !(exempt && is_exempt(text, at))) return true;
    }
    return false;
}

void visible_start(Visible *visible, const char *source, const char *header,
                   const char *header_name, VisibleOwn *own, void *of)
{
    *visible = (Visible){.source = joined(source), .header = joined(header)};
    blank_comments(visible->header);
    visible->all = !is_plain(visible->source, header_name, own, of) ||
                   !is_plain(visible->header, NULL, own, of);
}

bool visible_is(const Visible *visible, const char *parameter)
{
    return visible->all || has_word(visible->source, parameter, false) ||
           has_word(visible->header, parameter, true);
}

bool visible_is_all(const Visible *visible)
{
    /* the time, other files, and what only the compiler or the assembler knows the meaning of */
    static const char *const more[] =
        {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include", "__has_include_next",
         "GCC",      "_Pragma",  "__has_embed",   "asm",           "__asm",
         "__asm__"};
    bool all = !visible->all;
    for (size_t i = 0; i < sizeof more / sizeof *more && all; i++)
        all = !has_word(visible->source, more[i], false) &&
              !has_word(visible->header, more[i], false);
    return all;
}

void visible_release(Visible *visible)
{
    free(visible->source);
    free(visible->header);
    *visible = (Visible){0};
}
