/* worker.c - see worker.h. */
#include "grader/cluster/worker.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "common/folder.h"
#include "grader/box/runner.h"
#include "grader/cluster/handout.h"

enum { WORDS = 900, PER_PROCESSOR = 2 };

typedef struct Worker {
    char *folder; /* A.I */
    Handout handout;
    Batch batch;
    Card card;
    size_t next;
    int failed; /* an errno: a verdict could not be left */
    char error[WORDS];
} Worker;

static const char *node(void)
{
    static char name[256];
    const char *told = getenv(ENV_SLURM_NODE);
    if (told && *told) return told;
    if (!*name && gethostname(name, sizeof name - 1) != 0) snprintf(name, sizeof name, "?");
    return name;
}

/* A folder of this user's alone on this node, kept between jobs; NULL: there can be none. */
static char *scratch(void)
{
    const char *temporary = getenv(ENV_TMPDIR);
    char *path = memory_format("%s/threelane-%ld", temporary && *temporary ? temporary : "/tmp",
                               (long)geteuid());
    struct stat about;
    mkdir(path, 0700);
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
        !(about.st_mode & 077))
        return path;
    free(path);
    return NULL;
}

static size_t processors(void)
{
    const char *told = getenv(ENV_SLURM_CPUS);
    unsigned long n = told ? strtoul(told, NULL, 10) : 0;
    return n > 0 && n < jobs_processors() ? n : jobs_processors();
}

static char *verdict_path(const Worker *w, const HandoutItem *item)
{
    return memory_format("%s/%s", w->folder, item->key);
}

/* Leaves it; false when it cannot: there is no sense in judging more. */
static bool bring(Worker *w, const HandoutItem *item, const BatchJudged *judged, const char *card)
{
    char *path = verdict_path(w, item);
    w->failed = handout_bring(path, &item->source, card, judged);
    if (!w->failed) {
        free(path);
        return true;
    }
    snprintf(w->error, sizeof w->error, "%.300s: %s", path, strerror(w->failed));
    free(path);
    return false;
}

/* ---- on the virtual GPU ---- */
static BatchNext next_item(void *data, BatchItem *to)
{
    Worker *w = data;
    *to = (BatchItem){0};
    if (w->next == w->handout.n) return BATCH_END;
    const HandoutItem *item = &w->handout.items[w->next++];
    char *path = verdict_path(w, item);
    if (access(path, F_OK) != 0) {
        to->exercise = batch_exercise(&w->batch, item->exercise);
        to->attempt = item->attempt;
        text_append(&to->source, text_string(&item->source), item->source.length);
    }
    free(path);
    return BATCH_ITEM;
}

static bool item_done(void *data, BatchItem *item, BatchJudged *judged)
{
    Worker *w = data;
    HandoutItem brought = {.source = item->source};
    handout_key(item, false, brought.key);
    BatchExercise *e = batch_exercise(&w->batch, item->exercise->exercise->id);
    if (judged->reference) e->pictured = true;
    return bring(w, &brought, judged, NULL);
}

/* ---- on a card ---- */
static bool judge_on_card(Worker *w)
{
    bool fine = true;
    for (size_t i = 0; i < w->handout.n && fine && !jobs_interrupted(); i++) {
        const HandoutItem *item = &w->handout.items[i];
        BatchJudged judged = {0};
        char *path = verdict_path(w, item);
        if (access(path, F_OK) != 0) {
            fine = batch_judge_on_card(&w->batch, batch_exercise(&w->batch, item->exercise),
                                       &item->source, &judged, w->error, sizeof w->error) &&
                   bring(w, item, &judged, w->card.name);
            batch_judged_release(&judged);
        }
        free(path);
    }
    return fine;
}

