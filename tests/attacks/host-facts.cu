// ex43 fail: .
// never: bwrap|ro-bind|BOOT_IMAGE|root=|keyring|\.threelane|TOLD-/
// What can be read of the machine, its kernel's command line, keys, mounts and users, in what the program prints.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ex43.h"
extern char **environ;
void asyncPipeline(const float *, float *, float *, float *)
{
    static const char *const files[] = {"1/cmdline", "1/environ", "1/mountinfo", "cmdline", "keys", "key-users", "self/mountinfo",
                                        "self/mounts", "self/cgroup", "self/maps", "self/environ", "self/status", "modules",
                                        "partitions", "sys/kernel/random/boot_id", "sys/kernel/hostname"};
    static char bytes[8000], path[100];
    for (const char *file : files) {
        snprintf(path, sizeof path, "/%s/%s", "proc", file);
        FILE *in = fopen(path, "r");
        size_t n = in ? fread(bytes, 1, sizeof bytes - 1, in) : 0;
        for (size_t i = 0; i < n; i++) putchar(bytes[i] ? bytes[i] : ' ');
        if (n) printf("TOLD-%s\n", path);
    }
    for (const char *file : {"/etc/passwd", "/etc/hostname", "/etc/machine-id", "/run/utmp"})
        if (access(file, F_OK) == 0) printf("TOLD-%s\n", file);
    for (char **e = environ; *e; e++) puts(*e);
    if (getcwd(bytes, sizeof bytes)) puts(bytes);
}
