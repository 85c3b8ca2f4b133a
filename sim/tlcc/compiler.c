#include "sim/tlcc/compiler.h"
#include "common/env.h"
#include "sim/tlcc/objects.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/tlcc/process.h"

/* ---- finding ---- */

static bool is_file(const char *path, int mode)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, mode) == 0;
}

static bool holds_file(const char *directory, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path &&
           is_file(path, R_OK);
}

static bool find_home(Compiler *compiler, Bytes *message)
{
    static const char *const places[] = {"../lib/threelane", "../build/lib/threelane"};
    const char *named = getenv(ENV_HOME);
    char self[PATH_MAX], path[PATH_MAX * 2];
    if (named && *named) {
        if (holds_file(named, "include/cuda_runtime.h")) {
            compiler->home = must_copy(named);
            return true;
        }
        bytes_format(message, ENV_HOME " is %s, but there is no include/cuda_runtime.h in it",
                     named);
        return false;
    }
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size > 0) {
        self[size] = 0;
        *strrchr(self, '/') = 0;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            snprintf(path, sizeof path, "%s/%s", self, places[i]);
            char *real = realpath(path, NULL);
            if (real && holds_file(real, "include/cuda_runtime.h")) {
                compiler->home = must_copy(real);
                free(real);
                return true;
            }
            free(real);
        }
    }
    bytes_add_string(message, "cannot find Threelane's headers: run make, or set " ENV_HOME
                              " to the directory of "
                              "include/ and libthreelane.a");
    return false;
}

/* The path of a command, through PATH. */
static bool find_command(const char *name, char *path, size_t size)
{
    if (strchr(name, '/'))
        return snprintf(path, size, "%s", name) < (int)size && is_file(path, X_OK);
    const char *places = getenv(ENV_PATH);
    if (!places) places = "/usr/local/bin:/usr/bin:/bin";
    while (*places) {
        size_t length = strcspn(places, ":");
        int needed = snprintf(path, size, "%.*s/%s", (int)length, length ? places : ".", name);
        if (needed < (int)size && is_file(path, X_OK)) return true;
        places += length + (places[length] == ':');
    }
    return false;
}

/* "x86_64-linux-gnu-g++-12" and "clang-14" tell kind and version without being run. */
static bool known_by_name(Compiler *compiler, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real)) return false;
    const char *base = strrchr(real, '/') + 1;
    const char *found = strstr(base, "clang");
    compiler->clang = found != NULL;
    size_t size = 5;
    if (!found) {
        found = strstr(base, "g++");
        size = 3;
    }
    if (!found) return false;
    found += size;
    if (compiler->clang && !strncmp(found, "++", 2)) found += 2;
    char *end;
    long version = *found == '-' ? strtol(found + 1, &end, 10) : 0;
    if (version < 4 || version > 999 || (*end && *end != '.')) return false;
    compiler->version = (int)version;
    return true;
}

/* Asks it for the macros that say who it is. */
static bool ask(Compiler *compiler, Bytes *message)
{
    static const char *const question[] = {"-dM", "-E", "-x", "c++", "/dev/null", NULL};
    Args arguments = {0};
    Bytes output = {0}, errors = {0};
    args_add(&arguments, compiler->command);
    for (const char *const *word = question; *word; word++) args_add(&arguments, *word);
    int status = process_run(&arguments, NULL, &output, &errors);
    const char *text = output.data ? output.data : "";
    const char *clang = strstr(text, "#define __clang_major__ "),
               *gnu = strstr(text, "#define __GNUC__ ");
    compiler->clang = clang != NULL;
    if (clang || gnu) compiler->version = atoi(strchr(strchr(clang ? clang : gnu, '_'), ' '));
    bool fine = status == 0 && (clang || gnu);
    if (!fine)
        bytes_format(message, "the host compiler '%s' is neither g++ nor clang++",
                     compiler->command);
    args_release(&arguments);
    bytes_release(&output);
    bytes_release(&errors);
    return fine;
}

/* Directories of NVIDIA's own headers would be found before ours, or mixed with them; those of its
 * libraries are for toolkit.h. */
