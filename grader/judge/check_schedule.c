/* check_schedule.c - the checks that look at when things ran: overlap, order, length, number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/judge/check_context.h"

/* Sharing less than 1% of the shorter interval is touching, not overlapping. */
static bool overlaps(const AnalysisInterval *a, const AnalysisInterval *b)
{
    uint64_t a_ns = a->end_ns - a->start_ns, b_ns = b->end_ns - b->start_ns;
    return analysis_shared_ns(a, b) * 100 > (a_ns < b_ns ? a_ns : b_ns);
}

/* Times of a real device are put on the host's clock, each with an error of its own. */
static uint64_t slack_ns(const Context *c)
{
    enum { SLACK_NS = 2000 };
    return trace_measured(c->trace) ? SLACK_NS : 0;
}

/* A set that is asked often what runs beside an interval. */
typedef struct Busy {
    const AnalysisSet *set;
    uint64_t *reach_ns; /* the latest end up to each item, so that a search can skip what is long
                           over */
} Busy;

static Busy busy_of(const AnalysisSet *set)
{
    Busy busy = {set, memory_get(set->n, sizeof(uint64_t))};
    uint64_t reach = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        if (set->items[i].end_ns > reach) reach = set->items[i].end_ns;
        busy.reach_ns[i] = reach;
    }
    return busy;
}

static bool busy_beside(const Busy *busy, const AnalysisInterval *a)
{
    uint32_t first = 0, high = busy->set->n;
    while (first < high) {
        uint32_t middle = first + (high - first) / 2;
        if (busy->reach_ns[middle] <= a->start_ns) first = middle + 1;
        else high = middle;
    }
    for (uint32_t i = first; i < busy->set->n && busy->set->items[i].start_ns < a->end_ns; i++) {
        const AnalysisInterval *b = &busy->set->items[i];
        if (!(b->what == a->what && b->id == a->id) && overlaps(a, b)) return true;
    }
    return false;
}

/* A mark for each operation that is in the set. */
static bool *marks_of(Context *c, const AnalysisSet *set)
{
    bool *marks = memory_get((size_t)c->trace->n_ops + 1, sizeof *marks);
    for (uint32_t i = 0; i < set->n; i++) {
        if (set->items[i].what == ANALYSIS_OP) marks[set->items[i].id] = true;
    }
    return marks;
}

static const TraceCause *decisive(Context *c, const AnalysisInterval *interval)
{
    return interval->what == ANALYSIS_OP ? analysis_decisive_cause(c->trace, interval->id) : NULL;
}

/* Which of the lonely intervals to explain: best one that waited for something of the other set,
 * else one that waited at all, else the second, since the first has nothing to run beside. */
static const AnalysisInterval *worth_explaining(Context *c, const AnalysisSet *a, const Busy *b)
{
    const AnalysisInterval *best = NULL;
    int best_rank = -1;
    bool *in_b = marks_of(c, b->set);
    for (uint32_t i = 0; i < a->n && best_rank < 3; i++) {
        const AnalysisInterval *interval = &a->items[i];
        if (busy_beside(b, interval)) continue;
        int rank = i > 0;
        const TraceCause *cause = decisive(c, interval);
        if (cause) rank = cause->by_op <= c->trace->n_ops && in_b[cause->by_op] ? 3 : 2;
        if (rank > best_rank) best = interval, best_rank = rank;
    }
    free(in_b);
    return best;
}

static void add_sentence(Text *text, const char *sentence)
{
    if (!*sentence) return;
    if (text->length) text_add(text, " ");
    text_add(text, sentence);
    char last = sentence[strlen(sentence) - 1];
    if (last != '.' && last != '!' && last != '?') text_add(text, ".");
}

static void add_why(Context *c, const AnalysisInterval *interval)
{
    char words[PHRASE];
    if (interval && interval->what == ANALYSIS_OP)
        add_sentence(&c->cause, say_why(c, interval->id, words));
}

