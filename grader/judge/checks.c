/* checks.c - see checks.h. Which evaluator a kind has, which runs decide, and what blocks what. */
#include "grader/judge/checks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/course/diff.h"
#include "grader/judge/check_context.h"
#include "timeline/trace/delay.h"

#define EVALUATES(NAME, WORD, ...) [CHECK_##NAME] = judge_##WORD,
static Evaluator *const evaluators[CHECK_KINDS] = {CHECK_TABLE(EVALUATES)};

const char *check_state_word(int state)
{
    static const char *const words[] =
        {[CHECK_PASS] = "pass",     [CHECK_FAIL] = "fail", [CHECK_BLOCKED] = "blocked",
         [CHECK_BROKEN] = "broken", [CHECK_OPEN] = "open", [CHECK_OTHER_MODEL] = "elsewhere"};
    return words[state >= 0 && state <= CHECK_OTHER_MODEL ? state : CHECK_BROKEN];
}

/* The first report of the checker of that kind (NULL: the first that is an error). */
static const TraceHazard *first_hazard(const Trace *trace, const char *kind)
{
    for (uint32_t i = 1; i <= trace->n_hazards; i++) {
        const TraceHazard *hazard = &trace->hazards[i];
        if (kind ? !strcmp(hazard->kind, kind) : !hazard->note) return hazard;
    }
    return NULL;
}

/* What its author did, of reports that are told apart by their kind alone. */
static const char *hazard_mistake(const char *kind)
{
    static const struct {
        const char *kind, *words;
    } rows[] = {
        {"thread-race", "let two host threads at the same memory unordered"},
        {"free-in-flight", "freed memory that the GPU was still using"},
        {"use-before-alloc", "used memory before the stream had allocated it"},
        {"use-after-free", "used memory after freeing it"},
        {"out-of-bounds", "went beyond the end of an allocation"},
        {"uninitialised", "read memory that nothing had written"},
        {"wrong-memory", "gave a call memory of the wrong kind"},
        {"barrier", "used a barrier that not all threads reach"},
        {"shared-race", "let threads of a block at the same shared memory unordered"},
        {"global-race", "let threads of a kernel at the same global memory unordered"},
        {"misaligned", "read or wrote at an address that is not aligned"},
        {"failed-launch", "launched a kernel that cannot run"},
        {"failed-call", "made a call that failed, and went on"},
        {"default-timing", "timed other streams by events in the default stream"},
        {"not-guaranteed", "relied on an order that CUDA does not promise"},
        {"early-return", "returned before a barrier that others wait at"},
        {"same-value", "let threads write to one place unordered"},
        {"partly-watched", "let threads share more memory than could be looked at"},
        {"cluster-life", "used shared memory of a block that may have ended"},
        {"redundant", "waited where nothing had to be waited for"},
        {"leak", "never gave something back"},
        {"unfinished", "ended the program while work was still running"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(kind, rows[i].kind)) return rows[i].words;
    }
    return NULL;
}

/* What went wrong, for counting who did the same. */
static char *say_mistake(const Context *c)
{
    char words[DELAY_WORDS];
    const Trace *t = c->trace;
    if (!t) return memory_copy("never came to the first CUDA call");
    if (c->check->kind == CHECK_HAZARDS) {
        const TraceHazard *hazard = first_hazard(t, check_key(c->check, "of"));
        if (!hazard) return NULL;
        if (!strcmp(hazard->kind, "race") && hazard->op_a && hazard->op_b)
            return memory_format("left %s and %s unordered on the same memory",
                                 delay_op_words(&t->ops[hazard->op_a]),
                                 delay_op_words(&t->ops[hazard->op_b]));
        if (!strcmp(hazard->kind, "host-race") && hazard->op_a)
            return memory_format("let the host at memory that %s was still using",
                                 delay_op_words(&t->ops[hazard->op_a]));
        const char *what = hazard_mistake(hazard->kind);
        return what ? memory_copy(what)
                    : memory_format("was told of `%s` by the checker", hazard->kind);
    }
    if (c->check->kind == CHECK_MEMORY)
        return memory_format("did not use %s memory", check_key(c->check, "is"));
    const char *not = c->check->kind == CHECK_FLAVOUR ? check_key(c->check, "not") : NULL;
    if (not &&!strcmp(not, "legacy")) return memory_copy("used the default stream");
    const char *beside = c->check->kind == CHECK_OVERLAP ? check_key(c->check, "b") : "";
    if (!strncmp(beside, "range", 5) || !strncmp(beside, "call", 4) || !strncmp(beside, "wait", 4))
        return NULL; /* what the host did not do; why the other was late says nothing of it */
    if (!c->explained || !delay_words(t, c->op, words)) return NULL;
    return memory_copy(words);
}

