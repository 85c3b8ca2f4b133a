/* tlcc - compiles CUDA C++ for the virtual GPU, with nvcc's command line.
 *
 * A CUDA source goes through the host compiler twice: its preprocessor reads headers and conditions
 * but leaves macros alone, rewrite() turns launches and kernels into C++, and the compiler proper
 * reads the result from a pipe. C and C++ sources go straight to the compiler. Several sources are
 * compiled side by side. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/rewrite/arch.h"
#include "sim/tlcc/compiler.h"
#include "sim/tlcc/diagnostics.h"
#include "sim/tlcc/driver.h"
#include "sim/tlcc/objects.h"
#include "sim/tlcc/options.h"
#include "sim/tlcc/process.h"
#include "sim/tlcc/toolkit.h"
#include "sim/rewrite/rewrite.h"
#include "sim/rewrite/bytes.h"

typedef struct Job {
    const Options *options;
    const Compiler *compiler;
    char **object; /* of each input: what it becomes, or the input itself if it is an object */
    int *source;   /* indices of the inputs that are sources */
    char *toolkit; /* of one source: the folder of the libraries that it is compiled with; NULL:
                      none */
} Job;

/* What a first pass ends with when the source includes a toolkit's library. */
enum { NEEDS_TOOLKIT = -1 };

