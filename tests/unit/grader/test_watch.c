/* The screen of `threelane watch` without a terminal: what keys and verdicts do to its state, and
 * what is drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/watch/watch_draw.h"
#include "tests/unit/canvas_film.h"
#include "tests/unit/cases.h"

static WatchState w;
static Canvas canvas;

static void setup(void)
{
    static const char *const titles[] = {"Streams", "Pinned memory", "Overlap"};
    WatchExercise *exercises = memory_get(3, sizeof *exercises);
    for (int i = 0; i < 3; i++) {
        exercises[i] = (WatchExercise){
            .id = memory_format("ex%d", 41 + i),
            .title = memory_copy(titles[i]),
            .level = memory_copy("Easy"),
            .model = memory_copy("unit"),
            .todo = memory_copy("do it"),
            .number = 41 + i,
            .xp = 10,
            .possible = 30,
            .file = memory_format("exercises/ex%d.cu", 41 + i),
        };
    }
    watch_state_init(&w, exercises, 3);
    ck_assert(canvas_init(&canvas, 80, 24, true));
}

static void teardown(void)
{
    film_end();
    watch_state_release(&w);
    canvas_release(&canvas);
}

static void drawn(void)
{
    watch_draw(&w, &canvas, NULL, 0);
    film_shows(&canvas);
}

static WatchAction key(ScreenKey key)
{
    WatchAction action = watch_key(&w, key);
    drawn();
    return action;
}

static WatchAction press(uint32_t character)
{
    return key((ScreenKey){.kind = SCREEN_CHARACTER, .code = character});
}

static WatchAction special(ScreenKeyKind kind) { return key((ScreenKey){.kind = kind}); }

/* A failed run with three hints for its check, and one check that waits for it. */
static Summary failed(void)
{
    Summary s = {.id = memory_copy("ex41"),
                 .label = memory_copy(""),
                 .file = memory_copy("exercises/ex41.cu"),
                 .kind = VERDICT_FAIL,
                 .judged = true,
                 .own = true,
                 .points = 12,
                 .possible = 30,
                 .n_checks = 3};
    text_add(&s.output, "hello\n");
    s.checks = memory_get(3, sizeof *s.checks);
    s.checks[0] =
        (SummaryCheck){.id = memory_copy("a"),
                       .title = memory_copy("Two streams"),
                       .state = CHECK_FAIL,
                       .possible = 8,
                       .cause = memory_copy("They are in one stream."),
                       .hints = {memory_copy("Look."), memory_copy("Think."), memory_copy("Do.")}};
    s.checks[1] = (SummaryCheck){.id = memory_copy("b"),
                                 .title = memory_copy("Faster"),
                                 .state = CHECK_BLOCKED,
                                 .possible = 10,
                                 .after = memory_copy("Two streams")};
    s.checks[2] = (SummaryCheck){.id = memory_copy("c"),
                                 .title = memory_copy("Right"),
                                 .state = CHECK_PASS,
                                 .points = 12,
                                 .possible = 12};
    return s;
}

static Summary outcome(VerdictKind kind, const char *message)
{
    Summary s = {.id = memory_copy("ex41"),
                 .label = memory_copy(""),
                 .kind = kind,
                 .own = true,
                 .points = 30,
                 .possible = 30,
                 .stopped = kind >= VERDICT_CRASH};
    text_add(&s.message, message);
    return s;
}

static void judged(Summary s, bool pictured)
{
    watch_judged(&w, &s, pictured);
    ck_assert_ptr_null(s.id); /* taken over */
}

/* The screen as text; the caller frees. */
static char *screen(void)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    drawn();
    ck_assert_int_eq(canvas_write(to, &canvas, false), 0);
    fclose(to);
    return text;
}

static void shows(const char *words)
{
    char *text = screen();
    ck_assert_msg(strstr(text, words), "'%s' is not in:\n%s", words, text);
    free(text);
}

