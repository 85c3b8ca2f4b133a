/* expr.c - see expr.h. Recursive descent, one function per level of precedence. */
#include "grader/course/expr.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100, LONGEST_NAME = 200 };

typedef struct Parser {
    const char *text, *at;
    const ExprScope *scope;
    char *error;
    size_t error_size;
    int depth;
    bool failed;
} Parser;

static double sum(Parser *);

static double fail(Parser *p, const char *what)
{
    if (!p->failed)
        snprintf(p->error, p->error_size, "%s at column %d of '%s'", what,
                 (int)(p->at - p->text) + 1, p->text);
    p->failed = true;
    return 0;
}

static char peek(Parser *p)
{
    while (isspace((unsigned char)*p->at)) p->at++;
    return *p->at;
}

static double name_or_measure(Parser *p)
{
    char name[LONGEST_NAME], arguments[LONGEST_NAME], why[LONGEST_NAME] = "";
    const char *start = p->at;
    size_t n = 0;
    while (isalnum((unsigned char)*p->at) || *p->at == '_') {
        if (n + 1 == sizeof name) return fail(p, "a name that is too long");
        name[n++] = *p->at++;
    }
    name[n] = 0;
    double value = 0;
    bool known;
    if (peek(p) == '(') {
        const char *open = ++p->at, *close = strchr(open, ')');
        if (!close) return fail(p, "a missing ')'");
        if ((size_t)(close - open) >= sizeof arguments)
            return fail(p, "an argument that is too long");
        snprintf(arguments, sizeof arguments, "%.*s", (int)(close - open), open);
        p->at = close + 1;
        known = p->scope->measure &&
                p->scope->measure(p->scope->data, name, arguments, &value, why, sizeof why);
    } else {
        known = p->scope->name && p->scope->name(p->scope->data, name, &value, why, sizeof why);
    }
    if (known) return value;
    p->at = start;
    if (!why[0]) snprintf(why, sizeof why, "unknown name '%.100s'", name);
    return fail(p, why);
}

static double factor(Parser *p)
{
    if (p->failed) return 0;
    if (++p->depth > DEEPEST) return fail(p, "an expression that is nested too deeply");
    double value = 0;
    char c = peek(p);
    if (c == '(') {
        p->at++;
        value = sum(p);
        if (!p->failed && peek(p) != ')') fail(p, "a missing ')'");
        else if (!p->failed) p->at++;
    } else if (c == '-' || c == '+') {
        p->at++;
        value = factor(p);
        if (c == '-') value = -value;
    } else if (isdigit((unsigned char)c) || c == '.') {
        char digits[64];
        size_t n = 0;
        /* by hand, since strtod reads hex, "inf" and the locale's decimal point */
        while ((isdigit((unsigned char)p->at[n]) || p->at[n] == '.') && n + 1 < sizeof digits)
            digits[n] = p->at[n], n++;
        digits[n] = 0;
        char *end;
        value = strtod(digits, &end);
        if (*end || end == digits || isalpha((unsigned char)p->at[n]) || p->at[n] == '_')
            fail(p, "a number that is not one");
        else p->at += n;
    } else if (isalpha((unsigned char)c) || c == '_') {
        value = name_or_measure(p);
    } else {
        fail(p, c ? "an unexpected character" : "an unexpected end");
    }
    p->depth--;
    return value;
}

static double product(Parser *p)
{
    double value = factor(p);
    while (!p->failed && (peek(p) == '*' || *p->at == '/')) {
        const char *operator= p->at++;
        double right = factor(p);
        if (p->failed) break;
        if (*operator== '*') {
            value *= right;
        } else if (right != 0) {
            value /= right;
        } else if (!p->scope->syntax_only) {
            p->at = operator;
            fail(p, "a division by zero");
        }
    }
    return value;
}

static double sum(Parser *p)
{
    double value = product(p);
    while (!p->failed && (peek(p) == '+' || *p->at == '-')) {
        char operator= * p->at++;
        double right = product(p);
        value = operator== '+' ? value + right : value - right;
    }
    return value;
}

bool expr_eval(const char *text, const ExprScope *scope, double *value, char *error,
               size_t error_size)
{
    Parser parser = {.text = text,
                     .at = text,
                     .scope = scope,
                     .error = error,
                     .error_size = error_size};
    double result = sum(&parser);
    if (!parser.failed && peek(&parser)) fail(&parser, "an unexpected character");
    if (!parser.failed && !isfinite(result)) fail(&parser, "a value that is not a number");
    if (parser.failed) return false;
    *value = result;
    return true;
}
