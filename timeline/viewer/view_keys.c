/* view_keys.c - what each key does. One table makes the keys, the help on the screen and `threelane
 * help`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/glyphs.h"
#include "timeline/pictures/critical_path.h"
#include "timeline/viewer/view_internal.h"

static ViewAnswer to_side(View *v, int columns)
{
    view_move_cursor(v, columns);
    return VIEW_DRAW;
}

static ViewAnswer by_half(View *v, int sign)
{
    double columns = (v->picture_columns > 8 ? v->picture_columns : 60) / 2.0;
    view_pan(v, sign * 0.5);
    view_move_cursor(v, sign * columns);
    return VIEW_DRAW;
}

static ViewAnswer to_row(View *v, int by)
{
    view_move_row(v, by);
    return VIEW_DRAW;
}

static ViewAnswer to_edge(View *v, int end)
{
    uint64_t first, last;
    view_extent(v, false, &first, &last);
    v->cursor_ns = end ? last - 1 : first;
    uint64_t span = v->to_ns - v->from_ns;
    if (v->cursor_ns < v->from_ns || v->cursor_ns >= v->to_ns) {
        double from = end ? (double)last - (double)span : (double)first;
        view_set_window(v, from, from + (double)span);
    }
    view_select_here(v);
    return VIEW_DRAW;
}

static ViewAnswer closer(View *v, int in)
{
    view_zoom(v, in ? 0.5 : 2, v->cursor_ns);
    view_select_here(v);
    return VIEW_DRAW;
}

static ViewAnswer fit(View *v, int unused)
{
    (void)unused;
    view_remember_window(v);
    view_fit(v, v->fits); /* again: with what the host did before and after */
    view_select_here(v);
    return VIEW_DRAW;
}

static ViewAnswer fit_selection(View *v, int unused)
{
    (void)unused;
    uint64_t start, end;
    bool range = v->measured;
    if (range) {
        start = v->measure_from_ns < v->measure_to_ns ? v->measure_from_ns : v->measure_to_ns;
        end = v->measure_from_ns < v->measure_to_ns ? v->measure_to_ns : v->measure_from_ns;
    } else if (!view_span_times(v, v->selected, &start, &end)) {
        view_say(v, true, "Nothing is selected: move to a span first");
        return VIEW_DRAW;
    } else {
        start = view_from_side(v, v->selected.side, start);
        end = view_from_side(v, v->selected.side, end);
    }
    view_remember_window(v);
    double margin = range ? 0 : (double)(end - start) * 0.1 + 1;
    view_set_window(v, (double)start - margin, (double)end + margin);
    if (v->cursor_ns < v->from_ns || v->cursor_ns >= v->to_ns) v->cursor_ns = start;
    if (range) view_select_here(v);
    return VIEW_DRAW;
}

static ViewAnswer undo_zoom(View *v, int unused)
{
    (void)unused;
    if (!v->n_zooms) {
        view_say(v, false, "There is no earlier zoom");
        return VIEW_DRAW;
    }
    v->n_zooms--;
    view_set_window(v, (double)v->zooms[v->n_zooms].from_ns, (double)v->zooms[v->n_zooms].to_ns);
    uint64_t first, last;
    view_extent(v, false, &first, &last);
    v->fits = v->from_ns == first && v->to_ns == last;
    if (v->cursor_ns < v->from_ns || v->cursor_ns >= v->to_ns) v->cursor_ns = v->from_ns;
    view_select_here(v);
    return VIEW_DRAW;
}

static ViewAnswer span_by(View *v, int by)
{
    view_next_span(v, by);
    return VIEW_DRAW;
}

static ViewAnswer culprit(View *v, int unused)
{
    (void)unused;
    const Selected s = v->selected;
    uint32_t call, by = s.id && s.what == SPANS_OP
                            ? critical_path_back(v->sides[s.side].trace, s.id, &call)
                            : 0;
    if (!s.id || s.what != SPANS_OP) {
        view_say(v, true, "Move to an operation first: c then goes to what it waited for");
    } else if (!by) {
        view_say(v, false, "It waited for no other operation: this is where the chain begins");
    } else {
        view_remember_jump(v);
        if (!view_go_to(v, (Selected){s.side, SPANS_OP, by}))
            view_say(v, true, "No row shows what it waited for");
    }
    return VIEW_DRAW;
}

