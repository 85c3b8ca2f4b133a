/* build.c - see build.h. */
#include "grader/build/build.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/env.h"
#include "common/folder.h"
#include "common/limits.h"
#include "grader/build/seam.h"
#include "grader/box/runner.h"
#include "grader/box/sandbox.h"

enum { MOST_ARGUMENTS = 64, MOST_VARIABLES = 6 };

/* ---- the tools ---- */
static char *find_in_path(const char *name)
{
    char **folders = list_split(getenv(ENV_PATH), ':', NULL), *found = NULL;
    for (size_t i = 0; folders[i] && !found; i++) {
        char *path = memory_format("%s/%s", folders[i], name);
        if (folders[i][0] && access(path, X_OK) == 0) found = realpath(path, NULL);
        free(path);
    }
    list_free(folders);
    return found;
}

char *build_find_tlcc(const Catalogue *catalogue)
{
    const char *named = getenv(ENV_TLCC);
    if (named && *named) return access(named, X_OK) == 0 ? realpath(named, NULL) : NULL;
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    while (length > 0 && own[length - 1] != '/') length--;
    char *beside = catalogue ? memory_format("%s/tlcc", catalogue->bin)
                             : memory_format("%.*stlcc", (int)(length > 0 ? length : 0), own);
    if (access(beside, X_OK) == 0) return beside;
    free(beside);
    return find_in_path("tlcc");
}

static void stamp_file(Hash *hash, const char *path)
{
    struct stat about;
    hash_add_string(hash, path);
    if (stat(path, &about) != 0) return;
    hash_add(hash, &about.st_size, sizeof about.st_size);
    hash_add(hash, &about.st_mtim, sizeof about.st_mtim);
    hash_add(hash, &about.st_ino, sizeof about.st_ino);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void stamp_folder(Hash *hash, const char *path, int depth)
{
    struct dirent **entries;
    int n = depth < 8 ? scandir(path, &entries, NULL, by_name) : -1;
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') {
            char *inside = memory_format("%s/%s", path, entries[i]->d_name);
            stamp_file(hash, inside);
            if (entries[i]->d_type == DT_DIR || entries[i]->d_type == DT_LNK || entries[i]->d_type == DT_UNKNOWN) {
                stamp_folder(hash, inside, depth + 1);
            }
            free(inside);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

static void stamp_tools(Workshop *workshop)
{
    workshop->tools = hash_start();
    stamp_file(&workshop->tools, workshop->tlcc);
    const char *variables[] = {ENV_USER_CXX, ENV_USER_CC, ENV_CPATH, ENV_CPLUS_INCLUDE_PATH, ENV_CXX, ENV_HOME};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        hash_add_string(&workshop->tools, value ? value : "");
    }
    const char *home = getenv(ENV_HOME);
    char *bin = memory_copy(workshop->tlcc), *slash = strrchr(bin, '/');
    if (slash) *slash = 0;
    char *homes[] = {memory_copy(home && *home ? home : "/nonexistent"), memory_format("%s/../lib/threelane", bin),
                     memory_format("%s/../build/lib/threelane", bin)};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        stamp_folder(&workshop->tools, homes[i], 0);
        free(homes[i]);
    }
    free(bin);
}

/* Files of the cache that nobody has used for a month are removed: each change of a header leaves some behind. */
static void prune(const char *cache)
{
    enum { KEEP_SECONDS = 30 * 24 * 3600 };
    time_t now = time(NULL);
    DIR *dir = opendir(cache);
    for (struct dirent *entry; dir && (entry = readdir(dir)); ) {
        char *path = memory_format("%s/%s", cache, entry->d_name);
        struct stat about;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && now - about.st_atime > KEEP_SECONDS &&
            now - about.st_mtime > KEEP_SECONDS) unlink(path);
        free(path);
    }
    if (dir) closedir(dir);
}

static int lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

/* Folders of commands that were killed before they could clean up. (A moment's age: one may have been made just now,
 * and not be locked yet.) */
static void prune_work(const char *state)
{
    enum { MOMENT_SECONDS = 2 };
    DIR *dir = opendir(state);
    for (struct dirent *entry; dir && (entry = readdir(dir)); ) {
        char *path = memory_format("%s/%s", state, entry->d_name);
        struct stat about;
        bool work = !strncmp(entry->d_name, "work-", 5) && lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
        int lock = work && time(NULL) - about.st_mtime > MOMENT_SECONDS ? lock_folder(path) : -1;
        if (lock >= 0) {
            folder_remove(path);
            close(lock);
        }
        free(path);
    }
    if (dir) closedir(dir);
}

