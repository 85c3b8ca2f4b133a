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
#include "grader/build/visible.h"
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

static bool is_of_course(const char *name, void *of)
{
    const Build *build = of;
    char *beside = exercise_file(build->exercise, name),
         *above = memory_format("%s/../%s", build->exercise->folder, name);
    bool is = access(beside, F_OK) == 0 || access(above, F_OK) == 0;
    free(beside);
    free(above);
    return is;
}

void build_hash_visible(Hash *hash, const Workspace *workspace, Build *build, const char *source)
{
    const Catalogue *catalogue = workspace->catalogue;
    const ExerciseRun *run = build->run;
    Text header = {0};
    Visible visible;
    char *name = memory_format("%s.h", build->exercise->id),
         *path = exercise_file(build->exercise, name);
    bool read = source && text_read_file(&header, path, LIMIT_SOURCE) == 0;
    hash_headers(hash, catalogue, build->exercise->folder);
    hash_headers(hash, catalogue, catalogue->exercises);
    if (build->exercise->options) hash_add_string(hash, build->exercise->options);

    visible_start(&visible, source ? source : "", text_string(&header), name, is_of_course, build);
    for (size_t i = 0; i < run->n_params; i++) {
        const char *parameter = run->params[i].name;
        bool is = !read || visible_is(&visible, parameter);
        for (size_t j = 0; j < run->n_params && !is; j++)
            is = strstr(run->params[j].value, parameter) != NULL;
        hash_add_string(hash, parameter);
        hash_add_string(hash, is ? run->params[i].value : "");
    }
    visible_release(&visible);
    text_release(&header);
    free(name);
    free(path);
}

bool build_sees_all(Build *build, const char *source)
{
    Text header = {0};
    Visible visible;
    char *name = memory_format("%s.h", build->exercise->id),
         *path = exercise_file(build->exercise, name);
    bool all = text_read_file(&header, path, LIMIT_SOURCE) == 0;
    visible_start(&visible, source, text_string(&header), name, is_of_course, build);
    all = all && visible_is_all(&visible);
    visible_release(&visible);
    text_release(&header);
    free(name);
    free(path);
    return all;
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
    hash_file(&hash, workspace->catalogue, build->source);
    if (build->boxed || build->seamed) hash_add_string(&hash, build->boxed ? "boxed" : "seamed");
    hash_name(&hash, build->key);
    build->program = build->keep ? memory_format("%s/%s", workspace->cache, build->key)
                                 : memory_format("%s/program-%s", workspace->work, build->key);
    return object;
}

/* The object of a source is the same for all runs whose parameters it cannot tell apart. It is
 * looked for by this name; the caller frees. */
static char *name_part(const Workspace *workspace, Build *build)
{
    const Catalogue *catalogue = workspace->catalogue;
    char name[33];
    Hash hash = workspace->tools;
    Text source = {0};
    bool read = text_read_file(&source, build->source, LIMIT_SUBMISSION) == 0;
    hash_file(&hash, catalogue, build->source);
    build_hash_visible(&hash, workspace, build, read ? text_string(&source) : NULL);
    hash_name(&hash, name);
    text_release(&source);
    return memory_format("%s/%s.source.o", build->keep ? workspace->cache : workspace->work, name);
}

static void compile_drop(Compile *compile)
{
    compile_release(compile);
    *compile = (Compile){0};
}

/* Nothing to compile when there is no box. */
static void start_in_box(Compile *compile, const Workspace *workspace, Build *build, BoxStep step,
                         const char *object, const char *part, const char *made)
{
    if (build_in_box(compile, workspace, build, step, object, part, made)) return;
    build->state = BUILD_TOOL_ERROR;
    text_printf(&build->output, "%s: nothing can be compiled in a sandbox: %s%s\n",
                workspace->card ? workspace->card->nvcc : workspace->tlcc, strerror(errno),
                workspace->card && errno == ENOENT
                    ? " (NVCC has to name the nvcc in a CUDA Toolkit's bin)"
                    : "");
    compile_drop(compile);
}

static void start_here(Compile *compile, const Workspace *workspace, const Build *build,
                       BoxStep step, const char *object, const char *part, const char *made)
{
    bool seamed = build->boxed || build->seamed;
    compile_start(compile, workspace, build);
    if (step == BOX_OBJECT) {
        compile_forgets_course(compile, workspace);
        compile_word(compile, memory_copy("-c"));
    }
    compile_word(compile, step == BOX_LINK ? memory_copy(part)
                                           : compile_name(catalogue_relative(workspace->catalogue,
                                                                             build->source)));
    if (step != BOX_OBJECT) {
        compile_unnumbered(compile, workspace);
        if (build->boxed) compile_anywhere(compile);
        if (seamed) compile_word(compile, build_beside(object, "box.o"));
        compile_word(compile, seamed ? build_beside(object, "seam.o") : memory_copy(object));
    }
    compile_word(compile, memory_copy("-o"));
    compile_word(compile, memory_copy(made));
}