/* Judges one check over one run; true when it passes there. */
static bool judge_run(const ExerciseCheck *check, const Evidence *evidence, CheckResult *result)
{
    Context c = {.check = check, .evidence = evidence, .trace = evidence->got.trace};
    bool needs_trace = !(check_kind_flags(check->kind) & NO_TRACE);
    bool passes = false;
    if (!c.trace && needs_trace)
        text_add(
            &c.cause,
            "The program left no record of what it did: it never came to its first CUDA call.");
    else passes = evaluators[check->kind](&c);
    if (passes && evidence->complete) {
        result->state = CHECK_PASS;
    } else if (passes || (c.absent && !c.broken && !evidence->complete)) {
        result->state = CHECK_BLOCKED; /* true as far as the run went, which is not far enough; or
                                          not yet */
        passes = false;
    } else {
        result->state = c.broken ? CHECK_BROKEN : CHECK_FAIL;
        result->cause = text_take(&c.cause);
        result->op = c.op;
        if (!c.broken) result->mistake = say_mistake(&c);
        if (c.detail.length) result->detail = text_take(&c.detail);
    }
    bool told = !evidence->run->hidden && evidence->complete && c.score.known && !c.broken;
    if (told) result->score = c.score;
    if (told && result->state == CHECK_FAIL) result->share = c.share;
    text_release(&c.cause);
    text_release(&c.detail);
    labels_free(c.labels);
    return passes;
}

int check_earned(const ExerciseCheck *check, const CheckResult *result)
{
    if (result->state == CHECK_PASS) return check->points;
    return result->state == CHECK_FAIL ? (int)((long)result->share * check->points / 1000) : 0;
}

void checks_evaluate(const Exercise *exercise, const Evidence *evidence, CheckResult *results)
{
    for (size_t i = 0; i < exercise->n_checks; i++) {
        const ExerciseCheck *check = &exercise->checks[i];
        CheckResult *result = &results[i];
        *result = (CheckResult){.state = CHECK_PASS};
        for (size_t n = 0; n < check->n_needs && result->state == CHECK_PASS; n++) {
            CheckState needed = results[check->needs[n]].state;
            if (needed == CHECK_PASS || needed == CHECK_OPEN) continue;
            result->state = CHECK_BLOCKED;
            result->blocked_by = exercise->checks[check->needs[n]].id;
        }
        bool open = !check_any_schedule(check->kind) || check_kind_flags(check->kind) & INSIDE;
        if (result->state == CHECK_PASS && evidence->explored && open) result->state = CHECK_OPEN;
        for (size_t r = 0; r < check->n_runs && result->state == CHECK_PASS; r++) {
            result->run = check->runs[r];
            judge_run(check, &evidence[check->runs[r]], result);
        }
    }
}

bool check_any_schedule(CheckKind kind) { return check_kind_flags(kind) & ANY_SCHEDULE; }

size_t checks_explored(const Exercise *exercise, const Evidence *evidence,
                       const CheckResult *before, CheckResult *result)
{
    for (size_t i = 0; i < exercise->n_checks; i++) {
        const ExerciseCheck *check = &exercise->checks[i];
        bool here = false;
        for (size_t r = 0; r < check->n_runs; r++) here = here || check->runs[r] == 0;
        if (!here || before[i].state != CHECK_PASS || !check_any_schedule(check->kind)) continue;
        if (check_kind_flags(check->kind) & INSIDE) continue; /* says what all schedules allow */
        *result = (CheckResult){.state = CHECK_PASS};
        if (!judge_run(check, evidence, result)) return i;
    }
    return exercise->n_checks;
}

void checks_release(const Exercise *exercise, CheckResult *results)
{
    for (size_t i = 0; results && i < exercise->n_checks; i++) {
        free(results[i].cause);
        free(results[i].detail);
        free(results[i].mistake);
        results[i] = (CheckResult){0};
    }
}

bool checks_golden_printed(const Evidence *evidence)
{
    if (!evidence->golden || !evidence->output) return false;
    size_t wanted = 0, found = 0;
    char **golden = list_split(evidence->golden, '\n', NULL),
         **output = list_split(evidence->output, '\n', NULL);
    for (size_t i = 0; golden[i]; i++) {
        if (!golden[i][0]) continue;
        wanted++;
        bool there = false;
        for (size_t k = 0; output[k] && !there; k++) {
            there = diff_line_equal(golden[i], strlen(golden[i]), output[k], strlen(output[k]));
        }
        found += there;
    }
    list_free(golden);
    list_free(output);
    return wanted >= 3 && found * 10 >= wanted * 8;
}