bool workshop_open(Workshop *workshop, const Catalogue *catalogue, char *error, size_t error_size)
{
    *workshop = (Workshop){.catalogue = catalogue, .lock = -1, .parallel = jobs_processors()};
    workshop->tlcc = build_find_tlcc(catalogue);
    if (!workshop->tlcc) {
        snprintf(error, error_size,
                 "the compiler tlcc was not found (beside threelane, in PATH, or as " ENV_TLCC "): "
                 "build it with `make`");
        return false;
    }
    char *cache = memory_format("%s/cache", catalogue->state);
    int failed = folder_make(cache);
    if (!failed && access(cache, W_OK | X_OK) != 0) failed = errno;
    const char *temporary = getenv(ENV_TMPDIR);
    workshop->work = failed ? memory_format("%s/threelane-XXXXXX", temporary && *temporary ? temporary : "/tmp")
                            : memory_format("%s/work-XXXXXX", catalogue->state);
    if (!mkdtemp(workshop->work)) {
        snprintf(error, error_size, "%s: %s: a folder to work in is needed; set TMPDIR to one", workshop->work,
                 strerror(errno));
        free(cache);
        free(workshop->work);
        workshop->work = NULL;
        return false;
    }
    workshop->lock = lock_folder(workshop->work);
    if (failed) {
        workshop->warning = memory_format("%s cannot be written (%s): nothing is kept between runs", catalogue->state,
                                          strerror(failed));
        free(cache);
        cache = memory_format("%s/cache", workshop->work);
        folder_make(cache);
    }
    workshop->cache = cache;
    if (!failed) {
        prune(cache);
        prune_work(catalogue->state);
    }
    stamp_tools(workshop);
    return true;
}

void workshop_use(Workshop *workshop, const Card *card)
{
    workshop->card = card;
    workshop->tools = hash_start();
    stamp_file(&workshop->tools, card->nvcc);
    hash_add_string(&workshop->tools, card->arch);
    const char *variables[] = {ENV_NVCC_PREPEND, ENV_NVCC_APPEND, ENV_NVCC_CCBIN, ENV_CPATH, ENV_CPLUS_INCLUDE_PATH};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        hash_add_string(&workshop->tools, value ? value : "");
    }
}

void workshop_close(Workshop *workshop)
{
    if (workshop->work) folder_remove(workshop->work);
    if (workshop->work && workshop->lock >= 0) close(workshop->lock);
    free(workshop->work);
    free(workshop->cache);
    free(workshop->tlcc);
    free(workshop->warning);
    *workshop = (Workshop){0};
}

/* ---- compiling ---- */
typedef struct Command {
    char *argv[MOST_ARGUMENTS];
    size_t n;
    Box *box;                   /* NULL: runs like all our commands */
    const char *folder;         /* box: where, inside */
    int output;                 /* box: its only way out, open for writing */
    char *env[MOST_VARIABLES];  /* box: besides the box's own */
} Command;

static void argument(Command *command, char *word)
{
    if (command->n + 1 < MOST_ARGUMENTS) command->argv[command->n++] = word;
    else free(word);
}

/* A file that is called like an option, or like a file of options, is none. Takes the name. */
static char *no_option(char *name)
{
    if (name[0] != '-' && name[0] != '@') return name;
    char *path = memory_format("./%s", name);
    free(name);
    return path;
}

static void nvcc_flags(Command *command, const Card *card)
{
    static const char *const flags[] = {"-O2", "-g", "-lineinfo", "-std=c++17", "-Xcompiler", "-pthread"};
    argument(command, memory_format("-arch=%s", card->arch));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) argument(command, memory_copy(flags[i]));
}

static void run_arguments(Command *command, const ExerciseRun *run)
{
    argument(command, memory_copy("-Xcompiler"));
    argument(command, memory_copy("-fPIE"));
    for (size_t i = 0; i < run->n_params; i++)
        argument(command, memory_format("-D%s=%s", run->params[i].name, run->params[i].value));
}

