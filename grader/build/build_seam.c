/* build_seam.c - programs that are not trusted: the seam between harness and student
 * (build_internal.h). */
#include "grader/build/build_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/build/seam.h"

typedef struct Seam {
    char *glue, *renames, *seam, *box, *half, *player;
    Text apart; /* the symbols of the student's own kernels; then the player is not whole: it is
                   linked with them (build_apart) */
    Text symbols;
    char *shared; /* in the cache: what the box's half is called, whatever the harness does with
                     parameters that neither the glue nor the exercise's header sees; the player's
                     half is beside it */
} Seam;

typedef enum SeamStep {
    SEAM_SYMBOLS,
    SEAM_NAMES,
    SEAM_RENAME,
    SEAM_BOX,
    SEAM_HALF,
    SEAM_PLAYER,
    SEAM_STEPS
} SeamStep;

static void seam_command(Compile *compile, const Workspace *workspace, const Build *build,
                         const Seam *seam, const char *object, SeamStep step, const char *nm,
                         const char *objcopy)
{
    *compile = (Compile){0};
    switch (step) {
    case SEAM_SYMBOLS:
    case SEAM_NAMES:
        compile_word(compile, memory_copy(nm));
        compile_word(compile, memory_copy("-p"));
        if (step == SEAM_NAMES) compile_word(compile, memory_copy("-C"));
        compile_word(compile, memory_copy(object));
        break;
    case SEAM_RENAME:
        compile_word(compile, memory_copy(objcopy));
        compile_word(compile, memory_format("--redefine-syms=%s", seam->renames));
        compile_word(compile, memory_copy("--rename-section=.data=threelane_own_data"));
        compile_word(compile, memory_copy("--rename-section=.bss=threelane_own_bss"));
        compile_word(compile, memory_copy(object));
        compile_word(compile, memory_copy(seam->seam));
        break;
    case SEAM_BOX:
    case SEAM_HALF:
        compile_start(compile, workspace, build);
        compile_hides_course(compile, workspace);
        if (step == SEAM_HALF) compile_word(compile, memory_copy("-DTHREELANE_PLAYER"));
        compile_word(compile, memory_copy("-std=gnu++17"));
        compile_word(compile, memory_copy("--plain"));
        compile_word(compile, memory_copy("-c"));
        compile_word(compile, memory_copy(seam->glue));
        compile_word(compile, memory_copy("-o"));
        compile_word(compile, memory_copy(step == SEAM_BOX ? seam->box : seam->half));
        break;
    default:
        compile_start(compile, workspace, build);
        compile_anywhere(compile);
        compile_word(compile, memory_copy(seam->seam));
        compile_word(compile, memory_copy(seam->half));
        compile_word(compile, memory_copy("-o"));
        compile_word(compile, memory_copy(seam->player));
    }
}

static char *name_shared(const Workspace *workspace, Build *build, const char *glue)
{
    char name[33];
    Hash hash = workspace->tools;
    hash_add_string(&hash, glue);
    build_hash_visible(&hash, workspace, build, glue);
    hash_name(&hash, name);
    return memory_format("%s/%s.glue.o", workspace->cache, name);
}

