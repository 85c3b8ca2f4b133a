#include "sim/tlcc/options.h"
#include "common/env.h"
#include "common/roff/roff.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What there is to say of them: a line of help each, and a term of the manual page. Those of one
 * part follow each other. */
static const struct {
    const char *part, *options, *about;
} help_rows[] = {
    {"", "-o FILE, -c, -dc, -E, -lib, -shared, -run", "what to make"},
    {"", "-I DIR, -isystem DIR, -include FILE, -D NAME[=VALUE], -U NAME", "for the preprocessor"},
    {"", "-std=c++11|14|17|20, -x cu|c++|c, -O0..-O3, -g, -G, -w, -Werror KIND",
     "for the compiler"},
    {"", "-L DIR, -l LIBRARY, -Xlinker OPTION,...", "for the linker"},
    {"", "-Xcompiler OPTION,...", "options for the host compiler"},
    {"", "-ccbin COMPILER",
     "the host compiler: g++ 9 or later, or clang++ (default: g++; also " ENV_CXX ")"},
    {"", "-arch=sm_NN", "what __CUDA_ARCH__ says"},
    {"", "-M, -MM, -MD, -MMD, -MF FILE, -MT TARGET, -MP", "dependencies, for make"},
    {"", "--default-stream legacy|per-thread|null", "what stream 0 is"},
    {"", "-v, --dryrun, -t N, @FILE, --options-file FILE, --version, --help", "as nvcc has them"},
    {"", "-fmad=true|false",
     "fused multiply-add where the processor has it (default: false; nvcc's is true)"},
    {"", "-Wall, -Wextra",
     "the host compiler's warnings; an uninitialised variable is warned of without"},
    {"", "-gencode, -code, -rdc, -lineinfo, -use_fast_math",
     "and kin are accepted; the virtual GPU has no use for them"},
    {"Of its own", "--plain",
     "without hooks: faster, but no hazards, and stores land when a kernel starts"},
    {"Of its own", "--rewrite", "print the C++ that the host compiler gets"},
    {"Of its own", "--precompile",
     "read the headers once, for all later programs (make does this; g++ only)"},
    {"Of its own", "--manual", "print the manual page, for man"},
};
enum { HELP_ROWS = sizeof help_rows / sizeof *help_rows };

static const char help_notes[] =
    "__CUDA_ARCH__ is defined (as -arch says, else 900) in the bodies of __global__ and __device__ "
    "functions. Outside\n"
    "of function bodies it is not: there is one set of declarations and macros, that of the "
    "host.\n" ENV_HOME " names the directory of include/ and libthreelane.a.\n";

void options_print_help(FILE *to)
{
    enum { COLUMN = 29 };
    fputs("usage: tlcc [options] file...\n"
          "Compiles CUDA C++ for the virtual GPU; takes nvcc's command line.\n\n",
          to);
    for (size_t i = 0; i < HELP_ROWS; i++) {
        const char *part = help_rows[i].part;
        if (*part && strcmp(part, help_rows[i - 1].part) != 0) fprintf(to, "\n%s:\n", part);
        fprintf(to, "  %-*s", COLUMN, help_rows[i].options);
        if (strlen(help_rows[i].options) > COLUMN) fprintf(to, "\n  %*s", COLUMN, "");
        fprintf(to, "%s\n", help_rows[i].about);
    }
    fprintf(to, "\n%s", help_notes);
}

void options_print_manual(FILE *to)
{
    roff_begin(to, "tlcc", "compile CUDA C++ for the virtual GPU");
    roff_section(to, "SYNOPSIS");
    roff_usage(to, "tlcc", "[options] file...");
    roff_section(to, "DESCRIPTION");
    roff_text(to, "Takes nvcc's everyday options, and needs g++ (9 or newer) or clang++ instead of "
                  "a GPU: `make NVCC=tlcc`\nworks on other people's Makefiles. The program that "
                  "comes out runs on a virtual GPU. What that does not\nknow ends the program "
                  "with the call's name and line, never with a wrong answer.\n"
                  "\n"
                  "    tlcc prog.cu -o prog\n"
                  "    " ENV_TRACE "=prog.lane " ENV_MODEL "=h200 ./prog\n"
                  "    threelane show prog.lane --as html -o prog.html\n"
                  "\n");
    roff_text(to, help_notes);
    roff_section(to, "OPTIONS");
    for (size_t i = 0; i < HELP_ROWS; i++)
        roff_term(to, help_rows[i].options, NULL, help_rows[i].about);
    roff_section(to, "EXIT STATUS");
    roff_term(to, "0", NULL, "Everything was made.");
    roff_term(to, "1 or more", NULL, "Something was not; the reason stands on the error output.");
    roff_see(to, (const char *const[]){"threelane", "threelane-check", "g++", NULL});
}

