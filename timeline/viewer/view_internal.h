/* view_internal.h - the inside of a View, for view.c (what keys do), view_words.c (what is said of
 * a span) and view_draw.c (what it looks like). Nobody else includes it. */
#ifndef THREELANE_VIEW_INTERNAL_H
#define THREELANE_VIEW_INTERNAL_H
#include "timeline/trace/analysis.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/critical_path.h"
#include "timeline/pictures/spans.h"
#include "timeline/viewer/view.h"

enum {
    ZOOMS = 64,
    INPUT = 200,
    TITLE = 160,
    TRACK_ROWS = 6,
    JUMPS = 64,
    LINE = 700,
    PIECES = 64,
    HISTORY = 20
};

/* One run: the trace, and what is derived from it. */
typedef struct Side {
    const Trace *trace;
    Spans *spans;
    Labels *labels;
    uint32_t labelled; /* so many ops have numbers */
    uint32_t range;
    Labels *range_labels; /* what is issued in the range that is shown has its numbers */
    uint64_t origin_ns, range_end_ns; /* where the ruler begins; where the range's work ends */
    CriticalPath path;
    char title[TITLE];
    uint32_t *match, n_match; /* compare: by op, the same operation of the other side; 0: none */
    uint8_t *hazards;
    uint32_t n_hazards, hazard_ops; /* a bit per op; so many records are in it */
} Side;

/* A row shows lanes lane..lane+lanes of a track; a closed group, all lanes of `tracks` tracks. */
typedef struct Row {
    uint8_t side;
    bool host, heading, first, folded, pinned;
    uint32_t track, tracks, lane, lanes;
    uint32_t group, grouped; /* the first track of the group that it belongs to, and how many those
                                are; grouped 0: of none */
} Row;

/* A piece of the window, drawn at one scale. Idle time that is folded is a piece of few columns. */
typedef struct Piece {
    uint64_t from_ns, to_ns;
    int x, columns;
    bool idle;
} Piece;

/* What the reader has done to a track, by its title: it survives another run. */
typedef struct Choice {
    char title[64];
    bool folded, pinned;
} Choice;

typedef struct Selected {
    uint8_t side;
    SpansWhat what;
    uint32_t id;
} Selected; /* id 0: nothing */

typedef enum Prompt { PROMPT_NONE, PROMPT_SEARCH, PROMPT_COMMAND, PROMPT_FILTER } Prompt;

typedef struct Search {
    char text[INPUT];
    bool active, backwards;
    bool inside; /* only what belongs to the range that is shown; when that has nothing, the rest */
    bool outside;
    uint64_t at, left; /* the next candidate, and how many are left */
    bool kinds[TRACE_OP_KINDS];
    uint8_t *streams;
    uint32_t n_streams;
    bool numbered;
    uint32_t number; /* the text ends in a number: "K12" */
    struct {
        const char *name;
        bool matches;
    } names[256];
} Search;

typedef struct Play {
    bool on, running;
    uint64_t head_ns;
    double rest_ns;
    double speed; /* windows in ten seconds */
    uint64_t last_ms;
    uint32_t call; /* the host's latest call at the head */
} Play;

struct View {
    Side sides[2];
    bool comparing, aligned_scale;
    SpansMode mode;
    uint64_t from_ns, to_ns; /* the window, in side 0's time; to > from */
    bool fold_idle;
    Piece pieces[PIECES]; /* of the window, from left to right; view_pieces makes them */
    int n_pieces;
    struct {
        uint64_t from_ns, to_ns, now_ns;
        uint32_t columns;
        bool fold;
    } pieces_of;
    Row *rows;
    uint32_t n_rows, room_rows;
    uint32_t row, top; /* the cursor's row; the first row shown of those not pinned */
    uint64_t cursor_ns;
    Selected selected;
    struct {
        uint64_t from_ns, to_ns;
    } zooms[ZOOMS];
    uint32_t n_zooms;
    Selected jumps[JUMPS];
    uint32_t n_jumps;
    Choice *choices;
    uint32_t n_choices;
    char filter[INPUT];
    Prompt prompt;
    char history[HISTORY][INPUT]; /* what was typed, the oldest first; `recalled` back from the end
                                   */
    uint32_t n_history, recalled;
    uint32_t count; /* the digits typed before a key */
    char input[INPUT];
    uint32_t input_length;
    char command[INPUT];
    Search search;
    bool measuring, measured;
    uint64_t measure_from_ns, measure_to_ns;
    bool show_path, show_arrows, show_help, show_hazards;
    uint32_t help_top, panel_top, next_hazard;
    bool following; /* the window goes along with a growing trace */
    bool grown;     /* it has grown since it was opened */
    bool fits;      /* the window shows everything */
    Play play;
    SpansOverlap overlap;
    bool overlap_known;
    char message[LINE];
    bool message_care;
    ViewSource *source;
    void *source_context;
    char taken[64];
    struct { /* what if: the questions that are offered */
        bool on;
        Idea ideas[IDEAS];
        uint32_t n, at, top;
        char about[LINE];
    } menu;
    Idea more_ideas[IDEAS];
    uint32_t n_more_ideas;
    bool answered; /* side 0 is the answer to a question, side 1 what ran */
    /* where things were drawn last */
    CanvasBox box;
    int picture_x, picture_columns, rows_y, n_shown, minimap_y, panel_y, panel_rows;
    uint32_t shown[256];       /* the row in each line */
    int row_lines, rows_shown; /* a row of operations has so many lines; so many rows are shown */
    bool dragging;
    uint64_t drag_from_ns;
    int drag_x;
    SpansCell *cells;
    uint32_t n_cells;
};