/* Work of the host's begins when its thread comes to it: where that stood before. */
static void add_stood(Context *c, const AnalysisInterval *range)
{
    if (range->what != ANALYSIS_RANGE) return;
    AnalysisSet *waits = context_set(c, "wait", false);
    const AnalysisInterval *last = NULL;
    for (uint32_t i = 0; waits && i < waits->n; i++) {
        const AnalysisInterval *one = &waits->items[i];
        if (one->end_ns <= range->start_ns && one->end_ns > one->start_ns &&
            c->trace->ranges[range->id].thread == c->trace->calls[one->id].thread &&
            (!last || one->end_ns > last->end_ns))
            last = one;
    }
    char call[PHRASE], length[PHRASE];
    if (last)
        text_printf(&c->cause, " Just before, the host stood in %s for %s.",
                    say_interval(c, last, call),
                    say_time(c, last->end_ns - last->start_ns, length));
    analysis_set_free(waits);
}

/* The key `bytes`: those of b that run beside an a are not only some crumbs. */
static bool moves_enough(Context *c, const AnalysisSet *a, const AnalysisSet *b)
{
    const char *text = check_key(c->check, "bytes");
    double wanted, moved = 0;
    if (!text) return true;
    if (!context_number(c, text, &wanted)) return false;
    Busy busy = busy_of(a);
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->items[i].what == ANALYSIS_OP && busy_beside(&busy, &b->items[i]))
            moved += (double)c->trace->ops[b->items[i].id].bytes;
    }
    free(busy.reach_ns);
    if (moved >= wanted) return true;
    char one[PHRASE], words[PHRASE];
    text_printf(&c->cause, "What ran beside %s moved only %.0f bytes of %s; %.0f should.",
                say_one(check_key(c->check, "a"), one), moved,
                say_set(check_key(c->check, "b"), b->n, words), wanted);
    return false;
}

/* The key `exactly`: nothing was done twice to have something to run beside. */
static bool as_many(Context *c, const AnalysisSet *a)
{
    const char *text = check_key(c->check, "exactly");
    double wanted;
    char words[PHRASE];
    if (!text) return true;
    if (!context_number(c, text, &wanted)) return false;
    if (a->n == wanted) return true;
    text_printf(&c->cause, "There %s %s; there should be exactly %.0f.", a->n == 1 ? "is" : "are",
                say_set(check_key(c->check, "a"), a->n, words), wanted);
    return false;
}

bool judge_overlap(Context *c)
{
    const char *a_text = check_key(c->check, "a"), *b_text = check_key(c->check, "b"),
               *least = check_key(c->check, "least");
    AnalysisSet *b = context_set(c, b_text, true);
    AnalysisSet *a = b ? context_set(c, a_text, true) : NULL;
    bool passes = false;
    double wanted = 1;
    if (a && least && !strcmp(least, "all")) wanted = a->n;
    else if (a && least && !context_number(c, least, &wanted)) wanted = -1;
    if (a && wanted >= 0) {
        Busy busy = busy_of(b);
        uint32_t beside = 0;
        for (uint32_t i = 0; i < a->n; i++) beside += busy_beside(&busy, &a->items[i]);
        passes = beside >= wanted;
        if (!passes) {
            char a_words[PHRASE], b_words[PHRASE], one[PHRASE], from[PHRASE], to[PHRASE];
            const AnalysisInterval *alone = worth_explaining(c, a, &busy);
            char **list = list_split(a_text, ',', NULL);
            if (list[1]) snprintf(a_words, sizeof a_words, "%u of these: %.300s", a->n, a_text);
            else say_set(a_text, a->n, a_words);
            list_free(list);
            say_one(b_text, b_words);
            if (!beside)
                text_printf(&c->cause, "Of %s, none ran at the same time as %s.", a_words, b_words);
            else
                text_printf(&c->cause, "Only %u of %s ran beside %s; %.0f should.", beside, a_words,
                            b_words, wanted);
            if (alone) {
                say_interval(c, alone, one);
                text_printf(&c->cause, " %s ran from %s to %s, alone.", one,
                            say_moment(c, alone->start_ns, from), say_moment(c, alone->end_ns, to));
                add_why(c, alone);
                add_stood(c, alone);
            }
        }
        free(busy.reach_ns);
    }
    if (passes) passes = as_many(c, a) && moves_enough(c, a, b);
    analysis_set_free(a);
    analysis_set_free(b);
    return passes;
}

