/* build_known.c - sources that somebody may have compiled before (build_internal.h). */
#include "common/env.h"
#include "grader/build/build_internal.h"
#include "grader/build/store.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders that the compiler looks for headers in, whose contents nobody follows. */
static bool looks_elsewhere(void)
{
    static const char *const names[] = {ENV_CPATH, ENV_C_INCLUDE_PATH, ENV_CPLUS_INCLUDE_PATH};
    bool elsewhere = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !elsewhere; i++) {
        const char *value = getenv(names[i]);
        elsewhere = value && *value;
    }
    return elsewhere;
}

/* Outside of a box a header beside the source comes before the exercise's. */
static bool has_own_header(const Build *build)
{
    const char *slash = strrchr(build->source, '/');
    int length = slash ? (int)(slash - build->source) : 0;
    char *header = memory_format("%.*s/%s.h", length, build->source, build->exercise->id);
    bool own = strncmp(build->source, build->exercise->folder, (size_t)length) != 0 ||
               build->exercise->folder[length];
    own = own && access(header, F_OK) == 0;
    free(header);
    return own;
}

/* What the source is called when it is compiled, and where: messages and lines name it so. */
static void add_place(Text *of, const Workspace *workspace, const Build *build)
{
    const char *slash = strrchr(build->source, '/'), *name = slash ? slash + 1 : build->source;
    char *called = catalogue_relative(workspace->catalogue, build->source);
    text_printf(of, "%s %d\n", build->sandbox ? name : called,
                build->sandbox ? (int)build->sandbox->level : -1);
    free(called);
}

void known_read(Known *known, const Workspace *workspace, Build *build)
{
    Text source = {0};
    text_clear(&known->of);
    known->stamp = hash_start();
    hash_add_stamp(&known->stamp, build->source);
    bool whole = !workspace->card && !workspace->warning && !looks_elsewhere() &&
                 text_read_file(&source, build->source, LIMIT_SUBMISSION) == 0 &&
                 strlen(text_string(&source)) == source.length &&
                 (build->sandbox || !has_own_header(build)) &&
                 build_sees_all(build, text_string(&source));
    if (whole) {
        char name[33];
        Hash hash = workspace->tools;
        build_hash_visible(&hash, workspace, build, text_string(&source));
        hash_name(&hash, name);
        text_printf(&known->of, "%s ", name);
        add_place(&known->of, workspace, build);
        text_append(&known->of, text_string(&source), source.length);
    }
    text_release(&source);
}

bool known_take(const Known *known, const Workspace *workspace, const char *place)
{
    return known->of.length && store_take(workspace->cache, &known->of, place);
}

void known_keep(const Known *known, const Workspace *workspace, Build *build, const char *object)
{
    Known now = {0};
    if (!known->of.length || build->output.length) return;
    known_read(&now, workspace, build);
    if (now.of.length == known->of.length && now.stamp.a == known->stamp.a &&
        now.stamp.b == known->stamp.b &&
        !memcmp(text_string(&now.of), text_string(&known->of), now.of.length))
        store_keep(workspace->cache, &now.of, object);
    text_release(&now.of);
}
