/* env.h - every variable of the environment that anything of ours reads or sets, each with one line
 * of meaning.
 *
 * Ours begin with THREELANE_. A name stands here and nowhere else (tests/cli/names.sh); `X=fd:N` in
 * place of a path means an open descriptor. What the course's own sources read is in
 * exercises/harness.h, with the same names. */
#ifndef THREELANE_ENV_H
#define THREELANE_ENV_H
/* a variable is one line */
/* clang-format off */

/* What a program built by tlcc looks at when it starts. */
#define ENV_MODEL        "THREELANE_MODEL"        /* the device: a model's name, or the path of an .ini; else "unit" */
#define ENV_DEVICES      "THREELANE_DEVICES"      /* a folder in which models are looked for first */
#define ENV_TRACE        "THREELANE_TRACE"        /* where the trace is written (also by the tracer of real GPUs) */
#define ENV_SEED         "THREELANE_SEED"         /* which legal schedule: 0 or not set, the canonical one */
#define ENV_EXPLORE      "THREELANE_EXPLORE"      /* FIRST:COUNT:STEP:SECONDS:STEM: many schedules (sim/process/seeds.c) */
#define ENV_CHECK        "THREELANE_CHECK"        /* which hazards are looked for (sim/hazard/HAZARDS.md) */
#define ENV_CHECK_JSON   "THREELANE_CHECK_JSON"   /* where the hazards are written as JSON */
#define ENV_ACCESSES     "THREELANE_ACCESSES"     /* "all", or how many accesses of kernels are looked at before samples are taken (sim/light/budget.h) */
#define ENV_INSIDE       "THREELANE_INSIDE"       /* NAME,NAME*: what happens within these kernels is found out (sim/exec/inside.h) */
#define ENV_OUTCOME      "THREELANE_OUTCOME"      /* where it is written how it ended, and why (grader/box/outcome.h) */
#define ENV_SOURCES      "THREELANE_SOURCES"      /* the folder from which sources are looked for, for names in messages */
#define ENV_CORES        "THREELANE_CORES"        /* how many processors a long kernel may use with --plain; else all. N:always: every kernel, at once */
#define ENV_COSTS        "THREELANE_COSTS"        /* "traced": calls cost what they cost while a real GPU is traced */
#define ENV_KERNELS      "THREELANE_KERNELS"      /* a trace from which kernels take how long they last */
#define ENV_WHATIF       "THREELANE_WHATIF"       /* which calls are made otherwise than the program makes them (sim/whatif/whatif.h) */
#define ENV_LOG          "THREELANE_LOG"          /* where the calls are written that a player can make again */
#define ENV_PLAY         "THREELANE_PLAY"         /* the log that a player makes again */
#define ENV_PLAY_SOURCE  "THREELANE_PLAY_SOURCE"  /* the file that a player's messages name */

/* What an exercise's harness looks at (exercises/harness.h). */
#define ENV_INPUT        "THREELANE_INPUT"        /* which random input */
#define ENV_RESULTS      "THREELANE_RESULTS"      /* where results are written */
#define ENV_VALUES       "THREELANE_VALUES"       /* where values are written */

/* What the commands look at. */
#define ENV_HOME         "THREELANE_HOME"         /* the folder of include/ and libthreelane.a */
#define ENV_TLCC         "THREELANE_TLCC"         /* the compiler driver, where it is not found by itself */
#define ENV_CXX          "THREELANE_CXX"          /* the C++ compiler that tlcc calls */
#define ENV_EXERCISES    "THREELANE_EXERCISES"    /* the folder of the course */
#define ENV_SANDBOX      "THREELANE_SANDBOX"      /* "landlock" or "namespaces": the box that is tried, and no other */
#define ENV_POLL         "THREELANE_POLL"         /* any value: watch looks at the file's time instead of being told */
#define ENV_TRACER       "THREELANE_TRACER"       /* the library that records on a real GPU */
#define ENV_CUPTI        "THREELANE_CUPTI"        /* the folder of NVIDIA's libcupti, or the library */

/* What the scripts in gpu/ look at (`make test-gpu`), and what tells tests and scripts which tool is meant. */
#define ENV_THREELANE    "THREELANE"              /* the `threelane` that is meant */
#define ENV_OUT          "THREELANE_OUT"          /* a folder that keeps what each program printed */
#define ENV_CARD         "THREELANE_CARD"         /* which card, from 0 */
#define ENV_ROUNDS       "THREELANE_ROUNDS"       /* how often each solution is run */
#define ENV_WRONG        "THREELANE_WRONG"        /* any value: the wrong variants, too */
#define ENV_RIGHT        "THREELANE_RIGHT"        /* any value: the other right variants, too */

/* Other people's. */
#define ENV_PATH               "PATH"
#define ENV_USER_HOME          "HOME"
#define ENV_USER_STATE         "XDG_STATE_HOME"    /* where programs keep what they remember (~/.local/state) */
#define ENV_TMPDIR             "TMPDIR"
#define ENV_TERM               "TERM"
#define ENV_COLUMNS            "COLUMNS"
#define ENV_NO_COLOR           "NO_COLOR"          /* any value: no colours */
#define ENV_PAGER              "PAGER"
#define ENV_LESS               "LESS"              /* options of the pager */
#define ENV_LIBRARY_PATH       "LD_LIBRARY_PATH"
#define ENV_USER_CXX           "CXX"
#define ENV_USER_CC            "CC"
#define ENV_GCC_EXEC_PREFIX    "GCC_EXEC_PREFIX"   /* where g++ looks for what it runs */
#define ENV_COMPILER_PATH      "COMPILER_PATH"
#define ENV_CPATH              "CPATH"
#define ENV_C_INCLUDE_PATH     "C_INCLUDE_PATH"
#define ENV_CPLUS_INCLUDE_PATH "CPLUS_INCLUDE_PATH"
#define ENV_NVCC               "NVCC"              /* the compiler for a real GPU */
#define ENV_NVCC_PREPEND       "NVCC_PREPEND_FLAGS"
#define ENV_NVCC_APPEND        "NVCC_APPEND_FLAGS"
#define ENV_NVCC_CCBIN         "NVCC_CCBIN"
#define ENV_CUDA_INJECTION     "CUDA_INJECTION64_PATH"  /* the library that CUDA loads to be watched */
#define ENV_NVTX_INJECTION     "NVTX_INJECTION64_PATH"
#define ENV_CUDA_HOME          "CUDA_HOME"         /* the CUDA Toolkit */
#define ENV_CUDA_PATH          "CUDA_PATH"         /* so, too */
#define ENV_CUDA_VISIBLE       "CUDA_VISIBLE_DEVICES"
#define ENV_CUDA_ORDER         "CUDA_DEVICE_ORDER"
#define ENV_CUDA_BLOCKING      "CUDA_LAUNCH_BLOCKING"
#define ENV_CUDA_QUEUES        "CUDA_DEVICE_MAX_CONNECTIONS"
#define ENV_SLURM_CPUS         "SLURM_CPUS_ON_NODE"    /* processors that the job has here */
#define ENV_SLURM_NODE         "SLURMD_NODENAME"
#define ENV_OMP_THREADS        "OMP_NUM_THREADS"
#define ENV_OMP_LEVELS         "OMP_MAX_ACTIVE_LEVELS"
#define ENV_OMP_NESTED         "OMP_NESTED"
#define ENV_OMP_SCHEDULE       "OMP_SCHEDULE"
/* clang-format on */
#endif