/* A moment at which a set begins (+1) or ends (-1) being busy with one more interval. */
typedef struct Edge {
    uint64_t ns;
    size_t set;
    int step;
} Edge;

static int by_time(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    return x->ns != y->ns ? (x->ns < y->ns ? -1 : 1) : x->step - y->step; /* ends before beginnings
                                                                           */
}

/* The largest number of sets that are busy at one instant. */
static size_t most_at_once(AnalysisSet *const *sets, size_t n)
{
    size_t n_edges = 0, most = 0, now = 0, total = 0;
    for (size_t i = 0; i < n; i++) total += sets[i]->n;
    Edge *edges = memory_get(2 * total, sizeof *edges);
    uint32_t *busy = memory_get(n, sizeof *busy);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < sets[i]->n; k++) {
            if (sets[i]->items[k].end_ns == sets[i]->items[k].start_ns) continue;
            edges[n_edges++] = (Edge){sets[i]->items[k].start_ns, i, 1};
            edges[n_edges++] = (Edge){sets[i]->items[k].end_ns, i, -1};
        }
    }
    if (n_edges) qsort(edges, n_edges, sizeof *edges, by_time);
    for (size_t i = 0; i < n_edges; i++) {
        uint32_t *count = &busy[edges[i].set];
        if (edges[i].step > 0) now += (*count)++ == 0;
        else now -= --*count == 0;
        if (now > most) most = now;
    }
    free(edges);
    free(busy);
    return most;
}

/* The part that all selectors name, or NULL. */
static const char *common_range(char *const *selectors)
{
    const char *range = strchr(selectors[0], '@');
    for (size_t i = 1; range && selectors[i]; i++) {
        const char *other = strchr(selectors[i], '@');
        if (!other || strcmp(other, range) != 0) return NULL;
    }
    return range ? range + 1 : NULL;
}

/* "an H2D copy, a kernel and a D2H copy inside `p`" */
static void add_sets(Text *text, char *const *selectors)
{
    const char *range = common_range(selectors);
    char words[PHRASE];
    for (size_t i = 0; selectors[i]; i++) {
        size_t length = range ? strcspn(selectors[i], "@") : strlen(selectors[i]);
        char *selector = memory_format("%.*s", (int)length, selectors[i]);
        text_printf(text, "%s%s",
                    i == 0             ? ""
                    : selectors[i + 1] ? ", "
                                       : " and ",
                    say_one(selector, words));
        free(selector);
    }
    if (range) text_printf(text, " inside `%s`", range);
}

bool judge_together(Context *c)
{
    size_t n;
    char **selectors = list_split(check_key(c->check, "select"), ',', &n);
    AnalysisSet **sets = memory_get(n, sizeof *sets);
    bool passes = true;
    for (size_t i = 0; i < n && passes; i++)
        passes = (sets[i] = context_set(c, selectors[i], true)) != NULL;
    if (passes) passes = analysis_together_ns((const AnalysisSet *const *)sets, n, NULL) > 0;
    if (!passes && !c->broken && !c->cause.length) {
        text_add(&c->cause, "At no moment are ");
        add_sets(&c->cause, selectors);
        text_printf(&c->cause, " busy at once; the most is %zu of %zu.", most_at_once(sets, n), n);
        /* the first operation of the first stage, after its first, that had to wait for another
         * stage */
        const AnalysisInterval *chosen = NULL;
        for (size_t i = 0; i < n && !chosen; i++) {
            bool *own = marks_of(c, sets[i]);
            for (uint32_t k = 1; k < sets[i]->n && !chosen; k++) {
                const AnalysisInterval *interval = &sets[i]->items[k];
                const TraceCause *cause = interval->what == ANALYSIS_OP
                                              ? analysis_decisive_cause(c->trace, interval->id)
                                              : NULL;
                if (cause && !(cause->by_op <= c->trace->n_ops && own[cause->by_op]))
                    chosen = interval;
            }
            free(own);
        }
        add_why(c, chosen ? chosen : sets[0]->n > 1 ? &sets[0]->items[1] : NULL);
    }
    for (size_t i = 0; i < n; i++) analysis_set_free(sets[i]);
    free(sets);
    list_free(selectors);
    return passes && context_carries(c);
}

