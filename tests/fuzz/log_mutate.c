/* log_mutate.c - see log_mutate.h. */
#include "tests/fuzz/log_mutate.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "sim/replay/replay.h"

enum { LINE = 2048, MOST_ROUNDS = 4, LETTERS = 16 };

uint64_t log_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

typedef struct Log {
    char *text;
    size_t n, most;
    uint64_t *state;
} Log;

static size_t below(Log *log, size_t n) { return n ? (size_t)(log_random(log->state) % n) : 0; }

/* Puts `with` in the place of text[at .. at + length). */
static void replace(Log *log, size_t at, size_t length, const char *with, size_t n)
{
    if (log->n - length + n > log->most) return;
    memmove(log->text + at + n, log->text + at + length, log->n - at - length);
    memcpy(log->text + at, with, n);
    log->n += n - length;
}

/* A random line: where it begins; *length without its end. */
static size_t some_line(Log *log, size_t *length)
{
    size_t at = below(log, log->n);
    while (at && log->text[at - 1] != '\n') at--;
    const char *end = memchr(log->text + at, '\n', log->n - at);
    *length = end ? (size_t)(end - log->text) - at : log->n - at;
    return at;
}

static bool cuts(char c) { return c == ' ' || c == '\n' || c == ':'; }

/* A random word of a line, or half of a value. */
static size_t some_word(Log *log, size_t *length)
{
    size_t line, all = some_line(log, &line) + below(log, 1), at;
    at = all + below(log, line + 1);
    while (at > all && !cuts(log->text[at - 1])) at--;
    size_t end = at;
    while (end < log->n && !cuts(log->text[end])) end++;
    *length = end - at;
    return at;
}

static uint64_t interesting(Log *log)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       3,
                                       8,
                                       0x3f,
                                       0x40,
                                       0x41,
                                       0xff,
                                       0x100,
                                       0xfff,
                                       0x1000,
                                       0x1001,
                                       0xffff,
                                       0x10000,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x414141414000,
                                       1ull << 36,
                                       1ull << 40,
                                       1ull << 47,
                                       0x7ffffffff000,
                                       1ull << 48,
                                       1ull << 62,
                                       1ull << 63,
                                       UINT64_MAX - 15,
                                       UINT64_MAX,
                                       0x400000,
                                       0x555555554000};
    return numbers[below(log, sizeof numbers / sizeof *numbers)];
}

static uint64_t number_of(const char *text, size_t n, unsigned base)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : 0;
        value = value * base + digit;
    }
    return value;
}

/* A number that stands in the log, is near one, or is often wrong. */
static uint64_t some_number(Log *log)
{
    size_t length, at = some_word(log, &length);
    switch (below(log, 6)) {
    case 0:
    case 1: return interesting(log);
    case 2: return number_of(log->text + at, length, 16) + interesting(log);
    case 3: return number_of(log->text + at, length, 16) - 1 - below(log, 64);
    case 4: return number_of(log->text + at, length, 16) + 1 + below(log, 4096);
    default: return number_of(log->text + at, length, 16);
    }
}

static size_t put_value(Log *log, char *to, size_t room)
{
    int n = 0;
    switch (below(log, 6)) {
    case 0: n = snprintf(to, room, " n:%08" PRIx64, some_number(log) & 0xffffffff); break;
    case 1: n = snprintf(to, room, " p:%" PRIx64, some_number(log)); break;
    case 2: n = snprintf(to, room, " o:%" PRIx64 ":-", some_number(log)); break;
    case 3: n = snprintf(to, room, " b:%016" PRIx64, __builtin_bswap64(some_number(log))); break;
    case 4:
        n = snprintf(to, room, " o:%" PRIx64 ":%016" PRIx64 "%016" PRIx64 "%016" PRIx64,
                     some_number(log), __builtin_bswap64(some_number(log)),
                     __builtin_bswap64(some_number(log)), some_number(log));
        break;
    default: n = snprintf(to, room, " v");
    }
    return (size_t)n;
}

