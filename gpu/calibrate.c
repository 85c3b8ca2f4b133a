/* calibrate.c - `threelane calibrate`: builds the probe where it is not yet built, runs it alone
 * and under the tracer, and writes the device model. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/exit_status.h"
#include "common/env.h"
#include "gpu/calibration.h"
#include "gpu/gpu.h"
#include "gpu/tools.h"

#define SYNOPSIS "usage: threelane calibrate [-o FILE.ini] [--keep FOLDER | --from FOLDER ...]"
enum { PROCESSES = 5, TIMELINES = 3, MOST_FOLDERS = 8 };

/* The path of the probe, or of what it is with an option of nvcc's: beside its source when it was
 * built since; else built there, or (a folder that cannot be written) in the temporary one. */
static int build(const char *folder, const char *ending, const char *option, char *probe,
                 size_t size)
{
    char source[PATH_MAX], nvcc[PATH_MAX];
    struct stat of_source, of_probe;

    if (!tools_beside("probe.cu", source, sizeof source)) {
        tools_say("probe.cu is not beside threelane-gpu: make tools");
        return VERDICT_GRADER;
    }
    snprintf(probe, size, "%.*s%s", (int)strlen(source) - 3, source, ending);
    if (stat(source, &of_source) == 0 && stat(probe, &of_probe) == 0 && access(probe, X_OK) == 0 &&
        of_probe.st_mtime >= of_source.st_mtime)
        return 0;
    if (!tools_find("nvcc", ENV_NVCC, nvcc, sizeof nvcc)) {
        tools_say("nvcc was not found (PATH, /usr/local/cuda*/bin, NVCC): install the CUDA "
                  "Toolkit; `threelane doctor` "
                  "says what is missing");
        return VERDICT_GRADER;
    }
    char *slash = strrchr(source, '/');
    *slash = '\0';
    bool writable = access(source, W_OK) == 0;
    *slash = '/';
    if (!writable) snprintf(probe, size, "%.*s/probe%s", PATH_MAX - 40, folder, ending);
    const char *words[] = {nvcc, "-O2", "-arch=native", source, "-o", probe, "-ldl", option, NULL};
    fputs("building the probe (only this once) ...\n", stderr);
    return tools_run(words, folder, "nvcc cannot build the probe") ? VERDICT_CRASH : 0;
}

/* What the probe says: processes differ (where the system puts their memory and threads), so each
 * part runs in several. */
typedef struct Measured {
    char *properties, *costs[PROCESSES], *traced[PROCESSES];
    Trace *timelines[TIMELINES];
} Measured;

static void measured_release(Measured *m)
{
    free(m->properties);
    for (int i = 0; i < PROCESSES; i++) {
        free(m->costs[i]);
        free(m->traced[i]);
    }
    for (int i = 0; i < TIMELINES; i++) trace_free(m->timelines[i]);
}

/* The names in a folder that was kept: timeline.lane, timeline2.lane ... */
static const char *timeline_name(const char *folder, int which, char *path, size_t size)
{
    char number[16] = "";
    if (which) snprintf(number, sizeof number, "%d", which + 1);
    snprintf(path, size, "%.*s/timeline%s.lane", PATH_MAX - 40, folder, number);
    return path;
}

static Trace *read_timeline(const char *path)
{
    char error[PATH_MAX + 300];
    Trace *t = trace_read(path, error, sizeof error);
    if (!t) tools_say("%s", error);
    return t;
}

/* What another probe says behind what one has said; if it fails, a model says nothing of that. */
static void read_more(const char *const *words, const char *folder, char **text)
{
    int status;
    char *more = tools_read(words, folder, NULL, &status), *both = NULL;
    if (!status && more && (both = malloc(strlen(*text) + strlen(more) + 1))) {
        strcpy(both, *text);
        strcat(both, more);
        free(*text);
        *text = both;
    }
    free(more);
}

/* Under the tracer a graph's launch failed once in two sessions on one machine, and not again: a
 * process that fails is asked a second time. */
static char *read_twice(const char *const *words, const char *folder, const char *failed,
                        int *status)
{
    char *text = tools_read(words, folder, failed, status);
    if (!*status) return text;
    free(text);
    fputs("... once more\n", stderr);
    return tools_read(words, folder, failed, status);
}

