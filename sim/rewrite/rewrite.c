#include "sim/rewrite/rewrite.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "sim/rewrite/kernels.h"
#include "sim/rewrite/lexer.h"
#include "sim/rewrite/macros.h"
#include "sim/rewrite/ptx.h"

enum {
    NESTING_MOST = 200,    /* constructs within constructs; what is deeper stays as it is */
    COLUMN_MOST = 2000,    /* compilers stop counting columns, and padding would cost too much */
    BACKWARD_TOKENS = 1024 /* the longest kernel expression before <<< */
};

typedef enum ConstructKind {
    LAUNCH,
    KERNEL,
    DYNAMIC_SHARED,
    SHARED_STATIC,
    SHARED_ALIGNED,
    ASSEMBLER,
    NEW_NAME,
    FUNCTION_NAME,
    VARIABLES,
    CAST,
    CAST_OF
} ConstructKind;

typedef struct Construct {
    ConstructKind kind;
    uint32_t first, last; /* tokens that it replaces */
    uint32_t a, b, c;  /* LAUNCH: first and last token of the configuration, ( of the arguments */
    bool macro;        /* LAUNCH: the configuration is a macro of its own */
    bool in_namespace; /* DYNAMIC_SHARED */
    bool says_name;    /* KERNEL: its body uses __func__ */
    uint32_t id;       /* order of finding */
    Bytes text;        /* KERNEL: its parameters; ASSEMBLER: the expression; NEW_NAME: the name;
                        * VARIABLES: what makes them known */
    Bytes cluster;     /* KERNEL: what __cluster_dims__ says of it */
    Bytes references;  /* KERNEL: the parameters that its body must not have a copy of */
    uint32_t operand[30]; /* ASSEMBLER: the ( of each operand's expression */
} Construct;

typedef struct Patch { /* a #define that was rewritten */
    uint32_t start, end;
    Bytes text;
} Patch;

typedef struct Rewriter {
    const char *text;
    uint32_t size;
    const Tokens *tokens;
    const Macros *macros;
    bool markers; /* false: one line, in a macro */
    Construct *construct;
    uint32_t constructs, room;
    Patch *patch;
    uint32_t patches, patch_room;
    RewriteResult *result;
    Bytes *out;
    int depth;
    uint32_t outside; /* a token at namespace scope: what stands before it need not be looked at
                         again */
    uint32_t named;   /* a token of which it is known, too, whether a namespace is around it: */
    bool plain;       /* none is */
    bool one_order;   /* there is what no call tells the executor of, and has one order */
    bool exits;       /* a thread may end in the middle of a function */
} Rewriter;

static bool holds(const char *text, size_t size, const char *word)
{
    return memmem(text, size, word, strlen(word)) != NULL;
}

/* ---- finding ---- */

static Construct *add_construct(Rewriter *r, ConstructKind kind, uint32_t first, uint32_t last)
{
    if (r->constructs == r->room) {
        r->room = r->room ? r->room * 2 : 32;
        r->construct = must_resize(r->construct, r->room * sizeof *r->construct);
    }
    Construct *c = &r->construct[r->constructs];
    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->first = first;
    c->last = last;
    c->id = r->constructs++;
    return c;
}

static void complain(Rewriter *r, uint32_t token, const char *what, const char *detail)
{
    const Token *t = &r->tokens->item[token];
    const char *name = r->tokens->file[t->file].quoted;
    int size = (int)strlen(name) - 2;
    bytes_format(&r->result->errors, "%.*s:%u:%u: error: %s%s\n", size > 0 ? size : 0, name + 1,
                 t->line, t->start - t->line_start + 1, what, detail);
}

static bool is_name(const Tokens *t, uint32_t i)
{
    return i < t->count && t->item[i].kind == TOKEN_NAME;
}

/* Words after which an expression starts: what stands before them does not belong to it. */
static bool is_statement_word(const Tokens *t, uint32_t i)
{
    static const char *const words[] = {"return", "else",   "do",        "case",     "default",
                                        "goto",   "throw",  "co_return", "co_yield", "co_await",
                                        "if",     "while",  "for",       "switch",   "sizeof",
                                        "new",    "delete", "typename",  NULL};
    for (const char *const *word = words; *word; word++)
        if (token_is(t, i, *word)) return true;
    return false;
}

static uint32_t angle_open(const Tokens *tokens, uint32_t i)
{
    int depth = 0;
    for (uint32_t n = 0; n < BACKWARD_TOKENS; n++, i--) {
        const Token *t = &tokens->item[i];
        if (t->kind >= TOKEN_IF || t->kind == TOKEN_LAUNCH) return TOKEN_NONE;
        if (t->kind == TOKEN_PUNCTUATOR && t->size == 1) {
            if (strchr(")]}", t->first)) {
                if (t->match == TOKEN_NONE || t->match > i) return TOKEN_NONE;
                i = t->match;
            } else if (strchr("([{;", t->first)) {
                return TOKEN_NONE;
            } else if (t->first == '>') {
                depth++;
            } else if (t->first == '<' && --depth == 0) {
                return i;
            }
        }
        if (i == 0) break;
    }
    return TOKEN_NONE;
}

/* The first token of the kernel expression that ends before the <<< at token i; TOKEN_NONE: there
 * is none. */
static uint32_t kernel_expression(const Tokens *tokens, uint32_t i)
{
    uint32_t begin = TOKEN_NONE, end = i; /* end: one past what is still to be read */
    for (uint32_t n = 0; end > 0 && n < BACKWARD_TOKENS; n++) {
        uint32_t k = end - 1;
        const Token *t = &tokens->item[k];
        bool angle = token_is_char(tokens, k, '>');
        if (angle || token_is_char(tokens, k, ')') || token_is_char(tokens, k, ']')) {
            uint32_t open = angle ? angle_open(tokens, k) : t->match;
            if (open == TOKEN_NONE || open >= k) return begin;
            if (angle && (open == 0 || !is_name(tokens, open - 1))) return begin;
            /* a call, an index, template arguments: what it applies to stands before it, else it is
             * a primary */
            bool suffix =
                open > 0 &&
                ((is_name(tokens, open - 1) && !is_statement_word(tokens, open - 1)) ||
                 token_is_char(tokens, open - 1, ')') || token_is_char(tokens, open - 1, ']') ||
                 token_is_char(tokens, open - 1, '>'));
            /* ... but the parenthesis of "if (x) (*fp)<<<" belongs to the if */
            if (suffix && token_is_char(tokens, open - 1, ')')) {
                uint32_t head = tokens->item[open - 1].match;
                if (head == TOKEN_NONE || head >= open ||
                    (head > 0 && is_statement_word(tokens, head - 1)))
                    suffix = false;
            }
            end = open;
            if (suffix) continue;
            if (token_is_char(tokens, open, '[')) return TOKEN_NONE;
        } else if (t->kind == TOKEN_NAME && !is_statement_word(tokens, k)) {
            end = k;
        } else {
            return begin;
        }
        begin = end;
        if (end > 0 && token_is(tokens, end - 1, "template")) begin = --end;
        if (end > 0 && token_is(tokens, end - 1, "##")) {
            end--;
            continue;
        }
        if (end > 0 && token_is(tokens, end - 1, "::")) {
            begin = --end;
            bool qualified =
                end > 0 && ((is_name(tokens, end - 1) && !is_statement_word(tokens, end - 1)) ||
                            token_is_char(tokens, end - 1, '>'));
            if (!qualified) return begin;
            continue;
        }
        if (end > 0 && (token_is(tokens, end - 1, "->") || token_is_char(tokens, end - 1, '.'))) {
            end--;
            continue;
        }
        return begin;
    }
    return begin;
}

