#include "sim/rewrite/lexer.h"
#include <stdlib.h>
#include <string.h>
#include "sim/rewrite/bytes.h"

/* One open #if. What it hides is decided only where that needs no macro: "#if 0" and "#if 1", which
 * is also what a compiler leaves of conditions that it has evaluated. */
typedef struct Conditional {
    enum { COND_UNKNOWN, COND_TRUE, COND_FALSE, COND_WITHIN_HIDDEN } kind;
} Conditional;

typedef struct Lexer {
    Tokens *out;
    const char *text;
    const LexOptions *options;
    uint32_t at, end;
    uint32_t line, line_start, file;
    bool fresh_line; /* only white space and comments so far on this line */
    bool hidden;     /* inside of "#if 0" */
    bool directives; /* false for a part of a directive */
    Conditional *open;
    uint32_t open_count, open_room;
} Lexer;

static bool name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
}

static bool digit(unsigned char c) { return c >= '0' && c <= '9'; }

static bool name_part(unsigned char c) { return name_start(c) || digit(c); }

static char peek(const Lexer *lexer, uint32_t ahead)
{
    return lexer->end - lexer->at > ahead ? lexer->text[lexer->at + ahead] : 0;
}

/* Size of a line continuation at offset at: backslash, perhaps carriage return, newline. 0:
 * none. */
static uint32_t continuation(const Lexer *lexer, uint32_t at)
{
    const char *text = lexer->text;
    if (at >= lexer->end || text[at] != '\\') return 0;
    if (at + 1 < lexer->end && text[at + 1] == '\n') return 2;
    if (at + 2 < lexer->end && text[at + 1] == '\r' && text[at + 2] == '\n') return 3;
    return 0;
}

static void newline_passed(Lexer *lexer, uint32_t next)
{
    lexer->line++;
    lexer->line_start = next;
}

/* Moves to offset to and counts the lines on the way. */
static void pass(Lexer *lexer, uint32_t to)
{
    const char *text = lexer->text;
    while (lexer->at < to) {
        const char *newline = memchr(text + lexer->at, '\n', to - lexer->at);
        if (!newline) break;
        lexer->at = (uint32_t)(newline - text) + 1;
        newline_passed(lexer, lexer->at);
    }
    lexer->at = to;
}

static void add_token(Lexer *lexer, TokenKind kind, uint32_t start, uint32_t end, uint32_t line,
                      uint32_t line_start)
{
    Tokens *out = lexer->out;
    if (lexer->hidden || out->too_many) return;
    if (out->count == TOKENS_MOST) {
        out->too_many = true;
        return;
    }
    if (out->count == out->room) {
        out->room = out->room ? out->room * 2 : 256;
        out->item = must_resize(out->item, out->room * sizeof *out->item);
    }
    out->item[out->count++] = (Token){start,       end - start, line,          line_start,
                                      lexer->file, TOKEN_NONE,  (uint8_t)kind, lexer->text[start]};
}

/* The end of a // comment or of a directive's last line: the offset of a newline, or the end. */
static uint32_t end_of_line(const Lexer *lexer, uint32_t at)
{
    while (at < lexer->end) {
        const char *newline = memchr(lexer->text + at, '\n', lexer->end - at);
        if (!newline) return lexer->end;
        at = (uint32_t)(newline - lexer->text);
        uint32_t before = at;
        if (before > 0 && lexer->text[before - 1] == '\r') before--;
        if (before == 0 || lexer->text[before - 1] != '\\') return at;
        at++;
    }
    return lexer->end;
}

static uint32_t end_of_comment(const Lexer *lexer, uint32_t at)
{
    for (at += 2; at < lexer->end; at++) {
        const char *star = memchr(lexer->text + at, '*', lexer->end - at);
        if (!star) return lexer->end;
        at = (uint32_t)(star - lexer->text);
        if (at + 1 < lexer->end && lexer->text[at + 1] == '/') return at + 2;
    }
    return lexer->end;
}

/* After the closing quote; an unterminated literal ends before the newline. */
static uint32_t end_of_literal(const Lexer *lexer, uint32_t at)
{
    char quote = lexer->text[at++];
    while (at < lexer->end && lexer->text[at] != '\n') {
        uint32_t joined = continuation(lexer, at);
        if (joined) {
            at += joined;
        } else if (lexer->text[at] == '\\' && at + 1 < lexer->end && lexer->text[at + 1] != '\n') {
            at += 2;
        } else if (lexer->text[at++] == quote) {
            break;
        }
    }
    return at;
}

