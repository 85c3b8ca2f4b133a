/* The viewer without a terminal: whatever is typed over whatever trace at whatever size, the state
 * stays sound, the picture safe and whole, and what runs is seen. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/canvas_cells.h"
#include "tests/unit/trace_random.h"
#include "tests/unit/trace_text.h"
#include "timeline/trace/analysis.h"
#include "timeline/viewer/view_internal.h"
#include "tests/unit/cases.h"

static const char *const files[] = {"traces/pipeline4.lane", "traces/hazard.lane",
                                    "traces/graph.lane",     "traces/hostile.lane",
                                    "traces/race.lane",      "traces/nested.lane",
                                    "h200/multi.lane",       "h200/killed.lane",
                                    "h200/peers.lane"};
enum { FILES = sizeof files / sizeof *files };

static Trace *open_file(const char *name)
{
    char path[200], error[300];
    snprintf(path, sizeof path, "tests/fixtures/%s", name);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    return t;
}

static ScreenKey typed(char c)
{
    return (ScreenKey){.kind = c == '\n'   ? SCREEN_ENTER
                               : c == '\t' ? SCREEN_TAB
                               : c == 27   ? SCREEN_ESCAPE
                                           : SCREEN_CHARACTER,
                       .code = (uint32_t)(unsigned char)c};
}

static void type(View *v, const char *keys)
{
    for (; *keys; keys++) view_key(v, typed(*keys));
}

/* Any key at all; words that are typed end now and then. */
static ScreenKey any_key(const Canvas *c)
{
    static const char *const words[] = {"/k\n", "/H2D1\n", ":goto 3\n", "&ker\n",
                                        "&\n",  "?\n",     "W1",        "Wj\n"};
    static const char *word = "";
    if (*word) return typed(*word++);
    switch (chance(12)) {
    case 0:
        return (ScreenKey){.kind =
                               (ScreenKeyKind)(SCREEN_UP + chance(SCREEN_ESCAPE - SCREEN_UP + 1))};
    case 1:
        return (ScreenKey){.kind = (ScreenKeyKind)(SCREEN_PRESS + chance(5)),
                           .shift = chance(4) == 0,
                           .x = (int)chance((uint32_t)c->columns + 4) - 2,
                           .y = (int)chance((uint32_t)c->rows + 4) - 2};
    case 2:
        return (ScreenKey){.kind = SCREEN_CHARACTER,
                           .code = chance(4) ? chance(0x300) : chance(0x110000)};
    case 3: word = words[chance(sizeof words / sizeof *words)]; return typed(*word++);
    default: return (ScreenKey){.kind = SCREEN_CHARACTER, .code = 32 + chance(95)};
    }
}

static void check_state(const View *v)
{
    REQUIRE(v->from_ns < v->to_ns);
    REQUIRE(v->n_rows == 0 || v->row < v->n_rows);
    REQUIRE(v->n_zooms <= ZOOMS && v->n_jumps <= JUMPS);
    REQUIRE(strlen(v->input) == v->input_length);
    if (v->selected.id && v->selected.what == SPANS_OP)
        REQUIRE(v->selected.id <= v->sides[v->selected.side].trace->n_ops);
    if (v->selected.side) REQUIRE(v->comparing);
    for (uint32_t i = 0; i < v->n_rows; i++) {
        const Row *row = &v->rows[i];
        if (!row->heading && row->tracks < 2)
            REQUIRE(row->lane + row->lanes <= view_track(v, row)->n_lanes);
    }
}

/* Where a row has spans the picture has something. */
static void check_seen(const View *v, const Canvas *c)
{
    SpansCell *cells = malloc((size_t)v->picture_columns * sizeof *cells);
    for (int i = 0; i < v->n_shown; i++) {
        if (v->shown[i] >= v->n_rows || (i > 0 && v->shown[i] == v->shown[i - 1])) continue;
        const Row *row = &v->rows[v->shown[i]];
        if (row->heading) continue;
        for (uint32_t k = 0; k < view_row_lanes(v, row); k++) {
            view_cells(v, row, k, cells);
            for (int x = 0; x < v->picture_columns; x++) {
                if (!cells[x].count) continue;
                CanvasCell cell = canvas_at(c, v->picture_x + x, v->rows_y + i);
                /* (a label has blanks of its own) */
                REQUIRE(strcmp(cell.text, " ") != 0 || cell.on != CANVAS_PLAIN || v->play.on);
            }
        }
    }
    free(cells);
}