typedef enum Action {
    IGNORE,
    OUTPUT,
    COMPILE,
    DEVICE_LINK,
    PREPROCESS,
    DEPENDENCIES,
    DEPENDENCIES_USER,
    WITH_DEPENDENCIES,
    WITH_DEPENDENCIES_USER,
    DEPENDENCY_FILE,
    DEPENDENCY_TARGET,
    DEPENDENCY_PHONY,
    INCLUDE,
    SYSTEM_INCLUDE,
    DEFINE,
    UNDEFINE,
    PREINCLUDE,
    LIBRARY_PATH,
    LIBRARY,
    STANDARD,
    LANGUAGE,
    OPTIMIZE,
    DEBUG,
    DEVICE_DEBUG,
    COMPILER_OPTIONS,
    LINKER_OPTIONS,
    COMPILER,
    DEFAULT_STREAM,
    SHARED,
    EXTENDED_LAMBDA,
    RELAXED_CONSTEXPR,
    FAST_MATH,
    QUIET,
    WERROR,
    VERBOSE,
    DRY_RUN,
    VERSION,
    HELP,
    ARCHIVE,
    RUN,
    RUN_ARGS,
    UNSUPPORTED,
    OPTIONS_FILE,
    PLAIN,
    REWRITE,
    OUTPUT_DIRECTORY,
    THREADS,
    PROFILE,
    NO_EXCEPTIONS,
    TEMPLATE_DEPTH,
    TEMPLATE_BACKTRACE,
    RELOCATABLE,
    LINK,
    FORWARD,
    MACHINE,
    NO_DEPRECATED,
    ARCH,
    PRECOMPILE,
    FMAD,
    WARNINGS,
    MANUAL
} Action;

/* Every option under its names without dashes. value: takes one, as the next argument or after "=".
 * joined: the value may touch the name (-Ipath, -O3). */