static void show(const Args *args)
{
    fputs("#$", stderr);
    for (int i = 0; i < args->count; i++) {
        const char *item = args->item[i];
        bool plain =
            *item &&
            !item[strspn(item, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+=./,:@%^")];
        fputs(plain ? " " : " '", stderr);
        for (const char *c = item; *c; c++) {
            if (*c == '\'') fputs("'\\''", stderr);
            else fputc(*c, stderr);
        }
        if (!plain) fputc('\'', stderr);
    }
    fputc('\n', stderr);
}

/* A command of the host compiler. Returns its status. */
static int drive(const Job *job, const Args *args, const Bytes *input, Bytes *output, Bytes *errors)
{
    DriverResult result = driver_run(job->compiler, args, input, output, errors);
    return result == DRIVER_ASK ? process_run(args, input, output, errors)
                                : result == DRIVER_REFUSED;
}

/* Runs a compiler and shows what it says, cleaned. When it fails, `precise` (NULL: none) is run
 * instead if that fails as well: it says the same and is better at where. */
static int run_or(const Job *job, const Args *args, const Args *precise, const Bytes *input,
                  Bytes *output)
{
    if (job->options->verbose) show(args);
    if (job->options->dry_run) return 0;
    Bytes errors = {0}, again = {0}, clean = {0};
    int status = drive(job, args, input, output, &errors);
    if (status && !input && !job->toolkit && toolkit_is_missed(&errors)) {
        char *found = toolkit_find(job->options);
        bool there = found != NULL;
        free(found);
        if (there) {
            bytes_release(&errors);
            return NEEDS_TOOLKIT;
        }
    }
    if (precise && status > 0 && status <= 128 && drive(job, precise, input, output, &again) != 0) {
        bytes_release(&errors);
        errors = again;
        again = (Bytes){0};
    }
    bytes_release(&again);
    diagnostics_clean(&errors, input, job->compiler->clang && input, &clean);
    if (clean.size) fwrite(clean.data, 1, clean.size, stderr);
    if (status > 128)
        fprintf(stderr, "tlcc: '%s' was ended by signal %d\n", args->item[0], status - 128);
    bytes_release(&errors);
    bytes_release(&clean);
    return status;
}

/* Runs a command of the host compiler and passes its cleaned messages on. */
static int run(const Job *job, const Args *args, const Bytes *input, Bytes *output)
{
    return run_or(job, args, NULL, input, output);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* base of path without its suffix, with another one, in the output directory */
static char *derived_name(const Options *options, const char *path, const char *suffix)
{
    const char *base = base_name(path), *dot = strrchr(base, '.');
    Bytes name = {0};
    if (options->output_directory) bytes_format(&name, "%s/", options->output_directory);
    bytes_format(&name, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)), base,
                 suffix);
    return name.data;
}

/* -M options: the dependency file stands beside the object. */
static void add_dependencies(const Job *job, const char *object, Args *args)
{
    const Options *options = job->options;
    if (options->phase == PHASE_DEPENDENCIES) {
        args_add(args, options->dependencies_user_only ? "-MM" : "-M");
        const char *file = options->dependency_file ? options->dependency_file : options->output;
        if (file) {
            args_add(args, "-MF");
            args_add(args, file);
        }
    } else if (options->dependencies) {
        args_add(args, options->dependencies_user_only ? "-MMD" : "-MD");
        args_add(args, "-MF");
        if (options->dependency_file) {
            args_add(args, options->dependency_file);
        } else {
            const char *dot = strrchr(object, '.'), *slash = strrchr(object, '/');
            bool suffix = dot && (!slash || dot > slash + 1) && dot > object;
            args_format(args, "%.*s.d", (int)(suffix ? dot - object : (long)strlen(object)),
                        object);
        }
    } else {
        return;
    }
    for (int i = 0; i < options->dependency_targets.count; i++) {
        args_add(args, "-MT");
        args_add(args, options->dependency_targets.item[i]);
    }
    if (!options->dependency_targets.count) {
        args_add(args, "-MQ");
        args_add(args, object);
    }
    if (options->dependency_phony) args_add(args, "-MP");
}

enum { ARCH_DEFAULT = 900 };
static int arch_of(const Job *job)
{
    return job->options->arch ? job->options->arch : ARCH_DEFAULT;
}

/* With nvcc a program sees parts of the C++ library that it has not included. They would cost every
 * compilation a tenth of a second; so they are there for programs that mention them. */
static void add_library(const char *path, Args *args)
{
    static const char *const mathematics[] = {"abs",   "fabs",  "sqrt",  "cbrt",     "pow",
                                              "exp",   "exp2",  "log",   "log2",     "log10",
                                              "sin",   "cos",   "tan",   "asin",     "acos",
                                              "atan",  "atan2", "sinh",  "cosh",     "tanh",
                                              "floor", "ceil",  "round", "lround",   "trunc",
                                              "rint",  "fmod",  "fma",   "fmin",     "fmax",
                                              "hypot", "isnan", "isinf", "isfinite", "erf"};
    FILE *file = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    bool any = false, math = false;
    if (!file) return; /* the compiler says so */
    while (!math && getline(&line, &room, file) >= 0) {
        for (const char *at = line; !math && (at = strstr(at, "std::")) != NULL;) {
            at += 5;
            size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
            any = true;
            for (size_t i = 0; i < sizeof mathematics / sizeof *mathematics && !math; i++)
                math = strlen(mathematics[i]) == size && !memcmp(mathematics[i], at, size);
        }
    }
    free(line);
    fclose(file);
    if (!any) return;
    args_add(args, "-include");
    args_add(args, "threelane/std.h");
    if (math) args_add(args, "-include");
    if (math) args_add(args, "cmath");
}

static bool is_openmp(const Options *options)
{
    bool is = false;
    for (int i = 0; i < options->compile.count; i++) {
        if (!strcmp(options->compile.item[i], "-fopenmp")) is = true;
        if (!strcmp(options->compile.item[i], "-fno-openmp")) is = false;
    }
    return is;
}

/* With -fopenmp, g++ drops OpenMP's pragmas in the first pass; without, they are as good as
 * unknown, and stay. */
static void keep_openmp(const Options *options, Args *args)
{
    if (!is_openmp(options)) return;
    args_add(args, "-fno-openmp");
    args_add(args, "-D_OPENMP=201511");
}

/* The text of a first pass without the macros that the compiler knows by itself. They come first,
 * each behind a marker with a name in angle brackets, which depends on the language of the
 * messages. */
static void drop_known_macros(const Bytes *text, Bytes *out)
{
    const char *end = text->data + text->size, *name = NULL;
    size_t name_size = 0;
    bool known = false;
    const char *at = text->data, *next;
    for (; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        next = newline ? newline + 1 : end;
        if (at[0] == '#' && at[1] == ' ') {
            const char *open = memchr(at, '"', (size_t)(next - at));
            const char *shut = open ? memchr(open + 1, '"', (size_t)(next - open - 1)) : NULL;
            bool bracket = shut && open[1] == '<';
            if (name && !bracket) break; /* the first header */

            if (bracket && !name) name = open, name_size = (size_t)(shut - open);
            known = bracket && (size_t)(shut - open) == name_size && !memcmp(open, name, name_size);
        }
        if (!known) bytes_add(out, at, (size_t)(next - at));
    }
    bytes_add(out, at, (size_t)(end - at));
}

/* Is there one of these words in the text, with nothing before that would make it part of another,
 * and one of the endings behind it? */
static bool has_word(const char *text, const char *word, const char *const *endings)
{
    size_t size = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += size) {
        if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) continue;
        for (const char *const *ending = endings; *ending; ending++)
            if (!strncmp(at + size, *ending, strlen(*ending))) return true;
    }
    return false;
}

