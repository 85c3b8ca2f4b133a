/* view_rows.c - the rows of a View: tracks and their lanes, pinned, folded, filtered, in groups. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/glyphs.h"
#include "timeline/viewer/view_internal.h"

/* So many streams of a device have a row each; of more of them, so many share one until it is
 * unfolded. */
enum { MOST_STREAMS = 24, GROUP = 16 };

const SpansTrack *view_track(const View *v, const Row *row)
{
    const Spans *s = v->sides[row->side].spans;
    return row->host ? &s->host[row->track] : &s->tracks[v->mode][row->track];
}

void view_track_title(const View *v, const Row *row, char *title, size_t size)
{
    const Side *side = &v->sides[row->side];
    const Trace *t = side->trace;
    const SpansTrack *track = view_track(v, row);
    char text[200];
    if (track->kind == SPANS_ENGINE) {
        labels_engine(t, track->ref, title, size);
    } else if (track->kind == SPANS_CLASS) {
        labels_class(t, (TraceEngineClass)track->ref, 0, title, size);
    } else if (track->kind == SPANS_GRAPHS) {
        snprintf(title, size, "Graphs");
    } else if (track->kind == SPANS_DEVICE) {
        if (track->ref) snprintf(title, size, "GPU%u", track->ref - 1);
        else snprintf(title, size, "Host fns");
    } else if (track->kind == SPANS_STREAM) {
        labels_stream(side->labels, track->ref, text, sizeof text);
        if (t->streams[track->ref].name[0])
            memmove(text, text + strlen("stream "), strlen(text + strlen("stream ")) + 1);
        char *bracket = strstr(text, " ("), *of = strstr(text, " of GPU ");
        if (bracket) *bracket = '\0';
        if (of && !t->streams[track->ref].name[0]) { /* "stream 2 of GPU 1" */
            char brief[200];
            snprintf(brief, sizeof brief, "GPU%s s%.*s", of + strlen(" of GPU "),
                     (int)(of - text - (long)strlen("stream ")), text + strlen("stream "));
            memcpy(text, brief, sizeof text);
        }
        glyphs_fit(text, (int)size / 4, true, title, size);
    } else {
        const TraceThread *thread = &t->threads[track->ref];
        bool ranges = track->kind == SPANS_RANGES;
        if (thread->role == TRACE_THREAD_MAIN || t->n_threads <= 1)
            snprintf(text, sizeof text, ranges ? "Ranges" : "Host");
        else if (thread->role == TRACE_THREAD_DRIVER) snprintf(text, sizeof text, "Callbacks");
        else if (thread->name[0]) glyphs_fit(thread->name, 24, true, text, sizeof text);
        else snprintf(text, sizeof text, "%s %u", ranges ? "Ranges" : "Host", track->ref);
        glyphs_fit(text, (int)size / 4, true, title, size);
    }
}

Choice *view_choice(View *v, const char *title, bool make)
{
    for (uint32_t i = 0; i < v->n_choices; i++) {
        if (!strncmp(v->choices[i].title, title, sizeof v->choices[i].title - 1))
            return &v->choices[i];
    }
    if (!make || v->n_choices >= 1000) return NULL;
    Choice *bigger = realloc(v->choices, (v->n_choices + 1) * sizeof *bigger);
    if (!bigger) return NULL;
    v->choices = bigger;
    Choice *choice = &v->choices[v->n_choices++];
    memset(choice, 0, sizeof *choice);
    snprintf(choice->title, sizeof choice->title, "%s", title);
    return choice;
}

static bool add_row(View *v, Row row)
{
    if (v->n_rows == v->room_rows) {
        uint32_t room = v->room_rows * 2 + 32;
        Row *bigger = realloc(v->rows, room * sizeof *bigger);
        if (!bigger) return false;
        v->rows = bigger;
        v->room_rows = room;
    }
    v->rows[v->n_rows++] = row;
    return true;
}

uint32_t view_row_lanes(const View *v, const Row *row)
{
    if (row->tracks < 2) return row->lanes;
    const SpansTrack *track = view_track(v, row);
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < row->tracks; i++) lanes += track[i].n_lanes;
    return lanes;
}

const SpansLane *view_row_lane(const View *v, const Row *row, uint32_t lane)
{
    const SpansTrack *track = view_track(v, row);
    if (row->tracks < 2) return &track->lanes[row->lane + lane];
    while (lane >= track->n_lanes) lane -= track++->n_lanes;
    return &track->lanes[lane];
}

