/* sites.c - from call stacks to source lines, with addr2line, once for each file that appears in a
 * stack.
 *
 * A stack has the program's own frames, innermost first. The line that a person means is the first
 * one that is not the CUDA runtime (linked into the program, without debug information), not one of
 * CUDA's headers, and not what nvcc made of a launch: a stub, and the kernel's own name as a host
 * function. */
#include "gpu/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "gpu/plain_name.h"

typedef struct Place {
    char *function, *file;
    unsigned line;
} Place;
typedef struct Frame {
    uint32_t stack, order, module;
    uint64_t offset;
    Place *places; /* innermost of what was inlined first */
    size_t n_places;
} Frame;

typedef struct Sites {
    Frame *frames;
    size_t n_frames;
    char **modules;
    size_t n_modules;
    char **site;
    uint32_t n_stacks; /* by stack; NULL: not known */
} Sites;

static void *more(void *items, size_t n, size_t size)
{
    /* in powers of two */
    if (n & (n - 1)) return items;
    void *bigger = realloc(items, (n ? 2 * n : 1) * size);
    if (!bigger) abort();
    return bigger;
}

static uint32_t module_number(Sites *s, const char *name)
{
    for (size_t i = 0; i < s->n_modules; i++) {
        if (!strcmp(s->modules[i], name)) return (uint32_t)i;
    }
    s->modules = more(s->modules, s->n_modules, sizeof *s->modules);
    s->modules[s->n_modules] = strdup(name);
    return (uint32_t)s->n_modules++;
}

/* frame TAB stack TAB offset TAB file */
static void read_frame(Sites *s, char *line)
{
    char *end;
    unsigned long stack = strtoul(line + 6, &end, 10);
    if (*end != '\t' || !stack || stack > 1000000) return;
    uint64_t offset = strtoull(end + 1, &end, 16);
    if (*end != '\t') return;
    char *file = end + 1;
    file[strcspn(file, "\t\n")] = '\0';
    s->frames = more(s->frames, s->n_frames, sizeof *s->frames);
    s->frames[s->n_frames] =
        (Frame){(uint32_t)stack, (uint32_t)s->n_frames, module_number(s, file), offset, NULL, 0};
    s->n_frames++;
    if (stack > s->n_stacks) s->n_stacks = (uint32_t)stack;
}

static void add_place(Frame *f, const char *function, char *where)
{
    where[strcspn(where, "\n")] = '\0';
    char *note = strstr(where, " (discriminator");
    if (note) *note = '\0';
    char *colon = strrchr(where, ':');
    unsigned line = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
    if (colon) *colon = '\0';
    bool known = line && where[0] && where[0] != '?';
    f->places = more(f->places, f->n_places, sizeof *f->places);
    f->places[f->n_places++] = (Place){strdup(function), known ? strdup(where) : NULL, line};
}

/* Starts a process that says the addresses of all frames in a module. No file: there may be nowhere
 * to write one. */
static pid_t start_addresses(const Sites *s, uint32_t module, int *from)
{
    int out[2];
    if (pipe(out) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        close(out[0]);
        FILE *to = fdopen(out[1], "w");
        for (size_t i = 0; to && i < s->n_frames; i++) {
            if (s->frames[i].module == module) fprintf(to, "0x%" PRIx64 "\n", s->frames[i].offset);
        }
        if (to) fflush(to);
        _exit(0);
    }
    close(out[1]);
    *from = out[0];
    return child;
}

