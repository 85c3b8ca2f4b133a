/* mutate.c - small wrong changes to C code, for tests/mutate/run, which sees whether a test notices.
 *
 *   mutate choose SEED COUNT FILE...            COUNT mutants of the files, chosen by SEED: one a line,
 *                                               FILE:LINE  OFFSET  LENGTH  REPLACEMENT  KIND   (tabs between them)
 *   mutate make FILE OFFSET LENGTH REPLACEMENT  prints FILE with that change
 *   mutate probe MAP TREE FILE...               puts probes into TREE/FILE: each statement of a function, when it is come
 *                                               to, sets a byte of the file MAP. Prints them, one a line: FILE  OFFSET  LINE
 *   mutate place FILE OFFSET                    prints the OFFSET of the probe that tells whether a mutant there is reached
 *   mutate reached NUMBER FIRST LAST MAP...     which maps have probe NUMBER (from 0): MAP  how many of FIRST to LAST it
 *                                               has  how many in all
 *   mutate unreached MAP...                     the numbers (from 1) of the probes that none of the maps has
 *
 * A mutant changes one place: a comparison (its boundary, or == and !=), && and ||, + and -, a number by one, the
 * condition of an `if`, what a `return` returns, a statement that is left out. Only bodies of functions are changed, and
 * there no comments, words, preprocessor lines, assertions, tables, labels, no statement that only gives something back,
 * and not how much memory is asked for (too much of it changes nothing; too little is for the sanitizers to see). Nor what
 * is the same by the way it is written: `if (x > y) y = x;` and `x > y ? x : y` where the two are equal, and how far from 0
 * a comparison of qsort's answers; nor what only happens when malloc has failed, which no test can bring about there. The
 * lines are chosen first, then what happens to each, so that a line with many operators is no likelier than another. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Mutant {
    const char *file, *kind;
    unsigned line;
    size_t offset, length;
    char replacement[24];
} Mutant;

typedef struct Mutants { Mutant *all; size_t n, room; } Mutants;

typedef enum TokenKind { WORD, NUMBER, OPERATOR } TokenKind;

typedef struct Token {
    TokenKind kind;
    size_t from, to;
    unsigned line;
} Token;

typedef struct Source {
    const char *file;
    char *text;
    size_t length;
    Token *tokens;
    size_t n;
} Source;

static void fail(const char *what, const char *file)
{
    fprintf(stderr, "mutate: %s: %s\n", file, what);
    exit(2);
}

static void *more(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (!memory) fail("no memory", "-");
    return memory;
}

/* ---- a source as tokens; what cannot be changed has none ---- */

static void source_read(Source *source, const char *file)
{
    FILE *in = fopen(file, "rb");
    if (!in) fail("cannot be read", file);
    *source = (Source){.file = file};
    size_t room = 0, got;
    do {
        room = room * 2 + 65536;
        source->text = more(source->text, room + 1);
        got = fread(source->text + source->length, 1, room - source->length, in);
        source->length += got;
    } while (got);
    source->text[source->length] = 0;
    fclose(in);
}

static size_t after_quoted(const Source *s, size_t at)
{
    char quote = s->text[at++];
    while (s->text[at] && s->text[at] != quote && s->text[at] != '\n') at += s->text[at] == '\\' && s->text[at + 1] ? 2 : 1;
    return s->text[at] == quote ? at + 1 : at;
}

static size_t operator_length(const char *text)
{
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                            "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (!strncmp(text, operators[i], strlen(operators[i]))) return strlen(operators[i]);
    return 1;
}