static const struct OptionName {
    const char *name;
    Action action;
    bool value, joined;
} names[] = {
    {"o", OUTPUT, true, false},
    {"output-file", OUTPUT, true, false},
    {"c", COMPILE, false, false},
    {"compile", COMPILE, false, false},
    {"dc", RELOCATABLE, false, false},
    {"device-c", RELOCATABLE, false, false},
    {"dw", COMPILE, false, false},
    {"device-w", COMPILE, false, false},
    {"dlink", DEVICE_LINK, false, false},
    {"device-link", DEVICE_LINK, false, false},
    {"link", LINK, false, false},
    {"lib", ARCHIVE, false, false},
    {"run", RUN, false, false},
    {"run-args", RUN_ARGS, true, false},
    {"E", PREPROCESS, false, false},
    {"preprocess", PREPROCESS, false, false},
    {"M", DEPENDENCIES, false, false},
    {"generate-dependencies", DEPENDENCIES, false, false},
    {"MM", DEPENDENCIES_USER, false, false},
    {"generate-nonsystem-dependencies", DEPENDENCIES_USER, false, false},
    {"MD", WITH_DEPENDENCIES, false, false},
    {"generate-dependencies-with-compile", WITH_DEPENDENCIES, false, false},
    {"MMD", WITH_DEPENDENCIES_USER, false, false},
    {"generate-nonsystem-dependencies-with-compile", WITH_DEPENDENCIES_USER, false, false},
    {"MF", DEPENDENCY_FILE, true, false},
    {"dependency-output", DEPENDENCY_FILE, true, false},
    {"MT", DEPENDENCY_TARGET, true, false},
    {"dependency-target-name", DEPENDENCY_TARGET, true, false},
    {"MQ", DEPENDENCY_TARGET, true, false},
    {"MP", DEPENDENCY_PHONY, false, false},
    {"generate-dependency-targets", DEPENDENCY_PHONY, false, false},
    {"I", INCLUDE, true, true},
    {"include-path", INCLUDE, true, false},
    {"isystem", SYSTEM_INCLUDE, true, false},
    {"system-include", SYSTEM_INCLUDE, true, false},
    {"include", PREINCLUDE, true, false},
    {"pre-include", PREINCLUDE, true, false},
    {"D", DEFINE, true, true},
    {"define-macro", DEFINE, true, false},
    {"U", UNDEFINE, true, true},
    {"undefine-macro", UNDEFINE, true, false},
    {"L", LIBRARY_PATH, true, true},
    {"library-path", LIBRARY_PATH, true, false},
    {"l", LIBRARY, true, true},
    {"library", LIBRARY, true, false},
    {"std", STANDARD, true, false},
    {"x", LANGUAGE, true, true},
    {"O", OPTIMIZE, true, true},
    {"optimize", OPTIMIZE, true, false},
    {"g", DEBUG, false, false},
    {"debug", DEBUG, false, false},
    {"G", DEVICE_DEBUG, false, false},
    {"device-debug", DEVICE_DEBUG, false, false},
    {"Xcompiler", COMPILER_OPTIONS, true, false},
    {"compiler-options", COMPILER_OPTIONS, true, false},
    {"Xlinker", LINKER_OPTIONS, true, false},
    {"linker-options", LINKER_OPTIONS, true, false},
    {"ccbin", COMPILER, true, false},
    {"compiler-bindir", COMPILER, true, false},
    {"default-stream", DEFAULT_STREAM, true, false},
    {"shared", SHARED, false, false},
    {"extended-lambda", EXTENDED_LAMBDA, false, false},
    {"expt-extended-lambda", EXTENDED_LAMBDA, false, false},
    {"expt-relaxed-constexpr", RELAXED_CONSTEXPR, false, false},
    {"use_fast_math", FAST_MATH, false, false},
    {"w", QUIET, false, false},
    {"disable-warnings", QUIET, false, false},
    {"Werror", WERROR, true, false},
    {"v", VERBOSE, false, false},
    {"verbose", VERBOSE, false, false},
    {"dryrun", DRY_RUN, false, false},
    {"V", VERSION, false, false},
    {"version", VERSION, false, false},
    {"h", HELP, false, false},
    {"help", HELP, false, false},
    {"optf", OPTIONS_FILE, true, false},
    {"options-file", OPTIONS_FILE, true, false},
    {"plain", PLAIN, false, false},
    {"rewrite", REWRITE, false, false},
    {"precompile", PRECOMPILE, false, false},
    {"manual", MANUAL, false, false},
    {"odir", OUTPUT_DIRECTORY, true, false},
    {"output-directory", OUTPUT_DIRECTORY, true, false},
    {"t", THREADS, true, true},
    {"threads", THREADS, true, false},
    {"pg", PROFILE, false, false},
    {"profile", PROFILE, false, false},
    {"noeh", NO_EXCEPTIONS, false, false},
    {"no-exceptions", NO_EXCEPTIONS, false, false},
    {"ftemplate-depth", TEMPLATE_DEPTH, true, false},
    {"ftemplate-backtrace-limit", TEMPLATE_BACKTRACE, true, false},
    {"rdc", IGNORE, true, false},
    {"relocatable-device-code", IGNORE, true, false},
    {"m", MACHINE, true, true},
    {"machine", MACHINE, true, false},
    {"m64", MACHINE, false, false},
    {"forward-unknown-to-host-compiler", FORWARD, false, false},
    {"forward-unknown-opts", FORWARD, false, false},
    {"forward-unknown-to-host-linker", IGNORE, false, false},
    {"Wno-deprecated-declarations", NO_DEPRECATED, false, false},
    {"Wall", WARNINGS, false, false},
    {"Wextra", WARNINGS, false, false},

    {"ptx", UNSUPPORTED, false, false},
    {"cubin", UNSUPPORTED, false, false},
    {"fatbin", UNSUPPORTED, false, false},
    {"optix-ir", UNSUPPORTED, false, false},
    {"ltoir", UNSUPPORTED, false, false},
    {"cuda", UNSUPPORTED, false, false},

    {"arch", ARCH, true, false},
    {"gpu-architecture", ARCH, true, false},
    {"code", IGNORE, true, false},
    {"gpu-code", IGNORE, true, false},
    {"gencode", ARCH, true, false},
    {"generate-code", ARCH, true, false},
    {"lineinfo", IGNORE, false, false},
    {"generate-line-info", IGNORE, false, false},
    {"Xptxas", IGNORE, true, false},
    {"ptxas-options", IGNORE, true, false},
    {"Xnvlink", IGNORE, true, false},
    {"nvlink-options", IGNORE, true, false},
    {"Xarchive", IGNORE, true, false},
    {"archive-options", IGNORE, true, false},
    {"Xfatbin", IGNORE, true, false},
    {"Xcudafe", IGNORE, true, false},
    {"cudart", IGNORE, true, false},
    {"cudadevrt", IGNORE, true, false},
    {"ldir", IGNORE, true, false},
    {"libdevice-directory", IGNORE, true, false},
    {"target-dir", IGNORE, true, false},
    {"target-directory", IGNORE, true, false},
    {"arbin", IGNORE, true, false},
    {"archiver-binary", IGNORE, true, false},
    {"opt-info", IGNORE, true, false},
    {"optimization-info", IGNORE, true, false},
    {"Ofc", IGNORE, true, false},
    {"Ofast-compile", IGNORE, true, false},
    {"dopt", IGNORE, true, false},
    {"dlto", IGNORE, false, false},
    {"dlink-time-opt", IGNORE, false, false},
    {"lto", IGNORE, false, false},
    {"gen-opt-lto", IGNORE, false, false},
    {"maxrregcount", IGNORE, true, false},
    {"e", IGNORE, true, false},
    {"entries", IGNORE, true, false},
    {"ftz", IGNORE, true, false},
    {"prec-div", IGNORE, true, false},
    {"prec-sqrt", IGNORE, true, false},
    {"fmad", FMAD, true, false},
    {"extra-device-vectorization", IGNORE, false, false},
    {"keep", IGNORE, false, false},
    {"save-temps", IGNORE, false, false},
    {"keep-dir", IGNORE, true, false},
    {"clean", IGNORE, false, false},
    {"clean-targets", IGNORE, false, false},
    {"time", IGNORE, true, false},
    {"objtemp", IGNORE, false, false},
    {"objdir-as-tempdir", IGNORE, false, false},
    {"use-local-env", IGNORE, false, false},
    {"allow-unsupported-compiler", IGNORE, false, false},
    {"noprof", IGNORE, false, false},
    {"dont-use-profile", IGNORE, false, false},
    {"nodlink", IGNORE, false, false},
    {"no-device-link", IGNORE, false, false},
    {"no-align-double", IGNORE, false, false},
    {"nohdinitlist", IGNORE, false, false},
    {"no-host-device-initializer-list", IGNORE, false, false},
    {"nohdmoveforward", IGNORE, false, false},
    {"no-host-device-move-forward", IGNORE, false, false},
    {"static-global-template-stub", IGNORE, true, false},
    {"device-entity-has-hidden-visibility", IGNORE, true, false},
    {"split-compile", IGNORE, true, false},
    {"split-compile-extended", IGNORE, true, false},
    {"fdevice-syntax-only", IGNORE, false, false},
    {"fdevice-time-trace", IGNORE, true, false},
    {"keep-device-functions", IGNORE, false, false},
    {"src-in-ptx", IGNORE, false, false},
    {"source-in-ptx", IGNORE, false, false},
    {"restrict", IGNORE, false, false},
    {"Wreorder", IGNORE, false, false},
    {"Wdefault-stream-launch", IGNORE, false, false},
    {"Wmissing-launch-bounds", IGNORE, false, false},
    {"Wext-lambda-captures-this", IGNORE, false, false},
    {"Wno-deprecated-gpu-targets", IGNORE, false, false},
    {"res-usage", IGNORE, false, false},
    {"resource-usage", IGNORE, false, false},
    {"ewp", IGNORE, false, false},
    {"extensible-whole-program", IGNORE, false, false},
    {"no-compress", IGNORE, false, false},
    {"compress-mode", IGNORE, true, false},
    {"code-ls", IGNORE, false, false},
    {"arch-ls", IGNORE, false, false},
    {"err-no", IGNORE, false, false},
    {"display-error-number", IGNORE, false, false},
    {"no-err-no", IGNORE, false, false},
    {"no-display-error-number", IGNORE, false, false},
    {"diag-error", IGNORE, true, false},
    {"diag-suppress", IGNORE, true, false},
    {"diag-warn", IGNORE, true, false},
    {"hls", IGNORE, true, false},
    {"host-linker-script", IGNORE, true, false},
    {"brief-diag", IGNORE, true, false},
    {"brief-diagnostics", IGNORE, true, false},
    {"jtd", IGNORE, true, false},
    {"jump-table-density", IGNORE, true, false},
    {"device-stack-protector", IGNORE, true, false},
    {"frandom-seed", IGNORE, true, false},
    {"sanitize", IGNORE, true, false},
    {"jobserver", IGNORE, false, false},
};

