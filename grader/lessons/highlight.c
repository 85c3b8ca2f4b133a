/* highlight.c - see highlight.h. */
#include "grader/lessons/highlight.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "common/markup.h"
#include "common/text.h"

typedef struct Light {
    FILE *to;
    char *(*card)(void *, const char *);
    void *data;
    bool line_start; /* nothing but blanks stands before it on its line */
} Light;

static const char *const language[] = {
    "__constant__", "__device__", "__global__", "__host__", "__restrict__", "__shared__",
    "alignas",      "auto",       "bool",       "break",    "case",         "char",
    "class",        "const",      "constexpr",  "continue", "default",      "delete",
    "do",           "double",     "else",       "enum",     "extern",       "false",
    "float",        "for",        "goto",       "if",       "inline",       "int",
    "long",         "namespace",  "new",        "nullptr",  "operator",     "return",
    "short",        "signed",     "sizeof",     "size_t",   "static",       "struct",
    "switch",       "template",   "this",       "true",     "typedef",      "typename",
    "uint32_t",     "union",      "unsigned",   "using",    "void",         "volatile",
    "while",
};

static bool in_language(const char *word)
{
    for (size_t i = 0; i < sizeof language / sizeof *language; i++)
        if (!strcmp(language[i], word)) return true;
    return false;
}

static bool cuda_name(const char *word)
{
    return (!strncmp(word, "cuda", 4) && isupper((unsigned char)word[4])) ||
           (!strncmp(word, "cu", 2) && isupper((unsigned char)word[2])) ||
           (!strncmp(word, "CU", 2) && (word[2] == '_' || islower((unsigned char)word[2]))) ||
           !strncmp(word, "nvtx", 4);
}

static void put(const Light *l, const char *class, const char *at, size_t length)
{
    char *text = memory_format("%.*s", (int)length, at);
    if (class) fprintf(l->to, "<span class=\"%s\">", class);
    markup_write(l->to, text);
    if (class) fputs("</span>", l->to);
    free(text);
}

static size_t quoted(const char *at)
{
    size_t n = 1;
    while (at[n] && at[n] != '\n' && at[n] != at[0]) n += at[n] == '\\' && at[n + 1] ? 2 : 1;
    return n + (at[n] == at[0]);
}

static size_t comment(const char *at)
{
    if (at[1] == '/') return strcspn(at, "\n");
    const char *end = strstr(at + 2, "*/");
    return end ? (size_t)(end - at) + 2 : strlen(at);
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    return n;
}

static void put_word(const Light *l, const char *at, size_t length)
{
    char *word = memory_format("%.*s", (int)length, at),
         *card = l->card ? l->card(l->data, word) : NULL;
    const char *class = in_language(word) ? "k" : cuda_name(word) ? "f" : NULL;
    if (card) {
        fputs("<a class=\"f\" href=\"", l->to);
        markup_write(l->to, card);
        fputs("\">", l->to);
        markup_write(l->to, word);
        fputs("</a>", l->to);
    } else {
        put(l, class, at, length);
    }
    free(card);
    free(word);
}

/* Writes what stands there; returns its bytes. */
static size_t put_next(Light *l, const char *at)
{
    size_t n = 1;
    bool begins = l->line_start;
    l->line_start = *at == '\n' || (begins && (*at == ' ' || *at == '\t'));
    if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
        put(l, "c", at, n = comment(at));
    } else if (*at == '"' || *at == '\'') {
        put(l, "s", at, n = quoted(at));
    } else if (begins && *at == '#') {
        n += strspn(at + 1, " ");
        put(l, "p", at, n += word_length(at + n));
    } else if (!strncmp(at, "<<<", 3) || !strncmp(at, ">>>", 3)) {
        put(l, "x", at, n = 3);
    } else if (isdigit((unsigned char)*at)) {
        while (isalnum((unsigned char)at[n]) || at[n] == '.') n++;
        put(l, "n", at, n);
    } else if (isalpha((unsigned char)*at) || *at == '_') {
        put_word(l, at, n = word_length(at));
    } else {
        while ((at[n] & 0xc0) == 0x80) n++; /* a character beyond ASCII stays whole */
        put(l, NULL, at, n);
    }
    return n;
}

void highlight_cuda(FILE *to, const char *source, char *(*card)(void *, const char *), void *data)
{
    Light l = {.to = to, .card = card, .data = data, .line_start = true};
    while (*source) source += put_next(&l, source);
}