static void say_streams(Context *c, const AnalysisInterval *a, const AnalysisInterval *b)
{
    char one[PHRASE], other[PHRASE];
    if (a->what != ANALYSIS_OP || b->what != ANALYSIS_OP) return;
    const TraceOp *x = &c->trace->ops[a->id], *y = &c->trace->ops[b->id];
    if (x->stream == y->stream) return;
    text_printf(&c->cause,
                " They are in different streams (%s and %s), and nothing orders these two.",
                say_stream(c, x->stream, one), say_stream(c, y->stream, other));
}

static void say_too_early(Context *c, const AnalysisInterval *a, const AnalysisInterval *b)
{
    char one[PHRASE], other[PHRASE], start[PHRASE], end[PHRASE];
    say_interval(c, b, other);
    say_interval(c, a, one);
    text_printf(&c->cause, "%s began at %s, but %s ended only at %s.", one,
                say_moment(c, a->start_ns, start), other, say_moment(c, b->end_ns, end));
    say_streams(c, a, b);
}

bool judge_after(Context *c)
{
    const char *a_text = check_key(c->check, "a"), *b_text = check_key(c->check, "b"),
               *pair = check_key(c->check, "pair");
    AnalysisSet *b = context_set(c, b_text, true);
    const char *b_within = c->within;
    AnalysisSet *a = b ? context_set(c, a_text, true) : NULL;
    if (!strchr(a_text, '@')) c->within = b_within;
    bool passes = a != NULL;
    if (a && pair && !strcmp(pair, "all")) {
        const AnalysisInterval *last = &b->items[0];
        for (uint32_t i = 1; i < b->n; i++) {
            if (b->items[i].end_ns > last->end_ns) last = &b->items[i];
        }
        for (uint32_t i = 0; i < a->n && passes; i++) {
            if (a->items[i].start_ns + slack_ns(c) >= last->end_ns) continue;
            say_too_early(c, &a->items[i], last);
            passes = false;
        }
    } else if (a) {
        set_by_end(b); /* a is by start: so a right program passes in whatever order it issued its
                          work */
        for (uint32_t i = 0; i < a->n && i < b->n && passes; i++) {
            if (a->items[i].start_ns + slack_ns(c) >= b->items[i].end_ns) continue;
            say_too_early(c, &a->items[i], &b->items[i]);
            passes = false;
        }
        if (passes && a->n > b->n) {
            char a_words[PHRASE], b_words[PHRASE];
            text_printf(&c->cause, "There are %s, but only %s to come after.",
                        say_set(a_text, a->n, a_words), say_set(b_text, b->n, b_words));
            passes = false;
        }
    }
    analysis_set_free(a);
    analysis_set_free(b);
    return passes;
}

/* When the host asked for it. */
static uint64_t issued(Context *c, const AnalysisInterval *interval)
{
    if (interval->what != ANALYSIS_OP) return interval->start_ns;
    const TraceOp *op = &c->trace->ops[interval->id];
    return op->call && op->call <= c->trace->n_calls ? c->trace->calls[op->call].start_ns
                                                     : op->issued_ns;
}

bool judge_ahead(Context *c)
{
    AnalysisSet *b = context_set(c, check_key(c->check, "b"), true);
    AnalysisSet *a = b ? context_set(c, check_key(c->check, "a"), true) : NULL;
    bool passes = a != NULL;
    if (a) set_by_end(b);
    for (uint32_t i = 0; passes && i < a->n; i++) {
        const AnalysisInterval *last = &b->items[b->n - 1];
        char one[PHRASE], other[PHRASE], at[PHRASE], end[PHRASE];
        if (issued(c, &a->items[i]) < last->end_ns) continue;
        say_interval(c, last, other);
        say_interval(c, &a->items[i], one);
        text_printf(
            &c->cause,
            "The host asked for %s only at %s, when %s had ended (%s): it waited in between.", one,
            say_moment(c, issued(c, &a->items[i]), at), other, say_moment(c, last->end_ns, end));
        add_why(c, &a->items[i]);
        passes = false;
    }
    analysis_set_free(a);
    analysis_set_free(b);
    return passes;
}

