#include "sim/rewrite/arch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/rewrite/kernels.h"
#include "sim/rewrite/lexer.h"
#include "sim/rewrite/macros.h"

/* ---- is it mentioned? ---- */

static bool file_mentions(const char *path, const char *word)
{
    FILE *file = fopen(path, "rb");
    char buffer[1 << 14];
    size_t kept = 0, length = strlen(word);
    bool found = false;
    if (!file) return false;
    for (size_t got; !found && (got = fread(buffer + kept, 1, sizeof buffer - kept, file)) > 0;) {
        size_t size = kept + got;
        found = memmem(buffer, size, word, length) != NULL;
        kept = size < length ? size : length - 1; /* the word may lie across two reads */
        memmove(buffer, buffer + size - kept, kept);
    }
    fclose(file);
    return found;
}

bool arch_is_tested(const Bytes *text, const RewriteOptions *options)
{
    Args seen = {0};
    bool found = false;
    const char *end = text->data + text->size;
    for (const char *at = text->data; at && at < end && !found;
         at = memmem(at, (size_t)(end - at), "\n# ", 3)) {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        const char *newline = memchr(at + 1, '\n', (size_t)(end - at - 1));
        if (*at == '\n') at++;
        else if (*at != '#') continue;
        if (!quote || !newline || quote > newline) continue;
        const char *close = memchr(quote + 1, '"', (size_t)(newline - quote - 1));
        if (!close || close[-1] == '\\' || quote[1] == '<') continue;
        if (memmem(close, (size_t)(newline - close), " 3", 2)) continue;
        Bytes name = {0};
        bytes_add(&name, quote + 1, (size_t)(close - quote - 1));
        bool known = options->skip_directory && starts_with(name.data, options->skip_directory);
        for (int i = 0; i < seen.count && !known; i++) known = !strcmp(seen.item[i], name.data);
        if (!known && seen.count < 1000) {
            args_add(&seen, name.data);
            found = file_mentions(name.data, "__CUDA_ARCH__");
        }
        bytes_release(&name);
    }
    args_release(&seen);
    return found;
}

/* ---- the bodies of device functions ---- */

typedef struct Body {
    uint32_t open, close; /* tokens */
    bool both;            /* __host__ as well */
} Body;

typedef struct Side {
    Tokens tokens;
    Macros macros;
    const char *text;
    Body *body;
    uint32_t bodies, room;
} Side;

static void remember_define(void *arg, uint32_t start, uint32_t end, uint32_t line, uint32_t file)
{
    Side *side = arg;
    const SourceFile *source = &side->tokens.file[file];
    if (source->quoted[1] != '<') macros_add(&side->macros, side->text, start, end, line, source);
}

/* True if the token is that word, or a macro of the program that brings it. */
static bool brings(const Side *side, const Tokens *tokens, uint32_t i, const char *word, int depth)
{
    if (token_is(tokens, i, word)) return true;
    const Macro *macro = depth < 8 ? macros_find(&side->macros, tokens, i) : NULL;
    for (uint32_t k = 0; macro && !macro->function_like && k < macro->body.count && k < 16; k++)
        if (brings(side, &macro->body, k, word, depth + 1)) return true;
    return false;
}

static void read_side(Side *side, const Bytes *text, const RewriteOptions *options)
{
    LexOptions lexing = {options->file_name, options->skip_directory, NULL, remember_define, side};
    const Tokens *tokens = &side->tokens;
    side->text = text->data;
    lex(&side->tokens, text->data, text->size, &lexing);
    macros_finish(&side->macros);
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (tokens->item[i].kind != TOKEN_NAME) continue;
        bool global = brings(side, tokens, i, "__global__", 0);
        if (!global && !brings(side, tokens, i, "__device__", 0)) continue;
        uint32_t open = kernel_body(tokens, i, false);
        if (open == TOKEN_NONE) continue;
        /* __host__ is one of the words beside it */
        bool both = false;
        for (uint32_t k = i + 1; k-- > 0 && i - k < 16 && tokens->item[k].kind == TOKEN_NAME;)
            both |= brings(side, tokens, k, "__host__", 0);
        for (uint32_t k = i; k < open && k - i < 16 && tokens->item[k].kind == TOKEN_NAME; k++)
            both |= brings(side, tokens, k, "__host__", 0);
        if (side->bodies == side->room) {
            side->room = side->room ? side->room * 2 : 32;
            side->body = must_resize(side->body, side->room * sizeof *side->body);
        }
        side->body[side->bodies++] = (Body){open, tokens->item[open].match, both && !global};
        i = tokens->item[open].match;
    }
}