static void command_start(Command *command, const Workshop *workshop, const Build *build)
{
    const Catalogue *catalogue = workshop->catalogue;
    char *folder = catalogue_relative(catalogue, build->exercise->folder);
    char *exercises = catalogue_relative(catalogue, catalogue->exercises);
    *command = (Command){0};
    argument(command, memory_copy(workshop->card ? workshop->card->nvcc : workshop->tlcc));
    if (workshop->card) nvcc_flags(command, workshop->card);
    argument(command, memory_format("-I%s", folder));
    argument(command, memory_format("-I%s", exercises));
    run_arguments(command, build->run);
    free(folder);
    free(exercises);
}

static void command_release(Command *command)
{
    for (size_t i = 0; i < command->n; i++) free(command->argv[i]);
    if (command->box) {
        for (size_t i = 0; i < command->box->n_files; i++) {
            free((char *)command->box->files[i].from);
            free((char *)command->box->files[i].to);
        }
        free((BoxFile *)command->box->files);
        free((char *)command->box->scratch);
        for (size_t i = 0; i < MOST_VARIABLES; i++) free(command->env[i]);
        free(command->box);
        if (command->output >= 0) close(command->output);
    }
}

static void hash_file(Hash *hash, const char *path)
{
    Text text = {0};
    hash_add_string(hash, path);
    if (text_read_file(&text, path, LIMIT_SOURCE) == 0) hash_add(hash, text_string(&text), text.length);
    text_release(&text);
}