static void lacks(const char *words)
{
    char *text = screen();
    ck_assert_msg(!strstr(text, words), "'%s' is in:\n%s", words, text);
    free(text);
}

static void pass(size_t i) { w.exercises[i].state = PROGRESS_PASSED; }

START_TEST(first_open)
{
    ck_assert_uint_eq(watch_first_open(&w), 0);
    pass(0);
    ck_assert_uint_eq(watch_first_open(&w), 1);
    w.exercises[1].broken = memory_copy("no");
    ck_assert_uint_eq(watch_first_open(&w), 2);
    pass(2);
    ck_assert_uint_eq(watch_first_open(&w), 2);
}
END_TEST

START_TEST(next_and_back)
{
    film_begin("watch-next-and-back");
    ck_assert_int_eq(press('n'), WATCH_DRAW); /* not passed: asked first */
    ck_assert_uint_eq(w.at, 0);
    ck_assert_ptr_nonnull(strstr(w.said, "not passed"));
    ck_assert_int_eq(press('h'), WATCH_DRAW); /* another key takes the question back */
    ck_assert_int_eq(press('n'), WATCH_DRAW);
    ck_assert_int_eq(press('n'), WATCH_SELECT);
    ck_assert_uint_eq(w.at, 1);
    pass(1);
    ck_assert_int_eq(press('n'), WATCH_SELECT); /* passed: at once */
    ck_assert_uint_eq(w.at, 2);
    pass(2);
    ck_assert_int_eq(press('n'), WATCH_DRAW);
    ck_assert_ptr_nonnull(strstr(w.said, "ex41")); /* the one that is left */
    ck_assert_int_eq(press('p'), WATCH_SELECT);
    ck_assert_int_eq(press('p'), WATCH_SELECT);
    ck_assert_int_eq(press('p'), WATCH_DRAW);
    ck_assert_uint_eq(w.at, 0);
}
END_TEST

START_TEST(another_exercise_forgets)
{
    film_begin("watch-another-exercise-forgets");
    judged(failed(), true);
    ck_assert(w.has_summary && w.pictured && w.hint == 1);
    pass(0);
    ck_assert_int_eq(press('n'), WATCH_SELECT);
    ck_assert(!w.has_summary && !w.pictured && !w.hint && !w.stale);
    ck_assert_ptr_null(watch_failed(&w));
}
END_TEST

START_TEST(hints)
{
    film_begin("watch-hints");
    ck_assert_int_eq(press('h'), WATCH_DRAW); /* nothing was run */
    judged(failed(), true);
    shows("Hint 1 of 3: Look.");
    ck_assert_int_eq(press('h'), WATCH_HINT);
    shows("Hint 2 of 3: Think.");
    ck_assert_int_eq(press('h'), WATCH_HINT);
    ck_assert_int_eq(w.hint, 3);
    ck_assert_int_eq(press('h'), WATCH_DRAW); /* that was the last */
    ck_assert_int_eq(w.hint, 3);
    Progress progress;
    progress_parse(&progress, "threelane-progress 1\nexercise ex41 tried 12 a\nhint ex41 a 2\n");
    judged(failed(), true);
    ck_assert_int_eq(w.hint, 1);
    watch_progress(&w, &progress); /* what was seen before stays seen */
    ck_assert_int_eq(w.hint, 2);
    progress_release(&progress);
    judged(outcome(VERDICT_PASS, ""), true);
    ck_assert_int_eq(press('h'), WATCH_DRAW);
    ck_assert_ptr_nonnull(strstr(w.said, "nothing to hint"));
}
END_TEST

START_TEST(states_and_points)
{
    film_begin("watch-states-and-points");
    Progress progress;
    progress_parse(&progress,
                   "threelane-progress 1\nexercise ex41 passed 30 -\nexercise ex42 tried 7 a\n");
    watch_progress(&w, &progress);
    shows("ex41  passed");
    shows("ex42  7/30");
    shows("ex43  new");
    shows("10 of 30 XP");
    progress_release(&progress);
}
END_TEST

