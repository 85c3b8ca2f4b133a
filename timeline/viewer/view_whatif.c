/* view_whatif.c - what if: the questions about what is selected, as a menu. What is chosen becomes
 * a command (`whatif CHANGE`), which whoever has the view puts to the program (view.h). */
#include <stdio.h>
#include <string.h>
#include "timeline/viewer/view_internal.h"

enum { MENU_COLUMNS = 76 };

/* A question about the answer that is shown is one about what ran: the trace below. */
static uint8_t asked_side(const View *v) { return v->answered && v->comparing ? 1 : 0; }

static uint32_t ideas_of_selected(const View *v, Idea *ideas, char *about, size_t size)
{
    uint8_t side = asked_side(v);
    const Side *s = &v->sides[side];
    Selected selected = v->selected;
    if (selected.id && selected.side != side) {
        const Side *other = &v->sides[selected.side];
        bool matched = selected.what == SPANS_OP && other->match && selected.id <= other->n_match;
        selected.id = matched ? other->match[selected.id] : 0;
        selected.side = side;
    }
    const Labels *labels = s->range_labels ? s->range_labels : s->labels;
    if (!labels) return 0;
    uint32_t n = 0;
    if (selected.id && selected.what == SPANS_OP)
        n = ideas_of_op(s->trace, view_labels(s, selected.id), selected.id, ideas);
    else if (selected.id && selected.what == SPANS_CALL)
        n = ideas_of_call(s->trace, selected.id, ideas);
    if (n) view_label(v, selected, about, size);
    else snprintf(about, size, "this run");
    return n ? n : ideas_of_run(s->trace, labels, ideas);
}

void view_set_ideas(View *v, const Idea *ideas, uint32_t n)
{
    v->n_more_ideas = n < IDEAS ? n : IDEAS;
    memcpy(v->more_ideas, ideas, v->n_more_ideas * sizeof *ideas);
}

uint32_t view_selected(const View *v)
{
    return v->selected.what == SPANS_OP && v->selected.side == 0 ? v->selected.id : 0;
}

const char *view_title(const View *v) { return v->sides[0].title; }

void view_set_answered(View *v, bool answered)
{
    v->answered = answered;
    v->menu.on = false;
}

ViewAnswer view_menu_open(View *v, int unused)
{
    (void)unused;
    v->menu.n = ideas_of_selected(v, v->menu.ideas, v->menu.about, sizeof v->menu.about);
    for (uint32_t i = 0; i < v->n_more_ideas && v->menu.n < IDEAS; i++)
        v->menu.ideas[v->menu.n++] = v->more_ideas[i];
    v->menu.at = v->menu.top = 0;
    v->menu.on = true;
    return VIEW_DRAW;
}

/* The lines behind the ideas: as it ran, and one's own words. */
static uint32_t lines(const View *v) { return v->menu.n + v->answered + 1; }

static ViewAnswer choose_line(View *v, uint32_t line)
{
    v->menu.on = false;
    if (line < v->menu.n) {
        snprintf(v->command, sizeof v->command, "whatif %s", v->menu.ideas[line].change);
        return VIEW_COMMAND;
    }
    if (v->answered && line == v->menu.n) {
        snprintf(v->command, sizeof v->command, "whatif off");
        return VIEW_COMMAND;
    }
    v->prompt = PROMPT_COMMAND;
    v->input_length = (uint32_t)snprintf(v->input, sizeof v->input, "whatif ");
    return VIEW_DRAW;
}

ViewAnswer view_menu_key(View *v, ScreenKey key)
{
    uint32_t n = lines(v);
    bool character = key.kind == SCREEN_CHARACTER;
    if (key.kind == SCREEN_DOWN || key.kind == SCREEN_TAB || key.kind == SCREEN_WHEEL_DOWN ||
        (character && (key.code == 'j' || key.code == 's')))
        v->menu.at = (v->menu.at + 1) % n;
    else if (key.kind == SCREEN_UP || key.kind == SCREEN_BACK_TAB || key.kind == SCREEN_WHEEL_UP ||
             (character && (key.code == 'k' || key.code == 'w')))
        v->menu.at = (v->menu.at + n - 1) % n;
    else if (key.kind == SCREEN_ENTER) return choose_line(v, v->menu.at);
    else if (character && key.code >= '1' && key.code <= '9' && key.code - '1' < n)
        return choose_line(v, key.code - '1');
    else if (key.kind == SCREEN_ESCAPE || (character && (key.code == 'q' || key.code == 'W')))
        v->menu.on = false;
    return VIEW_DRAW;
}

void view_menu_draw(View *v, Canvas *c, CanvasBox box)
{
    int n = (int)lines(v), width = box.columns - 2 < MENU_COLUMNS ? box.columns - 2 : MENU_COLUMNS;
    int rows = n + 3 < box.rows ? n + 3 : box.rows, shown = rows - 3;
    CanvasBox at = {box.x + (box.columns - width) / 2, box.y + (box.rows - rows) / 2, width, rows};
    char title[sizeof v->menu.about + 20];
    if (shown < 1) return;
    if ((int)v->menu.at < (int)v->menu.top) v->menu.top = v->menu.at;
    if ((int)v->menu.at >= (int)v->menu.top + shown) v->menu.top = v->menu.at - (uint32_t)shown + 1;

    canvas_fill(c, at, " ", CANVAS_PLAIN, CANVAS_PLAIN);
    snprintf(title, sizeof title, "What if? %s", v->menu.about);
    canvas_frame(c, at, CANVAS_RULER, title);
    for (int i = 0; i < shown && i + (int)v->menu.top < n; i++) {
        uint32_t line = v->menu.top + (uint32_t)i;
        bool here = line == v->menu.at;
        const char *words = line < v->menu.n ? v->menu.ideas[line].words
                            : v->answered && line == v->menu.n
                                ? "what ran alone: the end of this question"
                                : "something else: type it";
        int y = at.y + 1 + i;
        canvas_printf(c, at.x + 1, y, 1, CANVAS_KEY, "%s", here ? ">" : " ");
        if (line < 9) canvas_printf(c, at.x + 3, y, 1, CANVAS_KEY, "%u", line + 1);
        canvas_text(c, at.x + 5, y, at.columns - 7, here ? CANVAS_BOLD : CANVAS_PLAIN, words);
    }
    canvas_text(c, at.x + 2, at.y + at.rows - 2, at.columns - 4, CANVAS_DIM,
                "Enter asks, Esc closes this. Your source stays as it is");
}
