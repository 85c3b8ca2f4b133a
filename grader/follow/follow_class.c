/* follow_class.c - see follow_class.h. */
#include "grader/follow/follow_class.h"
#include <stdlib.h>
#include <string.h>
#include "grader/box/background.h"
#include "grader/box/runner.h"
#include "grader/course/hidden.h"
#include "grader/follow/arrivals.h"

/* CALM: after the last verdict, until the report is written. ANYHOW: where there is no calm; and it
 * may take that SHARE of the time. */
static const double CALM_SECONDS = 0.5, ANYHOW_SECONDS = 5;
enum { SHARE = 5 };

typedef struct FollowClass {
    Batch *batch;
    Gradebook *book;
    const FollowClassOptions *options;
    Arrivals *arrivals;
    Inbox inbox;
    bool opened;
    Handin **kept; /* being judged: they outlive the inbox that they came from */
    size_t live;
    bool stale, waits;        /* the report is; it was said that it waits */
    double told, wrote, took; /* the last verdict; the last report, and what it cost */
    char *error;
    size_t error_size;
    bool failed;
} FollowClass;

static const Handin *keep(FollowClass *f, const Handin *of)
{
    Handin *kept = memory_get(1, sizeof *kept);
    *kept = (Handin){.student = memory_copy(of->student),
                     .exercise = memory_copy(of->exercise),
                     .path = memory_copy(of->path)};
    f->kept = memory_grow(f->kept, f->live + 1, sizeof *f->kept);
    f->kept[f->live++] = kept;
    return kept;
}

static void let_go(FollowClass *f, size_t i)
{
    Handin *kept = f->kept[i];
    free(kept->student);
    free(kept->exercise);
    free(kept->path);
    free(kept);
    f->kept[i] = f->kept[--f->live];
}

/* ---- looking ---- */
static bool look(FollowClass *f)
{
    double now = background_clock();
    Inbox inbox = {0};
    arrivals_prepare(f->arrivals, now);
    if (!f->options->open(f->options->data, &inbox, f->error, f->error_size)) {
        inbox_close(&inbox);
        return false;
    }
    if (arrivals_look(f->arrivals, &inbox, background_clock())) {
        f->stale = true;
        f->told = now;
    }
    if (f->opened) inbox_close(&f->inbox);
    f->inbox = inbox;
    f->opened = true;
    return true;
}

static BatchNext next(void *data, BatchItem *item)
{
    FollowClass *f = data;
    if (arrivals_due(f->arrivals, background_clock()) && !look(f)) {
        f->failed = true;
        return BATCH_END;
    }
    const Handin *handin = arrivals_next(f->arrivals);
    if (!handin) return BATCH_LATER;
    f->waits = false;
    if (batch_look(f->batch, &f->inbox, f->book, handin, item)) {
        item->handin = keep(f, handin);
    } else {
        arrivals_done(f->arrivals, handin->student, handin->exercise);
    }
    return BATCH_ITEM;
}

/* ---- telling ---- */
static void tell_json(const FollowClass *f, const BatchItem *item, const BatchJudged *judged)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to) return;
    summary_json(to, &judged->summary,
                 &(SummaryJson){.student = item->handin->student,
                                .path = item->handin->path,
                                .sandbox = judged->sandbox,
                                .seed = hidden_open_input(f->batch->options.seed)});
    fclose(to);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') text[i] = ' '; /* between fields: those of texts are \n */
    while (size && text[size - 1] == ' ') size--;
    fprintf(f->options->to, "%.*s\n", (int)size, text);
    free(text);
}

static void tell_words(const FollowClass *f, const BatchItem *item, const BatchJudged *judged)
{
    const Summary *s = &judged->summary;
    const SummaryCheck *failed = summary_failed(s);
    const char *why = s->message.length ? text_string(&s->message) : failed ? failed->title : "";
    Text line = {0};
    text_add_shown(&line, item->handin->student, strlen(item->handin->student), false);
    text_printf(&line, " %s: %s", s->id, exit_status_verdict_word((int)s->kind));
    if (s->kind != VERDICT_GRADER) text_printf(&line, ", %d of %d points", s->points, s->possible);
    if (item->attempt > 1) text_printf(&line, ", attempt %u", item->attempt);
    if (*why) text_add(&line, ": ");
    text_add_shown(&line, why, strcspn(why, "\n"), false);
    for (char *at = line.data; *at; at++)
        if (*at == '\n' || *at == '\t') *at = ' '; /* of a name */
    fprintf(f->options->to, "%s\n", text_string(&line));
    text_release(&line);
}

static bool done(void *data, BatchItem *item, BatchJudged *judged)
{
    FollowClass *f = data;
    bool fine = batch_record(f->batch, f->book, item, judged, f->error, f->error_size) &&
                gradebook_keep(f->book, f->error, f->error_size);
    if (fine && f->options->json) tell_json(f, item, judged);
    else if (fine) tell_words(f, item, judged);
    fflush(f->options->to);
    f->failed = !fine;
    f->stale = true;
    f->told = background_clock();
    arrivals_done(f->arrivals, item->handin->student, item->handin->exercise);
    size_t i = 0;
    while (f->kept[i] != item->handin) i++;
    let_go(f, i);
    return fine;
}

/* ---- the report ---- */
static bool write_report(FollowClass *f)
{
    double begun = background_clock();
    bool fine = gradebook_present(f->book, &f->inbox, f->error, f->error_size) &&
                f->options->report(f->options->data, &f->inbox, f->error, f->error_size);
    f->wrote = background_clock();
    f->took = f->wrote - begun;
    f->stale = false;
    return fine;
}

static bool beat(void *data)
{
    FollowClass *f = data;
    double now = background_clock();
    bool calm = !f->live && now - f->told >= CALM_SECONDS;
    bool due = now - f->wrote >= SHARE * f->took + (calm ? 0 : ANYHOW_SECONDS);
    if (f->opened && f->stale && due && !write_report(f)) {
        f->failed = true;
        return false;
    }
    if (calm && !f->stale && !f->waits && !arrivals_waiting(f->arrivals)) {
        fprintf(f->options->talk, "waiting for submissions in %s; Ctrl-C ends it\n",
                f->options->root);
        fflush(f->options->talk);
        f->waits = true;
    }
    return true;
}

bool follow_class_run(Batch *batch, Gradebook *book, const FollowClassOptions *options, char *error,
                      size_t error_size)
{
    FollowClass f = {.batch = batch,
                     .book = book,
                     .options = options,
                     .arrivals = arrivals_new(options->root, options->polling),
                     .error = error,
                     .error_size = error_size};
    error[0] = 0;
    const BatchWork work = {&f, next, done, beat, arrivals_fd(f.arrivals)};
    bool fine = batch_settle(batch, book, error, error_size);
    if (fine) batch_judge_many(batch, &work);
    fine = fine && !f.failed;

    /* what was told is in the report, also when a signal ended it */
    int signal = jobs_resume();
    if (fine && f.opened) fine = write_report(&f);
    jobs_interrupt(signal);
    while (f.live) let_go(&f, 0);
    free(f.kept);
    arrivals_free(f.arrivals);
    inbox_close(&f.inbox);
    return fine;
}