static void release_side(Side *side)
{
    free(side->body);
    macros_release(&side->macros);
    tokens_release(&side->tokens);
}

static bool same_place(const Side *a, uint32_t i, const Side *b, uint32_t k)
{
    const Token *left = &a->tokens.item[i], *right = &b->tokens.item[k];
    return left->line == right->line &&
           left->start - left->line_start == right->start - right->line_start &&
           !strcmp(a->tokens.file[left->file].quoted, b->tokens.file[right->file].quoted);
}

/* True when the two bodies read the same and do not depend on the value. */
static bool same_body(const Side *a, const Body *left, const Side *b, const Body *right)
{
    if (left->close - left->open != right->close - right->open) return false;
    for (uint32_t n = 0; n <= left->close - left->open; n++) {
        const Token *x = &a->tokens.item[left->open + n], *y = &b->tokens.item[right->open + n];
        if (x->size != y->size || memcmp(a->text + x->start, b->text + y->start, x->size))
            return false;
        if (token_is(&a->tokens, left->open + n, "__CUDA_ARCH__")) return false;
        if (x->kind >= TOKEN_IF) return false; /* a condition that is still there may be about it */
    }
    return true;
}

static void marker(const Side *side, uint32_t token, uint32_t column, Bytes *out)
{
    const Token *t = &side->tokens.item[token];
    const SourceFile *file = &side->tokens.file[t->file];
    bytes_format(out, "\n# %u %s%s\n", t->line, file->quoted, file->system ? " 3" : "");
    bytes_add_spaces(out, column < 2000 ? column : 0);
}

static uint32_t column_of(const Side *side, uint32_t token)
{
    return side->tokens.item[token].start - side->tokens.item[token].line_start;
}

static void add_body(const Side *side, const Body *body, Bytes *out)
{
    marker(side, body->open, column_of(side, body->open), out);
    uint32_t start = side->tokens.item[body->open].start;
    bytes_add(out, side->text + start, token_end(&side->tokens, body->close) - start);
}

/* ---- functions that only device code has ---- */

/* The name of the function whose body begins at open: what stands before its parameter list. */
static uint32_t name_of(const Tokens *tokens, uint32_t open)
{
    for (uint32_t i = open; i-- > 1;) {
        if (token_is_char(tokens, i, ';') || token_is_char(tokens, i, '}') ||
            token_is_char(tokens, i, '{'))
            break;
        if (!token_is_char(tokens, i, ')') || tokens->item[i].match >= i || !tokens->item[i].match)
            continue;
        i = tokens->item[i].match;
        if (tokens->item[i - 1].kind == TOKEN_NAME && !token_is(tokens, i - 1, "noexcept"))
            return i - 1;
    }
    return TOKEN_NONE;
}

/* Is there a definition of a function of that name? */
static bool defines(const Side *side, const char *name, uint32_t size)
{
    const Tokens *tokens = &side->tokens;
    for (uint32_t i = 1; i + 1 < tokens->count; i++) {
        const Token *t = &tokens->item[i];
        if (t->kind != TOKEN_NAME || t->size != size || memcmp(side->text + t->start, name, size))
            continue;
        uint32_t close = token_is_char(tokens, i + 1, '(') ? tokens->item[i + 1].match : TOKEN_NONE;
        if (close == TOKEN_NONE) continue;
        while (close + 1 < tokens->count && tokens->item[close + 1].kind == TOKEN_NAME)
            close++; /* const noexcept */
        if (token_is_char(tokens, close + 1, '{')) return true;
    }
    return false;
}

/* The first token of the definition, if it stands in no class or function; else TOKEN_NONE. */
static uint32_t start_of(const Tokens *tokens, uint32_t open)
{
    uint32_t start = open;
    while (start > 0 && !token_is_char(tokens, start - 1, ';') &&
           !token_is_char(tokens, start - 1, '}') && !token_is_char(tokens, start - 1, '{'))
        start--;
    for (uint32_t i = start; i-- > 0;) {
        if (token_is_char(tokens, i, '}') && tokens->item[i].match < i) i = tokens->item[i].match;
        else if (token_is_char(tokens, i, '{') &&
                 !(i > 0 && (token_is(tokens, i - 1, "namespace") ||
                             (i > 1 && token_is(tokens, i - 2, "namespace")) ||
                             tokens->item[i - 1].kind == TOKEN_STRING)))
            return TOKEN_NONE;
    }
    return start;
}

