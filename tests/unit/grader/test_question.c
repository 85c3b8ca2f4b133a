/* Questions: what is typed, against the trace of a pipeline in four streams; and what makes no
 * sense. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/whatif/question.h"
#include "timeline/trace/analysis.h"
#include "timeline/trace/ideas.h"
#include "tests/unit/cases.h"

static Trace *trace;
static uint32_t range;
static char error[900];

static void setup(void)
{
    trace = trace_read("tests/fixtures/traces/pipeline4.lane", error, sizeof error);
    ck_assert_msg(trace != NULL, "%s", error);
    range = analysis_range(trace, "pipelined");
    ck_assert_uint_ne(range, 0);
}

static void teardown(void) { trace_free(trace); }

static bool read_line(Question *question, const char *line)
{
    size_t n;
    char **words = list_split(line, ' ', &n);
    bool fine =
        question_read(question, trace, range, "BATCHES", words, *line ? n : 0, error, sizeof error);
    list_free(words);
    return fine;
}

/* words: as the question is told again; calls: what the program is told. */
static void expect(const char *line, const char *words, const char *calls)
{
    Question question;
    ck_assert_msg(read_line(&question, line), "%s: %s", line, error);
    ck_assert_str_eq(text_string(&question.words), words);
    if (calls) ck_assert_str_eq(text_string(&question.calls), calls);
    question_release(&question);
}

static void refuse(const char *line, const char *why)
{
    Question question;
    ck_assert_msg(!read_line(&question, line), "'%s' was taken", line);
    ck_assert_msg(strstr(error, why) != NULL, "'%s' does not say '%s'", error, why);
    question_release(&question);
}

START_TEST(operations_by_name_place_and_kind)
{
    expect("stream K1=1", "K1 in stream 1", "call 1 21 cudaLaunchKernel stream 2\n");
    expect("stream K1=0", "K1 in stream 0", "call 1 21 cudaLaunchKernel stream 1\n");
    expect("stream H2D1,K1=new", "H2D1,K1 in a stream of their own",
           "call 1 20 cudaMemcpyAsync apart 1\ncall 1 21 cudaLaunchKernel apart 1\n");
    expect("stream K0=new stream K1=new", "K0 in a stream of its own; K1 in a stream of its own",
           "call 1 18 cudaLaunchKernel apart 1\ncall 1 21 cudaLaunchKernel apart 2\n");
    expect("half ex43.cu:23", "ex43.cu:23 half as long",
           "call 1 18 cudaLaunchKernel times 0.5\ncall 1 21 cudaLaunchKernel times 0.5\n"
           "call 1 24 cudaLaunchKernel times 0.5\ncall 1 27 cudaLaunchKernel times 0.5\n");
    expect("times exercises/ex43-overlap/ex43.cu:22=3",
           "exercises/ex43-overlap/ex43.cu:22 3 times as long",
           "call 1 17 cudaMemcpyAsync times 3\ncall 1 20 cudaMemcpyAsync times 3\n"
           "call 1 23 cudaMemcpyAsync times 3\ncall 1 26 cudaMemcpyAsync times 3\n");
    expect("add-wait D2H3", "the host waits for the device after D2H3",
           "call 1 28 cudaMemcpyAsync wait\n");
    expect("async op:13", "nobody waits for H2D0 at the call", "call 1 17 cudaMemcpyAsync async\n");
}
END_TEST

/* The batches of a stream each, as their labels count them. */
START_TEST(a_stream_for_each_batch)
{
    expect("apart all", "each batch in a stream of its own",
           "call 1 17 cudaMemcpyAsync apart 1\ncall 1 18 cudaLaunchKernel apart 1\n"
           "call 1 19 cudaMemcpyAsync apart 1\ncall 1 20 cudaMemcpyAsync apart 2\n"
           "call 1 21 cudaLaunchKernel apart 2\ncall 1 22 cudaMemcpyAsync apart 2\n"
           "call 1 23 cudaMemcpyAsync apart 3\ncall 1 24 cudaLaunchKernel apart 3\n"
           "call 1 25 cudaMemcpyAsync apart 3\ncall 1 26 cudaMemcpyAsync apart 4\n"
           "call 1 27 cudaLaunchKernel apart 4\ncall 1 28 cudaMemcpyAsync apart 4\n");
}
END_TEST