static int measure(const char *probe, const char *first, const char *folder, Measured *m)
{
    char self[PATH_MAX], ignored[PATH_MAX], timeline[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    int status = 0;

    if (length <= 0) return VERDICT_CRASH;
    self[length] = '\0';
    snprintf(ignored, sizeof ignored, "%.*s/costs.lane", PATH_MAX - 20, folder);
    const char *properties[] = {probe, "properties", NULL}, *costs[] = {probe, "costs", NULL};
    const char *traced[] = {self, "trace", "-o", ignored, "--", probe, "costs", "brief", NULL};
    const char *graphs[] = {probe, "graphs", NULL};
    const char *traced_graphs[] = {self, "trace", "-o", ignored, "--", probe, "graphs", NULL};
    const char *memory[] = {probe, "memory", NULL}, *launches[] = {first, NULL};
    const char *traced_launches[] = {self, "trace", "-o", ignored, "--", first, NULL};
    const char *record[] = {self, "trace", "-o", timeline, "--", probe, "timeline", NULL};
    m->properties = tools_read(properties, folder, "the card cannot be asked", &status);
    for (int i = 0; i < PROCESSES && !status; i++) {
        fprintf(stderr, "%s", i ? "" : "calls ...\n");
        m->costs[i] = tools_read(costs, folder, "calls cannot be timed", &status);
        if (!status)
            m->traced[i] =
                read_twice(traced, folder, "calls cannot be timed under the tracer", &status);
        if (!status) read_more(graphs, folder, &m->costs[i]);
        if (!status) read_more(traced_graphs, folder, &m->traced[i]);
        if (!status) read_more(memory, folder, &m->costs[i]);
        if (!status) read_more(launches, folder, &m->costs[i]);
        if (!status) read_more(traced_launches, folder, &m->traced[i]);
    }
    for (int i = 0; i < TIMELINES && !status; i++) {
        fprintf(stderr, "%s", i ? "" : "copies, kernels, gaps ...\n");
        timeline_name(folder, i, timeline, sizeof timeline);
        status = tools_run(record, folder, "the timeline cannot be recorded");
        if (!status && !(m->timelines[i] = read_timeline(timeline))) status = VERDICT_CRASH;
    }
    return status == VERDICT_GRADER ? status : status ? VERDICT_CRASH : 0;
}

typedef struct Moved {
    int n;
} Moved;

static void moved(void *user, const char *section, const char *key, const char *before,
                  const char *after)
{
    Moved *m = user;
    char *end_a, *end_b;
    double a = strtod(before, &end_a), b = strtod(after, &end_b);
    if (!m->n++) printf("%-10s %-32s %14s %14s\n", "moved", "", "before", "now");
    printf("%-10s %-32s %14.30s %14.30s", section, key, before, after);
    if (!*end_a && !*end_b && a > 0) printf("  %+.1f%%", 100 * (b / a - 1));
    putchar('\n');
}

/* Writes beside the file first, then puts it in its place: what was there is never half
 * overwritten. */
static int write_model(Calibration *c, const char *path)
{
    char spare[PATH_MAX + 8];
    time_t now = time(NULL);
    struct tm when;
    char day[32] = "";
    if (localtime_r(&now, &when)) strftime(day, sizeof day, "%Y-%m-%d", &when);
    snprintf(spare, sizeof spare, "%s.new", path);
    FILE *file = fopen(spare, "we");
    int bad = !file;
    if (file) {
        /* three times in one line, and a model with a long line is refused */
        enum { FITS = 24 };
        const char *slash = strrchr(path, '/'), *shown = path;
        if (strlen(shown) > FITS && slash) shown = slash + 1;
        if (strlen(shown) > FITS) shown = "FILE";

        fprintf(file,
                "# %s, measured by `threelane calibrate` on %s.\n# Use it: " ENV_MODEL
                "=%s, or make ex43 "
                "MODEL=%s. To measure again and see what moved: threelane calibrate -o %s\n",
                c->model.card, day, shown, shown, shown);
        for (int i = 0; i < c->n_odd; i++) fprintf(file, "# note: %s\n", c->odd[i]);
        fputs("\n", file);
        bad = model_write(file, &c->model, calibration_remark, c) != 0;
        bad = fclose(file) != 0 || bad;
        bad = bad || rename(spare, path) != 0;
    }
    if (!bad) return 0;
    tools_say("%s cannot be written: %s", path, strerror(errno));
    unlink(spare);
    return VERDICT_USAGE;
}

/* A calibration of each timeline; how many, or 0 after saying why. */
static int calibrate(const char *path, const Measured *m, Calibration *to)
{
    char error[300], name[MODEL_TEXT];
    const char *slash = strrchr(path, '/');
    CalibrationInput in = {.properties = m->properties,
                           .n_costs = PROCESSES,
                           .n_traced = PROCESSES};
    int n = 0;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."),
             slash ? slash + 1 : path);
    for (int i = 0; i < PROCESSES; i++) {
        in.costs[i] = m->costs[i];
        in.traced[i] = m->traced[i];
    }
    for (int i = 0; i < TIMELINES && m->timelines[i]; i++) {
        in.timeline = m->timelines[i];
        if (!calibration_make(&to[n++], name, &in, error, sizeof error)) {
            tools_say("%s", error);
            return 0;
        }
    }
    return n;
}