/* Where in the host text a function of the device text belongs: the token that it stands before. It
 * must be alone there: not the other version of a function that the host text has elsewhere. */
static uint32_t place_of(const Side *host, const Side *device, uint32_t open, uint32_t *start)
{
    const Tokens *tokens = &device->tokens;
    uint32_t name = name_of(tokens, open), last = TOKEN_NONE;
    *start = start_of(tokens, open);
    if (name == TOKEN_NONE || *start == TOKEN_NONE ||
        defines(host, device->text + tokens->item[name].start, tokens->item[name].size))
        return TOKEN_NONE;
    const Token *first = &tokens->item[*start];
    const char *file = tokens->file[first->file].quoted;
    for (uint32_t i = 0; i < host->tokens.count; i++) {
        const Token *t = &host->tokens.item[i];
        if (strcmp(host->tokens.file[t->file].quoted, file) != 0) continue;
        if (t->line > first->line) return last == TOKEN_NONE || last + 1 == i ? i : last + 1;
        last = i;
    }
    return last != TOKEN_NONE && last + 1 < host->tokens.count ? last + 1 : TOKEN_NONE;
}

/* Copies the host text up to there, with what only the device text has in between. */
static uint32_t copy_up_to(const Side *host, const Side *device, uint32_t copied, uint32_t end,
                           uint32_t *next, uint32_t bodies, int arch, Bytes *out)
{
    for (; *next < bodies; ++*next) {
        const Body *body = &device->body[*next];
        uint32_t start, before = place_of(host, device, body->open, &start);
        if (before == TOKEN_NONE) continue;
        uint32_t at = host->tokens.item[before].line_start;
        if (at > end || at < copied) continue;
        bytes_add(out, host->text + copied, at - copied);
        bytes_format(out, "\n#define __CUDA_ARCH__ %d", arch);
        marker(device, start, column_of(device, start), out);
        uint32_t from = device->tokens.item[start].start;
        bytes_add(out, device->text + from, token_end(&device->tokens, body->close) - from);
        bytes_add_string(out, "\n#undef __CUDA_ARCH__");
        marker(host, before, 0, out);
        copied = at;
    }
    bytes_add(out, host->text + copied, end - copied);
    return end;
}

void arch_merge(const Bytes *host, const Bytes *device, const RewriteOptions *options, int arch,
                Bytes *out)
{
    Side a = {0}, b = {0};
    uint32_t copied = 0, k = 0;
    read_side(&a, host, options);
    read_side(&b, device, options);
    /* after the first line, which names the source */
    const char *first = memchr(host->data, '\n', host->size);
    if (first) {
        copied = (uint32_t)(first - host->data) + 1;
        bytes_add(out, host->data, copied);
        bytes_add_string(
            out, "extern \"C\" bool threelane_in_kernel(void);\n"
                 "namespace tl { constexpr bool in_kernel() "
                 "{ return !__builtin_is_constant_evaluated() && ::threelane_in_kernel(); } }\n");
        bytes_add(out, host->data, *host->data == '#' ? copied : 0);
    }
    for (uint32_t i = 0; i < a.bodies; i++) {
        const Body *left = &a.body[i];
        uint32_t n = k;
        while (n < b.bodies && !same_place(&a, left->open, &b, b.body[n].open)) n++;
        if (n == b.bodies) continue; /* there is no such function in device code */
        const Body *right = &b.body[n];
        uint32_t start = a.tokens.item[left->open].start;
        copied = copy_up_to(&a, &b, copied, start > copied ? start : copied, &k, n, arch, out);
        k = n + 1;
        if (start < copied || same_body(&a, left, &b, right)) continue;
        copied = token_end(&a.tokens, left->close);
        if (left->both) bytes_add_string(out, "{ if (::tl::in_kernel())");
        bytes_format(out, "\n#define __CUDA_ARCH__ %d", arch);
        add_body(&b, right, out);
        bytes_add_string(out, "\n#undef __CUDA_ARCH__\n");
        if (left->both) {
            bytes_add_string(out, "else");
            add_body(&a, left, out);
            bytes_add_string(out, " }");
        }
        marker(&a, left->close, column_of(&a, left->close) + 1, out);
    }
    copy_up_to(&a, &b, copied, (uint32_t)host->size, &k, b.bodies, arch, out);
    release_side(&a);
    release_side(&b);
}