typedef struct Reader {
    Options *options;
    Bytes *message;
    Language language; /* -x for the inputs that follow */
    bool forward;      /* unknown options go to the host compiler */
    int file_depth;
} Reader;

static bool read_all(Reader *, int argc, char **argv);

static bool fail(Reader *reader, const char *before, const char *what, const char *after)
{
    if (!reader->message->size) bytes_format(reader->message, "%s%s%s", before, what, after);
    return false;
}

static void set(char **place, const char *value)
{
    free(*place);
    *place = must_copy(value);
}

static Language language_of(const char *path)
{
    static const struct {
        const char *suffix;
        Language language;
    } suffixes[] = {
        {".cu", LANGUAGE_CUDA},   {".cuh", LANGUAGE_CUDA},  {".c", LANGUAGE_C},
        {".cpp", LANGUAGE_CXX},   {".cc", LANGUAGE_CXX},    {".cxx", LANGUAGE_CXX},
        {".C", LANGUAGE_CXX},     {".c++", LANGUAGE_CXX},   {".o", LANGUAGE_OBJECT},
        {".a", LANGUAGE_OBJECT},  {".so", LANGUAGE_OBJECT}, {".obj", LANGUAGE_OBJECT},
        {".lo", LANGUAGE_OBJECT},
    };
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t length = strlen(suffixes[i].suffix);
        if (size > length && !strcmp(path + size - length, suffixes[i].suffix))
            return suffixes[i].language;
    }
    const char *slash = strrchr(path, '/');
    return strstr(slash ? slash : path, ".so.") ? LANGUAGE_OBJECT : LANGUAGE_BY_NAME;
}

