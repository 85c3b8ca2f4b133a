/* expr.h - the numbers in exercise files: + - * /, parentheses, names, and measures as calls:
 * units(pipelined). */
#ifndef THREELANE_EXPR_H
#define THREELANE_EXPR_H
#include <stdbool.h>
#include <stddef.h>

/* Where names and measures come from. Either function returns false when there is no such value; it
 * may write why. */
typedef struct ExprScope {
    bool (*name)(void *data, const char *name, double *value, char *error, size_t error_size);
    bool (*measure)(void *data, const char *function, const char *arguments, double *value,
                    char *error, size_t error_size);
    void *data;
    bool syntax_only; /* dividing by zero is not an error: the values are not the real ones */
} ExprScope;

/* Returns true and the value; or false and one line that says where the text is wrong. */
bool expr_eval(const char *text, const ExprScope *, double *value, char *error, size_t error_size);
#endif
