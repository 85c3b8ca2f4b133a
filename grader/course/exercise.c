/* exercise.c - see exercise.h. libinih reads the lines; everything that can be wrong is found here,
 * with its line. */
#include "grader/course/exercise.h"
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/devices.h"
#include "common/env.h"
#include "common/limits.h"
#include "grader/course/expr.h"
#include "grader/course/model_condition.h"
#include "common/text.h"
#include "timeline/trace/trace.h"

enum { MOST_ITEMS = 1000, PIECE = 120 };

/* What the value of a kind's key has to be. */
typedef enum KeyType { NO_KEY, A_SELECTOR, SELECTORS, GROUPS, NUMBER, LEAST, WORD, ONE_OF } KeyType;
typedef struct KeyRule {
    const char *name;
    KeyType type;
    bool needed;
    const char *words;
} KeyRule;
enum { MOST_KEYS = 14 };
typedef struct KindRow {
    unsigned flags;
    const char *passes;
    KeyRule keys[MOST_KEYS];
} KindRow;

#define KIND_WORD(NAME, WORD, FLAGS, PASSES, ...) [CHECK_##NAME] = #WORD,
#define KIND_ROW(NAME, WORD, FLAGS, PASSES, ...) [CHECK_##NAME] = {FLAGS, PASSES, {__VA_ARGS__}},
const char *const check_kind_word[CHECK_KINDS] = {CHECK_TABLE(KIND_WORD)};
static const KindRow kinds[CHECK_KINDS] = {CHECK_TABLE(KIND_ROW)};

unsigned check_kind_flags(CheckKind kind) { return kinds[kind].flags; }

const char *check_kind_line(unsigned n)
{
    static char line[900];
    if (n < 2)
        return n ? "|---|---|---|" : "| kind | keys (in brackets: not needed) | passes when |";
    if (n - 2 >= CHECK_KINDS) return NULL;

    const KindRow *row = &kinds[n - 2];
    int at = snprintf(line, sizeof line, "| `%s` |", check_kind_word[n - 2]);
    for (const KeyRule *key = row->keys; key < row->keys + MOST_KEYS && key->name; key++) {
        at += snprintf(line + at, sizeof line - (size_t)at, "%s %s`%s`",
                       key == row->keys ? "" : ",", key->needed ? "" : "[", key->name);
        bool many = key->words && strlen(key->words) > 200; /* those stand elsewhere */
        for (const char *word = many ? NULL : key->words; word && *word;
             word += strcspn(word, " "), word += strspn(word, " "))
            at += snprintf(line + at, sizeof line - (size_t)at, "%s `%.*s`",
                           word == key->words ? " =" : " \\|", (int)strcspn(word, " "), word);
        if (!key->needed) at += snprintf(line + at, sizeof line - (size_t)at, "]");
    }
    snprintf(line + at, sizeof line - (size_t)at, " | %s |", row->passes);
    return line;
}

typedef enum Section { NO_SECTION, EXERCISE, PARAMS, RUN, ON, CHECK } Section;

/* A check's references by name, until every check and run is known. */
typedef struct Pending {
    char *needs, *runs;
    int needs_line, runs_line;
    bool kind_seen;
} Pending;

typedef struct Reading {
    const char *name, *text; /* of the file; what is left of it */
    size_t left;
    int line;  /* of the line last handed to libinih */
    Text rest; /* of a long line, handed over as continuation lines */
    size_t rest_at;
    bool continued; /* the line last handed over continues the value above */
    Exercise *exercise;
    ExercisePair *params, *exercise_keys;
    size_t n_params, n_exercise_keys;
    ExercisePair **run_params; /* overrides, per run */
    size_t *n_run_params;
    Pending *pending;
    Section section;
    char section_name[128];
    char **last_value; /* where a continuation goes */
    char *error;
    size_t error_size;
    bool failed;
} Reading;

static void wrong(Reading *r, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void wrong(Reading *r, int line, const char *format, ...)
{
    if (r->failed) return;
    r->failed = true;
    va_list arguments;
    char what[400];
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line) snprintf(r->error, r->error_size, "%s:%d: %s", r->name, line, what);
    else snprintf(r->error, r->error_size, "%s: %s", r->name, what);
}

/* ---- lines for libinih, which takes only short ones: a long line is handed over as a line and
 * continuations ---- */
static void next_line(Reading *r)
{
    const char *end = memchr(r->text, '\n', r->left);
    size_t length = end ? (size_t)(end - r->text) : r->left;
    text_clear(&r->rest);
    text_append(&r->rest, r->text, length);
    r->rest_at = 0;
    r->text += length + (end ? 1 : 0);
    r->left -= length + (end ? 1 : 0);
    r->line++;
    char *line = r->rest.data;
    if (strlen(line) != length) {
        wrong(r, r->line, "a zero byte: this is not a text file");
        r->rest.length = 0;
    }
    for (size_t i = 0; line[i]; i++) {
        if (line[i] == ';' && (i == 0 || isspace((unsigned char)line[i - 1]))) {
            line[i] = 0;
            r->rest.length = i;
            break;
        }
    }
    while (r->rest.length && isspace((unsigned char)line[r->rest.length - 1]))
        line[--r->rest.length] = 0;
    r->continued = isspace((unsigned char)line[0]) != 0;
}

static char *hand_over(char *buffer, int size, void *data)
{
    Reading *r = data;
    if (r->rest_at >= r->rest.length) {
        do {
            if (!r->left || r->failed) return NULL;
            next_line(r);
        } while (!r->rest.length || r->failed);
    } else {
        r->continued = true;
    }
    const char *at = r->rest.data + r->rest_at;
    bool more = r->rest_at > 0;
    size_t room = (size_t)size < PIECE ? (size_t)size - 4 : PIECE - 4, n = strlen(at);
    if (n > room) {
        for (n = room; n && !isspace((unsigned char)at[n]); n--) {}
        if (!n) {
            wrong(r, r->line, "a word that is too long");
            return NULL;
        }
    }
    snprintf(buffer, (size_t)size, "%s%.*s\n", more ? " " : "", (int)n, at);
    r->rest_at += n;
    while (isspace((unsigned char)r->rest.data[r->rest_at])) r->rest_at++;
    return buffer;
}