/* What few programs need stands in headers of its own, which are read where the text names it. */
enum { TEXTURES = 1, TEXTURE_REFERENCES = 2 };
static int rare_headers(const char *text)
{
    static const char *const shapes[] = {"1D", "2D", "3D", "Cubemap", NULL};
    static const char *const template[] = {"<", NULL}, *const channels[] = {"<", "Half", NULL};
    if (has_word(text, "texture", template)) return TEXTURES | TEXTURE_REFERENCES;
    bool textures = has_word(text, "tex", shapes) || has_word(text, "surf", shapes) ||
                    has_word(text, "cudaCreateChannelDesc", channels);
    return textures ? TEXTURES : 0;
}

static void begin_preprocess(const Job *job, Args *args)
{
    args_add(args, job->compiler->command);
    args_add(args, "-E");
    if (!job->toolkit)
        args_add(args, job->compiler->clang ? "-frewrite-includes" : "-fdirectives-only");
    compiler_add_common(job->compiler, job->options, LANGUAGE_CUDA, args);
}

/* The first pass: headers read, conditions decided, macros left alone. arch: as for device code; 0:
 * for host code. precompiled: our own headers need not be in the text. rare: headers to add. */
static int preprocess_with(const Job *job, const Input *input, const char *object, int arch,
                           bool precompiled, int rare, Bytes *text)
{
    Args args = {0};
    begin_preprocess(job, &args);
    if (job->compiler->clang)
        args_add(&args, "-w"); /* the second pass sees the same and says it again */
    else keep_openmp(job->options, &args);
    if (job->toolkit) toolkit_add_preprocessing(job->compiler, job->toolkit, arch_of(job), &args);
    compiler_add_preprocessing(job->compiler, job->options, LANGUAGE_CUDA, precompiled, &args);
    add_library(input->path, &args);
    if (rare) args_add(&args, "-include");
    if (rare)
        args_add(&args, rare & TEXTURE_REFERENCES ? "threelane/texture_reference.h"
                                                  : "threelane/texture.h");
    if (arch) args_format(&args, "-D__CUDA_ARCH__=%d", arch);
    else add_dependencies(job, object, &args);
    args_add(&args, "-x");
    args_add(&args, "c++");
    args_add(&args, input->path);
    int status = run(job, &args, NULL, text);
    args_release(&args);
    return status;
}

static int preprocess(const Job *job, const Input *input, const char *object, int arch,
                      bool precompiled, Bytes *text)
{
    int status = preprocess_with(job, input, object, arch, precompiled, 0, text);
    bytes_add_string(text, "");
    int rare = status ? 0 : rare_headers(text->data);
    if (!rare || strstr(text->data, "threelane/texture.h\"")) return status;
    bytes_release(text);
    *text = (Bytes){0};
    return preprocess_with(job, input, object, arch, precompiled, rare, text);
}

static int rewrite_source(const Job *job, const Input *input, const char *object, Bytes *text)
{
    Bytes host = {0}, device = {0}, both = {0}, ours = {0};
    RewriteResult result = {0};
    bytes_format(&ours, "%s/include", job->compiler->home);
    RewriteOptions options = {input->path, ours.data, job->toolkit};
    /* a list of the files that were read would lack ours */
    bool precompiled = job->options->phase != PHASE_REWRITE && !job->options->dependencies &&
                       !is_openmp(job->options) && !job->toolkit;
    int status = preprocess(job, input, object, 0, precompiled, &host);
    bytes_add_string(&host, "");
    bool twice = status == 0 && host.size < INT32_MAX && arch_is_tested(&host, &options);
    if (twice) {
        int arch = arch_of(job);
        if (strstr(host.data, COMPILER_PCH_MARK)) { /* two texts are compared, so both have to be
                                                       whole */
            bytes_release(&host);
            status = preprocess(job, input, object, 0, false, &host);
            bytes_add_string(&host, "");
        }
        if (status == 0) status = preprocess(job, input, object, arch, false, &device);
        bytes_add_string(&device, "");
        if (status == 0 && device.size < INT32_MAX)
            arch_merge(&host, &device, &options, arch, &both);
    }
    if (status == 0 && !job->options->dry_run) {
        const Bytes *whole = both.size ? &both : &host;
        rewrite(&result, whole->data, whole->size, &options);
        if (result.errors.size) {
            fwrite(result.errors.data, 1, result.errors.size, stderr);
            status = 1;
        }
        *text = result.text;
        result.text = (Bytes){0};
        if (job->toolkit && status == 0 && !toolkit_finish(job->compiler, text)) {
            fprintf(stderr, "tlcc: cannot read threelane/words.h below %s\n", job->compiler->home);
            status = 1;
        }
    }
    rewrite_release(&result);
    bytes_release(&host);
    bytes_release(&device);
    bytes_release(&both);
    bytes_release(&ours);
    return status;
}

