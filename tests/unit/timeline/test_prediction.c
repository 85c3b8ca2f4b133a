/* Predictions: what is read, what is refused, and how it is held against a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "timeline/pictures/prediction.h"
#include "timeline/trace/analysis.h"
#include "tests/unit/cases.h"

static Trace *trace;
static Labels *labels;
static char error[300], said[900];

static void setup(void)
{
    trace = trace_read("tests/fixtures/traces/pipeline4.lane", error, sizeof error);
    ck_assert_msg(trace != NULL, "%s", error);
    labels = labels_new(trace, analysis_range(trace, "pipelined"));
}

static void teardown(void)
{
    labels_free(labels);
    trace_free(trace);
}

static void refuse(const char *text, const char *why)
{
    Prediction p;
    ck_assert_msg(!prediction_read(&p, text, strlen(text), error, sizeof error), "'%s' was taken",
                  text);
    ck_assert_msg(strstr(error, why) != NULL, "'%s' does not say '%s'", error, why);
    prediction_release(&p);
}

static Outlook *held(const char *text, Prediction *p)
{
    ck_assert_msg(prediction_read(p, text, strlen(text), error, sizeof error), "%s", error);
    Outlook *o = outlook_new(p, trace, labels);
    ck_assert_ptr_nonnull(o);
    return o;
}

static const char right[] = "Pipelined (with streams):\n"
                            "t=0: [H2D0]\n"
                            "t=1: [K0  ] [H2D1]\r\n"
                            "  t=2: [H2D2] [K1] [D2H0]   # in any order\n"
                            "t=3: [D2H1][K2][|][H2D3]\n"
                            "t=4: [D2H2] [K3]\n"
                            "t=5: [D2H3]\n"
                            "t=6..9: (idle)\n"
                            "Total: 6 time units\n";

START_TEST(what_was_expected_came)
{
    Prediction p;
    Outlook *o = held(right, &p);
    ck_assert_uint_eq(o->n, 0);
    ck_assert_uint_eq(o->n_ops, 12);
    ck_assert_uint_eq(o->n_right, 12);
    outlook_free(o);
    prediction_release(&p);
}
END_TEST

START_TEST(differences_have_reasons)
{
    Prediction p;
    Outlook *o = held("t=0: [H2D0] [H2D1]\nt=1: [K0] [K9]\nt=2: [H2D2] [K1] [D2H0]\n"
                      "t=3: [D2H1] [K2] [H2D3]\nt=4: [K3]\nt=7: [D2H3]\n",
                      &p);
    static const char *const wanted[] = {
        "You put H2D1 at t=0; it started at t=1: H2D1 waited 1.0 unit for H2D0: the H2D copy "
        "engine was busy with H2D0 (ex43.cu:22)",
        "You put K9 at t=1: there is none in this run",
        "You left out D2H2: it started at t=4",
        "You put D2H3 at t=7; it started at t=5 already, and nothing held it longer: D2H3 waited "
        "5.0 units for D2H2: the D2H copy engine was busy with D2H2 (ex43.cu:24)",
    };
    ck_assert_uint_eq(o->n_ops, 12);
    ck_assert_uint_eq(o->n_right, 9);
    ck_assert_uint_eq(o->n, 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_str_eq(outlook_say(o, trace, labels, i, said, sizeof said), wanted[i]);
    outlook_free(o);
    prediction_release(&p);
}
END_TEST

START_TEST(nothing_was_expected)
{
    Prediction p;
    Outlook *o = held("# nothing yet\nt=0:\nt=1:\n", &p);
    ck_assert_uint_eq(p.n, 0);
    ck_assert_uint_eq(o->n, 12);
    outlook_free(o);
    prediction_release(&p);
}
END_TEST

START_TEST(what_is_no_prediction)
{
    refuse("t=\n", "line 1: 't=' is no row");
    refuse("\nt=1 [K0]\n", "line 2: 't=1 [K0]' is no row");
    refuse("t=-1: [K0]\n", "is no row");
    refuse("t=2..1: [K0]\n", "is no row");
    refuse("t=99999999999999999999: [K0]\n", "is no row");
    refuse("t=1: K0\n", "line 1: 'K0' is no cell: an operation stands in brackets");
    refuse("t=1: [K0\n", "has no closing bracket");
    refuse("t=1: [K0]\nt=2: [ K0 ]\n", "line 2: 'K0' stands in an earlier row, too");
    refuse("t=1: \x1b[2J\n", "is no cell");
    ck_assert(strchr(error, '\x1b') == NULL);
    Prediction p;
    ck_assert(!prediction_read(&p, "t=1:\0[K0]", 9, error, sizeof error));
    prediction_release(&p);
}
END_TEST

/* More than there can be is refused, and in time. */
START_TEST(too_much)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    for (int i = 0; i <= PREDICTION_CELLS; i++) fprintf(to, "t=%d: [X%d]\n", i, i);
    fclose(to);
    Prediction p;
    ck_assert(!prediction_read(&p, text, length, error, sizeof error));
    ck_assert(strstr(error, "more operations than can be put") != NULL);
    prediction_release(&p);
    free(text);
}
END_TEST