/* The first > of the >>> that closes the <<< at token i. Template brackets in the configuration are
 * told from comparisons by whether the end still comes when they are counted. */
static uint32_t launch_close(const Tokens *tokens, uint32_t i)
{
    uint32_t early = TOKEN_NONE;
    int angles = 0;
    for (uint32_t k = i + 1; k < tokens->count; k++) {
        const Token *t = &tokens->item[k];
        if (t->kind == TOKEN_LAUNCH) break;
        if (t->kind != TOKEN_PUNCTUATOR) continue;
        if (t->size == 1 && strchr("([{", t->first)) {
            if (t->match == TOKEN_NONE || t->match < k) break;
            k = t->match;
        } else if (t->size == 1 && strchr(")]};", t->first)) {
            break;
        } else if (t->size == 1 && t->first == '<' && is_name(tokens, k - 1)) {
            angles++;
        } else if (t->first == '>') {
            bool three = token_is_char(tokens, k + 1, '>') && token_is_char(tokens, k + 2, '>') &&
                         tokens->item[k + 1].start == t->start + 1 &&
                         (tokens->item[k + 2].start == t->start + 2 || tokens->item[i].size > 3);
            if (three && !token_is_char(tokens, k + 3, '>')) {
                if (angles == 0) return k;
                if (early == TOKEN_NONE) early = k;
                angles = angles > 3 ? angles - 3 : 0;
                k += 2;
                continue;
            }
            if (angles > 0) angles--;
        }
    }
    return early;
}

static void find_launch(Rewriter *r, uint32_t i)
{
    const Tokens *tokens = r->tokens;
    if (i == 0 || token_is(tokens, i - 1, "operator")) return;
    uint32_t close = launch_close(tokens, i), first = kernel_expression(tokens, i);
    if (close == TOKEN_NONE || first == TOKEN_NONE) return;
    uint32_t open = close + 3, last = open - 1;
    if (token_is_char(tokens, open, '(') && tokens->item[open].match != TOKEN_NONE &&
        tokens->item[open].match > open)
        last = tokens->item[open].match;
    else if (r->markers) return; /* only a macro may leave the arguments to its user */
    else open = TOKEN_NONE;
    Construct *c = add_construct(r, LAUNCH, first, last);
    c->a = i + 1;
    c->b = close - 1;
    c->c = open;
    r->result->launches++;
}

/* K CONFIGURATION(args), where #define CONFIGURATION <<<...>>> */
static void find_macro_launch(Rewriter *r, uint32_t i, const Macro *macro)
{
    const Tokens *tokens = r->tokens;
    uint32_t last = i, first = kernel_expression(tokens, i);
    if (macro->function_like) {
        if (!token_is_char(tokens, i + 1, '(') || tokens->item[i + 1].match == TOKEN_NONE) return;
        last = tokens->item[i + 1].match;
    }
    uint32_t open = last + 1;
    if (first == TOKEN_NONE || !token_is_char(tokens, open, '(') ||
        tokens->item[open].match == TOKEN_NONE)
        return;
    Construct *c = add_construct(r, LAUNCH, first, tokens->item[open].match);
    c->a = i;
    c->b = last;
    c->c = open;
    c->macro = true;
    r->result->launches++;
}

/* The kernel whose { is at or after token i, as an index of constructs; TOKEN_NONE: there is
 * none. */
static uint32_t find_kernel(Rewriter *r, uint32_t i)
{
    uint32_t found = TOKEN_NONE;
    Kernel kernel;
    if (kernel_find(&kernel, r->tokens, i, r->markers ? r->macros : NULL)) {
        Construct *c = add_construct(r, KERNEL, kernel.open, kernel.close);
        found = c->id;
        bytes_add(&c->text, kernel.names.data, kernel.names.size);
        bytes_add(&c->references, kernel.references.data, kernel.references.size);
        bytes_add(&c->cluster, kernel.cluster.data, kernel.cluster.size);
        for (int k = 0; k < kernel.named_count; k++) {
            c = add_construct(r, NEW_NAME, kernel.named[k].before, kernel.named[k].before);
            bytes_format(&c->text, " tl_unnamed%d ", kernel.named[k].number);
        }
        r->result->kernels++;
    }
    bytes_release(&kernel.names);
    bytes_release(&kernel.references);
    bytes_release(&kernel.cluster);
    return found;
}

/* Only what stands at a kernel's definition is carried over: whatever else is said of clusters
 * would be forgotten. */
static void find_cluster(Rewriter *r, uint32_t i)
{
    if (!kernel_has_cluster(r->tokens, i))
        complain(r, i,
                 "__cluster_dims__ at a declaration: the virtual GPU needs it where the kernel's "
                 "body is",
                 "");
}

/* In the closure that a kernel's body becomes, __func__ would name the closure. */
static void find_function_name(Rewriter *r, uint32_t i, uint32_t kernel)
{
    Construct *outer = kernel != TOKEN_NONE ? &r->construct[kernel] : NULL;
    if (!outer || i < outer->first || i > outer->last) return;
    outer->says_name = true;
    add_construct(r, FUNCTION_NAME, i, i);
}

/* True when the innermost block around token i is a namespace or there is none. Asked for one token
 * after the other. */
static bool at_namespace_scope(Rewriter *r, uint32_t from)
{
    const Tokens *tokens = r->tokens;
    uint32_t steps = 0, i = from;
    while (i-- > 0 && steps++ < 1000000) {
        if (i == r->outside) break;
        const Token *t = &tokens->item[i];
        if (t->kind != TOKEN_PUNCTUATOR || t->size != 1) continue;
        if (strchr(")]}", t->first) && t->match != TOKEN_NONE && t->match < i) {
            i = t->match;
        } else if (t->first == '{') {
            /* namespace a::b {, namespace {, extern "C" { */
            uint32_t k = i;
            while (k > 0 && (is_name(tokens, k - 1) || token_is(tokens, k - 1, "::"))) {
                k--;
                if (token_is(tokens, k, "namespace")) break;
            }
            bool outer = token_is(tokens, k, "namespace") ||
                         (i >= 2 && tokens->item[i - 1].kind == TOKEN_STRING &&
                          token_is(tokens, i - 2, "extern"));
            if (!outer) return false;
        }
    }
    r->outside = from;
    return true;
}

