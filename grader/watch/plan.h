/* plan.h - a schedule that somebody lays out by keys, before it runs: lanes from top to bottom,
 * time from left to right. Pure: files and screens are others'. */
#ifndef THREELANE_PLAN_H
#define THREELANE_PLAN_H
#include "timeline/pictures/canvas.h"
#include "timeline/pictures/prediction.h"
#include "timeline/viewer/screen.h"

enum { PLAN_LANES = 8, PLAN_TIMES = 1000 };

typedef struct Plan {
    Prediction ops; /* row PREDICTION_NONE: not put anywhere yet */
    const char *lanes[PLAN_LANES];
    int n_lanes, lane;    /* lane: the cursor's */
    uint32_t t, left;     /* the cursor's time; the first that is shown */
    char *before, *after; /* lines of the text around the rows; they stay */
    bool changed;
} Plan;

/* Lays out these operations, which are taken over; text: what was put so far (predict.txt), or
 * NULL. False and one line when the text cannot be read. plan_release in either case. */
bool plan_start(Plan *, Prediction *operations, const char *text, char *error, size_t error_size);
void plan_release(Plan *);

typedef enum PlanAnswer { PLAN_NOTHING, PLAN_DRAW, PLAN_DONE } PlanAnswer;
PlanAnswer plan_key(Plan *, ScreenKey);
void plan_draw(Plan *, Canvas *, CanvasBox);
/* As predict.txt has it; the caller frees. */
char *plan_text(const Plan *);
#endif