static void draw_and_check(View *v, Canvas *c, CanvasBox box)
{
    for (int i = 0; i < c->rows * c->columns; i++) c->cells[i] = (CanvasCell){.text = "#"};
    view_draw(v, c, box);
    check_cells(c);
    check_state(v);
    for (int y = 0; y < c->rows; y++) {
        for (int x = 0; x < c->columns; x++) {
            bool inside =
                x >= box.x && y >= box.y && x < box.x + box.columns && y < box.y + box.rows;
            if (!inside) REQUIRE(!strcmp(canvas_at(c, x, y).text, "#"));
        }
    }
    bool room = box.columns >= VIEW_COLUMNS && box.rows >= VIEW_ROWS;
    if (room && !v->show_help && !v->menu.on && !v->search.active) check_seen(v, c);
}

static CanvasBox any_box(Canvas *c)
{
    CanvasBox box;
    REQUIRE(canvas_resize(c, 1 + (int)chance(150), 1 + (int)chance(50)));
    box.x = (int)chance((uint32_t)c->columns / 4 + 1);
    box.y = (int)chance((uint32_t)c->rows / 4 + 1);
    box.columns = c->columns - box.x - (int)chance((uint32_t)c->columns / 8 + 1);
    box.rows = c->rows - box.y - (int)chance((uint32_t)c->rows / 8 + 1);
    return box;
}

START_TEST(any_keys)
{
    enum { ROUNDS = 36, KEYS = 150 };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seed = round + 1;
        char error[300], *text = random_text(round % 5 * 60, round % 2 ? 300 : 0, 200, true);
        Trace *t = round % 2 ? open_file(files[round / 2 % FILES])
                             : trace_parse(text, strlen(text), error, sizeof error);
        Trace *other = round % 3 ? NULL : open_file(files[chance(FILES)]);
        Canvas c;
        REQUIRE(canvas_init(&c, 80, 24, round % 4 != 1));
        View *v = view_new(t, "any keys \x1b[2J");
        REQUIRE(v);
        if (round % 5 == 0) view_show_range(v, t->n_ranges);
        if (other) REQUIRE(view_compare(v, other, "other"));
        CanvasBox box = {0, 0, 80, 24};
        for (int key = 0; key < KEYS; key++) {
            view_key(v, any_key(&c));
            if (chance(3) == 0) view_tick(v, (uint64_t)key * 40);
            if (chance(20) == 0) box = any_box(&c);
            if (chance(60) == 0) REQUIRE(view_set_trace(v, t, "again"));
            draw_and_check(v, &c, box);
        }
        view_free(v);
        canvas_release(&c);
        trace_free(t);
        trace_free(other);
        free(text);
    }
}
END_TEST

