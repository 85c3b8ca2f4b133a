#include "sim/rewrite/macros.h"
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"

enum { EXPANSION_DEPTH = 16, EXPANSION_BYTES = 1 << 16 };

static void rehash(Macros *macros)
{
    macros->buckets = macros->buckets ? macros->buckets * 4 : 256;
    macros->bucket = must_resize(macros->bucket, macros->buckets * sizeof *macros->bucket);
    for (uint32_t i = 0; i < macros->buckets; i++) macros->bucket[i] = TOKEN_NONE;
    for (uint32_t i = 0; i < macros->count; i++) {
        Macro *macro = &macros->item[i];
        uint32_t *head = &macros->bucket[hash_bytes(macros->text + macro->name, macro->name_size) %
                                         macros->buckets];
        macro->next = *head;
        *head = i;
    }
}

void macros_add(Macros *macros, const char *text, uint32_t start, uint32_t end, uint32_t line,
                const SourceFile *file)
{
    Tokens all = {0};
    macros->text = text;
    lex_part(&all, text, start + 1, end, line, file); /* define NAME ... */
    if (all.count < 2 || all.item[1].kind != TOKEN_NAME) {
        tokens_release(&all);
        return;
    }
    Macro macro = {.define = start,
                   .end = end,
                   .name = all.item[1].start,
                   .name_size = all.item[1].size};
    uint32_t body = token_end(&all, 1);
    /* function-like: the parenthesis touches the name */
    if (token_is_char(&all, 2, '(') && all.item[2].start == body) {
        macro.function_like = true;
        uint32_t close = all.item[2].match;
        if (close != TOKEN_NONE) {
            lex_part(&macro.parameters, text, all.item[2].start + 1, all.item[close].start, line,
                     file);
            body = token_end(&all, close);
        } else {
            body = end;
        }
    }
    lex_part(&macro.body, text, body, end, line, file);
    tokens_release(&all);
    if (macros->count == macros->room) {
        macros->room = macros->room ? macros->room * 2 : 64;
        macros->item = must_resize(macros->item, macros->room * sizeof *macros->item);
    }
    macros->item[macros->count++] = macro;
}

const Macro *macros_find(const Macros *macros, const Tokens *tokens, uint32_t token)
{
    if (!macros->count || token >= tokens->count || tokens->item[token].kind != TOKEN_NAME)
        return NULL;
    const Token *t = &tokens->item[token];
    const char *name = tokens->text + t->start;
    uint32_t i = macros->bucket[hash_bytes(name, t->size) % macros->buckets];
    for (; i != TOKEN_NONE; i = macros->item[i].next) {
        const Macro *macro = &macros->item[i];
        if (macro->name_size == t->size && !memcmp(macros->text + macro->name, name, t->size))
            return macro;
    }
    return NULL;
}

/* <<< a, b >>> and nothing else */
static bool is_configuration(const Tokens *body)
{
    uint32_t n = body->count;
    if (n < 4 || body->item[0].kind != TOKEN_LAUNCH) return false;
    for (uint32_t i = 1; i < n; i++)
        if (body->item[i].kind == TOKEN_LAUNCH) return false;
    return token_is_char(body, n - 1, '>') && token_is_char(body, n - 2, '>') &&
           token_is_char(body, n - 3, '>');
}

/* __global__ ... { without the } */
static bool opens_kernel(const Tokens *body)
{
    bool global = false;
    for (uint32_t i = 0; i < body->count; i++) {
        global |= token_is(body, i, "__global__");
        if (global && token_is_char(body, i, '{') && body->item[i].match == TOKEN_NONE) return true;
    }
    return false;
}

void macros_finish(Macros *macros)
{
    while (macros->buckets < macros->count + 1) rehash(macros);
    rehash(macros);
    for (uint32_t i = 0; i < macros->count; i++) {
        Macro *macro = &macros->item[i];
        macro->configuration = is_configuration(&macro->body);
        macro->opens_kernel = opens_kernel(&macro->body);
    }
    /* a macro may use one that is defined later: go on until nothing changes, which is soon */
    bool changed = true;
    for (int round = 0; changed && round < EXPANSION_DEPTH; round++) {
        changed = false;
        for (uint32_t i = 0; i < macros->count; i++) {
            Macro *macro = &macros->item[i];
            bool global = false, braces = false;
            if (macro->signature) continue;
            for (uint32_t k = 0; k < macro->body.count; k++) {
                const Macro *inner = macros_find(macros, &macro->body, k);
                global |= token_is(&macro->body, k, "__global__") || (inner && inner->signature);
                braces |=
                    token_is_char(&macro->body, k, '{') || token_is_char(&macro->body, k, ';');
            }
            if (global && !braces) changed = macro->signature = true;
        }
    }
}