/* ---- what libinih finds ---- */
static bool is_id(const char *s)
{
    if (!*s) return false;
    for (; *s; s++) {
        if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-') return false;
    }
    return true;
}

static bool is_macro(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    for (; *s; s++) {
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    }
    return true;
}

static bool pair_add(Reading *r, ExercisePair **pairs, size_t *n, const char *name,
                     const char *value)
{
    for (size_t i = 0; i < *n; i++) {
        if (!strcmp((*pairs)[i].name, name)) {
            wrong(r, r->line, "'%s' is given twice (first on line %d)", name, (*pairs)[i].line);
            return false;
        }
    }
    if (*n >= MOST_ITEMS) {
        wrong(r, r->line, "too many entries");
        return false;
    }
    *pairs = memory_grow(*pairs, *n + 1, sizeof **pairs);
    (*pairs)[*n] = (ExercisePair){memory_copy(name), memory_copy(value), r->line};
    r->last_value = &(*pairs)[*n].value;
    (*n)++;
    return true;
}

static void start_section(Reading *r, const char *section)
{
    Exercise *e = r->exercise;
    snprintf(r->section_name, sizeof r->section_name, "%s", section);
    r->last_value = NULL;
    if (!strcmp(section, "exercise")) {
        r->section = EXERCISE;
    } else if (!strcmp(section, "params")) {
        r->section = PARAMS;
    } else if (!strncmp(section, "run ", 4)) {
        r->section = RUN;
        const char *name = section + 4;
        if (!is_id(name))
            wrong(r, r->line, "a run's name is letters, digits, '_' and '-', not '%s'", name);
        for (size_t i = 0; i < e->n_runs; i++) {
            if (!strcmp(e->runs[i].name, name)) wrong(r, r->line, "a second [run %s]", name);
        }
        if (e->n_runs >= MOST_ITEMS) wrong(r, r->line, "too many runs");
        if (r->failed) return;
        e->runs = memory_grow(e->runs, e->n_runs + 1, sizeof *e->runs);
        r->run_params = memory_grow(r->run_params, e->n_runs + 1, sizeof *r->run_params);
        r->n_run_params = memory_grow(r->n_run_params, e->n_runs + 1, sizeof *r->n_run_params);
        r->run_params[e->n_runs] = NULL;
        r->n_run_params[e->n_runs] = 0;
        e->runs[e->n_runs++] = (ExerciseRun){.name = memory_copy(name), .line = r->line};
    } else if (!strncmp(section, "on ", 3)) {
        r->section = ON;
        const char *condition = section + 3;
        char why[300];
        if (strcmp(condition, "card") != 0 && !model_condition_valid(condition, why, sizeof why))
            wrong(r, r->line, "%s", why);
        for (size_t i = 0; i < e->n_ons; i++) {
            if (!strcmp(e->ons[i].condition, condition))
                wrong(r, r->line, "a second [on %s]", condition);
        }
        if (e->n_ons >= MOST_ITEMS) wrong(r, r->line, "too many sections");
        if (r->failed) return;
        e->ons = memory_grow(e->ons, e->n_ons + 1, sizeof *e->ons);
        e->ons[e->n_ons++] = (ExerciseOn){.condition = memory_copy(condition)};
    } else if (!strncmp(section, "check ", 6)) {
        r->section = CHECK;
        const char *id = section + 6;
        if (!is_id(id))
            wrong(r, r->line, "a check's id is letters, digits, '_' and '-', not '%s'", id);
        if (exercise_check(e, id) < e->n_checks) wrong(r, r->line, "a second [check %s]", id);
        if (e->n_checks >= MOST_ITEMS) wrong(r, r->line, "too many checks");
        if (r->failed) return;
        e->checks = memory_grow(e->checks, e->n_checks + 1, sizeof *e->checks);
        r->pending = memory_grow(r->pending, e->n_checks + 1, sizeof *r->pending);
        r->pending[e->n_checks] = (Pending){0};
        e->checks[e->n_checks++] = (ExerciseCheck){.id = memory_copy(id), .line = r->line};
    } else {
        r->section = NO_SECTION;
        wrong(r, r->line,
              "unknown section [%s] (known: exercise, params, run NAME, on CONDITION, on card, "
              "check ID)",
              section);
    }
}

static bool whole(const char *value, int *number)
{
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < 0 || n > 1000000) return false;
    *number = (int)n;
    return true;
}

/* Variables that CUDA documents, that the virtual GPU knows, and that are nobody else's to set. */
static void run_variables(Reading *r, ExerciseRun *run, const char *value)
{
    static const char *const known[] = {ENV_CUDA_QUEUES, ENV_CUDA_BLOCKING};
    size_t n;
    char **words = list_split(value, ' ', &n);
    if (run->env) wrong(r, r->line, "'env' is given twice");
    for (size_t i = 0; i < n && !r->failed; i++) {
        char *number = strchr(words[i], '=');
        size_t k = 0, most = sizeof known / sizeof *known;
        if (number) *number++ = 0;
        while (k < most && strcmp(known[k], words[i]) != 0) k++;
        if (k == most || !number || !*number || strspn(number, "0123456789") != strlen(number))
            wrong(r, r->line, "env is %s=NUMBER or %s=NUMBER, not '%s'", known[0], known[1],
                  words[i]);
        else pair_add(r, &run->env, &run->n_env, words[i], number);
    }
    list_free(words);
}

