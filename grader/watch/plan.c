/* plan.c - see plan.h. */
#include "grader/watch/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/glyphs.h"
#include "common/text.h"

enum { GUTTER = 10, LEAST_CELL = 6, MOST_CELL = 18 };

/* ---- the text ---- */

static bool is_row(const char *line)
{
    line += strspn(line, " \t");
    return !strncmp(line, "t=", 2);
}

/* The lines around the rows, which are whoever wrote them's. */
static void keep_lines(Plan *p, const char *text)
{
    Text parts[2] = {{0}, {0}};
    bool rows = false;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        if (is_row(at)) {
            rows = true;
            continue;
        }
        text_append(&parts[rows], at, length);
        text_add(&parts[rows], "\n");
    }
    p->before = text_take(&parts[0]);
    p->after = text_take(&parts[1]);
}

static PredictionCell *find(Plan *p, const char *label)
{
    for (uint32_t i = 0; i < p->ops.n; i++)
        if (!strcmp(p->ops.cells[i].label, label)) return &p->ops.cells[i];
    return NULL;
}

bool plan_start(Plan *p, Prediction *operations, const char *text, char *error, size_t error_size)
{
    *p = (Plan){.ops = *operations};
    *operations = (Prediction){0};
    for (uint32_t i = 0; i < p->ops.n; i++) {
        const char *lane = prediction_lane(p->ops.cells[i].label);
        int k = 0;
        while (k < p->n_lanes && strcmp(p->lanes[k], lane) != 0) k++;
        if (k == p->n_lanes && k < PLAN_LANES) p->lanes[p->n_lanes++] = lane;
        p->ops.cells[i].row = PREDICTION_NONE;
    }
    if (!text) return true;

    Prediction put;
    bool fine = prediction_read(&put, text, strlen(text), error, error_size);
    for (uint32_t i = 0; fine && i < put.n; i++) {
        PredictionCell *op = find(p, put.cells[i].label);
        if (op && put.cells[i].row < PLAN_TIMES) op->row = put.cells[i].row;
    }
    prediction_release(&put);
    keep_lines(p, text);
    return fine;
}

void plan_release(Plan *p)
{
    prediction_release(&p->ops);
    free(p->before);
    free(p->after);
    *p = (Plan){0};
}

char *plan_text(const Plan *p)
{
    Prediction there = {0};
    char *rows = NULL;
    size_t length = 0;
    Text text = {0};
    there.cells = memory_get((size_t)p->ops.n + 1, sizeof *there.cells);
    for (uint32_t i = 0; i < p->ops.n; i++) {
        if (p->ops.cells[i].row == PREDICTION_NONE) continue;
        there.cells[there.n] = p->ops.cells[i];
        there.cells[there.n].line = (int)there.n;
        there.n++;
    }
    FILE *to = open_memstream(&rows, &length);
    if (to) prediction_write(to, &there);
    if (to) fclose(to);
    text_add(&text, p->before ? p->before : "# What I expect: operations where they start.\n");
    text_add(&text, rows ? rows : "");
    text_add(&text, p->after ? p->after : "");
    free(rows);
    free(there.cells);
    return text_take(&text);
}

/* ---- keys ---- */

static bool is_on(const Plan *p, uint32_t op, int lane)
{
    return !strcmp(prediction_lane(p->ops.cells[op].label), p->lanes[lane]);
}

/* The lane's next operation that is not put yet goes to the cursor's time. */
static PlanAnswer put(Plan *p)
{
    for (uint32_t i = 0; i < p->ops.n; i++) {
        if (!is_on(p, i, p->lane) || p->ops.cells[i].row != PREDICTION_NONE) continue;
        p->ops.cells[i].row = p->t;
        p->changed = true;
        if (p->t + 1 < PLAN_TIMES) p->t++;
        return PLAN_DRAW;
    }
    return PLAN_NOTHING;
}

/* The last one that stands there goes back. */
static PlanAnswer take_out(Plan *p)
{
    for (uint32_t i = p->ops.n; i-- > 0;) {
        if (!is_on(p, i, p->lane) || p->ops.cells[i].row != p->t) continue;
        p->ops.cells[i].row = PREDICTION_NONE;
        p->changed = true;
        return PLAN_DRAW;
    }
    return PLAN_NOTHING;
}

static PlanAnswer move_to(Plan *p, int64_t t, int lane)
{
    p->t = t < 0 ? 0 : t >= PLAN_TIMES ? PLAN_TIMES - 1 : (uint32_t)t;
    p->lane = lane < 0 ? 0 : lane >= p->n_lanes ? p->n_lanes - 1 : lane;
    return PLAN_DRAW;
}

