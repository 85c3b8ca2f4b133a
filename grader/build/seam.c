/* seam.c - see seam.h. */
#include "grader/build/seam.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SIDE_APART: a kernel that the student writes. */
typedef enum Side { SIDE_STUDENT, SIDE_HARNESS, SIDE_KERNEL, SIDE_APART } Side;
typedef struct Function {
    Side side;
    char *symbol, *name; /* mangled; as the header writes it */
    char *label;         /* its name in a log: name, or name~2 for an overload */
    char **types;        /* of its parameters */
    size_t n;
} Function;
typedef struct Functions {
    Function *items;
    size_t n;
} Functions;

/* ---- the header, without comments and strings ---- */

static char *without_comments(const char *text)
{
    char *copy = memory_copy(text);
    for (char *at = copy; *at; at++) {
        if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n') *at++ = ' ';
            if (!*at) break;
        } else if (at[0] == '/' && at[1] == '*') {
            char *end = strstr(at + 2, "*/");
            end = end ? end + 2 : at + strlen(at);
            for (; at < end; at++)
                if (*at != '\n') *at = ' ';
            at--;
        } else if (*at == '"') {
            for (at++; *at && *at != '"' && *at != '\n'; at++) {
                if (*at == '\\' && at[1]) at++;
            }
            if (!*at) break;
        }
    }
    return copy;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The next place where text has this identifier; NULL. */
static const char *find_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n) {
        if ((at == text || !in_word(at[-1])) && !in_word(at[n])) return at;
    }
    return NULL;
}