/* Options that nvcc and tlcc take alike and that change what a program means. */
static bool is_option(const char *word)
{
    static const char *const whole[] = {"--default-stream=per-thread", "--default-stream=legacy",
                                        "-fmad=false", "-fmad=true", "-lcuda"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (!strcmp(word, whole[i])) return true;
    return !strncmp(word, "-std=c++", 8) && strlen(word) == 10 && isdigit((unsigned char)word[8]) &&
           isdigit((unsigned char)word[9]);
}

static void check_options(Reading *r, const ExercisePair *key)
{
    size_t n;
    char **words = list_split(key->value, ' ', &n);
    for (size_t i = 0; i < n; i++)
        if (!is_option(words[i]))
            wrong(r, key->line,
                  "options are of --default-stream=per-thread, --default-stream=legacy, "
                  "-fmad=false, -std=c++NN and -lcuda, not '%s'",
                  words[i]);
    list_free(words);
}

static void run_key(Reading *r, const char *name, const char *value)
{
    ExerciseRun *run = &r->exercise->runs[r->exercise->n_runs - 1];
    size_t i = r->exercise->n_runs - 1;
    if (!strcmp(name, "model")) {
        if (run->model) wrong(r, r->line, "'model' is given twice");
        else run->model = memory_copy(value);
    } else if (!strcmp(name, "env")) {
        run_variables(r, run, value);
    } else {
        pair_add(r, &r->run_params[i], &r->n_run_params[i], name, value);
    }
    r->last_value = NULL;
}

static void set_once(Reading *r, char **to, const char *name, const char *value)
{
    if (*to) wrong(r, r->line, "'%s' is given twice", name);
    else *to = memory_copy(value);
    r->last_value = to;
}

static void key_of_check(Reading *r, const char *name, const char *value)
{
    ExerciseCheck *check = &r->exercise->checks[r->exercise->n_checks - 1];
    Pending *pending = &r->pending[r->exercise->n_checks - 1];
    if (!strcmp(name, "title")) {
        set_once(r, &check->title, name, value);
    } else if (!strncmp(name, "hint", 4) && name[4] >= '1' && name[4] < '1' + EXERCISE_HINTS &&
               !name[5]) {
        set_once(r, &check->hints[name[4] - '1'], name, value);
    } else if (!strcmp(name, "needs")) {
        set_once(r, &pending->needs, name, value);
        pending->needs_line = r->line;
    } else if (!strcmp(name, "run")) {
        set_once(r, &pending->runs, name, value);
        pending->runs_line = r->line;
    } else if (!strcmp(name, "points")) {
        if (!whole(value, &check->points))
            wrong(r, r->line, "points are a whole number, not '%s'", value);
    } else if (!strcmp(name, "kind")) {
        if (pending->kind_seen) wrong(r, r->line, "'kind' is given twice");
        int kind = 0;
        while (kind < CHECK_KINDS && strcmp(check_kind_word[kind], value)) kind++;
        if (kind == CHECK_KINDS) wrong(r, r->line, "unknown kind of check '%s'", value);
        check->kind = (CheckKind)kind;
        pending->kind_seen = true;
    } else {
        pair_add(r, &check->keys, &check->n_keys, name, value);
    }
}

static int found(void *data, const char *section, const char *name, const char *value)
{
    Reading *r = data;
    if (r->failed) return 1;
    if (r->continued && r->last_value && !strcmp(section, r->section_name)) {
        char *longer = memory_format("%s %s", *r->last_value, value ? value : "");
        free(*r->last_value);
        *r->last_value = longer;
        return 1;
    }
    r->last_value = NULL;
    if (strcmp(section, r->section_name) != 0) start_section(r, section);
    if (r->failed) return 1;
    if (!value || !name) {
        wrong(r, r->line, "'%s' has no value", name ? name : "");
        return 1;
    }
    switch (r->section) {
    case NO_SECTION: wrong(r, r->line, "'%s' stands before any [section]", name); break;
    case EXERCISE: pair_add(r, &r->exercise_keys, &r->n_exercise_keys, name, value); break;
    case PARAMS: pair_add(r, &r->params, &r->n_params, name, value); break;
    case RUN: run_key(r, name, value); break;
    case ON: {
        ExerciseOn *on = &r->exercise->ons[r->exercise->n_ons - 1];
        pair_add(r, &on->params, &on->n_params, name, value);
        r->last_value = NULL; /* the array may move */
        break;
    }
    case CHECK: key_of_check(r, name, value); break;
    }
    return 1;
}

/* ---- sections without keys: libinih does not mention them, so they are found in the text ---- */
static void add_empty_sections(Reading *r, const char *text, size_t length)
{
    const char *end = text + length;
    int line = 0;
    for (const char *at = text; at < end && !r->failed; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        const char *close = memchr(at, ']', (size_t)(stop - at));
        if (*at == '[' && close) {
            char *section = memory_format("%.*s", (int)(close - at - 1), at + 1);
            bool known = !strcmp(section, "exercise") || !strcmp(section, "params");
            for (size_t i = 0; i < r->exercise->n_ons && !strncmp(section, "on ", 3); i++) {
                known = known || !strcmp(r->exercise->ons[i].condition, section + 3);
            }
            for (size_t i = 0; i < r->exercise->n_runs && !strncmp(section, "run ", 4); i++) {
                known = known || !strcmp(r->exercise->runs[i].name, section + 4);
            }
            known = known || (!strncmp(section, "check ", 6) &&
                              exercise_check(r->exercise, section + 6) < r->exercise->n_checks);
            r->line = line + 1;
            if (!known) start_section(r, section);
            free(section);
        }
        at = stop + 1;
    }
}

/* ---- what must hold when everything is read ---- */
static bool any_name(void *data, const char *name, double *value, char *error, size_t error_size)
{
    Reading *r = data;
    for (size_t i = 0; i < r->n_params; i++) {
        if (strcmp(r->params[i].name, name) != 0) continue;
        char *end;
        *value = strtod(r->params[i].value, &end);
        if (!*end && end != r->params[i].value) return true;
        snprintf(error, error_size, "parameter '%.60s' is not a number", name);
        return false;
    }
    return false;
}

static bool any_measure(void *data, const char *function, const char *arguments, double *value,
                        char *error, size_t error_size)
{
    (void)data;
    static const char *const selectors[] = {"gbs",      "bytes",   "count",  "loads",
                                            "barriers", "longest", "median", NULL},
                             *const names[] = {"units", "ms", "us", "value"};
    *value = 1;
    if (!*arguments) {
        snprintf(error, error_size, "%.40s() without an argument", function);
        return false;
    }
    for (size_t i = 0; selectors[i]; i++) {
        if (!strcmp(function, selectors[i])) return selector_valid(arguments, error, error_size);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(function, names[i])) return true;
    }
    if (!strcmp(function, "speedup")) {
        if (strchr(arguments, ',')) return true;
        snprintf(error, error_size, "speedup(A, B) takes two ranges");
    }
    return false;
}