static void source_tokens(Source *s)
{
    unsigned line = 1;
    bool line_begins = true;
    for (size_t at = 0; s->text[at];) {
        const char *text = s->text + at;
        size_t from = at;
        TokenKind kind = OPERATOR;

        if (*text == '\n') {
            line++, at++, line_begins = true;
            continue;
        }
        if (isspace((unsigned char)*text)) {
            at++;
            continue;
        }
        if (*text == '#' && line_begins) {
            while (s->text[at] && !(s->text[at] == '\n' && s->text[at - 1] != '\\')) line += s->text[at++] == '\n';
            continue;
        }
        line_begins = false;
        if (!strncmp(text, "//", 2)) {
            while (s->text[at] && s->text[at] != '\n') at++;
            continue;
        }
        if (!strncmp(text, "/*", 2)) {
            for (at += 2; s->text[at] && strncmp(s->text + at, "*/", 2); at++) line += s->text[at] == '\n';
            at += s->text[at] ? 2 : 0;
            continue;
        }

        if (*text == '"' || *text == '\'') {
            at = after_quoted(s, at);
            kind = WORD;
        } else if (isalpha((unsigned char)*text) || *text == '_') {
            while (isalnum((unsigned char)s->text[at]) || s->text[at] == '_') at++;
            kind = WORD;
        } else if (isdigit((unsigned char)*text)) {
            while (isalnum((unsigned char)s->text[at]) || s->text[at] == '.') at++;
            kind = NUMBER;
        } else {
            at += operator_length(text);
        }
        s->tokens = more(s->tokens, (s->n + 1) * sizeof *s->tokens);
        s->tokens[s->n++] = (Token){kind, from, at, line};
    }
}

static bool is(const Source *s, size_t token, const char *word)
{
    if (token >= s->n) return false;
    const Token *t = &s->tokens[token];
    return t->to - t->from == strlen(word) && !strncmp(s->text + t->from, word, t->to - t->from);
}

static bool is_one_of(const Source *s, size_t token, const char *const words[])
{
    for (; *words; words++)
        if (is(s, token, *words)) return true;
    return false;
}

/* The token that closes what `token` opens; n when nothing does. */
static size_t closing(const Source *s, size_t token)
{
    int depth = 0;
    for (size_t i = token; i < s->n; i++) {
        if (is(s, i, "(") || is(s, i, "[") || is(s, i, "{")) depth++;
        if (is(s, i, ")") || is(s, i, "]") || is(s, i, "}")) depth--;
        if (!depth) return i;
    }
    return s->n;
}

/* ---- the changes ---- */

static void add(Mutants *mutants, const Source *s, const char *kind, unsigned line, size_t from, size_t to,
                const char *replacement)
{
    if (mutants->n == mutants->room) {
        mutants->room = mutants->room * 2 + 1024;
        mutants->all = more(mutants->all, mutants->room * sizeof *mutants->all);
    }
    Mutant *m = &mutants->all[mutants->n++];
    *m = (Mutant){.file = s->file, .kind = kind, .line = line, .offset = from, .length = to - from};
    snprintf(m->replacement, sizeof m->replacement, "%s", replacement);
}

static void add_token(Mutants *mutants, const Source *s, const char *kind, size_t token, const char *replacement)
{
    const Token *t = &s->tokens[token];
    add(mutants, s, kind, t->line, t->from, t->to, replacement);
}

/* char text[160], *to = start(), more[2 * N + 1]; is the token at i between the square brackets of a declaration? */
static bool declares_room(const Source *s, size_t i)
{
    size_t begin = i;
    int depth = 0;                                          /* of brackets that are closed again before i */
    bool inside = false, another = false;                   /* past the opening bracket; past a comma before the name */
    for (; begin > 0; begin--) {
        if (!depth && (is(s, begin - 1, ";") || is(s, begin - 1, "{") || is(s, begin - 1, "}"))) break;
        depth += is(s, begin - 1, "]") || is(s, begin - 1, ")") || is(s, begin - 1, "}");
        if (is(s, begin - 1, "[") || is(s, begin - 1, "(") || is(s, begin - 1, "{")) {
            if (depth) depth--;
            else if (inside || !is(s, begin - 1, "[")) return false;
            else inside = true;
        }
        another |= inside && !depth && is(s, begin - 1, ",");
        if (!depth && !another && is(s, begin - 1, "=")) return false;      /* a value, not a size */
    }
    return inside && s->tokens[begin].kind == WORD && !is(s, begin, "return") && !is(s, begin, "case") && !is(s, begin, "else") &&
           (s->tokens[begin + 1].kind == WORD || is(s, begin + 1, "*"));
}

