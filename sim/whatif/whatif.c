/* whatif.c - see whatif.h. */
#include "sim/whatif/whatif.h"
#include "common/env.h"
#include "common/limits.h"
#include "sim/host/host.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Change {
    uint32_t thread, rank;
    const char *name;
    WhatIf what;
} Change;

/* By thread: how many calls it has made, and where its next change stands. */
typedef struct Thread {
    uint32_t made;
    size_t next;
    bool known, lost;
} Thread;

bool whatif_on;
static Change *changes;
static size_t n_changes, room;
static Thread *threads;
static uint32_t n_threads;
static uint32_t *streams; /* their numbers here, in the order in which they were made */
static uint32_t n_streams, stream_room;

static _Noreturn void refuse(const char *path, size_t line, const char *why)
{
    host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_WHATIF "=%s, line %zu: %s", path, line,
               why);
}

static void *grown(void *array, size_t n, size_t size)
{
    void *more = realloc(array, n * size);
    if (!more) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for " ENV_WHATIF);
    return more;
}

static bool number(const char *text, uint32_t most, uint32_t *value)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n == 0 || n > most) return false;
    *value = (uint32_t)n;
    return true;
}

/* The words behind NAME. */
static bool parse_what(char *word, char *value, WhatIf *what)
{
    enum { MOST = 1 << 30 };
    bool *flag = !strcmp(word, "skip")     ? &what->skip
                 : !strcmp(word, "async")  ? &what->async
                 : !strcmp(word, "pinned") ? &what->pinned
                 : !strcmp(word, "wait")   ? &what->wait
                                           : NULL;
    if (flag) return *flag = true, !value;
    if (!value) return false;
    if (!strcmp(word, "stream")) return number(value, MOST, &what->stream);
    if (!strcmp(word, "apart")) return number(value, WHATIF_APART - 1, &what->apart);
    if (strcmp(word, "times") != 0) return false;
    char *end;
    what->times = strtod(value, &end);
    return !*end && end != value && what->times > 0 && what->times <= 1e6;
}

static void parse_line(char *line, const char *path, size_t at)
{
    char *words[7], *rest = line;
    size_t n = 0;
    for (char *word; n < 7 && (word = strtok_r(rest, " ", &rest));) words[n++] = word;
    if (!n) return;

    Change change = {0};
    if (n < 5 || n > 6 || strcmp(words[0], "call") != 0 ||
        !number(words[1], UINT16_MAX, &change.thread) ||
        !number(words[2], UINT32_MAX - 1, &change.rank) ||
        !parse_what(words[4], n == 6 ? words[5] : NULL, &change.what))
        refuse(path, at, "not `call THREAD RANK NAME WHAT`");
    if (n_changes == room) {
        room = room ? 2 * room : 256;
        changes = grown(changes, room, sizeof *changes);
    }
    change.name = words[3];
    changes[n_changes++] = change;
}

static int by_call(const void *a, const void *b)
{
    const Change *x = a, *y = b;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Several lines about one call become one. */
static void join(void)
{
    size_t kept = 0;
    qsort(changes, n_changes, sizeof *changes, by_call);
    for (size_t i = 0; i < n_changes; i++) {
        WhatIf *to = kept ? &changes[kept - 1].what : NULL;
        const WhatIf *more = &changes[i].what;
        if (!kept || by_call(&changes[kept - 1], &changes[i]) != 0) {
            changes[kept++] = changes[i];
            continue;
        }
        to->skip |= more->skip;
        to->async |= more->async;
        to->pinned |= more->pinned;
        to->wait |= more->wait;
        if (more->stream) to->stream = more->stream;
        if (more->apart) to->apart = more->apart;
        if (more->times > 0) to->times = more->times;
    }
    n_changes = kept;
}

/* The whole file, for as long as the process lives: names point into it. */
static char *read_all(const char *path)
{
    FILE *file = fopen(path, "re");
    size_t length = 0, size = 1 << 16;
    char *text = file ? malloc(size) : NULL;
    while (text && !ferror(file) && length < LIMIT_WHATIF) {
        size_t got = fread(text + length, 1, size - length - 1, file);
        length += got;
        if (!got) break;
        if (length + 1 == size) text = grown(text, size *= 2, 1);
    }
    bool failed = !text || ferror(file) || length >= LIMIT_WHATIF;
    int why = errno;
    if (file) fclose(file);
    if (failed)
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_WHATIF "=%s: %s", path,
                   length >= LIMIT_WHATIF ? "it is too long" : strerror(why));
    text[length] = '\0';
    return text;
}

void whatif_open(const char *path)
{
    if (!path || !*path) return;
    char *rest = read_all(path), *line = strsep(&rest, "\n");
    if (strcmp(line, "threelane-whatif 1") != 0) refuse(path, 1, "not `threelane-whatif 1`");
    for (size_t at = 2; (line = strsep(&rest, "\n")); at++) parse_line(line, path, at);
    join();
    whatif_on = true;
}

static Thread *thread_of(uint32_t id)
{
    if (id >= n_threads) {
        threads = grown(threads, (size_t)id + 1, sizeof *threads);
        memset(threads + n_threads, 0, (id + 1 - n_threads) * sizeof *threads);
        n_threads = id + 1;
    }
    Thread *thread = &threads[id];
    if (thread->known) return thread;
    thread->known = true;
    while (thread->next < n_changes && changes[thread->next].thread < id) thread->next++;
    return thread;
}

const WhatIf *whatif_call(uint32_t id, const char *name)
{
    Thread *thread = thread_of(id);
    thread->made++;
    if (thread->lost || thread->next == n_changes) return NULL;

    const Change *change = &changes[thread->next];
    if (change->thread != id || change->rank != thread->made) return NULL;
    thread->next++;
    if (!strcmp(change->name, name)) return &change->what;
    thread->lost = true;
    host_warn_of_kind("what-if", "gpu", (TraceSite){NULL, 0},
                      "with this change the program goes another way: where it called %s it now "
                      "calls %s, and nothing is changed from there on",
                      change->name, name);
    return NULL;
}

void whatif_stream_made(uint32_t id)
{
    if (n_streams == stream_room) {
        stream_room = stream_room ? 2 * stream_room : 64;
        streams = grown(streams, stream_room, sizeof *streams);
    }
    streams[n_streams++] = id;
}

uint32_t whatif_stream(uint32_t id) { return id && id <= n_streams ? streams[id - 1] : 0; }
