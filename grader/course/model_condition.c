/* model_condition.c - see model_condition.h. */
#include "grader/course/model_condition.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/text.h"

/* KEY, what it is compared by, and the number. False and why. */
static bool term(const char *text, char *key, size_t key_size, char *compare, double *number,
                 char *error, size_t error_size)
{
    size_t length = strcspn(text, "=<>"), n = length;
    while (n && isspace((unsigned char)text[n - 1])) n--;
    const char *value = text[length] ? text + length + 1 : "";
    while (isspace((unsigned char)*value)) value++;
    char *end = NULL;
    snprintf(key, key_size, "%.*s", (int)n, text);
    *compare = text[length];
    *number = !strcmp(value, "yes") ? 1 : strtod(value, &end);
    bool word = !strcmp(value, "yes") || !strcmp(value, "no");
    double any;
    Model none = {.exact = false};
    if (!*compare)
        snprintf(error, error_size,
                 "'%.80s' compares nothing: [on KEY = NUMBER] (or < or >), with a key of a device "
                 "file, or [on card]",
                 text);
    else if (!model_number(&none, key, &any))
        snprintf(error, error_size, "a device model has no number '%.80s'", key);
    else if (!word && (end == value || *end))
        snprintf(error, error_size, "'%.80s' is no number (nor yes or no)", value);
    else return true;
    return false;
}

bool model_condition_valid(const char *condition, char *error, size_t error_size)
{
    size_t n;
    char **terms = list_split(condition, ',', &n), key[100], compare;
    double number;
    bool valid = n > 0;
    if (!valid) snprintf(error, error_size, "a condition is missing: [on KEY = NUMBER]");
    for (size_t i = 0; i < n && valid; i++)
        valid = term(terms[i], key, sizeof key, &compare, &number, error, error_size);
    list_free(terms);
    return valid;
}

bool model_condition_holds(const Model *model, const char *condition)
{
    size_t n;
    char **terms = list_split(condition, ',', &n), key[100], compare, error[300];
    double wanted, value;
    bool holds = n > 0;
    for (size_t i = 0; i < n && holds; i++) {
        holds = term(terms[i], key, sizeof key, &compare, &wanted, error, sizeof error) &&
                model_number(model, key, &value) &&
                (compare == '='   ? value == wanted
                 : compare == '<' ? value < wanted
                                  : value > wanted);
    }
    list_free(terms);
    return holds;
}