static ViewAnswer jump_back(View *v, int unused)
{
    (void)unused;
    if (!v->n_jumps) view_say(v, false, "There is nowhere to go back to");
    else view_go_to(v, v->jumps[--v->n_jumps]);
    return VIEW_DRAW;
}

static ViewAnswer toggle_path(View *v, int unused)
{
    (void)unused;
    v->show_path = !v->show_path;
    if (v->show_path) {
        for (int side = 0; side <= v->comparing; side++) {
            if (!critical_path_start(&v->sides[side].path, v->sides[side].trace))
                view_say(v, true, "Not enough memory for the path");
            critical_path_go(&v->sides[side].path, v->sides[side].trace, 20000);
        }
        view_sayf(v, false,
                  "Critical path: what the end of the run waited for, step by step (marked *)");
    }
    return VIEW_DRAW;
}

static ViewAnswer toggle_arrows(View *v, int unused)
{
    (void)unused;
    v->show_arrows = !v->show_arrows;
    view_say(v, false,
             v->show_arrows ? "Arrows lead from what an event stands for to what waited for it"
                            : "No arrows");
    return VIEW_DRAW;
}

static ViewAnswer toggle_mode(View *v, int unused)
{
    (void)unused;
    Selected kept = v->selected;
    static const char *const words[SPANS_MODES] = {"A row per engine", "A row per stream",
                                                   "A row per device: f unfolds it"};
    v->mode = (SpansMode)((v->mode + 1) % SPANS_MODES);
    if (v->mode == SPANS_BY_DEVICE && !v->sides[0].spans->n_tracks[SPANS_BY_DEVICE])
        v->mode = SPANS_BY_ENGINE;
    v->row = v->top = 0;
    view_make_rows(v);
    uint64_t cursor = v->cursor_ns;
    if (kept.id && view_go_to(v, kept)) v->cursor_ns = cursor;
    else view_select_here(v);
    view_say(v, false, words[v->mode]);
    return VIEW_DRAW;
}

static ViewAnswer choose(View *v, int pin)
{
    if (v->row >= v->n_rows || v->rows[v->row].heading) return VIEW_DRAW;
    Row row = v->rows[v->row];
    const SpansTrack *track = view_track(v, &row);
    bool group = !pin && row.grouped && (row.tracks > 1 || track->n_lanes < 2);
    char title[300];
    if (group) view_group_title(v, &row, title, sizeof title);
    else view_track_title(v, &row, title, sizeof title);
    if (pin && row.tracks > 1) {
        view_say(v, false, "f unfolds these rows: each can be pinned then");
        return VIEW_DRAW;
    }
    Choice *choice = view_choice(v, title, true);
    if (!choice) return VIEW_DRAW;
    if (pin) choice->pinned = !choice->pinned;
    else choice->folded = !choice->folded;
    if (!pin && !group && choice->folded && track->n_lanes < 2) {
        view_say(v, false, "There is nothing to fold: it is one row already");
    }
    view_make_rows(v);
    view_row_in_sight(v);
    return VIEW_DRAW;
}

static ViewAnswer unfold_all(View *v, int unused)
{
    (void)unused;
    v->n_choices = 0;
    v->filter[0] = '\0';
    view_make_rows(v);
    view_row_in_sight(v);
    return VIEW_DRAW;
}

static ViewAnswer measure(View *v, int clear)
{
    if (clear) {
        v->measuring = v->measured = false;
    } else if (v->measuring) {
        v->measuring = false;
        v->measured = v->measure_to_ns != v->measure_from_ns;
        if (v->measured) view_say(v, false, "z fits the measured range, M clears it");
    } else {
        v->measuring = true;
        v->measured = false;
        v->measure_from_ns = v->measure_to_ns = v->cursor_ns;
        view_say(v, false, "Measuring: move, then m again");
    }
    return VIEW_DRAW;
}

static ViewAnswer prompt(View *v, int which)
{
    v->prompt = (Prompt)which;
    v->input[0] = '\0';
    v->input_length = v->recalled = 0;
    return VIEW_DRAW;
}

static ViewAnswer search_again(View *v, int backwards)
{
    if (!v->search.text[0]) view_say(v, true, "Nothing has been searched: / begins");
    else view_search_start(v, backwards);
    return VIEW_DRAW;
}

static ViewAnswer play(View *v, int unused)
{
    (void)unused;
    uint64_t first, last;
    view_extent(v, false, &first, &last);
    if (!v->play.on) view_play_start(v);
    else if (!v->play.running && v->play.head_ns >= last) v->play.head_ns = v->from_ns;
    v->play.running = !v->play.running;
    v->panel_top = 0;
    return VIEW_DRAW;
}

