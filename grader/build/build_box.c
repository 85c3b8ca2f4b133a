/* build_box.c - compiling what nobody has looked at (build_internal.h). */
#include "common/env.h"
#include "grader/build/build_internal.h"
#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/folder.h"

static void box_file(Box *box, char *from, char *to)
{
    BoxFile *files = memory_grow((BoxFile *)box->files, box->n_files + 1, sizeof *files);
    files[box->n_files++] = (BoxFile){from, to};
    box->files = files;
}

static void box_headers(Box *box, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, folder_by_name);
    for (int i = 0; i < n; i++) {
        if (build_is_header(entries[i]->d_name))
            box_file(box, memory_format("%s/%s", folder, entries[i]->d_name),
                     memory_format("/course/%s", entries[i]->d_name));
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

/* The CUDA toolkit that nvcc is of, to be seen in a box: the folder that nvcc's own `bin` is in,
 * where it is a toolkit's and not in a folder that is there anyway. False: nvcc is something else.
 * The caller frees both. */
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
static bool box_tlcc(Compile *compile, const Workspace *workspace)
{
    char *home = compile_tools(workspace),
         *inside = home ? memory_format("%s/include", home) : NULL;
    char *headers = inside ? realpath(inside, NULL) : NULL,
         *tlcc = headers ? realpath(workspace->tlcc, NULL) : NULL;
    free(inside);
    if (tlcc) {
        Box *box = compile->box;
        char *precompiled = memory_format("%s/pch", home);
        box_file(box, tlcc, memory_copy("/threelane/bin/tlcc"));
        box_file(box, memory_format("%s/libthreelane.a", home),
                 memory_copy("/threelane/lib/threelane/libthreelane.a"));
        box_file(box, headers, memory_copy("/threelane/lib/threelane/include"));
        if (access(precompiled, R_OK) == 0)
            box_file(box, precompiled, memory_copy("/threelane/lib/threelane/pch"));
        else free(precompiled);
        compile_word(compile, memory_copy(box_path(box, 0)));
        compile_hides_course(compile, workspace);
        if (box->sandbox->level == SANDBOX_NAMESPACES) /* no /proc there to find itself by */
            compile->env[0] = memory_copy(ENV_HOME "=/threelane/lib/threelane");
    } else {
        free(headers);
    }
    free(home);
    return tlcc != NULL;
}

static bool box_nvcc(Compile *compile, const Workspace *workspace)
{
    static const char *const passed_on[] = {ENV_NVCC_PREPEND, ENV_NVCC_APPEND, ENV_NVCC_CCBIN};
    char *nvcc, *tree;
    bool fine = toolkit_of(workspace->card, &nvcc, &tree);
    if (fine) {
        if (tree) box_file(compile->box, tree, memory_copy(tree));
        compile_word(compile, nvcc);
        compile_nvcc_flags(compile, workspace->card);
        for (size_t i = 0, n = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
            const char *value = getenv(passed_on[i]);
            if (value) compile->env[n++] = memory_format("%s=%s", passed_on[i], value);
        }
    } else {
        free(nvcc);
        errno = ENOENT;
    }
    return fine;
}

typedef struct BoxName {
    const char *here, *there;
} BoxName;

/* The longest name that begins at `at` and is whole there. */
static const BoxName *name_at(const BoxName *names, size_t n, const char *at)
{
    const BoxName *found = NULL;
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(names[i].here);
        bool whole = length > 1 && !strncmp(at, names[i].here, length) &&
                     !isalnum((unsigned char)at[length]) &&
                     !strchr("_-", at[length] ? at[length] : ' ');
        if (whole && (!found || length > strlen(found->here))) found = &names[i];
    }
    return found;
}

/* How long the part is that mkstemp and its like make up, in "tlcc-Ab3dEf/" and "ccAb3dEf.o". */
static size_t made_up(const char *at)
{
    enum { RANDOM = 6 };
    size_t before = !strncmp(at, "tlcc-", 5) ? 5 : !strncmp(at, "cc", 2) ? 2 : 0, n = 0;
    while (before && n < RANDOM && isalnum((unsigned char)at[before + n])) n++;
    return n == RANDOM && strchr("/.", at[before + n]) && at[before + n] ? before + n : 0;
}

