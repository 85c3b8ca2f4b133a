/* outcome.c - see outcome.h. */
#include "grader/box/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "common/text.h"

enum { LARGEST = 1 << 20 };

/* A value as it was before it was written; the caller frees. */
static char *value_of(const char *at, size_t length)
{
    Text text = {0};
    for (size_t i = 0; i < length; i++) {
        char c = at[i];
        if (c == '\\' && i + 1 < length) {
            c = at[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        text_append(&text, &c, 1);
    }
    return text_take(&text);
}

static void take(Outcome *outcome, const char *key, char *value)
{
    struct {
        const char *key;
        char **to;
    } texts[] = {{"site", &outcome->site},
                 {"text", &outcome->text},
                 {"line", &outcome->line},
                 {"hazard", &outcome->hazard},
                 {"headline", &outcome->headline}};
    struct {
        const char *key;
        unsigned *to;
    } counts[] = {{"errors", &outcome->errors}, {"notes", &outcome->notes}};

    if (!strcmp(key, "stop") && !outcome->stop) outcome->stop = exit_status_stop_of_word(value);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(key, counts[i].key)) *counts[i].to = (unsigned)strtoul(value, NULL, 10);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(key, texts[i].key) != 0 || *texts[i].to) continue;
        *texts[i].to = value;
        return;
    }
    free(value);
}

bool outcome_read(Outcome *outcome, const char *path)
{
    Text text = {0};
    *outcome = (Outcome){0};
    bool there = text_read_file(&text, path, LARGEST) == 0;
    const char *end;

    for (const char *at = text_string(&text); there && (end = strchr(at, '\n')); at = end + 1) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        if (!tab) continue;
        char *key = memory_format("%.*s", (int)(tab - at), at);
        take(outcome, key, value_of(tab + 1, (size_t)(end - tab - 1)));
        free(key);
    }
    text_release(&text);
    return there;
}

void outcome_release(Outcome *outcome)
{
    free(outcome->site);
    free(outcome->text);
    free(outcome->line);
    free(outcome->hazard);
    free(outcome->headline);
    *outcome = (Outcome){0};
}
