/* hidden.c - see hidden.h. */
#include "grader/course/hidden.h"
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "common/text.h"

enum { MOST_RUNS = 20, MOST_KEYS = 32, TRIES = 50 };

typedef struct Drawing {
    Exercise *exercise;
    const char *name;
    HiddenDraw by;
    char section[128];
    size_t run; /* index */
    int runs;
    struct {
        char *param, *values;
    } keys[MOST_KEYS];
    size_t n_keys;
    char *error;
    size_t error_size;
    bool failed;
} Drawing;

static void wrong(Drawing *d, int line, const char *what, const char *which)
{
    char where[32] = "";
    if (line) snprintf(where, sizeof where, ":%d", line);
    if (!d->failed)
        snprintf(d->error, d->error_size, "%.300s%s: %s%s%.100s%s", d->name, where, what,
                 *which ? " '" : "", which, *which ? "'" : "");
    d->failed = true;
}

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A seed of random input, of the numbers that people type. */
static unsigned long long small(uint64_t random) { return random % 1000000000u + 1; }

/* Does not move the state on: values are drawn as if nothing else was. */
static unsigned long long hidden_input(const uint64_t *state)
{
    uint64_t own = *state ^ UINT64_C(0x6a09e667f3bcc909);
    return small(draw(&own));
}

unsigned long long hidden_open_input(unsigned long long seed)
{
    uint64_t own = seed ^ UINT64_C(0xbb67ae8584caa73b);
    return small(draw(&own));
}

/* One value; the caller frees. NULL: malformed. more: what may stand in one beside letters and
 * digits. */
static char *pick(const char *values, const char *more, uint64_t random)
{
    char *end, *after;
    errno = 0;
    long from = strtol(values, &end, 10);
    if (end != values && !strncmp(end, "..", 2)) {
        long to = strtol(end + 2, &after, 10);
        if (after == end + 2 || *after || errno || to < from || to - from > 1000000) return NULL;
        return memory_format("%ld", from + (long)(random % (uint64_t)(to - from + 1)));
    }
    size_t n;
    char **list = list_split(values, ',', &n), *value = NULL;
    bool fine = n > 0;
    for (size_t i = 0; i < n && fine; i++) {
        fine = list[i][0] != 0;
        for (const char *at = list[i]; *at && fine; at++)
            fine = isalnum((unsigned char)*at) || strchr(more, *at);
    }
    if (fine) value = memory_copy(list[random % n]);
    list_free(list);
    return value;
}

static ExercisePair *param_of(ExerciseRun *run, const char *name)
{
    for (size_t i = 0; i < run->n_params; i++)
        if (!strcmp(run->params[i].name, name)) return &run->params[i];
    return NULL;
}

static bool same_values(const ExerciseRun *a, const ExerciseRun *b)
{
    for (size_t i = 0; i < a->n_params; i++)
        if (strcmp(a->params[i].value, b->params[i].value)) return false;
    return !strcmp(a->model ? a->model : "", b->model ? b->model : "");
}

/* Gives a run values, other than those of the runs drawn before it (the section's own, then
 * added..run) where there are others. */
static void fill(Drawing *d, size_t run, size_t added, uint64_t *state)
{
    Exercise *e = d->exercise;
    for (int round = 0; round < TRIES && !d->failed; round++) {
        Text label = {0};
        bool again = false;
        for (size_t k = 0; k < d->n_keys && !d->failed; k++) {
            bool is_model = !strcmp(d->keys[k].param, "model");
            char *value = pick(d->keys[k].values, is_model ? "_.+-=/" : "_.+-", draw(state));
            if (!value) {
                wrong(d, 0, "values are FROM..TO or a list, not", d->keys[k].values);
                break;
            }
            if (is_model) {
                free(e->runs[run].model);
                e->runs[run].model = value;
                continue;
            }
            ExercisePair *param = param_of(&e->runs[run], d->keys[k].param);
            free(param->value);
            param->value = value;
            text_printf(&label, "%s%s=%s", label.length ? ", " : "with ", param->name, value);
        }
        if (e->runs[run].model) exercise_label_model(&label, e->runs[run].model);
        ExerciseRun *drawn = &e->runs[run];
        if (!drawn->hidden) drawn->open_label = memory_copy(drawn->label);
        drawn->hidden = true;
        drawn->input = hidden_input(state);
        free(drawn->label);
        drawn->label = text_take(&label);
        again = same_values(&e->runs[run], &e->runs[0]);
        if (run != d->run) again = again || same_values(&e->runs[run], &e->runs[d->run]);
        for (size_t i = added; i < run; i++)
            again = again || same_values(&e->runs[run], &e->runs[i]);
        if (!again) return;
    }
}