static bool add_input(Reader *reader, const char *path)
{
    Options *options = reader->options;
    Language language = reader->language;
    Language by_name = language_of(path);
    if (language == LANGUAGE_BY_NAME || by_name == LANGUAGE_OBJECT) language = by_name;
    if (language == LANGUAGE_BY_NAME)
        return fail(reader, "don't know what to do with '", path,
                    "': sources end in .cu, .c, .cpp, .cc or .cxx; "
                    "objects in .o, .a or .so; -x cu says that it is CUDA");
    options->input =
        must_resize(options->input, (size_t)(options->inputs + 1) * sizeof *options->input);
    Input *input = &options->input[options->inputs];
    Bytes safe = {0};
    bytes_format(&safe, "%s%s", path[0] == '-' ? "./" : "", path);
    input->path = safe.data;
    input->language = language;
    args_format(&options->link, "\1%d", options->inputs++);
    return true;
}

/* a,b\,c as "a" and "b,c". White space separates as well: nvcc's own command lines go through a
 * shell. */
static void add_list(Args *to, const char *list, const char *prefix)
{
    Bytes one = {0};
    bytes_add_string(&one, prefix);
    for (const char *c = list;; c++) {
        if (*c == '\\' && (c[1] == ',' || c[1] == ' ')) {
            bytes_add_char(&one, *++c);
        } else if (strchr(", \t\n", *c)) { /* or the end */
            if (one.size > strlen(prefix)) args_add(to, one.data);
            bytes_release(&one);
            bytes_add_string(&one, prefix);
            if (!*c) break;
        } else {
            bytes_add_char(&one, *c);
        }
    }
    bytes_release(&one);
}

/* The words of a response file: split at white space; quotes and backslashes keep it. */
static bool read_file(Reader *reader, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return fail(reader, "cannot read the options file '", path, "'");
    if (++reader->file_depth > 16) {
        fclose(file);
        return fail(reader, "options files include each other: '", path, "'");
    }
    Args words = {0};
    Bytes word = {0};
    bool inside = false;
    char quote = 0;
    for (int c; (c = fgetc(file)) != EOF && words.count < 100000;) {
        if (c == '\\' && quote != '\'') {
            int next = fgetc(file);
            if (next != EOF && next != '\n') bytes_add_char(&word, (char)next);
            inside = true;
        } else if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : (char)c;
            inside = true;
        } else if (!quote && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            if (inside) args_add(&words, word.data ? word.data : "");
            bytes_release(&word);
            inside = false;
        } else {
            bytes_add_char(&word, (char)c);
            inside = true;
        }
    }
    fclose(file);
    if (inside) args_add(&words, word.data ? word.data : "");
    bytes_release(&word);
    bool fine = read_all(reader, words.count, words.item);
    args_release(&words);
    reader->file_depth--;
    return fine;
}

