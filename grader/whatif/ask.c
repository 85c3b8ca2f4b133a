/* ask.c - see ask.h. */
#include "grader/whatif/ask.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ".threelane/ex43.lane": ".threelane/ex43.whatif.lane". */
static char *answer_path(const char *trace)
{
    size_t length = strlen(trace);
    if (length > 5 && !strcmp(trace + length - 5, ".lane")) length -= 5;
    return memory_format("%.*s.whatif.lane", (int)length, trace);
}

bool whatif_ask(const WhatifAsk *ask, Asked *asked, char *error, size_t error_size)
{
    const char *batches;
    char *keep = ask->keep ? memory_copy(ask->keep) : answer_path(ask->path);
    const char *slash = strrchr(keep, '/');
    char *folder = slash ? memory_format("%.*s", (int)(slash > keep ? slash - keep : 1), keep)
                         : memory_copy(".");
    *asked = (Asked){0};
    bool fine = ask->argv
                    ? rerun_given(&asked->again, ask->trace, ask->argv, error, error_size)
                    : rerun_find(&asked->again, ask->path,
                                 ask->catalogue ? ask->catalogue->state : NULL, error, error_size);
    Exercise *exercise = fine ? ask_exercise(&asked->again, ask->catalogue, &batches) : NULL;
    if (fine)
        fine = question_read(&asked->question, ask->trace, ask->range, batches, ask->words,
                             ask->n_words, error, error_size);
    if (!ask->keep && access(folder, W_OK) != 0) { /* then it is only looked at */
        free(keep);
        keep = NULL;
    }
    if (fine)
        fine = answers_make(&asked->again, ask->trace, ask->range, ask->catalogue, &asked->question,
                            1, keep, &asked->answer, error, error_size);
    if (fine && !asked->answer.after) {
        snprintf(error, error_size, "%s", text_string(&asked->answer.trouble));
        fine = false;
    }
    if (fine && keep && access(keep, R_OK) == 0) asked->kept = memory_copy(keep);
    exercise_free(exercise);
    free(folder);
    free(keep);
    return fine;
}

void whatif_release(Asked *asked)
{
    answer_release(&asked->answer);
    question_release(&asked->question);
    rerun_release(&asked->again);
    free(asked->kept);
    asked->kept = NULL;
}

static void add_device(const Trace *trace, const char *name, Idea *ideas, uint32_t *n)
{
    const char *model = trace_meta(trace, "model");
    if (model && !strcmp(model, name)) return;
    snprintf(ideas[*n].change, sizeof ideas->change, "device %s", name);
    snprintf(ideas[*n].words, sizeof ideas->words, "on the device %s", name);
    (*n)++;
}

uint32_t ask_ideas(const Trace *trace, const char *path, const Catalogue *catalogue, Idea *ideas)
{
    static const char *const devices[] = {"one-copy-engine", "classroom", "h200"};
    char error[PATH_MAX + 300];
    const char *batches;
    uint32_t n = 0;
    Rerun again;
    if (!rerun_find(&again, path, catalogue ? catalogue->state : NULL, error, sizeof error)) {
        rerun_release(&again);
        return 0;
    }
    Exercise *exercise = ask_exercise(&again, catalogue, &batches);
    const char *value = exercise && batches ? run_param(&exercise->runs[0], batches) : NULL;
    long now = value ? strtol(value, NULL, 10) : 0;
    if (now > 0 && now <= 1000) {
        snprintf(ideas[n].change, sizeof ideas->change, "%s=%ld", batches, 4 * now);
        snprintf(ideas[n].words, sizeof ideas->words, "%s=%ld instead of %ld (compiled again)",
                 batches, 4 * now, now);
        n++;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        add_device(trace, devices[i], ideas, &n);
    exercise_free(exercise);
    rerun_release(&again);
    return n;
}

static size_t collect(const Trace *trace, const char *path, uint32_t range,
                      const Catalogue *catalogue, size_t most, Idea *ideas)
{
    Idea more[IDEAS];
    Labels *labels = labels_new(trace, range);
    size_t n = labels ? ideas_of_run(trace, labels, ideas) : 0;
    uint32_t others = ask_ideas(trace, path, catalogue, more);
    for (uint32_t i = 0; i < others && n < IDEAS; i++) ideas[n++] = more[i];
    labels_free(labels);
    return n < most ? n : most;
}

void ask_many(const Trace *trace, const char *path, uint32_t range, const Catalogue *catalogue,
              size_t most, AskedMany *many)
{
    char error[PATH_MAX + 900];
    const char *batches;
    Rerun again;
    *many = (AskedMany){0};
    bool there = rerun_find(&again, path, catalogue ? catalogue->state : NULL, error, sizeof error);
    Exercise *exercise = there ? ask_exercise(&again, catalogue, &batches) : NULL;
    size_t n = there ? collect(trace, path, range, catalogue, most, many->ideas) : 0;
    for (size_t i = 0; i < n; i++) {
        size_t words_there;
        char **words = list_split(many->ideas[i].change, ' ', &words_there);
        Question *question = &many->questions[many->n];
        bool fine =
            question_read(question, trace, range, batches, words, words_there, error, sizeof error);
        if (fine) many->ideas[many->n++] = many->ideas[i];
        else question_release(question);
        list_free(words);
    }
    if (many->n && !answers_make(&again, trace, range, catalogue, many->questions, many->n, NULL,
                                 many->answers, error, sizeof error))
        ask_many_release(many);
    exercise_free(exercise);
    rerun_release(&again);
}

void ask_many_release(AskedMany *many)
{
    for (size_t i = 0; i < many->n; i++) {
        question_release(&many->questions[i]);
        answer_release(&many->answers[i]);
    }
    many->n = 0;
}