/* Does the header declare a kernel of that name? */
static bool is_kernel(const char *header, const char *name)
{
    static const char *const attributes[] = {"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                             "__block_size__"};
    for (const char *at = header; (at = find_word(at, "__global__"));) {
        at += strlen("__global__");
        for (const char *p = at; *p && *p != ';' && *p != '{';) {
            if (!in_word(*p)) {
                p++;
                continue;
            }
            const char *begin = p;
            while (in_word(*p)) p++;
            const char *after = p + strspn(p, " \t\n");
            bool attribute = false;
            for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
                attribute = attribute || (strlen(attributes[i]) == (size_t)(p - begin) &&
                                          !strncmp(attributes[i], begin, (size_t)(p - begin)));
            if (*after != '(') continue;
            if (attribute) {
                while (*p && *p != ')') p++;
                continue;
            }
            if (strlen(name) == (size_t)(p - begin) && !strncmp(name, begin, (size_t)(p - begin)))
                return true;
            break;
        }
    }
    return false;
}

/* ---- nm ---- */

/* Cuts "name(type, type)" up. */
static bool parse(Function *function, const char *text)
{
    const char *open = strchr(text, '(');
    size_t length = strlen(text);
    if (!open || text[length - 1] != ')') return false;
    function->name = memory_format("%.*s", (int)(open - text), text);
    const char *begin = open + 1, *end = text + length - 1;
    int depth = 0;
    for (const char *at = begin; at <= end; at++) {
        if (at < end && strchr("(<[", *at)) depth++;
        if (at < end && strchr(")>]", *at)) depth--;
        if (at < end && !(*at == ',' && !depth)) continue;
        begin += strspn(begin, " ");
        if (at > begin) {
            function->types =
                memory_grow(function->types, function->n + 1, sizeof *function->types);
            function->types[function->n++] = memory_format("%.*s", (int)(at - begin), begin);
        }
        begin = at + 1;
    }
    return true;
}

static void release(Functions *functions)
{
    for (size_t i = 0; i < functions->n; i++) {
        Function *f = &functions->items[i];
        for (size_t k = 0; k < f->n; k++) free(f->types[k]);
        free(f->types);
        free(f->symbol);
        free(f->name);
        free(f->label);
    }
    free(functions->items);
}

/* "         U name" or "0000 T name": the letter, and the name in *name; 0: something else. */
static char letter(const char *line, const char **name)
{
    const char *at = line;
    while (isxdigit((unsigned char)*at) && *at != ' ') at++;
    at += strspn(at, " ");
    if (!*at || at[1] != ' ') return 0;
    *name = at + 2;
    return *at;
}

static bool read_functions(Functions *functions, const char *header, const char *symbols,
                           const char *names, char *error, size_t error_size)
{
    size_t n = 0, m = 0;
    char **plain = list_split(symbols, '\n', &n), **readable = list_split(names, '\n', &m);
    bool fine = n == m;
    if (!fine) snprintf(error, error_size, "nm says different things about one object");
    for (size_t i = 0; i < n && fine; i++) {
        const char *symbol, *text;
        char kind = letter(plain[i], &symbol);
        if ((kind != 'U' && kind != 'T') || letter(readable[i], &text) != kind ||
            strchr(symbol, '.'))
            continue;
        if (strncmp(symbol, "_Z", 2) != 0) {
            if (!strcmp(symbol, "main") || !strncmp(symbol, "threelane_", 10) ||
                !strncmp(symbol, "cuda", 4) || !strncmp(symbol, "nvtx", 4) ||
                !find_word(header, symbol))
                continue;
            snprintf(error, error_size,
                     "%s: declare it without extern \"C\", or it cannot be graded", symbol);
            fine = false;
        }
        if (!isdigit((unsigned char)symbol[2])) continue;
        Function function = {0};
        if (!parse(&function, text) || !find_word(header, function.name)) {
            Functions one = {memory_get(1, sizeof *one.items), 1};
            one.items[0] = function;
            release(&one);
            continue;
        }
        function.symbol = memory_copy(symbol);
        bool kernel = is_kernel(header, function.name);
        function.side = kind == 'U' ? kernel ? SIDE_APART : SIDE_STUDENT
                        : kernel    ? SIDE_KERNEL
                                    : SIDE_HARNESS;
        size_t same = 1;
        for (size_t k = 0; k < functions->n; k++)
            same += !strcmp(functions->items[k].name, function.name);
        function.label =
            same == 1 ? memory_copy(function.name) : memory_format("%s~%zu", function.name, same);
        if (same > 1 && (function.side == SIDE_KERNEL || function.side == SIDE_APART)) {
            snprintf(error, error_size, "%s: two kernels of one name cannot be graded",
                     function.name);
            fine = false;
        }
        functions->items =
            memory_grow(functions->items, functions->n + 1, sizeof *functions->items);
        functions->items[functions->n++] = function;
    }
    list_free(plain);
    list_free(readable);
    return fine;
}

/* ---- the file ---- */

/* "tl_glue::same<TYPE>::type a0, ..." */
static void parameters(Text *to, const Function *f)
{
    for (size_t i = 0; i < f->n; i++)
        text_printf(to, "%stl_glue::same<%s>::type a%zu", i ? ", " : "", f->types[i], i);
}

static void arguments(Text *to, const Function *f, const char *before)
{
    for (size_t i = 0; i < f->n; i++) text_printf(to, "%sa%zu", i ? ", " : before, i);
}

static void declare(Text *to, const Function *f, const char *name, const char *symbol_prefix)
{
    text_printf(to, "auto %s(", name);
    parameters(to, f);
    text_printf(to, ") -> decltype(%s(", f->name);
    arguments(to, f, "");
    text_add(to, "))");
    if (symbol_prefix) text_printf(to, " __asm__(\"%s%s\");\n", symbol_prefix, f->symbol);
}

static void define_box(Text *to, const Function *f, size_t i)
{
    bool student = f->side == SIDE_STUDENT;
    char *hidden = memory_format(student ? "in_%zu" : "own_%zu", i);
    declare(to, f, hidden, student ? "threelane_in_" : "threelane_own_");
    declare(to, f, student ? hidden : f->name, NULL);
    text_printf(to, "\n{\n    return tl_glue::%s(\"%s\", [&] { return %s(", student ? "in" : "own",
                f->label, student ? f->name : hidden);
    arguments(to, f, "");
    text_add(to, "); }");
    arguments(to, f, ", ");
    text_add(to, ");\n}\n");
    free(hidden);
}

static void define_player(Text *to, const Function *f, size_t i)
{
    char *hidden = memory_format(f->side == SIDE_STUDENT  ? "in_%zu"
                                 : f->side == SIDE_KERNEL ? "launch_%zu"
                                                          : "own_%zu",
                                 i);
    if (f->side == SIDE_STUDENT) {
        declare(to, f, hidden, "threelane_in_");
        declare(to, f, hidden, NULL);
        text_printf(to, "\n{\n    return tl_glue::play<decltype(%s(", f->name);
        arguments(to, f, "");
        text_printf(to, "))>(\"%s\"", f->label);
        arguments(to, f, ", ");
        text_add(to, ");\n}\n");
    } else if (f->side == SIDE_APART) {
        text_printf(to, "static void apart_%zu(void *closure)\n{\n    tl_glue::Apart<", i);
        for (size_t k = 0; k < f->n; k++) text_printf(to, "%s%s", k ? ", " : "", f->types[k]);
        text_add(to, ">::call([](");
        parameters(to, f);
        text_printf(to, ") { %s(", f->name);
        arguments(to, f, "");
        text_printf(to,
                    "); }, closure);\n}\nstatic void call_%zu(void **arguments)\n{\n    "
                    "tl_glue::Apart<",
                    i);
        for (size_t k = 0; k < f->n; k++) text_printf(to, "%s%s", k ? ", " : "", f->types[k]);
        text_printf(to, ">::queue(\"%s\", apart_%zu, arguments);\n}\n", f->name, i);
    } else {
        if (f->side == SIDE_HARNESS) declare(to, f, hidden, "threelane_own_");
        text_printf(to, "static void call_%zu(void **arguments)\n{\n    tl_glue::Call<", i);
        for (size_t k = 0; k < f->n; k++) text_printf(to, "%s%s", k ? ", " : "", f->types[k]);
        text_add(to, ">::with([](");
        parameters(to, f);
        text_printf(to, ") { %s(", f->side == SIDE_HARNESS ? hidden : f->name);
        arguments(to, f, "");
        text_add(to, "); }, arguments);\n}\n");
    }
    free(hidden);
}

static void table(Text *to, const Functions *functions, Side side, const char *name)
{
    text_printf(to, "static const GlueFunction %s[] = {\n", name);
    for (size_t i = 0; i < functions->n; i++) {
        const Function *f = &functions->items[i];
        bool apart = side == SIDE_KERNEL && f->side == SIDE_APART;
        if (f->side != side && !apart) continue;
        text_printf(to, "    {\"%s\", call_%zu, tl_glue::Types<", f->label, i);
        for (size_t k = 0; k < f->n; k++) text_printf(to, "%s%s", k ? ", " : "", f->types[k]);
        text_printf(to, ">::list, %zu, ", f->n);
        if (apart) text_printf(to, "apart_%zu},\n", i);
        else text_add(to, "nullptr},\n");
    }
    text_add(to, "    {nullptr, nullptr, nullptr, 0, nullptr}};\n");
}

static void box_kernels(Text *to, const Functions *functions)
{
    text_add(to, "const GlueKernel threelane_kernels[] = {\n");
    for (size_t i = 0; i < functions->n; i++) {
        const Function *f = &functions->items[i];
        if (f->side != SIDE_KERNEL && f->side != SIDE_APART) continue;
        text_printf(to, "    {\"%s\", (const void *)static_cast<void (*)(", f->name);
        for (size_t k = 0; k < f->n; k++) text_printf(to, "%s%s", k ? ", " : "", f->types[k]);
        text_printf(to, ")>(%s)},\n", f->name);
    }
    text_add(to, "    {nullptr, nullptr}};\n");
}

static const char *const box_main = "extern \"C\" int threelane_harness_main(int, char **);\n"
                                    "const char threelane_seam = 1;\n"
                                    "int main(int argc, char **argv) { return "
                                    "threelane_log_main(threelane_harness_main, argc, argv); }\n";
static const char *const player_main =
    "extern \"C\" {\n"
    "int threelane_harness_main(int, char **);\n"
    "extern const char data_begin[] __asm__(\"__start_threelane_own_data\") "
    "__attribute__((weak));\n"
    "extern const char data_end[] __asm__(\"__stop_threelane_own_data\") __attribute__((weak));\n"
    "extern const char bss_begin[] __asm__(\"__start_threelane_own_bss\") __attribute__((weak));\n"
    "extern const char bss_end[] __asm__(\"__stop_threelane_own_bss\") __attribute__((weak));\n"
    "}\n"
    "const char threelane_seam = 1;\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    static const Glue glue = {functions, kernels, sizeof functions / sizeof *functions - 1,\n"
    "                              sizeof kernels / sizeof *kernels - 1, data_begin, data_end, "
    "bss_begin, bss_end};\n"
    "    return threelane_play_main(&glue, threelane_harness_main, argc, argv);\n"
    "}\n";

bool glue_write(Text *source, Text *renames, Text *apart, const char *header_name,
                const char *header, const char *symbols, const char *names, char *error,
                size_t error_size)
{
    Functions functions = {0};
    char *bare = without_comments(header);
    bool fine = read_functions(&functions, bare, symbols, names, error, error_size);
    size_t students = 0;
    for (size_t i = 0; i < functions.n; i++) students += functions.items[i].side == SIDE_STUDENT;
    if (fine && !students) {
        snprintf(error, error_size, "%s declares no function that the harness calls", header_name);
        fine = false;
    }
    if (fine) {
        text_printf(source,
                    "#include \"%s\"\n#include <threelane/glue.h>\n#ifndef THREELANE_PLAYER\n",
                    header_name);
        for (size_t i = 0; i < functions.n; i++)
            if (functions.items[i].side <= SIDE_HARNESS) define_box(source, &functions.items[i], i);
        box_kernels(source, &functions);
        text_printf(source, "%s#else\n", box_main);
        for (size_t i = 0; i < functions.n; i++) define_player(source, &functions.items[i], i);
        table(source, &functions, SIDE_HARNESS, "functions");
        table(source, &functions, SIDE_KERNEL, "kernels");
        text_printf(source, "%s#endif\n", player_main);
        text_add(renames, "main threelane_harness_main\n");
        for (size_t i = 0; i < functions.n; i++) {
            const Function *f = &functions.items[i];
            if (f->side == SIDE_APART) text_printf(apart, "%s\n", f->symbol);
            if (f->side <= SIDE_HARNESS)
                text_printf(renames, "%s threelane_%s_%s\n", f->symbol,
                            f->side == SIDE_STUDENT ? "in" : "own", f->symbol);
        }
    }
    release(&functions);
    free(bare);
    return fine;
}
