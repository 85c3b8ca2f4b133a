/* coordinator.c - see coordinator.h. */
#include "grader/cluster/coordinator.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/hash.h"
#include "grader/box/background.h"
#include "grader/box/runner.h"
#include "grader/classroom/status_line.h"
#include "grader/cluster/handout.h"
#include "grader/cluster/slurm.h"

enum {
    WORDS = 700,
    SMALLER = 8,   /* what was lost is handed out in pieces of so much less */
    FRUITLESS = 9, /* so many jobs lost, and no verdict ever: something else is wrong */
    PATIENCE = 10, /* nodes may die so many times as often as jobs by themselves */
    UNSEEN = 2,    /* a job that Slurm did not name so often is lost */
    PROBE_BYTES = 4096,
    NUMBERS = 1000000,
    LOOKS = 10, /* every so many looks also at jobs that do not run, as far as is known, */
    FEW = 64,   /* unless there are so few of them */
    SHARE = 8,  /* a job gets this share of what there is still to hand out, at most: so small ones
                   come last, and no node waits long for another */
    LEAST = 8,  /* but so many, for which it is worth to start it */
    LAST_WORDS = 300
};
static const double LOOK_SECONDS = 0.5, ASK_SECONDS = 5;

typedef struct Item {
    char key[HANDOUT_KEY];
    const char *exercise; /* the inbox's */
    size_t handin, chunk; /* chunk: its number from 1; 0: it is to be handed out */
    unsigned lost;        /* jobs that were lost with it */
    unsigned tries;       /* those of them that brought nothing at all, and */
    unsigned taken;       /* those that ended because of their node */
    bool done;
} Item;

typedef struct Chunk {
    unsigned array, index;
    size_t left;               /* items without a verdict; 0: it is closed */
    unsigned unseen;           /* how often Slurm did not name it */
    bool brought;              /* at least one verdict */
    bool runs, refused, taken; /* taken: as SlurmTask has it */
    bool earlier;              /* an earlier command's */
} Chunk;

typedef struct Coordinator {
    Batch *batch;
    const Inbox *inbox;
    Gradebook *book;
    const CoordinatorOptions *options;
    bool card;
    Slurm slurm;
    char *here, *script, *stem; /* here: where the command was typed; stem: of jobs' names */
    Item *items;
    size_t n_items;
    Chunk *chunks;
    size_t n_chunks;
    unsigned arrays, fruitless;
    bool brought, silent;
    unsigned looks;
    Text excluded; /* nodes that cannot judge */
    StatusLine tally;
    double asked;
    char *error;
    size_t error_size;
} Coordinator;

__attribute__((format(printf, 2, 3))) static bool fail(Coordinator *c, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(c->error, c->error_size, format, values);
    va_end(values);
    return false;
}

/* A line for who looks on. */
__attribute__((format(printf, 2, 3))) static void tell(const Coordinator *c, const char *format,
                                                       ...)
{
    if (!c->tally.to) return;
    status_line_clear(&c->tally);
    va_list values;
    va_start(values, format);
    vfprintf(c->tally.to->out, format, values);
    va_end(values);
    fputc('\n', c->tally.to->out);
}

static char *chunk_path(const Coordinator *c, const Chunk *chunk, const char *name)
{
    return memory_format("%s/%s%u.%u%s%s", c->options->folder, c->card ? "card-" : "", chunk->array,
                         chunk->index, *name ? "/" : "", name);
}

static char *job_name(const Coordinator *c, unsigned array)
{
    return memory_format("%s-%u", c->stem, array);
}

/* ---- submissions ---- */
static int by_key(const void *a, const void *b)
{
    return memcmp(((const Item *)a)->key, ((const Item *)b)->key, HANDOUT_KEY);
}

/* The first item of this key; the others follow. */
static Item *find(const Coordinator *c, const char *key)
{
    size_t low = 0, high = c->n_items;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memcmp(c->items[middle].key, key, HANDOUT_KEY) < 0) low = middle + 1;
        else high = middle;
    }
    bool there = low < c->n_items && !memcmp(c->items[low].key, key, HANDOUT_KEY);
    return there ? &c->items[low] : NULL;
}

/* A card is known by its name: a partition has many of a kind. */
static void card_fingerprint(const BatchExercise *e, const char *name, char to[33])
{
    Hash hash = hash_start();
    hash_add_string(&hash, e->fingerprint);
    hash_add_string(&hash, "slurm");
    hash_add_string(&hash, name);
    hash_name(&hash, to);
}

