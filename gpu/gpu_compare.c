/* gpu_compare.c - `threelane compare`: a program on the card (under the tracer) and on the virtual
 * GPU (with the card's device model), predicted beside measured. What was recorded before can stand
 * for the card, and a trace for the program. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/exit_status.h"
#include "common/env.h"
#include "common/json.h"
#include "gpu/gpu.h"
#include "gpu/tools.h"
#include "sim/model/model.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/compare.h"
#include "timeline/trace/labels.h"

#define SYNOPSIS                                                                               \
    "usage: threelane compare [--against RECORDED.lane] [--range NAME | --whole] [--model M] " \
    "[--kernels-from TRACE] [--flags '...'] [-o NAME] [--all] [--json] PROG.cu [ARGUMENTS]"
enum { MOST_ROWS = 40 };

typedef struct Wanted {
    const char *against, *range, *model, *kernels, *flags, *keep;
    bool json, all;
    const char **program; /* the source (or trace) and its arguments */
    int n_program;
} Wanted;

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

static bool option(Wanted *w, int argc, char **argv, int *at)
{
    struct {
        const char *name;
        const char **to;
    } const texts[] = {
        {"--against", &w->against},      {"--range", &w->range}, {"--model", &w->model},
        {"--kernels-from", &w->kernels}, {"--flags", &w->flags}, {"-o", &w->keep},
    };
    const char *word = argv[*at];
    if (!strcmp(word, "--json")) return w->json = true;
    if (!strcmp(word, "--whole")) {
        w->range = COMPARE_WHOLE;
        return true;
    }
    if (!strcmp(word, "--all")) return w->all = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i].name);
        if (strncmp(word, texts[i].name, length) != 0) continue;
        if (!word[length] && *at + 1 < argc) *texts[i].to = argv[++*at];
        else if (word[length] == '=' && length > 2) *texts[i].to = word + length + 1;
        else if (!word[length] && *at + 1 == argc) *texts[i].to = "";
        else continue;
        if (**texts[i].to) return true;
        tools_say("%s needs a value", texts[i].name);
        return false;
    }
    tools_say("compare does not take %s; " SYNOPSIS, word);
    return false;
}

/* ---- the two runs ---- */

/* 0, or the status to end with after saying why. */
static int predict(const Wanted *w, const char *folder, const char *trace, bool traced, int devices)
{
    char program[PATH_MAX], tlcc[PATH_MAX], full[PATH_MAX], model[PATH_MAX + 32], error[300];
    Model machine;
    if (!tools_find("tlcc", ENV_TLCC, tlcc, sizeof tlcc)) {
        tools_say("tlcc was not found (beside threelane, on PATH, or as " ENV_TLCC "): make tools");
        return VERDICT_GRADER;
    }
    snprintf(program, sizeof program, "%.*s/predicted", PATH_MAX - 20, folder);
    const char *build[] = {tlcc, w->program[0], "-o", program, NULL};
    const char **words = tools_words(build, w->flags);
    int status = tools_run(words, folder, "tlcc cannot build it");
    free(words);
    if (status) return VERDICT_COMPILE;
    setenv(ENV_TRACE, trace, 1);
    /* what several devices did needs as many */
    bool too_few =
        !model_load(&machine, w->model, error, sizeof error) && machine.devices < devices;
    snprintf(model, sizeof model, too_few ? "%.*s+devices=%d" : "%.*s", PATH_MAX, w->model,
             devices);
    setenv(ENV_MODEL, model, 1);
    unsetenv(ENV_SEED);
    if (traced) setenv(ENV_COSTS, "traced", 1);
    if (w->kernels) setenv(ENV_KERNELS, realpath(w->kernels, full) ? full : w->kernels, 1);
    const char *kept = w->program[0];
    w->program[0] = program;
    status = tools_run(w->program, folder, "the program fails on the virtual GPU");
    w->program[0] = kept;
    unsetenv(ENV_TRACE);
    return status ? VERDICT_CRASH : 0;
}