/* Whether the token is among what a call that gives memory is given. */
static bool asks_for_memory(const Source *s, size_t i)
{
    static const char *const calls[] = {"malloc", "calloc", "realloc", "memory_get", "memory_grow", "aligned_alloc", NULL};
    int depth = 0;
    for (size_t k = i; k > 0 && !is(s, k, ";") && !is(s, k, "{"); k--) {
        depth += is(s, k, ")") - is(s, k, "(");
        if (depth < 0 && is_one_of(s, k - 1, calls)) return true;
        if (depth < 0) depth = 0;
    }
    return false;
}

/* Behind what may stand before a statement. */
static bool statement_begins(const Source *s, size_t i)
{
    static const char *const before[] = {";", "{", "}", "else", "do", NULL};
    if (is_one_of(s, i - 1, before)) return true;
    if (!is(s, i - 1, ")")) return false;
    /* if (...) statement: the bracket that closes there was opened behind a word of that kind */
    int depth = 0;
    for (size_t k = i - 1; k > 0; k--) {
        if (is(s, k, ")")) depth++;
        if (is(s, k, "(")) depth--;
        if (!depth) return is(s, k - 1, "if") || is(s, k - 1, "for") || is(s, k - 1, "while") || is(s, k - 1, "switch");
    }
    return false;
}

/* Tokens of a source, from `from` to before `to`. */
typedef struct Piece { size_t from, to; } Piece;

static bool same_pieces(const Source *s, Piece a, Piece b)
{
    if (a.to - a.from != b.to - b.from || a.from == a.to) return false;
    for (size_t k = 0; k < a.to - a.from; k++) {
        const Token *x = &s->tokens[a.from + k], *y = &s->tokens[b.from + k];
        size_t length = x->to - x->from;
        if (length != y->to - y->from || memcmp(s->text + x->from, s->text + y->from, length)) return false;
    }
    return true;
}

/* What is on one side of the operator before or behind i, up to a word of `until`; nothing where it calls or steps. */
static Piece beside(const Source *s, size_t i, bool behind, const char *const until[])
{
    static const char *const acts[] = {"(", ")", "++", "--", "=", ",", ";", "{", "}", NULL};
    size_t from = i, to = behind ? i : i + 1;
    for (;;) {
        size_t next = behind ? to : from - 1;
        if (next >= s->n || !next || is_one_of(s, next, until)) break;
        if (is_one_of(s, next, acts)) return (Piece){0};
        if (behind) to++; else from--;
    }
    return behind ? (Piece){from, to} : (Piece){from, i};
}

/* Is the comparison at i that of `if (x > y) y = x;` or of `x > y ? x : y`? Where both are equal, it makes no difference. */
static bool takes_either(const Source *s, size_t i)
{
    static const char *const left[] = {"(", "=", "return", ",", "?", ":", "&&", "||", NULL}, *const right[] = {")", "?", NULL},
                      *const colon[] = {":", NULL}, *const equals[] = {"=", NULL}, *const ends[] = {";", ",", ")", ":", NULL};
    Piece x = beside(s, i, false, left), y = beside(s, i + 1, true, right), a, b;
    if (is(s, y.to, "?")) {
        a = beside(s, y.to + 1, true, colon);
        b = beside(s, a.to + 1, true, ends);
    } else {
        if (x.from < 2 || !is(s, x.from - 1, "(") || !is(s, x.from - 2, "if") || !is(s, y.to, ")")) return false;
        a = beside(s, y.to + 1, true, equals);
        b = beside(s, a.to + 1, true, ends);
    }
    return (same_pieces(s, x, a) && same_pieces(s, y, b)) || (same_pieces(s, x, b) && same_pieces(s, y, a));
}