static bool knows_card(Coordinator *c, const Handin *handin, const BatchExercise *e)
{
    char fingerprint[33], *card = gradebook_card(c->book, handin);
    if (!card) return false;
    card_fingerprint(e, card, fingerprint);
    free(card);
    return gradebook_knows_card(c->book, handin, fingerprint);
}

/* As batch_look has it; on a card there are no attempts. */
static unsigned attempt_of(const Coordinator *c, const Handin *handin, const Text *source)
{
    if (c->card) return 0;
    return c->batch->options.same_draw ? 1 : gradebook_attempt(c->book, handin, source);
}

/* What is to be judged of a hand-in. False: nothing, it is known or did not run. */
static bool look(Coordinator *c, const Handin *handin, BatchItem *item)
{
    if (!c->card) return batch_look(c->batch, c->inbox, c->book, handin, item);
    *item = (BatchItem){.exercise = batch_exercise(c->batch, handin->exercise), .handin = handin};
    if (item->exercise && gradebook_ran(c->book, handin, &item->source)) {
        if (!knows_card(c, handin, item->exercise)) return true;
        c->batch->known++;
    }
    batch_item_release(item);
    return false;
}

static bool record(Coordinator *c, const BatchItem *item, const Brought *brought)
{
    const BatchJudged *judged = &brought->judged;
    c->tally.done++;
    c->tally.passed += judged->summary.kind == VERDICT_PASS;
    if (!c->card) return batch_record(c->batch, c->book, item, judged, c->error, c->error_size);
    char fingerprint[33];
    const char *card = brought->card ? brought->card : "";
    card_fingerprint(item->exercise, card, fingerprint);
    const Grade grade = {.handin = item->handin,
                         .fingerprint = fingerprint,
                         .sandbox = judged->sandbox,
                         .summary = &judged->summary,
                         .svg = judged->svg};
    c->batch->judged++;
    c->batch->broken += judged->summary.kind == VERDICT_GRADER;
    return gradebook_put_card(c->book, &grade, card, c->error, c->error_size);
}

/* It cannot be judged, and that is its verdict. */
static bool record_refused(Coordinator *c, const BatchItem *item, VerdictKind kind,
                           const char *words)
{
    Brought brought = {0};
    batch_refuse(item, kind, words, &brought.judged);
    bool fine = record(c, item, &brought);
    batch_judged_release(&brought.judged);
    return fine;
}

static bool gather(Coordinator *c)
{
    bool fine = true;
    size_t known = c->batch->known;
    for (size_t i = 0; i < c->inbox->n && fine && !jobs_interrupted(); i++) {
        BatchItem item;
        bool todo = look(c, &c->inbox->items[i], &item);
        if (todo && item.problem) {
            fine = record_refused(c, &item, VERDICT_REFUSED, item.problem);
        } else if (todo) {
            c->items = memory_grow(c->items, c->n_items + 1, sizeof *c->items);
            c->items[c->n_items] = (Item){.handin = i, .exercise = c->inbox->items[i].exercise};
            handout_key(&item, c->card, c->items[c->n_items++].key);
        }
        batch_item_release(&item);
    }
    c->tally.known = c->batch->known - known;
    c->tally.done += c->tally.known;
    c->tally.total = c->tally.done + c->n_items;
    if (c->n_items) qsort(c->items, c->n_items, sizeof *c->items, by_key);
    return fine;
}

/* ---- verdicts that come in ---- */
static void leave_chunk(Coordinator *c, Item *item)
{
    if (item->chunk) c->chunks[item->chunk - 1].left--;
    item->chunk = 0;
}

/* A job came to its end with this one, but it was the machine's fault: another one may do better.
 */
static bool try_again(Coordinator *c, Item *item)
{
    if (++item->tries >= c->options->tries) return false;
    leave_chunk(c, item);
    return true;
}

