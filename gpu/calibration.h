/* calibration.h - a device model from measurements. Pure: texts and a trace in, a model out;
 * gpu/probe.cu makes them, gpu/calibrate.c runs it. */
#ifndef THREELANE_CALIBRATION_H
#define THREELANE_CALIBRATION_H
#include "sim/model/model.h"
#include "timeline/trace/trace.h"

enum { CALIBRATION_RUNS = 8, CALIBRATION_REMARKS = 160 };

typedef struct CalibrationInput {
    const char *properties; /* `probe properties`: lines of key = value */
    const char *costs[CALIBRATION_RUNS], *traced[CALIBRATION_RUNS]; /* `probe costs` in processes of
                                       their own, not traced and traced: what an undisturbed one
                                       says counts */
    int n_costs, n_traced;
    const Trace *timeline; /* `probe timeline`, recorded */
} CalibrationInput;

typedef struct Calibration {
    Model model;
    struct {
        char section[12], key[40], text[240];
    } remarks[CALIBRATION_REMARKS]; /* where each number is from */
    int n_remarks;
    char odd[4][160];
    int n_odd; /* what the model cannot say of this card */
} Calibration;

/* One of several calibrations of one card (model_combine); remarks are the first's. */
void calibration_combine(Calibration *, const Calibration *, int n);
/* False, and one line in error that names what is missing, when the input is not complete. name: of
 * the model. */
bool calibration_make(Calibration *, const char *name, const CalibrationInput *, char *error,
                      size_t error_size);
/* For model_write; user is the Calibration. */
const char *calibration_remark(void *user, const char *section, const char *key);
#endif