/* R"delimiter( ... )delimiter": at is the quote. 0: not a raw string after all. */
static uint32_t end_of_raw_string(const Lexer *lexer, uint32_t at)
{
    const char *text = lexer->text;
    uint32_t delimiter = at + 1, open = delimiter;
    while (open < lexer->end && text[open] != '(') {
        char c = text[open];
        if (open - delimiter == 16 || c == ' ' || c == ')' || c == '\\' || c == '\n' || c == '"')
            return 0;
        open++;
    }
    if (open >= lexer->end) return 0;
    uint32_t size = open - delimiter;
    for (uint32_t i = open + 1; i < lexer->end; i++) {
        const char *close = memchr(text + i, ')', lexer->end - i);
        if (!close) return lexer->end;
        i = (uint32_t)(close - text);
        if (lexer->end - i > size + 1 && !memcmp(text + i + 1, text + delimiter, size) &&
            text[i + 1 + size] == '"')
            return i + size + 2;
    }
    return lexer->end;
}

static bool literal_prefix(const char *name, uint32_t size, bool *raw)
{
    static const char *const prefix[] = {"R", "LR", "uR", "UR", "u8R", "L", "u", "U", "u8"};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        if (strlen(prefix[i]) == size && !memcmp(prefix[i], name, size)) {
            *raw = i < 5;
            return true;
        }
    }
    return false;
}

/* ---- directives ---- */

static uint32_t end_of_directive(const Lexer *lexer, uint32_t at)
{
    while (at < lexer->end && lexer->text[at] != '\n') {
        uint32_t joined = continuation(lexer, at);
        char c = lexer->text[at];
        char next = at + 1 < lexer->end ? lexer->text[at + 1] : 0;
        if (joined) at += joined;
        else if (c == '/' && next == '*') at = end_of_comment(lexer, at);
        else if (c == '/' && next == '/') at = end_of_line(lexer, at);
        else if (c == '"' || c == '\'') at = end_of_literal(lexer, at);
        else at++;
    }
    return at;
}

static bool below(const char *quoted, uint32_t size, const char *directory)
{
    size_t length = strlen(directory);
    while (length && directory[length - 1] == '/') length--;
    return length && size > length + 2 && !memcmp(quoted + 1, directory, length) &&
           quoted[1 + length] == '/';
}

/* The index of a file of that name; the latest few are looked through, which finds nearly all. */
static uint32_t find_file(Tokens *out, const char *quoted, uint32_t size, bool system)
{
    for (uint32_t i = out->files; i > 0 && i + 64 > out->files; i--) {
        const SourceFile *file = &out->file[i - 1];
        if (file->system == system && strlen(file->quoted) == size &&
            !memcmp(file->quoted, quoted, size))
            return i - 1;
    }
    if (out->files == out->files_room) {
        out->files_room = out->files_room ? out->files_room * 2 : 16;
        out->file = must_resize(out->file, out->files_room * sizeof *out->file);
    }
    char *copy = must_alloc((size_t)size + 1);
    memcpy(copy, quoted, size);
    copy[size] = 0;
    out->file[out->files] = (SourceFile){copy, system};
    return out->files++;
}

/* A line marker whose number starts at offset at. True when it names a file and that is one to
 * skip. */
static bool read_marker(Lexer *lexer, uint32_t at, uint32_t end, bool *names_file)
{
    const char *text = lexer->text;
    uint64_t number = 0;
    for (; at < end && digit((unsigned char)text[at]); at++) {
        number = number * 10 + (uint64_t)(text[at] - '0');
        if (number > UINT32_MAX - 1) number = UINT32_MAX - 1;
    }
    lexer->line = (uint32_t)number - 1; /* the newline after the marker makes it right */
    while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
    *names_file = at < end && text[at] == '"';
    if (!*names_file) return false;
    uint32_t close = end_of_literal(lexer, at);
    bool system = false;
    for (uint32_t i = close; i < end; i++) system |= text[i] == '3' && text[i - 1] == ' ';
    if (lexer->options->skip_directory &&
        below(text + at, close - at, lexer->options->skip_directory))
        return true;
    if (system && !(lexer->options->read_directory &&
                    below(text + at, close - at, lexer->options->read_directory)))
        return true;
    lexer->file = find_file(lexer->out, text + at, close - at, system);
    return false;
}