static ViewAnswer step(View *v, int back)
{
    view_play_step(v, back);
    return VIEW_DRAW;
}

static ViewAnswer speed(View *v, int faster)
{
    v->play.speed *= faster ? 2 : 0.5;
    if (v->play.speed > 1024) v->play.speed = 1024;
    if (v->play.speed < 1.0 / 1024) v->play.speed = 1.0 / 1024;
    view_sayf(v, false, "The picture's width in %.3g s", 10 / v->play.speed);
    return VIEW_DRAW;
}

static ViewAnswer difference(View *v, int unused)
{
    (void)unused;
    view_next_difference(v);
    return VIEW_DRAW;
}

static ViewAnswer align(View *v, int unused)
{
    (void)unused;
    if (!v->comparing) {
        view_say(v, true, "There is nothing to compare with yet: type :compare FILE");
        return VIEW_DRAW;
    }
    v->aligned_scale = !v->aligned_scale;
    view_say(v, false,
             v->aligned_scale ? "Each run fills the picture: their times differ"
                              : "Both runs at the same scale");
    view_fit_compared(v);
    view_select_here(v);
    return VIEW_DRAW;
}

static ViewAnswer next_hazard(View *v, int unused)
{
    (void)unused;
    const Trace *t = v->sides[0].trace;
    v->show_hazards = true;
    if (!t->n_hazards) {
        view_say(v, false, "No hazards are recorded in this run");
        return VIEW_DRAW;
    }
    for (uint32_t looked = 0; looked < t->n_hazards && looked < 10000; looked++) {
        v->next_hazard = v->next_hazard < 2 * t->n_hazards ? v->next_hazard + 1 : 1;
        const TraceHazard *h = &t->hazards[(v->next_hazard + 1) / 2];
        uint32_t op = v->next_hazard % 2 ? h->op_a : h->op_b;
        if (op && view_go_to(v, (Selected){0, SPANS_OP, op})) return VIEW_DRAW;
    }
    return VIEW_DRAW;
}

static ViewAnswer follow(View *v, int unused)
{
    (void)unused;
    v->following = !v->following;
    view_say(v, false, v->following ? "Following what is added at the end" : "Staying here");
    if (v->following) to_edge(v, 1);
    return VIEW_DRAW;
}

static ViewAnswer scroll_panel(View *v, int by)
{
    int64_t top = (int64_t)v->panel_top + by; /* too far down is put right when it is drawn */
    v->panel_top = top < 0 ? 0 : (uint32_t)top;
    return VIEW_DRAW;
}

/* So many rows down; where all rows are in sight, the text below them scrolls instead. */
static ViewAnswer page_rows(View *v, int halves)
{
    int shown = v->rows_shown > 2 ? v->rows_shown : 2;
    if (v->n_rows <= (uint32_t)shown) return scroll_panel(v, halves > 0 ? 3 : -3);
    view_move_row(v, halves * shown / 2);
    return VIEW_DRAW;
}

static ViewAnswer fold_idle(View *v, int unused)
{
    (void)unused;
    v->fold_idle = !v->fold_idle;
    view_pieces(v);
    v->overlap_known = false;
    view_select_here(v);
    if (v->fold_idle && v->n_pieces == 1)
        view_say(v, false,
                 "There is no long idle time in view; what there is later will be folded");
    else
        view_say(v, false,
                 v->fold_idle ? "Long idle time is folded: x unfolds it" : "Idle time as it is");
    return VIEW_DRAW;
}

static ViewAnswer help(View *v, int unused)
{
    (void)unused;
    v->show_help = true;
    v->help_top = 0;
    return VIEW_DRAW;
}

static ViewAnswer leave(View *v, int unused)
{
    (void)v;
    (void)unused;
    return VIEW_QUIT;
}

/* Escape ends one thing after the other. */
static ViewAnswer cancel(View *v, int unused)
{
    (void)unused;
    if (v->search.active) v->search.active = false;
    else if (v->measuring || v->measured) v->measuring = v->measured = false;
    else if (v->play.on) v->play.on = v->play.running = false;
    else if (v->show_hazards) v->show_hazards = false;
    else if (v->show_path) v->show_path = false;
    else if (v->filter[0]) unfold_all(v, 0);
    else return VIEW_NOTHING;
    return VIEW_DRAW;
}

