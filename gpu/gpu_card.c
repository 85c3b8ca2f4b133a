/* gpu_card.c - `threelane-gpu card`: one card, as a machine to be measured on. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/env.h"
#include "gpu/cupti_open.h"
#include "gpu/gpu.h"
#include "gpu/tools.h"

enum { NOTHING_TO_TRACE_WITH = 7, OLDEST_DRIVER = 11060 };
enum { COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76 }; /* CUdevice_attribute */

typedef struct Driver {
    int (*init)(unsigned), (*version)(int *), (*count)(int *), (*name)(char *, int, int),
        (*attribute)(int *, int, int), (*uuid)(unsigned char *, int);
    char path[4096];
} Driver;

/* The file that a library was loaded from; `given` where that cannot be found out. */
static void library_path(void *library, const char *given, char path[4096])
{
    struct link_map *map = NULL;
    const char *name = library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0]
                           ? map->l_name
                           : given;
    snprintf(path, 4096, "%s", name);
    for (char *c = path; *c; c++)
        if (*c == '\t' || *c == '\n') *c = ' ';
}

static int sorry(const char *format, long a, long b)
{
    fputs("threelane: ", stderr);
    fprintf(stderr, format, a, b);
    fputc('\n', stderr);
    return NOTHING_TO_TRACE_WITH;
}

static bool open_driver(Driver *d)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    struct {
        const char *name;
        void *to;
    } names[] = {
        {"cuInit", &d->init},
        {"cuDriverGetVersion", &d->version},
        {"cuDeviceGetCount", &d->count},
        {"cuDeviceGetName", &d->name},
        {"cuDeviceGetAttribute", &d->attribute},
        {"cuDeviceGetUuid_v2", &d->uuid},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *found = dlsym(library, names[i].name);
        if (!found) return false;
        memcpy(names[i].to, &found, sizeof found);
    }
    library_path(library, "libcuda.so.1", d->path);
    return true;
}

int gpu_card(int argc, char **argv)
{
    char tracer[4096], cupti[4096], cupti_path[4096], name[256] = "", *end = NULL;
    unsigned char uuid[16] = {0};
    int version = 0, count = 0, major = 0, minor = 0, result;
    const char *named = getenv(ENV_TRACER);
    Driver driver;
    long card = argc > 1 ? strtol(argv[1], &end, 10) : 0;
    if (argc > 2 || (argc > 1 && (end == argv[1] || *end || card < 0 || card > 1023))) {
        fputs("usage: threelane-gpu card [NUMBER]\n", stderr);
        return 2;
    }
    if (!open_driver(&driver))
        return sorry("there is no NVIDIA driver here (libcuda.so.1); the virtual GPU needs none", 0,
                     0);
    driver.version(&version);
    if (version < OLDEST_DRIVER)
        return sorry("the driver is too old: it is for CUDA %ld.%ld, and tracing needs 11.6 or "
                     "later; update it",
                     version / 1000, version % 1000 / 10);
    if ((result = driver.init(0)) != 0) {
        return sorry(
            result == 100
                ? "the driver sees no GPU; `threelane doctor` says more"
                : "the driver cannot be used (cuInit answers with error %ld); `threelane doctor` "
                  "says more",
            result, 0);
    }
    if (driver.count(&count) != 0 || card >= count) {
        return sorry(count == 1 ? "there is no card %ld: this machine has one, card 0"
                                : "there is no card %ld: this machine has %ld, counted from 0",
                     card, count);
    }
    driver.name(name, sizeof name, (int)card);
    driver.attribute(&major, COMPUTE_MAJOR, (int)card);
    driver.attribute(&minor, COMPUTE_MINOR, (int)card);
    driver.uuid(uuid, (int)card);
    if (!(named && named[0] && access(named, R_OK) == 0) &&
        !tools_beside("libthreelane_trace.so", tracer, sizeof tracer))
        return sorry("the tracer was not built, because CUPTI was not found: `threelane doctor` "
                     "says what to do",
                     0, 0);
    void *opened = cupti_open(cupti, sizeof cupti);
    if (!opened)
        return sorry("CUPTI (libcupti.so) was not found: nothing can be recorded; `threelane "
                     "doctor` says what to do",
                     0, 0);
    library_path(opened, cupti, cupti_path);
    for (char *c = name; *c; c++) {
        if (*c == '\t' || *c == '\n') *c = ' ';
    }
    printf("%s\t%d%d\t%d\t", name, major, minor, version);
    for (size_t i = 0; i < sizeof uuid; i++) printf("%02x", uuid[i]);
    printf("\t%s\t%s\n", driver.path, cupti_path);
    return 0;
}