void build_box_words(const Compile *compile, const Workspace *workspace, const Build *build,
                     Text *to, const Text *said)
{
    const Box *box = compile->box;
    size_t n = 0;
    BoxName *names = memory_get(box->n_files + 4, sizeof *names);
    for (size_t i = 0; i < box->n_files; i++)
        names[n++] = (BoxName){box->files[i].from, box->files[i].to};
    names[n++] = (BoxName){workspace->work, "/tmp"};
    names[n++] = (BoxName){build->exercise->folder, "/course"};
    names[n++] = (BoxName){workspace->catalogue->exercises, "/course"};
    names[n++] = (BoxName){workspace->catalogue->root, "/course"};

    const char *at = text_string(said), *end = at + said->length;
    while (at < end) {
        const BoxName *name = *at == '/' ? name_at(names, n, at) : NULL;
        bool starts = at > text_string(said) && at[-1] == '/';
        size_t random = starts ? made_up(at) : 0;
        if (name) {
            text_add(to, name->there);
            at += strlen(name->here);
        } else if (random) {
            text_append(to, at, *at == 't' ? 4 : 2);
            at += random;
        } else {
            text_append(to, at++, 1);
        }
    }
    free(names);
}

/* What a program or a player is linked from, each with the name that it has in the box. */
static void add_parts(Box *box, BoxStep step, const Workspace *workspace, const char *object,
                      const char *part)
{
    bool player = step == BOX_PLAYER;
    if (step == BOX_OBJECT) return;
    if (part) box_file(box, memory_copy(part), memory_copy("/threelane/source.o"));
    if (workspace->card) {
        box_file(box, memory_copy(object), memory_copy("/threelane/harness.o"));
        return;
    }
    box_file(box, build_beside(object, player ? "seam.o" : "box.o"),
             memory_copy(player ? "/threelane/seam.o" : "/threelane/box.o"));
    box_file(box, build_beside(object, player ? "player" : "seam.o"),
             memory_copy(player ? "/threelane/half.o" : "/threelane/seam.o"));
}

enum { OWN_PARTS = 4 }; /* after the shell, its script and the compiler */

/* The shell, and what it does with the compiler: what is made leaves the box through a
 * descriptor. */
static void add_shell(Compile *compile, const Build *build, const char *own)
{
    compile_word(compile, memory_copy("/bin/sh"));
    compile_word(compile, memory_copy("-c"));
    char *then = memory_format(" && cat \"$out\" >&%d", BOX_FIRST_FD);
    compile_word(
        compile,
        own ? build_apart_script(own, then)
            : memory_format("\"$0\" \"$@\" -o \"$TMPDIR/%s\" && exec cat \"$TMPDIR/%s\" >&%d",
                            build->key, build->key, BOX_FIRST_FD));
    free(then);
}

/* The words behind the compiler that makes an object, a program or both. */
static void add_words(Compile *compile, const Workspace *workspace, const Build *build,
                      BoxStep step)
{
    bool mounted = build->sandbox->level == SANDBOX_NAMESPACES;
    if (step != BOX_LINK) {
        compile_word(compile, memory_format("-I%s", mounted ? "/course" : build->exercise->folder));
        if (!mounted) compile_word(compile, memory_format("-I%s", workspace->catalogue->exercises));
    }
    compile_parameters(compile, build);
    if (step == BOX_OBJECT) {
        compile_word(compile, memory_copy("-c"));
    } else {
        if (!workspace->card) compile_anywhere(compile);
        compile_unnumbered(compile, workspace);
    }
}

