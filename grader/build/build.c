/* build.c - see build.h. */
#include "grader/build/build.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/folder.h"
#include "grader/build/build_internal.h"
#include "grader/course/source.h"

char *build_beside(const char *object, const char *what)
{
    return memory_format("%s.%s", object, what);
}

/* A box may be about to use what is there, and with Landlock it may use that very file, not another
 * one of its name. */
bool build_take_place(const char *made, const char *place)
{
    if (link(made, place) != 0 && errno != EEXIST)
        return rename(made, place) == 0; /* no hard links there */
    unlink(made);
    return true;
}

bool build_is_header(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh") || !strcmp(dot, ".hpp"));
}

/* Called as the compiler calls it: a course that is moved, or a copy of it, needs nothing anew. */
static void hash_file(Hash *hash, const Catalogue *catalogue, const char *path)
{
    Text text = {0};
    char *called = catalogue_relative(catalogue, path);
    hash_add_string(hash, called);
    free(called);
    if (text_read_file(&text, path, LIMIT_SOURCE) == 0)
        hash_add(hash, text_string(&text), text.length);
    text_release(&text);
}

static void hash_headers(Hash *hash, const Catalogue *catalogue, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, folder_by_name);
    for (int i = 0; i < n; i++) {
        if (build_is_header(entries[i]->d_name)) {
            char *path = memory_format("%s/%s", folder, entries[i]->d_name);
            hash_file(hash, catalogue, path);
            free(path);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* Everything that the harness's object depends on. */
static Hash harness_hash(const Workspace *workspace, const Build *build)
{
    const Catalogue *catalogue = workspace->catalogue;
    Hash hash = workspace->tools;
    char *harness = exercise_file(build->exercise, "harness.cu");
    if (workspace->card) hash_add_string(&hash, catalogue->root); /* what nvcc makes holds it */
    hash_file(&hash, catalogue, harness);
    hash_headers(&hash, catalogue, build->exercise->folder);
    hash_headers(&hash, catalogue, catalogue->exercises);
    if (build->exercise->options) hash_add_string(&hash, build->exercise->options);
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
    if (e->options) hash_add_string(&hash, e->options);
    for (size_t i = 0; i < run->n_params; i++) {
        hash_add_string(&hash, run->params[i].name);
        hash_add_string(&hash, run->params[i].value);
    }
    hash_name(&hash, name);
    char *file = memory_format("solution/%s.o", name), *path = exercise_file(e, file);
    free(file);
    return path;
}

static bool make_harnesses(Workspace *workspace, Build *builds, char **objects, size_t n)
{
    Compile *compiles = memory_get(n, sizeof *compiles);
    Job *jobs = memory_get(n, sizeof *jobs);
    char **temporary = memory_get(n, sizeof *temporary);
    for (size_t i = 0; i < n; i++) {
        bool asked = access(objects[i], R_OK) == 0;
        for (size_t j = 0; j < i && !asked; j++) asked = !strcmp(objects[j], objects[i]);
        if (asked) continue;
        char *harness = exercise_file(builds[i].exercise, "harness.cu");
        char *shown = catalogue_relative(workspace->catalogue, harness);
        temporary[i] = memory_format("%s/harness%zu.o", workspace->work, i);
        compile_start(&compiles[i], workspace, &builds[i]);
        compile_hides_course(&compiles[i], workspace);
        compile_word(&compiles[i], memory_copy("-c"));
        compile_word(&compiles[i], shown);
        compile_word(&compiles[i], memory_copy("-o"));
        compile_word(&compiles[i], memory_copy(temporary[i]));
        free(harness);
    }
    bool done = compile_all(workspace, builds, compiles, jobs, n, BUILD_HARNESS_ERROR);
    for (size_t i = 0; i < n; i++) {
        if (done && compiles[i].n && builds[i].state == BUILD_OK) {
            text_clear(&builds[i].output); /* warnings about the harness are not for students */
            build_take_place(temporary[i], objects[i]);
        }
        compile_release(&compiles[i]);
        free(temporary[i]);
    }
    for (size_t i = 0; i < n && done; i++) {
        if (builds[i].state == BUILD_OK && access(objects[i], R_OK) != 0)
            builds[i].state = BUILD_HARNESS_ERROR;
    }
    free(compiles);
    free(jobs);
    free(temporary);
    return done;
}

/* Messages, checks and pages name lines of the student's file: they have to be its own. */
static void refuse_line_directives(const Workspace *workspace, Build *build)
{
    Text text = {0};
    size_t line;
    if (text_read_file(&text, build->source, LIMIT_SUBMISSION) == 0 &&
        source_says_line(text_string(&text), text.length, &line)) {
        char *shown = catalogue_relative(workspace->catalogue, build->source);
        const char *slash = strrchr(shown, '/');
        build->state = BUILD_STUDENT_ERROR;
        text_printf(
            &build->output,
            "%s:%zu:1: error: #line (or # 12 \"file\") is not accepted in an exercise: it "
            "gives lines other numbers than they have in your file, and messages would name "
            "the wrong ones. Take it out.\n",
            slash && build->sandbox ? slash + 1 : shown, line);
        free(shown);
    }
    text_release(&text);
}

/* What a build is called in the cache: by everything that its harness, and then its program,
 * depends on. Returns the harness's object; the caller frees. */
static char *name_build(const Workspace *workspace, Build *build)
{
    char name[33];
    Hash hash = harness_hash(workspace, build);
    hash_name(&hash, name);
    char *object = memory_format("%s/%s.o", workspace->cache, name);
    hash_add_string(&hash, workspace->catalogue->root); /* a program's messages look for it there */
    hash_file(&hash, workspace->catalogue, build->source);
    if (build->boxed || build->seamed) hash_add_string(&hash, build->boxed ? "boxed" : "seamed");
    hash_name(&hash, build->key);
    build->program = build->keep ? memory_format("%s/%s", workspace->cache, build->key)
                                 : memory_format("%s/program-%s", workspace->work, build->key);
    return object;
}

static void compile_drop(Compile *compile)
{
    compile_release(compile);
    *compile = (Compile){0};
}

/* Nothing to compile when there is no box. */
static void start_in_box(Compile *compile, const Workspace *workspace, Build *build,
                         const char *object, const char *made)
{
    if (build_in_box(compile, workspace, build, object, made)) return;
    build->state = BUILD_TOOL_ERROR;
    text_printf(&build->output, "%s: nothing can be compiled in a sandbox: %s%s\n",
                workspace->card ? workspace->card->nvcc : workspace->tlcc, strerror(errno),
                workspace->card && errno == ENOENT
                    ? " (NVCC has to name the nvcc in a CUDA Toolkit's bin)"
                    : "");
    compile_drop(compile);
}

static void start_here(Compile *compile, const Workspace *workspace, const Build *build,
                       const char *object, const char *made)
{
    bool seamed = build->boxed || build->seamed;
    compile_start(compile, workspace, build);
    compile_word(compile, compile_name(catalogue_relative(workspace->catalogue, build->source)));
    compile_unnumbered(compile, workspace);
    if (build->boxed) compile_anywhere(compile);
    if (seamed) compile_word(compile, build_beside(object, "box.o"));
    compile_word(compile, seamed ? build_beside(object, "seam.o") : memory_copy(object));
    compile_word(compile, memory_copy("-o"));
    compile_word(compile, memory_copy(made));
}

/* A call of the compiler for each program that nobody has made or asked for yet; made: what it is
 * to be called until it is whole. */
static void start_programs(const Workspace *workspace, Build *builds, Compile *compiles,
                           char **objects, char **made, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Build *build = &builds[i];
        bool asked = build->state != BUILD_OK || (build->keep && access(build->program, X_OK) == 0);
        for (size_t j = 0; j < i && !asked; j++) asked = !strcmp(builds[j].program, build->program);
        if (asked) continue;
        made[i] = memory_format("%s/linked%zu", workspace->work, i);
        if (build->sandbox) start_in_box(&compiles[i], workspace, build, objects[i], made[i]);
        else start_here(&compiles[i], workspace, build, objects[i], made[i]);
    }
}

/* What nobody has looked at is compiled once, and for the other runs only if that went well: a
 * source that the compiler never comes to an end with costs its time once. */
static bool compile_programs(Workspace *workspace, Build *builds, Compile *compiles, size_t n)
{
    Job *jobs = memory_get(n, sizeof *jobs);
    size_t first = n && builds[0].sandbox && compiles[0].n ? 1 : 0;
    bool done = !first || compile_all(workspace, builds, compiles, jobs, 1, BUILD_STUDENT_ERROR);
    for (size_t i = first; i < n && first && builds[0].state != BUILD_OK; i++) {
        if (!builds[i].sandbox || builds[i].state != BUILD_OK) continue;
        builds[i].state = builds[0].state;
        compile_drop(&compiles[i]);
    }
    done = done && compile_all(workspace, builds + first, compiles + first, jobs, n - first,
                               BUILD_STUDENT_ERROR);
    free(jobs);
    return done;
}

/* ---- players with kernels of the student's own (build_apart_script) ---- */

/* What a kernel does is seen where the compiler makes every access of it be told. */
static void refuse_unseen(const Workspace *workspace, Build *build, const char *object)
{
    Text text = {0};
    size_t line;
    char word[SOURCE_WORD], *own = build->state == BUILD_OK ? build_own_kernels(object) : NULL;
    if (own && text_read_file(&text, build->source, LIMIT_SUBMISSION) == 0 &&
        source_is_unseen(text_string(&text), text.length, &line, word)) {
        char *shown = catalogue_relative(workspace->catalogue, build->source);
        const char *slash = strrchr(shown, '/');
        build->state = BUILD_STUDENT_ERROR;
        text_printf(&build->output,
                    "%s:%zu:1: error: %s is not accepted in this exercise: what your kernel does "
                    "is looked at, and behind that nothing is seen. Write it in plain CUDA C++.\n",
                    slash && build->sandbox ? slash + 1 : shown, line, word);
        free(shown);
    }
    text_release(&text);
    free(own);
}

static void start_player(Compile *compile, const Workspace *workspace, Build *build,
                         const char *object, const char *own, const char *made)
{
    if (build->sandbox) {
        if (build_player_in_box(compile, workspace, build, object, own, made)) return;
        build->state = BUILD_TOOL_ERROR;
        text_printf(&build->output, "no player can be made in a sandbox: %s\n", strerror(errno));
        compile_drop(compile);
        return;
    }
    compile_start(compile, workspace, build);
    compile_word(compile, compile_name(catalogue_relative(workspace->catalogue, build->source)));
    char *const words[] = {memory_copy("/bin/sh"), memory_copy("-c"), build_apart_script(own, "")};
    for (size_t i = 0; i < 3; i++) compile_insert(compile, i, words[i]);
    char *const parts[] = {build_beside(object, "seam.o"), build_beside(object, "player"),
                           memory_copy(made)};
    for (size_t i = 0; i < 3; i++) compile_insert(compile, 4 + i, parts[i]);
}

static bool make_players(Workspace *workspace, Build *builds, char **objects, size_t n)
{
    Compile *compiles = memory_get(n, sizeof *compiles);
    Job *jobs = memory_get(n, sizeof *jobs);
    char **made = memory_get(n, sizeof *made);
    for (size_t i = 0; i < n; i++) {
        Build *build = &builds[i];
        char *own = build->boxed && build->state == BUILD_OK ? build_own_kernels(objects[i]) : NULL;
        if (!own) continue;
        free(build->player);
        build->player = memory_format("%s/player-%s", workspace->work, build->key);
        bool asked = false;
        for (size_t j = 0; j < i && !asked; j++)
            asked = builds[j].player && !strcmp(builds[j].player, build->player);
        made[i] = memory_format("%s/player%zu", workspace->work, i);
        if (!asked) start_player(&compiles[i], workspace, build, objects[i], own, made[i]);
        free(own);
    }
    bool done = compile_all(workspace, builds, compiles, jobs, n, BUILD_STUDENT_ERROR);
    for (size_t i = 0; i < n; i++) {
        if (done && compiles[i].n && builds[i].state == BUILD_OK &&
            !build_take_place(made[i], builds[i].player)) {
            builds[i].state = BUILD_TOOL_ERROR;
            text_printf(&builds[i].output, "tlcc made no player: %s\n", strerror(errno));
        }
        compile_release(&compiles[i]);
        free(made[i]);
    }
    free(compiles);
    free(jobs);
    free(made);
    return done;
}

bool builds_make(Workspace *workspace, Build *builds, size_t n)
{
    char **objects = memory_get(n, sizeof *objects), **made = memory_get(n, sizeof *made);
    Compile *compiles = memory_get(n, sizeof *compiles);
    for (size_t i = 0; i < n; i++) {
        builds[i].state = BUILD_OK;
        if (builds[i].seamed) refuse_line_directives(workspace, &builds[i]);
        objects[i] = name_build(workspace, &builds[i]);
    }
    bool done =
        make_harnesses(workspace, builds, objects, n) && build_seams(workspace, builds, objects, n);
    for (size_t i = 0; i < n && done; i++)
        if (builds[i].seamed || builds[i].boxed) refuse_unseen(workspace, &builds[i], objects[i]);
    if (done) {
        start_programs(workspace, builds, compiles, objects, made, n);
        done = compile_programs(workspace, builds, compiles, n);
    }

    for (size_t i = 0; i < n; i++) {
        if (done && compiles[i].n && builds[i].state == BUILD_OK &&
            !build_take_place(made[i], builds[i].program)) {
            builds[i].state = BUILD_TOOL_ERROR;
            text_printf(&builds[i].output, "tlcc made no program: %s\n", strerror(errno));
        }
    }
    done = done && make_players(workspace, builds, objects, n);
    for (size_t i = 0; i < n; i++) {
        /* those that share a program share its fate */
        for (size_t j = 0; j < i && builds[i].state == BUILD_OK && !compiles[i].n; j++) {
            if (!strcmp(builds[j].program, builds[i].program)) builds[i].state = builds[j].state;
        }
        compile_release(&compiles[i]);
        free(made[i]);
        free(objects[i]);
    }
    free(objects);
    free(made);
    free(compiles);
    return done;
}

bool build_object(Workspace *workspace, Build *build, const char *object)
{
    Compile compile;
    Job job;
    const char *const more[] = {"-Xcompiler", "-g0", "-c", "-o", object};
    build->state = BUILD_OK;
    compile_start(&compile, workspace, build);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        compile_word(&compile, memory_copy(more[i]));
    compile_word(&compile, compile_name(catalogue_relative(workspace->catalogue, build->source)));
    bool done = compile_all(workspace, build, &compile, &job, 1, BUILD_STUDENT_ERROR);
    compile_release(&compile);
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
