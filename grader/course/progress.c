/* progress.c - see progress.h. */
#include "grader/course/progress.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/limits.h"
#include "common/text.h"

enum { MOST_ITEMS = 10000 };

static ProgressItem *item(Progress *progress, const char *id)
{
    for (size_t i = 0; i < progress->n_items; i++) {
        if (!strcmp(progress->items[i].id, id)) return &progress->items[i];
    }
    if (progress->n_items >= MOST_ITEMS) return NULL;
    progress->items = memory_grow(progress->items, progress->n_items + 1, sizeof *progress->items);
    progress->items[progress->n_items] = (ProgressItem){.id = memory_copy(id)};
    return &progress->items[progress->n_items++];
}

const ProgressItem *progress_find(const Progress *progress, const char *id)
{
    for (size_t i = 0; i < progress->n_items; i++) {
        if (!strcmp(progress->items[i].id, id)) return &progress->items[i];
    }
    return NULL;
}

static void set_failed(ProgressItem *to, const char *failed)
{
    char *copy = failed ? memory_copy(failed) : NULL;
    free(to->failed);
    to->failed = copy;
}

void progress_record(Progress *progress, const char *id, bool passed, int points,
                     const char *failed)
{
    ProgressItem *to = item(progress, id);
    if (!to) return;
    if (passed) to->state = PROGRESS_PASSED;
    else if (to->state == PROGRESS_NEW) to->state = PROGRESS_TRIED;
    if (points > to->points) to->points = points;
    set_failed(to, failed);
}

int progress_hint(const Progress *progress, const char *id, const char *check)
{
    for (size_t i = 0; i < progress->n_hints; i++) {
        if (!strcmp(progress->hints[i].id, id) && !strcmp(progress->hints[i].check, check))
            return progress->hints[i].stage;
    }
    return 0;
}

void progress_set_hint(Progress *progress, const char *id, const char *check, int stage)
{
    for (size_t i = 0; i < progress->n_hints; i++) {
        if (!strcmp(progress->hints[i].id, id) && !strcmp(progress->hints[i].check, check)) {
            progress->hints[i].stage = stage;
            return;
        }
    }
    if (progress->n_hints >= MOST_ITEMS) return;
    progress->hints = memory_grow(progress->hints, progress->n_hints + 1, sizeof *progress->hints);
    progress->hints[progress->n_hints++] =
        (ProgressHint){memory_copy(id), memory_copy(check), stage};
}

static ProgressScore *find_score(const Progress *progress, const char *id, const char *check)
{
    for (size_t i = 0; i < progress->n_scores; i++) {
        ProgressScore *score = &progress->scores[i];
        if (!strcmp(score->id, id) && !strcmp(score->check, check)) return score;
    }
    return NULL;
}

const ProgressScore *progress_score(const Progress *progress, const char *id, const char *check)
{
    return find_score(progress, id, check);
}

void progress_set_score(Progress *progress, const char *id, const char *check, long got)
{
    ProgressScore *score = find_score(progress, id, check);
    if (!score) {
        if (progress->n_scores >= MOST_ITEMS) return;
        progress->scores =
            memory_grow(progress->scores, progress->n_scores + 1, sizeof *progress->scores);
        score = &progress->scores[progress->n_scores++];
        *score = (ProgressScore){memory_copy(id), memory_copy(check), got, got};
    }
    if (got < score->best) score->best = got;
    score->last = got;
}

void progress_parse(Progress *progress, const char *text)
{
    char **lines = list_split(text, '\n', NULL);
    *progress = (Progress){0};
    for (size_t i = 0; lines[i]; i++) {
        char id[64], word[64], other[64];
        int number = 0, used = 0;
        long best, last;
        if (sscanf(lines[i], "exercise %63s %63s %d %63s%n", id, word, &number, other, &used) ==
                4 &&
            !lines[i][used] && number >= 0 && (!strcmp(word, "tried") || !strcmp(word, "passed"))) {
            progress_record(progress, id, word[0] == 'p', number,
                            strcmp(other, "-") ? other : NULL);
        } else if (sscanf(lines[i], "hint %63s %63s %d%n", id, word, &number, &used) == 3 &&
                   !lines[i][used] && number >= 0 && number <= 3) {
            progress_set_hint(progress, id, word, number);
        } else if (sscanf(lines[i], "score %63s %63s %ld %ld%n", id, word, &best, &last, &used) ==
                       4 &&
                   !lines[i][used] && best > 0 && best <= last) {
            progress_set_score(progress, id, word, best);
            progress_set_score(progress, id, word, last);
        }
    }
    list_free(lines);
}

int progress_read(Progress *progress, const char *folder)
{
    Text text = {0};
    char *path = memory_format("%s/progress", folder);
    int error = text_read_file(&text, path, LIMIT_TEXT);
    progress_parse(progress, error ? "" : text_string(&text));
    text_release(&text);
    free(path);
    return error == ENOENT ? 0 : error;
}

static int progress_write(const Progress *progress, const char *folder)
{
    Text text = {0};
    char *path = memory_format("%s/progress", folder);
    text_add(&text, "threelane-progress 1\n");
    for (size_t i = 0; i < progress->n_items; i++) {
        const ProgressItem *from = &progress->items[i];
        text_printf(&text, "exercise %s %s %d %s\n", from->id,
                    from->state == PROGRESS_PASSED ? "passed" : "tried", from->points,
                    from->failed ? from->failed : "-");
    }
    for (size_t i = 0; i < progress->n_hints; i++) {
        text_printf(&text, "hint %s %s %d\n", progress->hints[i].id, progress->hints[i].check,
                    progress->hints[i].stage);
    }
    for (size_t i = 0; i < progress->n_scores; i++) {
        const ProgressScore *score = &progress->scores[i];
        text_printf(&text, "score %s %s %ld %ld\n", score->id, score->check, score->best,
                    score->last);
    }
    int error = text_write_file(path, text_string(&text), text.length);
    text_release(&text);
    free(path);
    return error;
}

int progress_update(const char *folder, void (*change)(Progress *, void *), void *data)
{
    int error = folder_make(folder);
    if (error) return error;
    char *path = memory_format("%s/progress.lock", folder);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    free(path);
    if (lock < 0) return errno;
    while (flock(lock, LOCK_EX) != 0 && errno == EINTR) {}
    Progress progress;
    error = progress_read(&progress, folder);
    if (!error) {
        change(&progress, data);
        error = progress_write(&progress, folder);
    }
    progress_release(&progress);
    close(lock);
    return error;
}

void progress_release(Progress *progress)
{
    for (size_t i = 0; i < progress->n_items; i++)
        free(progress->items[i].id), free(progress->items[i].failed);
    for (size_t i = 0; i < progress->n_hints; i++)
        free(progress->hints[i].id), free(progress->hints[i].check);
    for (size_t i = 0; i < progress->n_scores; i++)
        free(progress->scores[i].id), free(progress->scores[i].check);
    free(progress->scores);
    free(progress->items);
    free(progress->hints);
    *progress = (Progress){0};
}

typedef struct HintSeen {
    const char *id, *check;
    int stage;
} HintSeen;

static void see_hint(Progress *progress, void *data)
{
    const HintSeen *seen = data;
    progress_set_hint(progress, seen->id, seen->check, seen->stage);
}

int progress_save_hint(const char *folder, const char *id, const char *check, int stage)
{
    HintSeen seen = {id, check, stage};
    return progress_update(folder, see_hint, &seen);
}