/* ---- view_time.c ---- */
/* The column of a time of side 0 in the picture, counted from its left edge; may lie outside. */
int view_column(const View *, uint64_t ns);
/* The time of side 0 at a column (and a part of one). */
double view_ns_at(const View *, double column);
/* The pieces of the window are right after it. */
void view_pieces(View *);
uint32_t view_columns(const View *);
/* What a lane of the row shows in each column. */
void view_cells(const View *, const Row *, uint32_t lane, SpansCell *);

/* ---- view_rows.c ---- */
const SpansTrack *view_track(const View *, const Row *);
void view_track_title(const View *, const Row *, char *title, size_t size);
/* The lanes of a row: those of its track, or of all tracks of a group. */
uint32_t view_row_lanes(const View *, const Row *);
const SpansLane *view_row_lane(const View *, const Row *, uint32_t lane);
void view_make_rows(View *);
Choice *view_choice(View *, const char *title, bool make);
void view_group_title(const View *, const Row *, char *title, size_t size);

/* ---- view.c ---- */
/* Times of one side as times of the other: the first operations stand below each other. */
uint64_t view_from_side(const View *, uint8_t side, uint64_t ns);
uint64_t view_to_side(const View *, uint8_t side, uint64_t ns);
/* The whole extent of what there is. */
void view_extent(const View *, bool with_host, uint64_t *from_ns, uint64_t *to_ns);
bool view_span_times(const View *, Selected, uint64_t *start_ns, uint64_t *end_ns);
bool view_op_hazard(const Side *, uint32_t op);
/* The labels that name an operation. */
const Labels *view_labels(const Side *, uint32_t op);
/* Where the same operation of the other run differs in kind: alone, or waited for another
 * reason. */
bool view_op_differs(const View *, uint8_t side, uint32_t op);

/* What key bindings do. */
void view_fit(View *, bool with_host);
/* All of what is compared, or of the range that is shown. */
void view_fit_compared(View *);
void view_set_window(View *, double from_ns, double to_ns);
void view_remember_window(View *);
void view_zoom(View *, double factor, uint64_t about_ns);
void view_pan(View *, double share);
void view_move_cursor(View *, double columns);
void view_move_row(View *, int by);
void view_row_in_sight(View *);
void view_select_here(View *);
bool view_go_to(View *, Selected);
void view_next_span(View *, int by);
void view_remember_jump(View *);
void view_search_start(View *, bool backwards);
void view_next_difference(View *);
void view_play_start(View *);
void view_play_step(View *, bool back);
void view_sayf(View *, bool care, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- view_whatif.c ---- */
ViewAnswer view_menu_open(View *, int);
ViewAnswer view_menu_key(View *, ScreenKey);
void view_menu_draw(View *, Canvas *, CanvasBox);

/* ---- view_words.c ---- */
typedef struct Words {
    struct Word {
        CanvasStyle style;
        int indent;
        char *text;
    } * lines;
    uint32_t n, room;
} Words;
void words_add(Words *, CanvasStyle, int indent, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void words_release(Words *);
/* The unit of the ruler. */
AnalysisUnit view_unit(const View *);
/* A time in the unit of the ruler (of the other run: in its own), counted from the first operation,
 * with as many digits as the window needs. */
const char *view_time(const View *, uint8_t side, uint64_t ns, char *text, size_t size);
const char *view_duration(const View *, uint8_t side, uint64_t ns, char *text, size_t size);
const char *view_label(const View *, Selected, char *text, size_t size);
/* All there is to say of the selected span or of the gap at the cursor, what matters most first.
 * brief: there is room for a line or two. */
void view_describe(View *, Words *, bool brief);
void view_overlap_words(View *, char *text, size_t size);
CanvasStyle view_style(const Side *, SpansWhat, uint32_t id);
/* The letter of a kind, for where there is no room for a label and no colour. */
const char *view_letter(const Side *, SpansWhat, uint32_t id);
#endif