/* Is the number at i what a comparison for qsort answers, but for its sign? */
static bool only_sign(const Source *s, size_t i, size_t body)
{
    size_t from = body - 2, back = i;                       /* before the bracket: the parameters */
    if (s->tokens[i].to - s->tokens[i].from != 1 || !is(s, i, "1")) return false;
    while (from && !is(s, from, "(")) from--;
    if (!is(s, from + 1, "const") || !is(s, from + 2, "void") || !is(s, from + 5, ",") || !is(s, from + 6, "const")) return false;
    if (is(s, back - 1, "-")) back--;
    return is(s, back - 1, "?") || is(s, back - 1, ":") || is(s, back - 1, "return");
}

/* Behind what is done when malloc has failed: `x = malloc(...); if (!x) ...`, with the `if` at i; otherwise i. */
static size_t after_no_memory(const Source *s, size_t i)
{
    static const char *const calls[] = {"malloc", "calloc", "realloc", "strdup", "strndup", "aligned_alloc", NULL},
                      *const until[] = {")", "||", NULL};
    size_t close = closing(s, i + 1), end = close + 1;
    for (size_t k = i + 1; k < close;) {                    /* each of the conditions, `!x || !y` */
        if (!is(s, k + 1, "!")) return i;
        Piece pointer = beside(s, k + 2, true, until);
        bool allocated = false;
        size_t length = pointer.to - pointer.from;
        for (size_t at = i; length && !allocated && at > length && i - at < 120; at--) {
            if (is(s, at, "{") && is(s, at - 1, ")") && !statement_begins(s, at)) break;        /* of the function */
            allocated = is_one_of(s, at, calls) && is(s, at - 1, "=") &&
                        same_pieces(s, pointer, (Piece){at - 1 - length, at - 1});
        }
        if (!allocated) return i;
        k = pointer.to;
    }
    if (is(s, end, "{")) return closing(s, end) + 1;
    while (end < s->n && !is(s, end, ";")) end++;
    return end;
}

static void change_operator(Mutants *mutants, const Source *s, size_t i)
{
    static const struct { const char *from, *to, *kind; } changes[] = {
        {"<", "<=", "boundary"}, {"<=", "<", "boundary"}, {">", ">=", "boundary"}, {">=", ">", "boundary"},
        {"==", "!=", "equality"}, {"!=", "==", "equality"}, {"&&", "||", "and, or"}, {"||", "&&", "and, or"},
        {"+", "-", "plus, minus"}, {"-", "+", "plus, minus"}, {"+=", "-=", "plus, minus"}, {"-=", "+=", "plus, minus"},
    };
    /* a sign is no operator between two values */
    const Token *before = i ? &s->tokens[i - 1] : NULL;
    if ((is(s, i, "+") || is(s, i, "-")) && (declares_room(s, i) || asks_for_memory(s, i))) return;
    if ((is(s, i, "<") || is(s, i, "<=") || is(s, i, ">") || is(s, i, ">=")) && takes_either(s, i)) return;
    bool between = before && (before->kind != OPERATOR || is(s, i - 1, ")") || is(s, i - 1, "]")) && !is(s, i - 1, "return");
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        if (is(s, i, changes[k].from) && between) add_token(mutants, s, changes[k].kind, i, changes[k].to);
}

static void change_number(Mutants *mutants, const Source *s, size_t i, size_t body)
{
    /* a little more or less room is the same */
    if (declares_room(s, i) || asks_for_memory(s, i)) return;

    char *end, text[24];
    unsigned long long value = strtoull(s->text + s->tokens[i].from, &end, 0);
    if (end != s->text + s->tokens[i].to || value > 1000000) return;       /* 1.5, 1u, 0x7fffffff */
    snprintf(text, sizeof text, "%llu", value + 1);
    if (!only_sign(s, i, body)) add_token(mutants, s, "number", i, text);
    if (!value) return;
    snprintf(text, sizeof text, "%llu", value - 1);
    add_token(mutants, s, "number", i, text);
}

/* The condition: from behind the opening bracket to before the closing one, in two pieces: "!(" is put in and the rest
 * is brought about by writing the closing bracket twice, which `make` does for this kind. */