/* The latest before items[i] in its stream; NULL: none. */
static const AnalysisInterval *before_in_stream(const Context *c, const AnalysisSet *set,
                                                uint32_t i)
{
    const AnalysisInterval *before = NULL;
    for (uint32_t k = 0; k < set->n; k++) {
        uint32_t id = set->items[k].id;
        if (id < set->items[i].id && (!before || id > before->id) &&
            c->trace->ops[id].stream == c->trace->ops[set->items[i].id].stream)
            before = &set->items[k];
    }
    return before;
}

bool judge_early(Context *c)
{
    const char *text = check_key(c->check, "select");
    AnalysisSet *set = context_set(c, text, true);
    bool passes = set != NULL;
    uint32_t pairs = 0;
    char one[PHRASE], other[PHRASE], at[PHRASE], end[PHRASE];
    for (uint32_t i = 0; passes && i < set->n; i++) {
        const AnalysisInterval *it = &set->items[i];
        const AnalysisInterval *before =
            it->what == ANALYSIS_OP ? before_in_stream(c, set, i) : NULL;
        if (!before) continue;
        pairs++;
        if (it->start_ns + (before->end_ns - before->start_ns) / 100 < before->end_ns) continue;
        say_interval(c, it, one); /* first: moments count from where its picture begins */
        say_interval(c, before, other);
        text_printf(
            &c->cause,
            "%s began only at %s, when %s had ended (%s): they were never at work together.", one,
            say_moment(c, it->start_ns, at), other, say_moment(c, before->end_ns, end));
        add_why(c, it);
        passes = false;
    }
    if (passes && !pairs) {
        text_printf(&c->cause, "No two of %s are in one stream, one behind the other.",
                    say_set(text, set->n, one));
        passes = false;
    }
    analysis_set_free(set);
    return passes;
}

bool judge_caused(Context *c)
{
    const char *cause = check_key(c->check, "cause");
    AnalysisSet *a = context_set(c, check_key(c->check, "a"), true);
    bool passes = a != NULL, first_only = check_key(c->check, "which") != NULL;
    for (uint32_t i = 0; passes && i < (first_only ? 1 : a->n); i++) {
        if (a->items[i].what != ANALYSIS_OP) continue;
        const TraceOp *op = &c->trace->ops[a->items[i].id];
        bool waited = false, found = false;
        for (uint32_t k = 0; k < op->n_causes; k++) {
            const char *kind = trace_cause_word[c->trace->causes[op->first_cause + k].kind];
            found = found || !strcmp(kind, cause);
            waited = waited || strcmp(kind, "latency") != 0;
        }
        if (found || !waited) continue;
        char one[PHRASE];
        text_printf(&c->cause, "%s should have waited because of: %s.",
                    say_op(c, a->items[i].id, one), cause);
        add_why(c, &a->items[i]);
        passes = false;
    }
    analysis_set_free(a);
    return passes;
}

/* Keeps the calls that were made between those which asked for the first and for the last of these
 * operations. By their order, since calls may take no time. */
static bool keep_between(Context *c, AnalysisSet *set, const char *selector)
{
    AnalysisSet *ops = context_set(c, selector, false);
    if (!ops) return false;
    uint32_t first = UINT32_MAX, last = 0, kept = 0;
    for (uint32_t i = 0; i < ops->n; i++) {
        uint32_t call =
            ops->items[i].what == ANALYSIS_OP ? c->trace->ops[ops->items[i].id].call : 0;
        if (call && call < first) first = call;
        if (call > last) last = call;
    }
    for (uint32_t i = 0; i < set->n; i++) {
        const AnalysisInterval *one = &set->items[i];
        if (one->what != ANALYSIS_CALL || (one->id > first && one->id < last))
            set->items[kept++] = *one;
    }
    set->n = kept;
    analysis_set_free(ops);
    return true;
}

