/* build_compile.c - a compiler's command line, and running several (build_internal.h). */
#include "grader/build/build_internal.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/env.h"

void compile_word(Compile *compile, char *word)
{
    compile->argv = memory_grow(compile->argv, compile->n + 2, sizeof *compile->argv);
    compile->argv[compile->n++] = word;
    compile->argv[compile->n] = NULL;
}

void compile_insert(Compile *compile, size_t at, char *word)
{
    compile_word(compile, NULL);
    for (size_t i = compile->n - 1; i > at; i--) compile->argv[i] = compile->argv[i - 1];
    compile->argv[at] = word;
}

char *compile_name(char *name)
{
    if (name[0] != '-' && name[0] != '@') return name;
    char *path = memory_format("./%s", name);
    free(name);
    return path;
}

void compile_nvcc_flags(Compile *compile, const Card *card)
{
    static const char *const flags[] = {"-O2",        "-g",         "-lineinfo",
                                        "-std=c++17", "-Xcompiler", "-pthread"};
    compile_word(compile, memory_format("-arch=%s", card->arch));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        compile_word(compile, memory_copy(flags[i]));
}

void compile_parameters(Compile *compile, const Build *build)
{
    const ExerciseRun *run = build->run;
    size_t n;
    char **options = list_split(build->exercise->options, ' ', &n);
    compile_word(compile, memory_copy("-Xcompiler"));
    compile_word(compile, memory_copy("-fPIE"));
    for (size_t i = 0; i < n; i++) {
        if (!strncmp(options[i], "-l", 2)) { /* stands before who needs it: some linkers drop it */
            compile_word(compile, memory_copy("-Xlinker"));
            compile_word(compile, memory_copy("--no-as-needed"));
        }
        compile_word(compile, memory_copy(options[i]));
    }
    list_free(options);
    for (size_t i = 0; i < run->n_params; i++)
        compile_word(compile, memory_format("-D%s=%s", run->params[i].name, run->params[i].value));
}

void compile_start(Compile *compile, const Workspace *workspace, const Build *build)
{
    const Catalogue *catalogue = workspace->catalogue;
    char *folder = catalogue_relative(catalogue, build->exercise->folder);
    char *exercises = catalogue_relative(catalogue, catalogue->exercises);
    *compile = (Compile){0};
    compile_word(compile, memory_copy(workspace->card ? workspace->card->nvcc : workspace->tlcc));
    if (workspace->card) compile_nvcc_flags(compile, workspace->card);
    compile_word(compile, memory_format("-I%s", folder));
    compile_word(compile, memory_format("-I%s", exercises));
    compile_parameters(compile, build);
    free(folder);
    free(exercises);
}

void compile_release(Compile *compile)
{
    for (size_t i = 0; i < compile->n; i++) free(compile->argv[i]);
    free(compile->argv);
    if (compile->box) {
        for (size_t i = 0; i < compile->box->n_files; i++) {
            free((char *)compile->box->files[i].from);
            free((char *)compile->box->files[i].to);
        }
        free((BoxFile *)compile->box->files);
        free((char *)compile->box->scratch);
        free(compile->folder);
        for (size_t i = 0; i < COMPILE_VARIABLES; i++) free(compile->env[i]);
        free(compile->box);
        if (compile->output >= 0) close(compile->output);
    }
}

void compile_anywhere(Compile *compile)
{
    compile_word(compile, memory_copy("-Xcompiler"));
    compile_word(compile, memory_copy("-pie"));
}

void compile_unnumbered(Compile *compile, const Workspace *workspace)
{
    if (workspace->card) return;
    compile_word(compile, memory_copy("-Xlinker"));
    compile_word(compile, memory_copy("--build-id=none"));
}

char *compile_tools(const Workspace *workspace)
{
    const char *named = getenv(ENV_HOME);
    if (named && *named) return realpath(named, NULL);
    static const char *const places[] = {"../lib/threelane", "../build/lib/threelane"};
    char *self = realpath(workspace->tlcc, NULL), *home = NULL;
    if (self) *strrchr(self, '/') = 0;
    for (size_t i = 0; self && i < 2 && !home; i++) {
        char *path = memory_format("%s/%s", self, places[i]),
             *inside = memory_format("%s/include/cuda_runtime.h", path);
        if (access(inside, R_OK) == 0) home = realpath(path, NULL);
        free(path);
        free(inside);
    }
    free(self);
    return home;
}

void compile_hides(Compile *compile, const char *folder, const char *as)
{
    if (!strcmp(folder, "/")) return;
    compile_word(compile, memory_copy("-Xcompiler"));
    compile_word(compile, memory_format("-ffile-prefix-map=%s=%s", folder, as));
}