/* With a toolkit's libraries if it needs some: job->toolkit is then to be freed. */
static int rewrite_input(Job *job, const Input *input, const char *object, Bytes *text)
{
    int status = rewrite_source(job, input, object, text);
    if (status != NEEDS_TOOLKIT) return status;
    bytes_release(text);
    *text = (Bytes){0};
    job->toolkit = toolkit_find(job->options);
    return rewrite_source(job, input, object, text);
}

/* Is there a cast to a pointer to float4, int2 ... in the text? */
static bool casts_to_vectors(const char *text)
{
    static const char *const types[] = {"char",     "short", "int",   "long",
                                        "longlong", "float", "double"};
    for (const char *star = text; (star = strchr(star, '*')) != NULL; star++) {
        const char *after = star + 1 + strspn(star + 1, " \t"), *end = star;
        if (*after != ')' && *after != '>') continue;
        while (end > text && strchr(" \t", end[-1])) end--;
        if (end - text > 6 && memcmp(end - 5, "const", 5) == 0 && strchr(" \t", end[-6]))
            for (end -= 5; end > text && strchr(" \t", end[-1]);) end--;
        if (end - text < 5 || (end[-1] != '2' && end[-1] != '4')) continue;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            size_t n = strlen(types[i]);
            const char *begin = end - 1 - n;
            if (begin < text + 1 || memcmp(begin, types[i], n) != 0) continue;
            if (begin[-1] == 'u' && begin - 1 > text) begin--;
            if (strchr(" \t\n(<:", begin[-1])) return true;
        }
    }
    return false;
}

static void begin_compile(const Job *job, Args *args)
{
    args_add(args, job->compiler->command);
    args_add(args, "-c");
    args_add(args, "-pipe");
    compiler_add_common(job->compiler, job->options, LANGUAGE_CUDA, args);
}

/* The second pass reads a text of the first one that was rewritten. */
static void end_compile(const char *object, bool preprocessed, Args *args)
{
    static const char *const text[] = {"-fpreprocessed", "-fdirectives-only"};
    static const char *const rest[] = {"-x", "c++", "-", "-o"};
    for (size_t i = 0; i < sizeof text / sizeof *text && preprocessed; i++) args_add(args, text[i]);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) args_add(args, rest[i]);
    args_add(args, object);
}

/* Calls are macros of our headers: only without looking into them does g++ warn of what is given to
 * them, in the program's line. Errors have their column with it. */
static void without_expansions(const Compiler *compiler, const Args *args, Args *lines)
{
    args_add(lines, args->item[0]);
    if (!compiler->clang) args_add(lines, "-ftrack-macro-expansion=0");
    for (int i = 1; i < args->count; i++) args_add(lines, args->item[i]);
}

/* How the compiler is to read the rewritten text, which comes by a pipe. */
static void add_reading(const Job *job, const Input *input, Bytes *text, Args *args)
{
    const Compiler *compiler = job->compiler;
    if (compiler->clang) {
        compiler_add_preprocessing(compiler, job->options, LANGUAGE_CXX, false, args);
        args_add(args, "-D__CUDACC__=1");
        /* else the debug information calls the student's file "-" */
        args_add(args, "-Xclang");
        args_add(args, "-main-file-name");
        args_add(args, "-Xclang");
        args_add(args, input->path);
    } else if (is_openmp(job->options)) {
        /* g++ from 13 on ignores OpenMP's pragmas behind -fdirectives-only: so it is a text like
         * any other, which includes nothing, and whose markers are not to be complained about */
        Bytes rest = {0};
        if (text->size) drop_known_macros(text, &rest);
        bytes_release(text);
        *text = rest;
        args_add(args, "-nostdinc");
        args_add(args, "-Wno-pedantic");
        args_add(args, "-Wno-builtin-macro-redefined");
        if (!strpbrk(input->path, "\"\\")) args_format(args, "-D__BASE_FILE__=\"%s\"", input->path);
    }
}

