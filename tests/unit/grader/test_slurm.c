/* What squeue says of a job. (What a real Slurm does: tests/cli/slurm.sh.) */
#include <stdlib.h>
#include <string.h>
#include "grader/cluster/slurm.h"
#include "tests/unit/cases.h"

static const struct {
    const char *line;
    bool task;
    const char *name, *id, *node, *why;
    unsigned index;
    bool runs, stuck;
} lines[] = {
    {"12_3|threelane-ab-0|3|R|n1|None", true, "threelane-ab-0", "12_3", "n1", "", 3, true, false},
    {"12_0|threelane-ab-0|0|PD||Resources", true, "threelane-ab-0", "12_0", "", "Resources", 0,
     false, false},
    {"12_0|t-0|0|CG|n2|None", true, "t-0", "12_0", "n2", "", 0, true, false},
    {"7_1|t-0|1|PD||launch failed requeued held", true, "t-0", "7_1", "",
     "launch failed requeued held", 1, false, true},
    {"7_1|t-0|1|RH||launch_failed_requeued_held", true, "t-0", "7_1", "",
     "launch_failed_requeued_held", 1, false, true},
    {"7_1|t-0|1|PD||JobHeldUser", true, "t-0", "7_1", "", "JobHeldUser", 1, false, false},
    {"7_1|t-0|1|PD||a|b|c", true, "t-0", "7_1", "", "a|b|c", 1, false, false},
    {"5|other|N/A|R|n1|None", false, NULL, NULL, NULL, NULL, 0, false, false},
    {"squeue: error: something", false, NULL, NULL, NULL, NULL, 0, false, false},
    {"||||", false, NULL, NULL, NULL, NULL, 0, false, false},
    {"|||||", false, NULL, NULL, NULL, NULL, 0, false, false},
    {"1_x|t|x|R|n|None", false, NULL, NULL, NULL, NULL, 0, false, false},
    {"1_-1|t|-1|R|n|None", false, NULL, NULL, NULL, NULL, 0, false, false},
    {"", false, NULL, NULL, NULL, NULL, 0, false, false},
};

START_TEST_WITH(a_line, .times = sizeof lines / sizeof *lines)
{
    char *copy = strdup(lines[_i].line);
    SlurmTask task = {0};
    ck_assert_msg(slurm_read_task(copy, &task) == lines[_i].task, "%s", lines[_i].line);
    if (lines[_i].task) {
        ck_assert_str_eq(task.name, lines[_i].name);
        ck_assert_str_eq(task.id, lines[_i].id);
        ck_assert_str_eq(task.node, lines[_i].node);
        ck_assert_str_eq(task.why, lines[_i].why);
        ck_assert_uint_eq(task.index, lines[_i].index);
        ck_assert_int_eq(task.runs, lines[_i].runs);
        ck_assert_int_eq(task.stuck, lines[_i].stuck);
    }
    free(task.name);
    free(task.id);
    free(task.node);
    free(task.why);
    free(copy);
}
END_TEST

CASES("slurm")