/* ---- a job ---- */
static bool same_tools(Worker *w)
{
    bool fine = !strcmp(w->handout.tools, w->batch.tools);
    if (!fine)
        snprintf(w->error, sizeof w->error,
                 "Threelane is another build here than where the class is (tools %.8s, not %.8s): "
                 "install the same one, or start it from a folder that all nodes see",
                 w->batch.tools, w->handout.tools);
    for (size_t i = 0; i < w->handout.n && fine; i++) {
        const HandoutItem *item = &w->handout.items[i];
        const BatchExercise *e = batch_exercise(&w->batch, item->exercise);
        fine = e && !strcmp(e->fingerprint, item->fingerprint);
        if (!fine)
            snprintf(w->error, sizeof w->error,
                     "%.40s is another exercise here (%.400s) than where the class is: the course "
                     "has to be in a folder that all nodes see",
                     item->exercise, w->batch.catalogue->exercises);
    }
    return fine;
}

static bool open_batch(Worker *w, const Catalogue *catalogue)
{
    const Handout *h = &w->handout;
    BatchOptions with = {.parallel = h->parallel ? h->parallel : PER_PROCESSOR * processors(),
                         .seed = h->seed,
                         .seconds = h->seconds,
                         .model = *h->model ? h->model : NULL,
                         .unsafe = h->unsafe};
    const char **ids = memory_get(h->n + 1, sizeof *ids);
    size_t n = 0;
    for (size_t i = 0; i < h->n; i++) {
        bool listed = false;
        for (size_t k = 0; k < n && !listed; k++) listed = !strcmp(ids[k], h->items[i].exercise);
        if (!listed) ids[n++] = h->items[i].exercise;
    }
    bool fine = batch_open(&w->batch, catalogue, ids, n, &with, w->error, sizeof w->error);
    free(ids);
    return fine;
}

/* This machine cannot judge: those who sent it here are told. */
static void refuse(const Worker *w)
{
    char *path = memory_format("%s/refused", w->folder);
    Text bundle = {0};
    bundle_add_string(&bundle, node());
    bundle_add_string(&bundle, w->error);
    bundle_write(path, &bundle);
    text_release(&bundle);
    free(path);
}

static bool open_worker(Worker *w, Catalogue *catalogue)
{
    const Handout *h = &w->handout;
    char *own = scratch();
    if (own) {
        free(catalogue->state);
        catalogue->state = own;
    }
    if (chdir(h->folder) != 0 && *h->model) {
        snprintf(w->error, sizeof w->error, "%.400s: %s (the device model is named from there)",
                 h->folder, strerror(errno));
        return false;
    }
    if (!open_batch(w, catalogue)) return false;
    if (!same_tools(w)) return false;
    return !h->card || (card_open(&w->card, 0, w->error, sizeof w->error) &&
                        batch_use_card(&w->batch, &w->card, NULL, w->error, sizeof w->error));
}

int worker_run(Catalogue *catalogue, const char *stem, const char *index)
{
    Worker *w = memory_get(1, sizeof *w);
    w->folder = memory_format("%s.%s", stem, index);
    char *list = memory_format("%s/list", w->folder);
    jobs_listen();
    bool known = access(list, F_OK) == 0, fine = true;
    /* else it is not waited for any more: nothing to do */
    if (known) fine = handout_read(&w->handout, list, w->error, sizeof w->error);
    if (known && fine && w->handout.n) {
        fine = open_worker(w, catalogue);
        const BatchWork work = {w, next_item, item_done, NULL, -1};
        if (fine) fine = w->handout.card ? judge_on_card(w) : batch_judge_many(&w->batch, &work);
    }
    /* a folder that is gone is no fault: what was to be left there has come from elsewhere */
    bool gone = w->failed == ENOENT;
    bool stopped = jobs_interrupted() || gone;
    if (!fine && !stopped) {
        if (!w->error[0]) snprintf(w->error, sizeof w->error, "it stopped without a reason");
        fprintf(stderr, "threelane: %s: %s\n", node(), w->error);
        if (known && !w->failed) refuse(w);
    }
    card_close(&w->card);
    batch_close(&w->batch);
    handout_release(&w->handout);
    free(list);
    free(w->folder);
    free(w);
    return fine || stopped ? VERDICT_PASS : VERDICT_GRADER;
}