static void negate(Mutants *mutants, const Source *s, size_t i)
{
    size_t close = closing(s, i + 1);
    if (!is(s, i + 1, "(") || close == s->n) return;
    add(mutants, s, "negated", s->tokens[i].line, s->tokens[i + 1].from, s->tokens[close].to, "");
}

static void change_return(Mutants *mutants, const Source *s, size_t i)
{
    size_t end = i;
    while (end < s->n && !is(s, end, ";")) end++;
    if (end == i + 1 || end == s->n) return;
    size_t from = s->tokens[i + 1].from, to = s->tokens[end].from;
    unsigned line = s->tokens[i].line;

    if (is(s, i + 1, "true") && end == i + 2) add(mutants, s, "return", line, from, to, "false");
    else if (is(s, i + 1, "false") && end == i + 2) add(mutants, s, "return", line, from, to, "true");
    else if (s->tokens[i + 1].kind != NUMBER || end != i + 2) add(mutants, s, "return", line, from, to, "0");
}

/* free(x), text_release(&x), fclose(file): what no behaviour shows. (The sanitizers look for leaks.) */
static bool frees(const Source *s, size_t i)
{
    static const char *const endings[] = {"free", "release", "close"};
    size_t length = s->tokens[i].to - s->tokens[i].from;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t n = strlen(endings[k]);
        if (is(s, i + 1, "(") && length >= n && !strncmp(s->text + s->tokens[i].to - n, endings[k], n)) return true;
    }
    return false;
}

/* A statement that begins at i, `what(...);` or `x.y = ...;` or `x++;`, is left out. */
static void leave_out(Mutants *mutants, const Source *s, size_t i)
{
    static const char *const no[] = {"return", "break", "continue", "goto", "case", "default", "if", "else", "for",
                                     "while", "do", "switch", "static", "const", "struct", "enum", "union", "unsigned",
                                     "int", "char", "bool", "double", "float", "size_t", "long", "void", "va_list", NULL};
    if (s->tokens[i].kind != WORD || is_one_of(s, i, no)) return;
    size_t end = i + 1;
    if (end < s->n && s->tokens[end].kind == WORD) return;                                  /* Type name */
    if (is(s, end, "*") || is(s, end, ":")) return;                                         /* Type *name; label: */
    if (frees(s, i)) return;
    while (end < s->n && !is(s, end, ";") && !is(s, end, "}")) end = is(s, end, "(") || is(s, end, "[") || is(s, end, "{")
                                                                         ? closing(s, end) + 1 : end + 1;
    if (!is(s, end, ";")) return;
    add(mutants, s, "left out", s->tokens[i].line, s->tokens[i].from, s->tokens[end].from, "(void)0");
}

/* Behind a table's last bracket, when one begins at i: `= {` at the start of a table in a function. */
static size_t after_table(const Source *s, size_t i)
{
    return is(s, i, "=") && is(s, i + 1, "{") ? closing(s, i + 1) + 1 : i;
}

static void change_body(Mutants *mutants, const Source *s, size_t from, size_t to)
{
    static const char *const skipped[] = {"assert", "static_assert", "_Static_assert", "sizeof", "__attribute__", NULL};
    size_t brackets = 0;                                    /* round ones that are open: for (;;) has no statements */
    for (size_t i = from; i < to; i++) {
        brackets += is(s, i, "(");
        brackets -= brackets && is(s, i, ")");
        if (is_one_of(s, i, skipped) && is(s, i + 1, "(")) {
            i = closing(s, i + 1);
            continue;
        }
        if (is(s, i, "case")) {
            while (i < to && !is(s, i, ":")) i++;
            continue;
        }
        if (is(s, i, "enum") || is(s, i, "static")) {       /* constants and tables */
            size_t end = i;
            while (end < to && !is(s, end, ";")) end = is(s, end, "{") ? closing(s, end) + 1 : end + 1;
            i = end;
            continue;
        }
        i = after_table(s, i);

        if (!brackets && statement_begins(s, i)) leave_out(mutants, s, i);
        if (is(s, i, "if")) {
            negate(mutants, s, i);
            size_t after = after_no_memory(s, i);
            if (after != i) {
                i = after - is(s, after - 1, "}");          /* a block's end begins a statement */
                continue;
            }
        }
        if (is(s, i, "return")) change_return(mutants, s, i);
        if (s->tokens[i].kind == OPERATOR) change_operator(mutants, s, i);
        if (s->tokens[i].kind == NUMBER) change_number(mutants, s, i, from);
    }
}