bool judge_none(Context *c)
{
    const char *select = check_key(c->check, "select"), *between = check_key(c->check, "between");
    AnalysisSet *set = context_set(c, select, false);
    if (set && between && !keep_between(c, set, between)) {
        analysis_set_free(set);
        return false;
    }
    bool passes = set && set->n == 0;
    if (set && !passes) {
        char one[PHRASE], at[PHRASE];
        const AnalysisInterval *first = &set->items[0];
        text_printf(&c->cause, "%s must not be here", say_interval(c, first, one));
        text_printf(&c->cause, " (at %s", say_moment(c, first->start_ns, at));
        if (first->end_ns > first->start_ns && first->what == ANALYSIS_CALL) {
            text_printf(&c->cause, ", and the host stood still for %s",
                        say_time(c, first->end_ns - first->start_ns, at));
        }
        text_add(&c->cause, ")");
        if (set->n > 1)
            text_printf(&c->cause, "; there %s %u more like it", set->n == 2 ? "is" : "are",
                        set->n - 1);
        text_add(&c->cause, ".");
    }
    analysis_set_free(set);
    return passes;
}

bool judge_count(Context *c)
{
    const char *select = check_key(c->check, "select");
    AnalysisSet *set = context_set(c, select, false);
    char wanted[PHRASE] = "", words[PHRASE], one[PHRASE];
    bool passes = set && context_compare(c, set->n, 0, wanted);
    c->absent = !passes && !check_key(c->check, "most");
    if (set && !passes && !c->broken && wanted[0]) {
        char **list = list_split(select, ',', NULL);
        text_printf(&c->cause, "There %s %s; there should be %s.", set->n == 1 ? "is" : "are",
                    list[1] ? "" : say_set(select, set->n, words), wanted);
        if (list[1]) {
            text_clear(&c->cause);
            text_printf(&c->cause, "There are %u of these: %s; there should be %s.", set->n, select,
                        wanted);
        }
        if (set->n)
            text_printf(&c->cause, " The last is %s.",
                        say_interval(c, &set->items[set->n - 1], one));
        /* what is missing may be what a call that failed should have done */
        const char *range = strchr(select, '@');
        if (range && !list[1] && strncmp(select, "call", 4) != 0 &&
            say_failed_call_in(c, range + 1, words))
            text_printf(&c->cause, " The first call that failed there: %s.", words);
        list_free(list);
    }
    analysis_set_free(set);
    return passes;
}

/* "H2D copy inside `task`"; of a list "From first to last, H2D copies and kernels inside `task`".
 */
static void say_all(Context *c, const char *select)
{
    size_t n;
    char words[PHRASE], **parts = list_split(select, ',', &n);
    if (n == 1) text_add(&c->cause, say_set(parts[0], -1, words));
    for (size_t i = 0; n > 1 && i < n; i++) {
        const char *range = strchr(parts[i], '@'), *last = strchr(parts[n - 1], '@');
        text_add(&c->cause, i == 0 ? "From first to last, " : i + 1 < n ? ", " : " and ");
        say_set(parts[i], 2, words);
        char *inside = strstr(words, " inside `");
        if (i + 1 < n && range && last && inside && !strcmp(range, last)) *inside = 0;
        text_add(&c->cause, words + strlen("2 "));
    }
    list_free(parts);
}

/* Where times are not exact: a device that is not the textbook's starts nothing without delay, and
 * copies of a real one slow each other: by a tenth where they are as small as a model of one has
 * them here. */
static double length_tolerance(const Context *c)
{
    return trace_exact(c->trace) ? 0.01 : trace_measured(c->trace) ? 0.25 : 0.15;
}

/* A length against the check's numbers; with `zero` or `record` it is a score, which beyond par
 * earns what is left on the way to `zero`. */
static bool compare_length(Context *c, uint64_t ns, char wanted[PHRASE])
{
    double got = (double)ns / (double)trace_unit_ns(c->trace), zero;
    const char *par = check_key(c->check, "most"), *none = check_key(c->check, "zero"),
               *record = check_key(c->check, "record");
    bool passes = context_compare(c, got, length_tolerance(c), wanted);
    if ((!none && !record) || !wanted[0]) return passes;

    c->score = (CheckScore){.known = true, .got = got};
    if (!context_number(c, par, &c->score.par)) return false;
    if (record && !context_number(c, record, &c->score.record)) return false;
    if (none && !context_number(c, none, &zero)) return false;
    if (none && got > c->score.par && got < zero)
        c->share = (int)(999 * (zero - got) / (zero - c->score.par));

    return passes;
}