START_TEST(machines_and_parameters)
{
    Question question;
    expect("device h200 batches 16 STRIDE=64", "on h200; BATCHES=16; STRIDE=64", "");
    ck_assert(read_line(&question, "device h200 batches 16"));
    ck_assert_str_eq(question.model, "h200");
    ck_assert_uint_eq(question.n_params, 1);
    ck_assert_str_eq(question.params[0].name, "BATCHES");
    ck_assert_str_eq(question.params[0].value, "16");
    question_release(&question);
    expect("", "", "");
}
END_TEST

START_TEST(what_makes_no_sense)
{
    refuse("stream K1=7", "there is no stream 7");
    refuse("stream K1", "which into which?");
    refuse("stream K9=1", "no operation is called so; there are H2D0, K0");
    refuse("stream =1", "which into which?");
    refuse("pinned all", "no copy of pageable memory");
    refuse("pinned K1", "no copy of pageable memory");
    refuse("async K1", "no copy is among them");
    refuse("drop-wait ex43.cu:22", "no wait is called there");
    refuse("drop-wait K1", "no wait is called there");
    refuse("times K1=0", "a number above 0");
    refuse("times K1=1e7", "a number above 0");
    refuse("times K1=nan", "a number above 0");
    refuse("times K1=2x", "a number above 0");
    refuse("half", "half what?");
    refuse("half K1 faster", "'faster' is no change");
    refuse("batches=3", "is no change");
    refuse("op:13", "is no change");
    refuse("half op:0", "no operation is called so");
    refuse("half op:99999999", "no operation is called so");
    refuse("half call:3", "no operation is called so");
    refuse("A=1 B=1 C=1 D=1 E=1 F=1 G=1 H=1 I=1", "at most 8 parameters");
}
END_TEST

/* A program that has no such parameter. */
START_TEST(batches_of_another_program)
{
    Question question;
    char *words[] = {memory_copy("batches"), memory_copy("16")};
    ck_assert(!question_read(&question, trace, range, NULL, words, 2, error, sizeof error));
    ck_assert(strstr(error, "not of this program") != NULL);
    question_release(&question);
    free(words[0]);
    free(words[1]);
}
END_TEST

/* Every idea is a question that is understood. */
START_TEST(ideas_are_questions)
{
    Idea ideas[IDEAS];
    Labels *labels = labels_new(trace, range);
    Question question;
    uint32_t seen = 0;
    for (uint32_t op = 0; op <= trace->n_ops + 1; op++) {
        uint32_t n =
            op ? ideas_of_op(trace, labels, op, ideas) : ideas_of_run(trace, labels, ideas);
        for (uint32_t i = 0; i < n; i++, seen++) {
            if (op && !trace_in_range(trace, range, op)) continue;
            ck_assert_msg(read_line(&question, ideas[i].change), "%s: %s", ideas[i].change, error);
            question_release(&question);
        }
    }
    ck_assert_uint_gt(seen, 50);
    ck_assert_uint_eq(ideas_of_call(trace, 17, ideas), 0);
    labels_free(labels);
}
END_TEST

/* Whatever is typed, it is taken or refused in a line. */
START_TEST(anything_is_read)
{
    static const char *const parts[] = {"stream", "apart",     "pinned", "async",     "half",
                                        "times",  "=",         "K1",     ",",         "all",
                                        "op:1",   "call:9999", ":",      "new",       "ex43.cu",
                                        ":22",    "<",         ">",      "\xff",      " ",
                                        " ",      "1e308",     "-1",     "drop-wait", "BATCHES=",
                                        "device", "../x",      "h2d",    "batches",   "\n"};
    unsigned long long seed = 1;
    for (int round = 0; round < 20000; round++) {
        Text line = {0};
        for (int i = 0; i < 8; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text_add(&line, parts[(seed >> 33) % (sizeof parts / sizeof *parts)]);
        }
        Question question;
        error[0] = '\0';
        bool fine = read_line(&question, text_string(&line));
        ck_assert(fine || error[0]);
        for (const char *at = text_string(&question.calls); *at; at = strchr(at, '\n') + 1)
            ck_assert(!strncmp(at, "call 1 ", 7));
        question_release(&question);
        text_release(&line);
    }
}
END_TEST

CASES("questions", .before = setup, .after = teardown)