static ExerciseRun run_copy(const ExerciseRun *from, const char *name)
{
    ExerciseRun to = {.name = memory_copy(name),
                      .model = from->model ? memory_copy(from->model) : NULL,
                      .look_for = from->look_for ? memory_copy(from->look_for) : NULL,
                      .inside = from->inside ? memory_copy(from->inside) : NULL,
                      .n_params = from->n_params,
                      .label = memory_copy(from->label),
                      .line = from->line};
    to.hidden = from->hidden;
    to.open_label = from->open_label ? memory_copy(from->open_label) : NULL;
    to.params = memory_get(from->n_params ? from->n_params : 1, sizeof *to.params);
    to.env = memory_get(from->n_env ? from->n_env : 1, sizeof *to.env);
    for (size_t i = 0; i < from->n_env; i++)
        to.env[to.n_env++] = (ExercisePair){memory_copy(from->env[i].name),
                                            memory_copy(from->env[i].value), from->env[i].line};
    for (size_t i = 0; i < from->n_params; i++)
        to.params[i] = (ExercisePair){memory_copy(from->params[i].name),
                                      memory_copy(from->params[i].value), from->params[i].line};
    return to;
}

/* The section that has just ended. */
static void finish(Drawing *d)
{
    Exercise *e = d->exercise;
    if (!d->section[0] || d->failed) return;
    if (!d->n_keys) wrong(d, 0, "nothing to draw in section", d->section);
    uint64_t state = d->by.seed;
    for (const char *at = e->id; *at; at++) state = state * 31 + (unsigned char)*at;
    for (const char *at = d->section; *at; at++) state = state * 31 + (unsigned char)*at;
    if (d->by.attempt > 1) {
        uint64_t attempt = state ^ d->by.attempt * UINT64_C(0xd1342543de82ef95);
        state = draw(&attempt);
    }
    size_t added = e->n_runs;
    for (int i = 0; i < d->runs && !d->failed; i++) {
        size_t run = d->run;
        if (i) {
            char *name = memory_format("%s-%d", e->runs[d->run].name, i + 1);
            e->runs = memory_grow(e->runs, e->n_runs + 1, sizeof *e->runs);
            e->runs[e->n_runs] = run_copy(&e->runs[d->run], name);
            run = e->n_runs++;
            free(name);
            for (size_t c = 0; c < e->n_checks; c++) {
                ExerciseCheck *check = &e->checks[c];
                bool about = false;
                for (size_t k = 0; k < check->n_runs; k++) about |= check->runs[k] == d->run;
                if (!about) continue;
                check->runs = memory_grow(check->runs, check->n_runs + 1, sizeof *check->runs);
                check->runs[check->n_runs++] = run;
            }
        }
        /* the first drawn one stands in the run's own place, the others behind all */
        fill(d, run, added, &state);
    }
    for (size_t k = 0; k < d->n_keys; k++) free(d->keys[k].param), free(d->keys[k].values);
    d->n_keys = 0;
}

static int found(void *data, const char *section, const char *name, const char *value)
{
    Drawing *d = data;
    if (d->failed) return 1;
    if (strcmp(section, d->section)) {
        finish(d);
        snprintf(d->section, sizeof d->section, "%s", section);
        d->runs = 3;
        d->run = 0;
        if (strncmp(section, "draw ", 5)) wrong(d, 0, "unknown section (known: draw RUN)", section);
        else
            while (d->run < d->exercise->n_runs &&
                   strcmp(d->exercise->runs[d->run].name, section + 5))
                d->run++;
        if (d->run == d->exercise->n_runs || !d->run)
            wrong(d, 0, "no such run in exercise.ini", section);
    }
    if (d->failed) return 1;
    if (!strcmp(name, "runs")) {
        d->runs = atoi(value);
        if (d->runs < 1 || d->runs > MOST_RUNS)
            wrong(d, 0, "runs is a number from 1 to 20, not", value);
    } else if (strcmp(name, "model") != 0 && !param_of(&d->exercise->runs[d->run], name)) {
        wrong(d, 0, "not in [params] of exercise.ini:", name);
    } else if (d->n_keys && !strcmp(d->keys[d->n_keys - 1].param, name)) { /* a line that goes on */
        char *longer = memory_format("%s %s", d->keys[d->n_keys - 1].values, value);
        free(d->keys[d->n_keys - 1].values);
        d->keys[d->n_keys - 1].values = longer;
    } else if (d->n_keys == MOST_KEYS) {
        wrong(d, 0, "too many parameters", "");
    } else {
        d->keys[d->n_keys].param = memory_copy(name);
        d->keys[d->n_keys++].values = memory_copy(value);
    }
    return 1;
}

bool hidden_parse(Exercise *e, const char *name, const char *text, const HiddenDraw *by,
                  char *error, size_t error_size)
{
    Drawing d = {.exercise = e, .name = name, .by = *by, .error = error, .error_size = error_size};
    int bad = ini_parse_string(text, found, &d);
    if (bad > 0) wrong(&d, bad, "neither [section] nor key = value", "");
    finish(&d);
    for (size_t k = 0; k < d.n_keys; k++) free(d.keys[k].param), free(d.keys[k].values);
    return !d.failed;
}

bool hidden_draw(Exercise *e, const HiddenDraw *by, char *error, size_t error_size)
{
    char *path = exercise_file(e, "hidden.ini");
    Text text = {0};
    int failed = text_read_file(&text, path, LIMIT_TEXT);
    bool fine = failed == ENOENT;
    if (failed && failed != ENOENT)
        snprintf(error, error_size, "%.400s: %s", path, strerror(failed));
    if (!failed) fine = hidden_parse(e, path, text_string(&text), by, error, error_size);
    text_release(&text);
    free(path);
    return fine;
}