/* Skips text of a system header up to the next line marker that leaves it. */
static void skip_system(Lexer *lexer)
{
    const char *text = lexer->text;
    while (lexer->at < lexer->end) {
        const char *hash = lexer->text + lexer->at;
        uint32_t at = lexer->at;
        if (*hash == '#') {
            at++;
            while (at < lexer->end && text[at] == ' ') at++;
            if (lexer->end - at > 4 && !memcmp(text + at, "line", 4)) at += 4;
            while (at < lexer->end && text[at] == ' ') at++;
        }
        const char *newline = memchr(text + at, '\n', lexer->end - at);
        uint32_t end = newline ? (uint32_t)(newline - text) : lexer->end;
        bool names_file = false;
        bool marker = *hash == '#' && at < end && digit((unsigned char)text[at]);
        bool skip = marker && read_marker(lexer, at, end, &names_file);
        lexer->at = newline ? end + 1 : lexer->end;
        newline_passed(lexer, lexer->at);
        if (marker && names_file && !skip) return;
    }
}

static bool directive_is(const char *name, uint32_t size, const char *what)
{
    return strlen(what) == size && !memcmp(name, what, size);
}

/* 1 or 0 when the condition is that number, else -1. */
static int plain_condition(const Lexer *lexer, uint32_t at, uint32_t end)
{
    const char *text = lexer->text;
    while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
    if (at >= end || (text[at] != '0' && text[at] != '1')) return -1;
    int value = text[at++] - '0';
    while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) at++;
    return at >= end ||
                   (text[at] == '/' && at + 1 < end && (text[at + 1] == '*' || text[at + 1] == '/'))
               ? value
               : -1;
}

static void conditional(Lexer *lexer, uint32_t hash, uint32_t name, uint32_t size, uint32_t end)
{
    const char *word = lexer->text + name;
    int value = directive_is(word, size, "if") || directive_is(word, size, "elif")
                    ? plain_condition(lexer, name + size, end)
                    : -1;
    bool begins = size >= 2 && !memcmp(word, "if", 2);
    if (begins) {
        if (lexer->open_count == lexer->open_room) {
            lexer->open_room = lexer->open_room ? lexer->open_room * 2 : 32;
            lexer->open = must_resize(lexer->open, lexer->open_room * sizeof *lexer->open);
        }
        Conditional *new = &lexer->open[lexer->open_count++];
        new->kind = lexer->hidden ? COND_WITHIN_HIDDEN
                    : value < 0   ? COND_UNKNOWN
                    : value       ? COND_TRUE
                                  : COND_FALSE;
        if (new->kind == COND_UNKNOWN)
            add_token(lexer, TOKEN_IF, hash, hash + 1, lexer->line, lexer->line_start);
        if (new->kind == COND_FALSE) lexer->hidden = true;
        return;
    }
    if (!lexer->open_count) return;
    Conditional *top = &lexer->open[lexer->open_count - 1];
    if (directive_is(word, size, "endif")) {
        if (top->kind != COND_WITHIN_HIDDEN) lexer->hidden = false;
        if (top->kind == COND_UNKNOWN)
            add_token(lexer, TOKEN_ENDIF, hash, hash + 1, lexer->line, lexer->line_start);
        lexer->open_count--;
        return;
    }
    switch (top->kind) { /* #else, #elif and its kin */
    case COND_TRUE: lexer->hidden = true; break;
    case COND_FALSE:
        if (value == 0) break;
        lexer->hidden = false;
        top->kind = value == 1 || directive_is(word, size, "else") ? COND_TRUE : COND_UNKNOWN;
        if (top->kind == COND_UNKNOWN)
            add_token(lexer, TOKEN_IF, hash, hash + 1, lexer->line, lexer->line_start);
        break;
    case COND_UNKNOWN:
        lexer->hidden = false;
        add_token(lexer, TOKEN_ELSE, hash, hash + 1, lexer->line, lexer->line_start);
        lexer->hidden = value == 0;
        break;
    case COND_WITHIN_HIDDEN: break;
    }
}

static void directive(Lexer *lexer)
{
    const char *text = lexer->text;
    uint32_t hash = lexer->at, end = end_of_directive(lexer, hash), name = hash + 1;
    while (name < end && (text[name] == ' ' || text[name] == '\t')) name++;
    uint32_t size = 0;
    while (name + size < end && name_part((unsigned char)text[name + size])) size++;
    bool skip = false, names_file;
    uint32_t number = name;
    if (directive_is(text + name, size, "line")) {
        number += size;
        while (number < end && text[number] == ' ') number++;
    }
    if (number < end && digit((unsigned char)text[number])) {
        skip = read_marker(lexer, number, end, &names_file);
    } else if (size) {
        const char *word = text + name;
        if (directive_is(word, size, "define")) {
            if (lexer->options->define && !lexer->hidden)
                lexer->options->define(lexer->options->arg, hash, end, lexer->line, lexer->file);
        } else if (directive_is(word, size, "if") || directive_is(word, size, "ifdef") ||
                   directive_is(word, size, "ifndef") || directive_is(word, size, "else") ||
                   (size >= 4 && !memcmp(word, "elif", 4)) || directive_is(word, size, "endif")) {
            conditional(lexer, hash, name, size, end);
        }
    }
    pass(lexer, end);
    if (skip) {
        if (lexer->at < lexer->end) pass(lexer, lexer->at + 1);
        skip_system(lexer);
        lexer->fresh_line = true;
    }
}

