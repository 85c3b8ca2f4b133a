/* control_groups.h - the kernel's control groups: what all processes of a box together may use of
 * memory and processes.
 *
 * Version 2 keeps both in one group, version 1 in two. The groups of a command are in a folder of
 * its own inside the group that it runs in; those of commands that were killed are taken away by
 * the next one. Whoever sees the groups, in whatever container, can tell the two apart: a folder
 * that is in use is locked. */
#ifndef THREELANE_CONTROL_GROUPS_H
#define THREELANE_CONTROL_GROUPS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ControlGroup {
    char *memory, *pids; /* folders; the same one with version 2 */
    unsigned processes;  /* that it may have */
    bool busy;           /* a box uses it */
    uint64_t killed;     /* control_group_killed when that began */
} ControlGroup;

typedef struct ControlGroups {
    ControlGroup *all;
    size_t n;
    char *root[2]; /* folders that the groups are in; NULL: none */
    int lock[2];   /* of each: a descriptor that says that it is in use */
} ControlGroups;

/* Makes n groups with these limits, of version 2 (unified) or 1. False, and no groups, where that
 * cannot be done. */
bool control_groups_make(ControlGroups *, size_t n, bool unified, uint64_t memory_bytes,
                         unsigned processes);
void control_groups_release(ControlGroups *);

/* Writes a word into a group's file. May be called between fork and exec. */
bool control_group_write(const char *folder, const char *file, const char *word);
/* How often the kernel has ended a process of the group for want of memory. */
uint64_t control_group_killed(const ControlGroup *);
#endif
