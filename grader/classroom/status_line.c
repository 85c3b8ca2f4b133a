/* status_line.c - see status_line.h. */
#include "grader/classroom/status_line.h"
#include <stdio.h>
#include "grader/box/background.h"

void status_line_clear(const StatusLine *t)
{
    if (t->to && t->to->is_terminal) fputs("\r\033[K", t->to->out);
}

void status_line_show(StatusLine *t, bool last)
{
    double now = background_clock(), spent = now - t->started;
    bool live = t->to && t->to->is_terminal;
    if (!t->to || (!last && now - t->shown < (live ? 0.1 : 10))) return;
    t->shown = now;
    size_t fresh = t->done - t->known;
    double rate = spent > 0.5 && fresh ? (double)fresh / spent : 0;
    char left[64] = "", speed[64] = "";
    if (rate > 0 && t->done < t->total) {
        double seconds = (double)(t->total - t->done) / rate;
        if (seconds < 90) snprintf(left, sizeof left, ", about %.0f s left", seconds);
        else snprintf(left, sizeof left, ", about %.0f min left", seconds / 60);
    }
    if (rate > 0) snprintf(speed, sizeof speed, ", %.0f a minute", rate * 60);

    status_line_clear(t);
    if (t->where) fprintf(t->to->out, "%s: ", t->where);
    fprintf(t->to->out, "%zu of %zu %s (", t->done, t->total, t->where ? "judged" : "graded");
    if (t->known) fprintf(t->to->out, "%zu before; %zu passed now)", t->known, t->passed);
    else fprintf(t->to->out, "%zu passed)", t->passed);
    fprintf(t->to->out, "%s%s%s%s%s", speed, left, t->aside[0] && !last ? "; " : "",
            last ? "" : t->aside, live && !last ? "" : "\n");
    fflush(t->to->out);
}
