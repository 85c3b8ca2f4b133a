/* gpu_commands.c - `threelane trace`, `doctor`, `calibrate` and `compare`: the gpu room's own
 * command does them. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/env.h"
#include "grader/box/card.h"
#include "grader/commands/command.h"
#include "grader/judge/judge.h"
#include "common/text.h"

static int hand_over(const Options *options)
{
    char *command = card_command();
    if (!command)
        return command_fail(VERDICT_GRADER,
                            "threelane-gpu was not found: `make tools` builds it, or install the "
                            "package threelane-gpu");
    char **argv = memory_get(options->n_words + 2, sizeof *argv);
    argv[0] = command;
    for (size_t i = 0; i < options->n_words; i++) argv[i + 1] = options->words[i];
    signal(SIGPIPE, SIG_DFL);
    execv(command, argv);
    command_fail(VERDICT_GRADER, "%s: %s", command, strerror(errno));
    free(argv);
    free(command);
    return VERDICT_GRADER;
}

int command_trace(const Options *options) { return hand_over(options); }

int command_doctor(const Options *options) { return hand_over(options); }

int command_calibrate(const Options *options) { return hand_over(options); }

int command_compare(const Options *options)
{
    char own[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char *slash = strrchr(own, '/');
    if (slash) *slash = 0;
    char *tlcc = memory_format("%s/tlcc", own);
    if (access(tlcc, X_OK) == 0) setenv(ENV_TLCC, tlcc, 0);
    free(tlcc);
    return hand_over(options);
}