/* own: of a player, the kernels' symbols. */
static bool start_box(Compile *compile, const Workspace *workspace, const Build *build,
                      BoxStep step, const char *object, const char *part, const char *own,
                      const char *made)
{
    const Catalogue *catalogue = workspace->catalogue;
    *compile = (Compile){.box = memory_get(1, sizeof *compile->box), .output = -1};
    Box *box = compile->box;
    *box = (Box){.sandbox = build->sandbox,
                 .purpose = BOX_COMPILE,
                 .fds = &compile->output,
                 .n_fds = 1,
                 .scratch_bytes = LIMIT_BOX_COMPILE_BYTES,
                 .scratch = memory_copy(workspace->work)};
    const char *slash = strrchr(build->source, '/'), *name = slash ? slash + 1 : build->source;
    bool mounted = build->sandbox->level == SANDBOX_NAMESPACES,
         reads = step == BOX_OBJECT || step == BOX_WHOLE;
    add_shell(compile, build, own);
    if (!(workspace->card ? box_nvcc(compile, workspace) : box_tlcc(compile, workspace)))
        return false;
    size_t parts = box->n_files;
    add_parts(box, step, workspace, object, part);
    size_t after = box->n_files;
    if (own) { /* seam, half, the source's object, and what is made */
        char *const words[] = {memory_copy(box_path(box, parts + 1)),
                               memory_copy(box_path(box, parts + 2)),
                               memory_copy(box_path(box, parts)), memory_copy("-")};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            compile_insert(compile, OWN_PARTS + i, words[i]);
    } else {
        add_words(compile, workspace, build, step);
    }
    if (reads) {
        box_file(box, memory_copy(build->source), memory_format("/course/source/%s", name));
        box_headers(box, build->exercise->folder);
        box_headers(box, catalogue->exercises);
    }
    if (reads && !mounted && !workspace->card) {
        char *beside = memory_format("%.*s", (int)(name - build->source - 1), build->source);
        compile_hides(compile, beside, "/course/source");
        free(beside);
    }
    /* by its bare name, so that messages name it so */
    compile->folder = !mounted ? memory_format("%.*s", (int)(name - build->source), build->source)
                      : reads  ? memory_copy("/course/source")
                               : memory_copy("/");
    if (reads) compile_word(compile, compile_name(memory_copy(name)));
    for (size_t i = parts; i < after && !own; i++)
        compile_word(compile, memory_copy(box_path(box, i)));
    compile->output = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    return compile->output >= 0;
}

bool build_in_box(Compile *compile, const Workspace *workspace, const Build *build, BoxStep step,
                  const char *object, const char *part, const char *made)
{
    return start_box(compile, workspace, build, step, object, part, NULL, made);
}

bool build_player_in_box(Compile *compile, const Workspace *workspace, const Build *build,
                         const char *object, const char *part, const char *own, const char *made)
{
    return start_box(compile, workspace, build, BOX_PLAYER, object, part, own, made);
}

/* Who starts it, as its file says: "" where nobody does, or it is no program. */
static void read_starter(const char *program, char *to, size_t size)
{
    enum { MOST_HEADERS = 64 };
    Elf64_Ehdr head;
    Elf64_Phdr header;
    to[0] = 0;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    bool elf = fd >= 0 && pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head &&
               !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64 &&
               head.e_phentsize == sizeof header;
    for (int i = 0; elf && !to[0] && i < head.e_phnum && i < MOST_HEADERS; i++) {
        off_t at = (off_t)(head.e_phoff + (size_t)i * sizeof header);
        if (pread(fd, &header, sizeof header, at) != (ssize_t)sizeof header) break;
        if (header.p_type != PT_INTERP) continue;
        size_t length = header.p_filesz < size - 1 ? (size_t)header.p_filesz : size - 1;
        ssize_t n = pread(fd, to, length, (off_t)header.p_offset);
        to[n > 0 ? n : 0] = 0;
    }
    if (fd >= 0) close(fd);
}

bool build_starts_as_ever(const char *program)
{
    char ours[256], its[256];
    read_starter("/proc/self/exe", ours, sizeof ours);
    read_starter(program, its, sizeof its);
    return !ours[0] || !strcmp(ours, its);
}
