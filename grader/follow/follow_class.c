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

typedef struct Desk {
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
} Desk;

static const Handin *keep(Desk *d, const Handin *of)
{
    Handin *kept = memory_get(1, sizeof *kept);
    *kept = (Handin){.student = memory_copy(of->student),
                     .exercise = memory_copy(of->exercise),
                     .path = memory_copy(of->path)};
    d->kept = memory_grow(d->kept, d->live + 1, sizeof *d->kept);
    d->kept[d->live++] = kept;
    return kept;
}

static void let_go(Desk *d, size_t i)
{
    Handin *kept = d->kept[i];
    free(kept->student);
    free(kept->exercise);
    free(kept->path);
    free(kept);
    d->kept[i] = d->kept[--d->live];
}

/* ---- looking ---- */
static bool look(Desk *d)
{
    double now = background_clock();
    Inbox inbox = {0};
    arrivals_prepare(d->arrivals, now);
    if (!d->options->open(d->options->data, &inbox, d->error, d->error_size)) {
        inbox_close(&inbox);
        return false;
    }
    if (arrivals_look(d->arrivals, &inbox, background_clock())) {
        d->stale = true;
        d->told = now;
    }
    if (d->opened) inbox_close(&d->inbox);
    d->inbox = inbox;
    d->opened = true;
    return true;
}

static BatchNext next(void *data, BatchItem *item)
{
    Desk *d = data;
    if (arrivals_due(d->arrivals, background_clock()) && !look(d)) {
        d->failed = true;
        return BATCH_END;
    }
    const Handin *handin = arrivals_next(d->arrivals);
    if (!handin) return BATCH_LATER;
    d->waits = false;
    if (batch_look(d->batch, &d->inbox, d->book, handin, item)) {
        item->handin = keep(d, handin);
    } else {
        arrivals_done(d->arrivals, handin->student, handin->exercise);
    }
    return BATCH_ITEM;
}

/* ---- telling ---- */
static void tell_json(const Desk *d, const BatchItem *item, const BatchJudged *judged)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to) return;
    summary_json(to, &judged->summary,
                 &(SummaryJson){.student = item->handin->student,
                                .path = item->handin->path,
                                .sandbox = judged->sandbox,
                                .seed = hidden_open_input(d->batch->options.seed)});
    fclose(to);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') text[i] = ' '; /* between fields: those of texts are \n */
    while (size && text[size - 1] == ' ') size--;
    fprintf(d->options->to, "%.*s\n", (int)size, text);
    free(text);
}

static void tell_words(const Desk *d, const BatchItem *item, const BatchJudged *judged)
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
    fprintf(d->options->to, "%s\n", text_string(&line));
    text_release(&line);
}

static bool done(void *data, BatchItem *item, BatchJudged *judged)
{
    Desk *d = data;
    bool fine = batch_record(d->batch, d->book, item, judged, d->error, d->error_size) &&
                gradebook_keep(d->book, d->error, d->error_size);
    if (fine && d->options->json) tell_json(d, item, judged);
    else if (fine) tell_words(d, item, judged);
    fflush(d->options->to);
    d->failed = !fine;
    d->stale = true;
    d->told = background_clock();
    arrivals_done(d->arrivals, item->handin->student, item->handin->exercise);
    size_t i = 0;
    while (d->kept[i] != item->handin) i++;
    let_go(d, i);
    return fine;
}

/* ---- the report ---- */
static bool write_report(Desk *d)
{
    double begun = background_clock();
    bool fine = gradebook_present(d->book, &d->inbox, d->error, d->error_size) &&
                d->options->report(d->options->data, &d->inbox, d->error, d->error_size);
    d->wrote = background_clock();
    d->took = d->wrote - begun;
    d->stale = false;
    return fine;
}

static bool beat(void *data)
{
    Desk *d = data;
    double now = background_clock();
    bool calm = !d->live && now - d->told >= CALM_SECONDS;
    bool due = now - d->wrote >= SHARE * d->took + (calm ? 0 : ANYHOW_SECONDS);
    if (d->opened && d->stale && due && !write_report(d)) {
        d->failed = true;
        return false;
    }
    if (calm && !d->stale && !d->waits && !arrivals_waiting(d->arrivals)) {
        fprintf(d->options->talk, "waiting for submissions in %s; Ctrl-C ends it\n",
                d->options->root);
        fflush(d->options->talk);
        d->waits = true;
    }
    return true;
}

bool follow_class_run(Batch *batch, Gradebook *book, const FollowClassOptions *options, char *error,
                      size_t error_size)
{
    Desk d = {.batch = batch,
              .book = book,
              .options = options,
              .arrivals = arrivals_new(options->root, options->polling),
              .error = error,
              .error_size = error_size};
    error[0] = 0;
    const BatchWork work = {&d, next, done, beat, arrivals_fd(d.arrivals)};
    bool fine = batch_settle(batch, book, error, error_size);
    if (fine) batch_judge_many(batch, &work);
    fine = fine && !d.failed;

    /* what was told is in the report, also when a signal ended it */
    int signal = jobs_resume();
    if (fine && d.opened) fine = write_report(&d);
    jobs_interrupt(signal);
    while (d.live) let_go(&d, 0);
    free(d.kept);
    arrivals_free(d.arrivals);
    inbox_close(&d.inbox);
    return fine;
}