static bool selector_is_valid(const char *selector, char *error, size_t error_size)
{
    static const char *const whats[] = {"h2d",    "d2h",    "d2d",    "h2h",  "p2p",
                                        "memset", "kernel", "hostfn", "work", "node",
                                        "graph",  "call",   "wait",   "range"};
    size_t length = strcspn(selector, ":@");
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++) {
        if (strlen(whats[i]) == length && !strncmp(whats[i], selector, length)) {
            const char *at = selector + length;
            if (*at == ':') {
                at++;
                length = strcspn(at, "@");
                if (!length) break;
                at += length;
            }
            if (*at == '@' && !at[1]) break;
            return true;
        }
    }
    snprintf(error, error_size, "'%.100s' is not a selector (what[:name][@range])", selector);
    return false;
}

bool selector_valid(const char *list, char *error, size_t error_size)
{
    size_t n;
    char **parts = list_split(list, ',', &n);
    bool valid = n > 0;
    if (!valid) snprintf(error, error_size, "a selector is missing");
    for (size_t i = 0; i < n && valid; i++) valid = selector_is_valid(parts[i], error, error_size);
    list_free(parts);
    return valid;
}

static bool word_in(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *at = words; length && (at = strstr(at, word)); at++) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    }
    return false;
}

static void key_value(Reading *r, const KeyRule *rule, const ExercisePair *key)
{
    char why[300] = "";
    bool valid = true;
    double ignored;
    ExprScope scope = {any_name, any_measure, r, true};
    if (rule->type == A_SELECTOR) {
        valid = selector_is_valid(key->value, why, sizeof why);
    } else if (rule->type == SELECTORS) {
        valid = selector_valid(key->value, why, sizeof why);
    } else if (rule->type == GROUPS) {
        size_t n;
        char **groups = list_split(key->value, '/', &n);
        for (size_t i = 0; i < n && valid; i++) valid = selector_valid(groups[i], why, sizeof why);
        list_free(groups);
    } else if (rule->type == NUMBER || (rule->type == LEAST && strcmp(key->value, "all") != 0)) {
        valid = expr_eval(key->value, &scope, &ignored, why, sizeof why);
    } else if (rule->type == ONE_OF && !word_in(key->value, rule->words)) {
        snprintf(why, sizeof why, "'%.60s' is not one of: %s", key->value,
                 rule->words + (*rule->words == ' '));
        valid = false;
    } else if (rule->type == WORD && !*key->value) {
        snprintf(why, sizeof why, "a value is missing");
        valid = false;
    }
    if (!valid) wrong(r, key->line, "%s: %s", key->name, why);
}

/* Each key is one of its kind, with a value of its type. *compares: one of them says how much. */
static bool finish_keys(Reading *r, ExerciseCheck *check, bool *compares)
{
    const KeyRule *rules = kinds[check->kind].keys;
    for (size_t k = 0; k < check->n_keys; k++) {
        const KeyRule *rule = NULL;
        for (size_t i = 0; i < MOST_KEYS && rules[i].name; i++) {
            if (!strcmp(rules[i].name, check->keys[k].name)) rule = &rules[i];
        }
        if (!rule) {
            wrong(r, check->keys[k].line, "unknown key '%s' for a check of kind %s",
                  check->keys[k].name, check_kind_word[check->kind]);
            return false;
        }
        bool carries = !strcmp(rule->name, "bytes") || !strcmp(rule->name, "at-once") ||
                       !strcmp(rule->name, "exactly") || !strcmp(rule->name, "zero") ||
                       !strcmp(rule->name, "record");
        *compares = *compares || (rule->type == NUMBER && !carries) || !strcmp(rule->name, "is") ||
                    !strcmp(rule->name, "not");
        key_value(r, rule, &check->keys[k]);
    }
    return true;
}

/* What keys ask of each other. */
static void check_keys(Reading *r, const ExerciseCheck *check, bool compares)
{
    const KeyRule *rules = kinds[check->kind].keys;
    for (size_t i = 0; i < MOST_KEYS && rules[i].name; i++) {
        if (rules[i].needed && !check_key(check, rules[i].name)) {
            wrong(r, check->line, "[check %s] of kind %s needs the key '%s'", check->id,
                  check_kind_word[check->kind], rules[i].name);
        }
    }
    if (!compares && (kinds[check->kind].flags & COMPARES)) {
        wrong(r, check->line, "[check %s] compares with nothing: give is, least, most or not",
              check->id);
    }
    if ((kinds[check->kind].flags & EITHER) &&
        !check_key(check, "select") == !check_key(check, "range")) {
        wrong(r, check->line, "[check %s] needs either select or range", check->id);
    }
}

