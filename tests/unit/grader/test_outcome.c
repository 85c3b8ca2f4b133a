/* What a program says of its own end, and what compilers say: read as facts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/text.h"
#include "grader/box/outcome.h"
#include "grader/build/messages.h"
#include "tests/unit/cases.h"

static bool read_text(Outcome *outcome, const char *text)
{
    char path[] = "/tmp/threelane-outcome-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    bool there = outcome_read(outcome, path);
    unlink(path);
    return there;
}

START_TEST(all_of_it)
{
    Outcome o;
    ck_assert(read_text(&o, "later\tsomething\nstop\tdeadlock\nsite\ta.cu:7\ntext\tone\\ntwo \\\\ "
                            "three\\tfour\nerrors\t2\n"
                            "notes\t1\nhazard\trace\nheadline\tK0 reads d\n"));
    ck_assert_int_eq(o.stop, STOP_DEADLOCK);
    ck_assert_str_eq(o.site, "a.cu:7");
    ck_assert_str_eq(o.text, "one\ntwo \\ three\tfour");
    ck_assert_uint_eq(o.errors, 2);
    ck_assert_uint_eq(o.notes, 1);
    ck_assert_str_eq(o.hazard, "race");
    ck_assert_str_eq(o.headline, "K0 reads d");
    outcome_release(&o);
}
END_TEST

START_TEST(the_first_reason_counts)
{
    Outcome o;
    ck_assert(read_text(&o, "stop\tmisuse\ntext\tfirst\nstop\tcrash\ntext\tthen\n"));
    ck_assert_int_eq(o.stop, STOP_MISUSE);
    ck_assert_str_eq(o.text, "first");
    outcome_release(&o);
}
END_TEST

START_TEST(cut_off_or_not_there)
{
    Outcome o;
    ck_assert(read_text(&o, "errors\t3\nstop\tmis"));
    ck_assert_int_eq(o.stop, STOP_NONE);
    ck_assert_uint_eq(o.errors, 3);
    outcome_release(&o);
    ck_assert(read_text(&o, "stop\tof a kind that is none\nno tab\n"));
    ck_assert_int_eq(o.stop, STOP_NONE);
    outcome_release(&o);
    ck_assert(!outcome_read(&o, "/nowhere/at/all"));
    ck_assert_ptr_null(o.text);
    outcome_release(&o);
}
END_TEST

START_TEST(statuses_and_words)
{
    ck_assert_int_eq(exit_status_stop_of_status(HOST_STATUS_MISUSE), STOP_MISUSE);
    ck_assert_int_eq(exit_status_stop_of_status(PLAYER_BROKEN), STOP_BROKEN);
    ck_assert_int_eq(exit_status_stop_of_status(EXIT_STATUS_SIGNAL + 11), STOP_CRASH);
    ck_assert_int_eq(exit_status_stop_of_status(0), STOP_NONE);
    ck_assert_int_eq(exit_status_stop_of_status(1), STOP_NONE);
    for (int kind = STOP_NONE + 1; kind < STOP_KINDS; kind++)
        ck_assert_int_eq(exit_status_stop_of_word(exit_status_stop[kind].word), kind);
    ck_assert_str_eq(exit_status_verdict_word(VERDICT_TIMEOUT), "timed out");
    ck_assert_str_eq(exit_status_verdict_word(-1), "grader error");
    ck_assert_str_eq(exit_status_verdict_word(99), "grader error");
}
END_TEST

START_TEST(compilers)
{
    char *name = messages_undefined(
        "/usr/bin/ld: a.o: in function `main':\na.cu:3: undefined reference to `f(int, "
        "float*)'\ncollect2: error: ld returned 1 exit status\n");
    ck_assert_str_eq(name, "f(int, float*)");
    free(name);
    name = messages_undefined("ld.lld: error: undefined symbol: f(int)\n>>> referenced by a.cu\n");
    ck_assert_str_eq(name, "f(int)");
    free(name);
    ck_assert_ptr_null(messages_undefined("a.cu:3:1: error: 'f' was not declared in this scope\n"));
    const struct {
        const char *line, *words;
    } slips[] = {
        {"a.cu:14:30: error: invalid conversion from ‘cudaStream_t’ {aka ‘CUstream_st*’} to "
         "‘size_t’ {aka ‘long unsigned int’} [-fpermissive]\n",
         "The stream is the fourth"},
        {"a.cu(3): error: argument of type \"cudaStream_t\" (aka \"CUstream_st *\") is "
         "incompatible "
         "with parameter of type \"size_t\" (aka \"unsigned long\")\n",
         "The stream is the fourth"},
        {"a.cu:3:52: error: cannot convert ‘cudaStream_t’ {aka ‘CUstream_st*’} to "
         "‘CUstream_st**’\n",
         "cudaStreamCreate(&stream)"},
        {"a.cu:3:35: error: no matching function for call to 'cudaStreamCreate'\n",
         "cudaStreamCreate(&stream)"},
        {"a.cu:3:88: error: no matching function for call to ‘cudaEventCreate(CUevent_st*&)’\n",
         "cudaEventCreate(&event)"},
        {"a.cu:3:124: error: cannot convert ‘cudaStream_t’ {aka ‘CUstream_st*’} to ‘cudaEvent_t’ "
         "{aka ‘CUevent_st*’}\n",
         "cudaStreamWaitEvent(stream, event, 0)"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        char *all =
            memory_format("a.cu: In function ‘void f()’:\n%sa.cu:9:9: error: x\n", slips[i].line);
        const char *hint = messages_hint(all);
        ck_assert_msg(hint && strstr(hint, slips[i].words), "%s: %s", slips[i].line,
                      hint ? hint : "no hint");
        free(all);
    }
    /* the first error counts, and most speak for themselves */
    ck_assert_ptr_null(messages_hint("a.cu:1:1: error: expected ‘;’\na.cu:2:2: error: no matching "
                                     "function for call to 'cudaStreamCreate'\n"));
    ck_assert_ptr_null(messages_hint("a.cu:1:1: warning: ‘cudaStream_t’ ‘size_t’\n"));
    ck_assert_ptr_null(messages_hint(""));
    ck_assert(messages_disk_full("as: /tmp/a.o: No space left on device\n"));
    ck_assert(!messages_disk_full("a.cu:3:1: error: no\n"));
    ck_assert(messages_is_error("a.cu:3:1: error: no"));
    ck_assert(!messages_is_error("a.cu:3:1: warning: perhaps"));
}
END_TEST

CASES("outcome")
