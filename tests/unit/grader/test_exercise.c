/* Exercise files: what is read, and what is refused with its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/course/exercise.h"
#include "grader/course/model_condition.h"
#include "common/text.h"
#include "sim/model/model.h"
#include "tests/unit/damaged.h"

#define HEAD                                                                                     \
    "[exercise]\nid = ex90\ntitle = Copy and compute\npart = 1\nlevel = Easy\nxp = 10\nmodel = " \
    "unit\ntodo = copy()\n"
#define CHECK                                                                                      \
    "[check results]\ntitle = Right\nkind = results\npoints = 5\nhint1 = one\nhint2 = two\nhint3 " \
    "= three\n"

static char error[600];

static Exercise *parse(const char *text)
{
    error[0] = 0;
    return exercise_parse("folder", "exercise.ini", text, strlen(text), error, sizeof error);
}

static Exercise *good(const char *text)
{
    Exercise *e = parse(text);
    ck_assert_msg(e != NULL, "%s", error);
    return e;
}

static void refuse(const char *text, const char *why)
{
    Exercise *e = parse(text);
    ck_assert_msg(e == NULL, "taken, but should say: %s", why);
    ck_assert_msg(strstr(error, why) != NULL, "'%s' does not say '%s'", error, why);
}

/* Whatever model a run is made on, there are as many GPUs as the exercise is about. */
START_TEST(several_gpus)
{
    Exercise *e = good(HEAD "gpus = 2\n[run more]\nmodel = h200\n[run four]\nmodel = "
                            "bytes+devices=4\n" CHECK);
    static const struct {
        int run;
        const char *asked, *is;
    } made[] = {{0, NULL, "unit+devices=2"},
                {0, "classroom", "classroom+devices=2"},
                {0, "unit+devices=3", "unit+devices=3"},
                {1, NULL, "h200+devices=2"},
                {2, NULL, "bytes+devices=4"}};
    ck_assert_int_eq(e->gpus, 2);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char *model = exercise_model(e, &e->runs[made[i].run], made[i].asked);
        ck_assert_str_eq(model, made[i].is);
        free(model);
    }
    ck_assert(!exercise_elsewhere(e, "unit") && exercise_elsewhere(e, "unit+devices=3"));
    exercise_free(e);

    e = good(HEAD CHECK);
    char *model = exercise_model(e, &e->runs[0], NULL);
    ck_assert_int_eq(e->gpus, 1);
    ck_assert_str_eq(model, "unit");
    free(model);
    exercise_free(e);
    refuse(HEAD "gpus = 0\n" CHECK, "gpus is a number from 1 to 16, not 0");
    refuse(HEAD "gpus = two\n" CHECK, "gpus is a whole number");
    refuse(HEAD "gpus = 17\n" CHECK, "gpus is a number from 1 to 16, not 17");
}
END_TEST

START_TEST(everything_is_read)
{
    Exercise *e =
        good("; a comment\n" HEAD "show = pipelined\n[params]\nBATCHES = 4 ; the reader's\n[run "
             "more]\nBATCHES = 7\nmodel = h200\n" CHECK
             "[check overlap]\ntitle = Busy at once\nkind = together\nselect = h2d@p, "
             "kernel@p\nneeds = results\n"
             "run = visible, more\npoints = 7\nhint1 = x\n");
    ck_assert_str_eq(e->id, "ex90");
    ck_assert_int_eq(e->number, 90);
    ck_assert_int_eq(e->xp, 10);
    ck_assert_str_eq(e->show, "pipelined");
    ck_assert_uint_eq(e->n_runs, 2);
    ck_assert_str_eq(e->runs[0].name, "visible");
    ck_assert_str_eq(e->runs[0].label, "");
    ck_assert_str_eq(run_param(&e->runs[0], "BATCHES"), "4");
    ck_assert_str_eq(run_param(&e->runs[1], "BATCHES"), "7");
    ck_assert_str_eq(e->runs[1].label, "with BATCHES=7 on model h200");
    ck_assert_uint_eq(e->n_checks, 2);
    const ExerciseCheck *c = &e->checks[1];
    ck_assert_int_eq(c->kind, CHECK_TOGETHER);
    ck_assert_uint_eq(c->n_needs, 1);
    ck_assert_uint_eq(c->needs[0], 0);
    ck_assert_uint_eq(c->n_runs, 2);
    ck_assert_str_eq(check_key(c, "select"), "h2d@p, kernel@p");
    ck_assert_ptr_null(c->hints[1]);
    ck_assert_int_eq(exercise_points(e), 12);
    exercise_free(e);
}
END_TEST

