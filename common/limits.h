/* limits.h - how much of everything there may be: what submissions may take, and what is read of
 * what comes from outside.
 *
 * Sizes are bytes, times are seconds by the clock where it is not said otherwise. grader/GRADING.md
 * names the ones that a student can meet. */
#ifndef THREELANE_LIMITS_H
#define THREELANE_LIMITS_H

#define LIMIT_KIB(N) ((unsigned long long)(N) << 10)
#define LIMIT_MIB(N) ((unsigned long long)(N) << 20)
#define LIMIT_GIB(N) ((unsigned long long)(N) << 30)

/* ---- one run of a submission ---- */
#define LIMIT_RUN_SECONDS 10.0
#define LIMIT_RUN_CARD_SECONDS 60.0 /* a card takes seconds to begin */
#define LIMIT_RUN_MEMORY LIMIT_GIB(2)
#define LIMIT_RUN_CARD_MEMORY \
    LIMIT_GIB(16) /* the driver's own, and pinned buffers of a real card's size */
#define LIMIT_RUN_OUTPUT LIMIT_MIB(1)
#define LIMIT_RUN_FILE LIMIT_GIB(1) /* the largest file it may write: results, too */
#define LIMIT_RUN_PROCESSES 4096
#define LIMIT_CARD_GRACE_SECONDS \
    8.0 /* until a program that is asked to end has written what it recorded */
#define LIMIT_SOLUTION_SECONDS 60.0
#define LIMIT_SITES_SECONDS 30 /* looking up the source lines of a run on a card */
#define LIMIT_SITES_OUTPUT LIMIT_KIB(4)

/* ---- a sandbox: all of one box together ---- */
#define LIMIT_BOX_MEMORY LIMIT_GIB(2)
#define LIMIT_BOX_PROCESSES 64
#define LIMIT_BOX_SCRATCH LIMIT_MIB(64) /* of what a program writes there */

/* ---- compiling ---- */
#define LIMIT_COMPILE_SECONDS 120       /* sources of the course */
#define LIMIT_CHECK_COMPILE_SECONDS 600 /* threelane check: anything */
#define LIMIT_BOX_COMPILE_SECONDS 30    /* a submission, in a box */
#define LIMIT_BOX_NVCC_SECONDS 90
#define LIMIT_BOX_COMPILE_BYTES LIMIT_MIB(256) /* of what the compiler writes there */
#define LIMIT_COMPILE_OUTPUT LIMIT_MIB(1)
#define LIMIT_STORE_OBJECT                                                           \
    LIMIT_KIB(512)            /* of an object that is kept for who compiles the same \
                               */
#define LIMIT_COMPILE_SHARE 3 /* a compiler may take so many times a run's time limit */

/* ---- a log that is played (grader/TRUST.md) ---- */
#define LIMIT_LOG_BYTES LIMIT_MIB(60) /* less than LIMIT_BOX_SCRATCH: it is never the file */
#define LIMIT_LOG_RECORDS 500000u
#define LIMIT_LOG_THREADS 1024
#define LIMIT_PLAY_FILE LIMIT_MIB(512) /* of what the player writes: a trace, results, values */

/* ---- other schedules ---- */
#define LIMIT_SCHEDULES 1000000 /* most that --explore takes */
#define LIMIT_SCHEDULE_OUTPUT LIMIT_KIB(64)

/* ---- a class on a cluster (docs/slurm.md) ---- */
#define LIMIT_BUNDLE LIMIT_MIB(512) /* a file that is handed from machine to machine */
#define LIMIT_SLURM_SECONDS 60.0    /* a question to Slurm */
#define LIMIT_SLURM_OUTPUT LIMIT_MIB(16)
#define LIMIT_SLURM_ARRAY                                                   \
    1000 /* jobs in one array: MaxArraySize is 1001 where nobody changed it \
          */

/* ---- what is read ---- */
#define LIMIT_SUBMISSION LIMIT_MIB(4) /* one source that is handed in */
#define LIMIT_SOURCE LIMIT_MIB(16)    /* one source of the course, with what it includes */
#define LIMIT_TEXT LIMIT_MIB(1)    /* a report's text, a golden, a values file, an exercise.ini */
#define LIMIT_WHATIF LIMIT_MIB(64) /* which calls a question changes */
#define LIMIT_LESSON LIMIT_MIB(4)
#define LIMIT_PROGRAM_OUTPUT LIMIT_MIB(16) /* threelane check: what a program prints */
#define LIMIT_HAZARDS LIMIT_MIB(64)        /* threelane check: its report */
/* Of one student's hand-in: what goes beyond is told by name. */
#define LIMIT_INBOX_DEPTH 12 /* folders in folders */
#define LIMIT_INBOX_FILES 100000
#define LIMIT_INBOX_MEMBERS 100000 /* of one archive */
#define LIMIT_INBOX_SOURCES 1000
#define LIMIT_INBOX_LINES 20 /* that are told of what was not taken */
#endif
