/* What squeue says of a job. (What a real Slurm does: tests/cli/slurm.sh.) */
#include <stdlib.h>
#include <string.h>
#include "grader/cluster/slurm.h"
#include "tests/unit/cases.h"

static const struct {
    const char *line, *is; /* is: what it comes to, NULL: no job */
} lines[] = {
    {"12_3|threelane-ab-0|3|R|n1|None", "12_3 threelane-ab-0 3 n1 runs "},
    {"12_0|threelane-ab-0|0|PD||Resources", "12_0 threelane-ab-0 0  (Resources)"},
    {"12_0|t-0|0|CG|n2|None", "12_0 t-0 0 n2 runs "},
    {"7_1|t-0|1|PD||launch failed requeued held", "7_1 t-0 1  stuck (launch failed requeued held)"},
    {"7_1|t-0|1|RH||launch_failed_requeued_held", "7_1 t-0 1  stuck (launch_failed_requeued_held)"},
    {"7_1|t-0|1|PD||JobHeldUser", "7_1 t-0 1  (JobHeldUser)"},
    {"7_1|t-0|1|PD||a|b|c", "7_1 t-0 1  (a|b|c)"},
    {"7_1|t-0|1|NF|n1|NodeDown", "7_1 t-0 1 n1 ended taken "},
    {"7_1|t-0|1|PR|n1|Preempted", "7_1 t-0 1 n1 ended taken "},
    {"7_1|t-0|1|CD|n1|None", "7_1 t-0 1 n1 ended "},
    {"7_1|t-0|1|F|n1|NonZeroExitCode", "7_1 t-0 1 n1 ended "},
    {"7_1|t-0|1|OOM|n1|OutOfMemory", "7_1 t-0 1 n1 ended "},
    {"5|other|N/A|R|n1|None", NULL},
    {"squeue: error: something", NULL},
    {"||||", NULL},
    {"|||||", NULL},
    {"1_x|t|x|R|n|None", NULL},
    {"1_-1|t|-1|R|n|None", NULL},
    {"", NULL},
};

START_TEST_WITH(a_line, .times = sizeof lines / sizeof *lines)
{
    char *copy = strdup(lines[_i].line), is[200];
    SlurmTask task = {0};
    bool any = slurm_read_task(copy, &task);
    ck_assert_msg(any == (lines[_i].is != NULL), "%s", lines[_i].line);
    if (any) {
        snprintf(is, sizeof is, "%s %s %u %s %s%s%s%s%s%s%s", task.id, task.name, task.index,
                 task.node, task.runs ? "runs " : "", task.stuck ? "stuck " : "",
                 task.ended ? "ended " : "", task.taken ? "taken " : "", *task.why ? "(" : "",
                 task.why, *task.why ? ")" : "");
        ck_assert_str_eq(is, lines[_i].is);
    }
    free(task.name);
    free(task.id);
    free(task.node);
    free(task.why);
    free(copy);
}
END_TEST

CASES("slurm")
