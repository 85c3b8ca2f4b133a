/* calibration.c - see calibration.h. */
#include "gpu/calibration.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "timeline/trace/analysis.h"

#define MIB ((uint64_t)1 << 20)
enum { MOST = 4096 }; /* measurements of one thing */

typedef struct Work {
    Calibration *c;
    const CalibrationInput *in;
    const Trace *t;
    char missing[120]; /* the first thing that was not there */
} Work;

static double missing(Work *w, const char *what, const char *name)
{
    if (!w->missing[0]) snprintf(w->missing, sizeof w->missing, "%s \"%s\"", what, name);
    return 0;
}

static void remark(Work *w, const char *section, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void remark(Work *w, const char *section, const char *key, const char *format, ...)
{
    Calibration *c = w->c;
    va_list list;
    if (c->n_remarks == CALIBRATION_REMARKS) return;
    snprintf(c->remarks[c->n_remarks].section, sizeof c->remarks[0].section, "%s", section);
    snprintf(c->remarks[c->n_remarks].key, sizeof c->remarks[0].key, "%s", key);
    va_start(list, format);
    vsnprintf(c->remarks[c->n_remarks++].text, sizeof c->remarks[0].text, format, list);
    va_end(list);
}

static void odd(Work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void odd(Work *w, const char *format, ...)
{
    va_list list;
    if (w->c->n_odd == 4) return;
    va_start(list, format);
    vsnprintf(w->c->odd[w->c->n_odd++], sizeof w->c->odd[0], format, list);
    va_end(list);
}

const char *calibration_remark(void *user, const char *section, const char *key)
{
    const Calibration *c = user;
    for (int i = 0; i < c->n_remarks; i++)
        if (!strcmp(c->remarks[i].section, section) && !strcmp(c->remarks[i].key, key ? key : ""))
            return c->remarks[i].text;
    return NULL;
}

/* ---- key = value ---- */

static bool value_in(const char *text, const char *key, double *value)
{
    size_t length = strlen(key);
    for (const char *line = text; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (!strncmp(line, key, length) && !strncmp(line + length, " = ", 3)) {
            char *end;
            *value = strtod(line + length + 3, &end);
            return end != line + length + 3;
        }
    return false;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median_of(double *values, int n)
{
    if (!n) return 0;
    qsort(values, (size_t)n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Of several processes the fastest: a machine that does something else beside makes some slower,
 * none faster. */
static double of_runs(Work *w, const char *const *texts, int n, const char *key)
{
    double values[CALIBRATION_RUNS];
    int found = 0;
    for (int i = 0; i < n; i++)
        if (value_in(texts[i], key, &values[found])) found++;
    qsort(values, (size_t)found, sizeof *values, by_value);
    return found ? values[0] : missing(w, "the measurement", key);
}
/* 0 where an earlier probe did not ask for it. */
static double of_runs_if_any(Work *w, const char *const *texts, int n, const char *key)
{
    double ignored;
    for (int i = 0; i < n; i++)
        if (value_in(texts[i], key, &ignored)) return of_runs(w, texts, n, key);
    return 0;
}
/* What happens once in a process: of several the one in the middle, 0 where nobody asked. */
static double once_in_each(const char *const *texts, int n, const char *key)
{
    double values[CALIBRATION_RUNS];
    int found = 0;
    for (int i = 0; i < n; i++)
        if (value_in(texts[i], key, &values[found])) found++;
    return median_of(values, found);
}
static double cost(Work *w, const char *key)
{
    return of_runs(w, w->in->costs, w->in->n_costs, key);
}
static double cost_if_any(Work *w, const char *key)
{
    return of_runs_if_any(w, w->in->costs, w->in->n_costs, key);
}
static double property(Work *w, const char *key)
{
    double value;
    return value_in(w->in->properties, key, &value) ? value : missing(w, "the property", key);
}

static uint64_t whole(double value) { return value > 0 ? (uint64_t)(value + 0.5) : 0; }
/* Three digits are what a measurement of this kind is good for. */
static uint64_t ns(double value)
{
    uint64_t n = whole(value), step = 1;
    while (n / step >= 1000) step *= 10;
    return step > 1 ? (n + step / 2) / step * step : n;
}
static double rate(double value) { return (double)whole(value * 100) / 100; }

/* ---- the trace ---- */

/* The next op of the range that is work; 0 at its end. begin with at 0. */
static uint32_t next_op(Work *w, const char *range, uint32_t at)
{
    uint32_t id = analysis_range(w->t, range);
    if (!id) return missing(w, "the range", range), 0;
    for (at++; at <= w->t->n_ops; at++) {
        const TraceOp *op = &w->t->ops[at];
        if (trace_in_range(w->t, id, at) && trace_op_is_work(op) && op->start_ns != TRACE_OPEN_NS &&
            op->end_ns != TRACE_OPEN_NS && op->end_ns >= op->start_ns)
            return at;
    }
    return 0;
}

static double length(const TraceOp *op) { return (double)(op->end_ns - op->start_ns); }
static const TraceCall *call_of(const Work *w, const TraceOp *op) { return &w->t->calls[op->call]; }

typedef struct Fit {
    double bytes_per_ns, fixed_ns;
} Fit;

/* Time = fixed + bytes / rate through the median time of each size, the relative errors' squares
 * least; from `least` bytes on. The sizes of a range come one after another, and the first copy of
 * each is warm-up. */
typedef double Time(const Work *, const TraceOp *);
static double own_length(const Work *w, const TraceOp *op)
{
    (void)w;
    return length(op);
}
static double until_return(const Work *w, const TraceOp *op)
{
    const Model *m = &w->c->model;
    uint64_t piece = op->bytes < m->staging_chunk_bytes ? op->bytes : m->staging_chunk_bytes;
    const TraceCall *call = call_of(w, op);
    return call->end_ns == TRACE_OPEN_NS ? 0
                                         : (double)call->end_ns - (double)op->start_ns -
                                               (double)model_copy_ns(m, TRACE_D2H, false, piece);
}
static Fit fit(Work *w, const char *range, uint64_t least, Time *time)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, times[64];
    uint64_t bytes = 0;
    int n = 0, n_sizes = 0;
    for (uint32_t i = next_op(w, range, 0);; i = next_op(w, range, i)) {
        const TraceOp *op = &w->t->ops[i]; /* 0: the blank one, of no bytes */
        if (i && op->bytes == bytes) {
            if (n < 64 && time(w, op) > 0) times[n++] = time(w, op);
            continue;
        }
        if (n && bytes >= least) {
            double t = median_of(times, n), x = (double)bytes;
            a += 1 / (t * t), b += x / (t * t), c += x * x / (t * t), d += 1 / t, e += x / t;
            n_sizes++;
        }
        n = 0;
        bytes = op->bytes;
        if (!i) break;
    }
    double divisor = a * c - b * b;
    if (n_sizes < 2 || divisor <= 0)
        return missing(w, "enough copies in the range", range), (Fit){1, 0};
    double fixed = (d * c - b * e) / divisor, slope = (a * e - b * d) / divisor;
    if (fixed < 0) fixed = 0, slope = e / c;
    if (slope <= 0) return missing(w, "sensible times in the range", range), (Fit){1, 0};
    return (Fit){1 / slope, fixed};
}

static void set_path(Work *w, const char *name, ModelCopy *path, const char *range, uint64_t least)
{
    char key[40];
    Fit found = fit(w, range, least, own_length);
    *path = (ModelCopy){.bytes_per_ns = rate(found.bytes_per_ns), .fixed_ns = ns(found.fixed_ns)};
    snprintf(key, sizeof key, "%s_bytes_per_ns", name);
    remark(w, "copies", key, "measured: a line through the median times of all sizes from %llu KiB",
           (unsigned long long)(least / 1024));
}

/* Inside the device, and between two: the small ones say what is fixed, the large ones, which no
 * cache holds, the rate. */
static void set_inside(Work *w, const char *name, ModelCopy *path, const char *range,
                       const char *why_large)
{
    double fixed[64], rates[64];
    char key[40];
    int n_fixed = 0, n = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; (i = next_op(w, range, i));) {
        const TraceOp *op = &w->t->ops[i];
        if (op->bytes != bytes) bytes = op->bytes; /* the first of its size is warm-up */
        else if (bytes <= 256 * 1024 && n_fixed < 64) fixed[n_fixed++] = length(op);
    }
    path->fixed_ns = n_fixed ? ns(median_of(fixed, n_fixed))
                             : (uint64_t)missing(w, "small copies in the range", range);
    for (uint32_t i = 0; (i = next_op(w, range, i));) {
        const TraceOp *op = &w->t->ops[i];
        double rest = length(op) - (double)path->fixed_ns;
        if (op->bytes >= 64 * MIB && rest > 0 && n < 64) rates[n++] = (double)op->bytes / rest;
    }
    path->bytes_per_ns =
        n ? rate(median_of(rates, n)) : missing(w, "large copies in the range", range);
    snprintf(key, sizeof key, "%s_bytes_per_ns", name);
    remark(w, "copies", key, "measured: from 64 MiB%s; fixed: up to 256 KiB", why_large);
}

/* The median of the gaps that `take` accepts between neighbours of a range (in order of issue, or
 * by start), both in the device's hands before the first had ended. */
typedef bool Take(const Work *, const TraceOp *a, const TraceOp *b);
static double gap(Work *w, const char *range, Take *take, const char *what, int *n_found)
{
    static double values[MOST];
    int n = 0;
    uint32_t before = 0;
    for (uint32_t i = 0; (i = next_op(w, range, i)); before = i) {
        if (!before) continue;
        const TraceOp *a = &w->t->ops[before], *b = &w->t->ops[i];
        if (b->start_ns < a->end_ns || !take(w, a, b)) continue;
        bool device = a->kind != TRACE_HOSTFN && b->kind != TRACE_HOSTFN;
        if (device && call_of(w, b)->end_ns != TRACE_OPEN_NS && call_of(w, b)->end_ns > a->end_ns)
            continue;
        if (n < MOST) values[n++] = (double)(b->start_ns - a->end_ns);
    }
    if (n_found) *n_found = n;
    return n ? median_of(values, n) : missing(w, "gaps", what);
}

static bool is_copy(const TraceOp *op) { return op->kind == TRACE_H2D || op->kind == TRACE_D2H; }
static bool is_compute(const TraceOp *op)
{
    return op->kind == TRACE_KERNEL || op->kind == TRACE_MEMSET || op->kind == TRACE_D2D;
}
static bool kernels(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return is_compute(a) && is_compute(b);
}
static bool in_graph(const Work *w, const TraceOp *a, const TraceOp *b)
{
    return kernels(w, a, b) && a->launch && a->launch == b->launch;
}
static bool graph_graph(const Work *w, const TraceOp *a, const TraceOp *b)
{
    return kernels(w, a, b) && a->launch && b->launch && a->launch != b->launch;
}
static bool kernel_copy(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return is_compute(a) && is_copy(b);
}
static bool copy_kernel(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return is_copy(a) && is_compute(b);
}
static bool copy_copy(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return is_copy(a) && a->kind == b->kind && a->stream == b->stream;
}
static bool copy_turn(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return is_copy(a) && is_copy(b) && a->kind != b->kind;
}
static bool other_stream(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return a->stream != b->stream;
}
static bool to_function(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return a->kind == TRACE_KERNEL && b->kind == TRACE_HOSTFN;
}
static bool from_function(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return a->kind == TRACE_HOSTFN && b->kind == TRACE_KERNEL;
}
static bool functions(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return a->kind == TRACE_HOSTFN && b->kind == TRACE_HOSTFN;
}

/* On one engine, with nothing beside it: from a copy to one of another stream that was ready
 * before. */
static double turn(Work *w)
{
    double values[256];
    uint32_t ids[256];
    int n = 0, found = 0;
    for (uint32_t i = 0; (i = next_op(w, "engine", i)) && n < 256; n++) {
        int k = n; /* in order of start */
        for (; k > 0 && w->t->ops[ids[k - 1]].start_ns > w->t->ops[i].start_ns; k--)
            ids[k] = ids[k - 1];
        ids[k] = i;
    }
    for (int i = 1; i < n; i++) {
        const TraceOp *a = &w->t->ops[ids[i - 1]], *b = &w->t->ops[ids[i]];
        if (a->kind != b->kind || a->stream == b->stream || b->start_ns < a->end_ns) continue;
        if (call_of(w, b)->end_ns == TRACE_OPEN_NS || call_of(w, b)->end_ns > a->end_ns) continue;
        values[found++] = (double)(b->start_ns - a->end_ns);
    }
    return found ? median_of(values, found)
                 : missing(w, "copies in two streams in the range", "engine");
}

/* From a copy to the next of its direction while one of the other direction runs. */
static double beside(Work *w, TraceOpKind kind)
{
    double values[256];
    int n = 0;
    uint32_t before = 0;
    for (uint32_t i = 0; (i = next_op(w, "both ways", i));) {
        const TraceOp *b = &w->t->ops[i], *a = &w->t->ops[before];
        if (b->kind != kind) continue;
        for (uint32_t k = 0;
             before && n < 256 && b->start_ns >= a->end_ns && (k = next_op(w, "both ways", k));) {
            const TraceOp *other = &w->t->ops[k];
            if (other->kind == kind || other->start_ns > a->end_ns || other->end_ns < b->start_ns)
                continue;
            values[n++] = (double)(b->start_ns - a->end_ns);
            break;
        }
        before = i;
    }
    return n ? median_of(values, n) : missing(w, "copies in both directions", "both ways");
}

/* How much of its rate a copy keeps beside one of the other direction: from each copy that is
 * beside others for more than half its time, given how long it lasts alone. */
static double duplex(Work *w, TraceOpKind kind, const ModelCopy *alone, double *fixed_ns)
{
    double values[256], extra[256], factor;
    int n = 0, n_extra = 0;
    for (uint32_t i = 0; (i = next_op(w, "both ways", i));) {
        const TraceOp *op = &w->t->ops[i];
        double beside = 0, lone = (double)alone->fixed_ns + (double)op->bytes / alone->bytes_per_ns;
        if (op->kind != kind) continue;
        for (uint32_t k = 0; (k = next_op(w, "both ways", k));) {
            const TraceOp *other = &w->t->ops[k];
            uint64_t from = op->start_ns > other->start_ns ? op->start_ns : other->start_ns;
            uint64_t to = op->end_ns < other->end_ns ? op->end_ns : other->end_ns;
            if (other->kind != kind && to > from) beside += (double)(to - from);
        }
        if (beside < length(op) / 2 || n == 256 || op->bytes < 32 * MIB) continue;
        double kept = (lone - (length(op) - beside)) / beside;
        if (kept > 0) values[n++] = kept < 1 ? kept : 1;
    }
    factor = n ? median_of(values, n) : (missing(w, "copies in both directions", "both ways"), 1);
    /* what is left in the smaller ones, for the most part beside another, is the same whatever the
     * size */
    for (uint32_t i = 0; (i = next_op(w, "both ways", i)) && n_extra < 256;) {
        const TraceOp *op = &w->t->ops[i];
        double lone = (double)alone->fixed_ns + (double)op->bytes / alone->bytes_per_ns;
        if (op->kind == kind && op->bytes < 32 * MIB) extra[n_extra++] = length(op) - lone / factor;
    }
    *fixed_ns = n_extra ? median_of(extra, n_extra) : 0;
    return factor;
}

/* Copies and sets that need no staging, alone and beside each other. */
static void straight_copies(Work *w)
{
    Model *m = &w->c->model;
    set_path(w, "h2d", &m->h2d, "h2d", 65536);
    set_path(w, "d2h", &m->d2h, "d2h", 65536);
    Fit other = fit(w, "h2d registered", MIB, own_length);
    remark(w, "copies", "h2d_fixed_ns",
           "registered memory: %.2f bytes a nanosecond, treated as pinned", other.bytes_per_ns);
    m->h2h = (ModelCopy){.bytes_per_ns = rate(64.0 * (double)MIB / (cost(w, "h2h_64_mib") + 1)),
                         .fixed_ns = 0};
    remark(w, "copies", "h2h_bytes_per_ns",
           "measured: cudaMemcpy of 64 MiB from host to host memory");
    set_inside(w, "d2d", &m->d2d, "d2d", ", more than the L2 holds");
    set_inside(w, "memset", &m->memset_, "memset", ", more than the L2 holds");
    double fixed_in, fixed_out;
    m->duplex_factor = (double)whole(1000 * duplex(w, TRACE_H2D, &m->h2d, &fixed_in)) / 1000;
    m->duplex_factor_d2h = (double)whole(1000 * duplex(w, TRACE_D2H, &m->d2h, &fixed_out)) / 1000;
    m->duplex_fixed_h2d = ns(fixed_in);
    m->duplex_fixed_d2h = ns(fixed_out);
    remark(w, "copies", "duplex_fixed_h2d_ns",
           "measured: what a copy that begins beside one of the other direction "
           "takes more, whatever its size");
    remark(w, "copies", "duplex_factor_h2d",
           "measured: what is left of the rate beside copies of the other direction");
}

/* Up to which size pageable memory is put aside while the call goes on. */
static void put_aside_limit(Work *w)
{
    uint64_t staged = 0;
    bool blocked = false;
    for (uint64_t bytes = 64 * 1024; bytes <= 16 * MIB && !blocked; bytes *= 2) {
        char key[40];
        double took;
        snprintf(key, sizeof key, "staged_%llu", (unsigned long long)bytes);
        if (w->in->n_costs && value_in(w->in->costs[0], key, &took) && took >= 0) staged = bytes;
        else blocked = true;
    }
    w->c->model.staged_bytes = staged;
    remark(w, "copies", "staged_bytes",
           "measured: up to here cudaMemcpyAsync from pageable memory returned while the "
           "stream was busy");
}

/* What putting aside costs: from the lengths of the calls that returned early. Weighted like the
 * copies. */
static void putting_aside(Work *w)
{
    Model *m = &w->c->model;
    double a = 0, b = 0, c = 0, d = 0, e = 0, issue = (double)m->traced.memcpy_async;
    uint64_t bytes = 0;
    for (uint32_t i = 0; (i = next_op(w, "h2d pageable", i));) {
        const TraceOp *op = &w->t->ops[i];
        const TraceCall *call = call_of(w, op);
        bool first = op->bytes != bytes;
        double took = (double)(call->end_ns - call->start_ns) - issue, x = (double)op->bytes;
        bytes = op->bytes;
        if (first || bytes > m->staged_bytes || call->end_ns == TRACE_OPEN_NS || took <= 0)
            continue;
        a += 1 / (took * took), b += x / (took * took), c += x * x / (took * took), d += 1 / took,
            e += x / took;
    }
    double divisor = a * c - b * b, fixed = divisor > 0 ? (d * c - b * e) / divisor : 0;
    double slope = divisor > 0 ? (a * e - b * d) / divisor : 0;
    if (divisor > 0 && fixed < 0) fixed = 0, slope = e / c;
    if (slope > 0) {
        m->staging_bytes_per_ns = rate(1 / slope);
        m->staging_fixed_ns = ns(fixed);
    } else {
        missing(w, "calls that put memory aside in the range", "h2d pageable");
    }
    remark(w, "copies", "staging_bytes_per_ns",
           "measured: what such a call lasts, by size; the host's caches did not "
           "hold the memory");
    m->staging_chunk_bytes = MIB;
    remark(w, "copies", "staging_chunk_bytes",
           "chosen: measured calls begin their engine's work after about one MiB");
}

/* Larger copies of pageable memory: the host fills piece after piece until the call returns; back,
 * it empties them from the moment on when the engine has brought the first. */
static void pageable_copies(Work *w)
{
    Model *m = &w->c->model;
    static double values[MOST];
    double issue = (double)m->traced.memcpy_async;
    int n = 0;
    for (uint32_t i = 0; (i = next_op(w, "h2d pageable", i));) {
        const TraceOp *op = &w->t->ops[i];
        const TraceCall *call = call_of(w, op);
        double took = (double)(call->end_ns - call->start_ns) - issue;
        if (op->bytes > m->staged_bytes && op->bytes >= 4 * MIB && call->end_ns != TRACE_OPEN_NS &&
            took > 0 && n < MOST)
            values[n++] = (double)op->bytes / took;
    }
    double filled =
        n ? rate(median_of(values, n)) : missing(w, "large copies in the range", "h2d pageable");
    m->h2d_pageable = (ModelCopy){.bytes_per_ns = filled};
    remark(w, "copies", "h2d_pageable_bytes_per_ns",
           "measured: from 4 to 64 MiB, the whole call; the host's caches "
           "did not hold the memory");
    Fit emptied = fit(w, "d2h pageable", 65536, until_return);
    m->d2h_pageable =
        (ModelCopy){.bytes_per_ns = rate(emptied.bytes_per_ns), .fixed_ns = ns(emptied.fixed_ns)};
    remark(w, "copies", "d2h_pageable_bytes_per_ns",
           "measured: a line through the median times of all sizes from 64 KiB, "
           "from the engine's first piece until the call returned");
}

/* ---- between two cards ---- */

static bool has_links(const Work *w) { return analysis_range(w->t, "peer") != 0; }

/* Over the link, and through the host: the latter by the host's clock, since a recording has only
 * the last piece of such a copy. */
static void link_copies(Work *w)
{
    Model *m = &w->c->model;
    if (!has_links(w)) {
        m->p2p = m->h2d;
        remark(w, "copies", "p2p_bytes_per_ns",
               "chosen: without a faster link a peer copy is one over the same bus");
        m->p2p_staged_factor = 1;
        remark(w, "copies", "p2p_staged_factor", "chosen: measured with two cards only");
        return;
    }
    set_inside(w, "p2p", &m->p2p, "peer", ", over the link");
    double small = cost(w, "staged_peer_16_mib"), large = cost(w, "staged_peer_256_mib"),
           both = cost(w, "staged_peer_both_256_mib");
    double rest = large > small ? large - small : missing(w, "sensible times of", "staged_peer");
    m->p2p_staged.bytes_per_ns = rate(240 * (double)MIB / (rest + 1));
    m->p2p_staged_factor = both > large ? (double)whole(1000 * large / both) / 1000 : 1;
    m->devices_measured = 2;
    m->p2p_ports = true;
    remark(w, "copies", "p2p_ports",
           "chosen, for three and more: as four H200s on switches did it, one to the three others "
           "388 GB/s in all, three to one 395");
    remark(w, "copies", "p2p_staged_bytes_per_ns",
           "measured, without access to each other's memory: the host's time for 256 MiB less that "
           "for 16");
    remark(w, "copies", "p2p_staged_factor",
           "measured: what is left of the rate beside such a copy of the other direction");
    remark(w, "model", "devices_measured",
           "what is between two devices was measured with two; with more, every pair is taken to "
           "be like those");
}

static void copies(Work *w)
{
    straight_copies(w);
    link_copies(w);
    put_aside_limit(w);
    putting_aside(w);
    pageable_copies(w);
}

static bool one_peer_copy(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return (a->kind == TRACE_P2P) != (b->kind == TRACE_P2P);
}
static bool two_peer_copies(const Work *w, const TraceOp *a, const TraceOp *b)
{
    (void)w;
    return a->kind == TRACE_P2P && b->kind == TRACE_P2P;
}

static void link_gaps(Work *w)
{
    Model *m = &w->c->model;
    if (!has_links(w)) return;
    m->gap_event_peer = ns(gap(w, "peer event kernel kernel", other_stream, "event", NULL));
    m->gap_p2p_target = ns(gap(w, "peer chain pull", one_peer_copy, "kernel to peer copy", NULL));
    m->gap_p2p_target_next = ns(gap(w, "peer chain pull", two_peer_copies, "peer copies", NULL));
    remark(w, "gaps", "event_peer",
           "from a kernel's end to one in a stream of another device that waited for its event");
    remark(w, "gaps", "p2p_target",
           "before and after a copy in a stream of the device that it goes to, which runs on the "
           "other one; and between two of these");
}

/* Of pairs of kernels: the first triggers after TRIGGERS_NS, the second does nothing but wait for
 * its end. */
static void dependent(Work *w)
{
    enum { TRIGGERS_NS = 40000 };
    static double starts[MOST], ends[MOST];
    const TraceOp *first = NULL;
    int n = 0;
    for (uint32_t i = 0; (i = next_op(w, "dependent", i)) && n < MOST;) {
        const TraceOp *op = &w->t->ops[i];
        if (!first) {
            first = op;
            continue;
        }
        if (op->start_ns > first->start_ns + TRIGGERS_NS && op->end_ns > first->end_ns) {
            starts[n] = (double)(op->start_ns - first->start_ns - TRIGGERS_NS);
            ends[n++] = (double)(op->end_ns - first->end_ns);
        }
        first = NULL;
    }
    if (!n) {
        missing(w, "pairs of kernels", "dependent");
        return;
    }
    w->c->model.gap_trigger = ns(median_of(starts, n));
    w->c->model.gap_depend = ns(median_of(ends, n));
    remark(w, "gaps", "trigger", "from a kernel's trigger to the start of one that waited for it");
    remark(w, "gaps", "depend",
           "from a kernel's end to the return of cudaGridDependencySynchronize in the one that "
           "waited for it");
}

/* By the clock of the device, and by what lies between two kernels of a graph there. */
static void conditions(Work *w)
{
    Model *m = &w->c->model;
    double none = cost_if_any(w, "condition_none"), node = (double)m->gap_graph_node;
    if (!none || !node) return;
    m->gap_graph_condition = ns(cost_if_any(w, "condition_enter") - none + node);
    m->gap_graph_again = ns(cost_if_any(w, "condition_again") - none + node);
    m->gap_graph_after = ns(cost_if_any(w, "condition_after") - none);
    remark(w, "gaps", "graph_condition",
           "of a conditional node: until it has decided; until it has decided again, of a loop; "
           "from the end of what it ran to what comes behind it (besides graph_node)");
}

/* From a call to the start of its work on an idle device, and from the end of work to the return of
 * who waits for it. */
static void idle_gaps(Work *w)
{
    Model *m = &w->c->model;
    static double values[MOST], returns[MOST];
    int n = 0, n_returns = 0;
    for (uint32_t i = 0; (i = next_op(w, "wait", i));) {
        const TraceOp *op = &w->t->ops[i];
        const TraceCall *own = call_of(w, op);
        bool sync = !strcmp(own->name, "cudaMemcpy");
        uint32_t call = op->call + 1;
        while (!sync && call <= w->t->n_calls && !strstr(w->t->calls[call].name, "Synchronize"))
            call++;
        const TraceCall *wait = sync ? own : call <= w->t->n_calls ? &w->t->calls[call] : NULL;
        if (!sync && op->start_ns > own->end_ns && n < MOST)
            values[n++] = (double)(op->start_ns - own->end_ns);
        if (wait && wait->end_ns != TRACE_OPEN_NS && wait->end_ns > op->end_ns && n_returns < MOST)
            returns[n_returns++] = (double)(wait->end_ns - op->end_ns);
    }
    m->issue_latency =
        n ? ns(median_of(values, n)) : (uint64_t)missing(w, "launches on an idle device", "wait");
    m->gap_return =
        n_returns ? ns(median_of(returns, n_returns)) : (uint64_t)missing(w, "waits", "wait");
}

static void gaps(Work *w)
{
    Model *m = &w->c->model;
    m->gap_kernel_kernel = ns(gap(w, "chain", kernels, "kernel to kernel", NULL));
    m->gap_kernel_copy = ns(gap(w, "chain", kernel_copy, "kernel to copy", NULL));
    m->gap_copy_kernel = ns(gap(w, "chain", copy_kernel, "copy to kernel", NULL));
    m->gap_copy_copy = ns(gap(w, "chain", copy_copy, "copy to copy", NULL));
    m->gap_copy_turn = ns(gap(w, "chain", copy_turn, "copy to copy of the other direction", NULL));
    m->gap_copy_stream = ns(turn(w));
    m->gap_copy_beside_h2d = ns(beside(w, TRACE_H2D));
    m->gap_copy_beside_d2h = ns(beside(w, TRACE_D2H));
    if (analysis_range(w->t, "graphs")) { /* not there in measurements of earlier probes */
        m->gap_graph_node = ns(gap(w, "graphs", in_graph, "kernel to kernel in a graph", NULL));
        m->gap_graph_graph = ns(gap(w, "graphs", graph_graph, "one launch to the next", NULL));
        remark(w, "gaps", "graph_node", "in a graph, from a kernel to one behind it");
        remark(w, "gaps", "graph_graph", "from a graph to its next launch in the stream");
    }
    conditions(w);
    if (analysis_range(w->t, "dependent")) dependent(w);
    m->gap_event = ns(gap(w, "event kernel kernel", other_stream, "event", NULL));
    link_gaps(w);
    m->gap_host_fn = ns(gap(w, "host function", to_function, "kernel to host function", NULL));
    m->gap_after_host_fn =
        ns(gap(w, "host function", from_function, "host function to kernel", NULL));
    m->gap_host_fn_host_fn = ns(gap(w, "host functions", functions, "host functions", NULL));
    idle_gaps(w);

    remark(
        w, "gaps", "",
        "measured: medians. The engines look at their streams in turn, so that single gaps between "
        "an engine and another\nlie anywhere from one to nine microseconds");
    remark(w, "gaps", "kernel_kernel", "in one stream, both issued in time");
    remark(w, "gaps", "event",
           "from a kernel's end to one in another stream that waited for its event");
    remark(w, "gaps", "host_fn",
           "from a kernel's end to a host function; it varies most of all (up to ten times "
           "this)");
    remark(w, "gaps", "copy_turn", "in one stream, from a copy to one of the other direction");
    remark(w, "gaps", "copy_stream", "on one engine, to a copy of another stream");
    remark(w, "gaps", "copy_beside_h2d",
           "in one stream, to a copy of this direction while one of the other runs");
    remark(w, "gaps", "issue", "from a call's return to the start of its work on an idle device");
    remark(w, "gaps", "return",
           "from the end of work to the return of the call that waited for it");
}

/* What a call costs for graphs of 10 and of 60 nodes: what is its own, and each node's. 0: not
 * asked for. */
typedef struct PerNode {
    double own, node;
} PerNode;
static PerNode per_node(double small, double large)
{
    double node = large > small ? (large - small) / 50 : 0, own = small - 10 * node;
    return (PerNode){own > 0 ? own : 0, node};
}

static void cost_set(Work *w, ModelCosts *to, const char *const *texts, int n)
{
    const Model *m = &w->c->model;
#define FROM(key) of_runs(w, texts, n, key)
#define IF_ANY(key) of_runs_if_any(w, texts, n, key)
    double launch = FROM("launch"), small = (double)model_copy_ns(m, TRACE_H2D, false, 65536) +
                                            (double)model_copy_ns(m, TRACE_D2H, false, 65536);
    double wait = (double)m->issue_latency + (double)m->gap_return;
    double sync =
        (FROM("memcpy_sync_whole_h2d") + FROM("memcpy_sync_whole_d2h") - small) / 2 - wait;
    PerNode launched = per_node(IF_ANY("graph_launch_10"), IF_ANY("graph_launch_60"));
    PerNode first = per_node(IF_ANY("graph_first_10"), IF_ANY("graph_first_60"));
    double copies = (IF_ANY("graph_launch_20_copies") - launched.own) / 20 - launched.node;
    PerNode instantiated = per_node(IF_ANY("graph_instantiate_10"), IF_ANY("graph_instantiate_60"));
    *to = (ModelCosts){
        .launch = ns(launch),
        .memcpy_async = ns(FROM("memcpy_async")),
        .memcpy_d2d = ns(FROM("memcpy_d2d")),
        .memset = ns(FROM("memset")),
        .event_record = ns(FROM("event_record")),
        .stream_wait = ns(FROM("stream_wait")),
        .event_query = ns(FROM("event_query")),
        .stream_query = ns(FROM("stream_query")),
        .stream_sync = ns(FROM("stream_sync")),
        .event_sync = ns(FROM("event_sync")),
        .device_sync = ns(FROM("device_sync")),
        .host_fn = ns(FROM("host_fn")),
        .malloc_async = ns(FROM("malloc_async_pair") / 2),
        .stream_create = ns(FROM("stream_create")),
        .stream_destroy = ns(FROM("stream_destroy")),
        .event_create = ns(FROM("event_create")),
        .event_destroy = ns(FROM("event_destroy")),
        .malloc_ = ns(FROM("malloc")),
        .free_ = ns(FROM("free")),
        .malloc_host = ns(cost(w, "malloc_host")),
        .free_host = ns(cost(w, "free_host")),
        .malloc_host_per_mib = ns(cost(w, "malloc_host_256_mib") / 256),
        .free_host_per_mib = ns(cost_if_any(w, "free_host_256_mib") / 256),
        .host_register = ns(cost_if_any(w, "host_register")),
        .host_register_per_mib = ns(cost_if_any(w, "host_register_256_mib") / 256),
        .host_unregister_per_mib = ns(cost_if_any(w, "host_unregister_256_mib") / 256),
        .other = ns(FROM("other")),
        .clock_read = ns(FROM("clock_read")),
        .graph_launch = ns(launched.own),
        .graph_launch_per_node = ns(launched.node),
        .graph_launch_per_other = copies > 0 ? ns(copies) : 0,
        .graph_upload_per_node = first.node > launched.node ? ns(first.node - launched.node) : 0,
        .graph_instantiate = ns(instantiated.own),
        .graph_instantiate_per_node = ns(instantiated.node),
        .graph_capture = ns(IF_ANY("graph_capture")),
        .call_first = ns(once_in_each(texts, n, "call_first")),
        .launch_first = ns(once_in_each(texts, n, "launch_first")),
        .launch_load = ns(once_in_each(texts, n, "launch_load")),
        .pool_first = ns(IF_ANY("pool_first")),
        .pool_grow_per_mib = ns(cost_if_any(w, "pool_grow_1024_mib") / 1024),
        .thread_create = ns(IF_ANY("thread_create")),
        .thread_start = ns(IF_ANY("thread_start")),
        .thread_join = ns(IF_ANY("thread_join")),
        .thread_first_call = ns(IF_ANY("thread_first_call")),
        .memcpy_peer = ns(IF_ANY("memcpy_peer")),
        .memcpy_peer_target = ns(IF_ANY("memcpy_peer_pull")),
        .memcpy_peer_staged = ns(cost_if_any(w, "staged_peer_call")),
        .set_device = ns(IF_ANY("set_device")),
    };
#undef FROM
#undef IF_ANY
    to->memcpy_sync = sync > (double)to->memcpy_async / 2 ? ns(sync) : to->memcpy_async / 2;
}

/* What one barrier takes, by kernels of 10 of them and of 110; 0: not asked for. */
static uint64_t barrier_ns(Work *w, const char *few, const char *many)
{
    double values[2][64], took[2];
    const char *ranges[] = {few, many};
    for (int k = 0; k < 2; k++) {
        int n = 0;
        if (!analysis_range(w->t, ranges[k])) return 0;
        for (uint32_t i = 0; (i = next_op(w, ranges[k], i)) && n < 64;)
            values[k][n++] = length(&w->t->ops[i]);
        if (!n) return 0;
        took[k] = median_of(values[k], n);
    }
    return took[1] > took[0] ? ns((took[1] - took[0]) / 100) : 0;
}

static void compute(Work *w)
{
    Model *m = &w->c->model;
    double values[64], far = 0, near = 0;
    int n = 0;

    for (uint32_t i = 0; (i = next_op(w, "smallest kernel", i)) && n < 64;)
        values[n++] = length(&w->t->ops[i]);
    m->kernel_fixed_ns = whole(median_of(values, n));
    remark(w, "kernels", "fixed_ns", "measured: a kernel that does nothing");
    m->memory_bytes_per_ns = rate(2 * m->d2d.bytes_per_ns);
    remark(w, "kernels", "memory_bytes_per_ns",
           "measured: what a copy inside the device reads and writes");
    /* a float read and written by each thread; the largest size from memory, the largest that fits
     * from the L2 */
    for (int pass = 0; pass < 2; pass++) {
        uint64_t best = 0;
        for (uint32_t i = 0; (i = next_op(w, "memory", i));) {
            const TraceOp *op = &w->t->ops[i];
            uint64_t threads = (uint64_t)op->grid.x * op->block.x;
            bool fits = threads * 2 * sizeof(float) <= (uint64_t)m->l2_bytes;
            if ((pass == 1 && !fits) || threads < best) continue;
            if (threads > best) n = 0;
            best = threads;
            if (n < 64)
                values[n++] = (length(op) - (double)m->kernel_fixed_ns) * m->sm_count /
                              (2 * (double)threads) * 1000;
        }
        if (!best) missing(w, "kernels in the range", "memory");
        *(pass ? &near : &far) = best ? median_of(values, n) : 0;
    }
    m->ns_per_kiloaccess = rate(far);
    m->ns_per_kiloaccess_l2 = rate(near);
    remark(w, "kernels", "ns_per_kiloaccess",
           "measured: threads that each read and write a float, more than the L2 "
           "holds; a kernel with wider accesses is faster");
    remark(w, "kernels", "ns_per_kiloaccess_l2", "measured: the same, of what the L2 holds");
    m->grid_barrier_ns = barrier_ns(w, "10 grid barriers", "110 grid barriers");
    m->cluster_barrier_ns = barrier_ns(w, "10 cluster barriers", "110 cluster barriers");
    if (m->grid_barrier_ns)
        remark(w, "kernels", "grid_barrier_ns", "measured: as many blocks as multiprocessors");
    if (m->cluster_barrier_ns)
        remark(w, "kernels", "cluster_barrier_ns", "measured: clusters of four blocks");
}

/* What the card says of itself. */
static void properties(Work *w)
{
    Model *m = &w->c->model;
#define COUNT_OF(key) m->key = (int)property(w, #key)
#define BYTES_OF(key) m->key = (uint64_t)property(w, #key)
    COUNT_OF(sm_count);
    COUNT_OF(warp_size);
    COUNT_OF(major);
    COUNT_OF(minor);
    COUNT_OF(max_threads_per_block);
    COUNT_OF(max_threads_per_sm);
    COUNT_OF(max_blocks_per_sm);
    COUNT_OF(registers_per_sm);
    COUNT_OF(memory_bus_bits);
    COUNT_OF(memory_clock_khz);
    COUNT_OF(l2_bytes);
    COUNT_OF(async_engine_count);
    COUNT_OF(pci_bus);
    COUNT_OF(priority_low);
    COUNT_OF(priority_high);
    COUNT_OF(invalid_configuration_code);
    BYTES_OF(shared_per_block);
    BYTES_OF(shared_per_block_optin);
    BYTES_OF(shared_per_sm);
    BYTES_OF(constant_bytes);
    BYTES_OF(memory_bytes);
#undef COUNT_OF
#undef BYTES_OF
    m->sm_clock_ghz = property(w, "sm_clock_khz") / 1e6;
    remark(w, "limits", "sm_clock_ghz",
           "from here on what the card says of itself, unless another word is there");
    m->hardware_queues = 8;
    remark(w, "limits", "hardware_queues",
           "documented: the default of CUDA_DEVICE_MAX_CONNECTIONS");
}

/* How many kernels were on the device at one time. */
static void resident_grids(Work *w)
{
    static uint64_t starts[MOST], ends[MOST];
    uint32_t most = 0, begun = 0;
    int n = 0;
    for (uint32_t i = 0; (i = next_op(w, "grids", i)) && n < MOST; n++) {
        starts[n] = w->t->ops[i].start_ns;
        ends[n] = w->t->ops[i].end_ns;
    }
    for (int i = 0; i < n; i++) { /* at each start: how many are there */
        uint32_t now = 0;
        for (int k = 0; k < n; k++) now += starts[k] <= starts[i] && ends[k] > starts[i];
        if (now > most) most = now;
        begun++;
    }
    w->c->model.resident_grids = (int)most;
    remark(w, "limits", "resident_grids",
           "measured: %u kernels of one block in as many streams: the most at one time", begun);
    if (most < 2) missing(w, "kernels beside each other in the range", "grids");
}

static void limits(Work *w)
{
    Model *m = &w->c->model;
    properties(w);
    resident_grids(w);
    uint32_t one = next_op(w, "room", 0), two = one ? next_op(w, "room", one) : 0;
    const TraceOp *ops = w->t->ops;
    if (two)
        m->room_limited =
            (double)ops[two].start_ns > (double)ops[one].end_ns - length(&ops[one]) / 2;
    else missing(w, "two kernels in the range", "room");
    remark(w, "limits", "room_limited",
           "measured: of two kernels that fill the device the second %s",
           m->room_limited ? "waited" : "ran beside the first");
    remark(w, "limits", "invalid_configuration_code",
           "measured: what a launch of too many threads returns");
    /* sets and copies inside the device: where they ran */
    for (uint32_t i = 0; (i = next_op(w, "beside a kernel", i));) {
        const TraceOp *op = &w->t->ops[i];
        const TraceEngine *engine = &w->t->engines[op->engine];
        if (op->kind == TRACE_KERNEL || engine->class_ == TRACE_ENGINE_COMPUTE) continue;
        odd(w, "%s inside the device ran on %s here; a model has them on the compute engine",
            op->kind == TRACE_MEMSET ? "sets" : "copies", engine->name);
    }
}

/* The card, its engines, and the words for them. */
static void name_card(Work *w, const char *name)
{
    static const ModelEngine engines[] = {
        {TRACE_ENGINE_H2D, MODEL_BY_STREAM, "H2D copy"},
        {TRACE_ENGINE_COMPUTE, MODEL_BY_READY, "Compute"},
        {TRACE_ENGINE_D2H, MODEL_BY_STREAM, "D2H copy"},
    };
    Model *m = &w->c->model;
    snprintf(m->name, sizeof m->name, "%s", name);
    const char *card = strstr(w->in->properties, "card = ");
    if (card) snprintf(m->card, sizeof m->card, "%.*s", (int)strcspn(card + 7, "\r\n"), card + 7);
    else missing(w, "the property", "card");
    double driver = property(w, "driver");
    snprintf(m->note, sizeof m->note, "measured by threelane calibrate (CUDA %d.%d)",
             (int)driver / 1000, (int)driver % 1000 / 10);
    m->unit_ns = 1000000;
    snprintf(m->unit_name, sizeof m->unit_name, "ms");
    m->devices = 1;
    memcpy(m->engines, engines, sizeof engines);
    m->n_engines = 3;
    if (property(w, "async_engine_count") < 2) { /* one engine for both directions, in order of
                                                    issue */
        m->engines[0] = (ModelEngine){TRACE_ENGINE_COPY, MODEL_BY_ISSUE, "Copy"};
        m->n_engines = 2;
    }
}

/* Of a whole staged copy between cards, what the call, its start and the return do not explain. */
static void staged_costs(Work *w)
{
    Model *m = &w->c->model;
    double whole_copy = cost(w, "staged_peer_16_mib");
    double explained = 16 * (double)MIB / m->p2p_staged.bytes_per_ns +
                       (double)(m->costs.memcpy_peer_staged + m->issue_latency + m->gap_return);
    m->p2p_staged.fixed_ns = ns(whole_copy - explained);
    remark(w, "costs", "memcpy_peer",
           "cudaMemcpyPeerAsync: in a stream of the device that it comes from, of the one that "
           "it goes to, and\nwithout access to each other's memory; cudaSetDevice");
}

/* Pageable memory: pages that nobody has touched, and what is copied again and again. */
static void host_pages(Work *w)
{
    enum { PAGES = 4096 }; /* of 16 MiB */
    Model *m = &w->c->model;
    double touched = cost_if_any(w, "h2d_touched_16_mib");
    if (!touched) return;
    double read = cost_if_any(w, "h2d_fresh_16_mib") - touched,
           written = cost_if_any(w, "d2h_fresh_16_mib") - cost_if_any(w, "d2h_touched_16_mib");
    m->page_read_ns = ns(read / PAGES);
    m->page_write_ns = ns(written / PAGES);
    remark(w, "copies", "page_read_ns",
           "measured: copies of 16 MiB that nobody had touched, less those of touched memory");

    for (unsigned mib = 1; mib <= 256; mib *= 4) {
        char once[40], again[40];
        snprintf(once, sizeof once, "h2d_once_%u_mib", mib);
        snprintf(again, sizeof again, "h2d_again_%u_mib", mib);
        if (cost_if_any(w, again) < 0.9 * cost_if_any(w, once)) m->again_bytes = mib * MIB;
    }
    if (m->again_bytes < 16 * MIB) {
        m->again_bytes = 0;
        return;
    }
    double small = cost_if_any(w, "h2d_again_1_mib") - (double)m->staging_fixed_ns;
    m->h2d_pageable_again_bytes_per_ns =
        rate(16 * (double)MIB / cost_if_any(w, "h2d_again_16_mib"));
    m->staging_again_bytes_per_ns = small > 0 ? rate((double)MIB / small) : 0;
    remark(
        w, "copies", "h2d_pageable_again_bytes_per_ns",
        "measured: the fourth copy and later of 16 MiB that nobody wrote meanwhile; of 1 MiB; up "
        "to which size it is quicker by a tenth");
}

/* Kernels that read and write pinned memory. Their ends are what events say, which a kernel that
 * does nothing makes as much longer as it is itself. */
static void over_the_bus(Work *w)
{
    enum { THREADS = 256, AT_ONCE = 4 };
    Model *m = &w->c->model;
    double bytes = 64 * (double)MIB, read = cost_if_any(w, "bus_read_64_mib"),
           written = cost_if_any(w, "bus_write_64_mib"), both = cost_if_any(w, "bus_both_64_mib"),
           block = cost_if_any(w, "bus_block_1_mib");
    if (!read || !written || !both || !block) return;
    m->host_read_bytes_per_ns = rate(bytes / read);
    m->host_write_bytes_per_ns = rate(bytes / written);
    double longer = read > written ? read : written, shorter = read > written ? written : read;
    m->host_both_share = both > longer ? rate((both - longer) / shorter) : 0;
    if (m->host_both_share > 1) m->host_both_share = 1;
    m->host_latency_ns = ns(block * THREADS * AT_ONCE / (double)MIB);
    remark(w, "kernels", "host_read_bytes_per_ns",
           "measured: 64 MiB of pinned memory, a float for each thread; what the shorter one adds "
           "where a kernel does both;\nwhat a thread waits, by a block of 256 that reads 1 MiB");
}

static void remark_costs(Work *w)
{
    remark(w, "costs", "",
           "measured: what a call costs the calling thread, no tracer there; of %d processes the "
           "fastest",
           w->in->n_costs);
    remark(w, "costs", "memcpy_sync",
           "of the whole call, what the copy, its start and the return do not explain");
    remark(w, "costs", "malloc_host_per_mib", "256 MiB at once");
    remark(w, "costs", "free_host_per_mib",
           "256 MiB at once, as of registered memory, whose pages were there already");
    remark(w, "costs", "host_bytes_per_ns", "filling 64 MiB");
    remark(w, "costs", "host_set_bytes_per_ns", "memset of 4 MiB");
    remark(w, "costs", "call_first",
           "the first call of a function, less the second: the median of six functions, and of the "
           "processes");
    remark(w, "costs", "launch_first",
           "code is loaded on its first use: the first launch of a program of a few kernels, and "
           "that of each kernel; medians");
    remark(w, "costs", "sleep_late_ns", "usleep: how much later the thread ran again");
    remark(w, "costs", "pool_first",
           "cudaMallocAsync when the pool grows: the first time, and for each MiB (1 GiB at once)");
    remark(w, "costs", "thread_create",
           "a host thread: what making it costs, how long after that call it runs, from its end to "
           "the return of who joins it,\nand how much more than others its first CUDA call costs");
    remark(w, "traced", "",
           "measured: the same calls while the tracer records; for comparing with a recorded run");
}

bool calibration_make(Calibration *c, const char *name, const CalibrationInput *in, char *error,
                      size_t error_size)
{
    Work w = {.c = c, .in = in, .t = in->timeline};
    Model *m = &c->model;
    memset(c, 0, sizeof *c);
    name_card(&w, name);
    limits(&w);
    m->traced.memcpy_async = ns(of_runs(&w, in->traced, in->n_traced, "memcpy_async"));
    copies(&w);
    compute(&w);
    gaps(&w);
    cost_set(&w, &m->costs, in->costs, in->n_costs);
    if (has_links(&w)) staged_costs(&w);
    cost_set(&w, &m->traced, in->traced, in->n_traced);
    m->host_bytes_per_ns = rate(64.0 * (double)MIB / (cost(&w, "host_writes_64_mib") + 1));
    double sets = cost_if_any(&w, "host_sets_4_mib");
    m->host_set_bytes_per_ns = sets ? rate(4.0 * (double)MIB / sets) : 0;
    host_pages(&w);
    over_the_bus(&w);
    m->sleep_late_ns = ns(cost(&w, "sleep_late"));
    remark_costs(&w);

    if (!w.missing[0] && in->timeline->ended) return true;
    if (!w.missing[0]) snprintf(w.missing, sizeof w.missing, "the end of the timeline");
    snprintf(error, error_size, "the measurement lacks %s: the probe did not run to its end",
             w.missing);
    return false;
}

enum { MOST_MODELS = 64 };

/* What lies between two cards, of those that had two. */
static void combine_links(Calibration *c, const Calibration *all, int n)
{
    static Model models[MOST_MODELS];
    Model *to = &c->model, of;
    int found = 0;
    for (int i = 0; i < n; i++)
        if (all[i].model.devices_measured > 1) models[found++] = all[i].model;
    if (!found) return;

    model_combine(&of, models, found);
    to->devices_measured = of.devices_measured;
    to->p2p = of.p2p;
    to->p2p_ports = of.p2p_ports;
    to->p2p_staged = of.p2p_staged;
    to->p2p_staged_factor = of.p2p_staged_factor;
    to->gap_event_peer = of.gap_event_peer;
    to->gap_p2p_target = of.gap_p2p_target;
    to->gap_p2p_target_next = of.gap_p2p_target_next;
}

void calibration_combine(Calibration *c, const Calibration *all, int n)
{
    static Model models[MOST_MODELS];
    if (n > MOST_MODELS) n = MOST_MODELS;
    *c = all[0];
    for (int i = 0; i < n; i++) {
        models[i] = all[i].model;
        /* one that had two cards has more to say of where its numbers are from */
        if (c->model.devices_measured < 2 && models[i].devices_measured > 1) *c = all[i];
    }
    model_combine(&c->model, models, n);
    combine_links(c, all, n);
}
