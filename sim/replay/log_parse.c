/* log_parse.c - see log_parse.h. */
#include "sim/replay/log_parse.h"
#include <stdlib.h>
#include <string.h>

static const char *const verbs[PLAY_VERBS] = {"main",   "in",      "out",     "own",   "call",
                                              "push",   "kernel",  "other",   "fn",    "end",
                                              "thread", "release", "acquire", "copy",  "set",
                                              "wrote",  "range",   "pop",     "begin", "finish",
                                              "mark",   "given"};

static int digit(char c, unsigned base)
{
    int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    return value < (int)base ? value : -1;
}

bool play_number(const char *word, unsigned base, uint64_t *value)
{
    *value = 0;
    if (!*word) return false;
    for (; *word; word++) {
        int d = digit(*word, base);
        if (d < 0 || *value > (UINT64_MAX - (unsigned)d) / base) return false;
        *value = *value * base + (unsigned)d;
    }
    return true;
}

bool play_bytes(const char *word, void *to, size_t bytes)
{
    unsigned char *target = to;
    if (!strcmp(word, "-")) return bytes == 0;
    if (strlen(word) != 2 * bytes) return false;
    for (size_t i = 0; i < bytes; i++) {
        int high = digit(word[2 * i], 16), low = digit(word[2 * i + 1], 16);
        if (high < 0 || low < 0) return false;
        target[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

const char *play_word(const PlayRecord *record, size_t i)
{
    if (i >= record->n) return "";
    const char *word = record->words;
    while (i--) word += strlen(word) + 1;
    return word;
}

/* Cuts a line at its blanks; the words of it, or PLAY_WORDS + 1 when there are too many or an empty
 * one. */
static size_t cut(char *line, const char *words[PLAY_WORDS])
{
    size_t n = 0;
    for (char *at = line;;) {
        char *blank = strchr(at, ' ');
        if (n == PLAY_WORDS || at == blank || !*at) return PLAY_WORDS + 1;
        words[n++] = at;
        if (!blank) return n;
        *blank = 0;
        at = blank + 1;
    }
}

static bool add(ParsedLog *log, size_t *room, const PlayRecord *record)
{
    if (log->n == *room) {
        size_t more = *room ? 2 * *room : 256;
        PlayRecord *records = realloc(log->records, more * sizeof *records);
        if (!records) return false;
        log->records = records;
        *room = more;
    }
    log->records[log->n++] = *record;
    return true;
}

static bool more_functions(ParsedLog *log, size_t token)
{
    uint32_t *functions = realloc(log->functions, token * 2 * sizeof *functions);
    if (functions) log->functions = functions;
    uint32_t *latest = realloc(log->latest, token * 2 * sizeof *latest);
    if (latest) log->latest = latest;
    if (!functions || !latest) return false;
    for (size_t i = log->n_functions; i < token * 2; i++) functions[i] = latest[i] = PLAY_NONE;
    log->n_functions = token * 2;
    return true;
}

static PlayState take_line(ParsedLog *log, size_t *room, uint32_t last[PLAY_THREADS], char *line)
{
    const char *words[PLAY_WORDS];
    uint64_t thread, ns, token = 0;
    size_t n = cut(line, words);
    if (n < 3 || n > PLAY_WORDS) return PLAY_DAMAGED;
    if (!play_number(words[0], 10, &thread) || !thread) return PLAY_DAMAGED;
    if (thread >= PLAY_THREADS) return PLAY_TOO_MANY_THREADS; /* an honest one may have as many */
    if (!play_number(words[1], 10, &ns) || ns > PLAY_LATEST_NS) return PLAY_DAMAGED;
    int verb = 0;
    while (verb < PLAY_VERBS && strcmp(words[2], verbs[verb]) != 0) verb++;
    if (verb == PLAY_VERBS) return PLAY_DAMAGED;
    PlayRecord record = {.ns = ns,
                         .verb = (PlayVerb)verb,
                         .thread = (uint32_t)thread,
                         .next = PLAY_NONE,
                         .again = PLAY_NONE,
                         .n = (uint32_t)n - 3,
                         .words = n > 3 ? words[3] : ""};
    if (record.verb == PLAY_FN) { /* tokens are given out one after the other, one to a call */
        if (!play_number(play_word(&record, 0), 16, &token) || !token || token > PLAY_MOST_RECORDS)
            return PLAY_DAMAGED;
        if (token > log->n_functions && !more_functions(log, token)) return PLAY_NO_MEMORY;
        /* what a graph holds is run again with each launch */
        uint32_t *latest = &log->latest[token - 1];
        if (*latest == PLAY_NONE) log->functions[token - 1] = (uint32_t)log->n;
        else log->records[*latest].again = (uint32_t)log->n;
        *latest = (uint32_t)log->n;
    }
    if (log->n == PLAY_MOST_RECORDS) return PLAY_TOO_LONG;
    uint32_t before = last[thread];
    if (before != PLAY_NONE && log->records[before].ns > ns) return PLAY_DAMAGED;
    if (before == PLAY_NONE) log->first[thread] = (uint32_t)log->n;
    else log->records[before].next = (uint32_t)log->n;
    last[thread] = (uint32_t)log->n;
    return add(log, room, &record) ? PLAY_FINE : PLAY_NO_MEMORY;
}

PlayState log_parse(ParsedLog *log, char *bytes, size_t length, size_t *line)
{
    uint32_t last[PLAY_THREADS];
    size_t room = 0;
    *log = (ParsedLog){0};
    *line = 1;
    for (size_t i = 0; i < PLAY_THREADS; i++) log->first[i] = last[i] = PLAY_NONE;
    if (length > PLAY_MOST_BYTES) return PLAY_TOO_LONG;
    if (!length) return PLAY_EMPTY;
    for (char *at = bytes, *end; (end = memchr(at, '\n', length - (size_t)(at - bytes)));
         at = end + 1, ++*line) {
        *end = 0;
        if (strlen(at) != (size_t)(end - at)) return PLAY_DAMAGED;
        if (*line > 1) {
            PlayState state = take_line(log, &room, last, at);
            if (state != PLAY_FINE) return state;
        } else if (strncmp(at, "threelane-log 1 ", 16) != 0 ||
                   !play_number(at + 16, 16, &log->base)) {
            return PLAY_DAMAGED;
        }
    }
    return *line == 1 ? PLAY_EMPTY : PLAY_FINE;
}

void log_parse_release(ParsedLog *log)
{
    free(log->records);
    free(log->functions);
    free(log->latest);
    *log = (ParsedLog){0};
}