typedef struct Binding {
    const char *characters;
    ScreenKeyKind kinds[2];
    const char *shown, *what; /* shown NULL: belongs to the line before; what NULL: a heading */
    ViewAnswer (*act)(View *, int);
    int argument;
    bool counts; /* a number before it repeats it */
} Binding;

enum { MOST_COUNT = 10000 };

/* clang-format off */
static const Binding bindings[] = {
    {"", {0}, "Moving", NULL, NULL, 0, false},
    {"ha", {SCREEN_LEFT}, "Left h a", "the cursor to the left (a number before a key repeats it: 20j)", to_side, -1, true},
    {"ld", {SCREEN_RIGHT}, "Right l d", "to the right", to_side, 1, true},
    {"kw", {SCREEN_UP}, "Up k w", "a row up", to_row, -1, true},
    {"js", {SCREEN_DOWN}, "Down j s", "a row down", to_row, 1, true},
    {"H", {SCREEN_SHIFT_LEFT}, "H L", "half a picture to the left, to the right (also Shift-Left, Shift-Right)", by_half, -1, true},
    {"L", {SCREEN_SHIFT_RIGHT}, NULL, NULL, by_half, 1, true},
    {"g", {SCREEN_HOME}, "Home g", "to the first operation", to_edge, 0, false},
    {"G", {SCREEN_END}, "End G", "to the last", to_edge, 1, false},
    {"]", {SCREEN_TAB}, "Tab ]", "the next span of the row", span_by, 1, true},
    {"[", {SCREEN_BACK_TAB}, "Shift-Tab [", "the previous span", span_by, -1, true},
    {"\006", {SCREEN_PAGE_DOWN}, "PgDn PgUp", "rows by the screen (also Ctrl-F, Ctrl-B), or where all are in sight, the text below", page_rows, 2, true},
    {"\002", {SCREEN_PAGE_UP}, NULL, NULL, page_rows, -2, true},
    {"\004", {SCREEN_NO_KEY}, "Ctrl-D Ctrl-U", "rows by half a screen", page_rows, 1, true},
    {"\025", {SCREEN_NO_KEY}, NULL, NULL, page_rows, -1, true},
    {"", {0}, "Zooming", NULL, NULL, 0, false},
    {"+=i", {SCREEN_NO_KEY}, "+ i", "closer, about the cursor (also the mouse wheel)", closer, 1, true},
    {"-_o", {SCREEN_NO_KEY}, "- o", "further away", closer, 0, true},
    {"0", {SCREEN_NO_KEY}, "0", "fit all; again: with what the host did before and after", fit, 0, false},
    {"z", {SCREEN_NO_KEY}, "z", "fit the selected span, or the measured range", fit_selection, 0, false},
    {"u", {SCREEN_BACKSPACE}, "u", "undo the zoom", undo_zoom, 0, true},
    {"x", {SCREEN_NO_KEY}, "x", "fold long idle time, or unfold it", fold_idle, 0, false},
    {"", {0}, "Rows", NULL, NULL, 0, false},
    {"t", {SCREEN_NO_KEY}, "t", "rows per engine, or per stream; with several GPUs, per device", toggle_mode, 0, false},
    {"f", {SCREEN_NO_KEY}, "f", "fold the row or the group of rows, or unfold it", choose, 0, false},
    {"pP", {SCREEN_NO_KEY}, "p P", "pin the row to the top, or take it down", choose, 1, false},
    {"&", {SCREEN_NO_KEY}, "&", "show only rows whose name has this in it", prompt, PROMPT_FILTER, false},
    {"F", {SCREEN_NO_KEY}, "F", "all rows again, unfolded, as they were", unfold_all, 0, false},
    {"", {0}, "Finding", NULL, NULL, 0, false},
    {"/", {SCREEN_NO_KEY}, "/", "search by name, label, kind or stream", prompt, PROMPT_SEARCH, false},
    {"n", {SCREEN_NO_KEY}, "n N", "the next, the previous one found", search_again, 0, true},
    {"N", {SCREEN_NO_KEY}, NULL, NULL, search_again, 1, true},
    {"!", {SCREEN_NO_KEY}, "!", "the next hazard", next_hazard, 0, true},
    {"m", {SCREEN_NO_KEY}, "m", "measure from here; again: to here", measure, 0, false},
    {"M", {SCREEN_NO_KEY}, "M", "measure nothing", measure, 1, false},
    {"", {0}, "Why", NULL, NULL, 0, false},
    {"c", {SCREEN_ENTER}, "c Enter", "go to what the span waited for; again: a step further back", culprit, 0, true},
    {"b", {SCREEN_NO_KEY}, "b", "back to where c or a search began", jump_back, 0, true},
    {"C", {SCREEN_NO_KEY}, "C", "the critical path", toggle_path, 0, false},
    {"v", {SCREEN_NO_KEY}, "v", "arrows for event waits", toggle_arrows, 0, false},
    {"}", {SCREEN_NO_KEY}, "{ }", "scroll what is said below the rows", scroll_panel, 3, true},
    {"{", {SCREEN_NO_KEY}, NULL, NULL, scroll_panel, -3, true},
    {"", {0}, "Playing", NULL, NULL, 0, false},
    {" ", {SCREEN_NO_KEY}, "Space", "play, or pause: spans fill, queues empty", play, 0, false},
    {".", {SCREEN_NO_KEY}, ".", "play one step: to the next call, start or end", step, 0, true},
    {",", {SCREEN_NO_KEY}, ",", "a step back", step, 1, true},
    {">", {SCREEN_NO_KEY}, "> <", "play faster, slower", speed, 1, true},
    {"<", {SCREEN_NO_KEY}, NULL, NULL, speed, 0, true},
    {"", {0}, "Asking, comparing, following", NULL, NULL, 0, false},
    {"W", {SCREEN_NO_KEY}, "W", "what if: questions about the selected span", view_menu_open, 0, false},
    {"D", {SCREEN_NO_KEY}, "D", "the next difference to the run compared with (:compare FILE)", difference, 0, true},
    {"A", {SCREEN_NO_KEY}, "A", "compare at the same scale, or let each run fill the picture", align, 0, false},
    {"e", {SCREEN_NO_KEY}, "e", "follow the end of a growing trace, or stay", follow, 0, false},
    {"", {0}, "Leaving", NULL, NULL, 0, false},
    {":", {SCREEN_NO_KEY}, ":", "a command: goto TIME, compare FILE, whatif CHANGE, save-display FILE, export FORM FILE, mouse off, q (Tab completes, Up recalls)", prompt, PROMPT_COMMAND, false},
    {"", {SCREEN_ESCAPE}, "Esc", "end what is going on: measuring, playing, a filter", cancel, 0, false},
    {"?", {SCREEN_NO_KEY}, "?", "these keys", help, 0, false},
    {"q", {SCREEN_NO_KEY}, "q", "leave", leave, 0, false},
};