static bool is_shared_attribute(const Tokens *tokens, uint32_t i)
{
    return token_is(tokens, i, "__align__") || token_is(tokens, i, "alignas") ||
           token_is(tokens, i, "__attribute__") || token_is(tokens, i, "__builtin_align__");
}

/* A declaration with __shared__ at token i. extern: the block's dynamic memory. static: the
 * header's __shared__ has that word already. */
static void find_shared(Rewriter *r, uint32_t i)
{
    const Tokens *tokens = r->tokens;
    uint32_t first = i, end = i;
    while (first > 0 && i - first < 64) { /* back to the declaration's first word */
        uint32_t k = first - 1;
        if (token_is_char(tokens, k, ')')) {
            k = tokens->item[k].match;
            if (k == TOKEN_NONE || k == 0 || k > first || !is_shared_attribute(tokens, k - 1))
                break;
            k--;
        } else if (token_is_char(tokens, k, '>')) {
            k = angle_open(tokens, k);
            if (k == TOKEN_NONE || k == 0) break;
        } else if (!is_name(tokens, k) && !token_is(tokens, k, "::")) {
            break;
        }
        if (is_name(tokens, k) && is_statement_word(tokens, k)) break;
        first = k;
    }
    bool is_extern = false, has_static = false;
    for (; end < tokens->count && end - i < 4096 && !token_is_char(tokens, end, ';'); end++) {
        const Token *t = &tokens->item[end];
        if (token_is_char(tokens, end, '{') || token_is_char(tokens, end, '}')) return;
        if (token_is_char(tokens, end, '(') || token_is_char(tokens, end, '[')) {
            if (t->match == TOKEN_NONE || t->match < end) return;
            end = t->match;
        }
    }
    /* "__shared__ alignas(16) T x": C++ wants such an attribute in front of all words */
    for (uint32_t k = i; k < end && k < i + 4; k++)
        if (token_is(tokens, k, "alignas") && !token_is(tokens, i - (i > first), "extern") &&
            token_is_char(tokens, k + 1, '(') && tokens->item[k + 1].match != TOKEN_NONE) {
            add_construct(r, SHARED_ALIGNED, first, tokens->item[k + 1].match)->a = k;
            break;
        }
    for (uint32_t k = first; k < end; k++) {
        is_extern |= token_is(tokens, k, "extern") && k < i + 64;
        if (token_is(tokens, k, "static") && !has_static) {
            has_static = true;
            if (!is_extern) add_construct(r, SHARED_STATIC, k, k);
        }
    }
    if (!is_extern || !token_is_char(tokens, end, ';')) return;
    Construct *c = add_construct(r, DYNAMIC_SHARED, first, end - 1);
    c->in_namespace = at_namespace_scope(r, first);
}

static bool is_memory_word(const Tokens *tokens, uint32_t i)
{
    return token_is(tokens, i, "__device__") || token_is(tokens, i, "__constant__") ||
           token_is(tokens, i, "__managed__");
}

/* Is the declaration that has token i one of a variable of its own: not of a function, one that is
 * defined elsewhere? Looks at what stands before; earlier: another such word stands there, which
 * has been looked at; of_template: and it is one for each of a template's arguments. */
static bool declares_variable(const Tokens *tokens, uint32_t i, bool *earlier, bool *of_template)
{
    *earlier = *of_template = false;
    for (uint32_t n = 0; i > 0 && n < 64; n++) {
        uint32_t k = i - 1;
        if (token_is_char(tokens, k, ')')) {
            k = tokens->item[k].match;
            if (k == TOKEN_NONE || k == 0 || k > i || !is_shared_attribute(tokens, k - 1))
                return true;
            k--;
        } else if (token_is_char(tokens, k, '>')) {
            k = angle_open(tokens, k);
            if (k == TOKEN_NONE || k == 0) return false;
        } else if (!is_name(tokens, k) && !token_is(tokens, k, "::")) {
            const Token *t = &tokens->item[k];
            return t->kind >= TOKEN_IF ||
                   (t->kind == TOKEN_PUNCTUATOR && t->size == 1 && strchr(";{}", t->first));
        }
        *of_template |= token_is(tokens, k, "template");
        if (token_is(tokens, k, "extern") || token_is(tokens, k, "typedef") ||
            token_is(tokens, k, "using") || token_is(tokens, k, "friend"))
            return false;
        *earlier |= is_memory_word(tokens, k);
        i = k;
    }
    return true;
}

/* Does the compiler give the variable whose declaration has token `from` the plain name that it has
 * in the source? Not in a namespace, and not if the file keeps it for itself. Asked for one token
 * after the other. */
static bool has_plain_name(Rewriter *r, uint32_t from)
{
    const Tokens *tokens = r->tokens;
    bool declaration = true;
    uint32_t i = from;
    for (uint32_t steps = 0; i-- > 0 && steps++ < 1000000;) {
        if (i == r->named) {
            r->named = from;
            return r->plain;
        }
        const Token *t = &tokens->item[i];
        if (declaration && token_is(tokens, i, "static")) return false;
        if (t->kind != TOKEN_PUNCTUATOR || t->size != 1) continue;
        declaration &= !strchr(";{}", t->first);
        if (strchr(")]}", t->first) && t->match != TOKEN_NONE && t->match < i) {
            i = t->match;
        } else if (t->first == '{') {
            uint32_t k = i;
            while (k > 0 && (is_name(tokens, k - 1) || token_is(tokens, k - 1, "::"))) {
                k--;
                if (!token_is(tokens, k, "namespace")) continue;
                r->named = from;
                return r->plain = false;
            }
        }
    }
    r->named = from;
    return r->plain = true;
}

/* A declaration of variables that is being read. */
typedef struct Declaration {
    bool of_template, managed;
    bool plain;    /* the compiler gives them the names that they have in the source */
    bool value;    /* behind a name: an array's length or a value has begun */
    uint32_t name; /* of the variable at hand; TOKEN_NONE: not yet */
    Bytes text;    /* what tells the runtime of those so far */
} Declaration;

/* The declaration's next variable is there whole. */
static void add_variable(const Rewriter *r, Declaration *d)
{
    const Tokens *tokens = r->tokens;
    const Token *n = &tokens->item[d->name];
    const char *word = r->text + n->start, *quote = d->plain ? "\"" : "",
               *managed = d->managed ? "true" : "false";
    int size = (int)n->size;
    /* int Class::member; int x ATTRIBUTE; */
    if (token_is(tokens, d->name - 1, "::") || macros_find(r->macros, tokens, d->name)) return;
    if (d->of_template)
        bytes_format(&d->text, " static const ::tl::Variables tl_variables_%u(\"%.*s\", %s);",
                     d->name, size, word, managed);
    else
        bytes_format(&d->text, " static const ::tl::Variable tl_variable_%.*s(%.*s, %s, %s%.*s%s);",
                     size, word, size, word, managed, quote, d->plain ? size : 1,
                     d->plain ? word : "0", quote);
}