/* One operation that lasts longer than all of them should: it is to blame, whoever waited. */
static bool add_too_long(Context *c, const AnalysisSet *set)
{
    const char *most = check_key(c->check, "most"), *is = check_key(c->check, "is");
    const AnalysisInterval *longest = NULL;
    uint64_t longest_ns = 0;
    double wanted;
    char one[PHRASE], lasted[PHRASE];
    for (uint32_t i = 0; i < set->n; i++) {
        uint64_t ns = set->items[i].end_ns - set->items[i].start_ns;
        if (set->items[i].what == ANALYSIS_OP && ns > longest_ns)
            longest = &set->items[i], longest_ns = ns;
    }
    if (!longest || (!most && !is) || !context_number(c, is ? is : most, &wanted) ||
        (double)longest_ns <= wanted * (double)trace_unit_ns(c->trace))
        return false;

    text_printf(&c->cause, " %s alone lasts %s.", say_interval(c, longest, one),
                say_time(c, longest_ns, lasted));
    if (!c->explained) c->op = longest->id;
    return true;
}

bool judge_makespan(Context *c)
{
    const char *select = check_key(c->check, "select"), *range = check_key(c->check, "range");
    char *selector = select ? memory_copy(select) : memory_format("work@%s", range);
    AnalysisSet *set = context_set(c, selector, true);
    if (set) c->within = strchr(selector, '@') ? strchr(selector, '@') + 1 : NULL;
    bool passes = false;
    if (set) {
        uint64_t ns = analysis_set_span_ns(set);
        char wanted[PHRASE] = "", took[PHRASE];
        passes = compare_length(c, ns, wanted);
        if (!passes && wanted[0]) {
            if (select) say_all(c, select);
            else text_printf(&c->cause, "`%s`", range);
            text_printf(&c->cause, " took %s; it should be %s.", say_time(c, ns, took), wanted);
            /* whoever waited longest has the most to tell; but that in a stream things are in order
             * is what everybody knows, and the last of a stream always waits longest */
            const AnalysisInterval *longest = NULL;
            uint64_t longest_ns = 0;
            bool longest_tells = false;
            for (uint32_t i = 0; i < set->n; i++) {
                const TraceCause *cause = set->items[i].what == ANALYSIS_OP
                                              ? analysis_decisive_cause(c->trace, set->items[i].id)
                                              : NULL;
                if (!cause) continue;
                const TraceOp *op = &c->trace->ops[set->items[i].id];
                uint64_t waited =
                    op->start_ns - (op->issued_ns < set->items[0].start_ns ? set->items[0].start_ns
                                                                           : op->issued_ns);
                bool tells = cause->kind != TRACE_BY_STREAM;
                if (op->start_ns <= op->issued_ns || tells < longest_tells) continue;
                if (tells > longest_tells || waited > longest_ns)
                    longest = &set->items[i], longest_ns = waited, longest_tells = tells;
            }
            if (!longest && set->n > 1) longest = &set->items[1];
            if (!add_too_long(c, set)) add_why(c, longest);
        }
    }
    analysis_set_free(set);
    free(selector);
    return passes && context_carries(c);
}

bool judge_longest(Context *c)
{
    AnalysisSet *set = context_set(c, check_key(c->check, "select"), true);
    if (!set) return false;

    const AnalysisInterval *longest = &set->items[0];
    for (uint32_t i = 1; i < set->n; i++) {
        const AnalysisInterval *one = &set->items[i];
        if (one->end_ns - one->start_ns > longest->end_ns - longest->start_ns) longest = one;
    }
    uint64_t ns = longest->end_ns - longest->start_ns;
    char wanted[PHRASE] = "", one[PHRASE], from[PHRASE], to[PHRASE], lasted[PHRASE];
    bool passes = compare_length(c, ns, wanted);
    if (!passes && wanted[0]) {
        say_from(c, longest->start_ns);
        text_printf(&c->cause, "%s lasted %s, from %s to %s; it should be %s.",
                    say_interval(c, longest, one), say_time(c, ns, lasted),
                    say_moment(c, longest->start_ns, from), say_moment(c, longest->end_ns, to),
                    wanted);
        add_why(c, longest);
    }
    analysis_set_free(set);
    return passes;
}