static void finish_runs_of(Reading *r, ExerciseCheck *check, const Pending *pending)
{
    const Exercise *e = r->exercise;
    size_t n;
    char **names = list_split(pending->runs ? pending->runs : "visible", ',', &n);
    check->runs = memory_get(n, sizeof *check->runs);
    for (size_t i = 0; i < n; i++) {
        size_t run = 0;
        while (run < e->n_runs && strcmp(e->runs[run].name, names[i])) run++;
        if (run == e->n_runs) wrong(r, pending->runs_line, "there is no [run %s]", names[i]);
        else check->runs[check->n_runs++] = run;
    }
    list_free(names);
    if (!check->n_runs) wrong(r, pending->runs_line, "run: a name is missing");
}

/* Only earlier checks are needed: so there can be no circle. */
static void finish_needs(Reading *r, ExerciseCheck *check, const Pending *pending)
{
    const Exercise *e = r->exercise;
    size_t n;
    char **names = list_split(pending->needs, ',', &n);
    check->needs = memory_get(n, sizeof *check->needs);
    for (size_t i = 0; i < n; i++) {
        size_t other = exercise_check(e, names[i]);
        if (other >= (size_t)(check - e->checks)) {
            wrong(r, pending->needs_line, "needs: there is no check '%s' above [check %s]",
                  names[i], check->id);
        } else {
            check->needs[check->n_needs++] = other;
        }
    }
    list_free(names);
}

static void finish_check(Reading *r, ExerciseCheck *check, const Pending *pending)
{
    bool compares = false;
    if (!pending->kind_seen) {
        wrong(r, check->line, "[check %s] has no kind", check->id);
        return;
    }
    if (!check->title) {
        wrong(r, check->line, "[check %s] has no title", check->id);
        return;
    }
    if (!finish_keys(r, check, &compares)) return;
    bool how_much = check_key(check, "bytes") || check_key(check, "at-once");
    if (!check_key(check, "carry") == how_much && check->kind != CHECK_OVERLAP) {
        wrong(r, check->line,
              "[check %s]: `carry` says which copies, `bytes` or `at-once` how much they move",
              check->id);
        return;
    }

    check_keys(r, check, compares);
    finish_runs_of(r, check, pending);
    bool scored = check_key(check, "zero") || check_key(check, "record");
    if (scored && (!check_key(check, "most") || check->n_runs > 1))
        wrong(r, check->line,
              "[check %s]: `zero` and `record` are beside `most`, which is par, in one run",
              check->id);
    finish_needs(r, check, pending);
}

void exercise_label_model(Text *label, const char *model)
{
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    size_t length = slash ? strcspn(name, ".") : strlen(name);
    text_printf(label, "%son model %.*s", label->length ? " " : "", (int)length, name);
}

static void finish_runs(Reading *r)
{
    Exercise *e = r->exercise;
    for (size_t i = 0; i < e->n_runs; i++) {
        ExerciseRun *run = &e->runs[i];
        Text label = {0};
        run->params = memory_get(r->n_params, sizeof *run->params);
        run->n_params = r->n_params;
        for (size_t p = 0; p < r->n_params; p++) {
            const char *value = r->params[p].value;
            for (size_t o = 0; o < r->n_run_params[i]; o++) {
                if (strcmp(r->run_params[i][o].name, r->params[p].name) != 0) continue;
                if (strcmp(value, r->run_params[i][o].value) != 0) {
                    text_printf(&label, "%s%s=%s", label.length ? ", " : "with ", r->params[p].name,
                                r->run_params[i][o].value);
                }
                value = r->run_params[i][o].value;
            }
            run->params[p] = (ExercisePair){memory_copy(r->params[p].name), memory_copy(value),
                                            r->params[p].line};
        }
        for (size_t o = 0; o < r->n_run_params[i]; o++) {
            if (!run_param(run, r->run_params[i][o].name)) {
                wrong(r, r->run_params[i][o].line, "'%s' is not in [params]",
                      r->run_params[i][o].name);
            }
        }
        for (size_t v = 0; v < run->n_env; v++)
            text_printf(&label, "%s%s=%s", label.length ? ", " : "with ", run->env[v].name,
                        run->env[v].value);
        if (run->model) exercise_label_model(&label, run->model);
        run->label = text_take(&label);
    }
    if (e->runs[0].label[0])
        wrong(r, e->runs[0].line,
              "[run visible] has the exercise's own model, parameters and environment");
}

static void finish_exercise_keys(Reading *r)
{
    Exercise *e = r->exercise;
    struct {
        const char *name;
        char **text;
        int *number;
        bool needed;
    } known[] = {
        {"id", &e->id, NULL, true},
        {"title", &e->title, NULL, true},
        {"part", NULL, &e->part, true},
        {"level", &e->level, NULL, true},
        {"xp", NULL, &e->xp, true},
        {"model", &e->model, NULL, true},
        {"todo", &e->todo, NULL, true},
        {"show", &e->show, NULL, false},
        {"learned", &e->learned, NULL, false},
        {"predict", &e->predict, NULL, false},
        {"hint-deadlock", &e->hint_deadlock, NULL, false},
        {"hint-stop", &e->hint_stop, NULL, false},
        {"options", &e->options, NULL, false},
        {"batches", &e->batches, NULL, false},
        {"gpus", NULL, &e->gpus, false},
    };
    e->gpus = 1;
    for (size_t i = 0; i < r->n_exercise_keys; i++) {
        ExercisePair *key = &r->exercise_keys[i];
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k].name, key->name)) k++;
        if (k == sizeof known / sizeof *known)
            wrong(r, key->line, "unknown key '%s' in [exercise]", key->name);
        else if (!*key->value) wrong(r, key->line, "'%s' has no value", key->name);
        else if (known[k].number && !whole(key->value, known[k].number)) {
            wrong(r, key->line, "%s is a whole number, not '%s'", key->name, key->value);
        } else if (known[k].text) *known[k].text = memory_copy(key->value);
        if (!strcmp(key->name, "options")) check_options(r, key);
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        bool there = false;
        for (size_t i = 0; i < r->n_exercise_keys; i++)
            there = there || !strcmp(known[k].name, r->exercise_keys[i].name);
        if (known[k].needed && !there) wrong(r, 0, "[exercise] needs '%s'", known[k].name);
    }
    if (e->gpus < 1 || e->gpus > DEVICES_MOST)
        wrong(r, 0, "gpus is a number from 1 to %d, not %d", DEVICES_MOST, e->gpus);
}