/* One file of a job's folder. */
static bool take(Coordinator *c, Chunk *chunk, const char *name)
{
    char key[HANDOUT_KEY], *path = chunk_path(c, chunk, name);
    Brought brought = {0};
    bool fine = true;
    snprintf(key, sizeof key, "%s", name);
    Item *first = find(c, key);
    size_t n = 0;
    while (first && first + n < c->items + c->n_items && !memcmp(first[n].key, key, HANDOUT_KEY))
        n++;
    bool wanted = false;
    for (size_t i = 0; i < n; i++) wanted |= !first[i].done;
    if (wanted && handout_collect(path, &brought)) {
        bool again = brought.judged.summary.kind == VERDICT_GRADER;
        for (size_t i = 0; i < n && fine; i++) {
            Item *item = &first[i];
            const Handin *handin = &c->inbox->items[item->handin];
            BatchItem of = {.exercise = batch_exercise(c->batch, handin->exercise),
                            .handin = handin,
                            .source = brought.source};
            if (item->done || !of.exercise) continue;
            of.attempt = attempt_of(c, handin, &of.source);
            char own[HANDOUT_KEY];
            handout_key(&of, c->card, own);
            if (memcmp(own, key, HANDOUT_KEY) != 0) continue; /* it says something else */
            if (again && try_again(c, item)) continue;
            fine = record(c, &of, &brought);
            item->done = fine;
            leave_chunk(c, item);
        }
        chunk->brought = c->brought = true;
        c->fruitless = 0;
        if (again) unlink(path); /* or the next look finds it again */
    }
    handout_brought_release(&brought);
    free(path);
    return fine;
}

static bool is_excluded(const Coordinator *c, const char *node)
{
    char **nodes = list_split(text_string(&c->excluded), ',', NULL);
    bool found = false;
    for (size_t i = 0; nodes[i] && !found; i++) found = !strcmp(nodes[i], node);
    list_free(nodes);
    return found;
}

/* A node that cannot judge has said so: the others may. What it said to an earlier command may be
 * mended since: that job has only brought nothing. */
static void take_refusal(Coordinator *c, Chunk *chunk)
{
    char *path = chunk_path(c, chunk, "refused");
    Bundle bundle;
    if (bundle_read(&bundle, path) == 0) {
        char *node = bundle_take_string(&bundle), *why = bundle_take_string(&bundle);
        Text shown = {0};
        text_add_shown(&shown, why, strlen(why), false);
        chunk->refused = chunk->earlier || !is_excluded(c, node);
        chunk->unseen = UNSEEN;
        if (chunk->refused && !chunk->earlier) {
            tell(c, "node %s is not used: %s", node, text_string(&shown));
            fail(c, "no node can judge. %.100s: %.500s", node, text_string(&shown));
            if (c->excluded.length) text_add(&c->excluded, ",");
            text_add(&c->excluded, node);
        }
        text_release(&shown);
        free(node);
        free(why);
        unlink(path);
    }
    bundle_release(&bundle);
    free(path);
}

/* Takes what a job's folder has by now. */
static bool sweep(Coordinator *c, Chunk *chunk)
{
    char *path = chunk_path(c, chunk, "");
    DIR *dir = opendir(path);
    bool fine = true;
    for (struct dirent *entry; dir && fine && (entry = readdir(dir));) {
        if (strlen(entry->d_name) == HANDOUT_KEY - 1) fine = take(c, chunk, entry->d_name);
        else if (!strcmp(entry->d_name, "refused")) take_refusal(c, chunk);
    }
    if (dir) closedir(dir);
    free(path);
    return fine;
}

/* What came from it is in the gradebook, for good. */
static bool close_chunk(Coordinator *c, Chunk *chunk)
{
    if (!gradebook_keep(c->book, c->error, c->error_size)) return false;
    char *path = chunk_path(c, chunk, ""), *name = job_name(c, chunk->array);
    char *log = memory_format("%s/log-%s.%u", c->options->folder, name, chunk->index);
    folder_remove(path);
    unlink(log);
    for (size_t i = 0; i < c->n_items; i++)
        if (c->items[i].chunk == (size_t)(chunk - c->chunks) + 1) c->items[i].chunk = 0;
    chunk->left = 0;
    free(log);
    free(name);
    free(path);
    return true;
}

/* ---- handing out ---- */

/* Those that are to be handed out and have been lost so often; one exercise after the other, so
 * that a node needs few of the course's harnesses. */
typedef struct Pile {
    Item **items;
    size_t n, at; /* at: those before it are handed out */
    unsigned lost;
} Pile;

static int by_exercise(const void *a, const void *b)
{
    const Item *first = *(Item *const *)a, *second = *(Item *const *)b;
    int order = strcmp(first->exercise, second->exercise);
    return order ? order : by_key(first, second);
}

static void pile_up(Coordinator *c, unsigned lost, Pile *pile)
{
    pile->n = pile->at = 0;
    pile->lost = lost;
    for (size_t i = 0; i < c->n_items; i++) {
        Item *item = &c->items[i];
        if (!item->done && !item->chunk && item->lost == lost) pile->items[pile->n++] = item;
    }
    if (pile->n) qsort(pile->items, pile->n, sizeof *pile->items, by_exercise);
}