/* The bracket at token k of a declaration: what it closes with, if the declaration goes on behind
 * it; else TOKEN_NONE. */
static uint32_t behind_bracket(const Tokens *tokens, uint32_t k, Declaration *d)
{
    const Token *t = &tokens->item[k];
    bool round = token_is_char(tokens, k, '('), curly = token_is_char(tokens, k, '{');
    bool attribute = k > 0 && is_shared_attribute(tokens, k - 1);
    if (t->match == TOKEN_NONE || t->match < k) return TOKEN_NONE;
    if (round && !attribute && !d->value) return TOKEN_NONE; /* a function */
    if (curly && d->name == TOKEN_NONE) return TOKEN_NONE;
    if (curly && k + 1 < tokens->count && t->match + 1 < tokens->count &&
        is_name(tokens, t->match + 1))
        return TOKEN_NONE; /* struct T { ... } x; */
    d->value |= !round;
    return t->match;
}

/* A declaration at namespace scope with __device__, __constant__ or __managed__ at token i: its
 * variables, which the runtime must know by their addresses. */
static void find_variables(Rewriter *r, uint32_t i)
{
    const Tokens *tokens = r->tokens;
    bool earlier;
    Declaration d = {.name = TOKEN_NONE};
    uint32_t k = i;
    if (!declares_variable(tokens, i, &earlier, &d.of_template) || earlier) return;
    d.plain = has_plain_name(r, i);
    for (; k < tokens->count && k - i < 1000000; k++) {
        const Token *t = &tokens->item[k];
        bool end = token_is_char(tokens, k, ';');
        d.managed |= token_is(tokens, k, "__managed__");
        d.plain &= d.name != TOKEN_NONE || !token_is(tokens, k, "static");
        if (end || token_is_char(tokens, k, ',')) {
            if (d.name == TOKEN_NONE) break;
            add_variable(r, &d);
            if (end) break;
            d.name = TOKEN_NONE;
            d.value = false;
        } else if (token_is_char(tokens, k, '{') || token_is_char(tokens, k, '[') ||
                   token_is_char(tokens, k, '(')) {
            uint32_t close = behind_bracket(tokens, k, &d);
            if (close == TOKEN_NONE) break;
            k = close;
        } else if (token_is_char(tokens, k, '=')) {
            d.value = true;
        } else if (token_is_char(tokens, k, '<') && !d.value) {
            uint32_t close =
                angle_close(tokens, k, k + 1024 < tokens->count ? k + 1024 : tokens->count - 1);
            if (close == TOKEN_NONE) break;
            k = close;
        } else if (is_name(tokens, k) && !d.value && !is_shared_attribute(tokens, k)) {
            d.name = k;
        } else if (token_is_char(tokens, k, '}') || token_is_char(tokens, k, ')') ||
                   t->kind >= TOKEN_IF || t->kind == TOKEN_LAUNCH) {
            break;
        }
    }
    if (d.text.size && token_is_char(tokens, k, ';') && at_namespace_scope(r, i)) {
        Construct *c = add_construct(r, VARIABLES, k, k);
        c->text = d.text;
        return;
    }
    bytes_release(&d.text);
}

/* The bytes that a string literal stands for, as far as assembler text needs it. */
static void add_literal(Bytes *out, const char *literal, uint32_t size)
{
    if (literal[0] == 'R' && size > 4) {
        const char *open = memchr(literal, '(', size), *close = memrchr(literal, ')', size);
        if (open && close > open) bytes_add(out, open + 1, (size_t)(close - open - 1));
        return;
    }
    for (uint32_t i = 1; i + 1 < size; i++) {
        if (literal[i] != '\\') {
            bytes_add_char(out, literal[i]);
        } else if (literal[++i] == 'n' || literal[i] == 't' || literal[i] == 'r') {
            bytes_add_char(out, ' ');
            if (literal[i] == 'n') bytes_add_char(out, '\n');
        } else if (literal[i] != '\n') {
            bytes_add_char(out, literal[i]);
        }
    }
}

/* A library has many instructions of which a program runs few: only who comes there is told. */
static void add_unknown(Bytes *out, const char *instruction)
{
    bytes_add_string(out, "::tl::ptx::unknown(\"");
    for (const char *c = instruction; *c; c++)
        if (isprint((unsigned char)*c) && !strchr("\"\\", *c)) bytes_add_char(out, *c);
    bytes_add_string(out, "\")");
}

static void find_assembler(Rewriter *r, uint32_t i)
{
    const Tokens *tokens = r->tokens;
    uint32_t open = i + 1;
    while (token_is(tokens, open, "volatile") || token_is(tokens, open, "__volatile__") ||
           token_is(tokens, open, "__volatile"))
        open++;
    if (!token_is_char(tokens, open, '(') || tokens->item[open].match == TOKEN_NONE) return;
    uint32_t close = tokens->item[open].match, k = open + 1;
    if (close < open || k >= close || tokens->item[k].kind != TOKEN_STRING) return;
    Bytes code = {0};
    for (; k < close && tokens->item[k].kind == TOKEN_STRING; k++)
        add_literal(&code, r->text + tokens->item[k].start, tokens->item[k].size);
    char unknown[64];
    Bytes expression = {0};
    bytes_add_string(&code, "");
    bool complete = k == close || token_is_char(tokens, k, ':') || token_is(tokens, k, "::");
    bool whole = complete && strlen(code.data) == code.size;
    PtxKind kind =
        whole ? ptx_translate(code.data, &expression, unknown, sizeof unknown) : PTX_NONE;
    bytes_release(&code);
    if (kind == PTX_UNKNOWN && tokens->file[tokens->item[i].file].system) {
        add_unknown(&expression, unknown);
        kind = PTX_KNOWN;
    }
    if (kind == PTX_UNKNOWN) {
        Bytes detail = {0};
        bytes_format(&detail,
                     "\"%s\": the virtual GPU does not know this inline PTX; the CUDA C++ function "
                     "that does "
                     "the same works",
                     unknown);
        complain(r, i, "", detail.data);
        bytes_release(&detail);
    }
    if (kind == PTX_KNOWN) {
        r->one_order |= holds(expression.data, expression.size, "volatile");
        r->exits |= strstr(expression.data, PTX_EXIT) != NULL;
        Construct *c = add_construct(r, ASSEMBLER, i, close);
        bytes_add(&c->text, expression.data, expression.size);
        /* operands: the parenthesised expressions after a constraint string, up to the clobbers
         * (which have none) */
        int operands = 0;
        for (; k < close && operands < 30; k++) {
            if (!token_is_char(tokens, k, '(') || tokens->item[k].match == TOKEN_NONE) continue;
            if (tokens->item[k - 1].kind == TOKEN_STRING) c->operand[operands++] = k;
            k = tokens->item[k].match;
        }
        for (size_t n = 0; n + 1 < expression.size; n++) {
            if (expression.data[n] != PTX_OPERAND || expression.data[++n] <= operands) continue;
            complain(r, i, "the PTX names more operands than the statement has", "");
            c->text.size = 0;
            break;
        }
    }
    bytes_release(&expression);
}