/* Libraries that are part of ours, and those that the virtual GPU does not have. */
static bool add_library(Reader *reader, const char *name)
{
    static const char *const ours[] = {"cudart",  "cudart_static",    "cudadevrt",
                                       "cuda",    "nvToolsExt",       "nvtx3interop",
                                       "culibos", "cudart_static_v2", NULL};
    static const char *const missing[] = {"cublas", "cublas_static", "cublasLt", "cufft",
                                          "curand", "cusparse",      "cusolver", "cudnn",
                                          "nccl",   "nvrtc",         "cupti",    "nvidia-ml",
                                          "npp",    "nvjpeg",        NULL};
    for (const char *const *library = ours; *library; library++)
        if (!strcmp(*library, name)) return true;
    for (const char *const *library = missing; *library; library++)
        if (!strcmp(*library, name))
            return fail(reader, "-l", name, ": the virtual GPU does not have this library");
    args_format(&reader->options->link, "-l%s", name);
    return true;
}

static bool set_language(Reader *reader, const char *value)
{
    if (!strcmp(value, "cu")) reader->language = LANGUAGE_CUDA;
    else if (!strcmp(value, "c++")) reader->language = LANGUAGE_CXX;
    else if (!strcmp(value, "c")) reader->language = LANGUAGE_C;
    else return fail(reader, "-x ", value, ": the languages are cu, c++ and c");
    /* as with nvcc, it holds for inputs before it, too */
    for (int i = 0; i < reader->options->inputs; i++) {
        Input *input = &reader->options->input[i];
        if (input->language != LANGUAGE_OBJECT) input->language = reader->language;
    }
    return true;
}

static void set_standard(Options *options, const char *value)
{
    Bytes standard = {0};
    bytes_format(&standard, "-std=%s", value);
    free(options->standard);
    options->standard = standard.data;
}

static bool set_optimize(Reader *reader, const char *value)
{
    if (strlen(value) > 1 || (*value && !strchr("0123sg", *value)))
        if (strcmp(value, "fast")) return fail(reader, "-O", value, ": the levels are 0 to 3");
    Bytes level = {0};
    bytes_format(&level, "-O%s", value);
    free(reader->options->optimize);
    reader->options->optimize = level.data;
    return true;
}

static void add_linker_options(Options *options, const char *value)
{
    Args list = {0};
    add_list(&list, value, "");
    for (int i = 0; i < list.count; i++) {
        args_add(&options->link, "-Xlinker");
        args_add(&options->link, list.item[i]);
    }
    args_release(&list);
}

static bool set_default_stream(Reader *reader, const char *value)
{
    bool per_thread = !strcmp(value, "per-thread");
    if (!per_thread && strcmp(value, "legacy") && strcmp(value, "null"))
        return fail(reader, "--default-stream ", value, ": it is legacy, per-thread or null");
    reader->options->per_thread_stream = per_thread;
    return true;
}

static bool set_fmad(Reader *reader, const char *value)
{
    if (strcmp(value, "true") && strcmp(value, "false"))
        return fail(reader, "-fmad=", value, ": it is true or false");
    reader->options->contract = !strcmp(value, "true");
    return true;
}

/* compute_90, sm_90a, arch=compute_90,code=sm_90: the highest one given */
static void set_arch(Options *options, const char *value)
{
    const char *number = value + strcspn(value, "0123456789");
    int arch = atoi(number) * 10;
    if (arch > options->arch && arch < 10000) options->arch = arch;
}

/* The options that only set something, add a word of their own, or add their value to one. */
static const struct {
    Action action;
    Phase phase;
} phases[] = {
    {COMPILE, PHASE_COMPILE},
    {RELOCATABLE, PHASE_COMPILE},
    {DEVICE_LINK, PHASE_DEVICE_LINK},
    {LINK, PHASE_LINK},
    {ARCHIVE, PHASE_ARCHIVE},
    {PREPROCESS, PHASE_PREPROCESS},
    {REWRITE, PHASE_REWRITE},
    {PRECOMPILE, PHASE_PRECOMPILE},
    {DEPENDENCIES, PHASE_DEPENDENCIES},
    {DEPENDENCIES_USER, PHASE_DEPENDENCIES},
    {VERSION, PHASE_VERSION},
    {HELP, PHASE_HELP},
    {MANUAL, PHASE_MANUAL},
};