PlanAnswer plan_key(Plan *p, ScreenKey key)
{
    uint32_t c = key.kind == SCREEN_CHARACTER ? key.code : 0;
    if (key.kind == SCREEN_ESCAPE || c == 'q' || c == 27) return PLAN_DONE;
    if (!p->n_lanes) return PLAN_NOTHING;
    if (key.kind == SCREEN_LEFT || c == 'h') return move_to(p, (int64_t)p->t - 1, p->lane);
    if (key.kind == SCREEN_RIGHT || c == 'l') return move_to(p, (int64_t)p->t + 1, p->lane);
    if (key.kind == SCREEN_UP || c == 'k') return move_to(p, p->t, p->lane - 1);
    if (key.kind == SCREEN_DOWN || c == 'j') return move_to(p, p->t, p->lane + 1);
    if (key.kind == SCREEN_HOME || c == '0') return move_to(p, 0, p->lane);
    if (key.kind == SCREEN_ENTER || c == ' ' || c == '\r' || c == '\n') return put(p);
    if (key.kind == SCREEN_BACKSPACE || key.kind == SCREEN_DELETE || c == 'x' || c == 127)
        return take_out(p);
    return key.kind == SCREEN_RESIZE ? PLAN_DRAW : PLAN_NOTHING;
}

/* ---- the picture ---- */

static CanvasStyle style_of(const char *lane)
{
    return !strcmp(lane, "H2D")        ? CANVAS_H2D
           : !strcmp(lane, "D2H")      ? CANVAS_D2H
           : !strcmp(lane, "Kernels")  ? CANVAS_KERNEL
           : !strcmp(lane, "Sets")     ? CANVAS_MEMSET
           : !strcmp(lane, "Host fns") ? CANVAS_HOSTFN
                                       : CANVAS_COPY;
}

/* What stands at that time, one label, and how many more. */
static void draw_cell(const Plan *p, Canvas *c, int x, int y, int width, int lane, uint32_t t)
{
    const char *first = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->ops.n; i++) {
        if (p->ops.cells[i].row != t || !is_on(p, i, lane)) continue;
        if (!n++) first = p->ops.cells[i].label;
    }
    bool here = lane == p->lane && t == p->t;
    CanvasStyle on = here ? CANVAS_SELECTED : n ? style_of(p->lanes[lane]) : CANVAS_PLAIN;
    char text[60] = "";
    if (n > 1) snprintf(text, sizeof text, "%.40s+%u", first, n - 1);
    else if (n) snprintf(text, sizeof text, "%.50s", first);
    else if (here) snprintf(text, sizeof text, "_");
    if (n || here) canvas_fill(c, (CanvasBox){x, y, width - 1, 1}, " ", CANVAS_PLAIN, on);
    canvas_text_on(c, x, y, width - 1, here ? CANVAS_BOLD : CANVAS_PLAIN, on, text);
}

void plan_draw(Plan *p, Canvas *c, CanvasBox box)
{
    int width = LEAST_CELL;
    for (uint32_t i = 0; i < p->ops.n; i++) {
        int columns = glyphs_columns(p->ops.cells[i].label) + 2;
        if (columns > width) width = columns < MOST_CELL ? columns : MOST_CELL;
    }
    if (box.columns < GUTTER + width) return;
    uint32_t shown = (uint32_t)((box.columns - GUTTER) / width);
    if (p->t < p->left) p->left = p->t;
    if (p->t >= p->left + shown) p->left = p->t - shown + 1;

    for (uint32_t i = 0; i < shown; i++)
        canvas_printf(c, box.x + GUTTER + (int)i * width, box.y, width - 1, CANVAS_RULER, "t=%u",
                      p->left + i);
    for (int lane = 0; lane < p->n_lanes && lane + 2 < box.rows; lane++) {
        int y = box.y + 1 + lane;
        canvas_text(c, box.x, y, GUTTER - 1, lane == p->lane ? CANVAS_KEY : CANVAS_PLAIN,
                    p->lanes[lane]);
        for (uint32_t i = 0; i < shown; i++)
            draw_cell(p, c, box.x + GUTTER + (int)i * width, y, width, lane, p->left + i);
    }
    int y = box.y + p->n_lanes + 2, rows = box.y + box.rows - y;
    Text left = {0};
    for (uint32_t i = 0; i < p->ops.n; i++)
        if (p->ops.cells[i].row == PREDICTION_NONE)
            text_printf(&left, " %s", p->ops.cells[i].label);
    char *words = left.length
                      ? memory_format("Still to put:%s", text_string(&left))
                      : memory_copy("All is put. q keeps it, and the run says how right you "
                                    "were.");
    if (rows > 0)
        canvas_wrap(c, (CanvasBox){box.x, y, box.columns, rows}, 0, 2, CANVAS_PLAIN, words);
    text_release(&left);
    free(words);
}
