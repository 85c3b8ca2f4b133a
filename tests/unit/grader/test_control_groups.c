/* A command's control groups stay its own, whoever else makes and takes away groups at the same
 * place. */
#include "grader/box/control_groups.h"
#include "tests/unit/cases.h"
#include <dirent.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY = 64 << 20, PROCESSES = 10 };

static bool make(ControlGroups *groups)
{
    *groups = (ControlGroups){0};
    return control_groups_make(groups, 2, true, MEMORY, PROCESSES) ||
           control_groups_make(groups, 2, false, MEMORY, PROCESSES);
}

/* Can a process enter them? It does, and ends. */
static bool usable(const ControlGroups *groups)
{
    int status = -1;
    for (size_t i = 0; i < groups->n; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(!control_group_write(groups->all[i].memory, "cgroup.procs", "0") ||
                  !control_group_write(groups->all[i].pids, "cgroup.procs", "0"));
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) return false;
    }
    return groups->n == 2;
}

START_TEST(groups_of_two_with_one_number_are_apart)
{
    ControlGroups first, second;
    if (!make(&first)) return; /* no groups here */
    ck_assert(make(&second));
    ck_assert_str_ne(first.all[0].pids, second.all[0].pids);

    control_groups_release(&second);
    ck_assert(usable(&first));
    control_groups_release(&first);
}
END_TEST

START_TEST(groups_are_seen_to_be_used_from_other_namespaces)
{
    ControlGroups groups;
    if (!make(&groups)) return;
    pid_t outer = fork();
    if (outer == 0) {
        if (unshare(CLONE_NEWPID) != 0) _exit(0);
        pid_t inner = fork();
        if (inner == 0) { /* where our number is nobody's */
            ControlGroups others;
            if (make(&others)) control_groups_release(&others);
            _exit(0);
        }
        waitpid(inner, NULL, 0);
        _exit(0);
    }
    waitpid(outer, NULL, 0);

    ck_assert(usable(&groups));
    control_groups_release(&groups);
}
END_TEST

START_TEST(groups_of_the_killed_are_taken_away)
{
    ControlGroups groups;
    int ends[2];
    char left[4096] = "";
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (make(&groups) && write(ends[1], groups.root[0], strlen(groups.root[0])) < 0) _exit(1);
        _exit(0); /* without a word */
    }
    close(ends[1]);
    ssize_t n = read(ends[0], left, sizeof left - 1);
    close(ends[0]);
    waitpid(pid, NULL, 0);
    if (n <= 0) return;
    ck_assert_int_eq(access(left, F_OK), 0);

    ck_assert(make(&groups));
    ck_assert_int_ne(access(left, F_OK), 0);
    control_groups_release(&groups);
}
END_TEST

CASES("control groups")