/* A run may be made with variables of CUDA's, and every source with options of the compiler's. */
START_TEST(variables_and_options)
{
    Exercise *e = good(HEAD "options = --default-stream=per-thread -std=c++20\n[params]\nN = 4\n"
                            "[run queue]\nN = 5\nenv = CUDA_DEVICE_MAX_CONNECTIONS=1 "
                            "CUDA_LAUNCH_BLOCKING=0\n"
                            "[run small]\nmodel = unit+launch=500000\n" CHECK);
    ck_assert_str_eq(e->options, "--default-stream=per-thread -std=c++20");
    ck_assert_uint_eq(e->runs[1].n_env, 2);
    ck_assert_str_eq(e->runs[1].env[0].name, "CUDA_DEVICE_MAX_CONNECTIONS");
    ck_assert_str_eq(e->runs[1].env[0].value, "1");
    ck_assert_str_eq(e->runs[1].env[1].value, "0");
    ck_assert_str_eq(e->runs[1].label,
                     "with N=5, CUDA_DEVICE_MAX_CONNECTIONS=1, CUDA_LAUNCH_BLOCKING=0");
    ck_assert_str_eq(e->runs[2].label, "on model unit+launch=500000");
    ck_assert_uint_eq(e->runs[2].n_env, 0);
    ck_assert_uint_eq(exercise_run(e, "queue: x", 5), 1);
    ck_assert_uint_eq(exercise_run(e, "queu", 4), 3);

    /* a run that only a variable makes another one is made on a card, too */
    exercise_on_card(e);
    ck_assert_uint_eq(e->n_runs, 2);
    ck_assert_uint_eq(e->runs[1].n_env, 2);
    exercise_free(e);

    static const char *const env[] = {"LD_PRELOAD=x",
                                      "CUDA_DEVICE_MAX_CONNECTIONS",
                                      "CUDA_DEVICE_MAX_CONNECTIONS=",
                                      "CUDA_DEVICE_MAX_CONNECTIONS=1;x",
                                      "CUDA_VISIBLE_DEVICES=1",
                                      "CUDA_LAUNCH_BLOCKING=-1"};
    char text[600];
    for (size_t i = 0; i < sizeof env / sizeof *env; i++) {
        snprintf(text, sizeof text, HEAD "[run queue]\nenv = %s\n" CHECK, env[i]);
        refuse(text, "exercise.ini:10: env is CUDA_DEVICE_MAX_CONNECTIONS=NUMBER");
    }
    refuse(HEAD "[run q]\nenv = CUDA_LAUNCH_BLOCKING=1 CUDA_LAUNCH_BLOCKING=1\n" CHECK,
           "given twice");
    refuse(HEAD "[run visible]\nenv = CUDA_LAUNCH_BLOCKING=1\n" CHECK, "own model, parameters");
    refuse(HEAD "options = -O0\n" CHECK, "exercise.ini:9: options are of");
    refuse(HEAD "options = -std=c++2\n" CHECK, "not '-std=c++2'");
    refuse(HEAD "options = -lcuda -lm\n" CHECK, "and -lcuda, not '-lm'");
    refuse(HEAD "options = -fmad=false -include /etc/passwd\n" CHECK, "not '-include'");
}
END_TEST

/* On a card: its own sizes; a run on another model, and what only that can decide, are not
 * there. */