/* What is made of the builds of one call, a name for each build. */
typedef struct Names {
    char **objects; /* the harnesses' */
    char **parts;   /* the sources'; with nvcc, which does it in one step, none */
    char **made;    /* what is being made is called so until it is whole */
    Known *known;   /* what the parts are made from */
} Names;

static const char *name_made(const Workspace *workspace, Names *names, size_t i, const char *what)
{
    free(names->made[i]);
    return names->made[i] = memory_format("%s/%s%zu", workspace->work, what, i);
}

static void start_step(const Workspace *workspace, Build *build, Compile *compile, BoxStep step,
                       const Names *names, size_t i)
{
    if (build->sandbox)
        start_in_box(compile, workspace, build, step, names->objects[i], names->parts[i],
                     names->made[i]);
    else
        start_here(compile, workspace, build, step, names->objects[i], names->parts[i],
                   names->made[i]);
}

/* Is its program there, or does a build before it make it? */
static bool is_asked(const Build *builds, size_t i)
{
    const Build *build = &builds[i];
    bool asked = build->keep && access(build->program, X_OK) == 0;
    for (size_t j = 0; j < i && !asked; j++) asked = !strcmp(builds[j].program, build->program);
    return asked;
}

/* A solution without its source (build_solution) is an object already. */
static bool is_object(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".o");
}

/* A call of the compiler for each object that nobody has made or asked for yet. */
static void start_parts(const Workspace *workspace, Build *builds, Compile *compiles, Names *names,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (builds[i].state != BUILD_OK || is_object(builds[i].source) || is_asked(builds, i))
            continue;
        names->parts[i] = name_part(workspace, &builds[i]);
        bool asked = access(names->parts[i], R_OK) == 0;
        for (size_t j = 0; j < i && !asked; j++)
            asked = names->parts[j] && !strcmp(names->parts[j], names->parts[i]);
        if (asked) continue;
        known_read(&names->known[i], workspace, &builds[i]);
        if (known_take(&names->known[i], workspace, names->parts[i])) continue;
        name_made(workspace, names, i, "part");
        start_step(workspace, &builds[i], &compiles[i], BOX_OBJECT, names, i);
    }
}

/* And for each program. */
static void start_programs(const Workspace *workspace, Build *builds, Compile *compiles,
                           Names *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (builds[i].state != BUILD_OK || is_asked(builds, i)) continue;
        name_made(workspace, names, i, "linked");
        start_step(workspace, &builds[i], &compiles[i], names->parts[i] ? BOX_LINK : BOX_WHOLE,
                   names, i);
    }
}

/* What nobody has looked at is compiled once, and for the other runs only if that went well: a
 * source that the compiler never comes to an end with costs its time once. */
static bool compile_first(Workspace *workspace, Build *builds, Compile *compiles, size_t n)
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

/* What was made takes its place. what: for the words, if nothing was. */
static void place_made(Build *build, const char *made, const char *place, const char *what)
{
    if (build->state != BUILD_OK || build_take_place(made, place)) return;
    build->state = BUILD_TOOL_ERROR;
    text_printf(&build->output, "tlcc made no %s: %s\n", what, strerror(errno));
}

static bool make_parts(Workspace *workspace, Build *builds, Names *names, size_t n)
{
    Compile *compiles = memory_get(n, sizeof *compiles);
    start_parts(workspace, builds, compiles, names, n);
    bool done = compile_first(workspace, builds, compiles, n);
    for (size_t i = 0; i < n && done; i++) {
        if (compiles[i].n) place_made(&builds[i], names->made[i], names->parts[i], "object");
        if (compiles[i].n && builds[i].state == BUILD_OK)
            known_keep(&names->known[i], workspace, &builds[i], names->parts[i]);
        /* those that share an object share its fate, and what was said of it */
        for (size_t j = 0; j < i && builds[i].state == BUILD_OK && names->parts[i]; j++) {
            if (!compiles[j].n || strcmp(names->parts[j], names->parts[i]) != 0) continue;
            builds[i].state = builds[j].state;
            if (builds[j].state != BUILD_OK)
                text_append(&builds[i].output, text_string(&builds[j].output),
                            builds[j].output.length);
        }
    }
    for (size_t i = 0; i < n; i++) compile_release(&compiles[i]);
    free(compiles);
    return done;
}