static void change_source(Mutants *mutants, const Source *s)
{
    for (size_t i = 1; i < s->n; i++) {
        if (!is(s, i, "{")) continue;
        size_t end = closing(s, i);
        if (is(s, i - 1, ")")) change_body(mutants, s, i + 1, end);
        i = end;
    }
}

/* ---- probes: which statements does a test come to? ---- */

/* Is the colon at i that of `case x:`, `default:` or a label? */
static bool label_ends(const Source *s, size_t i)
{
    static const char *const before[] = {";", "{", "}", NULL};
    size_t k = i;
    while (k > 0 && i - k < 8 && !is_one_of(s, k - 1, before) && !is(s, k, "case") && !is(s, k, "?")) k--;
    return is(s, k, "case") || (k + 1 == i && s->tokens[k].kind == WORD);
}

/* Does the bracket at i begin a block, in a block that begins like that itself? */
static bool block_begins(const Source *s, size_t i)
{
    static const char *const before[] = {";", "{", "}", "else", "do", NULL};
    if (is_one_of(s, i - 1, before)) return true;
    if (is(s, i - 1, ":")) return label_ends(s, i - 1);
    return is(s, i - 1, ")") && statement_begins(s, i);
}

/* A probe can stand before the token at i, behind the statement or the bracket at i - 1. */
static bool probe_fits(const Source *s, size_t i)
{
    static const char *const no[] = {"else", "while", "case", "default", "static", "static_assert", "_Static_assert", NULL};
    if (s->tokens[i].kind == NUMBER || is_one_of(s, i, no)) return false;
    if (s->tokens[i].kind == OPERATOR && !is(s, i, "*") && !is(s, i, "(") && !is(s, i, "++") && !is(s, i, "--")) return false;
    return !(s->tokens[i].kind == WORD && is(s, i + 1, ":"));
}

/* Marks the tokens of the block from `from` to `to` before which a probe stands. */
static void mark_block(const Source *s, size_t from, size_t to, bool *marked)
{
    bool behind = true;                                     /* of a statement, a block or a label */
    for (size_t i = from; i < to; i++) {
        if (is(s, i, "static") || is(s, i, "struct") || is(s, i, "union") || is(s, i, "enum")) {
            size_t end = i;                                 /* fields are no statements */
            while (end < to && !is(s, end, ";") && !is(s, end, "=") && !is(s, end, "(")) end = is(s, end, "{") ? closing(s, end) + 1 : end + 1;
            marked[i] = behind && probe_fits(s, i);
            behind = false;
            i = end - 1;
            continue;
        }
        if (behind && probe_fits(s, i)) marked[i] = true;
        behind = is(s, i, ";") || (is(s, i, ":") && label_ends(s, i));
        if (is(s, i, "(") || is(s, i, "[")) {
            i = closing(s, i);
        } else if (is(s, i, "{")) {
            size_t end = closing(s, i);
            behind = block_begins(s, i);
            if (behind) mark_block(s, i + 1, end, marked);
            i = end;
        }
    }
}

static bool *probe_marks(const Source *s)
{
    bool *marked = more(NULL, s->n + 1);
    memset(marked, 0, s->n + 1);
    for (size_t i = 1; i < s->n; i++) {
        if (!is(s, i, "{")) continue;
        size_t end = closing(s, i);
        if (is(s, i - 1, ")") && end > i + 1) {
            mark_block(s, i + 1, end, marked);
            marked[i + 1] = true;
        }
        i = end;
    }
    return marked;
}