START_TEST(on_a_card)
{
    Exercise *e =
        good(HEAD "[params]\nBATCHES = 4\n[run other]\nmodel = ./other.ini\n[run more]\nBATCHES = "
                  "7\n[on card]\nFLOATS = 99\n" CHECK
                  "[check typed]\ntitle = Typed\nkind = results\nrun = other\npoints = 2\n"
                  "[check more]\ntitle = More\nkind = results\nrun = other, more\nneeds = results, "
                  "typed\npoints = 3\n"
                  "[check last]\ntitle = Last\nkind = report\nneeds = typed, more\npoints = 1\n");
    exercise_on_card(e);
    ck_assert_uint_eq(e->n_runs, 2);
    ck_assert_str_eq(e->runs[1].name, "more");
    ck_assert_str_eq(run_param(&e->runs[1], "FLOATS"), "99");
    ck_assert_str_eq(run_param(&e->runs[1], "BATCHES"), "7");
    ck_assert_uint_eq(e->n_checks, 3);
    ck_assert_int_eq(exercise_points(e), 9);
    ck_assert_str_eq(e->checks[1].id, "more");
    ck_assert_uint_eq(e->checks[1].n_runs, 1);
    ck_assert_uint_eq(e->checks[1].runs[0], 1);
    ck_assert_uint_eq(e->checks[1].n_needs, 1);
    ck_assert_uint_eq(e->checks[2].n_needs, 1);
    ck_assert_uint_eq(e->checks[2].needs[0], 1);
    exercise_free(e);
}
END_TEST

static Exercise *on_model(const char *sections, const char *asked)
{
    Text text = {0};
    text_printf(&text, HEAD "[params]\nBATCHES = 4\n[run other]\nmodel = unit\n%s" CHECK, sections);
    Exercise *e = good(text_string(&text));
    exercise_on_model(e, asked);
    text_release(&text);
    return e;
}

/* Sizes follow from what a model is: from its numbers, whatever its name. The first section that
 * holds counts. */
START_TEST(on_a_model)
{
    static const char *const sections =
        "[on exact = no, h2d_bytes_per_ns > 100]\nFLOATS = 3\n[on exact = no]\nFLOATS = 2\n"
        "[on async_engine_count < 2]\nFLOATS = 1\n[on card]\nFLOATS = 99\n";
    char path[] = "/tmp/threelane-model-XXXXXX.ini";
    Model model;
    Exercise *e = on_model(sections, "h200");
    ck_assert_str_eq(run_param(&e->runs[0], "FLOATS"), "2");
    ck_assert_ptr_null(run_param(&e->runs[1], "FLOATS")); /* has a model of its own */
    exercise_free(e);
    e = on_model(sections, "unit");
    ck_assert_ptr_null(run_param(&e->runs[0], "FLOATS"));
    exercise_free(e);
    e = on_model(sections, "one-copy-engine");
    ck_assert_str_eq(run_param(&e->runs[0], "FLOATS"), "1");
    exercise_free(e);
    e = on_model(sections, "no such model");
    ck_assert_ptr_null(run_param(&e->runs[0], "FLOATS"));
    exercise_free(e);

    /* a card that nobody has named yet, as calibrate writes it */
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    model.h2d.bytes_per_ns = 390;
    int file = mkstemps(path, 4);
    ck_assert_int_ge(file, 0);
    FILE *to = fdopen(file, "w");
    ck_assert_int_eq(model_write(to, &model, NULL, NULL), 0);
    fclose(to);
    e = on_model(sections, path);
    ck_assert_str_eq(run_param(&e->runs[0], "FLOATS"), "3");
    exercise_free(e);
    remove(path);

    /* a bound belongs to neither side of it */
    ck_assert(!model_condition_holds(&model, "h2d_bytes_per_ns > 390"));
    ck_assert(!model_condition_holds(&model, "h2d_bytes_per_ns < 390"));
    ck_assert(model_condition_holds(&model, "h2d_bytes_per_ns = 390"));
    ck_assert(model_condition_holds(&model, "h2d_bytes_per_ns > 389, h2d_bytes_per_ns < 391"));
    ck_assert(!model_condition_holds(&model, "h2d_bytes_per_ns > 389, h2d_bytes_per_ns < 390"));

    /* one section for all that it is for, as a packed course needs it */
    Text text = {0};
    text_printf(&text, HEAD "[params]\nBATCHES = 4\n%s" CHECK, sections);
    e = good(text_string(&text));
    exercise_on_section(e, 2);
    ck_assert_str_eq(run_param(&e->runs[0], "FLOATS"), "1");
    exercise_free(e);
    text_release(&text);

    refuse(HEAD "[on h200]\nFLOATS = 1\n" CHECK, "'h200' compares nothing");
    refuse(HEAD "[on colour = 3]\nFLOATS = 1\n" CHECK, "a device model has no number 'colour'");
    refuse(HEAD "[on card_name = x]\nFLOATS = 1\n" CHECK,
           "a device model has no number 'card_name'");
    refuse(HEAD "[on exact = perhaps]\nFLOATS = 1\n" CHECK,
           "'perhaps' is no number (nor yes or no)");
    refuse(HEAD "[on exact = no]\nA = 1\n[on exact = yes]\nA = 1\n[on exact = no]\nA = 1\n" CHECK,
           "a second [on exact = no]");
}
END_TEST