#define FLAG(MEMBER) offsetof(Options, MEMBER)
static const struct {
    Action action;
    size_t flag;
} flags[] = {
    {RUN, FLAG(run_it)},
    {DEPENDENCIES_USER, FLAG(dependencies_user_only)},
    {WITH_DEPENDENCIES_USER, FLAG(dependencies_user_only)},
    {WITH_DEPENDENCIES_USER, FLAG(dependencies)},
    {WITH_DEPENDENCIES, FLAG(dependencies)},
    {DEPENDENCY_PHONY, FLAG(dependency_phony)},
    {DEBUG, FLAG(debug)},
    {DEVICE_DEBUG, FLAG(device_debug)},
    {SHARED, FLAG(shared)},
    {QUIET, FLAG(quiet)},
    {VERBOSE, FLAG(verbose)},
    {DRY_RUN, FLAG(dry_run)},
    {DRY_RUN, FLAG(verbose)},
    {PLAIN, FLAG(plain)},
};

#define LIST(MEMBER) offsetof(Options, MEMBER)
static const struct {
    Action action;
    size_t list;
    const char *before, *word; /* in words of their own; word with the value behind it */
    bool value;
} words[] = {
    {RELOCATABLE, LIST(preprocess), NULL, "-D__CUDACC_RDC__=1", false},
    {DEPENDENCY_TARGET, LIST(dependency_targets), NULL, "", true},
    {INCLUDE, LIST(preprocess), NULL, "-I", true},
    {SYSTEM_INCLUDE, LIST(preprocess), "-isystem", "", true},
    {PREINCLUDE, LIST(preprocess), "-include", "", true},
    {DEFINE, LIST(preprocess), NULL, "-D", true},
    {UNDEFINE, LIST(preprocess), NULL, "-U", true},
    {LIBRARY_PATH, LIST(link), NULL, "-L", true},
    {EXTENDED_LAMBDA, LIST(preprocess), NULL, "-D__CUDACC_EXTENDED_LAMBDA__=1", false},
    {RELAXED_CONSTEXPR, LIST(preprocess), NULL, "-D__CUDACC_RELAXED_CONSTEXPR__=1", false},
    {FAST_MATH, LIST(preprocess), NULL, "-D__USE_FAST_MATH__=1", false},
    {PROFILE, LIST(compile), NULL, "-pg", false},
    {NO_EXCEPTIONS, LIST(compile), NULL, "-fno-exceptions", false},
    {TEMPLATE_DEPTH, LIST(compile), NULL, "-ftemplate-depth=", true},
    {TEMPLATE_BACKTRACE, LIST(compile), NULL, "-ftemplate-backtrace-limit=", true},
    {NO_DEPRECATED, LIST(compile), NULL, "-Wno-deprecated-declarations", false},
};

static void apply_tables(Options *options, Action action, const char *value)
{
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (phases[i].action == action) options->phase = phases[i].phase;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].action == action) *(bool *)((char *)options + flags[i].flag) = true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].action != action) continue;
        Args *list = (Args *)((char *)options + words[i].list);
        if (words[i].before) args_add(list, words[i].before);
        args_format(list, "%s%s", words[i].word, words[i].value ? value : "");
    }
}

static bool apply(Reader *reader, Action action, const char *value, const char *argument)
{
    Options *options = reader->options;
    apply_tables(options, action, value);
    switch (action) {
    case OUTPUT: set(&options->output, value); break;
    case OUTPUT_DIRECTORY: set(&options->output_directory, value); break;
    case DEPENDENCY_FILE: set(&options->dependency_file, value); break;
    case COMPILER: set(&options->compiler, value); break;
    case RUN_ARGS: add_list(&options->run, value, ""); break;
    case COMPILER_OPTIONS: add_list(&options->compile, value, ""); break;
    case LINKER_OPTIONS: add_linker_options(options, value); break;
    case LIBRARY: return add_library(reader, value);
    case STANDARD: set_standard(options, value); break;
    case LANGUAGE: return set_language(reader, value);
    case OPTIMIZE: return set_optimize(reader, value);
    case DEFAULT_STREAM: return set_default_stream(reader, value);
    case FMAD: return set_fmad(reader, value);
    case WARNINGS: args_add(&options->compile, argument); break;
    case WERROR: options->warnings_are_errors |= strstr(value, "all-warnings") != NULL; break;
    case UNSUPPORTED:
        return fail(reader, "", argument,
                    ": the virtual GPU runs compiled C++; there is no device code "
                    "to write out");
    case OPTIONS_FILE: return read_file(reader, value);
    case THREADS: options->threads = atoi(value) > 0 && atoi(value) < 1024 ? atoi(value) : 0; break;
    case MACHINE:
        if (value && strcmp(value, "64"))
            return fail(reader, "", argument, ": only 64-bit programs can be made");
        break;
    case ARCH: set_arch(options, value); break;
    default: break; /* a row of the tables, or nothing to do */
    }
    return true;
}

