#include "sim/rewrite/kernels.h"
#include <string.h>

enum { DECLARATION_TOKENS = 4096 }; /* nobody writes a longer one */

static bool one_of(const Tokens *tokens, uint32_t i, const char *const *words)
{
    for (; *words; words++)
        if (token_is(tokens, i, *words)) return true;
    return false;
}

static const char *const followed_by_group[] =
    {"__launch_bounds__", "__attribute__", "__attribute",    "alignas",  "_Alignas", "__align__",
     "__cluster_dims__",  "__maxnreg__",   "__block_size__", "noexcept", "requires", "decltype",
     "explicit",          "__declspec",    "throw",          NULL};
static const char *const qualifiers[] =
    {"const",        "volatile",          "struct",    "class",        "enum",          "union",
     "typename",     "register",          "restrict",  "__restrict__", "__restrict",    "__const",
     "__volatile__", "__grid_constant__", "constexpr", "template",     "__extension__", NULL};
static const char *const builtin_types[] = {"void",       "bool",     "char",    "short",
                                            "int",        "long",     "float",   "double",
                                            "signed",     "unsigned", "wchar_t", "char8_t",
                                            "char16_t",   "char32_t", "auto",    "__int128",
                                            "__signed__", "_Bool",    "__half",  "size_t",
                                            NULL};

uint32_t angle_close(const Tokens *tokens, uint32_t i, uint32_t last)
{
    int depth = 0;
    uint32_t most = i + DECLARATION_TOKENS;
    for (uint32_t k = i; k < tokens->count && k <= last && k < most; k++) {
        const Token *t = &tokens->item[k];
        if (t->kind >= TOKEN_IF || t->kind == TOKEN_LAUNCH) return TOKEN_NONE;
        if (t->kind != TOKEN_PUNCTUATOR) continue;
        if (t->size == 1 && strchr("([{", t->first)) {
            if (t->match == TOKEN_NONE || t->match > last) return TOKEN_NONE;
            k = t->match;
        } else if (t->size == 1 && strchr(")]};", t->first)) {
            return TOKEN_NONE;
        } else if (t->size == 1 && t->first == '<') {
            depth++;
        } else if (t->first == '>' && --depth == 0) {
            return k;
        }
    }
    return TOKEN_NONE;
}

/* The token after i, or after the bracket that opens there. */
static uint32_t after(const Tokens *tokens, uint32_t i, uint32_t last)
{
    const Token *t = &tokens->item[i];
    if (t->kind == TOKEN_PUNCTUATOR && t->size == 1 && strchr("([{", t->first) &&
        t->match != TOKEN_NONE && t->match > i)
        return t->match + 1;
    if (token_is_char(tokens, i, '<') && i > 0 && tokens->item[i - 1].kind == TOKEN_NAME) {
        uint32_t close = angle_close(tokens, i, last);
        if (close != TOKEN_NONE) return close + 1;
    }
    return i + 1;
}

static void add_name(Bytes *names, const char *name, size_t size, bool pack)
{
    if (names->size) bytes_add_string(names, ", ");
    bytes_add(names, name, size);
    if (pack) bytes_add_string(names, "...");
}

typedef struct Parameter {
    uint32_t name;  /* TOKEN_NONE: it has none */
    uint32_t place; /* where a name would go: before this token */
    bool pack;
    bool void_only;
    bool reference;
} Parameter;