/* In every file: the map is there when the program begins, where it can be opened; else what is set is lost. */
static const char probe_head[] =
    "#include <sys/syscall.h>\n"
    "extern long syscall(long, ...);\n"
    "__attribute__((weak)) unsigned char tl_reached_by_nobody[%zu], *tl_reached = tl_reached_by_nobody;\n"
    "__attribute__((constructor(101))) static void tl_reached_begins(void)\n"
    "{\n"
    "    if (tl_reached != tl_reached_by_nobody) return;\n"
    "    long file = syscall(SYS_openat, -100, \"%s\", 02 | 02000000);\n"
    "    if (file < 0) return;\n"
    "    long at = syscall(SYS_mmap, 0L, %zuL, 3L, 1L, file, 0L);\n"
    "    if (at > 0) tl_reached = (unsigned char *)at;\n"
    "    syscall(SYS_close, file);\n"
    "}\n"
    "#line 1 \"%s\"\n";

static int probe(const char *map, const char *tree, char **files, int n_files)
{
    Source *sources = more(NULL, (size_t)n_files * sizeof *sources);
    bool **marks = more(NULL, (size_t)n_files * sizeof *marks);
    size_t n = 0;
    for (int i = 0; i < n_files; i++) {
        source_read(&sources[i], files[i]);
        source_tokens(&sources[i]);
        marks[i] = probe_marks(&sources[i]);
        for (size_t k = 0; k < sources[i].n; k++) n += marks[i][k];
    }

    size_t number = 0;
    for (int i = 0; i < n_files; i++) {
        const Source *s = &sources[i];
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", tree, s->file);
        FILE *to = fopen(name, "wb");
        if (!to) fail("cannot be written", name);
        fprintf(to, probe_head, n, map, n, s->file);
        size_t at = 0;
        for (size_t k = 0; k < s->n; k++) {
            if (!marks[i][k]) continue;
            fwrite(s->text + at, 1, s->tokens[k].from - at, to);
            at = s->tokens[k].from;
            fprintf(to, "tl_reached[%zu]=1;", number++);
            printf("%s\t%zu\t%u\n", s->file, at, s->tokens[k].line);
        }
        fputs(s->text + at, to);
        if (fclose(to)) fail("cannot be written", name);
        free(s->text);
        free(s->tokens);
        free(marks[i]);
    }
    free(sources);
    free(marks);
    return fflush(stdout) || ferror(stdout) ? 2 : 0;
}

/* Where `closing` is at i, what it closes. */
static size_t opening(const Source *s, size_t i)
{
    int depth = 0;
    for (size_t k = i;; k--) {
        if (is(s, k, ")") || is(s, k, "]") || is(s, k, "}")) depth++;
        if (is(s, k, "(") || is(s, k, "[") || is(s, k, "{")) depth--;
        if (!depth || !k) return k;
    }
}

/* The statement in which the place is, or one around it that is always come to first. */
static int place(const char *file, const char *offset)
{
    Source s;
    source_read(&s, file);
    source_tokens(&s);
    bool *marked = probe_marks(&s);
    size_t at = strtoull(offset, NULL, 10), i = 0, found = at;
    while (i + 1 < s.n && s.tokens[i + 1].from <= at) i++;
    for (size_t k = i; k < s.n; k--) {
        if (k != i && (is(&s, k, ")") || is(&s, k, "]") || is(&s, k, "}"))) k = opening(&s, k);
        if (!marked[k]) continue;
        found = s.tokens[k].from;
        break;
    }
    printf("%zu\n", found);
    free(marked);
    free(s.tokens);
    free(s.text);
    return 0;
}

static int reached(size_t number, size_t first, size_t last, char **maps, int n)
{
    for (int i = 0; i < n; i++) {
        Source map;
        source_read(&map, maps[i]);
        size_t here = 0, all = 0;
        for (size_t k = 0; k < map.length; k++) {
            all += map.text[k] != 0;
            here += map.text[k] && k >= first && k <= last;
        }
        if (number < map.length && map.text[number]) printf("%s\t%zu\t%zu\n", maps[i], here, all);
        free(map.text);
    }
    return 0;
}