/* They stand on the compiler's command line. */
static void check_values(Reading *r)
{
    const Exercise *e = r->exercise;
    for (size_t i = 0; i < e->n_runs; i++) {
        for (size_t p = 0; p < e->runs[i].n_params; p++) {
            const ExercisePair *param = &e->runs[i].params[p];
            for (const char *c = param->value; *c; c++) {
                if (!isalnum((unsigned char)*c) && !strchr("_.+-", *c))
                    wrong(r, param->line, "a parameter is a number or a name, not '%s'",
                          param->value);
            }
        }
    }
}

static void finish(Reading *r)
{
    Exercise *e = r->exercise;
    char end;
    finish_exercise_keys(r);
    if (r->failed) return;
    if (sscanf(e->id, "ex%d%c", &e->number, &end) != 1 || e->number < 0 || !is_id(e->id)) {
        wrong(r, 0, "id is ex and a number (ex43), not '%s'", e->id);
    }
    for (size_t i = 0; i < r->n_params; i++) {
        if (!is_macro(r->params[i].name))
            wrong(r, r->params[i].line, "'%s' is not a macro's name", r->params[i].name);
    }

    if (e->batches) {
        size_t i = 0;
        while (i < r->n_params && strcmp(r->params[i].name, e->batches) != 0) i++;
        if (i == r->n_params) wrong(r, 0, "batches names one of [params], not '%s'", e->batches);
    }

    finish_runs(r);
    if (!e->n_checks) wrong(r, 0, "there is no [check ...]");
    for (size_t i = 0; i < e->n_checks && !r->failed; i++)
        finish_check(r, &e->checks[i], &r->pending[i]);
    check_values(r);
}

/* The visible run comes first, given or not. */
static void visible_first(Exercise *e, Reading *r)
{
    size_t at = 0;
    while (at < e->n_runs && strcmp(e->runs[at].name, "visible")) at++;
    e->runs = memory_grow(e->runs, e->n_runs + 1, sizeof *e->runs);
    r->run_params = memory_grow(r->run_params, e->n_runs + 1, sizeof *r->run_params);
    r->n_run_params = memory_grow(r->n_run_params, e->n_runs + 1, sizeof *r->n_run_params);
    ExerciseRun run = {0};
    ExercisePair *params = NULL;
    size_t n = 0;
    if (at == e->n_runs) {
        run.name = memory_copy("visible");
        e->n_runs++;
    } else {
        run = e->runs[at];
        params = r->run_params[at];
        n = r->n_run_params[at];
    }
    memmove(e->runs + 1, e->runs, at * sizeof *e->runs);
    memmove(r->run_params + 1, r->run_params, at * sizeof *r->run_params);
    memmove(r->n_run_params + 1, r->n_run_params, at * sizeof *r->n_run_params);
    e->runs[0] = run;
    r->run_params[0] = params;
    r->n_run_params[0] = n;
}

static void pairs_free(ExercisePair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) free(pairs[i].name), free(pairs[i].value);
    free(pairs);
}

/* The kernels that these selectors may mean. */
static void add_inside(ExerciseRun *run, const char *selectors)
{
    char **list = list_split(selectors, ',', NULL);
    for (size_t i = 0; list[i]; i++) {
        const char *colon = strchr(list[i], ':'), *name = colon ? colon + 1 : "*";
        char *more = memory_format("%s%s%.*s", run->inside ? run->inside : "",
                                   run->inside ? "," : "", (int)strcspn(name, "@"), name);
        free(run->inside);
        run->inside = more;
    }
    list_free(list);
}

/* The report may tell of kernels that no check asks about: of the harness's own, say. What it is
 * made of is looked at where checks ask about kernels at all. */
static void collect_fields(Exercise *e)
{
    static const char *const fields[] = {"loads ", "barriers ", "lead "};
    bool any = false;
    for (size_t k = 0; k < e->n_runs; k++) any = any || e->runs[k].inside;
    char *path = exercise_file(e, "report.txt");
    Text text = {0};
    if (!any || text_read_file(&text, path, LIMIT_TEXT)) text_release(&text);
    free(path);
    const char *at = text.length ? text_string(&text) : "";
    while ((at = strpbrk(at, "{:")) != NULL) {
        at += 1 + strspn(at + 1, " ");
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            if (strncmp(at, fields[i], strlen(fields[i])) != 0) continue;
            char *field = memory_format("%.*s", (int)strcspn(at, "|}"), at);
            const char *selector = field;
            for (int words = i == 2 ? 4 : 1; words > 0; words--)
                selector += strcspn(selector, " "), selector += strspn(selector, " ");
            for (size_t k = 0; *selector && k < e->n_runs; k++) add_inside(&e->runs[k], selector);
            free(field);
        }
    }
    text_release(&text);
}

/* What the runs have to look for so that checks of certain kinds of hazards can be judged. */
static void collect_kinds(Exercise *e)
{
    for (size_t i = 0; i < e->n_checks; i++) {
        const ExerciseCheck *check = &e->checks[i];
        const char *of = check->kind == CHECK_HAZARDS ? check_key(check, "of") : NULL;
        /* in all runs: the report may tell of it, too */
        for (size_t k = 0; check_kind_flags(check->kind) & INSIDE && k < e->n_runs; k++)
            add_inside(&e->runs[k], check_key(check, "select"));
        for (size_t k = 0; of && k < check->n_runs; k++) {
            ExerciseRun *run = &e->runs[check->runs[k]];
            char *more = memory_format("%s,%s", run->look_for ? run->look_for : "errors", of);
            free(run->look_for);
            run->look_for = more;
        }
    }
}