void compile_hides_course(Compile *compile, const Workspace *workspace)
{
    if (workspace->card) return;
    compile_hides(compile, workspace->catalogue->root, "/course");
    compile_hides(compile, workspace->work, "/work"); /* the last one that fits counts */
    char *home = compile_tools(workspace), *path = home ? memory_format("%s/include", home) : NULL,
         *headers = path ? realpath(path, NULL) : NULL;
    if (headers) compile_hides(compile, headers, "/threelane/include");
    free(home);
    free(path);
    free(headers);
}

void compile_forgets_course(Compile *compile, const Workspace *workspace)
{
    const char *root = workspace->catalogue->root;
    if (workspace->card || !strcmp(root, "/")) return;
    compile_word(compile, memory_copy("-Xcompiler"));
    compile_word(compile, memory_format("-fdebug-prefix-map=%s=/course", root));
}

static bool finished(const Job *job) { return job->end == JOB_EXITED && job->status == 0; }

static void explain(const Workspace *workspace, const Job *job, Text *output)
{
    const char *compiler = workspace->card ? "nvcc" : "tlcc";
    if (output->length && text_string(output)[output->length - 1] != '\n') text_add(output, "\n");
    switch (job->end) {
    case JOB_NOT_STARTED:
        text_printf(output, "%s could not be started: %s\n", job->argv[0], strerror(job->status));
        break;
    case JOB_SIGNALED:
        text_printf(output, "%s was ended by signal %d (%s)\n", compiler, job->status,
                    strsignal(job->status));
        break;
    case JOB_TIMEOUT:
        text_printf(output, "%s did not come to an end within %g s and was stopped\n", compiler,
                    job->limits.seconds);
        break;
    case JOB_MEMORY:
    case JOB_PROCESSES:
    case JOB_FILE:
        text_printf(output, "%s was stopped: it needed too %s\n", compiler,
                    job->end == JOB_MEMORY ? "much memory"
                    : job->end == JOB_FILE ? "large a file"
                                           : "many processes");
        break;
    case JOB_OUTPUT: text_printf(output, "%s was stopped: too many messages\n", compiler); break;
    default:
        if (!output->length)
            text_printf(output, "%s ended with status %d\n", compiler, job->status);
        break;
    }
}

/* What it means that a compiler failed that was to say `failure` of a bad source. */
static BuildState failed_state(const Job *job, BuildState failure)
{
    switch (job->end) {
    case JOB_NOT_STARTED:
    case JOB_SIGNALED: return BUILD_TOOL_ERROR;
    case JOB_TIMEOUT: return failure == BUILD_STUDENT_ERROR ? BUILD_TIMEOUT : failure;
    case JOB_MEMORY:
    case JOB_PROCESSES:
    case JOB_FILE: return failure == BUILD_STUDENT_ERROR ? BUILD_LIMIT : failure;
    default: return failure;
    }
}

bool compile_all(Workspace *workspace, Build *builds, Compile *compiles, Job *jobs, size_t n,
                 BuildState failure)
{
    for (size_t i = 0; i < n; i++) {
        jobs[i] = (Job){.argv = compiles[i].argv,
                        .folder = workspace->catalogue->root,
                        .limits = {.seconds = LIMIT_COMPILE_SECONDS,
                                   .output_bytes = LIMIT_COMPILE_OUTPUT}};
        if (compiles[i].box) {
            jobs[i].folder = compiles[i].folder;
            jobs[i].box = compiles[i].box;
            jobs[i].limits.seconds = builds[i].seconds > 0 ? builds[i].seconds
                                     : workspace->card     ? LIMIT_BOX_NVCC_SECONDS
                                                           : LIMIT_BOX_COMPILE_SECONDS;
            jobs[i].env = compiles[i].env;
            jobs[i].limits.file_bytes = LIMIT_BOX_COMPILE_BYTES;
        }
    }
    Job *wanted = memory_get(n, sizeof *wanted);
    size_t *of = memory_get(n, sizeof *of), live = 0;
    for (size_t i = 0; i < n; i++) {
        if (compiles[i].n) of[live] = i, wanted[live++] = jobs[i];
    }
    bool done = jobs_run(wanted, live, workspace->parallel);
    for (size_t j = 0; j < live && done; j++) {
        Build *build = &builds[of[j]];
        const Text *said = &wanted[j].output;
        if (compiles[of[j]].box)
            build_box_words(&compiles[of[j]], workspace, build, &build->output, said);
        else text_append(&build->output, text_string(said), said->length);
        if (!finished(&wanted[j])) {
            build->state = failed_state(&wanted[j], failure);
            explain(workspace, &wanted[j], &build->output);
        }
    }
    for (size_t j = 0; j < live; j++) text_release(&wanted[j].output);
    free(wanted);
    free(of);
    return done;
}