/* Compiles the rewritten text of a CUDA file. */
static int compile_rewritten(const Job *job, const Input *input, Bytes *text, const char *object)
{
    const Compiler *compiler = job->compiler;
    Args args = {0}, lines = {0};
    begin_compile(job, &args);
    /* the compiler may access a vector by its parts: what its type asks for is then seen by this
     * alone, which costs; and CUB asks for more than it keeps to, which no card minds */
    if (!job->options->plain && !job->toolkit && !compiler->clang && text->data &&
        casts_to_vectors(text->data))
        args_add(&args, "-fsanitize=alignment");
    if (job->toolkit) toolkit_add_compile(&args);
    add_reading(job, input, text, &args);
    end_compile(object, !compiler->clang && !is_openmp(job->options), &args);
    without_expansions(compiler, &args, &lines);
    int status = run_or(job, &lines, compiler->clang ? NULL : &args, text, NULL);
    args_release(&args);
    args_release(&lines);
    return status;
}

static int compile_cuda(const Job *of_all, const Input *input, const char *object)
{
    Bytes text = {0};
    Job own = *of_all, *job = &own;
    int status = rewrite_input(job, input, object, &text);
    if (status == 0) status = compile_rewritten(job, input, &text, object);
    if (status == 0 && !job->options->plain && !objects_add_gaps(object)) {
        fprintf(stderr, "tlcc: %s cannot be written\n", object);
        status = 1;
    }
    bytes_release(&text);
    free(job->toolkit);
    return status;
}

static int compile_plain(const Job *job, const Input *input, const char *object)
{
    Args args = {0};
    args_add(&args, job->compiler->command);
    args_add(&args, "-c");
    args_add(&args, "-pipe");
    compiler_add_common(job->compiler, job->options, input->language, &args);
    if (job->toolkit) toolkit_add_folder(job->toolkit, &args);
    compiler_add_preprocessing(job->compiler, job->options, input->language, false, &args);
    add_dependencies(job, object, &args);
    args_add(&args, "-x");
    args_add(&args, input->language == LANGUAGE_C ? "c" : "c++");
    args_add(&args, input->path);
    args_add(&args, "-o");
    args_add(&args, object);
    int status = run(job, &args, NULL, NULL);
    args_release(&args);
    return status;
}

static int compile_one(void *arg, int i)
{
    const Job *job = arg;
    const Input *input = &job->options->input[job->source[i]];
    const char *object = job->object[job->source[i]];
    int status = input->language == LANGUAGE_CUDA ? compile_cuda(job, input, object)
                                                  : compile_plain(job, input, object);
    if (status == NEEDS_TOOLKIT) {
        Job with = *job;
        with.toolkit = toolkit_find(job->options);
        status = compile_plain(&with, input, object);
        free(with.toolkit);
    }
    return status > 128 ? 1 : status;
}

/* -E and -M: what the host compiler's preprocessor says. */
static int preprocess_source(void *arg, int i)
{
    const Job *job = arg;
    const Options *options = job->options;
    const Input *input = &options->input[job->source[i]];
    Args args = {0};
    args_add(&args, job->compiler->command);
    if (options->phase == PHASE_PREPROCESS) args_add(&args, "-E");
    compiler_add_common(job->compiler, options, input->language, &args);
    if (job->toolkit && input->language == LANGUAGE_CUDA)
        toolkit_add_preprocessing(job->compiler, job->toolkit, arch_of(job), &args);
    else if (job->toolkit) toolkit_add_folder(job->toolkit, &args);
    compiler_add_preprocessing(job->compiler, options, input->language, false, &args);
    char *object = options->output && options->phase == PHASE_PREPROCESS
                       ? must_copy(options->output)
                       : derived_name(options, input->path, ".o");
    add_dependencies(job, object, &args);
    if (options->phase == PHASE_PREPROCESS && options->output) {
        args_add(&args, "-o");
        args_add(&args, options->output);
    }
    args_add(&args, "-x");
    args_add(&args, input->language == LANGUAGE_C ? "c" : "c++");
    args_add(&args, input->path);
    int status = run(job, &args, NULL, NULL);
    free(object);
    args_release(&args);
    return status;
}

