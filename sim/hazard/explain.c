/* explain.c - why nothing orders a pair, and the one edge that would. */
#include "sim/hazard/hazard_internal.h"
#include <stdio.h>
#include <string.h>

static bool is_thread(const PairSide *s)
{
    return s->role == TOUCH_HOST || s->role == TOUCH_HOST_FREE;
}

/* "line 12", or "file.cu:12" when that is another file than the reader looks at. */
static const char *line_of(TraceSite site, const PairSide *near, char *text, size_t size)
{
    const char *base = site.file ? strrchr(site.file, '/') : NULL;
    if (!site.file) snprintf(text, size, "an unknown line");
    else if (near->site.file && strcmp(near->site.file, site.file) == 0)
        snprintf(text, size, "line %u", site.line);
    else snprintf(text, size, "%s:%u", base ? base + 1 : site.file, site.line);
    return text;
}

/* Where it was issued: a host function's own line is where it touches something. */
static const char *issued_at(const PairSide *s, const char *stand_in, char *text, size_t size)
{
    const char *base = s->issued.file ? strrchr(s->issued.file, '/') : NULL;
    if (!s->issued.file) return stand_in;
    snprintf(text, size, "%s:%u", base ? base + 1 : s->issued.file, s->issued.line);
    return text;
}

static const Mark *record_of(uint64_t seq)
{
    for (uint32_t i = hazard_n_marks; i-- > 0;)
        if (hazard_marks[i].kind == MARK_RECORD && hazard_marks[i].seq == seq)
            return &hazard_marks[i];
    return NULL;
}

/* A wait that does not order what it seems to: says why. who: "{stream 2}" or "the host". */
static bool explain_wait(const Mark *wait, const PairSide *first, const PairSide *second,
                         const char *who, char *why, size_t size)
{
    char at[160], recorded[160];
    if (!second->site.file) second = first; /* of host code it is known only later */
    line_of(wait->site, second, at, sizeof at);
    if (!wait->record_seq) {
        for (uint32_t i = 0; i < hazard_n_marks; i++) {
            const Mark *m = &hazard_marks[i];
            if (m->kind != MARK_RECORD || m->event != wait->event || m->seq < wait->seq) continue;
            snprintf(why, size,
                     "%s waits for an event at %s that is recorded only afterwards, at %s: at the "
                     "call it "
                     "stood for nothing",
                     who, at, line_of(m->site, second, recorded, sizeof recorded));
            return true;
        }
        snprintf(why, size,
                 "%s waits for an event at %s that was never recorded, so it waits for nothing",
                 who, at);
        return true;
    }
    const Mark *record = record_of(wait->record_seq);
    if (!record) return false;
    line_of(record->site, second, recorded, sizeof recorded);
    if (record->stream == first->stream && record->seq < first->seq) {
        snprintf(why, size,
                 "%s waits for an event at %s that was last recorded at %s, before {1} was issued",
                 who, at, recorded);
        return true;
    }
    for (uint32_t i = 0; i < hazard_n_marks; i++) { /* recorded rightly, and then again */
        const Mark *m = &hazard_marks[i];
        char once[160];
        if (m->kind != MARK_RECORD || m->event != wait->event || m->stream != first->stream ||
            m->seq < first->seq || m->seq >= record->seq)
            continue;
        snprintf(why, size,
                 "the event that %s waits for at %s was recorded after {1} at %s, but once more at "
                 "%s in "
                 "{stream %u}, which replaced that",
                 who, at, line_of(m->site, second, once, sizeof once), recorded, record->stream);
        return true;
    }
    if (record->stream == first->stream) return false;
    snprintf(why, size,
             "%s waits for an event at %s that was recorded at %s in {stream %u}, not in {stream "
             "%u}, where "
             "{1} is",
             who, at, recorded, record->stream, first->stream);
    return true;
}

