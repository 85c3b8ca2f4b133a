/* play.h - makes a program log happen: whose turn it is, what each record means, and whether what
 * it names is there.
 *
 * The order of the log is the order in which things are done: a thread does its next record when
 * all earlier ones, of whatever thread, have begun, and not before the record's virtual time. A
 * call that waits, waits for what this process's own engine does. So a log that lies about times
 * makes a program that is late, never one that is early.
 *
 * Every number, name, address and size is checked here, against what this process made itself; what
 * is wrong ends the program (player_end) with the log's line. Whatever the machine below is, it is
 * reached through play_machine.h only. */
#ifndef THREELANE_PLAY_H
#define THREELANE_PLAY_H
#include "sim/include/threelane/glue.h"
#include "sim/replay/log_parse.h"

/* Takes the log over. One at a time; play_release forgets it. */
void play_start(const Glue *, const ParsedLog *);
void play_release(void);

/* What stands before the harness's main, and what after it. */
void play_before_main(void);
void play_after_main(void);
/* The host function of that number (PlayerCall.word of the letter F) runs, in any thread. */
void play_host_function(void *number_as_pointer);
#endif