/* ---- tokens ---- */

/* The size of the punctuator here, and whether it is a launch's opening. */
static uint32_t punctuator(const Lexer *lexer, TokenKind *kind)
{
    char a = peek(lexer, 0), b = peek(lexer, 1), c = peek(lexer, 2);
    *kind = TOKEN_PUNCTUATOR;
    if (a == '<' && b == '<' && c == '<') {
        *kind = TOKEN_LAUNCH;
        return 3;
    }
    if (a == '<' && b == '<' && (c == ' ' || c == '\t')) { /* "<< <", as an editor for C++ writes it
                                                            */
        const Tokens *tokens = lexer->out;
        uint32_t n = 2;
        while (peek(lexer, n) == ' ' || peek(lexer, n) == '\t') n++;
        if (peek(lexer, n) == '<' && !strchr("<=", peek(lexer, n + 1)) && tokens->count &&
            !token_is(tokens, tokens->count - 1, "operator")) {
            *kind = TOKEN_LAUNCH;
            return n + 1;
        }
    }
    if (a == '.' && b == '.' && c == '.') return 3;
    if ((a == ':' && b == ':') || (a == '-' && b == '>') || (a == '#' && b == '#') ||
        (a == '<' && b == '<') || (a == '<' && b == '='))
        return 2;
    if (!strchr("(){}[]<>;:,.?=+-*/%&|^!~#", a) || !a) *kind = TOKEN_OTHER;
    return 1;
}

static void token(Lexer *lexer)
{
    const char *text = lexer->text;
    uint32_t start = lexer->at, end = start, line = lexer->line, line_start = lexer->line_start;
    unsigned char c = (unsigned char)text[start];
    TokenKind kind;
    if (name_start(c)) {
        bool raw;
        kind = TOKEN_NAME;
        while (end < lexer->end && name_part((unsigned char)text[end])) end++;
        if (end < lexer->end && (text[end] == '"' || text[end] == '\'') && end - start <= 3 &&
            literal_prefix(text + start, end - start, &raw)) {
            uint32_t close = raw && text[end] == '"' ? end_of_raw_string(lexer, end) : 0;
            kind = text[end] == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
            if (!raw || close) end = close ? close : end_of_literal(lexer, end);
            else kind = TOKEN_NAME;
        }
    } else if (digit(c) || (c == '.' && digit((unsigned char)peek(lexer, 1)))) {
        kind = TOKEN_NUMBER;
        for (end = start + 1; end < lexer->end; end++) {
            char d = text[end], before = text[end - 1];
            bool sign = (d == '+' || d == '-') && strchr("eEpP", before);
            bool separator =
                d == '\'' && end + 1 < lexer->end && name_part((unsigned char)text[end + 1]);
            if (!name_part((unsigned char)d) && d != '.' && !sign && !separator) break;
        }
    } else if (c == '"' || c == '\'') {
        kind = c == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
        end = end_of_literal(lexer, start);
    } else {
        end = start + punctuator(lexer, &kind);
    }
    add_token(lexer, kind, start, end, line, line_start);
    pass(lexer, end);
}

static void scan(Lexer *lexer)
{
    while (lexer->at < lexer->end && !lexer->out->too_many) {
        char c = lexer->text[lexer->at];
        uint32_t joined = continuation(lexer, lexer->at);
        if (c == '\n') {
            lexer->at++;
            newline_passed(lexer, lexer->at);
            lexer->fresh_line = true;
        } else if (joined) {
            pass(lexer, lexer->at + joined);
        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            lexer->at++;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            pass(lexer, end_of_line(lexer, lexer->at));
        } else if (c == '/' && peek(lexer, 1) == '*') {
            pass(lexer, end_of_comment(lexer, lexer->at));
        } else if (c == '#' && lexer->fresh_line && lexer->directives) {
            directive(lexer);
        } else {
            lexer->fresh_line = false;
            token(lexer);
        }
    }
}