Exercise *exercise_parse(const char *folder, const char *name, const char *text, size_t length,
                         char *error, size_t error_size)
{
    Reading r = {.name = name,
                 .text = text,
                 .left = length,
                 .error = error,
                 .error_size = error_size};
    Exercise *e = r.exercise = memory_get(1, sizeof *e);
    e->folder = memory_copy(folder);
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) r.text += 3, r.left -= 3;
    int bad = ini_parse_stream(hand_over, &r, found, &r);
    if (bad > 0 && !r.failed) {
        /* libinih counts the lines it was handed; find ours: the first that is neither of its
         * forms */
        int line = 0;
        for (const char *at = text, *end = text + length; at < end;) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            size_t n = (size_t)((stop ? stop : end) - at);
            line++;
            size_t skip = strspn(at, " \t\r");
            bool fine = skip >= n || strchr(";#", at[skip]) || skip > 0 ||
                        (*at == '[' ? memchr(at, ']', n) != NULL
                                    : memchr(at, '=', n) || memchr(at, ':', n));
            if (!fine) break;
            at += n + 1;
        }
        wrong(&r, line, "neither [section] nor key = value");
    }
    add_empty_sections(&r, text, length);
    visible_first(e, &r);
    if (!r.failed) finish(&r);
    if (!r.failed) collect_kinds(e);
    for (size_t i = 0; i < e->n_runs; i++) pairs_free(r.run_params[i], r.n_run_params[i]);
    for (size_t i = 0; i < e->n_checks; i++) free(r.pending[i].needs), free(r.pending[i].runs);
    pairs_free(r.params, r.n_params);
    pairs_free(r.exercise_keys, r.n_exercise_keys);
    free(r.run_params);
    free(r.n_run_params);
    free(r.pending);
    text_release(&r.rest);
    if (!r.failed) return e;
    exercise_free(e);
    return NULL;
}

Exercise *exercise_read(const char *folder, char *error, size_t error_size)
{
    char *path = memory_format("%s/exercise.ini", folder);
    Text text = {0};
    Exercise *exercise = NULL;
    int failed = text_read_file(&text, path, LIMIT_TEXT);
    if (failed)
        snprintf(error, error_size, "%s: %s", path,
                 failed == EFBIG ? "larger than 1 MiB: this is no exercise file"
                                 : strerror(failed));
    else
        exercise = exercise_parse(folder, path, text_string(&text), text.length, error, error_size);
    if (exercise) collect_fields(exercise);
    text_release(&text);
    free(path);
    return exercise;
}

/* A path that an exercise names is relative to its folder; one that was asked for, to where the
 * command was typed. The runs are elsewhere, so both become absolute. */
static char *model_of(const Exercise *e, const ExerciseRun *run, const char *asked)
{
    const char *own = run->model ? run->model : asked ? NULL : e->model;
    if (!strchr(own ? own : asked, '/')) return memory_copy(own ? own : asked);
    char *path = own && own[0] != '/' ? memory_format("%s/%s", e->folder, own)
                                      : memory_copy(own ? own : asked);
    char *full = realpath(path, NULL);
    if (!full) return path;
    free(path);
    return full;
}

char *exercise_model(const Exercise *e, const ExerciseRun *run, const char *asked)
{
    char *model = model_of(e, run, asked);
    if (e->gpus == 1 || strstr(model, "+devices=")) return model;
    char *with = memory_format("%s+devices=%d", model, e->gpus);
    free(model);
    return with;
}

bool exercise_elsewhere(const Exercise *e, const char *asked)
{
    if (!asked) return false;
    char *other = exercise_model(e, &e->runs[0], asked);
    char *own = exercise_model(e, &e->runs[0], NULL);
    bool elsewhere = strcmp(other, own) != 0;
    free(other);
    free(own);
    return elsewhere;
}

static void give_params(ExerciseRun *run, const ExerciseOn *on)
{
    for (size_t p = 0; p < on->n_params; p++) {
        const ExercisePair *from = &on->params[p];
        size_t at = 0;
        while (at < run->n_params && strcmp(run->params[at].name, from->name)) at++;
        if (at == run->n_params) {
            run->params = memory_grow(run->params, ++run->n_params, sizeof *run->params);
            run->params[at] = (ExercisePair){memory_copy(from->name), NULL, from->line};
        }
        free(run->params[at].value);
        run->params[at].value = memory_copy(from->value);
    }
}

static bool for_card(const ExerciseOn *on) { return !strcmp(on->condition, "card"); }

void exercise_on_model(Exercise *e, const char *asked)
{
    char error[300];
    for (size_t i = 0; i < e->n_runs && e->n_ons; i++) {
        Model model;
        char *name = exercise_model(e, &e->runs[i], asked);
        size_t on = 0;
        if (model_load(&model, name, error, sizeof error)) on = e->n_ons;
        while (on < e->n_ons &&
               (for_card(&e->ons[on]) || !model_condition_holds(&model, e->ons[on].condition)))
            on++;
        if (on < e->n_ons) give_params(&e->runs[i], &e->ons[on]);
        free(name);
    }
}

void exercise_on_section(Exercise *e, size_t on)
{
    for (size_t i = 0; i < e->n_runs; i++)
        if (!e->runs[i].model) give_params(&e->runs[i], &e->ons[on]);
}

static void check_release(ExerciseCheck *check)
{
    free(check->id);
    free(check->title);
    for (size_t h = 0; h < EXERCISE_HINTS; h++) free(check->hints[h]);
    free(check->needs);
    free(check->runs);
    pairs_free(check->keys, check->n_keys);
}