START_TEST(outcomes)
{
    film_begin("watch-outcomes");
    judged(failed(), true);
    shows("Not yet: 12 of 30 points");
    shows("Two streams (0 of 8 points)");
    shows("They are in one stream.");
    shows("after   0/10  Faster");
    shows("pass   12/12  Right");
    special(SCREEN_END);
    shows("The program printed");
    shows("hello");
    judged(outcome(VERDICT_PASS, ""), true);
    ck_assert_int_eq(w.scroll, 0);
    shows("Passed: 30 of 30 points");
    shows("n is the next exercise");
    lacks("Every exercise");
    for (size_t i = 0; i < 3; i++) pass(i);
    shows("Every exercise is passed");
    judged(outcome(VERDICT_CRASH, "The program crashed: signal 11."), true);
    shows("It crashed.");
    shows("signal 11");
    judged(outcome(VERDICT_TIMEOUT, "It did not end."), true);
    shows("It does not end.");
    judged(outcome(VERDICT_GRADER, "exercise.ini: broken"), false);
    shows("\n The exercise or its tools are broken: this is not your program's fault.");
    judged(outcome(VERDICT_USAGE, "ex41.cu: the file is empty"), false);
    shows("the file is empty");
}
END_TEST

START_TEST(last_good_picture)
{
    film_begin("watch-last-good-picture");
    judged(outcome(VERDICT_COMPILE, "ex41.cu:1: error"), false);
    ck_assert(!w.stale && !w.pictured); /* there was none to keep */
    judged(failed(), true);
    ck_assert(!w.stale && w.pictured);
    judged(outcome(VERDICT_COMPILE, "ex41.cu:1: error"), false);
    ck_assert(w.stale && w.pictured);
    shows("the picture is of the run before");
    shows("ex41.cu:1: error");
    judged(failed(), true);
    ck_assert(!w.stale);
}
END_TEST

/* Words are wrapped, the compiler's source lines keep their columns, control characters are not
 * drawn. */
START_TEST(compiler_words)
{
    film_begin("watch-compiler-words");
    Summary s = outcome(VERDICT_COMPILE, "");
    text_add(&s.message, "a.cu:1: error: a message that is a good deal longer than one line of "
                         "this screen can hold, "
                         "with \033[31mcolours\n    1 | int   x\n      |       ^\n");
    judged(s, false);
    shows("colours");
    shows("1 | int   x");
    lacks("\033");
}
END_TEST

START_TEST(a_hint_stands_above_the_compilers_words)
{
    film_begin("watch-a-hint-stands-above-the-compilers-words");
    Summary s = outcome(VERDICT_COMPILE, "a.cu:1: error: from cudaStream_t to size_t\n");
    s.stop_hint = memory_copy("The stream is the fourth.");
    judged(s, false);
    shows("Hint: The stream is the fourth.\n   a.cu:1: error");
}
END_TEST

/* Of the check that failed first, and of one that passed. */
START_TEST(scores)
{
    film_begin("watch-scores");
    Summary s = failed();
    s.checks[0].score = (SummaryScore){.got = 21500, .par = 20000, .record = 19000};
    s.checks[2].score = (SummaryScore){.got = 7000, .par = 8000, .last = 9000, .best = 9000};
    judged(s, true);
    shows("They are in one stream.\n   21.5 units: par 20, record 19.");
    WatchLines details = watch_details(&w);
    bool told = false;
    for (size_t i = 0; i < details.n; i++)
        told |= !strcmp(details.items[i].text, "7 units: par 8. Last time 9: your best so far.");
    ck_assert(told);
    watch_lines_release(&details);
}
END_TEST