static void why_streams(const PairSide *a, const PairSide *b, char *why, size_t size)
{
    char who[40], at[160];
    snprintf(who, sizeof who, "{stream %u}", b->stream);
    for (uint32_t i = hazard_n_marks; i-- > 0;) {
        const Mark *m = &hazard_marks[i];
        if (m->kind == MARK_WAIT && m->stream == b->stream && m->seq < b->seq &&
            (m->seq > a->seq || m->record_seq > 0 || true) &&
            explain_wait(m, a, b, who, why, size) &&
            (m->seq > a->seq || m->record_seq == 0 || m->record_stream == a->stream))
            return;
    }
    for (uint32_t i = 0; i < hazard_n_marks; i++) {
        const Mark *m = &hazard_marks[i];
        if (m->kind != MARK_WAIT || m->stream != b->stream || m->seq < b->seq ||
            m->record_stream != a->stream)
            continue;
        snprintf(why, size,
                 "{stream %u} waits for an event of {stream %u} only at %s, after {2} was issued",
                 b->stream, a->stream, line_of(m->site, b, at, sizeof at));
        return;
    }
    if (a->role == TOUCH_HOST_FUNCTION && b->role == TOUCH_HOST_FUNCTION) {
        snprintf(why, size,
                 "they are in different streams: that host functions happen to run one at a time "
                 "does not "
                 "order them");
        return;
    }
    TraceStreamFlavour x = hazard_flavour(a->stream), y = hazard_flavour(b->stream);
    if ((x == TRACE_STREAM_LEGACY && y == TRACE_STREAM_NONBLOCKING) ||
        (y == TRACE_STREAM_LEGACY && x == TRACE_STREAM_NONBLOCKING)) {
        uint32_t other = x == TRACE_STREAM_LEGACY ? b->stream : a->stream;
        snprintf(why, size, "{stream %u} was made with %s: the default stream does not order it",
                 other,
                 hazard_by_driver(other) ? "CU_STREAM_NON_BLOCKING" : "cudaStreamNonBlocking");
        return;
    }
    for (uint32_t i = 0; i < hazard_n_marks; i++) {
        const Mark *m = &hazard_marks[i];
        if (m->kind != MARK_RECORD || m->stream != a->stream || m->seq < a->seq) continue;
        snprintf(
            why, size,
            "an event is recorded after {1} at %s, but {stream %u} does not wait for it before {2}",
            line_of(m->site, b, at, sizeof at), b->stream);
        return;
    }
    snprintf(why, size,
             "they are in different streams, and {stream %u} waits for no event of {stream %u}",
             b->stream, a->stream);
}

static void why_host(const PairSide *a, const PairSide *b, char *why, size_t size)
{
    char at[160];
    for (uint32_t i = hazard_n_marks; i-- > 0;) {
        const Mark *m = &hazard_marks[i];
        if (m->seq < a->seq || m->seq > b->seq || m->thread != b->thread) continue;
        if (m->kind == MARK_SYNC_EVENT && explain_wait(m, a, b, "the host", why, size)) return;
        if (m->kind == MARK_SYNC_STREAM && m->stream != a->stream) {
            snprintf(why, size,
                     "the host waited for {stream %u} at %s, not for {stream %u}, where {1} is",
                     m->stream, line_of(m->site, a, at, sizeof at), a->stream);
            return;
        }
    }
    snprintf(why, size,
             "{1} is asynchronous: the call at %s returns before it is done, and the host has not "
             "waited for "
             "{stream %u} since",
             issued_at(a, "{line1}", at, sizeof at), a->stream);
}

/* A record that is there already and stands for the first side until the second comes. */
static const Mark *record_between(const PairSide *a, const PairSide *b)
{
    for (uint32_t i = 0; i < hazard_n_marks; i++) {
        const Mark *m = &hazard_marks[i];
        bool replaced = false;
        if (m->kind != MARK_RECORD || m->stream != a->stream || m->seq < a->seq || m->seq > b->seq)
            continue;
        for (uint32_t k = i + 1; k < hazard_n_marks && !replaced; k++)
            replaced = hazard_marks[k].kind == MARK_RECORD && hazard_marks[k].event == m->event &&
                       hazard_marks[k].seq < b->seq;
        if (!replaced) return m;
    }
    return NULL;
}

/* What is said of a pair: why nothing orders the two, and what would. */
typedef struct Words {
    char *why, *fix;
    size_t why_size, fix_size;
} Words;