static bool is_foreign(const Compiler *compiler, const char *directory)
{
    if (holds_file(directory, "thrust/version.h")) return true;
    if (!holds_file(directory, "cuda_runtime_api.h")) return false;
    char ours[PATH_MAX];
    char *theirs = realpath(directory, NULL);
    snprintf(ours, sizeof ours, "%s/include", compiler->home);
    char *real = realpath(ours, NULL);
    bool same = theirs && real && !strcmp(theirs, real);
    free(theirs);
    free(real);
    return !same;
}

static void clean_environment(const Compiler *compiler)
{
    static const char *const names[] = {ENV_CPATH, ENV_C_INCLUDE_PATH, ENV_CPLUS_INCLUDE_PATH};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !*value) continue;
        Bytes kept = {0};
        bool dropped = false;
        while (*value) {
            size_t size = strcspn(value, ":");
            char directory[PATH_MAX];
            snprintf(directory, sizeof directory, "%.*s", (int)(size < sizeof directory ? size : 0),
                     value);
            if (size && is_foreign(compiler, directory)) {
                dropped = true;
            } else {
                if (kept.size) bytes_add_char(&kept, ':');
                bytes_add(&kept, value, size);
            }
            value += size + (value[size] == ':');
        }
        if (dropped && kept.size) setenv(names[i], kept.data, 1);
        if (dropped && !kept.size) unsetenv(names[i]);
        bytes_release(&kept);
    }
}

bool compiler_find(Compiler *compiler, const Options *options, Bytes *message)
{
    static const char *const usual[] = {"g++", "clang++", "c++"};
    char path[PATH_MAX];
    *compiler = (Compiler){0};
    if (!find_home(compiler, message)) return false;
    const char *named = options->compiler;
    if (!named || !*named) named = getenv(ENV_CXX);
    if (named && *named) {
        struct stat status;
        Bytes inside = {0};
        if (stat(named, &status) == 0 && S_ISDIR(status.st_mode)) {
            bytes_format(&inside, "%s/g++", named);
            named = inside.data;
        }
        bool there = find_command(named, path, sizeof path);
        if (there) compiler->command = must_copy(named);
        else bytes_format(message, "there is no host compiler '%s'", named);
        bytes_release(&inside);
        if (!there) return false;
    } else {
        for (size_t i = 0; !compiler->command && i < sizeof usual / sizeof *usual; i++)
            if (find_command(usual[i], path, sizeof path)) compiler->command = must_copy(usual[i]);
        if (!compiler->command) {
            bytes_add_string(
                message,
                "there is no C++ compiler: install g++ or clang++, or name one with -ccbin");
            return false;
        }
    }
    compiler->path = must_copy(path);
    if (!known_by_name(compiler, path) && !ask(compiler, message)) return false;
    if (!compiler->clang && compiler->version < 9) {
        bytes_format(message, "%s is version %d; g++ 9 or later is needed", compiler->command,
                     compiler->version);
        return false;
    }
    const char *terminal = getenv(ENV_TERM);
    compiler->color = isatty(2) && !getenv(ENV_NO_COLOR) && terminal && strcmp(terminal, "dumb");
    clean_environment(compiler);
    return true;
}

void compiler_release(Compiler *compiler)
{
    free(compiler->command);
    free(compiler->path);
    free(compiler->home);
    *compiler = (Compiler){0};
}

/* ---- options ---- */

static void add_all(Args *args, const char *const *options)
{
    for (; *options; options++) args_add(args, *options);
}

