/* confine.c - see confine.h. */
#include "grader/box/confine.h"
#include "common/limits.h"
#include "common/env.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/text.h"

static void see(Confined *c, const char *from, const char *to)
{
    memory_room(c->box.n_files, CONFINED_FILES);
    c->files[c->box.n_files++] = (BoxFile){from, to};
}

/* An open file comes after the others; its number in the box. */
static int descriptor(Confined *c, int fd)
{
    size_t n = c->n_fds;
    memory_room(n, CONFINED_FDS);
    c->fds[n] = fd;
    if (fd < 0) return -1;
    c->box.n_fds = ++c->n_fds;
    return BOX_FIRST_FD + (int)n;
}

static int output(Confined *c, const char *path, int flags)
{
    return descriptor(c, open(path, flags | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

/* They are freed with it; those that were there before are freed now. */
static void put_words(char **to, char *const *words, size_t n)
{
    memory_room(n, CONFINED_WORDS);
    for (size_t i = 0; i < CONFINED_WORDS; i++) {
        free(to[i]);
        to[i] = i < n ? words[i] : NULL;
    }
}

/* Besides those that are there. */
static void more_variables(Confined *c, char *const *more)
{
    size_t n = 0;
    while (c->env[n]) n++;
    for (; more && *more; more++) {
        memory_room(n, CONFINED_WORDS - 1);
        c->env[n++] = memory_copy(*more);
    }
}

static bool on_virtual(Confined *c, const ConfineOptions *o)
{
    bool file = strchr(o->model, '/') != NULL;
    see(c, o->program, "/program");
    if (file) see(c, o->model, "/model.ini");
    int log = output(c, o->log, O_WRONLY);
    if (log < 0) return false;
    char *const words[] = {memory_copy(box_path(&c->box, 0))};
    char *const variables[] = {memory_format(ENV_LOG "=fd:%d", log),
                               memory_format(ENV_MODEL "=%s",
                                             file ? box_path(&c->box, 1) : o->model),
                               memory_format(ENV_INPUT "=%llu", o->seed)};
    put_words(c->argv, words, sizeof words / sizeof *words);
    put_words(c->env, variables, sizeof variables / sizeof *variables);
    return true;
}

/* A file of the host's that is seen under a name of ours. */
static const char *seen_as(Confined *c, size_t *made, char *name)
{
    memory_room(*made, CONFINED_FILES);
    return c->made[(*made)++] = name;
}

static bool on_player(Confined *c, const ConfineOptions *o)
{
    bool file = strchr(o->model, '/') != NULL;
    bool mounted = o->sandbox->level == SANDBOX_NAMESPACES;
    size_t made = 0;
    see(c, o->program, "/player");
    if (file) see(c, o->model, "/model.ini");
    /* Messages name memory after the variable that its allocation stands beside. What a name
     * without a folder is relative to is one folder in the box. */
    if (o->source && access(o->source, R_OK) == 0)
        see(c, o->source,
            seen_as(c, &made,
                    memory_format("%s%s", o->named[0] == '/' ? "" : "/sources/", o->named)));
    if (o->harness && access(o->harness, R_OK) == 0) {
        const char *harness = seen_as(c, &made, memory_copy(o->harness));
        see(c, harness, harness);
    }

    int log = descriptor(c, open(o->log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)),
        trace = output(c, o->trace, O_RDWR), results = output(c, o->results, O_WRONLY | O_APPEND),
        values = output(c, o->values, O_WRONLY | O_APPEND),
        outcome = output(c, o->outcome, O_WRONLY | O_APPEND);
    if (log < 0 || trace < 0 || results < 0 || values < 0 || outcome < 0) return false;
    char here[4096];
    const char *sources = mounted ? "/sources" : getcwd(here, sizeof here);
    char *const words[] = {memory_copy(box_path(&c->box, 0))};
    char *const variables[] = {memory_format(ENV_PLAY "=fd:%d", log),
                               memory_format(ENV_PLAY_SOURCE "=%s", o->named),
                               memory_format(ENV_TRACE "=fd:%d", trace),
                               memory_format(ENV_RESULTS "=fd:%d", results),
                               memory_format(ENV_VALUES "=fd:%d", values),
                               memory_format(ENV_OUTCOME "=fd:%d", outcome),
                               memory_format(ENV_SOURCES "=%s", sources ? sources : "/"),
                               memory_format(ENV_MODEL "=%s",
                                             file ? box_path(&c->box, 1) : o->model),
                               memory_format(ENV_INPUT "=%llu", o->seed)};
    put_words(c->argv, words, sizeof words / sizeof *words);
    put_words(c->env, variables, sizeof variables / sizeof *variables);
    return true;
}

/* The tracer, where it is used from: named, or beside the command. */
static char *tracer_of(const Card *card)
{
    const char *named = getenv(ENV_TRACER), *slash = strrchr(card->command, '/');
    char *beside = memory_format("%.*slibthreelane_trace.so",
                                 (int)(slash ? slash + 1 - card->command : 0), card->command);
    char *full = realpath(named && *named ? named : beside, NULL);
    free(beside);
    return full;
}

enum { COMMAND, TRACER, PROGRAM }; /* the files of a box with a card */

static bool on_card(Confined *c, const ConfineOptions *o)
{
    const Card *card = o->card;
    size_t made = 0;
    char *command = c->made[made++] = realpath(card->command, NULL),
         *tracer = c->made[made++] = tracer_of(card);
    if (!command || !tracer) return false;
    see(c, command, "/threelane/threelane-gpu");
    see(c, tracer, "/threelane/libthreelane_trace.so");
    see(c, o->program, "/program");
    /* where they are outside, since one is compiled into what looks for it */
    const char *folders[] = {card->driver, card->cupti};
    Text libraries = {0};
    for (size_t i = 0; i < 2; i++) {
        if (!folders[i]) continue;
        text_printf(&libraries, "%s%s", libraries.length ? ":" : "", folders[i]);
        if (strncmp(folders[i], "/usr/lib", 8) && strncmp(folders[i], "/lib", 4))
            see(c, folders[i], folders[i]);
    }
    int trace = output(c, o->trace, O_RDWR), results = output(c, o->results, O_WRONLY),
        values = output(c, o->values, O_WRONLY);
    if (trace >= 0 && results >= 0 && values >= 0) {
        const char *order = getenv(ENV_CUDA_ORDER);
        char *const words[] = {memory_copy(box_path(&c->box, COMMAND)),
                               memory_copy("trace"),
                               memory_copy("-q"),
                               memory_copy("-o"),
                               memory_format("fd:%d", trace),
                               memory_copy("--"),
                               memory_copy(box_path(&c->box, PROGRAM))};
        char *const variables[] = {memory_format(ENV_TRACER "=%s", box_path(&c->box, TRACER)),
                                   memory_format(ENV_RESULTS "=fd:%d", results),
                                   memory_format(ENV_VALUES "=fd:%d", values),
                                   memory_format(ENV_MODEL "=%s", o->model),
                                   memory_format(ENV_INPUT "=%llu", o->seed),
                                   memory_format("CUDA_VISIBLE_DEVICES=%s", card->visible),
                                   memory_format("CUDA_DEVICE_ORDER=%s",
                                                 order && *order ? order : "FASTEST_FIRST"),
                                   memory_format("LD_LIBRARY_PATH=%s", text_string(&libraries)),
                                   memory_copy("CUDA_CACHE_DISABLE=1"),
                                   memory_format(ENV_CUPTI "=%s", card->cupti ? card->cupti : "")};
        put_words(c->argv, words, sizeof words / sizeof *words);
        put_words(c->env, variables, sizeof variables / sizeof *variables);
    }
    text_release(&libraries);
    return c->argv[0] != NULL;
}

static bool confine_as(Confined *c, Job *job, const ConfineOptions *o,
                       bool prepare(Confined *, const ConfineOptions *))
{
    *c = (Confined){.box = {.sandbox = o->sandbox,
                            .purpose = BOX_RUN,
                            .scratch = o->folder,
                            .scratch_bytes = LIMIT_BOX_SCRATCH,
                            .gpu = o->card != NULL}};
    c->box.files = c->files;
    c->box.fds = c->fds;
    if (!prepare(c, o)) return false;
    more_variables(c, o->env);
    job->argv = c->argv;
    job->env = c->env;
    job->folder = NULL;
    job->box = &c->box;
    return true;
}

bool confine(Confined *c, Job *job, const ConfineOptions *o)
{
    if (!o->card) job->limits.file_bytes = LIMIT_BOX_SCRATCH;
    return confine_as(c, job, o, o->card ? on_card : on_virtual);
}

bool confine_player(Confined *c, Job *job, const ConfineOptions *o)
{
    job->limits.file_bytes = LIMIT_PLAY_FILE;
    return confine_as(c, job, o, on_player);
}

void confine_sites(Confined *c, Job *job)
{
    char *const words[] = {memory_copy(box_path(&c->box, COMMAND)), memory_copy("sites"),
                           memory_format("fd:%d", BOX_FIRST_FD)};
    put_words(c->argv, words, sizeof words / sizeof *words);
    put_words(c->env, NULL, 0);
    c->box.gpu = false;
    c->box.n_fds = 1;
    job->argv = c->argv;
    job->env = c->env;
    job->box = &c->box;
}

void confined_ended(const Confined *c)
{
    for (size_t i = 0; i < c->n_fds; i++) {
        fcntl(c->fds[i], F_SETLEASE, F_UNLCK); /* with one, nobody may open it */
        fchmod(c->fds[i], 0600);
    }
}

void confined_release(Confined *c)
{
    for (size_t i = 0; i < c->n_fds; i++) close(c->fds[i]);
    put_words(c->argv, NULL, 0);
    put_words(c->env, NULL, 0);
    for (size_t i = 0; i < CONFINED_FILES; i++) free(c->made[i]);
    *c = (Confined){0};
}
