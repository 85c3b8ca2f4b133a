/* batch.c - see batch.h. */
#include "grader/classroom/batch.h"
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include "common/env.h"
#include "common/hash.h"
#include "common/limits.h"
#include "grader/box/background.h"
#include "grader/build/build.h"
#include "common/folder.h"
#include "common/version.h"
#include "grader/course/hidden.h"
#include "grader/box/runner.h"
#include "grader/classroom/status_line.h"
#include "timeline/trace/analysis.h"
#include "timeline/exports/svg.h"

enum { LARGEST = 64 << 20, PICTURE_WIDTH = 760, WORDS = 600, MOST_PARALLEL = 64, BEAT_MS = 200 };

/* ---- exercises ---- */
static void hash_path(Hash *hash, const char *path, const char *name)
{
    Text text = {0};
    hash_add_string(hash, name);
    if (text_read_file(&text, path, LARGEST) == 0) hash_add(hash, text_string(&text), text.length);
    text_release(&text);
}

/* What a folder of the course says, without the instructor's own attempt (but) and what only lint
 * reads. */
static void hash_folder(Hash *hash, const char *folder, const char *but)
{
    static const char *const endings[] = {".cu", ".h", ".ini", ".txt"};
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, folder_by_name);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
        bool counts = name[0] != '.' && dot && (!but || strcmp(name, but));
        bool known = false;
        for (size_t k = 0; k < sizeof endings / sizeof *endings && counts; k++)
            known |= !strcmp(dot, endings[k]);
        if (but && !strcmp(name, "exercise.ini")) known = false; /* exercise_hash */
        if (known) {
            char *path = memory_format("%s/%s", folder, name);
            hash_path(hash, path, name);
            free(path);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* What makes programs and judges them: bytes that are the same for all exercises, and many. */
static Hash hash_tools(const Catalogue *catalogue, const Workspace *workspace)
{
    Hash hash = hash_start();
    hash_path(&hash, "/proc/self/exe", "threelane");
    hash_path(&hash, workspace->tlcc, "tlcc");
    static const char *const places[] = {"lib/threelane", "build/lib/threelane"};
    for (size_t i = 0; i < 2; i++) {
        char *library = memory_format("%s/../%s/libthreelane.a", catalogue->bin, places[i]);
        hash_path(&hash, library, "library");
        free(library);
    }
    const char *home = getenv(ENV_HOME);
    if (home) {
        char *library = memory_format("%s/libthreelane.a", home);
        hash_path(&hash, library, "library");
        free(library);
    }
    return hash;
}

/* hash: of the exercise as its file says it. */
static void fingerprint(const Batch *batch, BatchExercise *e, const Hash *tools, Hash hash)
{
    char *own = memory_format("%s.cu", e->exercise->id);
    hash_add_string(&hash, THREELANE_VERSION);
    hash_add_string(&hash, e->exercise->id);
    hash_add(&hash, &batch->options.seed, sizeof batch->options.seed);
    hash_add(&hash, &batch->options.seconds, sizeof batch->options.seconds);
    hash_add_string(&hash, batch->options.model ? batch->options.model : "");
    hash_add_string(&hash, batch->sandbox.level == SANDBOX_NONE ? "no sandbox" : "");
    hash_folder(&hash, e->exercise->folder, own);
    hash_folder(&hash, batch->catalogue->exercises, NULL);
    hash_add(&hash, tools, sizeof *tools);
    hash_name(&hash, e->fingerprint);
    free(own);
}

bool batch_open(Batch *batch, const Catalogue *catalogue, const char *const *ids, size_t n,
                const BatchOptions *options, char *error, size_t error_size)
{
    Workspace workspace;
    *batch = (Batch){.catalogue = catalogue, .options = *options};
    if (!batch->options.parallel) batch->options.parallel = 2 * jobs_processors();
    if (batch->options.parallel > MOST_PARALLEL) batch->options.parallel = MOST_PARALLEL;
    SandboxOptions boxing = {.least = options->unsafe ? SANDBOX_NONE : SANDBOX_LANDLOCK,
                             .most = SANDBOX_NAMESPACES,
                             .memory_bytes = LIMIT_BOX_MEMORY,
                             .processes = LIMIT_BOX_PROCESSES,
                             .boxes = batch->options.parallel};
    if (!sandbox_open(&batch->sandbox, &boxing, error, error_size)) return false;
    if (!workspace_open(&workspace, catalogue, error, error_size)) {
        sandbox_close(&batch->sandbox);
        return false;
    }
    const Hash tools = hash_tools(catalogue, &workspace);
    Hash same = tools;
    hash_name(&same, batch->tools);
    size_t many = n ? n : catalogue->n_entries;
    batch->exercises = memory_get(many ? many : 1, sizeof *batch->exercises);
    bool fine = true;
    for (size_t i = 0; i < many && fine; i++) {
        const CatalogueEntry *entry =
            n ? catalogue_find(catalogue, ids[i]) : &catalogue->entries[i];
        if (!entry) {
            snprintf(error, error_size,
                     "there is no exercise '%.100s'; `threelane list` shows them", ids[i]);
            fine = false;
            break;
        }
        if (batch_exercise(batch, entry->id)) continue;
        BatchExercise *e = &batch->exercises[batch->n_exercises];
        e->exercise = exercise_read(entry->folder, error, error_size);
        fine = e->exercise != NULL;
        if (!fine) break;
        batch->n_exercises++;
        Hash hash = hash_start();
        exercise_hash(e->exercise, &hash);
        const HiddenDraw draw = {options->seed, options->attempt};
        fine = hidden_draw(e->exercise, &draw, error, error_size);
        exercise_on_model(e->exercise, options->model);
        fingerprint(batch, e, &tools, hash);
    }
    workspace_close(&workspace);
    if (!fine) batch_close(batch);
    return fine;
}

void batch_close(Batch *batch)
{
    for (size_t i = 0; i < batch->n_exercises; i++) {
        exercise_free(batch->exercises[i].exercise);
        exercise_free(batch->exercises[i].on_card);
    }
    free(batch->exercises);
    batch->exercises = NULL;
    batch->n_exercises = 0;
    sandbox_close(&batch->sandbox);
}

BatchExercise *batch_exercise(Batch *batch, const char *id)
{
    for (size_t i = 0; i < batch->n_exercises; i++)
        if (!strcmp(batch->exercises[i].exercise->id, id)) return &batch->exercises[i];
    return NULL;
}

/* ---- one submission ---- */
static void refuse(Summary *summary, const Exercise *e, VerdictKind kind, const char *words)
{
    *summary = (Summary){.id = memory_copy(e->id),
                         .title = memory_copy(e->title),
                         .number = e->number,
                         .xp = e->xp,
                         .kind = kind,
                         .stopped = true,
                         .label = memory_copy(""),
                         .possible = exercise_points(e)};
    text_add(&summary->message, words);
}

static char *picture(const Exercise *e, const Recording *recording, const char *title)
{
    char *text = NULL;
    size_t size = 0;
    if (!recording->trace) return NULL;
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    uint32_t range = e->show ? analysis_range(recording->trace, e->show) : 0;
    SvgOptions options = {.range = range, .width = PICTURE_WIDTH, .title = title};
    bool fine = (!e->show || range) && svg_write(to, recording->trace, &options) == 0;
    if (fclose(to) != 0 || !fine) {
        free(text);
        return NULL;
    }
    return text;
}

void batch_judged_release(BatchJudged *judged)
{
    summary_release(&judged->summary);
    free(judged->svg);
    free(judged->reference);
    free(judged->sandbox);
    *judged = (BatchJudged){0};
}

/* The exercise with what is drawn for a later attempt. NULL and one line. */
static Exercise *drawn_again(const Batch *batch, const Exercise *e, unsigned long long attempt,
                             char *error, size_t error_size)
{
    const HiddenDraw draw = {batch->options.seed, attempt};
    Exercise *drawn = exercise_read(e->folder, error, error_size);
    if (drawn && !hidden_draw(drawn, &draw, error, error_size)) {
        exercise_free(drawn);
        drawn = NULL;
    }
    if (drawn) exercise_on_model(drawn, batch->options.model);
    return drawn;
}

/* parallel: jobs at a time. */
static bool judge_drawn(Batch *batch, const Exercise *e, const Text *source, bool reference,
                        size_t parallel, BatchJudged *judged)
{
    const Card *card = batch->card;
    Workspace workspace;
    char error[WORDS];
    if (!workspace_open(&workspace, batch->catalogue, error, sizeof error)) {
        refuse(&judged->summary, e, VERDICT_GRADER, error);
        return true;
    }
    workspace.parallel = parallel;
    if (card) workspace_use(&workspace, card);
    /* under a name of ours: what the student called it goes no further than the gradebook */
    char *folder = memory_format("%s/handed-in", workspace.work),
         *path = memory_format("%s/%s.cu", folder, e->id);
    int failed = folder_make(folder);
    if (!failed) failed = text_write_file(path, text_string(source), source->length);
    bool done = true;
    if (failed) {
        snprintf(error, sizeof error, "%.300s: %s", path, strerror(failed));
        refuse(&judged->summary, e, VERDICT_GRADER, error);
    } else {
        Verdict verdict;
        double seconds = batch->options.seconds;
        if (card && seconds < LIMIT_RUN_CARD_SECONDS)
            seconds = 0; /* a card's own: it takes seconds to begin */
        JudgeOptions options = {.source = path,
                                .seed = hidden_open_input(batch->options.seed),
                                .seconds = seconds,
                                .model = batch->options.model,
                                .trusted = !card,
                                .sandbox =
                                    batch->sandbox.level == SANDBOX_NONE ? NULL : &batch->sandbox};
        done = judge(&workspace, e, &options, &verdict);
        if (done) {
            if (verdict.kind == VERDICT_USAGE)
                verdict.kind = VERDICT_GRADER; /* whoever grades asked for what is none */
            summary_make(&judged->summary, e, &verdict, true);
            if (verdict.evidence && verdict.checks && !job_used_up(&verdict.jobs[0])) {
                judged->svg = picture(e, &verdict.evidence[0].got, NULL);
                if (reference) judged->reference = picture(e, &verdict.evidence[0].expected, NULL);
            }
        }
        verdict_release(e, &verdict);
    }
    free(folder);
    free(path);
    workspace_close(&workspace);
    return done;
}

static bool judge_here(Batch *batch, const BatchExercise *of, const Text *source,
                       unsigned long long attempt, bool reference, size_t parallel,
                       BatchJudged *judged)
{
    char error[WORDS];
    *judged =
        (BatchJudged){.sandbox = memory_copy(batch->sandbox.words ? batch->sandbox.words : "none")};
    if (batch->card || attempt <= 1)
        return judge_drawn(batch, batch->card ? of->on_card : of->exercise, source, reference,
                           parallel, judged);
    Exercise *drawn = drawn_again(batch, of->exercise, attempt, error, sizeof error);
    bool done = true;
    if (drawn) done = judge_drawn(batch, drawn, source, reference, parallel, judged);
    else refuse(&judged->summary, of->exercise, VERDICT_GRADER, error);
    exercise_free(drawn);
    return done;
}

bool batch_judge_one(Batch *batch, BatchExercise *e, const Text *source, Summary *summary,
                     char **svg, char **sandbox)
{
    BatchJudged judged;
    bool done = judge_here(batch, e, source, 0, false, batch->options.parallel, &judged);
    *summary = judged.summary;
    judged.summary = (Summary){0};
    if (svg) {
        *svg = judged.svg;
        judged.svg = NULL;
    }
    *sandbox = judged.sandbox;
    judged.sandbox = NULL;
    batch_judged_release(&judged);
    return done;
}

/* ---- many ---- */
typedef struct Task {
    Batch *batch;
    size_t place; /* of those that are judged at a time: has a control group of its own */
    BatchItem item;
    bool reference;
    Background background;
} Task;

static void write_all(int fd, const void *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t n = write(fd, (const char *)bytes + at, length - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(1);
        at += (size_t)n;
    }
}

/* In the child. Result 0 is the summary; result 1 the texts: length, line feed, bytes, for each. */
static void work(void *data, const int results[BACKGROUND_RESULTS])
{
    Task *task = data;
    BatchJudged judged;
    Sandbox *sandbox = &task->batch->sandbox;
    bool alone = task->batch->card != NULL; /* nothing else is being judged: all groups are its own
                                             */
    if (!alone && sandbox->groups.n > task->place) {
        sandbox->groups.all += task->place;
        sandbox->groups.n = 1;
    }
    size_t parallel = alone ? task->batch->options.parallel : 1;
    const BatchItem *item = &task->item;
    if (!judge_here(task->batch, item->exercise, &item->source, item->attempt, task->reference,
                    parallel, &judged))
        return;
    Text bytes = {0};
    summary_save(&bytes, &judged.summary);
    write_all(results[0], text_string(&bytes), bytes.length);
    text_clear(&bytes);
    const char *texts[] = {judged.svg, judged.reference, judged.sandbox};
    for (size_t i = 0; i < 3; i++) {
        text_printf(&bytes, "%zu\n", texts[i] ? strlen(texts[i]) : 0);
        if (texts[i]) text_add(&bytes, texts[i]);
    }
    write_all(results[1], text_string(&bytes), bytes.length);
    text_release(&bytes);
    batch_judged_release(&judged);
}

static char *take_text(const char **at, const char *end)
{
    char *after;
    unsigned long length = *at < end ? strtoul(*at, &after, 10) : 0;
    if (*at >= end || after >= end || *after != '\n' || length > (size_t)(end - after - 1)) {
        *at = end;
        return NULL;
    }
    char *text = length ? memory_format("%.*s", (int)length, after + 1) : NULL;
    *at = after + 1 + length;
    return text;
}

static void collect(Task *task, BatchJudged *judged, bool died)
{
    Text bytes = {0};
    *judged = (BatchJudged){0};
    bool whole = !died && background_read(&task->background, 0, &bytes) == 0 &&
                 summary_load(&judged->summary, text_string(&bytes), bytes.length);
    text_clear(&bytes);
    if (!whole) {
        refuse(&judged->summary, task->item.exercise->exercise, VERDICT_GRADER,
               "The process that judged it ended unexpectedly. This is not the submission's zero: "
               "grade it again, or by "
               "itself.");
    } else if (background_read(&task->background, 1, &bytes) == 0) {
        const char *at = text_string(&bytes), *end = at + bytes.length;
        judged->svg = take_text(&at, end);
        judged->reference = take_text(&at, end);
        judged->sandbox = take_text(&at, end);
    }
    text_release(&bytes);
}

bool batch_settle(Batch *batch, Gradebook *book, char *error, size_t error_size)
{
    bool fine = true;
    error[0] = 0;
    for (size_t i = 0; i < batch->n_exercises && fine; i++) {
        const BatchExercise *e = &batch->exercises[i];
        fine = gradebook_exercise(book, e->exercise, e->fingerprint, NULL, error, error_size) &&
               gradebook_recount(book, e->exercise, e->fingerprint, error, error_size);
    }
    return fine;
}

bool batch_look(Batch *batch, const Inbox *inbox, Gradebook *book, const Handin *handin,
                BatchItem *item)
{
    BatchExercise *e = batch_exercise(batch, handin->exercise);
    char problem[WORDS];
    *item = (BatchItem){.exercise = e, .handin = handin};
    bool readable = inbox_read(inbox, handin, &item->source, problem, sizeof problem);
    if (!readable) text_clear(&item->source);
    if (!e || gradebook_knows(book, handin, e->fingerprint, &item->source)) {
        batch_item_release(item);
        batch->known++;
        return false;
    }
    if (!readable) item->problem = memory_copy(problem);
    item->attempt = batch->options.same_draw ? 1 : gradebook_attempt(book, handin, &item->source);
    return true;
}

void batch_item_release(BatchItem *item)
{
    text_release(&item->source);
    free(item->problem);
    *item = (BatchItem){0};
}

void batch_refuse(const BatchItem *item, VerdictKind kind, const char *words, BatchJudged *judged)
{
    *judged = (BatchJudged){0};
    refuse(&judged->summary, item->exercise->exercise, kind, words);
}

bool batch_record(Batch *batch, Gradebook *book, const BatchItem *item, const BatchJudged *judged,
                  char *error, size_t error_size)
{
    BatchExercise *e = batch_exercise(batch, item->exercise->exercise->id);
    Grade grade = {.handin = item->handin,
                   .source = &item->source,
                   .attempt = item->attempt,
                   .fingerprint = e->fingerprint,
                   .sandbox = judged->sandbox,
                   .summary = &judged->summary,
                   .svg = judged->svg};
    batch->judged++;
    batch->broken += judged->summary.kind == VERDICT_GRADER;
    if (judged->reference && !e->pictured) {
        if (!gradebook_exercise(book, e->exercise, e->fingerprint, judged->reference, error,
                                error_size))
            return false;
        e->pictured = true;
    }
    return gradebook_put(book, &grade, error, error_size);
}

/* Those that are at work, and where more come from. */
typedef struct Phase {
    Batch *batch;
    const BatchWork *of;
    Task *tasks;
    struct pollfd *fds;
    size_t live;
    BatchNext more;
    bool fine, taken[MOST_PARALLEL + 1];
} Phase;

/* It is not judged: it cannot be read, or no process could be started for it (failed: why). */
static void tell_unjudged(Phase *phase, BatchItem *item, int failed)
{
    char words[WORDS];
    BatchJudged judged;
    if (failed) snprintf(words, sizeof words, "it could not be judged: %s", strerror(failed));
    batch_refuse(item, failed ? VERDICT_GRADER : VERDICT_REFUSED, failed ? words : item->problem,
                 &judged);
    phase->fine = phase->of->done(phase->of->data, item, &judged);
    batch_judged_release(&judged);
}

/* The next one: at work, or told as what cannot be judged. */
static void take_next(Phase *phase)
{
    Task *task = &phase->tasks[phase->live];
    *task = (Task){.batch = phase->batch};
    phase->more = phase->of->next(phase->of->data, &task->item);
    if (phase->more != BATCH_ITEM || !task->item.exercise) return;
    task->reference = !batch_exercise(phase->batch, task->item.exercise->exercise->id)->pictured;
    while (phase->taken[task->place]) task->place++;
    int failed = task->item.problem ? 0 : background_start(&task->background, work, task);
    if (!task->item.problem && !failed) {
        phase->taken[task->place] = true;
        phase->live++;
        return;
    }
    tell_unjudged(phase, &task->item, failed);
    batch_item_release(&task->item);
}

/* A task has ended: what it says is told, unless it was stopped with all. */
static void take_back(Phase *phase, size_t i, BackgroundState state)
{
    Task *task = &phase->tasks[i];
    BatchJudged judged;
    if (!jobs_interrupted() || state == BACKGROUND_DONE) {
        collect(task, &judged, state != BACKGROUND_DONE);
        phase->fine = phase->of->done(phase->of->data, &task->item, &judged);
        batch_judged_release(&judged);
    }
    background_close(&task->background);
    batch_item_release(&task->item);
    phase->taken[task->place] = false;
    *task = phase->tasks[--phase->live];
}

/* Those that have ended by now, or soon. */
static void take_ended(Phase *phase)
{
    for (size_t i = 0; i < phase->live; i++)
        phase->fds[i] = (struct pollfd){.fd = phase->tasks[i].background.end, .events = POLLIN};
    int wake = phase->more == BATCH_LATER ? phase->of->wake : -1;
    phase->fds[phase->live] = (struct pollfd){.fd = wake, .events = POLLIN};
    if (phase->live || phase->more == BATCH_LATER) poll(phase->fds, phase->live + 1, BEAT_MS);
    for (size_t i = 0; i < phase->live && phase->fine;) {
        BackgroundState state = background_poll(&phase->tasks[i].background);
        if (state == BACKGROUND_GOING) i++;
        else take_back(phase, i, state);
    }
}

bool batch_judge_many(Batch *batch, const BatchWork *of)
{
    size_t parallel = batch->options.parallel;
    Phase phase = {.batch = batch,
                   .of = of,
                   .tasks = memory_get(parallel, sizeof *phase.tasks),
                   .fds = memory_get(parallel + 1, sizeof *phase.fds),
                   .fine = true};
    jobs_listen();
    while (phase.fine && !jobs_interrupted() && (phase.more != BATCH_END || phase.live)) {
        bool ask = phase.more != BATCH_END;
        while (ask && phase.live < parallel && phase.fine && !jobs_interrupted()) {
            take_next(&phase);
            ask = phase.more == BATCH_ITEM;
        }
        take_ended(&phase);
        if (phase.fine && of->beat) phase.fine = of->beat(of->data);
    }
    for (size_t i = 0; i < phase.live; i++) {
        background_close(&phase.tasks[i].background);
        batch_item_release(&phase.tasks[i].item);
    }
    free(phase.tasks);
    free(phase.fds);
    return phase.fine && !jobs_interrupted();
}

/* A class whose hand-ins are judged here. */
typedef struct Run {
    Batch *batch;
    const Inbox *inbox;
    Gradebook *book;
    char *error;
    size_t error_size, next;
    StatusLine tally;
} Run;

static BatchNext run_next(void *data, BatchItem *item)
{
    Run *run = data;
    if (run->next == run->inbox->n) return BATCH_END;
    const Handin *handin = &run->inbox->items[run->next++];
    if (!batch_look(run->batch, run->inbox, run->book, handin, item)) {
        run->tally.done++;
        run->tally.known++;
    }
    return BATCH_ITEM;
}

static bool run_done(void *data, BatchItem *item, BatchJudged *judged)
{
    Run *run = data;
    run->tally.done++;
    run->tally.passed += judged->summary.kind == VERDICT_PASS;
    return batch_record(run->batch, run->book, item, judged, run->error, run->error_size);
}

/* What is told as judged is on the disk. */
static bool run_beat(void *data)
{
    Run *run = data;
    if (!gradebook_keep_soon(run->book, run->error, run->error_size)) return false;
    if (gradebook_kept(run->book)) status_line_show(&run->tally, false);
    return true;
}

bool batch_run(Batch *batch, const Inbox *inbox, Gradebook *book, char *error, size_t error_size)
{
    Run run = {.batch = batch,
               .inbox = inbox,
               .book = book,
               .error = error,
               .error_size = error_size,
               .tally = {.to = batch->options.progress,
                         .total = inbox->n,
                         .started = background_clock()}};
    const BatchWork work = {&run, run_next, run_done, run_beat, -1};
    bool fine = batch_settle(batch, book, error, error_size) && batch_judge_many(batch, &work);
    /* also when it was stopped */
    bool kept = gradebook_keep(book, error, error_size);
    if (kept) status_line_show(&run.tally, true);
    return fine && kept;
}

/* ---- the second phase: on a card ---- */
static bool open_card_sandbox(Batch *batch, SandboxLevel most, char *error, size_t error_size)
{
    struct sysinfo info;
    uint64_t memory = LIMIT_RUN_CARD_MEMORY;
    if (sysinfo(&info) == 0 && (uint64_t)info.totalram * info.mem_unit / 2 < memory)
        memory = (uint64_t)info.totalram * info.mem_unit / 2;
    SandboxOptions boxing = {.least = batch->options.unsafe ? SANDBOX_NONE : SANDBOX_LANDLOCK,
                             .most = most,
                             .memory_bytes = memory,
                             .processes = LIMIT_BOX_PROCESSES,
                             .boxes = batch->options.parallel,
                             .gpu = true};
    sandbox_close(&batch->sandbox);
    return sandbox_open(&batch->sandbox, &boxing, error, error_size);
}

bool batch_use_card(Batch *batch, const Card *card, Gradebook *book, char *error, size_t error_size)
{
    if (!open_card_sandbox(batch, SANDBOX_NAMESPACES, error, error_size)) return false;
    for (size_t i = 0; i < batch->n_exercises; i++) {
        BatchExercise *e = &batch->exercises[i];
        e->on_card = exercise_read(e->exercise->folder, error, error_size);
        if (!e->on_card) return false;
        exercise_on_card(e->on_card);
        Hash hash = hash_start();
        hash_add_string(&hash, e->fingerprint);
        hash_add_string(&hash, card->identity);
        hash_name(&hash, e->card_fingerprint);
        if (book &&
            !gradebook_recount_card(book, e->on_card, e->card_fingerprint, error, error_size))
            return false;
    }
    batch->card = card;
    batch->judged = batch->known = batch->broken = 0;
    return true;
}

/* Judges one in a process of its own, and waits. False: a signal stopped it. */
static bool judge_apart(Batch *batch, const BatchExercise *e, const Text *source,
                        BatchJudged *judged)
{
    Task task = {.batch = batch, .item = {.exercise = e, .source = *source}};
    *judged = (BatchJudged){0};
    int failed = background_start(&task.background, work, &task);
    if (failed) {
        char words[WORDS];
        snprintf(words, sizeof words, "it could not be judged: %s", strerror(failed));
        refuse(&judged->summary, e->on_card, VERDICT_GRADER, words);
        return true;
    }
    BackgroundState state = BACKGROUND_GOING;
    while (state == BACKGROUND_GOING && !jobs_interrupted()) {
        poll(&(struct pollfd){.fd = task.background.end, .events = POLLIN}, 1, 200);
        state = background_poll(&task.background);
    }
    bool done = state == BACKGROUND_DONE || !jobs_interrupted();
    if (done) collect(&task, judged, state != BACKGROUND_DONE);
    background_close(&task.background);
    return done;
}

/* Why a solution did not pass, in one line: a check's cause, or how it ended and what it printed
 * last. */
static void say_unsound(const Batch *batch, const Summary *s, char *error, size_t error_size)
{
    const SummaryCheck *failed = s->message.length ? NULL : summary_failed(s);
    const char *words = failed && failed->cause ? failed->cause : text_string(&s->message);
    const char *last = text_string(&s->output), *end = last + s->output.length;
    while (end > last && end[-1] == '\n') end--;
    for (const char *at = last; at < end; at++)
        if (*at == '\n') last = at + 1;
    bool told = !failed && end > last;
    Text shown = {0}, line = {0};
    text_add_shown(&line, words, strlen(words) < WORDS / 2 ? strlen(words) : WORDS / 2, true);
    for (size_t i = 0; i < line.length; i++)
        if (line.data[i] == '\n') line.data[i] = ' ';
    if (told)
        text_add_shown(&shown, last,
                       (size_t)(end - last) < WORDS / 3 ? (size_t)(end - last) : WORDS / 3, true);
    snprintf(
        error, error_size,
        "%s's own solution does not pass on %s (sandbox: %s), so nothing is said about submissions "
        "there. %s: %s%s%s",
        s->id, batch->card->name, batch->sandbox.words, exit_status_verdict_word((int)s->kind),
        text_string(&line), told ? " Its last words: " : "", text_string(&shown));
    text_release(&shown);
    text_release(&line);
}

/* An exercise's own solution has to pass on the card, in the same box; else an error, or none when
 * a signal stopped it. */
static bool try_solution(Batch *batch, BatchExercise *e, char *error, size_t error_size)
{
    Text source = {0};
    BatchJudged judged = {0};
    char *path = exercise_file(e->on_card, "solution.cu");
    int unread = text_read_file(&source, path, LIMIT_SUBMISSION);
    error[0] = 0;
    e->sound = false;
    if (unread) {
        snprintf(error, error_size, "%.300s: %s: results on a card are compared with a solution's",
                 path, strerror(unread));
    } else if (judge_apart(batch, e, &source, &judged)) {
        e->sound = judged.summary.kind == VERDICT_PASS;
        if (!e->sound) say_unsound(batch, &judged.summary, error, error_size);
    }
    batch_judged_release(&judged);
    text_release(&source);
    free(path);
    return e->sound;
}

/* What a box must not keep from the driver differs from machine to machine. The strongest one that
 * works here is the one in which the solution passes. */
static bool find_box(Batch *batch, BatchExercise *e, char *error, size_t error_size)
{
    char lower[WORDS];
    while (!try_solution(batch, e, error, error_size)) {
        SandboxLevel level = batch->sandbox.level,
                     least = batch->options.unsafe ? SANDBOX_NONE : SANDBOX_LANDLOCK;
        if (!error[0] || level <= least) return false;
        if (!open_card_sandbox(batch, level - 1, lower, sizeof lower)) return false;
    }
    return true;
}

static bool record_card(Batch *batch, Gradebook *book, const BatchExercise *e, const Handin *handin,
                        BatchJudged *judged, char *error, size_t error_size)
{
    const Grade grade = {.handin = handin,
                         .fingerprint = e->card_fingerprint,
                         .sandbox = judged->sandbox,
                         .summary = &judged->summary,
                         .svg = judged->svg};
    batch->judged++;
    batch->broken += judged->summary.kind == VERDICT_GRADER;
    return gradebook_put_card(book, &grade, batch->card->name, error, error_size);
}

bool batch_judge_on_card(Batch *batch, BatchExercise *e, const Text *source, BatchJudged *judged,
                         char *error, size_t error_size)
{
    *judged = (BatchJudged){0};
    error[0] = 0;
    if (!e->sound && !find_box(batch, e, error, error_size)) return false;
    if (!judge_apart(batch, e, source, judged)) return false;
    /* one that did not end: was it the card? */
    bool doubt = judged->summary.stopped && judged->summary.kind != VERDICT_COMPILE;
    return !doubt || try_solution(batch, e, error, error_size);
}

bool batch_run_card(Batch *batch, const Inbox *inbox, Gradebook *book, char *error,
                    size_t error_size)
{
    StatusLine tally = {.to = batch->options.progress,
                        .where = batch->card->name,
                        .started = background_clock()};
    bool fine = true;
    error[0] = 0;
    for (size_t i = 0; i < inbox->n; i++) {
        Text source;
        tally.total += batch_exercise(batch, inbox->items[i].exercise) &&
                       gradebook_ran(book, &inbox->items[i], &source);
        text_release(&source);
    }
    jobs_listen();
    for (size_t i = 0; i < inbox->n && fine && !jobs_interrupted(); i++) {
        const Handin *handin = &inbox->items[i];
        BatchExercise *e = batch_exercise(batch, handin->exercise);
        Text source = {0};
        BatchJudged judged = {0};
        if (!e || !gradebook_ran(book, handin, &source)) continue;
        if (gradebook_knows_card(book, handin, e->card_fingerprint)) {
            tally.known++;
            batch->known++;
        } else {
            fine = batch_judge_on_card(batch, e, &source, &judged, error, error_size);
            if (fine) {
                tally.passed += judged.summary.kind == VERDICT_PASS;
                fine = record_card(batch, book, e, handin, &judged, error, error_size);
            }
        }
        tally.done++;
        text_release(&source);
        batch_judged_release(&judged);
        status_line_show(&tally, false);
    }
    if (fine) status_line_show(&tally, true);
    return fine && !jobs_interrupted();
}
