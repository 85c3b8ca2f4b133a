/* worker.h - a job on a node of a cluster: judges what it was handed (handout.h), in the same boxes
 * as on one machine, and leaves a verdict for each submission as soon as it has it.
 *
 * Its compiled parts of the course are kept on the node itself, in TMPDIR: a folder of the network
 * is slow, and not every one has locks. What somebody has brought already is not judged again, so a
 * job that Slurm starts anew goes on. */
#ifndef THREELANE_WORKER_H
#define THREELANE_WORKER_H
#include "grader/course/catalogue.h"

/* stem: FOLDER/A; index: I (handout.h). The status of the command, after one line on the
 * error output when it is not 0. The catalogue's state folder is changed. */
int worker_run(Catalogue *, const char *stem, const char *index);
#endif
