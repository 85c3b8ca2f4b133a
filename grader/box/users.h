/* users.h - who runs a box: root without its powers, or, for root's boxes, a user that nobody else
 * is.
 *
 * RLIMIT_NPROC counts a user's processes, and does not count root's: with a user for each box it is
 * a limit for that box alone. Such a user passes file permissions as root does, with access() as
 * with open(), and so do the programs that it starts; it may do nothing else. */
#ifndef THREELANE_BOX_USERS_H
#define THREELANE_BOX_USERS_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Is this root, and may it become others, end them and (looking) see what they map? */
bool users_possible(bool looking);
/* One that nobody has, drawn by lot: not in another box, nor in those of another command, which may
 * be in another container. 0 is no user. */
uid_t users_next(void);
/* Has this user no process, anywhere on the machine? For who may become others. */
bool users_are_free(uid_t);
/* Does the kernel refuse a process too many, of this user (0: of who calls)? Tried in a process of
 * its own. */
bool users_are_limited(uid_t);
/* Ends all that a user has, in one sweep, which nobody is born in. */
void users_end(uid_t);

/* In a child, before exec; only calls that are safe there. False: errno, or the parent is gone. */
bool users_become(uid_t);
/* The same without another user: root, too, keeps no power, nor gets any back by running a
 * program. */
bool users_drop_powers(void);
#endif