/* Also of a program that was kept from an earlier time. */
static void refuse_other_starter(Build *build)
{
    if (build->state != BUILD_OK || !build->sandbox || build_starts_as_ever(build->program)) return;
    build->state = BUILD_STUDENT_ERROR;
    text_add(&build->output, "error: the source asks for another program to start it (a section "
                             ".interp). Take that out.\n");
}

static bool make_programs(Workspace *workspace, Build *builds, Names *names, size_t n)
{
    Compile *compiles = memory_get(n, sizeof *compiles);
    start_programs(workspace, builds, compiles, names, n);
    bool done = compile_first(workspace, builds, compiles, n);
    for (size_t i = 0; i < n && done; i++)
        if (compiles[i].n) place_made(&builds[i], names->made[i], builds[i].program, "program");
    for (size_t i = 0; i < n; i++) {
        /* those that share a program share its fate */
        for (size_t j = 0; j < i && builds[i].state == BUILD_OK && !compiles[i].n; j++)
            if (!strcmp(builds[j].program, builds[i].program)) builds[i].state = builds[j].state;
        if (done) refuse_other_starter(&builds[i]);
        compile_release(&compiles[i]);
    }
    free(compiles);
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
                         const char *object, const char *part, const char *own, const char *made)
{
    if (build->sandbox) {
        if (build_player_in_box(compile, workspace, build, object, part, own, made)) return;
        build->state = BUILD_TOOL_ERROR;
        text_printf(&build->output, "no player can be made in a sandbox: %s\n", strerror(errno));
        compile_drop(compile);
        return;
    }
    char *const words[] = {memory_copy("/bin/sh"),
                           memory_copy("-c"),
                           build_apart_script(own, ""),
                           memory_copy(workspace->tlcc),
                           build_beside(object, "seam.o"),
                           build_beside(object, "player"),
                           memory_copy(part),
                           memory_copy(made)};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) compile_word(compile, words[i]);
}

static bool make_players(Workspace *workspace, Build *builds, Names *names, size_t n)
{
    Compile *compiles = memory_get(n, sizeof *compiles);
    Job *jobs = memory_get(n, sizeof *jobs);
    for (size_t i = 0; i < n; i++) {
        Build *build = &builds[i];
        const char *object = names->objects[i];
        char *own = build->boxed && build->state == BUILD_OK ? build_own_kernels(object) : NULL;
        if (!own) continue;
        free(build->player);
        build->player = memory_format("%s/player-%s", workspace->work, build->key);
        bool asked = !names->parts[i];
        for (size_t j = 0; j < i && !asked; j++)
            asked = builds[j].player && !strcmp(builds[j].player, build->player);
        const char *made = name_made(workspace, names, i, "player");
        if (!asked)
            start_player(&compiles[i], workspace, build, object, names->parts[i], own, made);
        free(own);
    }
    bool done = compile_all(workspace, builds, compiles, jobs, n, BUILD_STUDENT_ERROR);
    for (size_t i = 0; i < n; i++) {
        if (done && compiles[i].n)
            place_made(&builds[i], names->made[i], builds[i].player, "player");
        compile_release(&compiles[i]);
    }
    free(compiles);
    free(jobs);
    return done;
}

bool builds_make(Workspace *workspace, Build *builds, size_t n)
{
    Names names = {.objects = memory_get(n, sizeof *names.objects),
                   .parts = memory_get(n, sizeof *names.parts),
                   .made = memory_get(n, sizeof *names.made),
                   .known = memory_get(n, sizeof *names.known)};
    for (size_t i = 0; i < n; i++) {
        builds[i].state = BUILD_OK;
        if (builds[i].seamed) refuse_line_directives(workspace, &builds[i]);
        names.objects[i] = name_build(workspace, &builds[i]);
    }
    bool done = make_harnesses(workspace, builds, names.objects, n) &&
                build_seams(workspace, builds, names.objects, n);
    for (size_t i = 0; i < n && done; i++)
        if (builds[i].seamed || builds[i].boxed)
            refuse_unseen(workspace, &builds[i], names.objects[i]);

    done = done && (workspace->card || make_parts(workspace, builds, &names, n)) &&
           make_programs(workspace, builds, &names, n) &&
           make_players(workspace, builds, &names, n);
    for (size_t i = 0; i < n; i++) {
        free(names.objects[i]);
        free(names.parts[i]);
        free(names.made[i]);
        text_release(&names.known[i].of);
    }
    free(names.known);
    free(names.objects);
    free(names.parts);
    free(names.made);
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