/* What the mouse does, and what the signs of the picture mean: in UTF-8, in ASCII. */
static const struct {
    const char *shown[2], *what;
} further[] = {
    {{"Mouse", "Mouse"}, NULL},
    {{"click", "click"}, "the cursor goes there; in `all` the window"},
    {{"wheel", "wheel"}, "zooms; over the text it scrolls, with Shift it moves to the side"},
    {{"drag", "drag"}, "moves the picture; Shift-drag selects text, as the terminal does it"},
    {{":mouse off", ":mouse off"}, "leaves the mouse to the terminal; :mouse on takes it back"},
    {{"Signs", "Signs"}, NULL},
    {{"> K < 0 = f", "> K < 0 = f"}, "H2D, kernel, D2H, memset, other copy, host function"},
    {{"c r G", "c r G"}, "call and range of the host; launch of a graph over its nodes"},
    {{"‹K1› ◆", "[K1] @"}, "selected"},
    {{"*K1 ▁", "*K1 _"}, "on the critical path"},
    {{"≠K1 ▔", "~K1 ~"}, "differs from the run compared with"},
    {{"!K1", "!K1"}, "named by a hazard"},
    {{"░ ▒ ▓", ". : %"}, "several in a column: the denser, the busier; in `all`, how many lanes are busy"},
    {{"↑ ↓ ┘", "^ v +"}, "an arrow from what it waited for, or from an event's work"},
    {{"├╌╌", "(--"}, "the selected one could have started here, had its engine been free"},
    {{"┊", ":"}, "folded idle time"},
    {{"+ ^", "+ ^"}, "behind a row's name: folded, pinned"},
};
/* clang-format on */
enum { BINDINGS = sizeof bindings / sizeof *bindings, FURTHER = sizeof further / sizeof *further };

