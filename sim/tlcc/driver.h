/* driver.h - what the compiler's driver would run.
 *
 * g++ and collect2 are programs that start programs: the two passes of a source and the link are
 * five processes more than there is work for, 7 ms of the 40 that a small program takes. What they
 * start is the same each time but for names and -D; so `tlcc --precompile` asks g++ once (-###) and
 * keeps the answers below the home. */
#ifndef THREELANE_DRIVER_H
#define THREELANE_DRIVER_H
#include "sim/rewrite/bytes.h"
#include "sim/tlcc/compiler.h"

/* Asks the compiler what it runs for a command, in which these stand for what will differ, and adds
 * that to what is to be kept. What cannot be understood is left out. */
#define DRIVER_INPUT "/dev/null" /* (files that are there) */
#define DRIVER_OUTPUT "/threelane_hole.out"
#define DRIVER_OBJECT "/dev/zero"
#define DRIVER_DEFINE "-Dthreelane_hole"
#define DRIVER_FOLDER "-Ithreelane_hole"
#define DRIVER_HEADER "threelane_hole.h" /* behind -include */
#define DRIVER_OPTION "-ffile-prefix-map=threelane_hole="
void driver_learn(const Compiler *, const Args *, Bytes *kept);
/* Writes them. False: they could not be written, and nothing is kept. */
bool driver_keep(const Compiler *, const Bytes *kept);

/* Runs what the driver would run for this command, without it. */
typedef enum DriverResult {
    DRIVER_ASK, /* nothing is known of such a command, or the compiler has changed since, or
                   what was run has failed in another way: the driver is to be asked (output and
                   errors are as they were) */
    DRIVER_DONE,
    DRIVER_REFUSED /* the compiler does not take the source, and errors has its words */
} DriverResult;
DriverResult driver_run(const Compiler *, const Args *, const Bytes *input, Bytes *output,
                        Bytes *errors);
#endif