static bool write_glue(const Workspace *workspace, Build *build, Seam *seam)
{
    Text header = {0}, source = {0}, renames = {0};
    char error[400];
    char *name = memory_format("%s.h", build->exercise->id),
         *path = exercise_file(build->exercise, name);
    int unread = text_read_file(&header, path, LIMIT_SOURCE);
    if (unread) snprintf(error, sizeof error, "%.300s: %s", path, strerror(unread));
    bool fine = !unread && glue_write(&source, &renames, &seam->apart, name, text_string(&header),
                                      text_string(&seam->symbols), text_string(&build->output),
                                      error, sizeof error);
    text_clear(&build->output);
    if (fine) {
        seam->shared = name_shared(workspace, build, text_string(&source));
        int failed = text_write_file(seam->glue, text_string(&source), source.length);
        if (!failed) failed = text_write_file(seam->renames, text_string(&renames), renames.length);
        if (failed) snprintf(error, sizeof error, "%.300s: %s", workspace->work, strerror(failed));
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

/* Everything that is made for a build's seam, in the order of its making. */
typedef struct Seams {
    Workspace *workspace;
    Build *builds;
    char **objects; /* the harnesses' */
    size_t n;
    char *nm, *objcopy;
    Seam *seams;
    bool *wanted; /* its seam is not in the cache, and no build before it makes the same */
} Seams;

static bool seam_wanted(const Seams *s, size_t i)
{
    const Build *build = &s->builds[i];
    char *last = build_beside(s->objects[i], build->boxed ? "player" : "box.o");
    bool wanted = access(last, R_OK) != 0;
    for (size_t k = 0; k < i && wanted; k++)
        wanted = !s->wanted[k] || strcmp(s->objects[k], s->objects[i]) != 0;
    free(last);
    return wanted;
}

static void plan_seams(Seams *s)
{
    const char *work = s->workspace->work;
    for (size_t i = 0; i < s->n; i++) {
        Build *build = &s->builds[i];
        if (!(build->boxed || build->seamed) || build->state != BUILD_OK) continue;
        if (build->boxed) build->player = build_beside(s->objects[i], "player");
        s->wanted[i] = seam_wanted(s, i);
        if (!s->wanted[i]) continue;
        /* ".glue.cu": no message names a line of it (is_own_source in sim/host/ending.c) */
        s->seams[i] = (Seam){.glue = memory_format("%s/%zu.glue.cu", work, i),
                             .renames = memory_format("%s/renames%zu", work, i),
                             .seam = memory_format("%s/seam%zu.o", work, i),
                             .box = memory_format("%s/box%zu.o", work, i),
                             .half = memory_format("%s/half%zu.o", work, i),
                             .player = memory_format("%s/player%zu", work, i)};
        if ((!s->nm || !s->objcopy) && !build->boxed) {
            s->wanted[i] = build->seamed = false;
        } else if (!s->nm || !s->objcopy) {
            build->state = BUILD_TOOL_ERROR;
            text_add(&build->output, "nm and objcopy (binutils) are needed\n");
        }
    }
}

static char *name_half(const Seam *seam, SeamStep step)
{
    return build_beside(seam->shared, step == SEAM_BOX ? "box" : "half");
}

/* Is this half of a seam there already, or does a build before it make the same? */
static bool half_is_asked(const Seams *s, size_t i, SeamStep step, const Compile *compiles)
{
    char *half = name_half(&s->seams[i], step);
    bool asked = access(half, R_OK) == 0;
    for (size_t k = 0; k < i && !asked; k++)
        asked = compiles[k].n && !strcmp(s->seams[k].shared, s->seams[i].shared);
    free(half);
    return asked;
}

/* The same file under another name; where there are no hard links, a copy, which is whole at once.
 */
static bool also_called(const Seams *s, const char *from, const char *to)
{
    if (link(from, to) == 0 || errno == EEXIST) return true;
    Text bytes = {0};
    char *copy = memory_format("%s/copy", s->workspace->work);
    bool done = text_read_file(&bytes, from, LIMIT_BOX_COMPILE_BYTES) == 0 &&
                text_write_file(copy, text_string(&bytes), bytes.length) == 0 &&
                rename(copy, to) == 0;
    text_release(&bytes);
    free(copy);
    return done;
}

/* Those that made a half leave it for the others, which take it. */
static void share_halves(const Seams *s, SeamStep step, const Compile *compiles)
{
    for (int taking = 0; taking < 2; taking++) {
        for (size_t i = 0; i < s->n; i++) {
            Build *build = &s->builds[i];
            if (!s->wanted[i] || build->state != BUILD_OK || !s->seams[i].shared) continue;
            if (step == SEAM_HALF && !build->boxed) continue;
            if (taking == (compiles[i].n > 0)) continue;
            char *half = name_half(&s->seams[i], step);
            const char *own = step == SEAM_BOX ? s->seams[i].box : s->seams[i].half;
            if (!also_called(s, taking ? half : own, taking ? own : half))
                build->state = BUILD_HARNESS_ERROR;
            free(half);
        }
    }
}

/* One step of all seams. False when interrupted. */
static bool run_step(Seams *s, SeamStep step, Compile *compiles, Job *jobs)
{
    for (size_t i = 0; i < s->n; i++) {
        Build *build = &s->builds[i];
        compiles[i] = (Compile){0};
        if (!s->wanted[i] || build->state != BUILD_OK) continue;
        if (step > SEAM_BOX && !build->boxed) continue;
        if (step == SEAM_PLAYER && s->seams[i].apart.length) continue;
        if (step == SEAM_NAMES) {
            s->seams[i].symbols = build->output;
            build->output = (Text){0};
        }
        if (step == SEAM_RENAME && !write_glue(s->workspace, build, &s->seams[i])) continue;
        if ((step == SEAM_BOX || step == SEAM_HALF) && half_is_asked(s, i, step, compiles))
            continue;
        seam_command(&compiles[i], s->workspace, build, &s->seams[i], s->objects[i], step, s->nm,
                     s->objcopy);
    }
    bool done = compile_all(s->workspace, s->builds, compiles, jobs, s->n, BUILD_HARNESS_ERROR);
    if (done && (step == SEAM_BOX || step == SEAM_HALF)) share_halves(s, step, compiles);
    for (size_t i = 0; i < s->n; i++) compile_release(&compiles[i]);
    for (size_t i = 0; i < s->n && done; i++) {
        if (!s->wanted[i] || s->builds[i].boxed || s->builds[i].state == BUILD_OK) continue;
        /* an exercise that cannot be graded without trust can still be worked on */
        s->builds[i].state = BUILD_OK;
        text_clear(&s->builds[i].output);
        s->wanted[i] = s->builds[i].seamed = false;
    }
    return done;
}

/* Into the cache: the player comes last, or the box: where it is, the others are. */
static void place_seam(const Seams *s, size_t i)
{
    Build *build = &s->builds[i];
    Seam *made = &s->seams[i];
    char *seam = build_beside(s->objects[i], "seam.o"), *box = build_beside(s->objects[i], "box.o"),
         *apart = build_beside(s->objects[i], "apart");
    text_clear(&build->output);
    char *player = made->apart.length ? made->half : made->player;
    errno = text_write_file(made->renames, text_string(&made->apart), made->apart.length);
    if (errno || !build_take_place(made->renames, apart) || !build_take_place(made->seam, seam) ||
        !build_take_place(made->box, box) ||
        (build->boxed && (chmod(player, 0755) || !build_take_place(player, build->player)))) {
        build->state = BUILD_TOOL_ERROR;
        text_printf(&build->output, "%s: %s\n", s->workspace->cache, strerror(errno));
    }
    free(seam);
    free(box);
    free(apart);
}

static void seam_release(Seam *seam)
{
    free(seam->glue);
    free(seam->renames);
    free(seam->seam);
    free(seam->box);
    free(seam->half);
    free(seam->player);
    free(seam->shared);
    text_release(&seam->symbols);
    text_release(&seam->apart);
}

/* Those that share a seam find it there, or it could not be made. */
static void look_for_seam(const Seams *s, size_t i)
{
    Build *build = &s->builds[i];
    char *box = build_beside(s->objects[i], "box.o");
    if (build->seamed && !build->boxed && access(box, R_OK) != 0) build->seamed = false;
    free(box);
    if (build->player && build->state == BUILD_OK && access(build->player, X_OK) != 0)
        build->state = BUILD_HARNESS_ERROR;
}

bool build_seams(Workspace *workspace, Build *builds, char **objects, size_t n)
{
    Seams s = {.workspace = workspace, .builds = builds, .objects = objects, .n = n};
    s.nm = workspace_find("nm");
    s.objcopy = workspace_find("objcopy");
    s.seams = memory_get(n, sizeof *s.seams);
    s.wanted = memory_get(n, sizeof *s.wanted);
    Compile *compiles = memory_get(n, sizeof *compiles);
    Job *jobs = memory_get(n, sizeof *jobs);

    bool done = true;
    plan_seams(&s);
    for (SeamStep step = 0; step < SEAM_STEPS && done; step++)
        done = run_step(&s, step, compiles, jobs);
    for (size_t i = 0; i < n; i++) {
        if (s.wanted[i] && done && builds[i].state == BUILD_OK) place_seam(&s, i);
        seam_release(&s.seams[i]);
    }
    for (size_t i = 0; i < n && done; i++) look_for_seam(&s, i);

    free(s.seams);
    free(s.wanted);
    free(compiles);
    free(jobs);
    free(s.nm);
    free(s.objcopy);
    return done;
}

/* ---- players with kernels of the student's own ---- */

char *build_own_kernels(const char *object)
{
    Text text = {0};
    char *path = build_beside(object, "apart"), *symbols = NULL;
    if (text_read_file(&text, path, LIMIT_SOURCE) == 0 && text.length) {
        symbols = memory_copy(text_string(&text));
        for (char *at = symbols; *at; at++)
            if (*at == '\n') *at = ' ';
    }
    text_release(&text);
    free(path);
    return symbols;
}

/* $4 may be "-": what is made is $out to what comes then, and gone afterwards.
 * Of the student's object nothing goes into the player but code and data that its kernels use: no
 * constructor, no symbol but those kernels' (others would take the place of the player's own), no
 * section that a linker or a loader does something with. It is never run but by a child
 * (sim/replay/child_kernel.h). $0 is the compiler, then come the player's two objects, the
 * student's, and what is to be made. */
char *build_apart_script(const char *symbols, const char *then)
{
    Text script = {0};
    text_add(&script,
             "tlcc=$0 seam=$1 half=$2 own=$3 out=$4; set -e; d=${TMPDIR:-/tmp}; "
             "d=$(mktemp -d \"$d/apart-XXXXXX\"); trap 'rm -rf \"$d\"' EXIT; "
             "if [ \"$out\" = - ]; then out=$d/player; fi; "
             "cp \"$half\" \"$d/half.o\"; " /* by a name that says what it is */
             "ld -r --force-group-allocation \"$own\" -o \"$d/one.o\"; "
             "objdump -h \"$d/one.o\" >\"$d/sections\"; r=; "
             "for s in $(awk '/^ *[0-9]+ /{ print NF == 7 ? $2 : \"?\" }' \"$d/sections\"); do "
             "case $s in "
             ".text|.text.*|.rodata|.rodata.*|.data|.data.*|.bss|.bss.*|.tdata|.tdata.*|.tbss|"
             ".tbss.*|.debug_*|.comment|.note.GNU-stack) ;; "
             "[._A-Za-z]*) r=\"$r -R $s\" ;; *) echo 'a section without a name' >&2; exit 1 ;; "
             "esac; done; set -f; "
             "objcopy $r");
    size_t n;
    char **list = list_split(symbols, ' ', &n);
    for (size_t i = 0; i < n; i++)
        if (*list[i]) text_printf(&script, " --keep-global-symbol=%s", list[i]);
    list_free(list);
    text_add(&script, " \"$d/one.o\" \"$d/kernels.o\"; "
                      "if nm \"$d/kernels.o\" | grep -q ' i '; then "
                      "echo 'a symbol that is chosen when the program starts' >&2; exit 1; fi; "
                      "\"$tlcc\" -Xcompiler -pie -Xlinker --build-id=none \"$seam\" \"$d/half.o\" "
                      "\"$d/kernels.o\" -o \"$out\"");
    text_add(&script, then);
    return text_take(&script);
}