static const char *key_line(const char *shown, const char *what)
{
    static char line[220];
    int blanks = 14 - glyphs_columns(shown);
    if (what) snprintf(line, sizeof line, "%s%*s%s", shown, blanks > 1 ? blanks : 1, "", what);
    else snprintf(line, sizeof line, "%s:", shown);
    return line;
}

const char *view_key_line(size_t i, bool utf8)
{
    for (size_t k = 0; k < BINDINGS; k++)
        if (bindings[k].shown && i-- == 0) return key_line(bindings[k].shown, bindings[k].what);
    return i < FURTHER ? key_line(further[i].shown[!utf8], further[i].what) : NULL;
}

/* ---- typing ---- */

static size_t encode(uint32_t code, char *out)
{
    if (code < 0x80) return out[0] = (char)code, 1;
    if (code < 0x800)
        return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 63));
        out[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | (code >> 18 & 7));
    out[1] = (char)(0x80 | (code >> 12 & 63));
    out[2] = (char)(0x80 | (code >> 6 & 63));
    out[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* What was typed can be had again with Up. */
static void remember(View *v)
{
    if (!v->input[0] || (v->n_history && !strcmp(v->history[v->n_history - 1], v->input))) return;
    if (v->n_history == HISTORY)
        memmove(v->history, v->history + 1, (size_t)--v->n_history * sizeof *v->history);
    memcpy(v->history[v->n_history++], v->input, sizeof v->input);
}

static void put_input(View *v, const char *text)
{
    snprintf(v->input, sizeof v->input, "%s", text);
    v->input_length = (uint32_t)strlen(v->input);
}

static void recall(View *v, int by)
{
    int64_t at = (int64_t)v->recalled + by;
    if (at < 0 || at > v->n_history) return;
    v->recalled = (uint32_t)at;
    put_input(v, at ? v->history[v->n_history - at] : "");
}

/* The rest of a command of which there is only one that begins so. */
static void complete(View *v)
{
    static const char *const commands[] = {"goto ",         "compare ",      "compare solution",
                                           "compare off",   "export ",       "whatif ",
                                           "save-display ", "save-display!", "mouse off",
                                           "mouse on",      "help",          "quit"};
    const char *found = NULL;
    size_t common = 0, typed = v->input_length;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strncmp(commands[i], v->input, typed) != 0) continue;
        size_t same = 0;
        while (found && found[same] && found[same] == commands[i][same]) same++;
        common = found ? (same < common ? same : common) : strlen(commands[i]);
        if (!found) found = commands[i];
    }
    if (!found || common <= typed) return;
    char text[INPUT];
    snprintf(text, sizeof text, "%.*s", (int)common, found);
    put_input(v, text);
}

static ViewAnswer commit(View *v)
{
    Prompt was = v->prompt;
    v->prompt = PROMPT_NONE;
    remember(v);
    if (was == PROMPT_SEARCH) {
        if (!v->input[0]) return VIEW_DRAW;
        snprintf(v->search.text, sizeof v->search.text, "%s", v->input);
        view_search_start(v, false);
        return VIEW_DRAW;
    }
    if (was == PROMPT_FILTER) {
        snprintf(v->filter, sizeof v->filter, "%s", v->input);
        view_make_rows(v);
        if (!v->n_rows && v->filter[0]) {
            view_sayf(v, true, "No row's name has '%s' in it", v->filter);
            v->filter[0] = '\0';
            view_make_rows(v);
        } else if (v->filter[0]) {
            view_sayf(v, false, "Rows with '%s'; F shows all again", v->filter);
        }
        v->top = 0;
        view_select_here(v);
        return VIEW_DRAW;
    }
    const char *text = v->input;
    while (*text == ' ') text++;
    if (!*text) return VIEW_DRAW;
    if (!strcmp(text, "q") || !strcmp(text, "quit")) return VIEW_QUIT;
    if (!strcmp(text, "help")) return help(v, 0);
    if (!strncmp(text, "goto", 4) && (text[4] == ' ' || !text[4])) {
        char *end;
        double units = strtod(text + 4, &end);
        while (*end == ' ') end++;
        double ns = (double)v->sides[0].origin_ns + units * (double)view_unit(v).ns;
        if (end == text + 4 || *end || !(ns >= 0 && ns < 4e18)) {
            view_say(v, true, "goto TIME: a number in the ruler's unit");
            return VIEW_DRAW;
        }
        uint64_t first, last;
        view_extent(v, true, &first, &last);
        v->cursor_ns = ns > (double)last ? last : (uint64_t)ns;
        view_move_cursor(v, 0);
        if (v->cursor_ns < v->from_ns || v->cursor_ns >= v->to_ns) {
            double span = (double)(v->to_ns - v->from_ns);
            view_set_window(v, (double)v->cursor_ns - span / 2, (double)v->cursor_ns + span / 2);
        }
        view_select_here(v);
        return VIEW_DRAW;
    }
    snprintf(v->command, sizeof v->command, "%s", text);
    return VIEW_COMMAND;
}