static void hash_headers(Hash *hash, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        if (dot && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh") || !strcmp(dot, ".hpp"))) {
            char *path = memory_format("%s/%s", folder, entries[i]->d_name);
            hash_file(hash, path);
            free(path);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* Everything that the harness's object depends on. */
static Hash harness_hash(const Workshop *workshop, const Build *build)
{
    Hash hash = workshop->tools;
    char *harness = exercise_file(build->exercise, "harness.cu");
    hash_file(&hash, harness);
    hash_headers(&hash, build->exercise->folder);
    hash_headers(&hash, workshop->catalogue->exercises);
    for (size_t i = 0; i < build->run->n_params; i++) {
        hash_add_string(&hash, build->run->params[i].name);
        hash_add_string(&hash, build->run->params[i].value);
    }
    free(harness);
    return hash;
}

char *build_solution(const Exercise *e, const ExerciseRun *run)
{
    char *source = exercise_file(e, "solution.cu"), name[33];
    if (access(source, F_OK) == 0) return source;
    free(source);
    Hash hash = hash_start();
    for (size_t i = 0; i < run->n_params; i++) {
        hash_add_string(&hash, run->params[i].name);
        hash_add_string(&hash, run->params[i].value);
    }
    hash_name(&hash, name);
    char *file = memory_format("solution/%s.o", name), *path = exercise_file(e, file);
    free(file);
    return path;
}

static bool finished(const Job *job)
{
    return job->end == JOB_EXITED && job->status == 0;
}

static void explain(const Workshop *workshop, const Job *job, Text *output)
{
    const char *compiler = workshop->card ? "nvcc" : "tlcc";
    if (output->length && text_string(output)[output->length - 1] != '\n') text_add(output, "\n");
    switch (job->end) {
    case JOB_NOT_STARTED:
        text_printf(output, "%s could not be started: %s\n", job->argv[0], strerror(job->status));
        break;
    case JOB_SIGNALED:
        text_printf(output, "%s was ended by signal %d (%s)\n", compiler, job->status, strsignal(job->status));
        break;
    case JOB_TIMEOUT:
        text_printf(output, "%s did not come to an end within %g s and was stopped\n", compiler, job->limits.seconds);
        break;
    case JOB_MEMORY: case JOB_PROCESSES: case JOB_FILE:
        text_printf(output, "%s was stopped: it needed too %s\n", compiler, job->end == JOB_MEMORY ? "much memory"
                    : job->end == JOB_FILE ? "large a file" : "many processes");
        break;
    case JOB_OUTPUT: text_printf(output, "%s was stopped: too many messages\n", compiler); break;
    default: if (!output->length) text_printf(output, "%s ended with status %d\n", compiler, job->status); break;
    }
}

/* What it means that a compiler failed that was to say `failure` of a bad source. */
static BuildState failed_state(const Job *job, BuildState failure)
{
    switch (job->end) {
    case JOB_NOT_STARTED: case JOB_SIGNALED: return BUILD_TOOL_ERROR;
    case JOB_TIMEOUT: return failure == BUILD_STUDENT_ERROR ? BUILD_TIMEOUT : failure;
    case JOB_MEMORY: case JOB_PROCESSES: case JOB_FILE: return failure == BUILD_STUDENT_ERROR ? BUILD_LIMIT : failure;
    default: return failure;
    }
}

/* Runs the commands; a job per build that is still waiting for one. */
static bool run_commands(Workshop *workshop, Build *builds, Command *commands, Job *jobs, size_t n, BuildState failure)
{
    for (size_t i = 0; i < n; i++) {
        jobs[i] = (Job){.argv = commands[i].argv, .folder = workshop->catalogue->root,
                        .limits = {.seconds = LIMIT_COMPILE_SECONDS, .output_bytes = LIMIT_COMPILE_OUTPUT}};
        if (commands[i].box) {
            jobs[i].folder = commands[i].folder;
            jobs[i].box = commands[i].box;
            jobs[i].limits.seconds = builds[i].seconds > 0 ? builds[i].seconds
                                     : workshop->card ? LIMIT_BOX_NVCC_SECONDS : LIMIT_BOX_COMPILE_SECONDS;
            jobs[i].env = commands[i].env;
            jobs[i].limits.file_bytes = LIMIT_BOX_COMPILE_BYTES;
        }
    }
    Job *wanted = memory_get(n, sizeof *wanted);
    size_t *of = memory_get(n, sizeof *of), live = 0;
    for (size_t i = 0; i < n; i++) {
        if (commands[i].n) of[live] = i, wanted[live++] = jobs[i];
    }
    bool done = jobs_run(wanted, live, workshop->parallel);
    for (size_t j = 0; j < live && done; j++) {
        Build *build = &builds[of[j]];
        text_append(&build->output, text_string(&wanted[j].output), wanted[j].output.length);
        if (!finished(&wanted[j])) {
            build->state = failed_state(&wanted[j], failure);
            explain(workshop, &wanted[j], &build->output);
        }
    }
    for (size_t j = 0; j < live; j++) text_release(&wanted[j].output);
    free(wanted);
    free(of);
    return done;
}

static bool make_harnesses(Workshop *workshop, Build *builds, char **objects, size_t n)
{
    Command *commands = memory_get(n, sizeof *commands);
    Job *jobs = memory_get(n, sizeof *jobs);
    char **temporary = memory_get(n, sizeof *temporary);
    for (size_t i = 0; i < n; i++) {
        bool asked = access(objects[i], R_OK) == 0;
        for (size_t j = 0; j < i && !asked; j++) asked = !strcmp(objects[j], objects[i]);
        if (asked) continue;
        char *harness = exercise_file(builds[i].exercise, "harness.cu");
        char *shown = catalogue_relative(workshop->catalogue, harness);
        temporary[i] = memory_format("%s/harness%zu.o", workshop->work, i);
        command_start(&commands[i], workshop, &builds[i]);
        argument(&commands[i], memory_copy("-c"));
        argument(&commands[i], shown);
        argument(&commands[i], memory_copy("-o"));
        argument(&commands[i], memory_copy(temporary[i]));
        free(harness);
    }
    bool done = run_commands(workshop, builds, commands, jobs, n, BUILD_HARNESS_ERROR);
    for (size_t i = 0; i < n; i++) {
        if (done && commands[i].n && builds[i].state == BUILD_OK) {
            text_clear(&builds[i].output);      /* warnings about the harness are not for students */
            rename(temporary[i], objects[i]);
        }
        command_release(&commands[i]);
        free(temporary[i]);
    }
    for (size_t i = 0; i < n && done; i++) {
        if (builds[i].state == BUILD_OK && access(objects[i], R_OK) != 0) builds[i].state = BUILD_HARNESS_ERROR;
    }
    free(commands);
    free(jobs);
    free(temporary);
    return done;
}

/* ---- programs that are not trusted: the seam between harness and student (grader/TRUST.md) ---- */

/* What lies beside a harness's object in the cache. */
static char *beside(const char *object, const char *what) { return memory_format("%s.%s", object, what); }

typedef struct Seam { char *glue, *renames, *seam, *box, *half, *player; Text symbols; } Seam;

/* The player's own addresses must not be known to who writes a log, and no address may look like a small number. */
static void link_anywhere(Command *command)
{
    argument(command, memory_copy("-Xcompiler"));
    argument(command, memory_copy("-pie"));
}

typedef enum SeamStep { SEAM_SYMBOLS, SEAM_NAMES, SEAM_RENAME, SEAM_BOX, SEAM_HALF, SEAM_PLAYER, SEAM_STEPS } SeamStep;

static void seam_command(Command *command, const Workshop *workshop, const Build *build, const Seam *seam,
                         const char *object, SeamStep step, const char *nm, const char *objcopy)
{
    *command = (Command){0};
    switch (step) {
    case SEAM_SYMBOLS: case SEAM_NAMES:
        argument(command, memory_copy(nm));
        argument(command, memory_copy("-p"));
        if (step == SEAM_NAMES) argument(command, memory_copy("-C"));
        argument(command, memory_copy(object));
        break;
    case SEAM_RENAME:
        argument(command, memory_copy(objcopy));
        argument(command, memory_format("--redefine-syms=%s", seam->renames));
        argument(command, memory_copy("--rename-section=.data=threelane_own_data"));
        argument(command, memory_copy("--rename-section=.bss=threelane_own_bss"));
        argument(command, memory_copy(object));
        argument(command, memory_copy(seam->seam));
        break;
    case SEAM_BOX: case SEAM_HALF:
        command_start(command, workshop, build);
        if (step == SEAM_HALF) argument(command, memory_copy("-D" "THREELANE_PLAYER"));
        argument(command, memory_copy("-std=c++17"));
        argument(command, memory_copy("--plain"));
        argument(command, memory_copy("-c"));
        argument(command, memory_copy(seam->glue));
        argument(command, memory_copy("-o"));
        argument(command, memory_copy(step == SEAM_BOX ? seam->box : seam->half));
        break;
    default:
        command_start(command, workshop, build);
        link_anywhere(command);
        argument(command, memory_copy(seam->seam));
        argument(command, memory_copy(seam->half));
        argument(command, memory_copy("-o"));
        argument(command, memory_copy(seam->player));
    }
}

static bool write_glue(const Workshop *workshop, Build *build, Seam *seam)
{
    Text header = {0}, source = {0}, renames = {0};
    char error[400];
    char *name = memory_format("%s.h", build->exercise->id), *path = exercise_file(build->exercise, name);
    int unread = text_read_file(&header, path, LIMIT_SOURCE);
    if (unread) snprintf(error, sizeof error, "%.300s: %s", path, strerror(unread));
    bool fine = !unread && glue_write(&source, &renames, name, text_string(&header), text_string(&seam->symbols),
                                      text_string(&build->output), error, sizeof error);
    text_clear(&build->output);
    if (fine) {
        int failed = text_write_file(seam->glue, text_string(&source), source.length);
        if (!failed) failed = text_write_file(seam->renames, text_string(&renames), renames.length);
        if (failed) snprintf(error, sizeof error, "%.300s: %s", workshop->work, strerror(failed));
        fine = !failed;
    }
    if (!fine) {
        build->state = BUILD_HARNESS_ERROR;
        text_printf(&build->output, "%s\n", error);
    }
    text_release(&header);
    text_release(&source);
    text_release(&renames);
    free(name);
    free(path);
    return fine;
}

/* The renamed harness, the box's half of the seam and the player, all in the cache. */
static bool make_seams(Workshop *workshop, Build *builds, char **objects, size_t n)
{
    char *nm = find_in_path("nm"), *objcopy = find_in_path("objcopy");
    Seam *seams = memory_get(n, sizeof *seams);
    bool *wanted = memory_get(n, sizeof *wanted), done = true;
    Command *commands = memory_get(n, sizeof *commands);
    Job *jobs = memory_get(n, sizeof *jobs);
    for (size_t i = 0; i < n; i++) {
        if (!builds[i].boxed || builds[i].state != BUILD_OK) continue;
        builds[i].player = beside(objects[i], "player");
        wanted[i] = access(builds[i].player, X_OK) != 0;
        for (size_t k = 0; k < i && wanted[i]; k++) wanted[i] = !wanted[k] || strcmp(objects[k], objects[i]) != 0;
        if (!wanted[i]) continue;
        seams[i] = (Seam){.glue = memory_format("%s/glue%zu.cu", workshop->work, i),
                          .renames = memory_format("%s/renames%zu", workshop->work, i),
                          .seam = memory_format("%s/seam%zu.o", workshop->work, i),
                          .box = memory_format("%s/box%zu.o", workshop->work, i),
                          .half = memory_format("%s/half%zu.o", workshop->work, i),
                          .player = memory_format("%s/player%zu", workshop->work, i)};
        if (!nm || !objcopy) {
            builds[i].state = BUILD_TOOL_ERROR;
            text_add(&builds[i].output, "nm and objcopy (binutils) are needed\n");
        }
    }
    for (SeamStep step = 0; step < SEAM_STEPS && done; step++) {
        for (size_t i = 0; i < n; i++) {
            commands[i] = (Command){0};
            if (!wanted[i] || builds[i].state != BUILD_OK) continue;
            if (step == SEAM_NAMES) {
                seams[i].symbols = builds[i].output;
                builds[i].output = (Text){0};
            }
            if (step == SEAM_RENAME && !write_glue(workshop, &builds[i], &seams[i])) continue;
            seam_command(&commands[i], workshop, &builds[i], &seams[i], objects[i], step, nm, objcopy);
        }
        done = run_commands(workshop, builds, commands, jobs, n, BUILD_HARNESS_ERROR);
        for (size_t i = 0; i < n; i++) command_release(&commands[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (wanted[i] && done && builds[i].state == BUILD_OK) {
            char *seam = beside(objects[i], "seam.o"), *box = beside(objects[i], "box.o");
            text_clear(&builds[i].output);
            /* the player comes last: where it is, the others are */
            if (rename(seams[i].seam, seam) || rename(seams[i].box, box) || rename(seams[i].player, builds[i].player)) {
                builds[i].state = BUILD_TOOL_ERROR;
                text_printf(&builds[i].output, "%s: %s\n", workshop->cache, strerror(errno));
            }
            free(seam);
            free(box);
        }
        free(seams[i].glue);
        free(seams[i].renames);
        free(seams[i].seam);
        free(seams[i].box);
        free(seams[i].half);
        free(seams[i].player);
        text_release(&seams[i].symbols);
    }
    for (size_t i = 0; i < n && done; i++) {
        if (builds[i].player && builds[i].state == BUILD_OK && access(builds[i].player, X_OK) != 0)
            builds[i].state = BUILD_HARNESS_ERROR;
    }
    free(seams);
    free(wanted);
    free(commands);
    free(jobs);
    free(nm);
    free(objcopy);
    return done;
}

/* ---- compiling what nobody has looked at ---- */
static void box_file(Box *box, char *from, char *to)
{
    BoxFile *files = memory_grow((BoxFile *)box->files, box->n_files + 1, sizeof *files);
    files[box->n_files++] = (BoxFile){from, to};
    box->files = files;
}

static void box_headers(Box *box, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        if (dot && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh") || !strcmp(dot, ".hpp")))
            box_file(box, memory_format("%s/%s", folder, entries[i]->d_name),
                     memory_format("/course/%s", entries[i]->d_name));
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* Where tlcc has its headers and library, as it looks for them itself. */
static char *tools_home(const Workshop *workshop)
{
    const char *named = getenv(ENV_HOME);
    if (named && *named) return realpath(named, NULL);
    static const char *const places[] = {"../lib/threelane", "../build/lib/threelane"};
    char *self = realpath(workshop->tlcc, NULL), *home = NULL;
    if (self) *strrchr(self, '/') = 0;
    for (size_t i = 0; self && i < 2 && !home; i++) {
        char *path = memory_format("%s/%s", self, places[i]), *inside = memory_format("%s/include/cuda_runtime.h", path);
        if (access(inside, R_OK) == 0) home = realpath(path, NULL);
        free(path);
        free(inside);
    }
    free(self);
    return home;
}

/* The CUDA toolkit that nvcc is of, to be seen in a box: the folder that nvcc's own `bin` is in, where it is a toolkit's
 * and not in a folder that is there anyway. False: nvcc is something else. The caller frees both. */
static bool toolkit_of(const Card *card, char **nvcc, char **tree)
{
    *nvcc = realpath(card->nvcc, NULL);
    *tree = NULL;
    if (!*nvcc) return false;
    if (!strncmp(*nvcc, "/usr/bin/", 9) || !strncmp(*nvcc, "/usr/lib/", 9)) return true;
    char *tail = strstr(*nvcc, "/bin/nvcc");
    if (!tail || tail == *nvcc || tail[9]) return false;
    char *profile = memory_format("%s.profile", *nvcc);
    bool whole = access(profile, R_OK) == 0;
    free(profile);
    if (whole) *tree = memory_format("%.*s", (int)(tail - *nvcc), *nvcc);
    return whole;
}

/* The compiler, with all it needs in the box. */
static bool box_tlcc(Command *command, const Workshop *workshop)
{
    char *home = tools_home(workshop), *inside = home ? memory_format("%s/include", home) : NULL;
    char *headers = inside ? realpath(inside, NULL) : NULL, *tlcc = headers ? realpath(workshop->tlcc, NULL) : NULL;
    free(inside);
    if (tlcc) {
        Box *box = command->box;
        char *precompiled = memory_format("%s/pch", home);
        box_file(box, tlcc, memory_copy("/threelane/bin/tlcc"));
        box_file(box, memory_format("%s/libthreelane.a", home), memory_copy("/threelane/lib/threelane/libthreelane.a"));
        box_file(box, headers, memory_copy("/threelane/lib/threelane/include"));
        if (access(precompiled, R_OK) == 0) box_file(box, precompiled, memory_copy("/threelane/lib/threelane/pch"));
        else free(precompiled);
        argument(command, memory_copy(box_path(box, 0)));
    } else {
        free(headers);
    }
    free(home);
    return tlcc != NULL;
}

static bool box_nvcc(Command *command, const Workshop *workshop)
{
    static const char *const passed_on[] = {ENV_NVCC_PREPEND, ENV_NVCC_APPEND, ENV_NVCC_CCBIN};
    char *nvcc, *tree;
    bool fine = toolkit_of(workshop->card, &nvcc, &tree);
    if (fine) {
        if (tree) box_file(command->box, tree, memory_copy(tree));
        argument(command, nvcc);
        nvcc_flags(command, workshop->card);
        for (size_t i = 0, n = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
            const char *value = getenv(passed_on[i]);
            if (value) command->env[n++] = memory_format("%s=%s", passed_on[i], value);
        }
    } else {
        free(nvcc);
        errno = ENOENT;
    }
    return fine;
}

/* In the box there are the compiler, the exercise's headers, what the program is linked from, and the source; the
 * program comes out through a descriptor. */
static bool compile_in_box(Command *command, const Workshop *workshop, const Build *build, const char *object,
                           const char *made)
{
    const Catalogue *catalogue = workshop->catalogue;
    *command = (Command){.box = memory_get(1, sizeof *command->box), .output = -1};
    Box *box = command->box;
    *box = (Box){.sandbox = build->sandbox, .purpose = BOX_COMPILE, .fds = &command->output, .n_fds = 1,
                 .scratch_bytes = LIMIT_BOX_COMPILE_BYTES, .scratch = memory_copy(workshop->work)};
    const char *slash = strrchr(build->source, '/'), *name = slash ? slash + 1 : build->source;
    bool mounted = build->sandbox->level == SANDBOX_NAMESPACES;
    argument(command, memory_copy("/bin/sh"));
    argument(command, memory_copy("-c"));
    argument(command, memory_format("\"$0\" \"$@\" -o \"$TMPDIR/%s\" && exec cat \"$TMPDIR/%s\" >&%d", build->key,
                                    build->key, BOX_FIRST_FD));
    if (!(workshop->card ? box_nvcc(command, workshop) : box_tlcc(command, workshop))) return false;
    argument(command, memory_format("-I%s", mounted ? "/course" : build->exercise->folder));
    if (!mounted) argument(command, memory_format("-I%s", catalogue->exercises));
    run_arguments(command, build->run);
    if (!workshop->card) link_anywhere(command);
    size_t source = box->n_files, parts = source + 1;
    box_file(box, memory_copy(build->source), memory_format("/course/source/%s", name));
    if (workshop->card) {
        box_file(box, memory_copy(object), memory_copy("/threelane/harness.o"));
    } else {
        box_file(box, beside(object, "box.o"), memory_copy("/threelane/box.o"));
        box_file(box, beside(object, "seam.o"), memory_copy("/threelane/seam.o"));
    }
    size_t after = box->n_files;
    box_headers(box, build->exercise->folder);
    box_headers(box, catalogue->exercises);
    /* by its bare name, so that messages name it so */
    if (mounted) command->folder = "/course/source";
    argument(command, no_option(memory_copy(mounted ? name : box_path(box, source))));
    for (size_t i = parts; i < after; i++) argument(command, memory_copy(box_path(box, i)));
    command->output = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    return command->output >= 0;
}

bool builds_make(Workshop *workshop, Build *builds, size_t n)
{
    char **objects = memory_get(n, sizeof *objects), **temporary = memory_get(n, sizeof *temporary);
    Command *commands = memory_get(n, sizeof *commands);
    Job *jobs = memory_get(n, sizeof *jobs);
    for (size_t i = 0; i < n; i++) {
        Build *build = &builds[i];
        char name[33];
        build->state = BUILD_OK;
        Hash hash = harness_hash(workshop, build);
        hash_name(&hash, name);
        objects[i] = memory_format("%s/%s.o", workshop->cache, name);
        hash_file(&hash, build->source);
        if (build->boxed) hash_add_string(&hash, "boxed");
        hash_name(&hash, build->key);
        build->program = build->keep ? memory_format("%s/%s", workshop->cache, build->key)
                                     : memory_format("%s/program-%s", workshop->work, build->key);
    }
    bool done = make_harnesses(workshop, builds, objects, n) && make_seams(workshop, builds, objects, n);
    for (size_t i = 0; i < n && done; i++) {
        Build *build = &builds[i];
        bool asked = build->state != BUILD_OK || (build->keep && access(build->program, X_OK) == 0);
        for (size_t j = 0; j < i && !asked; j++) asked = !strcmp(builds[j].program, build->program);
        if (asked) continue;
        temporary[i] = memory_format("%s/linked%zu", workshop->work, i);
        if (build->sandbox) {
            if (compile_in_box(&commands[i], workshop, build, objects[i], temporary[i])) continue;
            build->state = BUILD_TOOL_ERROR;
            text_printf(&build->output, "%s: nothing can be compiled in a sandbox: %s%s\n",
                        workshop->card ? workshop->card->nvcc : workshop->tlcc, strerror(errno),
                        workshop->card && errno == ENOENT ? " (NVCC has to name the nvcc in a CUDA Toolkit's bin)" : "");
            commands[i].n = 0;
            continue;
        }
        command_start(&commands[i], workshop, build);
        argument(&commands[i], no_option(catalogue_relative(workshop->catalogue, build->source)));
        if (build->boxed) link_anywhere(&commands[i]);
        if (build->boxed) argument(&commands[i], beside(objects[i], "box.o"));
        argument(&commands[i], build->boxed ? beside(objects[i], "seam.o") : memory_copy(objects[i]));
        argument(&commands[i], memory_copy("-o"));
        argument(&commands[i], memory_copy(temporary[i]));
    }
    /* What nobody has looked at is compiled once, and for the other runs only if that went well: a source that the
     * compiler never comes to an end with costs its time once. */
    size_t first = n && builds[0].sandbox && commands[0].n ? 1 : 0;
    if (done && first) done = run_commands(workshop, builds, commands, jobs, 1, BUILD_STUDENT_ERROR);
    for (size_t i = first; i < n && first && builds[0].state != BUILD_OK; i++) {
        if (!builds[i].sandbox || builds[i].state != BUILD_OK) continue;
        builds[i].state = builds[0].state;
        command_release(&commands[i]);
        commands[i] = (Command){0};
    }
    if (done) done = run_commands(workshop, builds + first, commands + first, jobs, n - first, BUILD_STUDENT_ERROR);
    for (size_t i = 0; i < n; i++) {
        if (done && commands[i].n && builds[i].state == BUILD_OK && rename(temporary[i], builds[i].program) != 0) {
            builds[i].state = BUILD_TOOL_ERROR;
            text_printf(&builds[i].output, "tlcc made no program: %s\n", strerror(errno));
        }
    }
    for (size_t i = 0; i < n; i++) {
        /* those that share a program share its fate */
        for (size_t j = 0; j < i && builds[i].state == BUILD_OK && !commands[i].n; j++) {
            if (!strcmp(builds[j].program, builds[i].program)) builds[i].state = builds[j].state;
        }
        command_release(&commands[i]);
        free(temporary[i]);
        free(objects[i]);
    }
    free(objects);
    free(temporary);
    free(commands);
    free(jobs);
    return done;
}

bool build_object(Workshop *workshop, Build *build, const char *object)
{
    Command command;
    Job job;
    const char *const more[] = {"-Xcompiler", "-g0", "-c", "-o", object};
    build->state = BUILD_OK;
    command_start(&command, workshop, build);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) argument(&command, memory_copy(more[i]));
    argument(&command, no_option(catalogue_relative(workshop->catalogue, build->source)));
    bool done = run_commands(workshop, build, &command, &job, 1, BUILD_STUDENT_ERROR);
    command_release(&command);
    return done;
}

void build_release(Build *build)
{
    free(build->program);
    free(build->player);
    build->player = NULL;
    text_release(&build->output);
    build->program = NULL;
}