static void about_freed(const PairSide *a, const PairSide *b, bool ordered, const Words *w)
{
    snprintf(w->why, w->why_size,
             "the memory is freed in {stream %u} by the call at {line1}, and {2} was issued "
             "afterwards%s",
             a->stream, ordered ? " and comes after it" : "");
    snprintf(w->fix, w->fix_size,
             "call cudaFreeAsync after {line2}, in {stream %u} or in a stream that waits for it",
             b->stream);
}

/* One side is a kernel that raises a flag without a fence, and the other reads that. */
static bool about_fence(const PairSide *a, const PairSide *b, const Words *w)
{
    for (int turn = 0; turn < 2; turn++) {
        const PairSide *writer = turn ? b : a, *reader = turn ? a : b;
        if (is_thread(writer) ||
            !hazard_unfenced_flag(writer->op, is_thread(reader) ? 0 : reader->op))
            continue;
        const char *fence = is_thread(reader) ? "__threadfence_system()" : "__threadfence()",
                   *who = turn ? "{2}" : "{1}";
        snprintf(w->why, w->why_size,
                 "%s raises a flag that %s reads, but makes no fence before it: what it wrote may "
                 "be seen later than the flag",
                 who,
                 is_thread(reader) ? "the host"
                 : turn            ? "{1}"
                                   : "{2}");
        snprintf(w->fix, w->fix_size,
                 "put %s in the kernel of %s, after what it writes and before it raises the flag",
                 fence, who);
        return true;
    }
    return false;
}

static void about_threads(const Words *w)
{
    snprintf(w->why, w->why_size, "they are in different host threads, and nothing orders these");
    snprintf(w->fix, w->fix_size,
             "hold the same mutex at {line1} and at {line2}, or let one thread wait for the other");
}

static void about_other_thread(const char *line2, const Words *w)
{
    snprintf(w->why, w->why_size,
             "{2} was issued by another host thread, which does not wait for this one");
    snprintf(w->fix, w->fix_size,
             "let the thread that issues {2} at %s wait until the other is past {line1} (a mutex, "
             "a condition, a join)",
             line2);
}

static void about_host(const PairSide *a, const PairSide *b, const char *line1, const Words *w)
{
    char at[160];
    const Mark *there = record_between(a, b);
    const char *wait = hazard_by_driver(a->stream) ? "cuEventSynchronize" : "cudaEventSynchronize";
    why_host(a, b, w->why, w->why_size);
    if (there)
        snprintf(w->fix, w->fix_size,
                 "wait for the event that is recorded at %s with %s before {line2}",
                 line_of(there->site, a, at, sizeof at), wait);
    else
        snprintf(w->fix, w->fix_size,
                 "record an event in {stream %u} after %s and wait for it with %s before {line2}",
                 a->stream, line1, wait);
}

static void about_nodes(const PairSide *b, const Words *w)
{
    if (b->early != EARLY_NOT || b->beside_early) {
        snprintf(w->why, w->why_size,
                 "they are nodes of one graph, and no edge of it leads from the end of {1} to {2}, "
                 "nor any chain of edges: a programmatic one orders only what its kernel does "
                 "after cudaGridDependencySynchronize(), and what comes after that kernel");
        snprintf(w->fix, w->fix_size,
                 "where a programmatic edge is on the way from {1} to {2}, call "
                 "cudaGridDependencySynchronize() in the kernel that it leads to; where there is "
                 "no way, add an edge (in a capture: an event behind {line1} that the stream of "
                 "{2} waits for)");
        return;
    }
    snprintf(w->why, w->why_size,
             "they are nodes of one graph, and no edge of it leads from {1} to {2}, nor any chain "
             "of edges");
    snprintf(w->fix, w->fix_size,
             "in the capture, record an event behind {line1} in its stream and make the stream of "
             "{2} wait for it before {line2}; in a graph made by hand, add the edge with "
             "cudaGraphAddDependencies");
}

static void about_streams(const PairSide *a, const PairSide *b, const char *line1,
                          const char *line2, const Words *w)
{
    char at[160];
    const Mark *there = record_between(a, b);
    why_streams(a, b, w->why, w->why_size);
    if (there)
        snprintf(w->fix, w->fix_size,
                 "make {stream %u} wait for the event that is recorded at %s before %s", b->stream,
                 line_of(there->site, b, at, sizeof at), line2);
    else
        snprintf(w->fix, w->fix_size,
                 "record an event in {stream %u} after %s and make {stream %u} wait for it "
                 "before %s",
                 a->stream, line1, b->stream, line2);
}