static size_t pieces(const Coordinator *c, const Pile *pile)
{
    size_t size = c->options->chunk, share = (pile->n - pile->at) / SHARE;
    if (size > share) size = share > LEAST ? share : size < LEAST ? size : LEAST;
    for (unsigned lost = pile->lost; lost && size > 1; lost--) size /= SMALLER;
    return size ? size : 1;
}

/* Writes a folder for the next job. False: error. */
static bool fill(Coordinator *c, unsigned array, unsigned index, Pile *pile)
{
    Chunk chunk = {.array = array, .index = index};
    size_t size = pieces(c, pile), number = c->n_chunks + 1;
    char *path = chunk_path(c, &chunk, ""), *list = chunk_path(c, &chunk, "list");
    Text bundle = {0};
    bool fine = true;
    handout_head(&bundle, c->batch, c->here, c->options->parallel, c->card);
    for (; pile->at < pile->n && chunk.left < size && fine; pile->at++) {
        Item *item = pile->items[pile->at];
        BatchItem of;
        size_t known = c->batch->known;
        bool todo = look(c, &c->inbox->items[item->handin], &of);
        c->batch->known = known;
        if (!todo || of.problem) { /* it has changed meanwhile */
            if (todo) fine = record_refused(c, &of, VERDICT_REFUSED, of.problem);
            item->done = true;
        } else {
            handout_key(&of, c->card, item->key);
            handout_add(&bundle, &of, item->key);
            item->chunk = number;
            chunk.left++;
        }
        batch_item_release(&of);
    }
    if (fine && chunk.left) {
        int failed = folder_make(path);
        if (!failed) failed = bundle_write(list, &bundle);
        if (failed) fine = fail(c, "%.400s: %s", list, strerror(failed));
        c->chunks = memory_grow(c->chunks, c->n_chunks + 1, sizeof *c->chunks);
        c->chunks[c->n_chunks++] = chunk;
    }
    text_release(&bundle);
    free(list);
    free(path);
    return fine;
}

static bool submit(Coordinator *c, unsigned array, unsigned count)
{
    char *name = job_name(c, array), said[WORDS];
    const SlurmWants wants = {.name = name,
                              .script = c->script,
                              .folder = c->options->folder,
                              .count = count,
                              .partition = c->card && c->options->gpu_partition
                                               ? c->options->gpu_partition
                                               : c->options->partition,
                              .account = c->options->account,
                              .time = c->options->time,
                              .exclude = text_string(&c->excluded),
                              .more = c->options->more,
                              .cpus = c->options->cpus,
                              .gpu = c->card};
    SlurmAnswer answer = slurm_submit(&c->slurm, &wants, said, sizeof said);
    free(name);
    if (answer == SLURM_DONE || jobs_interrupted()) return true;
    /* nobody there: like a job that is lost; it is asked again */
    if (answer == SLURM_SILENT && c->brought) return true;
    if (c->excluded.length && c->error[0]) return false; /* it has been said why */
    return fail(c, "Slurm does not take the jobs: %.500s", said);
}

/* Arrays of jobs for all that is to be handed out. */
static bool hand_out(Coordinator *c)
{
    unsigned most = 0;
    bool fine = true, sorted = true;
    for (size_t i = 0; i < c->n_items; i++)
        if (!c->items[i].done && !c->items[i].chunk && c->items[i].lost > most)
            most = c->items[i].lost;
    unsigned array = c->arrays, count = 0;
    Pile pile = {.items = memory_get(c->n_items, sizeof *pile.items)};
    for (unsigned lost = 0; lost <= most && fine; lost++) {
        pile_up(c, lost, &pile);
        while (pile.at < pile.n && fine) {
            size_t before = c->n_chunks;
            fine = fill(c, array, count, &pile);
            count += (unsigned)(c->n_chunks - before);
            sorted = false;
            if (count < LIMIT_SLURM_ARRAY) continue;
            fine = fine && submit(c, array, count);
            array = ++c->arrays;
            count = 0;
        }
    }
    if (fine && count) {
        fine = submit(c, array, count);
        c->arrays++;
    }
    free(pile.items);
    if (!sorted) qsort(c->items, c->n_items, sizeof *c->items, by_key);
    c->asked = background_clock();
    return fine;
}

/* ---- jobs that are lost ---- */