static int preprocess_one(void *arg, int i)
{
    Job job = *(const Job *)arg;
    int status = preprocess_source(&job, i);
    if (status != NEEDS_TOOLKIT) return status;
    job.toolkit = toolkit_find(job.options);
    status = preprocess_source(&job, i);
    free(job.toolkit);
    return status;
}

/* One header: written under another name first, so that nobody reads half of it. */
static int precompile_one(const Job *job, const char *name)
{
    const Compiler *compiler = job->compiler;
    Args args = {0};
    Bytes header = {0}, made = {0}, folder = {0}, whole = {0}, include = {0}, map = {0};
    bytes_format(&include, "%s/include", compiler->home);
    char *headers = realpath(include.data, NULL);
    bytes_format(&header, "%s/%s", compiler->home, name);
    bytes_format(&folder, "%.*s", (int)(strrchr(header.data, '/') - header.data), header.data);
    bytes_format(&whole, "%s.gch", header.data);
    bytes_format(&made, "%s.%ld", whole.data, (long)getpid());
    mkdir(folder.data, 0777);
    FILE *file = fopen(header.data, "w");
    int status = 1;
    if (!file || fputs("#include <cuda_runtime.h>\n", file) < 0 || fclose(file) != 0) {
        fprintf(stderr, "tlcc: cannot write %s\n", header.data);
    } else {
        args_add(&args, compiler->command);
        compiler_add_common(compiler, job->options, LANGUAGE_CUDA, &args);
        compiler_add_preprocessing(compiler, job->options, LANGUAGE_CXX, false, &args);
        args_add(&args, "-D__CUDACC__=1");
        if (headers) { /* where they lie here is nothing for the programs that are made of them */
            bytes_format(&map, "-fdebug-prefix-map=%s=/threelane/include", headers);
            args_add(&args, map.data);
        }
        args_add(&args, "-x");
        args_add(&args, "c++-header");
        args_add(&args, header.data);
        args_add(&args, "-o");
        args_add(&args, made.data);
        status = run(job, &args, NULL, NULL);
        if (status == 0 && !job->options->dry_run && rename(made.data, whole.data) != 0) status = 1;
        if (status) unlink(made.data);
    }
    free(headers);
    args_release(&args);
    bytes_release(&include);
    bytes_release(&map);
    bytes_release(&header);
    bytes_release(&made);
    bytes_release(&folder);
    bytes_release(&whole);
    return status;
}

/* What the compiler's driver runs for a source's two passes, and for the link. */
static void learn(const Job *job, Bytes *kept)
{
    Options options = *job->options;
    Job any = *job;
    Args first = {0}, second = {0}, lines = {0};
    options.compile = options.preprocess = (Args){0};
    args_add(&options.compile, DRIVER_OPTION);
    args_add(&options.preprocess, DRIVER_DEFINE);
    args_add(&options.preprocess, DRIVER_FOLDER);
    any.options = &options;
    begin_preprocess(&any, &first);
    compiler_add_preprocessing(any.compiler, &options, LANGUAGE_CUDA, true, &first);
    args_add(&first, "-include");
    args_add(&first, DRIVER_HEADER);
    args_add(&first, "-x");
    args_add(&first, "c++");
    args_add(&first, DRIVER_INPUT);
    driver_learn(any.compiler, &first, kept);
    begin_compile(&any, &second);
    end_compile(DRIVER_OUTPUT, true, &second);
    without_expansions(any.compiler, &second, &lines);
    driver_learn(any.compiler, &lines, kept);
    driver_learn(any.compiler, &second, kept);
    args_release(&first);
    args_release(&second);
    args_release(&lines);
    args_release(&options.compile);
    args_release(&options.preprocess);
}

/* pie: as programs that nobody trusts are linked. cpp: with the C++ library; nothing can be read of
 * the object that stands for all, so that it may need that. */