static void run_release(ExerciseRun *run)
{
    free(run->name);
    free(run->model);
    free(run->look_for);
    free(run->inside);
    pairs_free(run->env, run->n_env);
    free(run->label);
    free(run->open_label);
    pairs_free(run->params, run->n_params);
}

/* Keeps the indices that still mean something, as what they mean now. */
static size_t renumber(size_t *indices, size_t n, const size_t *now)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (now[indices[i]] != SIZE_MAX) indices[kept++] = now[indices[i]];
    }
    return kept;
}

void exercise_on_card(Exercise *e)
{
    size_t *run_now = memory_get(e->n_runs, sizeof *run_now),
           *check_now = memory_get(e->n_checks, sizeof *check_now);
    size_t runs = 0, checks = 0;
    for (size_t i = 0; i < e->n_runs; i++) {
        run_now[i] = e->runs[i].model ? SIZE_MAX : runs;
        if (e->runs[i].model) run_release(&e->runs[i]);
        else e->runs[runs++] = e->runs[i];
    }
    e->n_runs = runs;
    for (size_t i = 0; i < e->n_checks; i++) {
        ExerciseCheck *check = &e->checks[i];
        check->n_runs = renumber(check->runs, check->n_runs, run_now);
        check->n_needs = renumber(check->needs, check->n_needs, check_now); /* of earlier checks
                                                                               only */
        bool can_tell = check->n_runs && (kinds[check->kind].flags & ON_CARD);
        check_now[i] = can_tell ? checks : SIZE_MAX;
        if (!can_tell) check_release(check);
        else e->checks[checks++] = *check;
    }
    e->n_checks = checks;
    free(run_now);
    free(check_now);
    for (size_t on = 0; on < e->n_ons; on++)
        if (for_card(&e->ons[on])) exercise_on_section(e, on);
}

void exercise_free(Exercise *e)
{
    if (!e) return;
    for (size_t i = 0; i < e->n_ons; i++) {
        free(e->ons[i].condition);
        pairs_free(e->ons[i].params, e->ons[i].n_params);
    }
    free(e->ons);
    for (size_t i = 0; i < e->n_runs; i++) run_release(&e->runs[i]);
    for (size_t i = 0; i < e->n_checks; i++) check_release(&e->checks[i]);
    free(e->runs);
    free(e->checks);
    free(e->folder);
    free(e->id);
    free(e->title);
    free(e->level);
    free(e->model);
    free(e->todo);
    free(e->show);
    free(e->options);
    free(e->learned);
    free(e->predict);
    free(e->batches);
    free(e->hint_deadlock);
    free(e->hint_stop);
    free(e);
}

static void hash_word(Hash *hash, const char *word) { hash_add_string(hash, word ? word : ""); }

static void hash_pairs(Hash *hash, const ExercisePair *pairs, size_t n)
{
    hash_add(hash, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        hash_word(hash, pairs[i].name);
        hash_word(hash, pairs[i].value);
    }
}

void exercise_hash(const Exercise *e, Hash *hash)
{
    const char *words[] = {e->id, e->title, e->model, e->todo, e->show, e->options};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash_word(hash, words[i]);
    hash_add(hash, &e->part, sizeof e->part);
    hash_add(hash, &e->gpus, sizeof e->gpus);

    hash_add(hash, &e->n_runs, sizeof e->n_runs);
    for (const ExerciseRun *run = e->runs; run < e->runs + e->n_runs; run++) {
        hash_word(hash, run->name);
        hash_word(hash, run->model);
        hash_pairs(hash, run->env, run->n_env);
        hash_pairs(hash, run->params, run->n_params);
    }
    hash_add(hash, &e->n_ons, sizeof e->n_ons);
    for (const ExerciseOn *on = e->ons; on < e->ons + e->n_ons; on++) {
        hash_word(hash, on->condition);
        hash_pairs(hash, on->params, on->n_params);
    }
    hash_add(hash, &e->n_checks, sizeof e->n_checks);
    for (const ExerciseCheck *check = e->checks; check < e->checks + e->n_checks; check++) {
        hash_word(hash, check->id);
        hash_word(hash, check->title);
        hash_word(hash, check_kind_word[check->kind]);
        hash_add(hash, &check->n_needs, sizeof check->n_needs);
        hash_add(hash, check->needs, check->n_needs * sizeof *check->needs);
        hash_add(hash, &check->n_runs, sizeof check->n_runs);
        hash_add(hash, check->runs, check->n_runs * sizeof *check->runs);
        hash_pairs(hash, check->keys, check->n_keys);
    }
}

char *exercise_file(const Exercise *e, const char *name)
{
    return *name ? memory_format("%s/%s", e->folder, name)
                 : memory_format("%s/%s.cu", e->folder, e->id);
}

const char *check_key(const ExerciseCheck *check, const char *name)
{
    for (size_t i = 0; i < check->n_keys; i++) {
        if (!strcmp(check->keys[i].name, name)) return check->keys[i].value;
    }
    return NULL;
}

const char *run_param(const ExerciseRun *run, const char *name)
{
    for (size_t i = 0; i < run->n_params; i++) {
        if (!strcmp(run->params[i].name, name)) return run->params[i].value;
    }
    return NULL;
}

size_t exercise_run(const Exercise *e, const char *name, size_t length)
{
    size_t i = 0;
    while (i < e->n_runs &&
           (strlen(e->runs[i].name) != length || memcmp(e->runs[i].name, name, length) != 0))
        i++;
    return i;
}

size_t exercise_check(const Exercise *e, const char *id)
{
    size_t i = 0;
    while (i < e->n_checks && strcmp(e->checks[i].id, id)) i++;
    return i;
}

int exercise_points(const Exercise *e)
{
    int points = 0;
    for (size_t i = 0; i < e->n_checks; i++) points += e->checks[i].points;
    return points;
}
