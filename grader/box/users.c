/* users.c - see users.h. */
#include "grader/box/users.h"
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define POWER(capability) (1ull << (capability))
static const uint64_t kept = POWER(CAP_DAC_OVERRIDE); /* what such a user may do */
static const uint64_t needed =
    POWER(CAP_SETUID) | POWER(CAP_SETGID) | POWER(CAP_SETPCAP) | POWER(CAP_KILL);

static bool set_powers(uint64_t powers)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    for (int i = 0; i < 2; i++) {
        uint32_t half = (uint32_t)(powers >> (32 * i));
        data[i] = (struct __user_cap_data_struct){.effective = half,
                                                  .permitted = half,
                                                  .inheritable = half};
    }
    return syscall(SYS_capset, &header, data) == 0;
}

static bool get_powers(uint64_t *powers)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return false;
    *powers = data[0].effective | (uint64_t)data[1].effective << 32;
    return true;
}

/* What a program that is run may get, but for these. */
static bool drop_bounds(uint64_t but)
{
    for (int one = 0; one < 64; one++)
        if (!(but & POWER(one)) && prctl(PR_CAPBSET_READ, one, 0, 0, 0) == 1 &&
            prctl(PR_CAPBSET_DROP, one, 0, 0, 0) != 0 && errno != EPERM)
            return false;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return true;
}

static bool set_user(uid_t user)
{
    return setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
           setresuid(user, user, user) == 0;
}

bool users_drop_powers(void) { return drop_bounds(0) && set_powers(0); }

/* Without the fixup access() is not asked as somebody without powers, and says what a program may
 * do: compilers ask. What ends a process with its parent is forgotten by one that changes its
 * user. */
bool users_become(uid_t user)
{
    pid_t parent = getppid();
    return drop_bounds(kept) && prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) == 0 &&
           set_user(user) && set_powers(kept) &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0) == 0 &&
           prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

bool users_possible(bool looking)
{
    uint64_t powers, all = kept | needed | (looking ? POWER(CAP_SYS_PTRACE) : 0);
    return geteuid() == 0 && get_powers(&powers) && (powers & all) == all;
}

static int exit_status(pid_t child)
{
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

typedef enum Forked { FORK_REFUSED, FORK_MADE, FORK_NOT_TRIED } Forked;

/* Does a process of this user (0: of who calls), which may have so many, get another one? */
static Forked forked(uid_t user, rlim_t limit)
{
    pid_t child = fork();
    if (child == 0) {
        if ((user && !users_become(user)) ||
            setrlimit(RLIMIT_NPROC, &(struct rlimit){limit, limit}) != 0)
            _exit(FORK_NOT_TRIED);
        pid_t more = fork();
        if (more == 0) _exit(0);
        if (more > 0) waitpid(more, NULL, 0);
        _exit(more >= 0 ? FORK_MADE : FORK_REFUSED);
    }
    int status = exit_status(child);
    return status == FORK_REFUSED || status == FORK_MADE ? (Forked)status : FORK_NOT_TRIED;
}

bool users_are_limited(uid_t user) { return forked(user, 1) == FORK_REFUSED; }

/* The kernel counts a user's processes wherever they are, also those that we cannot see: two
 * graders in two containers do not share a number. */
bool users_are_free(uid_t user) { return forked(user, 2) == FORK_MADE; }

uid_t users_next(void)
{
    enum {
        FIRST = 0x70000000, /* no system gives such numbers away */
        MANY = 1 << 28,
        TRIES = 100
    };
    uid_t user = FIRST;
    for (int i = 0; i < TRIES; i++) {
        uint32_t random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            random = (uint32_t)getpid() * 256u + (uint32_t)i;
        user = (uid_t)FIRST + random % MANY;
        if (users_are_free(user)) break;
    }
    return user;
}

void users_end(uid_t user)
{
    pid_t child = fork();
    if (child == 0) {
        uid_t is[3];
        uint64_t powers;
        bool just_that = user && set_user(user) && set_powers(0) &&
                         getresuid(&is[0], &is[1], &is[2]) == 0 && is[0] == user && is[1] == user &&
                         is[2] == user && get_powers(&powers) && !powers;
        if (just_that) kill(-1, SIGKILL); /* everybody that we may, which is who we are */
        _exit(0);
    }
    exit_status(child);
}