static void learn_link(const Job *job, bool pie, bool cpp, Bytes *kept)
{
    char object[] = DRIVER_OBJECT, *objects[] = {object};
    Options options = *job->options;
    Args args = {0};
    options.compile = options.link = (Args){0};
    options.inputs = cpp;
    if (pie) args_add(&options.compile, "-pie");
    args_add(&options.link, "\1"
                            "0");
    if (compiler_links_fast(job->compiler, &options)) {
        compiler_add_link(job->compiler, &options, objects, DRIVER_OUTPUT, true, &args);
        driver_learn(job->compiler, &args, kept);
    }
    args_release(&options.compile);
    args_release(&options.link);
    args_release(&args);
}

/* --precompile. clang has no use for it. */
static int precompile(const Job *job)
{
    Options plain = *job->options;
    Job other = *job;
    Bytes kept = {0};
    if (job->compiler->clang) return 0;

    plain.plain = true;
    other.options = &plain;
    int status = precompile_one(&other, COMPILER_PCH_PLAIN);
    if (status == 0) status = precompile_one(job, COMPILER_PCH);
    if (status || job->options->dry_run) return status;

    learn(job, &kept);
    learn(&other, &kept);
    for (int i = 0; i < 4; i++) learn_link(job, i & 1, i & 2, &kept);
    if (!driver_keep(job->compiler, &kept)) {
        fprintf(stderr, "tlcc: cannot write below %s\n", job->compiler->home);
        status = 1;
    }
    bytes_release(&kept);
    return status;
}

static int show_rewritten(void *arg, int i)
{
    Job own = *(const Job *)arg, *job = &own;
    Bytes text = {0};
    const char *output = job->options->output;
    int status = rewrite_input(job, &job->options->input[job->source[i]], "a.o", &text);
    if (status == 0) {
        FILE *file = output ? fopen(output, "wb") : stdout;
        if (file) fwrite(text.data ? text.data : "", 1, text.size, file);
        if (!file || (output ? fclose(file) : fflush(file)) != 0) {
            fprintf(stderr, "tlcc: cannot write %s\n", output ? output : "to the terminal");
            status = 1;
        }
    }
    bytes_release(&text);
    free(job->toolkit);
    return status;
}

static int archive(const Job *job)
{
    Args args = {0};
    args_add(&args, "ar");
    args_add(&args, "rcs");
    args_add(&args, job->options->output ? job->options->output : "a.a");
    for (int i = 0; i < job->options->inputs; i++) args_add(&args, job->object[i]);
    int status = run(job, &args, NULL, NULL);
    args_release(&args);
    return status;
}

/* nvcc links device code into an object of its own; ours needs none, so it is an empty one. */
static int device_link(const Job *job)
{
    Args args = {0};
    Bytes nothing = {0};
    bytes_add_string(&nothing, "");
    args_add(&args, job->compiler->command);
    args_add(&args, "-c");
    args_add_all(&args, &job->options->compile);
    args_add(&args, "-x");
    args_add(&args, "c");
    args_add(&args, "-");
    args_add(&args, "-o");
    args_add(&args, job->options->output ? job->options->output : "a_dlink.o");
    int status = run(job, &args, &nothing, NULL);
    args_release(&args);
    bytes_release(&nothing);
    return status;
}

/* True when it is done, and there was nothing to say. */
static bool link_fast(const Job *job, const char *output)
{
    Args args = {0};
    Bytes said = {0};
    if (!compiler_links_fast(job->compiler, job->options)) return false;
    compiler_add_link(job->compiler, job->options, job->object, output, true, &args);
    if (job->options->verbose) show(&args);
    bool done = drive(job, &args, NULL, NULL, &said) == 0 && !said.size;
    args_release(&args);
    bytes_release(&said);
    return done;
}

static int link_program(const Job *job, const char *output)
{
    Args args = {0};
    Bytes library = {0};
    int status = 1;
    bytes_format(&library, "%s/libthreelane.a", job->compiler->home);
    if (!job->options->shared && access(library.data, R_OK) != 0) {
        fprintf(stderr, "tlcc: there is no %s: run make\n", library.data);
    } else if (link_fast(job, output)) {
        status = 0;
    } else {
        compiler_add_link(job->compiler, job->options, job->object, output, false, &args);
        status = run(job, &args, NULL, NULL);
    }
    bytes_release(&library);
    args_release(&args);
    return status;
}

static int run_program(const Options *options, const char *program)
{
    Args args = {0};
    if (strchr(program, '/')) args_add(&args, program);
    else args_format(&args, "./%s", program);
    args_add_all(&args, &options->run);
    int status = process_run(&args, NULL, NULL, NULL);
    args_release(&args);
    return status;
}