/* All that a verdict can say beside its checks. */
START_TEST(everything_said)
{
    film_begin("watch-everything-said");
    ck_assert(canvas_resize(&canvas, 100, 60));
    Summary s = failed();
    s.because = REASON_UNDEFINED;
    s.undefined = memory_copy("squares");
    s.stop_site = memory_copy("ex41.cu:21");
    s.stop_text = memory_copy("stopped there");
    s.reason = memory_copy("because of that");
    s.stop_hint = memory_copy("what helps");
    s.unsaved = memory_copy("the disk is full");
    s.expected = memory_copy("You expected 2 of 3.\nYou put K0 at t=1.\n");
    s.predict = memory_copy("when K0 starts");
    s.untouched = true;
    s.golden_printed = true;
    s.notes = memory_get(2, sizeof *s.notes);
    s.notes[0] = (SummaryNote){true, memory_copy("race"), memory_copy("two writes")};
    s.notes[1] = (SummaryNote){false, memory_copy("leak"), memory_copy("never freed")};
    s.n_notes = 2;
    s.checks[0].detail = memory_copy("  - wanted\n  + got\n");
    judged(s, true);
    drawn();
    special(SCREEN_END);

    s = outcome(VERDICT_PASS, "");
    s.judged = true;
    s.learned = memory_copy("Streams are queues.");
    s.question = memory_copy("What is a queue?");
    s.before = memory_copy(".threelane/before.lane");
    s.trace = memory_copy(".threelane/ex41.lane");
    s.machine = memory_copy("h200");
    s.own_machine = memory_copy("unit");
    text_add(&s.report, "=== Report ===\nTotal: 3 units\n");
    judged(s, true);
    drawn();
    for (int kind = 0; kind <= VERDICT_GRADER; kind++) {
        s = outcome((VerdictKind)kind, "the message");
        s.label = (free(s.label), memory_copy("with BATCHES=7"));
        s.stopped = kind > VERDICT_FAIL;
        judged(s, kind % 2);
        drawn();
    }
    press('?');
    special(SCREEN_DOWN);
    special(SCREEN_PAGE_DOWN);
    press('?');
    ck_assert(canvas_resize(&canvas, 170, 40));
    judged(failed(), true);
    drawn();
}
END_TEST

START_TEST(models)
{
    film_begin("watch-models");
    ck_assert_ptr_null(watch_model(&w));
    ck_assert_int_eq(press('d'), WATCH_DRAW);
    ck_assert_int_eq(w.pane, WATCH_MODELS);
    shows("h200");
    special(SCREEN_DOWN);
    ck_assert_int_eq(special(SCREEN_ENTER), WATCH_RUN);
    ck_assert_str_eq(watch_model(&w), "unit");
    press('d');
    ck_assert_int_eq(press('4'), WATCH_RUN);
    ck_assert_str_eq(watch_model(&w), "h200");
    ck_assert_int_eq(w.pane, WATCH_COURSE);
    press('d');
    ck_assert_int_eq(press('q'), WATCH_DRAW); /* q leaves the menu, not the program */
    ck_assert_int_eq(w.pane, WATCH_COURSE);
    ck_assert_str_eq(watch_model(&w), "h200");
    Summary s = outcome(VERDICT_PASS, "");
    s.own = false;
    judged(s, true);
    shows("does not count");
    shows("on h200");
}
END_TEST

/* The devices offered are those that are built in. */
START_TEST(models_are_there)
{
    for (size_t i = 1; i < watch_n_models; i++) {
        char *path = memory_format("sim/devices/%s.ini", watch_models[i].name);
        FILE *file = fopen(path, "r");
        ck_assert_msg(file != NULL, "%s", path);
        fclose(file);
        free(path);
    }
}
END_TEST