/* What is wrong in a line is said of that line; what the file as a whole is, of the file. */
START_TEST(where_it_is_wrong)
{
    refuse(HEAD "xp = 20\n" CHECK, "exercise.ini:9: 'xp' is given twice (first on line 6)");
    refuse("[exercise]\nid = x43\n", "exercise.ini: [exercise] needs 'title'");
    refuse("[exercise]\nid = x43\ntitle = T\npart = 1\nlevel = Easy\nxp = 10\nmodel = unit\n"
           "todo = f()\n" CHECK,
           "exercise.ini: id is ex and a number (ex43), not 'x43'");
}
END_TEST

START_TEST(hints_for_a_stop)
{
    Exercise *e = good(HEAD "hint-deadlock = who waits\nhint-stop = which line\n" CHECK);
    ck_assert_str_eq(e->hint_deadlock, "who waits");
    ck_assert_str_eq(e->hint_stop, "which line");
    exercise_free(e);
    refuse(HEAD "hint-stop = a\nhint-stop = b\n" CHECK, "'hint-stop' is given twice");
}
END_TEST

START_TEST(long_and_continued_values)
{
    Text text = {0}, words = {0};
    for (int i = 0; i < 200; i++) text_printf(&words, "%sword%d", i ? " " : "", i);
    text_printf(&text,
                HEAD CHECK
                "[check b]\ntitle = B\n  and more of it\nkind = errors\nhint1 = %s\nhint2 = x",
                text_string(&words));
    Exercise *e = good(text_string(&text));
    ck_assert_str_eq(e->checks[1].hints[0], text_string(&words));
    ck_assert_str_eq(e->checks[1].title, "B and more of it");
    ck_assert_str_eq(e->checks[1].hints[1], "x");
    exercise_free(e);
    text_release(&text);
    text_release(&words);
}
END_TEST

START_TEST(empty_sections)
{
    Exercise *e = good(HEAD "[params]\n[run visible]\n[run more]\n" CHECK);
    ck_assert_uint_eq(e->n_runs, 2);
    exercise_free(e);
    refuse(HEAD CHECK "[check nothing]\n", "[check nothing] has no kind");
    refuse(HEAD CHECK "[wrong]\n", "exercise.ini:16: unknown section [wrong]");
}
END_TEST

START_TEST(wrong_files)
{
    refuse("", "[exercise] needs 'id'");
    refuse("\x7f"
           "ELF\x02\x01",
           "exercise.ini:1: neither [section] nor key = value");
    refuse(HEAD, "there is no [check ...]");
    refuse(HEAD "colour = red\n" CHECK, "exercise.ini:9: unknown key 'colour' in [exercise]");
    refuse("id = ex90\n" CHECK, "exercise.ini:1: 'id' stands before any [section]");
    refuse(HEAD "xp = 3\n" CHECK, "'xp' is given twice (first on line 6)");
    refuse("[exercise]\nid = ex90\n" CHECK, "[exercise] needs 'title'");
    refuse(HEAD CHECK "[params]\nA = 1\n" CHECK, "exercise.ini:19: a second [check results]");
    refuse(HEAD CHECK "points = many\n", "exercise.ini:16: points are a whole number, not 'many'");
    refuse(HEAD CHECK "junk\n", "exercise.ini:16: neither [section] nor key = value");
    refuse(HEAD CHECK "[check x\n", "exercise.ini:16");
    refuse(HEAD "[params]\nBATCHES = 4; rm\n" CHECK, "a parameter is a number or a name");
    refuse(HEAD "[params]\nA-B = 4\n" CHECK, "not a macro's name");
    refuse(HEAD "batches = B\n[params]\nA = 4\n" CHECK, "batches names one of [params], not 'B'");
    refuse(HEAD "[run more]\nBATCHES = 7\n" CHECK, "exercise.ini:10: 'BATCHES' is not in [params]");
    refuse(HEAD "[run visible]\nmodel = h200\n" CHECK, "own model");
    ck_assert_ptr_null(
        exercise_parse("f", "exercise.ini", HEAD "a\0b", sizeof HEAD + 3, error, sizeof error));
}
END_TEST