/* ---- brackets ---- */

typedef struct Stack {
    uint32_t *item, count, room;
} Stack;

static void push(Stack *stack, uint32_t value)
{
    if (stack->count == stack->room) {
        stack->room = stack->room ? stack->room * 2 : 64;
        stack->item = must_resize(stack->item, stack->room * sizeof *stack->item);
    }
    stack->item[stack->count++] = value;
}

/* Opening brackets wait on a stack. A closing one that does not fit drops the openings that it
 * skips, if there is a fitting one among the nearest 64, else it is ignored. The branches of a
 * conditional start with the same stack: what the first branch closed is open again in the
 * #else. */
static void match_brackets(Tokens *tokens)
{
    Stack open = {0}, saved = {0};
    for (uint32_t i = 0; i < tokens->count; i++) {
        Token *t = &tokens->item[i];
        if (t->kind == TOKEN_IF) {
            /* at most 256 of the innermost openings are worth keeping: a branch closes few */
            uint32_t keep = open.count < 256 ? open.count : 256;
            for (uint32_t k = open.count - keep; k < open.count; k++) push(&saved, open.item[k]);
            push(&saved, open.count - keep);
            push(&saved, keep);
        } else if ((t->kind == TOKEN_ELSE || t->kind == TOKEN_ENDIF) && saved.count) {
            uint32_t keep = saved.item[saved.count - 1], base = saved.item[saved.count - 2];
            if (t->kind == TOKEN_ELSE && open.count >= base) {
                open.count = base;
                for (uint32_t k = 0; k < keep; k++)
                    push(&open, saved.item[saved.count - 2 - keep + k]);
            }
            if (t->kind == TOKEN_ENDIF) saved.count -= keep + 2;
        } else if (t->kind == TOKEN_PUNCTUATOR && t->size == 1 && strchr("([{", t->first)) {
            push(&open, i);
        } else if (t->kind == TOKEN_PUNCTUATOR && t->size == 1 && strchr(")]}", t->first)) {
            char want = t->first == ')' ? '(' : t->first == ']' ? '[' : '{';
            uint32_t k = open.count;
            while (k > 0 && open.count - k < 64 && tokens->item[open.item[k - 1]].first != want)
                k--;
            if (k == 0 || tokens->item[open.item[k - 1]].first != want) continue;
            t->match = open.item[k - 1];
            tokens->item[t->match].match = i;
            open.count = k - 1;
        }
    }
    free(open.item);
    free(saved.item);
}

void lex(Tokens *tokens, const char *text, size_t size, const LexOptions *options)
{
    Lexer lexer = {.out = tokens,
                   .text = text,
                   .options = options,
                   .end = (uint32_t)size,
                   .line = 1,
                   .fresh_line = true,
                   .directives = true};
    tokens->text = text;
    Bytes quoted = {0};
    if (options->file_name) {
        bytes_add_char(&quoted, '"');
        for (const char *c = options->file_name; *c; c++) {
            if (*c == '"' || *c == '\\') bytes_add_char(&quoted, '\\');
            bytes_add_char(&quoted, *c);
        }
        bytes_add_char(&quoted, '"');
    } else {
        bytes_add_string(&quoted, "\"<text>\"");
    }
    lexer.file = find_file(tokens, quoted.data, (uint32_t)quoted.size, false);
    bytes_release(&quoted);
    if (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) lexer.at = 3;
    scan(&lexer);
    free(lexer.open);
    match_brackets(tokens);
}

void lex_part(Tokens *tokens, const char *text, uint32_t start, uint32_t end, uint32_t line,
              const SourceFile *file)
{
    LexOptions none = {0};
    Lexer lexer = {.out = tokens,
                   .text = text,
                   .options = &none,
                   .at = start,
                   .end = end,
                   .line = line,
                   .line_start = start};
    tokens->text = text;
    lexer.file = find_file(tokens, file->quoted, (uint32_t)strlen(file->quoted), file->system);
    scan(&lexer);
    match_brackets(tokens);
}

void tokens_release(Tokens *tokens)
{
    for (uint32_t i = 0; i < tokens->files; i++) free(tokens->file[i].quoted);
    free(tokens->file);
    free(tokens->item);
    *tokens = (Tokens){0};
}

bool token_is(const Tokens *tokens, uint32_t index, const char *spelling)
{
    if (index >= tokens->count) return false;
    const Token *t = &tokens->item[index];
    size_t size = strlen(spelling);
    return t->size == size && t->kind < TOKEN_IF &&
           !memcmp(tokens->text + t->start, spelling, size);
}
