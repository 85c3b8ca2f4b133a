/* sandbox.c - see sandbox.h. */
#include "grader/box/sandbox.h"
#include <ctype.h>
#include <dirent.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "common/env.h"
#include "common/text.h"
#include "grader/box/runner.h"
#include "grader/box/users.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

/* How many threads the user has. RLIMIT_NPROC counts them, and nothing else stops a fork bomb in
 * the blink between two looks where no control group can be made. */
static uint64_t user_threads(void)
{
    uint64_t n = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char path[300];
        struct stat about;
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        snprintf(path, sizeof path, "/proc/%.20s/task", entry->d_name);
        if (stat(path, &about) == 0 && about.st_uid == getuid())
            n += about.st_nlink > 2 ? about.st_nlink - 2 : 1;
    }
    if (processes) closedir(processes);
    return n;
}

static char *find_bwrap(void)
{
    static const char *const places[] = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], X_OK) == 0) return memory_copy(places[i]);
    return NULL;
}

/* Runs /usr/bin/true, or what stands for it, in a box of this sandbox. What went wrong comes back
 * in words. */
static bool works(Sandbox *sandbox, Text *words)
{
    Box box = {.sandbox = sandbox, .purpose = BOX_COMPILE, .scratch_bytes = 1 << 20};
    char *argv[] = {(char *)(uintptr_t)(access("/usr/bin/true", X_OK) == 0 ? "/usr/bin/true"
                                                                           : "/bin/true"),
                    NULL};
    char scratch[] = "/tmp/threelane-probe-XXXXXX";
    box.scratch = mkdtemp(scratch);
    Job job =
        {.argv = argv,
         .box = &box,
         .limits = {.seconds = 10, .output_bytes = 4096, .file_bytes = 1 << 20, .processes = 64}};
    bool fine = jobs_run(&job, 1, 1) && job.end == JOB_EXITED && job.status == 0;
    if (!fine && job.end == JOB_NOT_STARTED && !job.output.length)
        text_printf(words, "%s", strerror(job.status));
    text_append(words, text_string(&job.output), job.output.length);
    text_release(&job.output);
    if (box.scratch) rmdir(box.scratch);
    return fine;
}

static bool try_namespaces(Sandbox *sandbox, Text *words)
{
    text_clear(words);
    free(sandbox->bwrap);
    sandbox->bwrap = find_bwrap();
    if (!sandbox->bwrap) {
        text_add(words, "bubblewrap is not installed (sudo apt-get install bubblewrap)");
        return false;
    }
    sandbox->level = SANDBOX_NAMESPACES;
    sandbox->users = false;
    const FilterOptions with = {.scoped = true,
                                .gpu = sandbox->gpu,
                                .counted = sandbox->groups.n > 0};
    if (!filter_make(&with, &sandbox->filter)) return false;
    /* newest first: sized memory folders came with 0.7, no user namespaces inside with 0.8 */
    for (int old = 0; old < 3; old++) {
        sandbox->sized = old < 2;
        sandbox->no_nesting = old < 1;
        text_clear(words);
        if (!works(sandbox, words)) continue;
        if (sandbox->groups.n || users_are_limited(0)) return true;
        /* bubblewrap knows one user, who calls; root is not counted */
        text_add(words, "nothing limits how many processes root has in namespaces (no control "
                        "group can be made here)");
        break;
    }
    filter_release(&sandbox->filter);
    return false;
}

static bool try_landlock(Sandbox *sandbox, Text *words)
{
    text_clear(words);
    sandbox->landlock_abi =
        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (sandbox->landlock_abi < 1) {
        text_add(words, "the kernel has no Landlock (Linux 5.13 or newer, enabled)");
        return false;
    }
    sandbox->level = SANDBOX_LANDLOCK;
    bool looking = sandbox->gpu && !sandbox->groups.n; /* box_memory does */
    sandbox->users = users_possible(looking) && users_are_limited(users_next());
    if (!sandbox->users && !sandbox->groups.n && !users_are_limited(0)) {
        text_add(words, "nothing limits how many processes there are: root may not become another "
                        "user here, and no "
                        "control group can be made (grade as an ordinary user)");
        return false;
    }
    const FilterOptions with = {.alone = true,
                                .scoped = sandbox->landlock_abi >= 6,
                                .gpu = sandbox->gpu,
                                .counted = sandbox->groups.n > 0};
    if (filter_make(&with, &sandbox->filter) && works(sandbox, words)) return true;
    filter_release(&sandbox->filter);
    return false;
}