/* Names of integer types: (T)x and static_cast<T>(x) of a floating-point x are not what a GPU makes
 * of them. */
static bool is_integer_word(const Tokens *tokens, uint32_t i)
{
    static const char *const words[] = {"char",      "short",     "int",      "long",
                                        "signed",    "unsigned",  "size_t",   "ssize_t",
                                        "ptrdiff_t", "int8_t",    "int16_t",  "int32_t",
                                        "int64_t",   "uint8_t",   "uint16_t", "uint32_t",
                                        "uint64_t",  "uint",      "uchar",    "ushort",
                                        "ulong",     "uintptr_t", "intptr_t", NULL};
    for (const char *const *word = words; *word; word++)
        if (token_is(tokens, i, *word)) return true;
    return false;
}

/* Are the tokens first..last the name of an integer type, and nothing else? */
static bool is_integer_type(const Tokens *tokens, uint32_t first, uint32_t last)
{
    bool integer = false;
    if (last < first || last - first > 5) return false;
    for (uint32_t i = first; i <= last; i++) {
        bool std = token_is(tokens, i, "std") && token_is(tokens, i + 1, "::");
        if (std) i++;
        else if (is_integer_word(tokens, i)) integer = true;
        else if (!token_is(tokens, i, "const")) return false;
    }
    return integer;
}

/* A parenthesis with a type's name in it: a cast, unless it follows what can be called, or sizeof
 * and its kin. */
static bool casts(const Tokens *tokens, uint32_t open)
{
    uint32_t close = tokens->item[open].match;
    if (open == 0 || close + 1 >= tokens->count) return false;
    for (uint32_t i = 1; i <= 3 && i <= open; i++) /* operator++(int) volatile */
        if (token_is(tokens, open - i, "operator")) return false;
    const Token *next = &tokens->item[close + 1], *before = &tokens->item[open - 1];
    if (before->kind == TOKEN_NAME && !token_is(tokens, open - 1, "return") &&
        !token_is(tokens, open - 1, "case"))
        return false;
    if (token_is_char(tokens, open - 1, ']') || token_is_char(tokens, open - 1, '>')) return false;
    if (token_is_char(tokens, open - 1, ')')) { /* (float)(int)x */
        uint32_t outer = before->match;
        if (outer == TOKEN_NONE || outer >= open || outer == 0 ||
            tokens->item[outer - 1].kind == TOKEN_NAME)
            return false;
        for (uint32_t i = outer + 1; i + 1 < open; i++)
            if (!is_integer_word(tokens, i) && !token_is(tokens, i, "float") &&
                !token_is(tokens, i, "double"))
                return false;
        if (outer + 2 > open - 1) return false;
    }
    if (next->kind == TOKEN_NAME)
        return !token_is(tokens, close + 1, "sizeof") && !token_is(tokens, close + 1, "alignof") &&
               !token_is(tokens, close + 1, "noexcept") && !token_is(tokens, close + 1, "const");
    if (next->kind == TOKEN_NUMBER)
        return memchr(tokens->text + next->start, '.', next->size) != NULL;
    return token_is_char(tokens, close + 1, '(') || token_is_char(tokens, close + 1, '-') ||
           token_is_char(tokens, close + 1, '+') || token_is_char(tokens, close + 1, '*') ||
           token_is_char(tokens, close + 1, '~') || token_is(tokens, close + 1, "::");
}

/* (int)x in device code, at the ( */
static void find_cast(Rewriter *r, uint32_t open)
{
    const Tokens *tokens = r->tokens;
    uint32_t close = tokens->item[open].match;
    if (close == TOKEN_NONE || close < open + 2 || !is_integer_type(tokens, open + 1, close - 1))
        return;
    if (!casts(tokens, open)) return;
    Construct *c = add_construct(r, CAST, open, close);
    c->a = open + 1;
    c->b = close - 1;
}

/* static_cast<int>(x), and int(x) where that is an expression for sure: at the type's first token.
 * Only the ( changes, as what a cast of what stands in it would be:
 * static_cast<int>((::tl::To<int>)(x)) is written in two pieces. */
static void find_static_cast(Rewriter *r, uint32_t i)
{
    const Tokens *tokens = r->tokens;
    uint32_t first = i, open;
    if (token_is(tokens, i, "static_cast")) {
        uint32_t close =
            token_is_char(tokens, i + 1, '<') ? angle_close(tokens, i + 1, i + 8) : TOKEN_NONE;
        if (close == TOKEN_NONE) return;
        first = i + 2;
        open = close + 1;
        if (!is_integer_type(tokens, first, close - 1)) return;
    } else {
        open = i + 1;
        if (!is_integer_word(tokens, i) || i == 0) return;
        const Token *before = &tokens->item[i - 1];
        bool expression = token_is(tokens, i - 1, "return");
        if (before->kind == TOKEN_PUNCTUATOR && before->size == 1)
            expression |= strchr("=+-*/%?[", before->first) != NULL;
        if (!expression) return;
    }
    if (!token_is_char(tokens, open, '(') || tokens->item[open].match == TOKEN_NONE) return;
    uint32_t close = tokens->item[open].match;
    if (close < open + 2) return;
    Construct *c = add_construct(r, CAST_OF, open, close);
    c->a = first;
    c->b = token_is_char(tokens, open - 1, '>') ? open - 2 : open - 1;
}

/* A macro that says its argument's text, as assert does: what stands there stays as it is
 * written. */
static bool says_argument(const Macro *macro)
{
    for (uint32_t i = 0; macro && macro->function_like && i < macro->body.count; i++)
        if (token_is_char(&macro->body, i, '#')) return true;
    return false;
}