/* Starts addr2line on a module; its answers come in the order of the addresses. */
static pid_t start_addr2line(const char *module, int addresses, FILE **answers)
{
    int out[2];
    if (pipe(out) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int quiet = open("/dev/null", O_WRONLY);
        if (dup2(addresses, 0) < 0 || dup2(out[1], 1) < 0 || dup2(quiet, 2) < 0) _exit(127);
        close(out[0]);
        execlp("addr2line", "addr2line", "-f", "-i", "-a", "-e", module, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    *answers = child > 0 ? fdopen(out[0], "r") : NULL;
    if (!*answers) close(out[0]);
    return child;
}

/* Finds the places of all frames in one module. With -a each answer begins with its address. */
static void resolve_module(Sites *s, uint32_t module)
{
    FILE *answers = NULL;
    int addresses = -1;
    if (access(s->modules[module], R_OK) != 0) return;
    pid_t feeder = start_addresses(s, module, &addresses);
    pid_t child = feeder > 0 ? start_addr2line(s->modules[module], addresses, &answers) : -1;
    if (addresses >= 0) close(addresses);
    size_t next = 0;
    Frame *frame = NULL;
    char function[8192], where[8192];
    while (answers && fgets(function, sizeof function, answers)) {
        function[strcspn(function, "\n")] = '\0';
        if (!strncmp(function, "0x", 2)) {
            while (next < s->n_frames && s->frames[next].module != module) next++;
            frame = next < s->n_frames ? &s->frames[next++] : NULL;
        } else if (fgets(where, sizeof where, answers) && frame) {
            add_place(frame, function, where);
        }
    }
    if (answers) fclose(answers);
    if (child > 0) waitpid(child, NULL, 0);
    if (feeder > 0) waitpid(feeder, NULL, 0);
}

/* The kernel's plain name from the symbol of its launch stub (_Z25__device_stub__Z5scalePfiPfi);
 * else kernel stays. */
static void stub_of(const char *function, char *kernel, size_t kernel_size)
{
    static const char mark[] = "__device_stub_";
    const char *at = strstr(function, mark);
    if (at && !strncmp(at + sizeof mark - 1, "_Z", 2))
        plain_name(at + sizeof mark - 1, kernel, kernel_size);
}

static bool is_cudas(const char *file)
{
    static const char *const headers[] = {"cuda_runtime.h",     "cuda_runtime_api.h",
                                          "device_functions.h", "stub.c",
                                          "cudafe1.cpp",        "cudafe1.gpu"};
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        size_t n = strlen(headers[i]);
        if (length >= n && !strcmp(name + length - n, headers[i])) return true;
    }
    return strstr(file, "/include/crt/") != NULL;
}

static int by_stack(const void *a, const void *b)
{
    const Frame *x = a, *y = b;
    if (x->stack != y->stack) return x->stack < y->stack ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void choose(Sites *s)
{
    char kernel[4096] = "", name[4096];
    if (s->n_frames) qsort(s->frames, s->n_frames, sizeof *s->frames, by_stack);
    s->site = calloc((size_t)s->n_stacks + 1, sizeof *s->site);
    if (!s->site) abort();
    for (size_t i = 0; i < s->n_frames; i++) {
        const Frame *f = &s->frames[i];
        if (i == 0 || f->stack != f[-1].stack) kernel[0] = '\0';
        for (size_t k = 0; k < f->n_places && !s->site[f->stack]; k++) {
            const Place *p = &f->places[k];
            if (strstr(p->function, "__device_stub_")) {
                stub_of(p->function, kernel, sizeof kernel);
                continue;
            }
            if (!p->file || is_cudas(p->file)) continue;
            plain_name(p->function, name, sizeof name);
            if (kernel[0] && !strcmp(name, kernel)) {
                kernel[0] = '\0'; /* once: a program may well have a function of the same name
                                     around it */
                continue;
            }
            size_t size = 2 * strlen(p->file) + 16, at = 0;
            char *site = malloc(size);
            if (!site) abort();
            for (const char *c = p->file; *c; c++) {
                if (*c == '\\') site[at++] = '\\';
                site[at++] = *c < 0x20 && *c >= 0 ? '?' : *c;
            }
            snprintf(site + at, size - at, ":%u", p->line);
            s->site[f->stack] = site;
        }
    }
}

/* Writes a line with each field "stack#N:0" replaced. */
static void put_line(FILE *to, const Sites *s, char *line)
{
    for (char *field = line; field;) {
        char *tab = strchr(field, '\t');
        if (tab) *tab = '\0';
        if (!strncmp(field, "stack#", 6)) {
            bool last = field[strlen(field) - 1] == '\n';
            unsigned long stack = strtoul(field + 6, NULL, 10);
            fputs(stack <= s->n_stacks && s->site[stack] ? s->site[stack] : "-", to);
            if (last) fputc('\n', to);
        } else {
            fputs(field, to);
        }
        if (tab) fputc('\t', to);
        field = tab ? tab + 1 : NULL;
    }
}

static void release(Sites *s)
{
    for (size_t i = 0; i < s->n_frames; i++) {
        for (size_t k = 0; k < s->frames[i].n_places; k++) {
            free(s->frames[i].places[k].function);
            free(s->frames[i].places[k].file);
        }
        free(s->frames[i].places);
    }
    for (size_t i = 0; i < s->n_modules; i++) free(s->modules[i]);
    for (uint32_t i = 0; s->site && i <= s->n_stacks; i++) free(s->site[i]);
    free(s->frames);
    free(s->modules);
    free(s->site);
}

/* Puts what was written to memory in place of what a descriptor has. */
static bool write_back(int fd, const char *bytes, size_t length)
{
    if (ftruncate(fd, 0) != 0) return false;
    for (size_t at = 0; at < length;) {
        ssize_t n = pwrite(fd, bytes + at, length - at, (off_t)at);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += (size_t)n;
    }
    return true;
}

/* Reads the call stacks in a trace and finds their source lines. False: there are none, and nothing
 * is to be replaced. */
static bool read_stacks(Sites *s, FILE *from)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, from) > 0) {
        if (!strncmp(line, "frame\t", 6)) read_frame(s, line);
    }
    free(line);
    if (!s->n_frames) return false;
    for (uint32_t i = 0; i < s->n_modules; i++) resolve_module(s, i);
    choose(s);
    rewind(from);
    return true;
}