/* The last thing that a job printed. */
static void last_words(const Coordinator *c, const Chunk *chunk, char *words, size_t size)
{
    char *name = job_name(c, chunk->array);
    char *log = memory_format("%s/log-%s.%u", c->options->folder, name, chunk->index);
    Text text = {0}, shown = {0};
    words[0] = 0;
    if (text_read_file(&text, log, LIMIT_TEXT) == 0 && text.length) {
        const char *end = text_string(&text) + text.length, *last = text_string(&text);
        while (end > last && end[-1] == '\n') end--;
        for (const char *at = last; at < end; at++)
            if (*at == '\n') last = at + 1;
        size_t length = (size_t)(end - last);
        text_add_shown(&shown, last, length < LAST_WORDS ? length : LAST_WORDS, true);
        snprintf(words, size, "%s", text_string(&shown));
    }
    text_release(&shown);
    text_release(&text);
    free(log);
    free(name);
}

/* A full disk loses jobs, too, and says nothing. */
static bool can_write(Coordinator *c, const Chunk *chunk)
{
    char *path = chunk_path(c, chunk, "look"), *bytes = memory_get(PROBE_BYTES, 1);
    int failed = text_write_file(path, bytes, PROBE_BYTES);
    unlink(path);
    free(bytes);
    free(path);
    if (failed && failed != ENOENT)
        return fail(c, "%.400s: %s; what was graded is kept, and the same command goes on",
                    c->options->folder, strerror(failed));
    return true;
}

static bool give_up(Coordinator *c, Item *item, const char *words)
{
    const Handin *handin = &c->inbox->items[item->handin];
    BatchItem of;
    bool fine = true;
    if (look(c, handin, &of)) {
        char text[WORDS];
        snprintf(
            text, sizeof text,
            "It was not graded: the job of the cluster that was to do it was lost %u times%s%s. "
            "This is not the submission's zero: the same command tries it again.",
            item->tries, *words ? "; its last words: " : "", words);
        fine = record_refused(c, &of, VERDICT_GRADER, text);
    }
    batch_item_release(&of);
    item->done = true;
    return fine;
}

static bool lose(Coordinator *c, Chunk *chunk)
{
    char words[WORDS];
    if (!can_write(c, chunk) || !sweep(c, chunk)) return false;
    last_words(c, chunk, words, sizeof words);
    size_t left = chunk->left, number = (size_t)(chunk - c->chunks) + 1;
    bool fine = true;
    if (left && !chunk->refused) {
        tell(
            c,
            "a job (%s-%u, number %u) was lost with %zu submissions%s%s; they are handed out again",
            c->stem, chunk->array, chunk->index, left, *words ? ": " : "", words);
        if (!chunk->brought && !chunk->taken) c->fruitless++;
    }
    for (size_t i = 0; i < c->n_items && fine; i++) {
        Item *item = &c->items[i];
        if (item->chunk != number || item->done) continue;
        item->chunk = 0;
        if (chunk->refused) continue;
        item->lost++;
        if (chunk->taken) item->taken++;
        else item->tries += !chunk->brought;
        if (item->tries >= c->options->tries || item->taken >= PATIENCE * c->options->tries)
            fine = give_up(c, item, words);
    }
    fine = close_chunk(c, chunk) && fine;
    if (fine && !c->brought && c->fruitless >= FRUITLESS)
        fine = fail(c, "%u jobs have ended and none has brought a verdict%s%s", c->fruitless,
                    *words ? "; the last words of one: " : "", words);
    return fine;
}

/* ---- what Slurm says ---- */
static Chunk *chunk_of(const Coordinator *c, const SlurmTask *task)
{
    size_t length = strlen(c->stem);
    if (strncmp(task->name, c->stem, length) != 0 || task->name[length] != '-') return NULL;
    unsigned long array = strtoul(task->name + length + 1, NULL, 10);
    for (size_t i = 0; i < c->n_chunks; i++) {
        Chunk *chunk = &c->chunks[i];
        if (chunk->left && chunk->index == task->index && chunk->array == array) return chunk;
    }
    return NULL;
}

/* The names of arrays that are waited for, commas between; all: of every one. */
static char *names(const Coordinator *c, bool all)
{
    Text text = {0};
    unsigned last = 0;
    bool any = false;
    for (size_t i = 0; i < c->n_chunks; i++) {
        const Chunk *chunk = &c->chunks[i];
        if ((!all && !chunk->left) || (any && chunk->array == last)) continue;
        char *name = job_name(c, chunk->array);
        text_printf(&text, "%s%s", any ? "," : "", name);
        free(name);
        last = chunk->array;
        any = true;
    }
    text_add(&text, "");
    return text_take(&text);
}