static int write_all(const char *path, const Calibration *all, int n, const Model *before)
{
    static Calibration c;
    char error[PATH_MAX + 300];
    Model check;

    calibration_combine(&c, all, n);
    int status = write_model(&c, path);
    if (status) return status;
    if (model_load(&check, path, error, sizeof error)) {
        tools_say("what was measured is no sensible model: %s", error);
        return VERDICT_CRASH;
    }
    for (int i = 0; i < c.n_odd; i++) printf("note: %s\n", c.odd[i]);
    Moved changes = {0};
    if (before) model_differences(before, &check, moved, &changes);
    if (before && !changes.n) puts("nothing moved");
    printf("%s: %s, %.1f GB/s in, %.1f out, %.1f us a launch: written to %s\n",
           before ? "measured again" : "measured", check.card, check.h2d.bytes_per_ns,
           check.d2h.bytes_per_ns, (double)check.costs.launch / 1e3, path);
    return 0;
}

/* The texts of a measurement as files: properties.txt, costs1.txt .., traced1.txt ... which: from
 * 0. NULL after the last. */
static char **text_at(Measured *m, int which, const char *folder, char *path, size_t size)
{
    if (which > 2 * PROCESSES) return NULL;
    const char *name = which > PROCESSES ? "traced" : "costs";
    if (which == 0) snprintf(path, size, "%s/properties.txt", folder);
    else snprintf(path, size, "%s/%s%d.txt", folder, name, (which - 1) % PROCESSES + 1);
    return which == 0          ? &m->properties
           : which > PROCESSES ? &m->traced[which - PROCESSES - 1]
                               : &m->costs[which - 1];
}

static int put_aside(const char *keep, const char *folder, Measured *m)
{
    char path[PATH_MAX], **text;
    for (int i = 0; i < TIMELINES; i++) {
        const char *words[] = {"cp", timeline_name(folder, i, path, sizeof path), keep, NULL};
        if (tools_run(words, folder, "the timeline cannot be kept")) return VERDICT_USAGE;
    }
    for (int i = 0; (text = text_at(m, i, keep, path, sizeof path)); i++) {
        FILE *file = fopen(path, "we");
        bool bad = !file || fputs(*text, file) < 0;
        if ((file && fclose(file) != 0) || bad) {
            tools_say("%s cannot be written: %s", path, strerror(errno));
            return VERDICT_USAGE;
        }
    }
    return 0;
}

/* What --keep put aside. */
static int read_again(const char *from, Measured *m)
{
    enum { LARGEST = 1 << 16 };
    char name[PATH_MAX], **text;
    for (int i = 0; (text = text_at(m, i, from, name, sizeof name)); i++) {
        FILE *file = fopen(name, "re");
        if (!file) {
            tools_say("%s: %s; --from takes a folder that --keep has filled", name,
                      strerror(errno));
            return VERDICT_USAGE;
        }
        *text = calloc(1, LARGEST + 1);
        if (*text) (*text)[fread(*text, 1, LARGEST, file)] = '\0';
        fclose(file);
        if (!*text) return VERDICT_CRASH;
    }
    for (int i = 0; i < TIMELINES; i++) {
        if (i && access(timeline_name(from, i, name, sizeof name), R_OK) != 0) break;
        if (!(m->timelines[i] = read_timeline(timeline_name(from, i, name, sizeof name))))
            return VERDICT_USAGE;
    }
    return 0;
}