START_TEST(list)
{
    film_begin("watch-list");
    ck_assert_int_eq(press('l'), WATCH_DRAW);
    shows("Pinned memory");
    special(SCREEN_DOWN);
    special(SCREEN_DOWN);
    special(SCREEN_DOWN);
    ck_assert_uint_eq(w.cursor, 2);
    ck_assert_int_eq(special(SCREEN_ENTER), WATCH_SELECT);
    ck_assert_uint_eq(w.at, 2);
    press('l');
    ck_assert_int_eq(special(SCREEN_ESCAPE), WATCH_DRAW);
    ck_assert_uint_eq(w.at, 2);
    press('l');
    ck_assert_int_eq(w.pane, WATCH_LIST);
    ck_assert_int_eq(press('l'), WATCH_DRAW); /* the key that opened it closes it */
    ck_assert_int_eq(w.pane, WATCH_COURSE);
    press('l');
    drawn();
    ck_assert_int_eq(watch_key(&w,
                               (ScreenKey){.kind = SCREEN_PRESS, .x = 10, .y = w.places.text.y}),
                     WATCH_SELECT);
    ck_assert_uint_eq(w.at, 0);
}
END_TEST

START_TEST(mouse)
{
    film_begin("watch-mouse");
    drawn();
    CanvasBox box = w.places.exercises;
    ScreenKey click = {.kind = SCREEN_PRESS, .x = box.x + 3, .y = box.y + 1};
    ck_assert_int_eq(watch_key(&w, click), WATCH_SELECT);
    ck_assert_uint_eq(w.at, 1);
    click.y = box.y + 5; /* below the last one */
    watch_key(&w, click);
    ck_assert_uint_eq(w.at, 1);
    judged(failed(), true);
    drawn();
    click.x = w.places.timeline.x + 1;
    ck_assert_int_eq(watch_key(&w, click), WATCH_FOCUS);
    ck_assert_int_eq(w.pane, WATCH_TIMELINE);
}
END_TEST

START_TEST(reset_asks)
{
    film_begin("watch-reset-asks");
    ck_assert_int_eq(press('x'), WATCH_ASK_RESET);
    for (int i = 0; i < 2; i++) {
        w.pane = WATCH_QUESTION;
        watch_say(&w, CANVAS_SELECTED, "Replace?");
        shows("Replace?");
        ck_assert_int_eq(i ? special(SCREEN_ENTER) : press('n'), WATCH_DRAW);
        ck_assert_int_eq(w.pane, WATCH_COURSE);
        ck_assert_uint_eq(w.at, 0); /* the n was an answer */
        shows("Nothing was changed.");
    }
    w.pane = WATCH_QUESTION;
    ck_assert_int_eq(press('y'), WATCH_RESET);
}
END_TEST

START_TEST(timeline_focus)
{
    film_begin("watch-timeline-focus");
    ck_assert_int_eq(press('t'), WATCH_DRAW); /* there is none yet */
    ck_assert_int_eq(w.pane, WATCH_COURSE);
    judged(failed(), true);
    ck_assert_int_eq(press('t'), WATCH_FOCUS);
    ck_assert_int_eq(w.pane, WATCH_WIDE);
    shows("Not yet: 12 of 30 points");
    ck_assert_int_eq(press('n'), WATCH_NOTHING); /* the course's keys rest */
    ck_assert_int_eq(special(SCREEN_ESCAPE), WATCH_FOCUS);
    ck_assert_int_eq(special(SCREEN_TAB), WATCH_FOCUS);
    ck_assert_int_eq(w.pane, WATCH_TIMELINE);
    ck_assert_int_eq(press('q'), WATCH_FOCUS);
    ck_assert_int_eq(press('q'), WATCH_QUIT);
}
END_TEST

START_TEST(lesson)
{
    film_begin("watch-lesson");
    Text text = {0};
    for (int i = 0; i < 100; i++) text_printf(&text, "\033[1mline\033[0m %d\n", i);
    watch_show_lesson(&w, text_take(&text));
    ck_assert_int_eq(w.pane, WATCH_LESSON);
    shows("line 0");
    lacks("\033");
    ck_assert_int_eq(special(SCREEN_PAGE_DOWN), WATCH_DRAW);
    lacks("line 0");
    special(SCREEN_END);
    shows("line 99");
    special(SCREEN_PAGE_DOWN);
    shows("line 99");
    press('<');
    shows("line 0");
    ck_assert_int_eq(canvas_at(&canvas, 1, 2).style, CANVAS_BOLD);
    ck_assert_int_eq(canvas_at(&canvas, 6, 2).style, CANVAS_PLAIN);
    press('q');
    ck_assert_int_eq(w.pane, WATCH_COURSE);
    ck_assert_int_eq(watch_sgr(CANVAS_PLAIN, "1;36"), CANVAS_TITLE);
    ck_assert_int_eq(watch_sgr(CANVAS_BOLD, ""), CANVAS_PLAIN);
}
END_TEST