static int record(const Wanted *w, const char *folder, const char *trace)
{
    char program[PATH_MAX], nvcc[PATH_MAX], self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0 || !tools_find("nvcc", ENV_NVCC, nvcc, sizeof nvcc)) {
        tools_say("nvcc was not found (PATH, /usr/local/cuda*/bin, NVCC): on a machine without a "
                  "GPU, compare with a "
                  "recorded run (--against RECORDED.lane)");
        return VERDICT_GRADER;
    }
    self[length] = '\0';
    if (!tools_driver()) {
        tools_say(
            "there is no NVIDIA driver here (libcuda.so.1): compare with a recorded run (--against "
            "RECORDED.lane); `threelane doctor` says what is missing");
        return VERDICT_GRADER;
    }
    snprintf(program, sizeof program, "%.*s/measured", PATH_MAX - 20, folder);
    const char *build[] = {nvcc,           "-O2",        "-g",       "-lineinfo",
                           "-arch=native", "-Xcompiler", "-pthread", w->program[0],
                           "-o",           program,      "-ldl",     NULL};
    const char **words = tools_words(build, w->flags);
    int status = tools_run(words, folder, "nvcc cannot build it");
    free(words);
    if (status) return VERDICT_COMPILE;
    const char **run = calloc((size_t)w->n_program + 8, sizeof *run);
    if (!run) return VERDICT_GRADER;
    const char *begin[] = {self, "trace", "-o", trace, "--", program};
    memcpy(run, begin, sizeof begin);
    for (int i = 1; i < w->n_program; i++) run[5 + i] = w->program[i];
    status = tools_run(run, folder, "the program fails on the card");
    free(run);
    return status ? status == VERDICT_GRADER ? VERDICT_GRADER : VERDICT_CRASH : 0;
}

/* ---- text ---- */

static const char *percent(double share, char *text, size_t size)
{
    snprintf(text, size, "%+.1f%%", 100 * share);
    return text;
}

static void write_head(const Compare *c, const Trace *p, const Trace *m, const Labels *labels)
{
    char a[64], b[64], e[32], label[128], other[128];
    const char *model = trace_meta(p, "model"), *card = trace_meta(m, "card"),
               *program = trace_meta(m, "program");
    const CompareSide *x = &c->predicted, *y = &c->measured;
    double span = y->makespan_ns ? (double)y->makespan_ns : 1;

    const char *other_card = trace_meta(p, "card") ? trace_meta(p, "card") : "another card";
    printf("%s: %s %s, measured on %s", program ? program : "program",
           model ? "predicted with model" : "beside it a run on", model ? model : other_card,
           card ? card : "a card");
    if (y->range) printf(", range %s", m->ranges[y->range].name);
    printf("\n\n%-22s %14s %14s %10s\n", "", "predicted", "measured", "error");
    printf("%-22s %14s %14s %10s\n", "makespan", analysis_time(m, x->makespan_ns, a, sizeof a),
           analysis_time(m, y->makespan_ns, b, sizeof b), percent(c->makespan_error, e, sizeof e));
    printf("%-22s %13.1f%% %13.1f%% %+6.1f pts\n", "two engines busy",
           x->makespan_ns ? 100 * (double)x->overlap_ns / (double)x->makespan_ns : 0,
           100 * (double)y->overlap_ns / span, 100 * c->overlap_error);
    printf("%-22s half within %.1f%% of the makespan, the farthest (%s) %.1f%%\n", "starts",
           100 * (double)c->start_error_median_ns / span,
           labels_op(labels, c->pairs[c->start_error_most_pair].measured, label, sizeof label),
           100 * (double)c->start_error_most_ns / span);
    printf("%-22s %llu pair%s of %u operations in another order, which CUDA leaves open\n", "order",
           (unsigned long long)c->inversions, c->inversions == 1 ? "" : "s", c->n_pairs);
    if (!x->breaches && !y->breaches) {
        printf("%-22s no operation starts before one that CUDA puts before it has ended\n", "");
    } else {
        printf("%-22s FORBIDDEN by CUDA: %u predicted, %u measured\n", "", x->breaches,
               y->breaches);
        Labels *of_predicted = labels_new(p, x->range);
        for (uint32_t i = 0; i < c->n_breaches; i++) {
            const CompareBreach *breach = &c->breaches[i];
            const Labels *own = breach->of_measured ? labels : of_predicted;
            const char *side = breach->of_measured ? "measured" : "predicted";
            if (!own) continue;
            labels_op(own, breach->before, label, sizeof label);
            if (breach->sync)
                printf("%-22s %s: cudaDeviceSynchronize returned before %s had ended\n", "", side,
                       label);
            else
                printf("%-22s %s: %s started before %s had ended\n", "", side,
                       labels_op(own, breach->after, other, sizeof other), label);
        }
        labels_free(of_predicted);
    }
}

