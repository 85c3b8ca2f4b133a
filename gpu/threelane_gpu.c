#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool gpu_beside(const char *name, char *path, size_t path_size)
{
    ssize_t length = readlink("/proc/self/exe", path, path_size - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    size_t at = slash ? (size_t)(slash + 1 - path) : 0;
    return snprintf(path + at, path_size - at, "%s", name) < (int)(path_size - at) && access(path, R_OK) == 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "trace")) return gpu_trace(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "sites")) return gpu_sites(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "doctor")) return gpu_doctor(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "card")) return gpu_card(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "compare")) return gpu_compare(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "calibrate")) return gpu_calibrate(argc - 1, argv + 1);
    fputs("usage: threelane-gpu trace [-q] [-o FILE] [--] PROGRAM [ARGUMENTS]\n"
          "       threelane-gpu sites FILE.lane|fd:N\n       threelane-gpu doctor\n"
          "       threelane-gpu card [NUMBER]\n       threelane-gpu calibrate [-o FILE.ini]\n"
          "       threelane-gpu compare PROG.cu [ARGUMENTS]\n", stderr);
    return 2;
}