/* A verdict that was scrolled to its end, in a window that then grows, fills it. */
START_TEST(a_larger_window_shows_more_of_the_verdict)
{
    film_begin("watch-a-larger-window-shows-more-of-the-verdict");
    Summary s = failed();
    for (int i = 0; i < 14; i++) text_printf(&s.output, "row %d\n", i);
    judged(s, false);
    drawn();
    special(SCREEN_END);
    lacks("Not yet: 12 of 30");
    ck_assert(canvas_resize(&canvas, 80, 70));
    shows("Not yet: 12 of 30");
}
END_TEST

START_TEST(said_is_old_after_a_save)
{
    film_begin("watch-said-is-old-after-a-save");
    watch_say(&w, CANVAS_PLAIN, "old news");
    shows("old news");
    watch_saved(&w);
    lacks("old news");
    watch_say(&w, CANVAS_PLAIN, "where the backup is");
    w.said_stays = true;
    watch_saved(&w);
    shows("where the backup is");
    press('!');
    lacks("where the backup is");
}
END_TEST

/* Any size, any state: nothing is drawn outside, and what is too small says so. */
START_TEST(any_size)
{
    static const int sizes[][2] = {{1, 1},    {10, 3},   {79, 24},     {80, 23},
                                   {80, 24},  {81, 25},  {100, 40},    {129, 30},
                                   {130, 30}, {200, 60}, {1000, 1000}, {300, 24}};
    for (int ascii = 0; ascii < 2; ascii++) {
        canvas.utf8 = !ascii;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            ck_assert(canvas_resize(&canvas, sizes[i][0], sizes[i][1]));
            for (int pane = WATCH_COURSE; pane <= WATCH_QUESTION; pane++) {
                w.pane = (WatchPane)pane;
                drawn();
                ck_assert_int_eq(w.places.too_small, sizes[i][0] < 80 || sizes[i][1] < 24);
            }
            w.pane = WATCH_COURSE;
            judged(failed(), true);
            shows(sizes[i][0] < 40                       ? ""
                  : sizes[i][0] < 80 || sizes[i][1] < 24 ? "Make the window"
                                                         : "They are in one");
        }
    }
    char *text = screen();
    for (const char *c = text; *c; c++)
        ck_assert_msg((unsigned char)*c < 0x80, "ASCII only:\n%s", text);
    free(text);
}
END_TEST

/* More exercises than rows: the current one is always in sight. */
START_TEST(many_exercises)
{
    watch_state_release(&w);
    WatchExercise *exercises = memory_get(60, sizeof *exercises);
    for (int i = 0; i < 60; i++)
        exercises[i] = (WatchExercise){.id = memory_format("ex%d", i + 1),
                                       .title = memory_copy("T"),
                                       .number = i + 1,
                                       .file = memory_copy("f"),
                                       .model = memory_copy("unit")};
    watch_state_init(&w, exercises, 60);
    for (size_t i = 0; i < 60; i++) {
        char id[16];
        watch_select(&w, i);
        snprintf(id, sizeof id, "%zu", i + 1);
        drawn();
        int row = w.places.exercises.y + (int)(i - w.places.first_exercise);
        ck_assert_msg(i >= w.places.first_exercise &&
                          row < w.places.exercises.y + w.places.exercises.rows,
                      "%zu", i);
        ck_assert_str_eq(canvas_at(&canvas, w.places.exercises.x, row).text, "\xe2\x96\xb8");
    }
}
END_TEST

CASES("watch", .before = setup, .after = teardown)