/* What makes every access visible to the hooks; threelane/kernel.h says why each is there. */
static void add_instrumentation(const Compiler *compiler, Args *args)
{
    static const char *const both[] = {"-fsanitize=thread",
                                       "-fdata-sections",
                                       "-fno-builtin-memcpy",
                                       "-fno-builtin-memmove",
                                       "-fno-builtin-memset",
                                       "-fno-builtin-memcmp",
                                       "-fno-builtin-strcpy",
                                       "-fno-builtin-stpcpy",
                                       "-fno-builtin-strncpy",
                                       "-fno-builtin-strcat",
                                       "-fno-builtin-strncat",
                                       "-fno-builtin-strcmp",
                                       "-fno-builtin-strncmp",
                                       "-fno-builtin-sprintf",
                                       "-fno-builtin-snprintf",
                                       "-fno-optimize-sibling-calls",
                                       NULL};
    static const char *const gnu[] = {"-fno-tree-vectorize", "-fno-tree-slp-vectorize", NULL};
    static const char *const clang[] = {"-mllvm",
                                        "-tsan-distinguish-volatile",
                                        "-mllvm",
                                        "-tsan-instrument-read-before-write",
                                        "-mllvm",
                                        "-tsan-instrument-func-entry-exit=0",
                                        "-fno-vectorize",
                                        "-fno-slp-vectorize",
                                        NULL};
    add_all(args, both);
    add_all(args, compiler->clang ? clang : gnu);
    if (compiler->clang) return;
    if (compiler->version >= 11) {
        args_add(args, "--param=tsan-distinguish-volatile=1");
        args_add(args, "-Wno-tsan"); /* our hooks need no fence to be announced */
    }
    if (compiler->version >= 12) args_add(args, "--param=tsan-instrument-func-entry-exit=0");
}

/* -fmad: the same results on every machine, unless the program's author wants the GPU's and the
 * processor can. */
static void add_contraction(const Options *options, Args *args)
{
    bool able = true;
#if defined(__x86_64__)
    able = __builtin_cpu_supports("fma");
    if (options->contract && able) args_add(args, "-mfma");
#endif
    args_add(args, options->contract && able ? "-ffp-contract=fast" : "-ffp-contract=off");
}

void compiler_add_common(const Compiler *compiler, const Options *options, Language language,
                         Args *args)
{
    if (options->standard) args_add(args, options->standard);
    else if (language == LANGUAGE_CUDA) args_add(args, "-std=gnu++17");
    args_add(args, options->optimize ? options->optimize : options->device_debug ? "-O0" : "-O2");
    args_add(args, options->debug || options->device_debug ? "-g" : "-g1");
    if (!options->plain) add_instrumentation(compiler, args);
#if defined(__x86_64__)
    if (!options->plain && language == LANGUAGE_CUDA && !compiler->clang)
        args_add(args, "-ffixed-r15"); /* threelane/hooks.h counts there */
#endif
    if (language == LANGUAGE_CUDA) {
        args_add(args, "-fsanitize=float-cast-overflow");
        args_add(args, "-Wuninitialized"); /* as nvcc warns of it */
        add_contraction(options, args);
    }
    /* else large local arrays of a kernel jump over the guard below their thread's stack; clang has
     * it on x86-64 only */
#if !defined(__x86_64__)
    if (!compiler->clang)
#endif
        args_add(args, "-fstack-clash-protection");
    if (options->warnings_are_errors) args_add(args, "-Werror");
    args_add_all(args, &options->compile);
    /* code that is made when it is linked has neither hooks nor the C library's stand-ins */
    if (!options->plain && !compiler->clang) args_add(args, "-fno-lto");
    /* nvcc takes the device's pragmas and attributes out before the host compiler could complain */
    args_add(args, "-Wno-unknown-pragmas");
    args_add(args, "-Wno-attributes");
    if (compiler->clang)
        args_add(args, "-Wno-unused-lambda-capture"); /* a kernel's reference that it does not use
                                                       */
    if (options->quiet) args_add(args, "-w");
    if (compiler->clang) {
        args_add(args, "-Wno-embedded-directive");
        args_add(args, "-Wno-pass-failed");
        args_add(args, "-Qunused-arguments");
    }
    if (compiler->color) args_add(args, "-fdiagnostics-color=always");
}

