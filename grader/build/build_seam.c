/* build_seam.c - programs that are not trusted: the seam between harness and student
 * (build_internal.h). */
#include "grader/build/build_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/build/seam.h"

typedef struct Seam {
    char *glue, *renames, *seam, *box, *half, *player;
    Text symbols;
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

static void seam_command(Compile *compile, const Workshop *workshop, const Build *build,
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
        compile_start(compile, workshop, build);
        compile_hides_course(compile, workshop);
        if (step == SEAM_HALF) compile_word(compile, memory_copy("-DTHREELANE_PLAYER"));
        compile_word(compile, memory_copy("-std=c++17"));
        compile_word(compile, memory_copy("--plain"));
        compile_word(compile, memory_copy("-c"));
        compile_word(compile, memory_copy(seam->glue));
        compile_word(compile, memory_copy("-o"));
        compile_word(compile, memory_copy(step == SEAM_BOX ? seam->box : seam->half));
        break;
    default:
        compile_start(compile, workshop, build);
        compile_anywhere(compile);
        compile_word(compile, memory_copy(seam->seam));
        compile_word(compile, memory_copy(seam->half));
        compile_word(compile, memory_copy("-o"));
        compile_word(compile, memory_copy(seam->player));
    }
}

static bool write_glue(const Workshop *workshop, Build *build, Seam *seam)
{
    Text header = {0}, source = {0}, renames = {0};
    char error[400];
    char *name = memory_format("%s.h", build->exercise->id),
         *path = exercise_file(build->exercise, name);
    int unread = text_read_file(&header, path, LIMIT_SOURCE);
    if (unread) snprintf(error, sizeof error, "%.300s: %s", path, strerror(unread));
    bool fine = !unread && glue_write(&source, &renames, name, text_string(&header),
                                      text_string(&seam->symbols), text_string(&build->output),
                                      error, sizeof error);
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

bool build_seams(Workshop *workshop, Build *builds, char **objects, size_t n)
{
    char *nm = workshop_find("nm"), *objcopy = workshop_find("objcopy");
    Seam *seams = memory_get(n, sizeof *seams);
    bool *wanted = memory_get(n, sizeof *wanted), done = true;
    Compile *compiles = memory_get(n, sizeof *compiles);
    Job *jobs = memory_get(n, sizeof *jobs);
    for (size_t i = 0; i < n; i++) {
        if (!(builds[i].boxed || builds[i].seamed) || builds[i].state != BUILD_OK) continue;
        char *last = build_beside(objects[i], builds[i].boxed ? "player" : "box.o");
        if (builds[i].boxed) builds[i].player = memory_copy(last);
        wanted[i] = access(last, R_OK) != 0;
        for (size_t k = 0; k < i && wanted[i]; k++)
            wanted[i] = !wanted[k] || strcmp(objects[k], objects[i]) != 0;
        free(last);
        if (!wanted[i]) continue;
        /* ".glue.cu": no message names a line of it (is_own_source in sim/host/ending.c) */
        seams[i] = (Seam){.glue = memory_format("%s/%zu.glue.cu", workshop->work, i),
                          .renames = memory_format("%s/renames%zu", workshop->work, i),
                          .seam = memory_format("%s/seam%zu.o", workshop->work, i),
                          .box = memory_format("%s/box%zu.o", workshop->work, i),
                          .half = memory_format("%s/half%zu.o", workshop->work, i),
                          .player = memory_format("%s/player%zu", workshop->work, i)};
        if ((!nm || !objcopy) && !builds[i].boxed) {
            wanted[i] = builds[i].seamed = false;
        } else if (!nm || !objcopy) {
            builds[i].state = BUILD_TOOL_ERROR;
            text_add(&builds[i].output, "nm and objcopy (binutils) are needed\n");
        }
    }
    for (SeamStep step = 0; step < SEAM_STEPS && done; step++) {
        for (size_t i = 0; i < n; i++) {
            compiles[i] = (Compile){0};
            if (!wanted[i] || builds[i].state != BUILD_OK) continue;
            if (step > SEAM_BOX && !builds[i].boxed) continue;
            if (step == SEAM_NAMES) {
                seams[i].symbols = builds[i].output;
                builds[i].output = (Text){0};
            }
            if (step == SEAM_RENAME && !write_glue(workshop, &builds[i], &seams[i])) continue;
            seam_command(&compiles[i], workshop, &builds[i], &seams[i], objects[i], step, nm,
                         objcopy);
        }
        done = compile_all(workshop, builds, compiles, jobs, n, BUILD_HARNESS_ERROR);
        for (size_t i = 0; i < n; i++) compile_release(&compiles[i]);
        for (size_t i = 0; i < n && done; i++) {
            if (!wanted[i] || builds[i].boxed || builds[i].state == BUILD_OK) continue;
            /* an exercise that cannot be graded without trust can still be worked on */
            builds[i].state = BUILD_OK;
            text_clear(&builds[i].output);
            wanted[i] = builds[i].seamed = false;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (wanted[i] && done && builds[i].state == BUILD_OK) {
            char *seam = build_beside(objects[i], "seam.o"),
                 *box = build_beside(objects[i], "box.o");
            text_clear(&builds[i].output);
            /* the player comes last, or the box: where it is, the others are */
            if (!build_take_place(seams[i].seam, seam) || !build_take_place(seams[i].box, box) ||
                (builds[i].boxed && !build_take_place(seams[i].player, builds[i].player))) {
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
        char *box = build_beside(objects[i], "box.o");
        if (builds[i].seamed && !builds[i].boxed && access(box, R_OK) != 0)
            builds[i].seamed = false;
        free(box);
        if (builds[i].player && builds[i].state == BUILD_OK && access(builds[i].player, X_OK) != 0)
            builds[i].state = BUILD_HARNESS_ERROR;
    }
    free(seams);
    free(wanted);
    free(compiles);
    free(jobs);
    free(nm);
    free(objcopy);
    return done;
}