/* The one that ends the longest time in which none of the set was running; NULL: there was always
 * one. */
static const AnalysisInterval *after_longest_gap(const AnalysisSet *set, uint64_t *gap_ns)
{
    const AnalysisInterval *after = NULL;
    uint64_t end_ns = set->n ? set->items[0].end_ns : 0;
    *gap_ns = 0;
    for (uint32_t i = 1; i < set->n; i++) {
        const AnalysisInterval *next = &set->items[i];
        if (next->start_ns > end_ns && next->start_ns - end_ns > *gap_ns) {
            *gap_ns = next->start_ns - end_ns;
            after = next;
        }
        if (next->end_ns > end_ns) end_ns = next->end_ns;
    }
    return after;
}

bool judge_busy(Context *c)
{
    const char *select = check_key(c->check, "select");
    AnalysisSet *set = context_set(c, select, true);
    if (!set) return false;

    uint64_t span_ns = analysis_set_span_ns(set), gap_ns;
    double part = span_ns ? (double)analysis_set_busy_ns(set) / (double)span_ns : 1;
    char wanted[PHRASE] = "", words[PHRASE], one[PHRASE], length[PHRASE];
    bool passes = context_compare(c, part, length_tolerance(c), wanted);
    if (!passes && wanted[0]) {
        const AnalysisInterval *after = after_longest_gap(set, &gap_ns);
        text_printf(&c->cause,
                    "%s run for %.2f of the time from the first to the last; it should be %s.",
                    say_set(select, -1, words), part, wanted);
        if (after)
            text_printf(&c->cause, " Longest idle: %s before %s.", say_time(c, gap_ns, length),
                        say_interval(c, after, one));
        add_why(c, after);
    }
    analysis_set_free(set);
    return passes;
}

bool judge_chain(Context *c)
{
    size_t n;
    char **selectors = list_split(check_key(c->check, "select"), ',', &n);
    AnalysisSet **sets = memory_get(n, sizeof *sets);
    bool passes = true;
    for (size_t i = 0; i < n && passes; i++) {
        passes = (sets[i] = context_set(c, selectors[i], true)) != NULL;
        if (passes) set_by_issue(sets[i]);
    }
    for (size_t i = 1; i < n && passes; i++) {
        char one[PHRASE], other[PHRASE], first[PHRASE], second[PHRASE];
        if (sets[i]->n != sets[0]->n) {
            text_printf(&c->cause, "There %s %s, but %s: they do not make chains.",
                        sets[0]->n == 1 ? "is" : "are", say_set(selectors[0], sets[0]->n, one),
                        say_set(selectors[i], sets[i]->n, other));
            passes = false;
        }
        for (uint32_t k = 0; passes && k < sets[i]->n; k++) {
            const AnalysisInterval *before = &sets[i - 1]->items[k], *after = &sets[i]->items[k];
            if (before->what != ANALYSIS_OP || after->what != ANALYSIS_OP) continue;
            uint32_t from = c->trace->ops[before->id].stream, to = c->trace->ops[after->id].stream;
            if (from == to && before->id < after->id) continue;
            passes = false;
            say_op(c, before->id, one);
            say_op(c, after->id, other);
            if (from != to)
                text_printf(&c->cause, "%s is in %s, but %s, which comes after it, is in %s.", one,
                            say_stream(c, from, first), other, say_stream(c, to, second));
            else
                text_printf(&c->cause, "%s was issued before %s; it has to come after it.", other,
                            one);
        }
    }
    for (size_t i = 0; i < n; i++) analysis_set_free(sets[i]);
    free(sets);
    list_free(selectors);
    return passes;
}