/* What is drawn is a prediction of itself; a template is one of nothing. */
START_TEST(written_and_read)
{
    Prediction p, again;
    Outlook *o = held(right, &p);
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    ck_assert_int_eq(prediction_write(to, &p), 0);
    fclose(to);
    ck_assert(prediction_read(&again, text, length, error, sizeof error));
    ck_assert_uint_eq(again.n, p.n);
    prediction_release(&again);
    free(text);
    to = open_memstream(&text, &length);
    ck_assert_int_eq(prediction_template(to, &p, "pipelined", 3), 0);
    fclose(to);
    ck_assert(strstr(text, "t=2:\n# There are:\n#   H2D      [H2D0] [H2D1] [H2D2] [H2D3]\n") !=
              NULL);
    ck_assert(strstr(text, "#   Kernels  [K0] [K1] [K2] [K3]\n#   D2H      [D2H0]") != NULL);
    ck_assert(prediction_read(&again, text, length, error, sizeof error));
    ck_assert_uint_eq(again.n, 0);
    prediction_release(&again);
    free(text);
    outlook_free(o);
    prediction_release(&p);
}
END_TEST

START_TEST(lanes_of_labels)
{
    ck_assert_str_eq(prediction_lane("H2D12"), "H2D");
    ck_assert_str_eq(prediction_lane("D2H0"), "D2H");
    ck_assert_str_eq(prediction_lane("K3"), "Kernels");
    ck_assert_str_eq(prediction_lane("ker_A"), "Kernels");
    ck_assert_str_eq(prediction_lane("CB4"), "Host fns");
    ck_assert_str_eq(prediction_lane(""), "Kernels");
}
END_TEST

/* Whatever stands there, it is taken or refused in a line. */
START_TEST(anything_is_read)
{
    static const char *const parts[] = {"t=", "1",    ":",    "[",      "]",         "K0",
                                        " ",  "\n",   "..",   "|",      "#",         "\t",
                                        "\r", "\xff", "H2D1", "(idle)", "\n t=2: [", "t=0: [K1] ",
                                        "-",  "=",    "\x1b", "9999999"};
    unsigned long long seed = 7;
    for (int round = 0; round < 50000; round++) {
        char text[200] = "";
        for (int i = 0; i < 14; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            strcat(text, parts[(seed >> 33) % (sizeof parts / sizeof *parts)]);
        }
        Prediction p;
        error[0] = '\0';
        bool fine = prediction_read(&p, text, strlen(text), error, sizeof error);
        ck_assert(fine || error[0]);
        ck_assert(strchr(error, '\n') == NULL);
        prediction_release(&p);
    }
}
END_TEST

CASES("predictions", .before = setup, .after = teardown)