static void find_constructs(Rewriter *r)
{
    const Tokens *tokens = r->tokens;
    uint32_t kernel = TOKEN_NONE;                         /* the latest one */
    uint32_t said_end = 0;                                /* of an argument whose text is shown */
    uint32_t device_end = r->markers ? 0 : tokens->count; /* of device code; a macro may be used in
                                                             it */
    for (uint32_t i = 0; i < tokens->count; i++) {
        const Token *t = &tokens->item[i];
        if (t->kind == TOKEN_LAUNCH) find_launch(r, i);
        if (i < device_end && i >= said_end && token_is_char(tokens, i, '(')) find_cast(r, i);
        if (i < device_end && i >= said_end && t->kind == TOKEN_NAME) find_static_cast(r, i);
        if (i < device_end && token_is_char(tokens, i + 1, '(') &&
            tokens->item[i + 1].match != TOKEN_NONE &&
            (token_is(tokens, i, "assert") || says_argument(macros_find(r->macros, tokens, i))))
            said_end = tokens->item[i + 1].match;
        if (t->kind == TOKEN_NAME && r->markers &&
            (token_is(tokens, i, "__device__") || token_is(tokens, i, "__global__"))) {
            uint32_t body = kernel_body(tokens, i, false);
            if (body != TOKEN_NONE && tokens->item[body].match > device_end)
                device_end = tokens->item[body].match;
        }
        if (t->kind != TOKEN_NAME) continue;
        if (t->first == '_' || t->first == 'a') {
            uint32_t found = TOKEN_NONE;
            if (token_is(tokens, i, "__global__")) found = find_kernel(r, i);
            else if (token_is(tokens, i, "__func__") || token_is(tokens, i, "__FUNCTION__"))
                find_function_name(r, i, kernel);
            else if (token_is(tokens, i, "__shared__")) find_shared(r, i);
            else if (r->markers && token_is(tokens, i, "__cluster_dims__")) find_cluster(r, i);
            else if (r->markers && token_is(tokens, i, "__block_size__"))
                complain(r, i,
                         "__block_size__ is not simulated: launch the kernel with blocks of that "
                         "size, in clusters with __cluster_dims__",
                         "");
            else if (r->markers && is_memory_word(tokens, i)) find_variables(r, i);
            else if (token_is(tokens, i, "asm") || token_is(tokens, i, "__asm__") ||
                     token_is(tokens, i, "__asm"))
                find_assembler(r, i);
            if (found != TOKEN_NONE) kernel = found;
        }
        const Macro *macro = macros_find(r->macros, tokens, i);
        if (macro && macro->signature && r->markers) {
            uint32_t found = find_kernel(r, i);
            if (found != TOKEN_NONE) kernel = found;
        }
        if (macro && macro->configuration) find_macro_launch(r, i, macro);
        if (macro && macro->opens_kernel && r->markers)
            complain(r, i,
                     "this macro brings the { of a kernel, but not its }: the virtual GPU needs "
                     "both braces in "
                     "the macro or both outside of it",
                     "");
    }
}

static int by_place(const void *left, const void *right)
{
    const Construct *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->last != b->last) return a->last > b->last ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

/* ---- writing ---- */

/* The text between two offsets, with the rewritten #defines in it. */
static void copy(Rewriter *r, uint32_t from, uint32_t to)
{
    uint32_t low = 0, high = r->patches;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (r->patch[middle].start < from) low = middle + 1;
        else high = middle;
    }
    for (; low < r->patches && r->patch[low].end <= to; low++) {
        bytes_add(r->out, r->text + from, r->patch[low].start - from);
        bytes_add(r->out, r->patch[low].text.data, r->patch[low].text.size);
        from = r->patch[low].end;
    }
    if (to > from) bytes_add(r->out, r->text + from, to - from);
}

/* Makes the next byte written stand where that token stood. */
static void place(Rewriter *r, uint32_t token)
{
    const Token *t = &r->tokens->item[token];
    const SourceFile *file = &r->tokens->file[t->file];
    if (!r->markers || t->start - t->line_start > COLUMN_MOST) {
        bytes_add_char(r->out, ' ');
        return;
    }
    bytes_format(r->out, "\n# %u %s%s\n", t->line, file->quoted, file->system ? " 3" : "");
    bytes_add_spaces(r->out, t->start - t->line_start);
}

static void write_construct(Rewriter *r, uint32_t index);

/* Tokens first..last with what was found in them, from construct number from on. */
static void write_range(Rewriter *r, uint32_t first, uint32_t last, uint32_t from)
{
    if (first > last || last >= r->tokens->count) return;
    uint32_t i = first;
    uint32_t low = from, high = r->constructs;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (r->construct[middle].first < first) low = middle + 1;
        else high = middle;
    }
    r->depth++;
    for (; low < r->constructs && r->construct[low].first <= last && r->depth < NESTING_MOST;
         low++) {
        const Construct *c = &r->construct[low];
        if (c->first < i || c->last > last)
            continue; /* written as part of another, or reaching out of here */
        copy(r, r->tokens->item[i].start, r->tokens->item[c->first].start);
        write_construct(r, low);
        i = c->last + 1;
        if (i > last) break;
        /* back in step: at the next newline by itself, else by a marker */
        uint32_t gap = token_end(r->tokens, c->last), next = r->tokens->item[i].start;
        if (r->markers && !memchr(r->text + gap, '\n', next - gap)) place(r, i);
        else copy(r, gap, next);
    }
    r->depth--;
    if (i <= last) copy(r, r->tokens->item[i].start, token_end(r->tokens, last));
}

/* In a macro the newlines between moved parts are kept, so that the lines after it keep their
 * numbers. */
static void keep_newlines(Rewriter *r, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && !r->markers; i++)
        if (r->text[i] == '\n') bytes_add_string(r->out, " \\\n");
}

static void write_launch(Rewriter *r, const Construct *c, uint32_t index)
{
    const Tokens *tokens = r->tokens;
    uint32_t kernel_last = c->macro ? c->a - 1 : c->a - 2, launch = c->macro ? c->a : c->a - 1;
    bool same_line = tokens->item[launch].line == tokens->item[c->first].line;
    /* begins with a keyword: where a ; is missing before it, the compiler says just that, and sees
     * no call in "f() (" */
    if (c->c != TOKEN_NONE) bytes_add_string(r->out, "static_cast<void>(");
    place(r, same_line ? launch : c->first);
    if (!c->macro) bytes_add_string(r->out, "::tl::push(");
    if (c->b >= c->a) {
        place(r, c->a);
        write_range(r, c->a, c->b, index + 1);
    }
    bytes_add_string(r->out, c->macro ? " ? (void)0 : " : ") ? (void)0 : ");
    place(r, c->first);
    write_range(r, c->first, kernel_last, index + 1);
    keep_newlines(r, token_end(tokens, kernel_last), tokens->item[launch].start);
    if (!c->macro) keep_newlines(r, token_end(tokens, launch), tokens->item[c->b + 1].start);
    if (c->c == TOKEN_NONE) return;
    keep_newlines(r, token_end(tokens, c->macro ? c->b : c->b + 3), tokens->item[c->c].start);
    place(r, c->c);
    write_range(r, c->c, c->last, index + 1);
    bytes_add_char(r->out, ')');
}

static bool is_storage(const Tokens *tokens, uint32_t i)
{
    return token_is(tokens, i, "extern") || token_is(tokens, i, "static") ||
           token_is(tokens, i, "__shared__");
}

/* The declared names of "extern __shared__ T a[], b[][32]" as pointers into the block's dynamic
 * memory. */