/* One parameter, tokens first..end-1. */
static Parameter read_parameter(const Tokens *tokens, uint32_t first, uint32_t end)
{
    Parameter parameter = {TOKEN_NONE, end, false, false, false};
    bool type = false;
    parameter.void_only = end == first + 1 && token_is(tokens, first, "void");
    for (uint32_t i = first; i < end; i = after(tokens, i, end - 1)) {
        const Token *t = &tokens->item[i];
        bool group = token_is_char(tokens, i, '(');
        if (token_is_char(tokens, i, '=')) {
            if (parameter.place == end) parameter.place = i;
            break;
        }
        if (token_is(tokens, i, "...")) {
            parameter.pack = true;
        } else if (token_is_char(tokens, i, '&') || token_is(tokens, i, "&&")) {
            parameter.reference = true;
        } else if (group && type && parameter.name == TOKEN_NONE && t->match != TOKEN_NONE &&
                   t->match < end) {
            /* a declarator in parentheses: T (*name)(int), T (&name)[4] */
            parameter.place = t->match;
            for (uint32_t k = i + 1; k < t->match; k++) {
                if (token_is_char(tokens, k, '[') || token_is_char(tokens, k, '(')) {
                    parameter.place = k;
                    break;
                }
                if (token_is_char(tokens, k, '&')) parameter.reference = true;
                if (tokens->item[k].kind == TOKEN_NAME && !one_of(tokens, k, qualifiers) &&
                    !token_is(tokens, k + 1, "::"))
                    parameter.name = k;
            }
            break;
        } else if (token_is_char(tokens, i, '[')) {
            if (i + 1 < end && token_is_char(tokens, i + 1, '[')) continue; /* an attribute */
            if (type && parameter.place == end) parameter.place = i;
        } else if (t->kind == TOKEN_NAME) {
            if (one_of(tokens, i, qualifiers)) continue;
            if (one_of(tokens, i, followed_by_group) && token_is_char(tokens, i + 1, '(')) {
                type |= token_is(tokens, i, "decltype");
                if (tokens->item[i + 1].match < end) i = tokens->item[i + 1].match;
            } else if (one_of(tokens, i, builtin_types) || !type ||
                       (i > first && token_is(tokens, i - 1, "::"))) {
                type = true;
            } else if (parameter.name == TOKEN_NONE) {
                parameter.name = i;
            }
        }
    }
    return parameter;
}

/* Names of the parameters between the parentheses open and its match. kernel: give names to those
 * that have none. */
static void read_parameters(const Tokens *tokens, uint32_t open, Bytes *names, Bytes *references,
                            Kernel *kernel)
{
    uint32_t close = tokens->item[open].match, first = open + 1;
    int number = 0;
    for (uint32_t i = open + 1; i <= close; i = i < close ? after(tokens, i, close - 1) : i + 1) {
        if (i < close && !token_is_char(tokens, i, ',')) continue;
        number++;
        Parameter parameter = read_parameter(tokens, first, i);
        if (first < i && !parameter.void_only) {
            if (parameter.name != TOKEN_NONE) {
                const Token *t = &tokens->item[parameter.name];
                if (token_is(tokens, parameter.name, "__VA_ARGS__")) return;
                add_name(names, tokens->text + t->start, t->size, parameter.pack);
                if (parameter.reference)
                    bytes_format(references, ", &%.*s%s", (int)t->size, tokens->text + t->start,
                                 parameter.pack ? "..." : "");
            } else if (token_is(tokens, first, "__VA_ARGS__") ||
                       (i == first + 1 && token_is(tokens, first, "..."))) {
                return;
            } else if (kernel && kernel->named_count < KERNEL_NEW_NAMES) {
                Bytes name = {0};
                bytes_format(&name, "tl_unnamed%d", number);
                add_name(names, name.data, name.size, parameter.pack);
                bytes_release(&name);
                kernel->named[kernel->named_count].before = parameter.place;
                kernel->named[kernel->named_count++].number = number;
            } else {
                return; /* the following ones cannot be told apart from it */
            }
        }
        first = i + 1;
    }
}

/* The parenthesis of the parameter list in first..last-1: the last one at the outermost level that
 * belongs to no attribute. */
static uint32_t parameter_list(const Tokens *tokens, uint32_t first, uint32_t last)
{
    uint32_t found = TOKEN_NONE;
    for (uint32_t i = first; i < last; i = after(tokens, i, last - 1)) {
        uint32_t close = tokens->item[i].match;
        bool group = token_is_char(tokens, i, '(') && close != TOKEN_NONE && close < last;
        if (group && i > first && !one_of(tokens, i - 1, followed_by_group)) found = i;
    }
    return found;
}