/* What each input becomes. Objects that only the linker needs go to the temporary directory. False:
 * no such place. */
static bool name_objects(Job *job)
{
    const Options *options = job->options;
    int sources = 0;
    for (int i = 0; i < options->inputs; i++) {
        const Input *input = &options->input[i];
        if (input->language == LANGUAGE_OBJECT) {
            job->object[i] = must_copy(input->path);
            continue;
        }
        if (options->phase == PHASE_COMPILE) {
            job->object[i] = options->output ? must_copy(options->output)
                                             : derived_name(options, input->path, ".o");
        } else {
            const char *directory = options->dry_run ? "/tmp" : process_directory();
            if (!directory) return false;
            Bytes name = {0};
            bytes_format(&name, "%s/%d.o", directory, sources);
            job->object[i] = name.data;
        }
        job->source[sources++] = i;
    }
    return true;
}

static int build(Job *job, int sources)
{
    const Options *options = job->options;
    int parallel = options->threads ? options->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (options->dry_run) parallel = 1;
    if (options->phase != PHASE_DEVICE_LINK && !name_objects(job)) return 1;
    if (options->phase == PHASE_DEVICE_LINK) return device_link(job);
    int status = sources ? process_each(sources, parallel, compile_one, job) : 0;
    if (status || options->phase == PHASE_COMPILE) return status;
    if (options->phase == PHASE_ARCHIVE) return archive(job);
    const char *output = options->output ? options->output : options->run_it ? NULL : "a.out";
    Bytes program = {0};
    if (!output) {
        const char *directory = process_directory();
        if (!directory) return 1;
        bytes_format(&program, "%s/program", directory);
        output = program.data;
    }
    status = link_program(job, output);
    if (status == 0 && options->run_it && !options->dry_run) status = run_program(options, output);
    bytes_release(&program);
    return status;
}

static int work(const Options *options, const Compiler *compiler)
{
    Job job = {options, compiler, must_alloc((size_t)options->inputs * sizeof *job.object),
               must_alloc((size_t)options->inputs * sizeof *job.source), NULL};
    int sources = 0, status = 1;
    for (int i = 0; i < options->inputs; i++) {
        job.object[i] = NULL;
        if (options->input[i].language != LANGUAGE_OBJECT) job.source[sources++] = i;
    }
    switch (options->phase) {
    case PHASE_PREPROCESS:
    case PHASE_DEPENDENCIES: status = process_each(sources, 1, preprocess_one, &job); break;
    case PHASE_PRECOMPILE: status = precompile(&job); break;
    case PHASE_REWRITE: status = process_each(sources, 1, show_rewritten, &job); break;
    default: status = build(&job, sources); break;
    }
    for (int i = 0; i < options->inputs; i++) free(job.object[i]);
    free(job.object);
    free(job.source);
    return status > 128 && !options->run_it ? 1 : status;
}

int main(int argc, char **argv)
{
    Options options = {0};
    Compiler compiler = {0};
    Bytes message = {0};
    int status = 1;
    process_guard();
    if (!options_read(&options, argc - 1, argv + 1, &message)) {
        fprintf(stderr, "tlcc: %s\n", message.data);
    } else if (options.phase == PHASE_VERSION) {
        /* build systems look for "release X.Y, VX.Y.Z" */
        puts("tlcc: Threelane compiler driver for CUDA C++ on a virtual GPU\n"
             "Cuda compilation tools, release 13.0, V13.0.0");
        status = 0;
    } else if (options.phase == PHASE_HELP) {
        options_print_help(stdout);
        status = 0;
    } else if (options.phase == PHASE_MANUAL) {
        options_print_manual(stdout);
        status = 0;
    } else if (!compiler_find(&compiler, &options, &message)) {
        fprintf(stderr, "tlcc: %s\n", message.data);
    } else {
        for (int i = 0; i < options.inputs && !message.size; i++)
            if (access(options.input[i].path, R_OK) != 0)
                bytes_format(&message, "cannot read '%s'", options.input[i].path);
        if (message.size) fprintf(stderr, "tlcc: %s\n", message.data);
        else status = work(&options, &compiler);
    }
    process_clean();
    compiler_release(&compiler);
    options_release(&options);
    bytes_release(&message);
    return status;
}
