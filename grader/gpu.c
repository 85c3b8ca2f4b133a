/* gpu.c - `threelane trace` and `threelane doctor`: the gpu room's own command does them. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/command.h"
#include "grader/judge.h"
#include "grader/text.h"

/* THREELANE_HOME, or where the tools were built or installed. The caller frees; NULL when it is nowhere. */
static char *find_gpu(void)
{
    char own[PATH_MAX] = "";
    const char *home = getenv("THREELANE_HOME");
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char *slash = strrchr(own, '/');
    if (slash) *slash = 0;
    char *const candidates[] = {memory_format("%s/threelane-gpu", home ? home : "/nowhere"),
                                memory_format("%s/../lib/threelane/threelane-gpu", own),
                                memory_format("%s/../build/lib/threelane/threelane-gpu", own)};
    char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (!found && access(candidates[i], X_OK) == 0) found = candidates[i];
        else free(candidates[i]);
    }
    return found;
}

static int hand_over(const Options *options)
{
    char *command = find_gpu();
    if (!command)
        return command_fail(VERDICT_GRADER, "threelane-gpu was not found beside the tools; build it: make tools");
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

int command_trace(const Options *options)
{
    return hand_over(options);
}

int command_doctor(const Options *options)
{
    return hand_over(options);
}