static bool is_early_of(const PairSide *b, uint32_t op)
{
    for (int i = 0; i < EARLY_MOST; i++)
        if (op && b->early_of[i] == op) return true;
    return false;
}

/* The second is a dependent launch: in the stream of the first, behind an event of its trigger, or
 * behind it in a graph. */
static void about_early(const PairSide *a, const PairSide *b, const Words *w)
{
    const char *began =
                   "{2} need not wait for the end of {1} (its launch allows programmatic stream "
                   "serialization)",
               *edge = "the edge from {1} to {2} in the graph is programmatic, so that {2} need "
                       "not wait for the end of {1}",
               *event =
                   "{2} waits for an event that stands for the trigger of {1}, not for its end",
               *nothing =
                   "that {1} has triggered only lets {2} begin, and publishes nothing, fence "
                   "or not";
    if (is_early_of(b, a->op)) began = b->launch && a->launch == b->launch ? edge : event;
    switch (b->early) {
    case EARLY_BEFORE_WAIT:
        snprintf(w->why, w->why_size,
                 "%s, and touches the memory before its cudaGridDependencySynchronize(): %s", began,
                 nothing);
        snprintf(w->fix, w->fix_size,
                 "move cudaGridDependencySynchronize() in the kernel of {2} before that access");
        break;
    case EARLY_AFTER_WAIT:
        snprintf(
            w->why, w->why_size,
            "{2} waits for the kernel right before it only, and that one, or one between, need "
            "not have waited for {1}: it did not call cudaGridDependencySynchronize()");
        snprintf(w->fix, w->fix_size,
                 "call cudaGridDependencySynchronize() in every kernel between {1} and {2}");
        break;
    case EARLY_NOT:
    case EARLY_NEVER_WAITS:
        snprintf(w->why, w->why_size, "%s, and does not call cudaGridDependencySynchronize(): %s",
                 began, nothing);
        snprintf(w->fix, w->fix_size,
                 "call cudaGridDependencySynchronize() in the kernel of {2} before it touches the "
                 "memory");
    }
}

/* Ordered by what CUDA does today and does not promise. */
static void why_not_guaranteed(const PairSide *a, const PairSide *b, char *why, size_t size)
{
    const char *words = "{1} was over only because a call happened to wait (a copy of pageable "
                        "memory, cudaFree); CUDA does not promise that it does";
    if (b->role == TOUCH_HOST_FREE)
        words = "cudaFree happens to wait until {1} is over; CUDA does not promise that it does";
    else if (a->atomic || b->atomic)
        words = "a copy changes what somebody polls: that works, and CUDA does not promise it";
    snprintf(why, size, "%s", words);
}

void explain_pair(const Pair *pair, char *why, size_t why_size, char *fix, size_t fix_size)
{
    const PairSide *a = &pair->first, *b = &pair->second;
    const Words w = {why, fix, why_size, fix_size};
    char from[160], to[160];
    const char *line1 = issued_at(a, "{line1}", from, sizeof from),
               *line2 = issued_at(b, "{line2}", to, sizeof to);
    why[0] = fix[0] = 0;

    if (pair->what == HAZARD_USE_AFTER_FREE && a->role == TOUCH_FREE) {
        about_freed(a, b, pair->ordered, &w);
        return;
    }
    if (about_fence(a, b, &w)) return;
    if (is_thread(a)) {
        if (is_thread(b)) about_threads(&w);
        else about_other_thread(line2, &w);
        return;
    }
    if (is_thread(b)) about_host(a, b, line1, &w);
    else if (b->early != EARLY_NOT &&
             (is_early_of(b, a->op) || (a->stream == b->stream && !b->launch)))
        about_early(a, b, &w);
    else if (a->launch && a->launch == b->launch) about_nodes(b, &w);
    else about_streams(a, b, line1, line2, &w);
    if (pair->what == HAZARD_NOT_GUARANTEED) why_not_guaranteed(a, b, why, why_size);
}