static void write_rows(const Compare *c, const Trace *p, const Trace *m, const Labels *labels,
                       bool all)
{
    char label[128], stream[128];
    uint32_t most = all || c->n_pairs <= MOST_ROWS ? c->n_pairs : MOST_ROWS;

    printf("\n%-14s %-18s %34s %34s\n", "us", "", "---- start, from the first ----",
           "----------- length -----------");
    printf("%-14s %-18s %12s %12s %8s %12s %12s %8s\n", "operation", "stream", "predicted",
           "measured", "error", "predicted", "measured", "error");
    for (uint32_t i = 0; i < most; i++) {
        const ComparePair *pair = &c->pairs[i];
        const TraceOp *a = &p->ops[pair->predicted], *b = &m->ops[pair->measured];
        printf("%-14.14s %-18.18s %12.1f %12.1f %+8.1f %12.1f %12.1f %+8.1f\n",
               labels_op(labels, pair->measured, label, sizeof label),
               labels_stream(labels, b->stream, stream, sizeof stream),
               (double)(a->start_ns - c->predicted.begin_ns) / 1e3,
               (double)(b->start_ns - c->measured.begin_ns) / 1e3,
               (double)pair->start_error_ns / 1e3, (double)(a->end_ns - a->start_ns) / 1e3,
               (double)(b->end_ns - b->start_ns) / 1e3, (double)pair->length_error_ns / 1e3);
    }
    if (most < c->n_pairs) printf("... and %u more (--all lists them)\n", c->n_pairs - most);
}

static void write_notes(const Compare *c, const Trace *p, const Trace *m, const Wanted *w)
{
    const char *of_model = trace_meta(p, "card"), *card = trace_meta(m, "card"),
               *backend = trace_meta(m, "backend");
    if (!c->warm && !w->range)
        puts("\nnote: no warm-up is in sight (each kernel launched once, and waited for, before "
             "the part that counts), "
             "so first\nlaunches are compared too, and those are slower on a card. Do the work "
             "once before, or name "
             "an NVTX range.");
    if (trace_meta(p, "estimates"))
        puts("\nnote: lengths of some kernels are an estimate, from the memory they touch; "
             "--kernels-from TRACE takes "
             "recorded ones.");
    if (w->model && of_model && card && strcmp(of_model, card) != 0)
        printf(
            "\nnote: the model is of another card (%s): `threelane calibrate` measures this one.\n",
            of_model);
    if (!backend || strcmp(backend, "cuda") != 0)
        puts("\nnote: what is called measured here is itself a run of the virtual GPU.");
}

/* ---- JSON ---- */

static void write_json(const Compare *c, const Trace *p, const Trace *m, const Labels *labels)
{
    char label[128];
    const CompareSide *x = &c->predicted, *y = &c->measured;

    printf("{\n  \"program\": ");
    json_text(stdout, trace_meta(m, "program"));
    printf(",\n  \"model\": ");
    json_text(stdout, trace_meta(p, "model"));
    printf(",\n  \"card\": ");
    json_text(stdout, trace_meta(m, "card"));
    printf(",\n  \"range\": ");
    if (y->range) json_text(stdout, m->ranges[y->range].name);
    else printf("null");
    printf(",\n  \"warm\": %s,\n  \"estimates\": %s,\n", c->warm ? "true" : "false",
           trace_meta(p, "estimates") ? "true" : "false");
    printf("  \"makespan_ns\": {\"predicted\": %llu, \"measured\": %llu, \"error\": %.5f},\n",
           (unsigned long long)x->makespan_ns, (unsigned long long)y->makespan_ns,
           c->makespan_error);
    printf("  \"overlap_ns\": {\"predicted\": %llu, \"measured\": %llu, \"error\": %.5f},\n",
           (unsigned long long)x->overlap_ns, (unsigned long long)y->overlap_ns, c->overlap_error);
    printf("  \"start_error_ns\": {\"median\": %llu, \"most\": %llu},\n",
           (unsigned long long)c->start_error_median_ns,
           (unsigned long long)c->start_error_most_ns);
    printf("  \"inversions\": {\"open\": %llu, \"forbidden_predicted\": %u, "
           "\"forbidden_measured\": %u},\n",
           (unsigned long long)c->inversions, x->breaches, y->breaches);
    printf("  \"operations\": [");
    for (uint32_t i = 0; i < c->n_pairs; i++) {
        const ComparePair *pair = &c->pairs[i];
        const TraceOp *a = &p->ops[pair->predicted], *b = &m->ops[pair->measured];
        printf("%s\n    {\"label\": ", i ? "," : "");
        json_text(stdout, labels_op(labels, pair->measured, label, sizeof label));
        printf(
            ", \"kind\": \"%s\", \"stream\": %u, \"bytes\": %llu, \"predicted\": {\"op\": %u, "
            "\"start_ns\": %llu, "
            "\"end_ns\": %llu}, \"measured\": {\"op\": %u, \"start_ns\": %llu, \"end_ns\": %llu}}",
            trace_op_word[b->kind], b->stream, (unsigned long long)b->bytes, pair->predicted,
            (unsigned long long)(a->start_ns - x->begin_ns),
            (unsigned long long)(a->end_ns - x->begin_ns), pair->measured,
            (unsigned long long)(b->start_ns - y->begin_ns),
            (unsigned long long)(b->end_ns - y->begin_ns));
    }
    puts("\n  ]\n}");
}