static bool read_option(Reader *reader, const char *argument, const char *next, bool *used_next)
{
    const char *name = argument + (argument[1] == '-' ? 2 : 1);
    size_t size = strcspn(name, "=");
    const struct OptionName *found = NULL;
    const char *value = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].name);
        if (length == size && !memcmp(names[i].name, name, size)) {
            found = &names[i];
            break;
        }
        /* joined values: one dash only, and no longer option of that name */
        bool number = names[i].action == THREADS || names[i].action == MACHINE;
        if (names[i].joined && argument[1] != '-' && size > length &&
            !memcmp(names[i].name, name, length) && !found &&
            (!number || strspn(name + length, "0123456789") == strlen(name + length))) {
            found = &names[i];
            value = name + length;
        }
    }
    bool exact = found && strlen(found->name) == size;
    if (!found) {
        if (!reader->forward)
            return fail(reader, "unknown option '", argument,
                        "'; options for the host compiler "
                        "follow -Xcompiler");
        args_add(&reader->options->compile, argument);
        return true;
    }
    if (exact) value = name[size] == '=' ? name + size + 1 : NULL;
    if (found->value && !value) {
        if (found->action == OPTIMIZE && (!next || strlen(next) != 1)) {
            value = "2";
        } else if (!next) {
            return fail(reader, "", argument, " needs a value");
        } else {
            value = next;
            *used_next = true;
        }
    }
    if (!found->value && value) return fail(reader, "'", argument, "': this option takes no value");
    return apply(reader, found->action, value, argument);
}

static bool read_all(Reader *reader, int argc, char **argv)
{
    bool only_files = false;
    for (int i = 0; i < argc; i++) {
        bool used_next = false;
        if (only_files || argv[i][0] != '-' || !argv[i][1]) {
            if (!only_files && !strcmp(argv[i], "-"))
                return fail(reader, "", "-", ": tlcc reads files, not its input");
            if (!*argv[i]) return fail(reader, "an empty file name", "", "");
            if (!only_files && argv[i][0] == '@' ? !read_file(reader, argv[i] + 1)
                                                 : !add_input(reader, argv[i]))
                return false;
        } else if (!strcmp(argv[i], "--")) {
            only_files = true;
        } else if (!read_option(reader, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used_next)) {
            return false;
        }
        i += used_next;
    }
    return true;
}

bool options_read(Options *options, int argc, char **argv, Bytes *message)
{
    Reader reader = {.options = options, .message = message};
    for (int i = 0; i < argc; i++) {
        const char *name = argv[i] + strspn(argv[i], "-");
        if (name > argv[i] && !strncmp(name, "forward-unknown-", 16)) reader.forward = true;
    }
    if (!read_all(&reader, argc, argv)) return false;
    if (options->phase == PHASE_VERSION || options->phase == PHASE_HELP ||
        options->phase == PHASE_MANUAL)
        return true;
    if (options->phase == PHASE_PRECOMPILE)
        return !options->inputs || fail(&reader, "--precompile reads tlcc's own headers, not ",
                                        options->input[0].path, "");
    if (!options->inputs)
        return fail(&reader, "no input file", "", "; tlcc --help says what there is");
    int sources = 0;
    for (int i = 0; i < options->inputs; i++)
        sources += options->input[i].language != LANGUAGE_OBJECT;
    bool one_each = options->phase == PHASE_COMPILE || options->phase == PHASE_PREPROCESS ||
                    options->phase == PHASE_DEPENDENCIES || options->phase == PHASE_REWRITE;
    if (one_each && sources == 0) return fail(&reader, "no source file among the inputs", "", "");
    if (one_each && sources > 1 && options->output)
        return fail(&reader, "-o ", options->output,
                    ": without linking it can name the output of one source only");
    if (one_each && options->run_it)
        return fail(&reader, "-run needs a program: it goes without -c and -E", "", "");
    return true;
}

void options_release(Options *options)
{
    for (int i = 0; i < options->inputs; i++) free(options->input[i].path);
    free(options->input);
    char *strings[] = {options->output,   options->output_directory, options->compiler,
                       options->optimize, options->standard,         options->dependency_file};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) free(strings[i]);
    Args *lists[] = {&options->preprocess, &options->compile, &options->link, &options->run,
                     &options->dependency_targets};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) args_release(lists[i]);
    *options = (Options){0};
}
