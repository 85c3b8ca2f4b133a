/* handout.c - see handout.h. */
#include "grader/cluster/handout.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"

void handout_key(const BatchItem *item, bool card, char key[HANDOUT_KEY])
{
    Hash hash = hash_start();
    hash_add_string(&hash, card ? "on a card" : "");
    hash_add_string(&hash, item->exercise->fingerprint);
    hash_add(&hash, &item->attempt, sizeof item->attempt);
    hash_add(&hash, text_string(&item->source), item->source.length);
    hash_name(&hash, key);
}

/* ---- the list ---- */
void handout_head(Text *bundle, const Batch *batch, const char *folder, size_t parallel, bool card)
{
    char seconds[40];
    snprintf(seconds, sizeof seconds, "%a", batch->options.seconds);
    bundle_add_string(bundle, batch->tools);
    bundle_add_string(bundle, folder);
    bundle_add_string(bundle, batch->options.model);
    bundle_add_string(bundle, seconds);
    bundle_add_number(bundle, batch->options.seed);
    bundle_add_number(bundle, parallel);
    bundle_add_number(bundle, batch->options.unsafe);
    bundle_add_number(bundle, card);
}

void handout_add(Text *bundle, const BatchItem *item, const char *key)
{
    bundle_add_string(bundle, key);
    bundle_add_string(bundle, item->exercise->exercise->id);
    bundle_add_string(bundle, item->exercise->fingerprint);
    bundle_add_number(bundle, item->attempt);
    bundle_add(bundle, text_string(&item->source), item->source.length);
}

static void take_item(Bundle *bundle, HandoutItem *item)
{
    char *key = bundle_take_string(bundle);
    snprintf(item->key, sizeof item->key, "%s", key);
    bundle->short_of |= strspn(key, "0123456789abcdef") != HANDOUT_KEY - 1 || strlen(key) != 32;
    free(key);
    item->exercise = bundle_take_string(bundle);
    item->fingerprint = bundle_take_string(bundle);
    item->attempt = (unsigned)bundle_take_number(bundle);
    bundle_take(bundle, &item->source);
}

bool handout_read(Handout *h, const char *path, char *error, size_t error_size)
{
    Bundle bundle;
    *h = (Handout){0};
    int failed = bundle_read(&bundle, path);
    if (!failed) {
        h->tools = bundle_take_string(&bundle);
        h->folder = bundle_take_string(&bundle);
        h->model = bundle_take_string(&bundle);
        char *seconds = bundle_take_string(&bundle);
        h->seconds = strtod(seconds, NULL);
        free(seconds);
        h->seed = bundle_take_number(&bundle);
        h->parallel = (size_t)bundle_take_number(&bundle);
        h->unsafe = bundle_take_number(&bundle) != 0;
        h->card = bundle_take_number(&bundle) != 0;
    }
    while (!failed && !bundle.short_of && !bundle_ended(&bundle)) {
        h->items = memory_grow(h->items, h->n + 1, sizeof *h->items);
        h->items[h->n] = (HandoutItem){0};
        take_item(&bundle, &h->items[h->n++]);
    }
    bool fine = !failed && !bundle.short_of;
    if (!fine)
        snprintf(error, error_size, "%.300s: %s", path,
                 failed ? strerror(failed) : "it is damaged");
    bundle_release(&bundle);
    return fine;
}

void handout_release(Handout *h)
{
    for (size_t i = 0; i < h->n; i++) {
        free(h->items[i].exercise);
        free(h->items[i].fingerprint);
        text_release(&h->items[i].source);
    }
    free(h->items);
    free(h->tools);
    free(h->folder);
    free(h->model);
    *h = (Handout){0};
}

/* ---- a verdict ---- */
int handout_bring(const char *path, const Text *source, const char *card, const BatchJudged *judged)
{
    Text bundle = {0}, summary = {0};
    summary_save(&summary, &judged->summary);
    bundle_add(&bundle, text_string(source), source->length);
    bundle_add_string(&bundle, card);
    bundle_add_string(&bundle, judged->sandbox);
    bundle_add_string(&bundle, judged->svg);
    bundle_add_string(&bundle, judged->reference);
    bundle_add(&bundle, text_string(&summary), summary.length);
    int failed = bundle_write(path, &bundle);
    text_release(&bundle);
    text_release(&summary);
    return failed;
}

/* As batch_judge_many gives it: what is not there is NULL. */
static char *take_text(Bundle *bundle)
{
    char *text = bundle_take_string(bundle);
    if (*text) return text;
    free(text);
    return NULL;
}

bool handout_collect(const char *path, Brought *brought)
{
    Bundle bundle;
    Text summary = {0};
    *brought = (Brought){0};
    bool fine = bundle_read(&bundle, path) == 0;
    if (fine) {
        bundle_take(&bundle, &brought->source);
        brought->card = bundle_take_string(&bundle);
        brought->judged.sandbox = take_text(&bundle);
        brought->judged.svg = take_text(&bundle);
        brought->judged.reference = take_text(&bundle);
        bundle_take(&bundle, &summary);
        fine = !bundle.short_of && bundle_ended(&bundle) &&
               summary_load(&brought->judged.summary, text_string(&summary), summary.length);
    }
    text_release(&summary);
    bundle_release(&bundle);
    return fine;
}

void handout_brought_release(Brought *brought)
{
    text_release(&brought->source);
    free(brought->card);
    batch_judged_release(&brought->judged);
    *brought = (Brought){0};
}