/* What if: the menu's questions are commands for whoever has the view. */
START_TEST(questions_of_a_menu)
{
    Trace *t = open_file("traces/pipeline4.lane");
    Canvas c;
    View *v = view_new(t, "menu");
    REQUIRE(v && canvas_init(&c, 100, 30, true));
    view_show_range(v, analysis_range(t, "pipelined"));
    const Idea more = {"device h200", "on the device h200"};
    view_set_ideas(v, &more, 1);
    view_draw(v, &c, (CanvasBox){0, 0, 100, 30});
    type(v, "/K1\n");
    view_tick(v, 40);
    REQUIRE(view_selected(v) == 17);
    ck_assert_int_eq(view_key(v, typed('W')), VIEW_DRAW);
    view_draw(v, &c, (CanvasBox){0, 0, 100, 30});
    ck_assert_int_eq(view_key(v, typed('1')), VIEW_COMMAND);
    ck_assert_str_eq(view_command(v), "whatif stream op:17=new");
    /* those of the caller stand behind them; then one's own words */
    view_key(v, typed('W'));
    view_key(v, (ScreenKey){.kind = SCREEN_UP});
    view_key(v, (ScreenKey){.kind = SCREEN_UP});
    ck_assert_int_eq(view_key(v, typed('\n')), VIEW_COMMAND);
    ck_assert_str_eq(view_command(v), "whatif device h200");
    view_key(v, typed('W'));
    view_key(v, (ScreenKey){.kind = SCREEN_UP});
    ck_assert_int_eq(view_key(v, typed('\n')), VIEW_DRAW);
    type(v, "half K1");
    ck_assert_int_eq(view_key(v, typed('\n')), VIEW_COMMAND);
    ck_assert_str_eq(view_command(v), "whatif half K1");
    /* Escape asks nothing */
    view_key(v, typed('W'));
    ck_assert_int_eq(view_key(v, typed(27)), VIEW_DRAW);
    ck_assert(!v->menu.on);
    /* over an answer, a question is about what ran, below it */
    Trace *again = open_file("traces/pipeline4.lane");
    REQUIRE(view_compare(v, again, "what ran"));
    view_set_answered(v, true);
    view_stand_on(v, 14);
    view_key(v, typed('W'));
    ck_assert_int_eq(view_key(v, typed('1')), VIEW_COMMAND);
    ck_assert_str_eq(view_command(v), "whatif stream op:14=new");
    view_free(v);
    canvas_release(&c);
    trace_free(t);
    trace_free(again);
}
END_TEST

START_TEST(keys_while_it_grows)
{
    for (uint32_t round = 0; round < 60; round++) {
        seed = round + 70;
        char error[300], *text = random_text(200, round % 2 ? 300 : 0, 80, true),
                         path[] = "/tmp/threelane-test-XXXXXX";
        size_t length = strlen(text), at = 230;
        int fd = mkstemp(path);
        REQUIRE(write(fd, text, at) == (ssize_t)at);
        Trace *t = trace_read(path, error, sizeof error);
        ck_assert_msg(t != NULL, "%s", error);
        View *v = view_new(t, "growing");
        Canvas c;
        REQUIRE(v && canvas_init(&c, 80, 24, true));
        while (at < length) {
            size_t n = 1 + chance(300);
            if (n > length - at) n = length - at;
            REQUIRE(write(fd, text + at, n) == (ssize_t)n);
            at += n;
            trace_read_more(t);
            view_update(v);
            for (uint32_t k = chance(4); k > 0; k--) view_key(v, any_key(&c));
            view_tick(v, at);
            check_state(v);
            if (round < 6) draw_and_check(v, &c, (CanvasBox){0, 0, 80, 24});
        }
        canvas_release(&c);
        view_free(v);
        trace_free(t);
        close(fd);
        unlink(path);
        free(text);
    }
}
END_TEST

