/* handout.h - what a job of a cluster is given and what it brings, as files in a folder that both
 * machines see.
 *
 *   FOLDER/job.sh          what every job runs
 *   FOLDER/A.I/            job I of array A:
 *       list               bundle: how to judge, and the submissions
 *       KEY                bundle: a verdict, named by what was judged
 *       refused            why this machine cannot judge
 *   FOLDER/log-NAME.I      what the job printed
 *
 * A key names all that goes into a verdict: source, attempt, exercise, tools. So it does not matter
 * which job brings it, how often, and when: one that was thought dead is welcome. */
#ifndef THREELANE_HANDOUT_H
#define THREELANE_HANDOUT_H
#include "grader/classroom/batch.h"
#include "grader/cluster/bundle.h"

enum { HANDOUT_KEY = 33 };

typedef struct HandoutItem {
    char key[HANDOUT_KEY];
    char *exercise, *fingerprint;
    unsigned attempt;
    Text source;
} HandoutItem;

/* How to judge, and what. */
typedef struct Handout {
    char *tools;  /* Batch.tools of who handed it out */
    char *folder; /* to be in: the device model may be named from there */
    char *model;  /* "": the exercises' */
    unsigned long long seed;
    size_t parallel; /* 0: by the processors of the job */
    double seconds;
    bool unsafe, card;
    HandoutItem *items;
    size_t n;
} Handout;

void handout_key(const BatchItem *, bool card, char key[HANDOUT_KEY]);

/* Packing: the head, then items. parallel: as Handout has it. */
void handout_head(Text *bundle, const Batch *, const char *folder, size_t parallel, bool card);
void handout_add(Text *bundle, const BatchItem *, const char *key);

/* False and one line. Release it either way. */
bool handout_read(Handout *, const char *path, char *error, size_t error_size);
void handout_release(Handout *);

/* A verdict. */
typedef struct Brought {
    Text source;
    char *card; /* the card's name; "": it was the virtual GPU */
    BatchJudged judged;
} Brought;
/* 0 or an errno. */
int handout_bring(const char *path, const Text *source, const char *card, const BatchJudged *);
/* False: there is none there, or not a whole one. Release it either way. */
bool handout_collect(const char *path, Brought *);
void handout_brought_release(Brought *);
#endif