static ViewAnswer type(View *v, ScreenKey key)
{
    if (key.kind == SCREEN_ENTER) return commit(v);
    if (key.kind == SCREEN_UP || key.kind == SCREEN_DOWN) {
        recall(v, key.kind == SCREEN_UP ? 1 : -1);
        return VIEW_DRAW;
    }
    if (key.kind == SCREEN_TAB && v->prompt == PROMPT_COMMAND) {
        complete(v);
        return VIEW_DRAW;
    }
    if (key.kind == SCREEN_ESCAPE || (key.kind == SCREEN_BACKSPACE && !v->input_length)) {
        v->prompt = PROMPT_NONE;
    } else if (key.kind == SCREEN_BACKSPACE) {
        do v->input_length--;
        while (v->input_length > 0 && ((unsigned char)v->input[v->input_length] & 0xc0) == 0x80);
        v->input[v->input_length] = '\0';
    } else if (key.kind == SCREEN_CHARACTER && key.code == 21) { /* control-u */
        v->input_length = 0;
        v->input[0] = '\0';
    } else if (key.kind == SCREEN_CHARACTER && key.code >= 32 && key.code != 127) {
        char bytes[4];
        size_t n = encode(key.code, bytes);
        if (v->input_length + n < sizeof v->input) {
            memcpy(v->input + v->input_length, bytes, n);
            v->input_length += (uint32_t)n;
            v->input[v->input_length] = '\0';
        }
    }
    return VIEW_DRAW;
}

/* ---- help and the mouse ---- */

static ViewAnswer help_key(View *v, ScreenKey key)
{
    int by = 0, page = v->box.rows > 8 ? v->box.rows - 6 : 2;
    if (key.kind == SCREEN_DOWN || key.kind == SCREEN_WHEEL_DOWN ||
        (key.kind == SCREEN_CHARACTER && (key.code == 'j' || key.code == 's')))
        by = 1;
    else if (key.kind == SCREEN_UP || key.kind == SCREEN_WHEEL_UP ||
             (key.kind == SCREEN_CHARACTER && (key.code == 'k' || key.code == 'w')))
        by = -1;
    else if (key.kind == SCREEN_PAGE_DOWN || (key.kind == SCREEN_CHARACTER && key.code == ' '))
        by = page;
    else if (key.kind == SCREEN_PAGE_UP) by = -page;
    else if (key.kind == SCREEN_HOME) by = -1000;
    else if (key.kind == SCREEN_END) by = 1000;
    else if (key.kind == SCREEN_RESIZE || key.kind == SCREEN_RELEASE || key.kind == SCREEN_DRAG)
        return VIEW_DRAW;
    else v->show_help = false;
    int64_t top = (int64_t)v->help_top + by;
    v->help_top = top < 0 ? 0 : (uint32_t)top;
    return VIEW_DRAW;
}

/* The time at a column of the picture. */
static uint64_t time_at(const View *v, int x)
{
    double ns = view_ns_at(v, x - v->picture_x + 0.5);
    return ns > 0 ? (uint64_t)ns : 0;
}