static void write_dynamic_shared(Rewriter *r, const Construct *c)
{
    const Tokens *tokens = r->tokens;
    Bytes type = {0};
    bytes_add_string(&type, "");
    uint32_t declarator = c->last + 1;
    /* the first declarator's name is the last name before the first [ , or the end */
    for (uint32_t k = c->first; k <= c->last; k++) {
        if (is_shared_attribute(tokens, k) && token_is_char(tokens, k + 1, '('))
            k = tokens->item[k + 1].match;
        else if (token_is_char(tokens, k, '<')) {
            uint32_t close = angle_close(tokens, k, c->last);
            if (close != TOKEN_NONE) k = close;
        } else if (token_is_char(tokens, k, '[') || token_is_char(tokens, k, ',')) break;
        else if (is_name(tokens, k)) declarator = k;
    }
    while (declarator >= c->first + 2 && token_is(tokens, declarator - 1, "##")) declarator -= 2;
    for (uint32_t k = c->first; k < declarator && k <= c->last; k++) {
        if (is_shared_attribute(tokens, k) && token_is_char(tokens, k + 1, '(')) {
            k = tokens->item[k + 1].match;
            continue;
        }
        if (is_storage(tokens, k)) continue;
        if (type.size) bytes_add_char(&type, ' ');
        bytes_add(&type, r->text + tokens->item[k].start, tokens->item[k].size);
    }
    place(r, c->first);
    bytes_format(r->out, "%s%s ", c->in_namespace ? "static " : "", type.data);
    for (uint32_t k = declarator; k <= c->last; k++) {
        uint32_t name = k, next = k + 1; /* in a macro the name may be pasted: n##_memory */
        while (token_is(tokens, next, "##") && next + 1 <= c->last) next += 2;
        uint32_t name_start = tokens->item[name].start,
                 name_size = token_end(tokens, next - 1) - name_start;
        Bytes inner = {0}; /* [32] of name[][32] */
        bytes_add_string(&inner, "");
        bool array = token_is_char(tokens, next, '[');
        if (array) next = tokens->item[next].match + 1;
        uint32_t rest = next;
        while (token_is_char(tokens, next, '[')) next = tokens->item[next].match + 1;
        if (next > rest) {
            uint32_t start = tokens->item[rest].start;
            bytes_add(&inner, r->text + start, token_end(tokens, next - 1) - start);
        }
        bytes_add_string(r->out, array ? inner.size ? "(*const " : "*const " : "&");
        place(r, name);
        bytes_add(r->out, r->text + name_start, name_size);
        if (inner.size) bytes_format(r->out, ")%s", inner.data);
        bytes_add_string(r->out, " __attribute__((unused)) = ");
        if (!array) bytes_add_char(r->out, '*');
        bytes_format(r->out, inner.size ? "(%s (*)%s)" : "(%s *%s)", type.data, inner.data);
        bytes_add_string(r->out, c->in_namespace ? "::tl::dynamic_shared_for_all()"
                                                 : "::tl::dynamic_shared()");
        bytes_release(&inner);
        if (!token_is_char(tokens, next, ',') || next >= c->last) break;
        bytes_add_string(r->out, ", ");
        k = next;
    }
    bytes_release(&type);
    if (!r->markers) keep_newlines(r, tokens->item[c->first].start, token_end(tokens, c->last));
}

static void write_assembler(Rewriter *r, const Construct *c, uint32_t index)
{
    place(r, c->first);
    bytes_add_string(r->out, c->text.size ? "((void)(" : "((void)0");
    for (size_t i = 0; i < c->text.size; i++) {
        if (c->text.data[i] != PTX_OPERAND) {
            bytes_add_char(r->out, c->text.data[i]);
            continue;
        }
        uint32_t open = c->operand[c->text.data[++i] - 1];
        place(r, open);
        write_range(r, open, r->tokens->item[open].match, index + 1);
    }
    bytes_add_string(r->out, c->text.size ? "))" : ")");
    if (!r->markers)
        keep_newlines(r, r->tokens->item[c->first].start, token_end(r->tokens, c->last));
}

/* A cast's type between two texts. */
static void write_type(Rewriter *r, const Construct *c, const char *before, const char *after)
{
    bytes_add_string(r->out, before);
    for (uint32_t i = c->a; i <= c->b; i++) {
        if (i > c->a) bytes_add_char(r->out, ' ');
        bytes_add(r->out, r->text + r->tokens->item[i].start, r->tokens->item[i].size);
    }
    bytes_add_string(r->out, after);
}

static void write_construct(Rewriter *r, uint32_t index)
{
    const Construct *c = &r->construct[index];
    switch (c->kind) {
    case LAUNCH: write_launch(r, c, index); break;
    case KERNEL:
        bytes_format(r->out, "{ %s::tl::params(%s); ",
                     c->references.size ? "::threelane_reference(__func__); " : "",
                     c->text.data ? c->text.data : "");
        if (c->says_name) bytes_add_string(r->out, "static const char *const tl_func = __func__; ");
        if (c->cluster.size)
            bytes_format(r->out, "::tl::cluster(%.*s); ", (int)c->cluster.size, c->cluster.data);
        bytes_format(r->out, "::tl::body(__func__, [=%s]() mutable ",
                     c->references.data ? c->references.data : "");
        if (r->exits) bytes_add_string(r->out, "{ try ");
        place(r, c->first);
        write_range(r, c->first, c->last, index + 1);
        if (r->exits) bytes_add_string(r->out, " catch (const ::tl::ptx::Exit &) {} }");
        bytes_add_string(r->out, "); }");
        break;
    case DYNAMIC_SHARED: write_dynamic_shared(r, c); break;
    case SHARED_STATIC: break;
    case SHARED_ALIGNED:
        place(r, c->a);
        write_range(r, c->a, c->last, index + 1);
        bytes_add_char(r->out, ' ');
        place(r, c->first);
        write_range(r, c->first, c->a - 1, index + 1);
        bytes_add_char(r->out, ' ');
        break;
    case ASSEMBLER: write_assembler(r, c, index); break;
    case FUNCTION_NAME:
        place(r, c->first);
        bytes_add_string(r->out, "tl_func");
        break;
    case CAST:
        write_type(r, c, "(", ")");
        write_type(r, c, "(::tl::To<", ">)");
        break;
    case CAST_OF:
        write_type(r, c, "((::tl::To<", ">)");
        place(r, c->first);
        write_range(r, c->first, c->last, index + 1);
        bytes_add_char(r->out, ')');
        break;
    case VARIABLES:
        bytes_add_char(r->out, ';');
        bytes_add(r->out, c->text.data, c->text.size);
        break;
    case NEW_NAME:
        bytes_add(r->out, c->text.data, c->text.size);
        place(r, c->first);
        write_range(r, c->first, c->last, index + 1);
        break;
    }
}