uint32_t kernel_body(const Tokens *tokens, uint32_t i, bool list)
{
    uint32_t most = i + DECLARATION_TOKENS;
    for (uint32_t k = i + 1; k < tokens->count && k < most; k = after(tokens, k, most)) {
        if (token_is_char(tokens, k, '{'))
            return list && tokens->item[k].match != TOKEN_NONE && tokens->item[k].match > k
                       ? k
                       : TOKEN_NONE;
        if (token_is_char(tokens, k, ';') || token_is_char(tokens, k, '}') ||
            token_is_char(tokens, k, ')') || token_is_char(tokens, k, '=') ||
            tokens->item[k].kind == TOKEN_LAUNCH || token_is(tokens, k, "__global__"))
            return TOKEN_NONE;
        list |= token_is_char(tokens, k, '(');
    }
    return TOKEN_NONE;
}

/* Where the declaration begins whose __global__ is token i: what may stand before it are
 * attributes. */
static uint32_t declaration_begin(const Tokens *tokens, uint32_t i)
{
    for (int n = 0; i > 0 && n < DECLARATION_TOKENS; n++) {
        const Token *t = &tokens->item[i - 1];
        if (t->kind >= TOKEN_IF || token_is_char(tokens, i - 1, ';') ||
            token_is_char(tokens, i - 1, '{') || token_is_char(tokens, i - 1, '}'))
            break;
        i--;
    }
    return i;
}

/* What __cluster_dims__ says in the tokens first..last. */
static void read_cluster(const Tokens *tokens, uint32_t first, uint32_t last, Bytes *to)
{
    for (uint32_t i = first; i < last; i++) {
        if (!token_is(tokens, i, "__cluster_dims__") || !token_is_char(tokens, i + 1, '('))
            continue;
        uint32_t close = tokens->item[i + 1].match;
        for (uint32_t k = i + 2; k < close && k <= last; k++) {
            const Token *t = &tokens->item[k];
            bytes_add(to, tokens->text + t->start, t->size);
            bytes_add_char(to, ' ');
        }
        return;
    }
}

bool kernel_has_cluster(const Tokens *tokens, uint32_t i)
{
    uint32_t global = i;
    for (uint32_t k = i + 1; k < tokens->count && k < i + DECLARATION_TOKENS;
         k = after(tokens, k, i + DECLARATION_TOKENS)) {
        if (token_is_char(tokens, k, ';') || token_is_char(tokens, k, '{') ||
            token_is_char(tokens, k, '}'))
            break;
        if (token_is(tokens, k, "__global__")) global = k;
    }
    return kernel_body(tokens, global, false) != TOKEN_NONE;
}

bool kernel_find(Kernel *kernel, const Tokens *tokens, uint32_t i, const Macros *macros)
{
    *kernel = (Kernel){0};
    const Macro *macro = macros ? macros_find(macros, tokens, i) : NULL;
    if (!token_is(tokens, i, "__global__") && !(macro && macro->signature)) return false;
    uint32_t k = kernel_body(tokens, i, macro && macro->signature && macro->function_like);
    if (k == TOKEN_NONE) return false;
    kernel->open = k;
    kernel->close = tokens->item[k].match;
    bytes_add_string(&kernel->names, "");
    bytes_add_string(&kernel->references, "");
    bytes_add_string(&kernel->cluster, "");
    uint32_t begin = declaration_begin(tokens, i);

    Bytes expanded = {0};
    if (macros && macros_expand(macros, tokens, begin, k - 1, &expanded)) {
        Tokens signature = {0};
        lex_part(&signature, expanded.data, 0, (uint32_t)expanded.size, 1, &tokens->file[0]);
        if (signature.count) read_cluster(&signature, 0, signature.count - 1, &kernel->cluster);
        uint32_t list = parameter_list(&signature, 0, signature.count);
        if (list != TOKEN_NONE)
            read_parameters(&signature, list, &kernel->names, &kernel->references, NULL);
        tokens_release(&signature);
    } else {
        read_cluster(tokens, begin, k - 1, &kernel->cluster);
        uint32_t list = parameter_list(tokens, i + 1, k);
        if (list != TOKEN_NONE)
            read_parameters(tokens, list, &kernel->names, &kernel->references, kernel);
    }
    bytes_release(&expanded);
    return true;
}