static void put_lines(FILE *to, const Sites *s, FILE *from)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, from) > 0) {
        if (strncmp(line, "frame\t", 6) != 0) put_line(to, s, line);
    }
    free(line);
}

static bool resolve_descriptor(int fd, char *error, size_t error_size)
{
    Sites s = {0};
    char *bytes = NULL;
    size_t size = 0;
    FILE *from = fdopen(dup(fd), "r");
    bool fine = from && fseek(from, 0, SEEK_SET) == 0;
    if (fine && read_stacks(&s, from)) {
        FILE *to = open_memstream(&bytes, &size);
        if (to) put_lines(to, &s, from);
        fine = to && fclose(to) == 0 && write_back(fd, bytes, size);
    }
    if (!fine) snprintf(error, error_size, "descriptor %d: %s", fd, strerror(errno));
    if (from) fclose(from);
    free(bytes);
    release(&s);
    return fine;
}

bool sites_resolve(const char *path, char *error, size_t error_size)
{
    if (!strncmp(path, "fd:", 3)) return resolve_descriptor(atoi(path + 3), error, error_size);
    Sites s = {0};
    char *beside = NULL;
    struct stat about;
    FILE *from = fopen(path, "re"), *to = NULL;
    bool fine = from && fstat(fileno(from), &about) == 0;
    if (fine && read_stacks(&s, from)) {
        int fd = asprintf(&beside, "%s.XXXXXX", path) > 0 ? mkostemp(beside, O_CLOEXEC) : -1;
        fine = fd >= 0 && fchmod(fd, about.st_mode & 0777) == 0 && (to = fdopen(fd, "w"));
        if (fine) put_lines(to, &s, from);
        if (to) fine = fclose(to) == 0 && fine;
        fine = fine && rename(beside, path) == 0;
        if (!fine && fd >= 0) unlink(beside);
    }
    if (!fine) snprintf(error, error_size, "%s: %s", path, strerror(errno));
    if (from) fclose(from);
    free(beside);
    release(&s);
    return fine;
}