/* What was asked for, and THREELANE_SANDBOX with it, which takes one level and no other. */
static SandboxOptions with_environment(SandboxOptions options)
{
    const char *level = getenv(ENV_SANDBOX);
    if (level && !strcmp(level, "landlock") && options.most > SANDBOX_LANDLOCK)
        options.most = SANDBOX_LANDLOCK;
    if (level && !strcmp(level, "namespaces") && options.most > SANDBOX_NONE)
        options.least = SANDBOX_NAMESPACES;
    return options;
}

/* Control groups of the one version or the other, as words for the sandbox's; NULL: none can be
 * made. */
static const char *make_groups(Sandbox *sandbox, const SandboxOptions *options)
{
    for (int version = 2; version >= 1; version--) {
        if (control_groups_make(&sandbox->groups, options->boxes, version == 2,
                                options->memory_bytes, options->processes))
            return version == 2 ? ", cgroup v2" : ", cgroup v1";
    }
    return NULL;
}

/* Looks for what works here, the best first: namespaces, then Landlock, with control groups; if
 * that is what does not work, both without. Returns the words for the groups; NULL where nothing
 * works, and why in words. */
static const char *try_all(Sandbox *sandbox, const SandboxOptions *options, Text why[2])
{
    if (options->most == SANDBOX_NONE) return NULL;
    if (!filter_known()) {
        text_add(&why[0], "Threelane was built without libseccomp (sudo apt-get install "
                          "libseccomp-dev, then make)");
        return NULL;
    }

    for (int counted = options->boxes > 0; counted >= 0; counted--) {
        const char *groups = counted ? make_groups(sandbox, options) : "";
        if (!groups) continue;
        if (options->most >= SANDBOX_NAMESPACES && try_namespaces(sandbox, &why[0])) return groups;
        if (options->most >= SANDBOX_LANDLOCK && try_landlock(sandbox, &why[1])) return groups;
        control_groups_release(&sandbox->groups);
    }
    return NULL;
}

static void say_nothing_works(Text why[2], char *error, size_t error_size)
{
    for (int i = 0; i < 2; i++)
        if (why[i].length) why[i].data[strcspn(why[i].data, "\n")] = 0;
    const char *first = text_string(&why[0]), *second = text_string(&why[1]);
    snprintf(error, error_size,
             "no sandbox works here%s%s%s%s: untrusted programs are not run without one (--unsafe "
             "runs them as you, with everything you may do)",
             *first || *second ? ": " : "", first, *first && *second ? "; " : "", second);
}

/* How many processes the user of a box may have, where nothing else limits them. */
static void limit_users(Sandbox *sandbox, const SandboxOptions *options)
{
    size_t boxes = options->boxes ? options->boxes : 1;
    if (sandbox->users) sandbox->user_processes = options->processes;
    else if (!sandbox->groups.n && options->processes) {
        sandbox->user_processes = user_threads() + boxes * options->processes + 64;
        sandbox->compilers_spare = boxes * options->processes;
    }
}

bool sandbox_open(Sandbox *sandbox, const SandboxOptions *asked, char *error, size_t error_size)
{
    static const char *const level[] = {"none", "Landlock, seccomp", "namespaces, seccomp"};
    SandboxOptions options = with_environment(*asked);
    Text why[2] = {{0}, {0}};
    *sandbox = (Sandbox){.filter = {.fd = -1},
                         .memory_bytes = options.memory_bytes,
                         .processes = options.processes,
                         .gpu = options.gpu};
    const char *groups = try_all(sandbox, &options, why);
    if (!groups) {
        sandbox->level = SANDBOX_NONE;
        sandbox->users = false;
    }

    bool fine = sandbox->level >= options.least;
    if (fine) {
        sandbox->words = memory_format("%s%s", level[sandbox->level], groups ? groups : "");
        limit_users(sandbox, &options);
    } else {
        say_nothing_works(why, error, error_size);
        sandbox_close(sandbox);
    }
    for (int i = 0; i < 2; i++) text_release(&why[i]);
    return fine;
}

void sandbox_close(Sandbox *sandbox)
{
    control_groups_release(&sandbox->groups);
    filter_release(&sandbox->filter);
    free(sandbox->bwrap);
    free(sandbox->words);
    *sandbox = (Sandbox){.filter = {.fd = -1}};
}