/* ---- replacing ---- */

typedef struct Arguments {
    uint32_t first[64], last[64]; /* token ranges; last < first: empty */
    uint32_t count;
} Arguments;

static void split_arguments(const Tokens *tokens, uint32_t open, Arguments *arguments)
{
    uint32_t close = tokens->item[open].match, first = open + 1;
    arguments->count = 0;
    for (uint32_t i = open + 1; i <= close; i++) {
        if (i < close && tokens->item[i].match != TOKEN_NONE && tokens->item[i].match > i)
            i = tokens->item[i].match;
        if (i < close && !token_is_char(tokens, i, ',')) continue;
        if (arguments->count == 64) return;
        arguments->first[arguments->count] = first;
        arguments->last[arguments->count++] = i - 1;
        first = i + 1;
    }
}

static bool expand(const Macros *, const Tokens *, uint32_t first, uint32_t last, Bytes *out,
                   int depth);

/* Adds one token, or what it stands for among the parameters of macro. */
static bool substituted(const Macros *macros, const Macro *macro, uint32_t k, const Tokens *tokens,
                        const Arguments *arguments, Bytes *out, int depth)
{
    uint32_t index = 0;
    const Tokens *names = &macro->parameters;
    const Token *t = &macro->body.item[k];
    for (uint32_t i = 0; i < names->count && t->kind == TOKEN_NAME; i++) {
        const Token *name = &names->item[i];
        bool rest = token_is(names, i, "...");
        bool same = rest ? token_is(&macro->body, k, "__VA_ARGS__")
                         : name->size == t->size &&
                               !memcmp(names->text + name->start, names->text + t->start, t->size);
        if (same) {
            uint32_t last = rest ? arguments->count : index + 1;
            for (uint32_t a = index; a < last && a < arguments->count; a++) {
                if (a > index) bytes_add_string(out, " , ");
                if (arguments->last[a] + 1 > arguments->first[a])
                    expand(macros, tokens, arguments->first[a], arguments->last[a], out, depth + 1);
            }
            return true;
        }
        if (token_is_char(names, i, ',')) index++;
    }
    return false;
}

static bool expand(const Macros *macros, const Tokens *tokens, uint32_t first, uint32_t last,
                   Bytes *out, int depth)
{
    bool any = false;
    for (uint32_t i = first; i <= last && i < tokens->count; i++) {
        const Token *t = &tokens->item[i];
        const Macro *macro = depth < EXPANSION_DEPTH ? macros_find(macros, tokens, i) : NULL;
        uint32_t close = i;
        if (macro && macro->function_like) {
            close = i + 1 <= last && token_is_char(tokens, i + 1, '(') ? tokens->item[i + 1].match
                                                                       : TOKEN_NONE;
            if (close == TOKEN_NONE || close > last) macro = NULL;
        }
        if (out->size > EXPANSION_BYTES) return any;
        if (!macro) {
            if (t->kind >= TOKEN_IF) continue;
            bytes_add(out, tokens->text + t->start, t->size);
            bytes_add_char(out, ' ');
            continue;
        }
        any = true;
        Arguments arguments = {.count = 0};
        if (macro->function_like) split_arguments(tokens, i + 1, &arguments);
        Bytes body = {0};
        bytes_add_string(&body, "");
        for (uint32_t k = 0; k < macro->body.count && body.size <= EXPANSION_BYTES; k++) {
            const Token *part = &macro->body.item[k];
            if (token_is(&macro->body, k, "##")) {
                while (body.size && body.data[body.size - 1] == ' ') body.data[--body.size] = 0;
                continue;
            }
            if (!substituted(macros, macro, k, tokens, &arguments, &body, depth)) {
                bytes_add(&body, macro->body.text + part->start, part->size);
                bytes_add_char(&body, ' ');
            }
        }
        Tokens again = {0};
        lex_part(&again, body.data, 0, (uint32_t)body.size, 1, &tokens->file[0]);
        if (again.count) expand(macros, &again, 0, again.count - 1, out, depth + 1);
        tokens_release(&again);
        bytes_release(&body);
        i = close;
    }
    return any;
}

bool macros_expand(const Macros *macros, const Tokens *tokens, uint32_t first, uint32_t last,
                   Bytes *out)
{
    bytes_add_string(out, "");
    return expand(macros, tokens, first, last, out, 0);
}

void macros_release(Macros *macros)
{
    for (uint32_t i = 0; i < macros->count; i++) {
        tokens_release(&macros->item[i].parameters);
        tokens_release(&macros->item[i].body);
    }
    free(macros->item);
    free(macros->bucket);
    *macros = (Macros){0};
}