/* False: Slurm does not answer. */
static bool ask(Coordinator *c)
{
    SlurmTasks tasks;
    char said[WORDS], *wanted = names(c, false);
    size_t run = 0, wait = 0;
    char why[60] = "";
    c->asked = background_clock();
    bool fine = slurm_list(&c->slurm, wanted, &tasks, said, sizeof said) == SLURM_DONE;
    free(wanted);
    if (!fine) {
        if (!c->silent && !jobs_interrupted()) tell(c, "Slurm does not answer; waiting. %s", said);
        c->silent = !jobs_interrupted();
        snprintf(c->tally.aside, sizeof c->tally.aside, "Slurm does not answer");
        slurm_forget(&tasks);
        return false;
    }
    if (c->silent) tell(c, "Slurm answers again");
    c->silent = false;
    for (size_t i = 0; i < c->n_chunks; i++) c->chunks[i].unseen++, c->chunks[i].runs = false;
    for (size_t i = 0; i < tasks.n; i++) {
        const SlurmTask *task = &tasks.items[i];
        Chunk *chunk = chunk_of(c, task);
        if (!chunk) {
            /* of an array that was begun for something else, or is not waited for any more */
            if (!task->ended) slurm_cancel(&c->slurm, NULL, task->id, said, sizeof said);
        } else if (task->ended) {
            chunk->unseen = UNSEEN;
            chunk->taken = task->taken;
        } else if (task->stuck) {
            slurm_cancel(&c->slurm, NULL, task->id, said, sizeof said);
            chunk->unseen = UNSEEN;
        } else {
            chunk->unseen = 0;
            chunk->runs = task->runs;
            run += task->runs;
            wait += !task->runs;
            if (*task->why) snprintf(why, sizeof why, ": %.50s", task->why);
        }
    }
    slurm_forget(&tasks);
    snprintf(c->tally.aside, sizeof c->tally.aside, "%zu job%s at work, %zu wait%s", run,
             run == 1 ? "" : "s", wait, why);
    return true;
}

/* ---- an earlier run of this command ---- */

/* Its folders, with what they were for; jobs that are still there go on, as ours. */
static bool adopt(Coordinator *c)
{
    struct dirent **entries;
    const char *prefix = c->card ? "card-" : "";
    int n = scandir(c->options->folder, &entries, NULL, folder_by_name);
    bool fine = true;
    for (int i = 0; i < n; i++) {
        Chunk chunk = {.earlier = true};
        int length = 0;
        const char *name = entries[i]->d_name;
        bool ours =
            !strncmp(name, prefix, strlen(prefix)) &&
            sscanf(name + strlen(prefix), "%u.%u%n", &chunk.array, &chunk.index, &length) == 2 &&
            !name[strlen(prefix) + (size_t)length];
        free(entries[i]);
        if (!ours || !fine) continue;
        Handout handout;
        char *list = chunk_path(c, &chunk, "list"), said[WORDS];
        c->chunks = memory_grow(c->chunks, c->n_chunks + 1, sizeof *c->chunks);
        Chunk *kept = &c->chunks[c->n_chunks++];
        *kept = chunk;
        if (kept->array >= c->arrays) c->arrays = kept->array + 1;
        if (handout_read(&handout, list, said, sizeof said)) {
            for (size_t k = 0; k < handout.n; k++) {
                Item *item = find(c, handout.items[k].key);
                for (; item && item < c->items + c->n_items &&
                       !memcmp(item->key, handout.items[k].key, HANDOUT_KEY);
                     item++) {
                    if (item->chunk) continue;
                    item->chunk = c->n_chunks;
                    kept->left++;
                }
            }
        }
        handout_release(&handout);
        free(list);
        fine = sweep(c, kept);
        if (!kept->left) fine = close_chunk(c, kept) && fine;
    }
    if (n >= 0) free(entries);
    if (!fine || !c->n_chunks) return fine;

    /* Which of its jobs are there still? */
    char *wanted = names(c, true), said[WORDS];
    SlurmTasks tasks;
    fine = slurm_list(&c->slurm, wanted, &tasks, said, sizeof said) == SLURM_DONE;
    free(wanted);
    if (!fine) fail(c, "Slurm has to say what became of earlier jobs: %.500s", said);
    for (size_t i = 0; i < c->n_chunks; i++) c->chunks[i].unseen = 1;
    for (size_t i = 0; i < tasks.n; i++) {
        if (tasks.items[i].ended) continue;
        Chunk *chunk = chunk_of(c, &tasks.items[i]);
        if (chunk) chunk->unseen = 0;
        else slurm_cancel(&c->slurm, NULL, tasks.items[i].id, said, sizeof said);
    }
    slurm_forget(&tasks);
    for (size_t i = 0; i < c->n_chunks && fine; i++)
        if (c->chunks[i].unseen) fine = close_chunk(c, &c->chunks[i]);
    return fine;
}