static ViewAnswer mouse(View *v, ScreenKey key)
{
    bool picture = key.x >= v->picture_x && key.x < v->picture_x + v->picture_columns;
    bool panel = v->panel_rows > 0 && key.y >= v->panel_y && key.y < v->panel_y + v->panel_rows;
    if (key.x < v->box.x || key.y < v->box.y || key.x >= v->box.x + v->box.columns ||
        key.y >= v->box.y + v->box.rows) {
        if (key.kind != SCREEN_DRAG && key.kind != SCREEN_RELEASE) return VIEW_NOTHING;
    }
    bool wheel = key.kind == SCREEN_WHEEL_UP || key.kind == SCREEN_WHEEL_DOWN;
    if (wheel && panel) return scroll_panel(v, key.kind == SCREEN_WHEEL_UP ? -2 : 2);
    if (wheel && key.shift) {
        view_pan(v, key.kind == SCREEN_WHEEL_UP ? -0.1 : 0.1);
        return VIEW_DRAW;
    }
    if (wheel && picture) {
        view_zoom(v, key.kind == SCREEN_WHEEL_UP ? 0.8 : 1.25, time_at(v, key.x));
        return VIEW_DRAW;
    }
    if (key.kind == SCREEN_RELEASE) {
        v->dragging = false;
        return VIEW_DRAW;
    }
    if (key.kind == SCREEN_DRAG && v->dragging) {
        double column = (double)(v->to_ns - v->from_ns) / view_columns(v);
        double from = (double)v->drag_from_ns - (key.x - v->drag_x) * column;
        view_set_window(v, from, from + (double)(v->to_ns - v->from_ns));
        return VIEW_DRAW;
    }
    if (key.kind != SCREEN_PRESS) return VIEW_NOTHING;
    if (key.y == v->minimap_y && picture) { /* the window goes there */
        uint64_t first, last;
        view_extent(v, false, &first, &last);
        double at = (double)first + ((double)(key.x - v->picture_x) + 0.5) / v->picture_columns *
                                        (double)(last - first);
        double span = (double)(v->to_ns - v->from_ns);
        view_remember_window(v);
        view_set_window(v, at - span / 2, at + span / 2);
        return VIEW_DRAW;
    }
    if (key.y >= v->rows_y && key.y < v->rows_y + v->n_shown) {
        uint32_t row = v->shown[key.y - v->rows_y];
        if (row < v->n_rows && !v->rows[row].heading) v->row = row;
    }
    if (picture && (key.y < v->panel_y || v->panel_rows == 0)) {
        v->cursor_ns = time_at(v, key.x);
        v->selected = (Selected){0};
        view_select_here(v);
        v->dragging = true;
        v->drag_from_ns = v->from_ns;
        v->drag_x = key.x;
    }
    return VIEW_DRAW;
}

ViewAnswer view_key(View *v, ScreenKey key)
{
    if (key.kind == SCREEN_NO_KEY) return VIEW_NOTHING;
    if (key.kind == SCREEN_CLOSED) return VIEW_QUIT;
    if (v->prompt != PROMPT_NONE && key.kind < SCREEN_PRESS) return type(v, key);
    if (v->show_help) return help_key(v, key);
    if (v->menu.on && key.kind != SCREEN_RESIZE) return view_menu_key(v, key);
    if (key.kind == SCREEN_RESIZE) return VIEW_DRAW;
    if (key.kind >= SCREEN_PRESS) return mouse(v, key);
    if (key.kind == SCREEN_CHARACTER && key.code < 128 && key.code &&
        strchr(v->taken, (int)key.code))
        return VIEW_NOTHING;
    /* digits are a count, but a 0 that begins is a key */
    bool digit = key.kind == SCREEN_CHARACTER && key.code >= '0' && key.code <= '9';
    if (digit && (v->count || key.code != '0')) {
        if (v->count < MOST_COUNT) v->count = v->count * 10 + (key.code - '0');
        view_sayf(v, false, "%u times: the key", v->count);
        return VIEW_DRAW;
    }
    uint32_t count = v->count ? v->count : 1;
    v->count = 0;
    for (size_t i = 0; i < BINDINGS; i++) {
        const Binding *b = &bindings[i];
        if (!b->act) continue;
        bool hit = key.kind == SCREEN_CHARACTER
                       ? key.code > 0 && key.code < 128 && strchr(b->characters, (int)key.code)
                       : key.kind == b->kinds[0] || (b->kinds[1] && key.kind == b->kinds[1]);
        if (!hit) continue;
        v->message[0] = '\0';
        ViewAnswer answer = b->act(v, b->argument);
        for (uint32_t n = 1; n < count && b->counts && answer == VIEW_DRAW && !v->message[0]; n++)
            answer = b->act(v, b->argument);
        if (v->measuring) v->measure_to_ns = v->cursor_ns;
        return answer;
    }
    return VIEW_NOTHING;
}

void view_say_unknown(View *v, ScreenKey key)
{
    char name[8] = "";
    if (key.kind != SCREEN_CHARACTER) return;
    if (key.code < 32) snprintf(name, sizeof name, "Ctrl-%c", (char)(key.code + 64));
    else name[encode(key.code, name)] = '\0';
    view_sayf(v, true, "%s means nothing here; ? shows the keys", name);
}
