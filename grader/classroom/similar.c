/* similar.c - see similar.h. */
#include "grader/classroom/similar.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"
#include "common/text.h"

enum {
    RUN_EXACT = 8,
    RUN_RENAMED = 14,
    LEAST_EXACT = 10,
    LEAST_RENAMED = 20,
    NEAR_EXACT = 60,
    NEAR_RENAMED = 80,
    MOST_WORDS = 20000,
    MOST_PARTS = 6
};

typedef struct Word {
    uint64_t exact, renamed;
    uint32_t line;
} Word;
typedef struct Mark {
    uint64_t hash;
    uint32_t source, line, end;
} Mark; /* a run, and the lines it stands on */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Names that are not the student's own choice stay what they are when all others become the
 * same. */
static bool is_fixed(const char *at, size_t length)
{
    static const char *const words[] = {"for",    "if",     "while",  "do",   "else",   "return",
                                        "int",    "float",  "double", "void", "size_t", "const",
                                        "static", "struct", "sizeof", "char", "bool",   "unsigned"};
    if (length > 4 && !strncmp(at, "cuda", 4)) return true;
    if (length > 2 && !strncmp(at, "cu", 2) && isupper((unsigned char)at[2])) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !strncmp(words[i], at, length)) return true;
    return false;
}

static size_t split(const SimilarSource *source, Word *words)
{
    const char *at = source->text, *end = at + source->length;
    size_t n = 0;
    uint32_t line = 1;
    bool comment = false, to_line_end = false;
    while (at < end && n < MOST_WORDS) {
        if (*at == '\n') line++, to_line_end = false;
        if (isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        if (comment && end - at > 1 && at[0] == '*' && at[1] == '/') {
            comment = false;
            at += 2;
            continue;
        }
        if (!comment && !to_line_end && end - at > 1 && at[0] == '/' &&
            (at[1] == '*' || at[1] == '/')) {
            comment = at[1] == '*';
            to_line_end = !comment;
            at += 2;
            continue;
        }
        const char *start = at++;
        if (is_name(*start))
            while (at < end && is_name(*at)) at++;
        else if (comment || to_line_end) continue; /* of comments, the words */
        size_t length = (size_t)(at - start);
        bool name = is_name(*start) && !isdigit((unsigned char)*start) && !is_fixed(start, length);
        bool said = comment || to_line_end;
        words[n++] = (Word){hash_bytes(start, length),
                            said   ? 0
                            : name ? 1
                                   : hash_bytes(start, length),
                            line};
    }
    return n;
}

static int by_hash(const void *a, const void *b)
{
    const Mark *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

typedef struct Marks {
    Mark *items;
    size_t n, room;
} Marks;

static void mark(Marks *marks, Mark item)
{
    if (marks->n == marks->room) {
        marks->room = marks->room ? 2 * marks->room : 4096;
        marks->items = memory_grow(marks->items, marks->room, sizeof *marks->items);
    }
    marks->items[marks->n++] = item;
}

static void mark_runs(Marks *marks, const Word *words, size_t n, uint32_t source, bool renamed)
{
    Word *row = memory_get(n ? n : 1, sizeof *row);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!renamed || words[i].renamed) row[kept++] = words[i];
    size_t length = renamed ? RUN_RENAMED : RUN_EXACT;
    for (size_t i = 0; i + length <= kept; i++) {
        uint64_t hash = 7;
        for (size_t k = 0; k < length; k++)
            hash = hash_mix(hash, renamed ? row[i + k].renamed : row[i + k].exact);
        mark(marks, (Mark){hash, source, row[i].line, row[i + length - 1].line});
    }
    free(row);
}

/* Calls found(a, b) for every two marks of different sources that share a rare run; counts the rare
 * runs of each. */
typedef struct Pairs {
    SimilarPair *items;
    size_t n;
} Pairs;
typedef struct Shared {
    uint32_t a, b, line_a, end_a, line_b, end_b;
} Shared;

static int by_pair(const void *p, const void *q)
{
    const Shared *x = p, *y = q;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    if (x->line_a != y->line_a) return x->line_a < y->line_a ? -1 : 1;
    return x->line_b < y->line_b ? -1 : x->line_b > y->line_b;
}

/* Runs that follow one another in both become one part. */
static char *say_parts(const Shared *shared, size_t n)
{
    Text text = {0};
    int parts = 0;
    for (size_t i = 0; i < n;) {
        Shared part = shared[i];
        size_t k = i + 1;
        while (k < n && shared[k].line_a <= part.end_a + 1 && shared[k].line_b >= part.line_b &&
               shared[k].line_b <= part.end_b + 1) {
            if (shared[k].end_a > part.end_a) part.end_a = shared[k].end_a;
            if (shared[k].end_b > part.end_b) part.end_b = shared[k].end_b;
            k++;
        }
        if (++parts <= MOST_PARTS)
            text_printf(&text, "%slines %u-%u are lines %u-%u", parts > 1 ? "; " : "", part.line_a,
                        part.end_a, part.line_b, part.end_b);
        i = k;
    }
    if (parts > MOST_PARTS) text_printf(&text, "; %d more", parts - MOST_PARTS);
    return text_take(&text);
}

static void find(Pairs *pairs, Marks *marks, const SimilarSource *sources, size_t n, bool renamed)
{
    size_t own = 0;
    for (size_t i = 0; i < n; i++) own += !sources[i].background;
    size_t most = own / 50 > 3 ? own / 50 : 3; /* a run that more than these have is common */
    uint32_t *rare = memory_get(n, sizeof *rare);
    Shared *shared = NULL;
    size_t n_shared = 0, room = 0;
    qsort(marks->items, marks->n, sizeof *marks->items, by_hash);
    for (size_t i = 0; i < marks->n;) {
        size_t end = i, different = 0;
        bool given = false;
        for (; end < marks->n && marks->items[end].hash == marks->items[i].hash; end++) {
            given |= sources[marks->items[end].source].background;
            different += end == i || marks->items[end].source != marks->items[end - 1].source;
        }
        if (!given && different <= most) {
            for (size_t k = i; k < end; k++) {
                if (k > i && marks->items[k].source == marks->items[k - 1].source) continue;
                rare[marks->items[k].source]++;
                for (size_t m = k + 1; m < end; m++) {
                    const Mark *x = &marks->items[k], *y = &marks->items[m];
                    if (y->source == marks->items[m - 1].source)
                        continue; /* the same run again in one source */
                    if (n_shared == room) {
                        room = room ? 2 * room : 4096;
                        shared = memory_grow(shared, room, sizeof *shared);
                    }
                    shared[n_shared++] =
                        (Shared){x->source, y->source, x->line, x->end, y->line, y->end};
                }
            }
        }
        i = end;
    }
    if (n_shared) qsort(shared, n_shared, sizeof *shared, by_pair);
    for (size_t i = 0; i < n_shared;) {
        size_t end = i;
        while (end < n_shared && shared[end].a == shared[i].a && shared[end].b == shared[i].b)
            end++;
        uint32_t a = shared[i].a, b = shared[i].b, fewer = rare[a] < rare[b] ? rare[a] : rare[b];
        int percent = fewer ? (int)(100 * (end - i) / fewer) : 0;
        bool known = false;
        for (size_t k = 0; k < pairs->n && !known; k++)
            known = pairs->items[k].a == a && pairs->items[k].b == b;
        if (!known && end - i >= (renamed ? LEAST_RENAMED : LEAST_EXACT) &&
            percent >= (renamed ? NEAR_RENAMED : NEAR_EXACT)) {
            if ((pairs->n & (pairs->n + 1)) == 0)
                pairs->items = memory_grow(pairs->items, 2 * (pairs->n + 1), sizeof *pairs->items);
            pairs->items[pairs->n++] = (SimilarPair){a, b, percent > 100 ? 100 : percent, renamed,
                                                     say_parts(shared + i, end - i)};
        }
        i = end;
    }
    free(shared);
    free(rare);
}

static int by_percent(const void *a, const void *b)
{
    const SimilarPair *x = a, *y = b;
    if (x->percent != y->percent) return y->percent - x->percent;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

SimilarPair *similar_find(const SimilarSource *sources, size_t n, size_t *n_pairs)
{
    Pairs pairs = {0};
    Word *words = memory_get(MOST_WORDS, sizeof *words);
    for (int renamed = 0; renamed < 2; renamed++) {
        Marks marks = {0};
        for (size_t i = 0; i < n; i++) {
            size_t many = split(&sources[i], words);
            mark_runs(&marks, words, many, (uint32_t)i, renamed);
        }
        find(&pairs, &marks, sources, n, renamed);
        free(marks.items);
    }
    free(words);
    if (pairs.n) qsort(pairs.items, pairs.n, sizeof *pairs.items, by_percent);
    *n_pairs = pairs.n;
    return pairs.items;
}

void similar_free(SimilarPair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) free(pairs[i].parts);
    free(pairs);
}
