#include "sim/tlcc/toolkit.h"
#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/env.h"

/* ---- is it needed, and where is it ---- */

static bool begins_library(const char *name)
{
    /* the last is what an old Thrust, in /usr/include, asks for first */
    static const char *const folders[] = {"thrust/", "cub/", "cuda/", "nv/", "cuda_occupancy.h:"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(name, folders[i], strlen(folders[i]))) return true;
    return false;
}

/* "x.cu:1:10: fatal error: thrust/sort.h: No such file or directory", in any language, and clang's
 * "'thrust/sort.h' file not found". */
bool toolkit_is_missed(const Bytes *errors)
{
    const char *end = errors->data + errors->size;
    for (const char *at = errors->data; at && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        bool message = *at != ' '; /* not a line that is quoted */
        for (; message && at + 6 < next; at++)
            if ((*at == ' ' && begins_library(at + 1)) || (*at == '\'' && begins_library(at + 1)))
                return true;
        at = next;
    }
    return false;
}

static bool is_toolkit(const char *folder)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s/thrust/version.h", folder);
    if (size >= (int)sizeof path || access(path, R_OK) != 0) return false;
    size = snprintf(path, sizeof path, "%s/cuda/std/version", folder);
    return size < (int)sizeof path && access(path, R_OK) == 0;
}

/* The folder itself, or what toolkits from 13 on have in it. */
static char *look_in(const char *folder)
{
    static const char *const inside[] = {"", "/cccl"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        Bytes path = {0};
        bytes_format(&path, "%s%s", folder, inside[i]);
        if (is_toolkit(path.data)) return path.data;
        bytes_release(&path);
    }
    return NULL;
}

static char *look_in_all(const char *pattern)
{
    glob_t found = {0};
    char *folder = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = found.gl_pathc; i > 0 && !folder; i--)
            folder = look_in(found.gl_pathv[i - 1]);
    globfree(&found);
    return folder;
}

char *toolkit_find(const Options *options)
{
    static const char *const names[] = {ENV_CUDA_HOME, ENV_CUDA_PATH};
    static const char *const usual[] = {"/usr/local/cuda/include",
                                        "/usr/local/cuda/targets/*/include",
                                        "/usr/local/cuda-*/include",
                                        "/opt/cuda/include",
                                        "/usr/lib/cuda/include",
                                        "/usr/include"};
    char *found = NULL;
    bool named = false;
    for (int i = 0; i < options->preprocess.count && !found; i++) {
        const char *item = options->preprocess.item[i];
        if (!strcmp(item, "-isystem") && i + 1 < options->preprocess.count)
            found = look_in(options->preprocess.item[++i]);
        else if (!strncmp(item, "-I", 2)) found = look_in(item + 2);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        const char *home = getenv(names[i]);
        Bytes path = {0};
        if (!home || !*home) continue;
        named = true;
        bytes_format(&path, "%s/include", home);
        found = look_in(path.data);
        bytes_release(&path);
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !found && !named; i++)
        found = look_in_all(usual[i]);
    return found;
}

/* ---- the two passes ---- */

void toolkit_add_folder(const char *folder, Args *args)
{
    args_add(args, "-isystem");
    args_add(args, folder);
}

void toolkit_add_preprocessing(const Compiler *compiler, const char *folder, int arch, Args *args)
{
    args_add(args, "-DTL_WORDS_LATER=1");
    args_format(args, "-DTL_ARCH=%d", arch);
    args_format(args, "-DCUB_PTX_ARCH=%d", arch);
    args_format(args, "-DNV_TARGET_SM_INTEGER_LIST=%d", arch / 10);
    args_format(args, "-D__NVCOMPILER_CUDA_ARCH__=%d", arch);
    args_add(args, "-D_NVHPC_CUDA=1");
    args_add(args, "-DCCCL_DISABLE_NVTX=1");
    args_add(args, "-isystem");
    args_format(args, "%s/include/toolkit", compiler->home);
    toolkit_add_folder(folder, args);
}

void toolkit_add_compile(Args *args)
{
    /* CUB moves values of any type as words, which device compilers let pass */
    args_add(args, "-fno-strict-aliasing");
    args_add(args, "-Wno-maybe-uninitialized"); /* of code that is not the author's */
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* "using X = X<..." in a class of CUB means two things by one name, which g++ does not accept:
 * where the second X begins, 0 if the line is none of these. (In a function it does, with names of
 * cub::detail, which are written small.) */
static size_t second_name(const char *line, size_t size)
{
    static const char using[] = "using ";
    size_t at = 0;
    while (at < size && line[at] == ' ') at++;
    if (size - at < sizeof using || memcmp(line + at, using, sizeof using - 1) != 0) return 0;

    const char *name = line + at + sizeof using - 1, *end = line + size;
    const char *after = name;
    while (after < end && is_word(*after)) after++;
    size_t length = (size_t)(after - name);
    while (after < end && *after == ' ') after++;
    if (!length || !isupper((unsigned char)*name) || after == end || *after++ != '=') return 0;
    while (after < end && *after == ' ') after++;
    if ((size_t)(end - after) <= length || memcmp(after, name, length) != 0) return 0;
    return after[length] == '<' ? (size_t)(after - line) : 0;
}

/* A line of the text as the second pass is to see it. cub: it is of a file of CUB's. */
static void finish_line(const char *line, size_t size, bool cub, Bytes *out)
{
    size_t name = cub ? second_name(line, size) : 0;
    bytes_add(out, line, name);
    if (name) bytes_add_string(out, "::cub::");
    bytes_add(out, line + name, size - name);
}

bool toolkit_finish(const Compiler *compiler, Bytes *text)
{
    Bytes path = {0}, out = {0};
    char line[1024];
    bool cub = false;
    bytes_format(&path, "%s/include/threelane/words.h", compiler->home);
    FILE *words = fopen(path.data, "r");
    bytes_release(&path);
    if (!words) return false;

    const char *end = text->data + text->size;
    const char *first = text->size ? memchr(text->data, '\n', text->size) : NULL;
    size_t name = first ? (size_t)(first - text->data) + 1 : 0;
    bytes_add(&out, text->data, name); /* the source's name comes before all else */
    while (fgets(line, sizeof line, words)) bytes_add_string(&out, line);
    fclose(words);
    for (const char *at = text->data; at && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        if (at[0] == '#' && at[1] == ' ')
            cub = memmem(at, (size_t)(next - at), "/cub/", strlen("/cub/")) != NULL;
        finish_line(at, (size_t)(next - at), cub, &out);
        at = next;
    }
    bytes_release(text);
    *text = out;
    return true;
}