void view_group_title(const View *v, const Row *row, char *title, size_t size)
{
    Row first = {.side = row->side, .track = row->group},
        last = {.side = row->side, .track = row->group + row->grouped - 1};
    char from[128], to[128];
    view_track_title(v, &first, from, sizeof from);
    view_track_title(v, &last, to, sizeof to);
    /* "stream 1-16", "GPU0 s1-16": what both begin with once */
    const char *end = strrchr(to, ' ');
    bool alike = end && !strncmp(from, to, (size_t)(end - to) + 1);
    const char *number = alike && end[1] == 's' ? end + 2 : alike ? end + 1 : to;
    snprintf(title, size, "%s-%s", from, number);
}

/* A row for a track, or one for each of its lanes. */
static void add_track_rows(View *v, Row row, bool pinned)
{
    row.first = true;
    const SpansTrack *track = view_track(v, &row);
    char title[128];
    view_track_title(v, &row, title, sizeof title);
    const Choice *choice = view_choice(v, title, false);
    if ((choice && choice->pinned) != pinned || track->n_lanes == 0) return;
    if (v->filter[0] && !pinned && !strcasestr(title, v->filter)) return;
    row.pinned = pinned;
    row.tracks = 1;
    row.folded = choice && choice->folded;
    if (track->kind == SPANS_DEVICE) row.folded = !row.folded; /* a row a device, unless asked */
    uint32_t rows = row.folded ? 1 : track->n_lanes < TRACK_ROWS ? track->n_lanes : TRACK_ROWS;
    for (uint32_t i = 0; i < rows; i++) {
        row.lane = i;
        row.lanes = i + 1 == rows ? track->n_lanes - i : 1;
        row.first = i == 0;
        if (!add_row(v, row)) return;
    }
}

/* The device whose stream it is. */
static uint32_t device_of(const View *v, uint8_t side, uint32_t track)
{
    const Side *s = &v->sides[side];
    return s->trace->streams[s->spans->tracks[SPANS_BY_STREAM][track].ref].device;
}

/* Many streams: a row for so many of them, or, where it is unfolded, a row each. */
static void add_groups(View *v, uint8_t side, bool pinned)
{
    uint32_t n = v->sides[side].spans->n_tracks[SPANS_BY_STREAM];
    for (uint32_t i = 0, end; i < n; i = end) {
        uint32_t device = device_of(v, side, i), of_device = i;
        while (of_device < n && device_of(v, side, of_device) == device) of_device++;
        end = of_device - i > GROUP + GROUP / 2 ? i + GROUP : of_device;
        Row row = {.side = side, .track = i, .first = true, .group = i, .grouped = end - i};
        char title[300];
        view_group_title(v, &row, title, sizeof title);
        const Choice *choice = view_choice(v, title, false);
        bool open = choice && choice->folded; /* (a group is closed unless asked) */
        if (pinned || open || row.grouped < 2) {
            for (uint32_t k = i; k < end; k++) {
                row.track = k;
                add_track_rows(v, row, pinned);
            }
            continue;
        }
        row.tracks = row.grouped;
        row.folded = true;
        row.lanes = view_track(v, &row)->n_lanes;
        if (!add_row(v, row)) return;
    }
}

static void add_side_rows(View *v, uint8_t side, bool pinned)
{
    const Spans *s = v->sides[side].spans;
    if (v->mode == SPANS_BY_STREAM && s->n_tracks[v->mode] > MOST_STREAMS && !v->filter[0]) {
        add_groups(v, side, pinned);
    } else {
        for (uint32_t i = 0; i < s->n_tracks[v->mode]; i++)
            add_track_rows(v, (Row){.side = side, .track = i}, pinned);
    }
    for (uint32_t i = 0; i < s->n_host; i++)
        add_track_rows(v, (Row){.side = side, .host = true, .track = i}, pinned);
}

void view_make_rows(View *v)
{
    Row kept = v->row < v->n_rows ? v->rows[v->row] : (Row){0};
    v->n_rows = 0;
    for (int pinned = 1; pinned >= 0; pinned--) {
        for (uint8_t side = 0; side <= v->comparing; side++) {
            if (v->comparing && !pinned) add_row(v, (Row){.side = side, .heading = true});
            add_side_rows(v, side, pinned);
        }
    }
    v->row = 0;
    while (v->row + 1 < v->n_rows && v->rows[v->row].heading) v->row++;
    for (uint32_t i = 0; i < v->n_rows; i++) {
        const Row *r = &v->rows[i];
        bool same = r->host == kept.host && r->side == kept.side && !r->heading;
        if (!same || kept.track < r->track || kept.track >= r->track + r->tracks) continue;
        v->row = i;
        if (r->tracks > 1 || r->lane + r->lanes > kept.lane) break;
    }
}