/* A file that has more sections than anybody writes is refused, and not before. */
START_TEST(as_many_sections_as_there_may_be)
{
    for (int n = 1000; n <= 1001; n++) {
        Text text = {0};
        text_add(&text, HEAD "[params]\nA = 1\n");
        for (int i = 0; i < n; i++) text_printf(&text, "[on sm_count > %d]\nA = 2\n", i);
        text_add(&text, CHECK);
        if (n == 1000) exercise_free(good(text_string(&text)));
        else refuse(text_string(&text), "too many sections");
        text_release(&text);
    }
}
END_TEST

START_TEST(wrong_checks)
{
#define BAD(lines, why) refuse(HEAD CHECK "[check b]\ntitle = B\n" lines, why)
    BAD("kind = magic\n", "exercise.ini:18: unknown kind of check 'magic'");
    BAD("kind = none\n", "needs the key 'select'");
    BAD("kind = none\nselect = cats@x\n", "exercise.ini:19: select: 'cats@x' is not a selector");
    BAD("kind = none\nselect = h2d@\n", "is not a selector");
    BAD("kind = none\nselect = h2d\ncolour = 3\n", "unknown key 'colour' for a check of kind none");
    BAD("kind = count\nselect = h2d\n", "compares with nothing");
    BAD("kind = count\nselect = h2d\nis = 1 +\n", "is: an unexpected end");
    BAD("kind = count\nselect = h2d\nis = BATCHES\n", "unknown name 'BATCHES'");
    BAD("kind = count\nselect = h2d\nis = speed(x)\n", "unknown name 'speed'");
    BAD("kind = makespan\nis = 3\n", "either select or range");
    BAD("kind = makespan\nrange = p\nzero = 3\n", "compares with nothing");
    BAD("kind = makespan\nrange = p\nis = 3\nrecord = 3\n", "are beside `most`, which is par");
    BAD("kind = caused\na = kernel\ncause = magic\n", "is not one of");
    BAD("kind = hazards\nof = races\n", "of: 'races' is not one of: race");
    BAD("kind = errors\nneeds = later\n", "there is no check 'later' above");
    BAD("kind = errors\nneeds = b\n", "there is no check 'b' above");
    BAD("kind = errors\nrun = other\n", "there is no [run other]");
    BAD("kind = errors\nkind = errors\n", "given twice");
    refuse(HEAD CHECK "[check b]\nkind = errors\n", "has no title");
#undef BAD
}
END_TEST

START_TEST(missing_file)
{
    ck_assert_ptr_null(exercise_read("/nonexistent", error, sizeof error));
    ck_assert_msg(strstr(error, "/nonexistent/exercise.ini: No such file") != NULL, "%s", error);
}
END_TEST

static void read_exercise(Text *said, const char *text, size_t length)
{
    error[0] = 0;
    Exercise *e = exercise_parse("folder", "exercise.ini", text, length, error, sizeof error);
    if (e)
        text_printf(said, "%zu runs, %zu checks, %d points", e->n_runs, e->n_checks,
                    exercise_points(e));
    else text_add(said, error);
    exercise_free(e);
}

START_TEST(damaged_anywhere)
{
    Text said = {0};
    damaged_each(&said, "tests/fixtures/damaged/exercise.ini", "=\n", read_exercise);
    held("damaged/exercise", &said);
    text_release(&said);
}
END_TEST

CASES("exercise")