/* ---- the whole ---- */

/* The folder may not be anybody else's: what lies in it is believed. */
static bool open_folder(Coordinator *c)
{
    const char *folder = c->options->folder;
    struct stat about;
    char *above = memory_copy(folder), *slash = strrchr(above, '/');
    if (slash && slash > above) {
        *slash = 0;
        folder_make(above);
    }
    free(above);
    int failed = mkdir(folder, 0700) == 0 || errno == EEXIST ? 0 : errno;
    if (!failed && lstat(folder, &about) != 0) failed = errno;
    if (failed) return fail(c, "%.400s: %s", folder, strerror(failed));
    if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 022))
        return fail(c,
                    "%.400s has to be a folder of yours that nobody else can write to: what the "
                    "jobs leave there is believed",
                    folder);
    return true;
}

static void quote(Text *to, const char *word)
{
    text_add(to, "'");
    for (; *word; word++) {
        if (*word == '\'') text_add(to, "'\\''");
        else text_append(to, word, 1);
    }
    text_add(to, "'");
}

static bool write_script(Coordinator *c)
{
    Text text = {0}, stem = {0};
    text_printf(&stem, "%s/%s", c->options->folder, c->card ? "card-" : "");
    text_add(&text, "#!/bin/sh\n"
                    "# A job of `threelane grade --slurm`; its name ends with its array's number.\n"
                    "exec ");
    quote(&text, c->options->command);
    text_add(&text, " grade --exercises ");
    quote(&text, c->batch->catalogue->exercises);
    text_add(&text, " --job ");
    quote(&text, text_string(&stem));
    text_add(&text, "\"${SLURM_JOB_NAME##*-}\" \"$SLURM_ARRAY_TASK_ID\"\n");
    int failed = text_write_file(c->script, text_string(&text), text.length);
    if (failed) fail(c, "%.400s: %s", c->script, strerror(failed));
    text_release(&text);
    text_release(&stem);
    return !failed;
}

static bool open_coordinator(Coordinator *c)
{
    char here[PATH_MAX], name[33];
    Hash hash = hash_start();
    if (!slurm_open(&c->slurm, c->error, c->error_size) || !open_folder(c)) return false;
    c->here = memory_copy(getcwd(here, sizeof here) ? here : "/");
    char *folder = realpath(c->options->folder, NULL);
    hash_add_string(&hash, folder ? folder : c->options->folder);
    free(folder);
    hash_name(&hash, name);
    /* Slurm remembers the jobs of a class that has ended just now: these have other names */
    c->arrays = (unsigned)(time(NULL) % NUMBERS);
    c->stem = memory_format("threelane-%.8s%s", name, c->card ? "-card" : "");
    c->script = memory_format("%s/job%s.sh", c->options->folder, c->card ? "-card" : "");
    return write_script(c);
}

static void close_spread(Coordinator *c)
{
    slurm_close(&c->slurm);
    text_release(&c->excluded);
    free(c->here);
    free(c->script);
    free(c->stem);
    free(c->items);
    free(c->chunks);
}

static size_t left(const Coordinator *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_items; i++) n += !c->items[i].done;
    return n;
}

static bool waits(const Coordinator *c)
{
    for (size_t i = 0; i < c->n_items; i++)
        if (!c->items[i].done && !c->items[i].chunk) return true;
    return false;
}

static size_t open_chunks(const Coordinator *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_chunks; i++) n += c->chunks[i].left != 0;
    return n;
}

/* One look at everything. */
static bool step(Coordinator *c)
{
    bool fine = true, all = open_chunks(c) <= FEW || c->looks % LOOKS == 0;
    c->looks++;
    for (size_t i = 0; i < c->n_chunks && fine && !jobs_interrupted(); i++) {
        Chunk *chunk = &c->chunks[i];
        if (!chunk->left || (!all && !chunk->runs)) continue;
        fine = sweep(c, chunk);
        if (fine && !chunk->left) fine = close_chunk(c, chunk);
    }
    fine = gradebook_keep(c->book, c->error, c->error_size) && fine;
    if (!fine || !left(c) || jobs_interrupted()) return fine;
    if (waits(c)) fine = hand_out(c);
    if (fine && background_clock() - c->asked >= ASK_SECONDS) ask(c);
    for (size_t i = 0; i < c->n_chunks && fine && !jobs_interrupted() && !c->silent; i++)
        if (c->chunks[i].left && c->chunks[i].unseen >= UNSEEN) fine = lose(c, &c->chunks[i]);
    return fine;
}