/* What one span covers is drawn to an eighth of a cell; of several in a cell, how busy they are. */
START_TEST(eighths_and_density)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "h2d", "2", "-") RUN("1", "0", "1", "1000")
                            OP("2", "kernel", "2", "k") RUN("2", "1000", "2", "1001")
                                OP("3", "kernel", "3", "k") RUN("3", "1002", "2", "1003")
                                    OP("4", "kernel", "3", "k") RUN("4", "1004", "2", "1005")
                                        OP("5", "d2h", "2", "-") RUN("5", "1000", "3", "8000"));
    View *v = view_new(t, "t");
    Canvas c;
    REQUIRE(v && canvas_init(&c, 92, 24, true)); /* 80 columns of picture, 100 ns each */
    view_draw(v, &c, (CanvasBox){0, 0, 92, 24});
    ck_assert_int_eq(v->picture_columns, 80);
    ck_assert_str_eq(canvas_at(&c, v->picture_x + 10, v->rows_y + 1).text, "░");
    view_set_window(v, 0, 6400); /* 80 ns each: 1000 is half of the thirteenth */
    view_draw(v, &c, (CanvasBox){0, 0, 92, 24});
    ck_assert_str_eq(canvas_at(&c, v->picture_x + 12, v->rows_y).text, "▌");
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* Another run of the same program: numbers and the ruler still count from the range. */
/* What is under the cursor is selected, also after the whole run was asked for. */
START_TEST(the_whole_run_and_what_is_under_the_cursor)
{
    Trace *t = open_file(files[0]);
    View *v = view_new(t, "x");
    Canvas c;
    REQUIRE(v && canvas_init(&c, 100, 30, true));
    view_draw(v, &c, (CanvasBox){0, 0, 100, 30});
    type(v, "/H2D2\n");
    Selected there = v->selected;
    ck_assert_uint_gt(there.id, 0);
    for (const char *key = "0+-"; *key; key++) {
        v->selected = (Selected){0};
        view_key(v, typed(*key));
        ck_assert_msg(v->selected.id == there.id && v->selected.what == there.what,
                      "after '%c' %u is selected", *key, v->selected.id);
    }
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* Two runs of one range: the picture begins where the range does, and ends with the longer run. */
START_TEST(a_comparison_shows_all_of_the_range)
{
    Trace *t = open_file("traces/pipeline4.lane"), *other = open_file("traces/pipeline4.lane");
    View *v = view_new(t, "t");
    uint64_t from, to;
    ck_assert(analysis_window(t, 2, &from, &to));
    view_show_range(v, 2);
    type(v, "++ll");
    ck_assert(v->to_ns - v->from_ns < to - from);
    ck_assert(view_compare(v, other, "other"));
    ck_assert_uint_eq(v->from_ns, from);
    ck_assert_uint_eq(v->to_ns, to);
    view_free(v);
    trace_free(t);
    trace_free(other);
}
END_TEST

START_TEST(the_range_stays)
{
    Trace *t = open_file("traces/pipeline4.lane"), *again = open_file("traces/pipeline4.lane"),
          *none = open_file("traces/race.lane");
    ck_assert_uint_eq(t->n_ranges, 2);
    View *v = view_new(t, "t");
    view_show_range(v, 2);
    uint64_t from = v->from_ns, to = v->to_ns, origin = v->sides[0].origin_ns;
    ck_assert_uint_gt(origin, 0);
    type(v, "ll");
    uint64_t cursor = v->cursor_ns;
    ck_assert(view_set_trace(v, again, "again"));
    ck_assert_uint_eq(view_range(v), 2);
    ck_assert(v->from_ns == from && v->to_ns == to && v->sides[0].origin_ns == origin &&
              v->cursor_ns == cursor);
    ck_assert(view_set_trace(v, none, "another program"));
    ck_assert_uint_eq(view_range(v), 0);
    ck_assert_uint_eq(v->sides[0].origin_ns, v->sides[0].spans->from_ns);
    view_free(v);
    trace_free(t);
    trace_free(again);
    trace_free(none);
}
END_TEST

/* What is compared with itself does not differ; what waited for something else does. */
START_TEST(differences)
{
    Trace *t = open_file("traces/pipeline4.lane"), *same = open_file("traces/pipeline4.lane");
    View *v = view_new(t, "t");
    ck_assert(view_compare(v, same, "same"));
    for (uint32_t id = 1; id <= t->n_ops; id++)
        REQUIRE(!view_op_differs(v, 0, id) && !view_op_differs(v, 1, id));
    Trace *a =
        trace_of(TRACE_HEAD OP("1", "h2d", "2", "-") RUN("1", "0", "1", "10")
                     OP("2", "kernel", "2", "k") "why 2 stream 1 10\n" RUN("2", "10", "2", "20"));
    Trace *b = trace_of(TRACE_HEAD OP("1", "h2d", "2", "-") RUN("1", "0", "1", "10")
                            OP("2", "kernel", "3", "k") RUN("2", "0", "2", "10"));
    View *w = view_new(a, "a");
    ck_assert(view_compare(w, b, "b"));
    ck_assert(!view_op_differs(w, 0, 1));
    ck_assert(view_op_differs(w, 0, 2));
    ck_assert(view_op_differs(w, 1, 2));
    ck_assert(view_compare(w, NULL, NULL));
    ck_assert(!view_op_differs(w, 0, 2));
    view_free(v);
    view_free(w);
    trace_free(t);
    trace_free(same);
    trace_free(a);
    trace_free(b);
}
END_TEST

/* However far in or out: what is under the cursor stays there. */
START_TEST(zooming_about_the_cursor)
{
    Trace *t = open_file("traces/pipeline4.lane");
    View *v = view_new(t, "t");
    Canvas c;
    REQUIRE(v && canvas_init(&c, 92, 24, true));
    draw_and_check(v, &c, (CanvasBox){0, 0, 92, 24});
    static const char *const ways[] =
        {"g---ooooo+++-----", "G----",
         "lllllllllll++++++++++++++++++++++++++++++++++++++++++++++---"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (const char *key = ways[i]; *key; key++) {
            view_key(v, typed(*key));
            REQUIRE(v->cursor_ns >= v->from_ns && v->cursor_ns < v->to_ns);
        }
        type(v, "0");
    }
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* A search that has come to its end without a key is drawn: it says that there is nothing. */
START_TEST(a_search_ends_on_the_screen)
{
    Trace *t = open_file(files[0]);
    View *v = view_new(t, "x");
    ck_assert_ptr_nonnull(v);
    type(v, "/nowhere\n");
    uint64_t now = 0;
    while (view_tick(v, now)) now += 20;
    ck_assert(!view_tick(v, now));
    v->search.active = true; /* as after a tick's worth of a longer trace, with nothing left */
    v->search.left = 0;
    ck_assert(view_tick(v, now));
    ck_assert(!v->search.active);
    ck_assert(!view_tick(v, now));
    view_free(v);
    trace_free(t);
}
END_TEST

/* Calls are searched like everything else: each that matches once, forwards and backwards. */
START_TEST(a_search_goes_from_call_to_call)
{
    Trace *t = open_file("h200/multi.lane");
    View *v = view_new(t, "x");
    uint32_t calls[100], n = 0;
    for (uint32_t id = 1; id <= t->n_calls && n < 100; id++)
        if (!strcmp(t->calls[id].name, "cudaMemcpyAsync") &&
            t->calls[id].end_ns > t->calls[id].start_ns)
            calls[n++] = id;
    ck_assert_uint_gt(n, 3);
    type(v, "/cudaMemcpyAsync\n");
    for (uint32_t i = 0; i <= n; i++) {
        ck_assert_int_eq(v->selected.what, SPANS_CALL);
        ck_assert_uint_eq(v->selected.id, calls[i % n]);
        type(v, "n");
    }
    for (uint32_t i = n + 1; i-- > 0;) {
        type(v, "N");
        ck_assert_uint_eq(v->selected.id, calls[i % n]);
    }
    view_free(v);
    trace_free(t);
}
END_TEST

/* The text of the whole picture. */
static const char *drawn(View *v, Canvas *c)
{
    static char text[1 << 16];
    size_t n = 0;
    ck_assert(canvas_resize(c, 110, 34));
    view_draw(v, c, (CanvasBox){0, 0, 110, 34});
    for (int y = 0; y < c->rows; y++)
        for (int x = 0; x < c->columns; x++) {
            const char *cell = canvas_at(c, x, y).text;
            if (n + strlen(cell) + 2 > sizeof text) break;
            n += (size_t)sprintf(text + n, "%s%s", cell, x + 1 < c->columns ? "" : "\n");
        }
    return text;
}

/* The launch of a graph can be searched for and chosen; what is said of it is how many nodes it
 * has, and of a node whose it is. */
START_TEST(launches_of_graphs)
{
    Trace *t = open_file("traces/graph.lane");
    View *v = view_new(t, "x");
    Canvas c = {0};
    ck_assert_ptr_nonnull(v);
    drawn(v, &c);
    type(v, "/graph launch\n");
    ck_assert_uint_eq(v->selected.id, 9); /* the first node of the other is what it opens on */
    type(v, "n");
    ck_assert_uint_eq(v->selected.id, 1);
    const char *text = drawn(v, &c);
    ck_assert_ptr_nonnull(strstr(text, "Graphs"));
    ck_assert_ptr_nonnull(strstr(text, "G0 launch of a graph"));
    ck_assert_ptr_nonnull(strstr(text, "in stream 1 of 6 nodes; cudaGraphLaunch at g.cu:31"));
    type(v, "/K2#1\n");
    ck_assert_uint_eq(v->selected.id, 11);
    text = drawn(v, &c);
    ck_assert_ptr_nonnull(strstr(text, "a node of G1; cudaGraphLaunch at g.cu:31"));
    ck_assert_ptr_nonnull(strstr(text, "K2#1 waited 5.0 units for K1#1: the graph orders it"));
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* What is left of the rows when some are filtered out begins at the top. */
START_TEST(a_filter_begins_at_the_top)
{
    Trace *t = open_file(files[0]);
    View *v = view_new(t, "x");
    Canvas c = {0};
    ck_assert_ptr_nonnull(v);
    drawn(v, &c);
    uint32_t all = v->n_rows;
    type(v, "&H2D\n");
    ck_assert(v->n_rows > 0 && v->n_rows < all);
    ck_assert_uint_eq(v->top, 0);
    type(v, "&nowhere\n");
    ck_assert_uint_eq(v->n_rows, all);
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* Two runs beside each other are first seen whole, wherever one was zoomed to before. */
START_TEST(comparing_begins_with_everything)
{
    Trace *t = open_file(files[0]), *other = open_file(files[0]);
    View *v = view_new(t, "x");
    uint64_t from = v->from_ns, to = v->to_ns;
    type(v, "+++");
    ck_assert(v->to_ns - v->from_ns < to - from);
    ck_assert(view_compare(v, other, "y"));
    ck_assert_uint_eq(v->from_ns, from);
    ck_assert_uint_eq(v->to_ns, to);
    view_free(v);
    trace_free(other);
    trace_free(t);
}
END_TEST

static const char *kernels(int n, int length, int pause)
{
    static char text[1 << 16];
    size_t at = (size_t)sprintf(text, "%s", TRACE_HEAD);
    for (int i = 1; i <= n; i++) {
        char id[12], from[20], to[20];
        sprintf(id, "%d", i);
        sprintf(from, "%d", (i - 1) * (length + pause));
        sprintf(to, "%d", (i - 1) * (length + pause) + length);
        at += (size_t)sprintf(text + at, "op %s 0 kernel 1 2 %s 0 - - 1,1,1 32,1,1 0 0 k\n", id,
                              from);
        at += (size_t)sprintf(text + at, "start %s %s 2\nend %s %s\n", id, from, id, to);
    }
    return text;
}

/* Work without a pause between is drawn without one, at any zoom and wherever it begins; a pause is
 * seen. */
START_TEST(no_gap_where_none_is)
{
    for (int pause = 0; pause <= 100; pause += 100) {
        Trace *t = trace_of(kernels(7, 430, pause));
        View *v = view_new(t, "t");
        Canvas c;
        bool gap = false;
        REQUIRE(v && canvas_init(&c, 92, 24, true));
        for (uint64_t from = 0; from < 700; from += 37) {
            view_set_window(v, (double)from, (double)from + 1900);
            view_draw(v, &c, (CanvasBox){0, 0, 92, 24});
            for (int x = 0; x < v->picture_columns; x++) {
                CanvasCell cell = canvas_at(&c, v->picture_x + x, v->rows_y);
                gap |= !cell.on && strcmp(cell.text, "█") != 0 && strcmp(cell.text, "▼") != 0;
            }
        }
        ck_assert_int_eq(gap, pause > 0);
        canvas_release(&c);
        view_free(v);
        trace_free(t);
    }
}
END_TEST

/* The critical path and differences leave a span the colour of its kind. */
START_TEST(kinds_keep_their_colours)
{
    Trace *t = open_file(files[0]), *other = open_file("h200/ex43.lane");
    View *v = view_new(t, "t");
    Canvas before, after;
    REQUIRE(v && canvas_init(&before, 100, 30, true) && canvas_init(&after, 100, 30, true));
    view_draw(v, &before, (CanvasBox){0, 0, 100, 30});
    type(v, "C");
    view_draw(v, &after, (CanvasBox){0, 0, 100, 30});
    int changed = 0;
    for (int y = v->rows_y; y < v->rows_y + v->n_shown; y++) {
        for (int x = v->picture_x; x < 100; x++) {
            CanvasCell a = canvas_at(&before, x, y), b = canvas_at(&after, x, y);
            int kind_a = a.on ? a.on : a.style, kind_b = b.on ? b.on : b.style;
            if (kind_a >= CANVAS_H2D && kind_a <= CANVAS_GRAPH) ck_assert_int_eq(kind_a, kind_b);
            changed += strcmp(a.text, b.text) != 0;
        }
    }
    ck_assert_int_gt(changed, 20); /* and it is marked */
    canvas_release(&before);
    canvas_release(&after);
    view_free(v);
    trace_free(other);
    trace_free(t);
}
END_TEST

/* The width of the picture takes ten seconds, however often it is drawn and however few nanoseconds
 * that are; half of that when it is played faster. After a pause of the program nothing leaps. */
START_TEST(playing_takes_ten_seconds)
{
    static const uint64_t frames_ms[] = {7, 33, 250};
    for (size_t i = 0; i < 6; i++) {
        uint64_t every = frames_ms[i % 3], now = 1000;
        Trace *t = trace_of(kernels(1, i < 3 ? 400 : 4000000, 0));
        View *v = view_new(t, "t");
        Canvas c;
        REQUIRE(v && canvas_init(&c, 92, 24, true));
        view_draw(v, &c, (CanvasBox){0, 0, 92, 24});
        view_tick(v, now);
        double width = (double)(v->to_ns - v->from_ns), from = (double)v->from_ns;
        type(v, " ");
        for (uint64_t passed = 0; passed < 5000 - every; passed += every)
            view_tick(v, now += every);
        double share = ((double)v->play.head_ns - from) / width;
        ck_assert_msg(share > 0.44 && share < 0.51, "%g after almost 5 s", share);
        ck_assert_uint_eq(v->play.call, 0);
        view_tick(v, now += 60000);
        ck_assert_double_lt(((double)v->play.head_ns - from) / width - share, 0.006);
        type(v, "<>>");
        for (uint64_t passed = 0; passed < 2000; passed += every) view_tick(v, now += every);
        ck_assert_double_gt(((double)v->play.head_ns - from) / width, 0.84);
        ck_assert(v->play.running);
        for (uint64_t passed = 0; passed < 2000; passed += every) view_tick(v, now += every);
        ck_assert(!v->play.running); /* at the end */
        canvas_release(&c);
        view_free(v);
        trace_free(t);
    }
}
END_TEST

/* While it plays, what is over is full and what is to come hollow, also within one operation. */
START_TEST(spans_fill_at_the_play_head)
{
    Trace *t = trace_of(kernels(1, 1000, 0));
    View *v = view_new(t, "t");
    Canvas c;
    REQUIRE(v && canvas_init(&c, 92, 24, true));
    type(v, ".");
    v->play.head_ns = 500;
    v->selected = (Selected){0};
    view_draw(v, &c, (CanvasBox){0, 0, 92, 24});
    ck_assert_str_eq(canvas_at(&c, v->picture_x + 30, v->rows_y).text, "█");
    ck_assert_str_eq(canvas_at(&c, v->picture_x + 50, v->rows_y).text, "░");
    ck_assert_int_eq(canvas_at(&c, v->picture_x + 50, v->rows_y).style, CANVAS_KERNEL);
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* Two moments with an hour between: folded, both have room, and each column's time is right. */
START_TEST(idle_time_folds)
{
    Trace *t = trace_of(TRACE_HEAD
                        "op 1 0 kernel 1 2 0 0 - - 1,1,1 32,1,1 0 0 k\nstart 1 0 2\nend 1 1000\n"
                        "op 2 0 kernel 1 2 0 0 - - 1,1,1 32,1,1 0 0 k\nstart 2 3600000000000 2\n"
                        "end 2 3600000001000\n");
    View *v = view_new(t, "t");
    Canvas c;
    REQUIRE(v && canvas_init(&c, 92, 24, true));
    draw_and_check(v, &c, (CanvasBox){0, 0, 92, 24});
    ck_assert_int_eq(v->n_pieces, 1);
    type(v, "x");
    draw_and_check(v, &c, (CanvasBox){0, 0, 92, 24});
    ck_assert_int_eq(v->n_pieces, 3);
    ck_assert_int_gt(v->pieces[0].columns, 30);
    ck_assert_int_gt(v->pieces[2].columns, 30);
    ck_assert(v->pieces[1].idle);
    for (int x = 0; x < v->picture_columns; x++)
        ck_assert_int_eq(view_column(v, (uint64_t)(view_ns_at(v, x + 0.5))), x);
    type(v, "x");
    ck_assert_int_eq(v->n_pieces, 1);
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* Help goes on by the box less its frame; in a box that has room for little else, by two lines. */
START_TEST(help_in_a_small_box)
{
    Trace *t = open_file(files[0]);
    View *v = view_new(t, "x");
    ck_assert_ptr_nonnull(v);
    for (int rows = 7; rows <= 9; rows++) {
        v->box = (CanvasBox){0, 0, 80, rows};
        v->show_help = true;
        v->help_top = 0;
        int page = rows > 8 ? rows - 6 : 2;
        view_key(v, (ScreenKey){.kind = SCREEN_PAGE_DOWN});
        view_key(v, (ScreenKey){.kind = SCREEN_PAGE_DOWN});
        ck_assert_int_eq((int)v->help_top, 2 * page);
        view_key(v, (ScreenKey){.kind = SCREEN_PAGE_UP});
        ck_assert_int_eq((int)v->help_top, page);
    }
    view_free(v);
    trace_free(t);
}
END_TEST

/* A time is written with as many digits as tell two neighbouring columns apart. */
START_TEST(digits_of_times)
{
    Trace *t = trace_of(kernels(1, 1000000, 0));
    View *v = view_new(t, "t");
    Canvas c;
    char text[40];
    REQUIRE(v && canvas_init(&c, 92, 24, true));
    view_draw(v, &c, (CanvasBox){0, 0, 92, 24});
    static const char *const wanted[] = {"0.123", "0.123", "0.1235", "0.12346", "0.123457"};
    for (int k = 0; k < 5; k++) {
        view_set_window(v, 100000, 100000 + 900000 / (1 << 3 * k));
        ck_assert_str_eq(view_time(v, 0, 123457, text, sizeof text), wanted[k]);
    }
    canvas_release(&c);
    view_free(v);
    trace_free(t);
}
END_TEST

/* In a track that is folded into one row, to the left of a span lies what began with it and has a
 * lower number, in whichever lane; and not what began long before. */
START_TEST(the_span_before_in_another_lane)
{
    Trace *t = trace_of(TRACE_HEAD OP("1", "kernel", "2", "a") OP("2", "kernel", "2", "b")
                            OP("3", "kernel", "3", "c") RUN("1", "10", "2", "20")
                                RUN("2", "50", "2", "80") RUN("3", "50", "2", "90"));
    View *v = view_new(t, "t");
    ck_assert_ptr_nonnull(v);
    while (v->row + 1 < v->n_rows && v->rows[v->row].heading) v->row++;
    type(v, "f");
    ck_assert_uint_eq(view_row_lanes(v, &v->rows[v->row]), 2);
    static const uint32_t there[] = {3, 2, 1}, back[] = {2, 3};
    ck_assert(view_go_to(v, (Selected){0, SPANS_OP, 3}));
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(v->selected.id, there[i]);
        view_next_span(v, -1);
    }
    for (int i = 0; i < 2; i++) {
        view_next_span(v, 1);
        ck_assert_uint_eq(v->selected.id, back[i]);
    }
    view_free(v);
    trace_free(t);
}
END_TEST

CASES("view")