static void release_constructs(Rewriter *r)
{
    for (uint32_t i = 0; i < r->constructs; i++) {
        bytes_release(&r->construct[i].text);
        bytes_release(&r->construct[i].references);
        bytes_release(&r->construct[i].cluster);
    }
    free(r->construct);
    r->construct = NULL;
    r->constructs = r->room = 0;
}

/* Finds and writes: text[from..to) with tokens in it. True if anything changed. */
static bool rewrite_part(Rewriter *r, uint32_t from, uint32_t to)
{
    const Tokens *tokens = r->tokens;
    find_constructs(r);
    if (r->constructs) qsort(r->construct, r->constructs, sizeof *r->construct, by_place);
    if (tokens->count) {
        copy(r, from, tokens->item[0].start);
        write_range(r, 0, tokens->count - 1, 0);
        copy(r, token_end(tokens, tokens->count - 1), to);
    } else {
        copy(r, from, to);
    }
    bool changed = r->constructs > 0;
    release_constructs(r);
    return changed;
}

/* ---- macros ---- */

typedef struct Defines {
    Macros macros;
    Tokens *tokens; /* for the files' names */
    const char *text;
} Defines;

static void remember_define(void *arg, uint32_t start, uint32_t end, uint32_t line, uint32_t file)
{
    Defines *defines = arg;
    const SourceFile *source = &defines->tokens->file[file];
    if (strcmp(source->quoted, "\"<built-in>\""))
        macros_add(&defines->macros, defines->text, start, end, line, source);
}

static void add_patch(Rewriter *r, uint32_t start, uint32_t end, Bytes *text)
{
    if (r->patches == r->patch_room) {
        r->patch_room = r->patch_room ? r->patch_room * 2 : 16;
        r->patch = must_resize(r->patch, r->patch_room * sizeof *r->patch);
    }
    r->patch[r->patches++] = (Patch){start, end, *text};
    *text = (Bytes){0};
}

static void rewrite_macros(Rewriter *main, const Macros *macros)
{
    for (uint32_t i = 0; i < macros->count; i++) {
        const Macro *macro = &macros->item[i];
        const Tokens *body = &macro->body;
        if (!body->count) continue;
        uint32_t start = body->item[0].start;
        Bytes text = {0};
        Rewriter inner = {.text = main->text,
                          .size = main->size,
                          .tokens = body,
                          .macros = macros,
                          .result = main->result,
                          .out = &text,
                          .outside = TOKEN_NONE,
                          .named = TOKEN_NONE};
        bytes_add(&text, main->text + macro->define, start - macro->define);
        bool changed;
        if (macro->configuration) {
            uint32_t close = body->item[body->count - 3].start;
            bytes_add_string(&text, "::tl::push(");
            bytes_add(&text, main->text + token_end(body, 0), close - token_end(body, 0));
            bytes_add_char(&text, ')');
            changed = true;
        } else {
            changed = rewrite_part(&inner, start, macro->end);
            main->one_order |= inner.one_order;
        }
        if (changed) add_patch(main, macro->define, macro->end, &text);
        bytes_release(&text);
    }
}

/* A function of the host's: its body is from token i on, to the match. */
static bool is_host_body(const Tokens *tokens, uint32_t i)
{
    if (!i || !token_is_char(tokens, i, '{') || !token_is_char(tokens, i - 1, ')')) return false;
    if (tokens->item[i].match == TOKEN_NONE) return false;
    for (uint32_t k = i; k < tokens->item[i].match; k++) /* lambdas for kernels */
        if (token_is(tokens, k, "__device__")) return false;
    return true;
}

/* A volatile access of device code, or what may be for one: not the word of an asm statement, nor
 * shared memory, which is the block's own. */
static bool has_volatile(const Tokens *tokens, uint32_t device_end)
{
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (i >= device_end &&
            (token_is(tokens, i, "__device__") || token_is(tokens, i, "__global__"))) {
            uint32_t body = kernel_body(tokens, i, false);
            if (body != TOKEN_NONE && tokens->item[body].match > i)
                device_end = tokens->item[body].match;
        }
        if (i >= device_end && is_host_body(tokens, i)) i = tokens->item[i].match;
        if (!token_is(tokens, i, "volatile")) continue;
        uint32_t before = i ? i - 1 : i;
        if (!token_is(tokens, before, "asm") && !token_is(tokens, before, "__asm__") &&
            !token_is(tokens, before, "__asm") && !token_is(tokens, before, "__shared__") &&
            !token_is(tokens, i + 1, "__shared__"))
            return true;
    }
    return false;
}

static void write_order(const Rewriter *r)
{
    bool found = r->one_order || has_volatile(r->tokens, 0);
    for (uint32_t i = 0; i < r->macros->count && !found; i++)
        found = has_volatile(&r->macros->item[i].body, TOKEN_NONE);
    if (found) bytes_add_string(r->out, "\n#ifdef TL_ONE_ORDER\nTL_ONE_ORDER\n#endif\n");
}

void rewrite(RewriteResult *result, const char *text, size_t size, const RewriteOptions *options)
{
    *result = (RewriteResult){0};
    bytes_add_string(&result->text, "");
    bytes_add_string(&result->errors, "");
    const char *name = options->file_name ? options->file_name : "<text>";
    if (size >= (size_t)INT32_MAX) {
        bytes_format(&result->errors, "%s:1:1: error: the source is too large (%zu MB)\n", name,
                     size >> 20);
        return;
    }
    if (!holds(text, size, "__global__") && !holds(text, size, "<<<") &&
        !holds(text, size, "<< <") && !holds(text, size, "__shared__") &&
        !holds(text, size, "asm") && !holds(text, size, "__device__") &&
        !holds(text, size, "__constant__") && !holds(text, size, "__managed__")) {
        bytes_add(&result->text, text, size);
        return;
    }
    Tokens tokens = {0};
    Defines defines = {.tokens = &tokens, .text = text};
    LexOptions lexing = {options->file_name, options->skip_directory, options->read_directory,
                         remember_define, &defines};
    lex(&tokens, text, size, &lexing);
    Rewriter r = {.text = text,
                  .size = (uint32_t)size,
                  .tokens = &tokens,
                  .macros = &defines.macros,
                  .markers = true,
                  .outside = TOKEN_NONE,
                  .named = TOKEN_NONE,
                  .result = result,
                  .out = &result->text};
    if (tokens.too_many) {
        bytes_format(&result->errors, "%s:1:1: error: the source has more than %d million tokens\n",
                     name, TOKENS_MOST / 1000000);
    } else {
        macros_finish(&defines.macros);
        rewrite_macros(&r, &defines.macros);
        rewrite_part(&r, 0, (uint32_t)size);
        write_order(&r);
    }
    for (uint32_t i = 0; i < r.patches; i++) bytes_release(&r.patch[i].text);
    free(r.patch);
    macros_release(&defines.macros);
    tokens_release(&tokens);
}

void rewrite_release(RewriteResult *result)
{
    bytes_release(&result->text);
    bytes_release(&result->errors);
}