static int unreached(char **maps, int n)
{
    Source all = {0};
    for (int i = 0; i < n; i++) {
        Source map;
        source_read(&map, maps[i]);
        if (!i) all = map;
        for (size_t k = 0; i && k < map.length && k < all.length; k++) all.text[k] |= map.text[k];
        if (i) free(map.text);
    }
    for (size_t k = 0; k < all.length; k++)
        if (!all.text[k]) printf("%zu\n", k + 1);
    free(all.text);
    return 0;
}

/* ---- the choice ---- */

static uint64_t state;

static uint64_t random_below(uint64_t n)       /* splitmix64: the same everywhere */
{
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % n;
}

static int by_place(const void *a, const void *b)
{
    const Mutant *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (!order) order = (x->line > y->line) - (x->line < y->line);
    if (!order) order = (x->offset > y->offset) - (x->offset < y->offset);
    if (!order) order = strcmp(x->kind, y->kind);
    return order ? order : strcmp(x->replacement, y->replacement);
}

static void choose(Mutants *mutants, size_t count)
{
    size_t *lines = more(NULL, (mutants->n + 1) * sizeof *lines), n = 0;
    qsort(mutants->all, mutants->n, sizeof *mutants->all, by_place);
    for (size_t i = 0; i < mutants->n; i++)
        if (!i || mutants->all[i].line != mutants->all[i - 1].line || strcmp(mutants->all[i].file, mutants->all[i - 1].file))
            lines[n++] = i;
    lines[n] = mutants->n;

    size_t *order = more(NULL, (n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = 0; i < n && i < count; i++) {
        size_t other = i + (size_t)random_below(n - i), line = order[other];
        order[other] = order[i];
        const Mutant *m = &mutants->all[lines[line] + random_below(lines[line + 1] - lines[line])];
        printf("%s:%u\t%zu\t%zu\t%s\t%s\n", m->file, m->line, m->offset, m->length,
               *m->replacement ? m->replacement : "!", m->kind);
    }
    free(order);
    free(lines);
}

static int make(const char *file, const char *from, const char *bytes, const char *replacement)
{
    Source s;
    source_read(&s, file);
    size_t offset = strtoull(from, NULL, 10), length = strtoull(bytes, NULL, 10);
    if (offset > s.length || length > s.length - offset) fail("has no such place", file);

    fwrite(s.text, 1, offset, stdout);
    if (!strcmp(replacement, "!")) printf("(!%.*s)", (int)length, s.text + offset);
    else fputs(replacement, stdout);
    fputs(s.text + offset + length, stdout);
    free(s.text);
    return fflush(stdout) || ferror(stdout) ? 2 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 6 && !strcmp(argv[1], "make")) return make(argv[2], argv[3], argv[4], argv[5]);
    if (argc > 4 && !strcmp(argv[1], "probe")) return probe(argv[2], argv[3], argv + 4, argc - 4);
    if (argc == 4 && !strcmp(argv[1], "place")) return place(argv[2], argv[3]);
    if (argc > 5 && !strcmp(argv[1], "reached"))
        return reached(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), argv + 5, argc - 5);
    if (argc > 2 && !strcmp(argv[1], "unreached")) return unreached(argv + 2, argc - 2);
    if (argc < 5 || strcmp(argv[1], "choose")) {
        fputs("usage: mutate choose SEED COUNT FILE... | make FILE OFFSET LENGTH REPLACEMENT | probe MAP TREE FILE... |\n"
              "       place FILE OFFSET | reached NUMBER FIRST LAST MAP... | unreached MAP...\n", stderr);
        return 2;
    }
    Mutants mutants = {0};
    state = strtoull(argv[2], NULL, 10);
    for (int i = 4; i < argc; i++) {
        Source s;
        source_read(&s, argv[i]);
        source_tokens(&s);
        change_source(&mutants, &s);
        free(s.tokens);
        free(s.text);
    }
    choose(&mutants, strtoull(argv[3], NULL, 10));
    free(mutants.all);
    return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
