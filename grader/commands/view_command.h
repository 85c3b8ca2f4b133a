/* view_command.h - what `threelane view` and `threelane watch` share: opening traces for the
 * viewer, and the commands that are typed after ':' in it. */
#ifndef THREELANE_VIEW_COMMAND_H
#define THREELANE_VIEW_COMMAND_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/catalogue.h"
#include "timeline/pictures/canvas.h"
#include "timeline/trace/trace.h"
#include "timeline/viewer/view.h"

/* Reads a trace for the viewer: refuses what no machine should load (beyond VIEW_MOST_BYTES),
 * infers reasons where a recording has none. NULL and one line in error. */
#define VIEW_MOST_BYTES ((long long)2 << 30)
Trace *view_open(const char *path, char *error, size_t error_size);

/* What ':' commands need to know. compared: the trace that is compared with, owned here; released
 * with the rest. */
typedef struct ViewSession {
    View *view;
    Trace *trace;
    const Canvas *canvas;
    const char *path;     /* of the trace: exports are named after it */
    const char *solution; /* of a trace that `:compare solution` means, or NULL */
    Trace *compared;
    /* what if: the course, or NULL; the program that was given, or NULL; what is asked about; the
     * answer that is shown, owned here, and the title of what it is about */
    const Catalogue *catalogue;
    char **program;
    const char *show;
    Trace *answer;
    char *title;
    Screen *screen; /* for `:mouse` */
} ViewSession;

/* Does view_command(session->view); the outcome is said in the view. */
void view_do(ViewSession *);
/* Compares with the trace at that path; what goes wrong is said in the view. */
void view_do_compare(ViewSession *, const char *path);
void view_session_release(ViewSession *);
/* Ends a question: the trace is shown again as it ran. Before it is replaced. */
void view_end_question(ViewSession *);
/* What the menu of questions has besides those about the trace. */
void view_offer(ViewSession *);

/* Source lines for view_set_source: looks for the file as the trace names it, beside the trace, and
 * in the current folder; regular files of at most 1 MiB. */
typedef struct ViewSources ViewSources;
ViewSources *view_sources_new(const char *trace_path);
void view_sources_free(ViewSources *);
ViewSource view_source_line; /* context: a ViewSources */
#endif