/* The jobs go, also after ^C, and what they have brought until then is taken. */
static void stop(Coordinator *c)
{
    char said[WORDS], first[WORDS];
    int signal = jobs_resume();
    snprintf(first, sizeof first, "%s", c->error);
    char *wanted = names(c, false);
    bool cancelled =
        !*wanted || slurm_cancel(&c->slurm, wanted, NULL, said, sizeof said) == SLURM_DONE;
    for (size_t i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].left) sweep(c, &c->chunks[i]);
    if (!cancelled)
        tell(c,
             "the jobs could not be cancelled: %s; they go on, and the same command takes what "
             "they bring (or: scancel --name=%s)",
             said, wanted);
    /* the folder stays: the next run looks into it, and removes it */
    snprintf(c->error, c->error_size, "%s", first);
    free(wanted);
    if (signal) jobs_interrupt(signal);
}

static bool work(Coordinator *c)
{
    bool fine = gather(c);
    if (!fine || !c->n_items || jobs_interrupted()) return fine;
    if (!open_coordinator(c) || !adopt(c)) return false;
    while (fine && left(c) && !jobs_interrupted()) {
        fine = step(c);
        status_line_show(&c->tally, false);
        if (fine && left(c)) poll(NULL, 0, (int)(LOOK_SECONDS * 1000));
    }
    if (!fine || jobs_interrupted()) stop(c);
    return fine;
}

static bool run(Coordinator *c)
{
    c->tally.to = c->batch->options.progress;
    c->tally.started = background_clock();
    c->error[0] = 0;
    jobs_listen();
    bool fine = work(c);
    fine = gradebook_keep(c->book, c->error, c->error_size) && fine;
    if (fine && !jobs_interrupted()) {
        c->error[0] = 0;
        folder_remove(c->options->folder);
    }
    status_line_show(&c->tally, true);
    close_spread(c);
    return fine && !jobs_interrupted();
}

/* What cards have said before has the points that the exercises have now. */
static bool settle_cards(Coordinator *c)
{
    bool fine = true;
    sqlite3_stmt *row = gradebook_query(c->book, "SELECT DISTINCT name FROM card ORDER BY name");
    char **cards = NULL;
    size_t n = 0;
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        cards = memory_grow(cards, n + 1, sizeof *cards);
        cards[n++] = memory_copy((const char *)sqlite3_column_text(row, 0));
    }
    sqlite3_finalize(row);
    for (size_t i = 0; i < c->batch->n_exercises && fine; i++) {
        BatchExercise *e = &c->batch->exercises[i];
        e->on_card = exercise_read(e->exercise->folder, c->error, c->error_size);
        if (!e->on_card) fine = false;
        else exercise_on_card(e->on_card);
        for (size_t k = 0; k < n && fine; k++) {
            char fingerprint[33];
            card_fingerprint(e, cards[k], fingerprint);
            fine =
                gradebook_recount_card(c->book, e->on_card, fingerprint, c->error, c->error_size);
        }
    }
    for (size_t i = 0; i < n; i++) free(cards[i]);
    free(cards);
    return fine;
}

bool coordinator_run(Batch *batch, const Inbox *inbox, Gradebook *book,
                     const CoordinatorOptions *options, char *error, size_t error_size)
{
    Coordinator c = {.batch = batch,
                     .inbox = inbox,
                     .book = book,
                     .options = options,
                     .error = error,
                     .error_size = error_size};
    return batch_settle(batch, book, error, error_size) && run(&c);
}

bool coordinator_run_card(Batch *batch, const Inbox *inbox, Gradebook *book,
                          const CoordinatorOptions *options, char *error, size_t error_size)
{
    Coordinator c = {.batch = batch,
                     .inbox = inbox,
                     .book = book,
                     .options = options,
                     .card = true,
                     .tally = {.where = "Slurm"},
                     .error = error,
                     .error_size = error_size};
    batch->judged = batch->known = batch->broken = 0;
    return settle_cards(&c) && run(&c);
}