/* A record made up: of every verb, and of every call with as many words as it has letters. */
static size_t make_record(Log *log, char *to, size_t room)
{
    static const char *const verbs[] = {"main",    "in",    "out",    "own",     "push",
                                        "kernel",  "other", "fn",     "end",     "thread",
                                        "release", "copy",  "set",    "acquire", "wrote",
                                        "range",   "pop",   "finish", "begin",   "mark"};
    static size_t calls;
    size_t length, at = some_line(log, &length), n, thread = 0, ns = 0;
    while (replay_calls[calls].name) calls++;
    /* the thread and the time of some line */
    const char *line = log->text + at, *blank = memchr(line, ' ', length);
    if (blank) {
        thread = number_of(line, (size_t)(blank - line), 10);
        const char *second = memchr(blank + 1, ' ', length - (size_t)(blank + 1 - line));
        if (second) ns = number_of(blank + 1, (size_t)(second - blank) - 1, 10);
    }
    if (!below(log, 8)) thread = below(log, 5);
    n = (size_t)snprintf(to, room, "%zu %zu ", thread & 0xffff, ns & 0xffffffffffff);

    if (below(log, 3)) {
        const ReplayCall *call = &replay_calls[below(log, calls)];
        n += (size_t)snprintf(to + n, room - n, "%s %s", call->letters ? "call" : "other",
                              call->name);
        if (call->letters) n += (size_t)snprintf(to + n, room - n, " %zu", below(log, 50));
        for (const char *letter = call->letters; letter && *letter; letter++) {
            uint64_t value = *letter == 'i'   ? below(log, 12)
                             : *letter == 'o' ? below(log, 2)
                             : *letter == 'f' ? below(log, 6)
                                              : some_number(log);
            n += (size_t)snprintf(to + n, room - n, " %" PRIx64, value);
        }
    } else {
        n += (size_t)snprintf(to + n, room - n, "%s",
                              verbs[below(log, sizeof verbs / sizeof *verbs)]);
        for (size_t words = below(log, 5); words; words--) {
            if (below(log, 2)) n += put_value(log, to + n, room - n);
            else n += (size_t)snprintf(to + n, room - n, " %" PRIx64, some_number(log));
        }
    }
    n += (size_t)snprintf(to + n, room - n, "\n");
    return n;
}

static void mutate_once(Log *log)
{
    char held[LINE], digits[32];
    size_t length, n, at = some_line(log, &length), whole = length + (at + length < log->n);
    switch (below(log, 14)) {
    case 0: replace(log, at, whole, "", 0); break;
    case 1: /* a line comes a second time, there or elsewhere */
    case 2:
        if (whole > sizeof held) break;
        memcpy(held, log->text + at, whole);
        n = whole;
        if (below(log, 2)) at = some_line(log, &length);
        replace(log, at, 0, held, n);
        break;
    case 3: /* a line moves */
        if (whole > sizeof held) break;
        memcpy(held, log->text + at, whole);
        n = whole;
        replace(log, at, whole, "", 0);
        if (!log->n) break;
        at = some_line(log, &length);
        replace(log, at, 0, held, n);
        break;
    case 4: /* another thread, another time */
        n = (size_t)snprintf(digits, sizeof digits, "%zu",
                             below(log, 2) ? below(log, 6) : below(log, 2000));
        if (below(log, 4) == 0 && memchr(log->text + at, ' ', length))
            at = (size_t)((char *)memchr(log->text + at, ' ', length) - log->text) + 1;
        for (length = 0; at + length < log->n && !cuts(log->text[at + length]);) length++;
        replace(log, at, length, digits, n);
        break;
    case 5:
    case 6:
    case 7: /* a number becomes another one */
        at = some_word(log, &length);
        n = (size_t)snprintf(digits, sizeof digits, "%" PRIx64, some_number(log));
        replace(log, at, length, digits, n);
        break;
    case 8: /* a word takes another's place */
        at = some_word(log, &length);
        if (length > sizeof held) break;
        memcpy(held, log->text + at, length);
        n = length;
        at = some_word(log, &length);
        replace(log, at, length, held, n);
        break;
    case 9: /* bytes of a value */
        at = some_word(log, &length);
        if (length < 8) break;
        snprintf(digits, sizeof digits, "%016" PRIx64, __builtin_bswap64(some_number(log)));
        n = length < 16 ? length : 16;
        replace(log, at + (below(log, length / 16 + 1) * 16 + n <= length ? below(log, 1) : 0), n,
                digits, n);
        break;
    case 10:
    case 11:
        n = make_record(log, held, sizeof held);
        replace(log, at, 0, held, n);
        break;
    case 12: log->text[below(log, log->n)] ^= (char)(1 << below(log, 8)); break;
    default:
        if (!below(log, 8)) log->n = below(log, log->n) + 1; /* cut off */
    }
}

size_t log_mutate(char *text, size_t n, size_t most, uint64_t *state)
{
    Log log = {text, n, most, state};
    for (size_t rounds = 1 + below(&log, MOST_ROUNDS); rounds && log.n; rounds--) mutate_once(&log);
    return log.n;
}