/* What was typed. */
typedef struct Asked {
    const char *path, *keep;
    const char *from[MOST_FOLDERS];
    int n_from;
} Asked;

static int read_words(int argc, char **argv, Asked *a)
{
    *a = (Asked){.path = "calibrated.ini"};
    for (int i = 1; i < argc; i++) {
        const char **to = !strcmp(argv[i], "-o") || !strcmp(argv[i], "--output") ? &a->path
                          : !strcmp(argv[i], "--keep")                           ? &a->keep
                          : !strcmp(argv[i], "--from") && a->n_from < MOST_FOLDERS
                              ? &a->from[a->n_from++]
                              : NULL;
        if (to && i + 1 < argc) {
            *to = argv[++i];
        } else if (!strncmp(argv[i], "--output=", 9)) {
            a->path = argv[i] + 9;
        } else {
            tools_say("calibrate does not take %s; " SYNOPSIS, argv[i]);
            return VERDICT_USAGE;
        }
    }
    if (a->keep && access(a->keep, W_OK) != 0) {
        tools_say("%s: no folder that can be written", a->keep);
        return VERDICT_USAGE;
    }
    size_t length = strlen(a->path);
    if (length < 5 || strcmp(a->path + length - 4, ".ini") != 0) {
        tools_say("%s: a device model's name ends in .ini", a->path);
        return VERDICT_USAGE;
    }
    return 0;
}

/* Models from what was measured and kept before. *n: how many there are then. */
static int calibrate_kept(const Asked *a, Calibration *all, int *n)
{
    int status = 0;
    for (int i = 0; i < a->n_from && !status; i++) {
        Measured m = {0};
        status = read_again(a->from[i], &m);
        int more = status ? 0 : calibrate(a->path, &m, &all[*n]);
        if (!status && !more) status = VERDICT_CRASH;
        *n += more;
        measured_release(&m);
    }
    return status;
}

/* Measures on the card that is here. *n: how many models come of it. */
static int calibrate_here(const Asked *a, Calibration *all, int *n)
{
    char folder[PATH_MAX], probe[PATH_MAX], first[PATH_MAX];
    if (!tools_driver()) {
        tools_say("there is no NVIDIA driver here (libcuda.so.1), so nothing to measure; "
                  "`threelane doctor` says more");
        return VERDICT_GRADER;
    }
    if (!tools_folder(folder, sizeof folder)) return VERDICT_GRADER;
    Measured m = {0};
    int status = build(folder, "", NULL, probe, sizeof probe);
    if (!status) status = build(folder, "-first", "-DFIRST_LAUNCHES", first, sizeof first);
    if (!status) status = measure(probe, first, folder, &m);
    if (!status && a->keep)
        status = put_aside(a->keep, folder, &m); /* first of all: it can be looked at again */
    if (!status && !(*n = calibrate(a->path, &m, all))) status = VERDICT_CRASH;
    measured_release(&m);
    tools_remove(folder);
    return status;
}

int gpu_calibrate(int argc, char **argv)
{
    static Calibration all[MOST_FOLDERS * TIMELINES];
    char error[PATH_MAX + 300];
    int n = 0;
    Asked a;
    Model before;
    int status = read_words(argc, argv, &a);
    if (status) return status;
    bool there = access(a.path, F_OK) == 0;
    if (there && model_load(&before, a.path, error, sizeof error)) {
        tools_say("%s; what is there is no device model and stays: name another file (-o), or "
                  "move it away",
                  error);
        return VERDICT_USAGE;
    }

    status = a.n_from ? calibrate_kept(&a, all, &n) : calibrate_here(&a, all, &n);
    return status ? status : write_all(a.path, all, n, there ? &before : NULL);
}