static int show(const Wanted *w, const char *predicted, const char *measured)
{
    char error[PATH_MAX + 300];
    int status = VERDICT_GRADER;
    Trace *p = trace_read(predicted, error, sizeof error),
          *m = p ? trace_read(measured, error, sizeof error) : NULL;
    Compare *c = m ? compare_new(p, m, w->range, error, sizeof error) : NULL;
    Labels *labels = c ? labels_new(m, c->measured.range) : NULL;
    if (!c) {
        const Trace *cut = m && !m->ended ? m : p && !p->ended ? p : NULL;
        const char *whose = !m || !cut ? ""
                            : cut == m
                                ? " (the recording has no end: the program or it was cut off)"
                                : " (the predicted run has no end)";
        tools_say("%s%s", error, whose);
    } else if (!labels) {
        tools_say("out of memory");
    } else if (w->json) {
        write_json(c, p, m, labels);
        status = 0;
    } else {
        write_head(c, p, m, labels);
        write_rows(c, p, m, labels, w->all);
        write_notes(c, p, m, w);
        status = 0;
    }
    if (status == 0 && c->predicted.breaches + c->measured.breaches) status = 1;
    if (fflush(stdout) != 0) status = VERDICT_USAGE;
    labels_free(labels);
    compare_free(c);
    trace_free(m);
    trace_free(p);
    return status;
}

/* What is named must be a trace of use before anything is built; whether it is one of a card tells
 * what calls cost. *devices: how many it has. */
static bool look_at(const char *path, bool kernels, bool *card, int *devices)
{
    char error[PATH_MAX + 300];
    Trace *t = trace_read(path, error, sizeof error);
    if (!t) {
        tools_say("%s", error);
        return false;
    }
    const char *backend = trace_meta(t, "backend");
    *card = backend && !strcmp(backend, "cuda");
    *devices = (int)t->n_devices;
    bool fine = !kernels && t->n_ops > 0;
    for (const TraceOp *op = t->ops + 1; op <= t->ops + t->n_ops && !fine; op++)
        fine = op->kind == TRACE_KERNEL && op->start_ns != TRACE_OPEN_NS &&
               op->end_ns != TRACE_OPEN_NS;
    if (!fine)
        tools_say("%s: no %s in it", path,
                  kernels ? "kernel that ended is recorded" : "operation is recorded");
    trace_free(t);
    return fine;
}

int gpu_compare(int argc, char **argv)
{
    Wanted w = {.model = getenv(ENV_MODEL)};
    char folder[PATH_MAX], predicted[PATH_MAX], measured[PATH_MAX], model[PATH_MAX];
    bool card = true;
    int at = 1, devices = 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--") != 0) {
        if (!option(&w, argc, argv, &at)) return VERDICT_USAGE;
        at++;
    }
    if (at < argc && !strcmp(argv[at], "--")) at++;
    if (at >= argc) {
        tools_say(SYNOPSIS);
        return VERDICT_USAGE;
    }
    w.program = (const char **)argv + at;
    w.n_program = argc - at;
    if (!w.model || !*w.model) w.model = "h200";
    if (access(w.program[0], R_OK) != 0) {
        tools_say("%s cannot be read: %s", w.program[0], strerror(errno));
        return VERDICT_USAGE;
    }
    if (w.kernels && !look_at(w.kernels, true, &card, &devices)) return VERDICT_USAGE;
    if (w.against && !look_at(w.against, false, &card, &devices)) return VERDICT_USAGE;
    if (ends_in(w.program[0], ".lane")) { /* a trace stands for the prediction */
        if (!w.against) {
            tools_say("%s is a trace: name the other one (--against RECORDED.lane)", w.program[0]);
            return VERDICT_USAGE;
        }
        return show(&w, w.program[0], w.against);
    }
    if (ends_in(w.model, ".ini") && realpath(w.model, model)) w.model = model;
    if (!tools_folder(folder, sizeof folder)) return VERDICT_GRADER;
    if (w.keep) {
        snprintf(predicted, sizeof predicted, "%.*s.sim.lane", PATH_MAX - 20, w.keep);
        snprintf(measured, sizeof measured, "%.*s.card.lane", PATH_MAX - 20, w.keep);
    } else {
        snprintf(predicted, sizeof predicted, "%.*s/predicted.lane", PATH_MAX - 20, folder);
        snprintf(measured, sizeof measured, "%.*s/measured.lane", PATH_MAX - 20, folder);
    }
    int status = w.against ? 0 : record(&w, folder, measured);
    bool seen = w.against || (!status && look_at(measured, false, &card, &devices));
    if (!status) status = seen ? predict(&w, folder, predicted, card, devices) : VERDICT_CRASH;
    if (!status) status = show(&w, predicted, w.against ? w.against : measured);
    tools_remove(folder);
    return status;
}
