#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>
#include "common/exit_status.h"

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
          "       threelane-gpu compare PROG.cu [ARGUMENTS]\n",
          stderr);
    return VERDICT_USAGE;
}