void compiler_add_preprocessing(const Compiler *compiler, const Options *options, Language language,
                                bool precompiled, Args *args)
{
    char first[PATH_MAX];
    snprintf(first, sizeof first, "%s/%s.gch", compiler->home,
             options->plain ? COMPILER_PCH_PLAIN : COMPILER_PCH);
    precompiled =
        precompiled && language == LANGUAGE_CUDA && !compiler->clang && access(first, R_OK) == 0;
    first[strlen(first) - strlen(".gch")] = 0;
    if (precompiled) args_add(args, "-fpch-preprocess");
    if (options->per_thread_stream) args_add(args, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    args_add(args, "-D__NVCC__=1");
    if (language == LANGUAGE_CUDA) args_add(args, "-D__CUDACC__=1");
    for (int i = 0; i < options->preprocess.count; i++) {
        const char *item = options->preprocess.item[i];
        bool separate = !strcmp(item, "-isystem");
        const char *directory = separate                  ? options->preprocess.item[i + 1]
                                : !strncmp(item, "-I", 2) ? item + 2
                                                          : NULL;
        if (directory && is_foreign(compiler, directory)) {
            i += separate;
            continue;
        }
        args_add(args, item);
        if (separate || !strcmp(item, "-include")) args_add(args, options->preprocess.item[++i]);
    }
    /* the checked forms of memcpy and the like are put in line, unseen; some distributions ask for
     * them by default */
    if (!options->plain) args_add(args, "-U_FORTIFY_SOURCE");
    args_add(args, "-isystem");
    args_format(args, "%s/include", compiler->home);
    if (language == LANGUAGE_CUDA) {
        args_add(args, "-include");
        args_add(args, precompiled && access(first, R_OK) == 0 ? first : "cuda_runtime.h");
    }
}

/* Options that change nothing of which libraries are linked. */
static bool links_as_ever(const char *option)
{
    static const char *const whole[] = {"-w", "-fPIE", "-fPIC", "-pie", "-no-pie", "-pthread"};
    static const char *const starts[] = {"-std=", "-O", "-W", "-ffile-prefix-map="};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (!strcmp(option, whole[i])) return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(option, starts[i], strlen(starts[i])) && !strchr(option, ',')) return true;
    return false;
}

/* Is nothing asked of the linker but to make a program of objects? */
static bool links_plainly(const Compiler *compiler, const Options *options)
{
    bool plainly = !compiler->clang && !options->shared && !options->dry_run;
    for (int i = 0; i < options->compile.count && plainly; i++)
        plainly = links_as_ever(options->compile.item[i]);
    for (int i = 0; i < options->link.count && plainly; i++) {
        const char *item = options->link.item[i];
        bool number = !strcmp(item, "-Xlinker") && i + 1 < options->link.count &&
                      !strncmp(options->link.item[i + 1], "--build-id", strlen("--build-id"));
        if (number) i++;
        else plainly = item[0] == '\1';
    }
    return plainly;
}

/* (Only where we know it well.) */
bool compiler_links_fast(const Compiler *compiler, const Options *options)
{
#if defined(__x86_64__)
    char path[PATH_MAX];
    return links_plainly(compiler, options) && find_command("ld.gold", path, sizeof path);
#else
    (void)compiler, (void)options;
    return false;
#endif
}

void compiler_add_link(const Compiler *compiler, const Options *options, char *const *object,
                       const char *output, bool fast, Args *args)
{
    args_add(args, compiler->command);
    args_add(args, "-o");
    args_add(args, output);
    /* fixed addresses of code and data: the same program leaves the same trace */
    args_add(args, options->shared ? "-shared" : "-no-pie");
    if (fast) {
        args_add(args, "-fuse-ld=gold");
        args_add(args, "-Wl,--no-map-whole-files"); /* half the pages: we need little of libc */
        args_add(args, "-Wl,--build-id=none");      /* a sum of the whole program, for packagers */
    }
    if (compiler->color) args_add(args, "-fdiagnostics-color=always");
    args_add_all(args, &options->compile);
    for (int i = 0; i < options->link.count; i++) {
        const char *item = options->link.item[i];
        args_add(args, item[0] == '\1' ? object[atoi(item + 1)] : item);
    }
    if (options->shared) return; /* the program that loads it brings the runtime */
    args_format(args, "%s/libthreelane.a", compiler->home);
    args_add(args, "-lpthread");
    args_add(args, "-ldl");
    args_add(args, "-lm");
    if (!links_plainly(compiler, options) || objects_need_cpp(object, (size_t)options->inputs))
        return;
    static const char *const all[] = {"-nodefaultlibs", "-lgcc_s", "-lgcc", "-lc"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) args_add(args, all[i]);
}
