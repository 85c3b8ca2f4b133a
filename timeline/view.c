#include "timeline/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct View { const Trace *trace; const char *title; char command[256]; };

View *view_new(const Trace *trace, const char *title)
{
    View *v = calloc(1, sizeof *v);
    if (v) v->trace = trace, v->title = title;
    return v;
}
void view_free(View *v) { free(v); }
bool view_set_trace(View *v, const Trace *trace, const char *title) { v->trace = trace; v->title = title; return true; }
bool view_update(View *v) { (void)v; return true; }
bool view_compare(View *v, const Trace *trace, const char *title) { (void)v; (void)trace; (void)title; return true; }
void view_show_range(View *v, uint32_t range) { (void)v; (void)range; }
void view_set_source(View *v, ViewSource *s, void *context) { (void)v; (void)s; (void)context; }
void view_leave_keys(View *v, const char *taken) { (void)v; (void)taken; }
ViewAnswer view_key(View *v, ScreenKey key) { (void)v; return key.code == 'q' ? VIEW_QUIT : VIEW_NOTHING; }
const char *view_command(const View *v) { return v->command; }
void view_say(View *v, bool care, const char *text) { (void)v; (void)care; (void)text; }
bool view_moving(const View *v) { (void)v; return false; }
bool view_tick(View *v, uint64_t now_ms) { (void)v; (void)now_ms; return false; }
void view_draw(View *v, Canvas *c, CanvasBox box)
{
    canvas_printf(c, box.x, box.y, box.columns, CANVAS_TITLE, "%s: %u operations", v->title, v->trace->n_ops);
}
const char *view_key_line(size_t i) { (void)i; return NULL; }
