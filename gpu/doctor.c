/* doctor.c - `threelane doctor`: what a real GPU needs, one line each: whether it is there, and if
 * not what to type. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "gpu/cupti_open.h"
#include "gpu/gpu.h"
#include "gpu/tools.h"

enum { NO_DEVICE = 100, SYSTEM_NOT_READY = 802, DRIVER_MISMATCH = 803 }; /* CUresult */

typedef enum Finding { GOOD, CARE, BAD } Finding;
static int worst;

static void line(Finding finding, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void line(Finding finding, const char *what, const char *format, ...)
{
    static const char *const words[] = {"ok", "note", "MISSING"};
    va_list arguments;
    printf("%-8s %-11s ", words[finding], what);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    if ((int)finding > worst) worst = (int)finding;
}

static void advice(const char *text) { printf("%21s-> %s\n", "", text); }

/* The first line of a file that begins with a word; false when there is none. */
static bool line_of(const char *path, const char *begins, char *text, size_t text_size)
{
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(text, (int)text_size, file))
        found = !strncmp(text, begins, strlen(begins));
    if (file) fclose(file);
    if (found) text[strcspn(text, "\n")] = '\0';
    return found;
}

static bool in_path(const char *name, char *path, size_t path_size)
{
    const char *at = getenv(ENV_PATH);
    while (at && *at) {
        size_t length = strcspn(at, ":");
        snprintf(path, path_size, "%.*s/%s", (int)length, at, name);
        if (length && access(path, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* The kernel's side: the module, the device files. */
static bool check_kernel(void)
{
    char version[400];
    glob_t found;
    bool module = line_of("/proc/driver/nvidia/version", "NVRM version:", version, sizeof version);
    bool files = glob("/dev/nvidia[0-9]*", 0, NULL, &found) == 0 && found.gl_pathc > 0;
    bool readable = files && access(found.gl_pathv[0], R_OK | W_OK) == 0;
    if (module)
        line(GOOD, "kernel", "%s", version + strlen("NVRM version:") + strspn(version + 13, " \t"));
    if (files && !readable) {
        line(BAD, "device", "%s cannot be opened by this user: %s", found.gl_pathv[0],
             strerror(errno));
        advice("join the group that owns it (often `sudo usermod -aG video $USER`), then log in "
               "again");
    } else if (files) {
        line(GOOD, "device", "%zu file%s in /dev", found.gl_pathc, found.gl_pathc == 1 ? "" : "s");
    } else if (module) {
        line(BAD, "device", "the driver is loaded, but no /dev/nvidia0 is here");
        advice("in a container: start it with `docker run --gpus all ...`; else `sudo "
               "nvidia-modprobe -u -c=0`");
    }
    if (files) globfree(&found);
    return module || files;
}

/* What is asked of the driver. */
typedef struct Driver {
    int (*init)(unsigned);
    int (*get_version)(int *);
    int (*count)(int *);
    int (*name_of)(char *, int, int);
    int (*attribute)(int *, int, int);
} Driver;

/* False and what to do when there is none. kernel: its part of the driver is there. */
static bool find_driver(bool kernel, Driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        line(BAD, "driver", "%s",
             kernel ? "the kernel has one, but libcuda.so.1 is not found"
                    : "there is no NVIDIA driver, or no NVIDIA GPU (libcuda.so.1 is not found)");
        advice(kernel ? "in a container: start it with `docker run --gpus all ...`; else reinstall "
                        "the driver"
                      : "with an NVIDIA card: install its driver (Debian: `sudo apt install "
                        "nvidia-driver`, Ubuntu: "
                        "`sudo ubuntu-drivers install`) and restart");
        advice("without one: the virtual GPU runs every exercise: `make ex43`");
        return false;
    }
    *driver = (Driver){(int (*)(unsigned))dlsym(library, "cuInit"),
                       (int (*)(int *))dlsym(library, "cuDriverGetVersion"),
                       (int (*)(int *))dlsym(library, "cuDeviceGetCount"),
                       (int (*)(char *, int, int))dlsym(library, "cuDeviceGetName"),
                       (int (*)(int *, int, int))dlsym(library, "cuDeviceGetAttribute")};
    if (driver->init && driver->get_version && driver->count && driver->name_of &&
        driver->attribute)
        return true;
    line(BAD, "driver", "libcuda.so.1 is not the driver's");
    advice("remove stubs from LD_LIBRARY_PATH");
    return false;
}

static void list_cards(const Driver *driver)
{
    int devices = 0;
    driver->count(&devices);
    for (int i = 0; i < devices; i++) {
        char name[128] = "";
        int major = 0, minor = 0, engines = 0;
        driver->name_of(name, sizeof name, i);
        driver->attribute(&major, 75, i); /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR */
        driver->attribute(&minor, 76, i);
        driver->attribute(&engines, 40, i); /* CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT */
        line(GOOD, "card", "%d: %s, compute capability %d.%d, %d copy engine%s", i, name, major,
             minor, engines, engines == 1 ? "" : "s");
    }
}

/* For which CUDA the driver is (13000: 13.0), and its cards; 0 and what to do when it does not
 * work. */
static int driver_version(bool kernel)
{
    int version = 0;
    Driver driver;
    if (!find_driver(kernel, &driver)) return 0;
    driver.get_version(&version);
    int result = driver.init(0);
    if (result == NO_DEVICE) {
        const char *visible = getenv(ENV_CUDA_VISIBLE);
        line(BAD, "driver", "it is there (CUDA %d.%d), but it sees no GPU", version / 1000,
             version % 1000 / 10);
        if (visible)
            printf("%21s-> CUDA_VISIBLE_DEVICES is '%s': `unset CUDA_VISIBLE_DEVICES`\n", "",
                   visible);
        else
            advice("`nvidia-smi` lists the cards; in a container: start it with `docker run --gpus "
                   "all ...`");
    } else if (result == DRIVER_MISMATCH) {
        line(BAD, "driver", "the kernel's part and the libraries are of different versions");
        advice("restart the machine: an update replaced the libraries while the old module was "
               "loaded");
    } else if (result == SYSTEM_NOT_READY) {
        line(BAD, "driver",
             "the system is not ready: on NVSwitch machines the fabric manager must run");
        advice("`sudo systemctl start nvidia-fabricmanager`");
    } else if (result != 0) {
        line(BAD, "driver", "cuInit answers with error %d", result);
        advice("`nvidia-smi` and `dmesg | grep -i nvrm` say more");
    } else {
        line(GOOD, "driver", "for CUDA up to %d.%d", version / 1000, version % 1000 / 10);
        list_cards(&driver);
        return version;
    }
    return 0;
}

static void check_toolkit(int driver)
{
    char path[PATH_MAX], text[400] = "", command[PATH_MAX + 40];
    const char *named = getenv(ENV_NVCC);
    glob_t found;
    bool there = named ? snprintf(path, sizeof path, "%s", named) > 0 && access(path, X_OK) == 0
                       : in_path("nvcc", path, sizeof path);
    if (!there && !named && glob("/usr/local/cuda*/bin/nvcc", 0, NULL, &found) == 0) {
        if (found.gl_pathc) there = snprintf(path, sizeof path, "%s", found.gl_pathv[0]) > 0;
        globfree(&found);
    }
    if (!there) {
        line(CARE, "nvcc",
             "not found (PATH, /usr/local/cuda*/bin): programs cannot be built for the card here");
        advice("install the CUDA Toolkit, or put its bin folder on PATH; programs built elsewhere "
               "can still be traced");
        return;
    }
    int major = 0, minor = 0;
    snprintf(command, sizeof command, "'%s' --version 2>/dev/null", path);
    FILE *pipe = popen(command, "re");
    while (pipe && fgets(text, sizeof text, pipe)) {
        const char *release = strstr(text, "release ");
        if (release) sscanf(release, "release %d.%d", &major, &minor);
    }
    if (pipe) pclose(pipe);
    if (driver && major > driver / 1000) {
        line(BAD, "nvcc", "%s makes programs for CUDA %d.%d; this driver runs CUDA up to %d", path,
             major, minor, driver / 1000);
        advice("update the driver, or install a toolkit of the driver's version");
    } else {
        line(GOOD, "nvcc", "%s, CUDA %d.%d", path, major, minor);
    }
    if (!in_path("g++", path, sizeof path)) {
        line(BAD, "compiler", "nvcc needs g++, which is not found");
        advice("`sudo apt install g++`");
    }
}

static void check_tracer(int driver)
{
    char path[PATH_MAX], text[200];
    uint32_t version = 0;
    void *cupti = cupti_open(path, sizeof path);
    int (*get_version)(uint32_t *) =
        cupti ? (int (*)(uint32_t *))dlsym(cupti, "cuptiGetVersion") : NULL;
    if (!get_version || get_version(&version) != 0) {
        line(BAD, "CUPTI", "libcupti.so is not found: nothing can be traced");
        advice("it is part of the CUDA Toolkit (extras/CUPTI/lib64); elsewhere: `export " ENV_CUPTI
               "=/its/folder`");
    } else {
        /* 130001 is CUDA 13; before CUDA 13 the number only counted up: 26 is 12.6, 18 is 11.8 */
        int major = version >= 100000 ? (int)(version / 10000) : version > 18 ? 12 : 11;
        if (driver && major > driver / 1000) {
            line(BAD, "CUPTI", "%s is for CUDA %d, the driver for CUDA %d.%d", path, major,
                 driver / 1000, driver % 1000 / 10);
            advice("update the driver, or name an older one: `export " ENV_CUPTI
                   "=/folder/of/libcupti`");
        } else {
            line(GOOD, "CUPTI", "%s, version %u", path, version);
        }
    }
    if (tools_beside("libthreelane_trace.so", path, sizeof path)) line(GOOD, "tracer", "%s", path);
    else {
        line(BAD, "tracer", "it was not built, because CUPTI's headers were not found then");
        advice("install the CUDA Toolkit, then `make tools` (it may be named: `make tools "
               "CUDA_HOME=/path`)");
    }
    if (geteuid() != 0 &&
        line_of("/proc/driver/nvidia/params", "RmProfilingAdminOnly: 1", text, sizeof text)) {
        line(CARE, "permission",
             "only root may read counters (ERR_NVGPUCTRPERM); timelines do not need them");
        advice("if tracing is refused: `sudo`, or `options nvidia "
               "NVreg_RestrictProfilingToAdminUsers=0` in "
               "/etc/modprobe.d and restart");
    } else if (driver) {
        line(GOOD, "permission", "this user may profile");
    }
    static const char *const taken[] = {ENV_CUDA_INJECTION, ENV_NVTX_INJECTION};
    for (size_t i = 0; i < 2; i++) {
        if (!getenv(taken[i])) continue;
        line(BAD, "profiler", "another tool is set to be loaded into programs: %s=%s", taken[i],
             getenv(taken[i]));
        printf("%21s-> `unset %s`\n", "", taken[i]);
    }
    const char *blocking = getenv(ENV_CUDA_BLOCKING);
    if (blocking && strcmp(blocking, "0") != 0) {
        line(CARE, "environment",
             "CUDA_LAUNCH_BLOCKING is set: every launch waits, nothing overlaps");
        advice("`unset CUDA_LAUNCH_BLOCKING`");
    }
    if (!in_path("addr2line", path, sizeof path)) {
        line(CARE, "addr2line", "not found: traces will name calls, but no source lines");
        advice("`sudo apt install binutils`");
    }
}

int gpu_doctor(int argc, char **argv)
{
    if (argc > 1) {
        fprintf(stderr, "threelane: doctor takes no '%s'\n", argv[1]);
        return 2;
    }
    bool kernel = check_kernel();
    int driver = driver_version(kernel);
    check_toolkit(driver);
    check_tracer(driver);
    puts(worst == BAD
             ? "\nPrograms cannot be traced on a real GPU here until what is MISSING is there."
             : "\nPrograms can be traced here: threelane trace ./program");
    return worst == BAD;
}
