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
void handout_head(Text *parcel, const Batch *batch, const char *folder, size_t parallel, bool card)
{
    char seconds[40];
    snprintf(seconds, sizeof seconds, "%a", batch->options.seconds);
    parcel_add_string(parcel, batch->tools);
    parcel_add_string(parcel, folder);
    parcel_add_string(parcel, batch->options.model);
    parcel_add_string(parcel, seconds);
    parcel_add_number(parcel, batch->options.seed);
    parcel_add_number(parcel, parallel);
    parcel_add_number(parcel, batch->options.unsafe);
    parcel_add_number(parcel, card);
}

void handout_add(Text *parcel, const BatchItem *item, const char *key)
{
    parcel_add_string(parcel, key);
    parcel_add_string(parcel, item->exercise->exercise->id);
    parcel_add_string(parcel, item->exercise->fingerprint);
    parcel_add_number(parcel, item->attempt);
    parcel_add(parcel, text_string(&item->source), item->source.length);
}

static void take_item(Parcel *parcel, HandoutItem *item)
{
    char *key = parcel_take_string(parcel);
    snprintf(item->key, sizeof item->key, "%s", key);
    parcel->short_of |= strspn(key, "0123456789abcdef") != HANDOUT_KEY - 1 || strlen(key) != 32;
    free(key);
    item->exercise = parcel_take_string(parcel);
    item->fingerprint = parcel_take_string(parcel);
    item->attempt = (unsigned)parcel_take_number(parcel);
    parcel_take(parcel, &item->source);
}

bool handout_read(Handout *h, const char *path, char *error, size_t error_size)
{
    Parcel parcel;
    *h = (Handout){0};
    int failed = parcel_read(&parcel, path);
    if (!failed) {
        h->tools = parcel_take_string(&parcel);
        h->folder = parcel_take_string(&parcel);
        h->model = parcel_take_string(&parcel);
        char *seconds = parcel_take_string(&parcel);
        h->seconds = strtod(seconds, NULL);
        free(seconds);
        h->seed = parcel_take_number(&parcel);
        h->parallel = (size_t)parcel_take_number(&parcel);
        h->unsafe = parcel_take_number(&parcel) != 0;
        h->card = parcel_take_number(&parcel) != 0;
    }
    while (!failed && !parcel.short_of && !parcel_ended(&parcel)) {
        h->items = memory_grow(h->items, h->n + 1, sizeof *h->items);
        h->items[h->n] = (HandoutItem){0};
        take_item(&parcel, &h->items[h->n++]);
    }
    bool fine = !failed && !parcel.short_of;
    if (!fine)
        snprintf(error, error_size, "%.300s: %s", path,
                 failed ? strerror(failed) : "it is damaged");
    parcel_release(&parcel);
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
    Text parcel = {0}, summary = {0};
    summary_save(&summary, &judged->summary);
    parcel_add(&parcel, text_string(source), source->length);
    parcel_add_string(&parcel, card);
    parcel_add_string(&parcel, judged->sandbox);
    parcel_add_string(&parcel, judged->svg);
    parcel_add_string(&parcel, judged->reference);
    parcel_add(&parcel, text_string(&summary), summary.length);
    int failed = parcel_write(path, &parcel);
    text_release(&parcel);
    text_release(&summary);
    return failed;
}

/* As batch_judge_many gives it: what is not there is NULL. */
static char *take_text(Parcel *parcel)
{
    char *text = parcel_take_string(parcel);
    if (*text) return text;
    free(text);
    return NULL;
}

bool handout_collect(const char *path, Brought *brought)
{
    Parcel parcel;
    Text summary = {0};
    *brought = (Brought){0};
    bool fine = parcel_read(&parcel, path) == 0;
    if (fine) {
        parcel_take(&parcel, &brought->source);
        brought->card = parcel_take_string(&parcel);
        brought->judged.sandbox = take_text(&parcel);
        brought->judged.svg = take_text(&parcel);
        brought->judged.reference = take_text(&parcel);
        parcel_take(&parcel, &summary);
        fine = !parcel.short_of && parcel_ended(&parcel) &&
               summary_load(&brought->judged.summary, text_string(&summary), summary.length);
    }
    text_release(&summary);
    parcel_release(&parcel);
    return fine;
}

void handout_brought_release(Brought *brought)
{
    text_release(&brought->source);
    free(brought->card);
    batch_judged_release(&brought->judged);
    *brought = (Brought){0};
}
