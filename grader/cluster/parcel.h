/* parcel.h - what one machine hands to another in a folder that both see: pieces of bytes in a file
 * that is there whole, or is as good as not there.
 *
 * A parcel is written beside its place and renamed into it, and has its length and the hash of its
 * pieces in front: one that a full disk, a dead machine or a slow network folder has cut short is
 * not read. The hash is no proof against a forger; the folder is its owner's alone. */
#ifndef THREELANE_PARCEL_H
#define THREELANE_PARCEL_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"

/* Adds a piece to a parcel that is being packed. */
void parcel_add(Text *, const void *bytes, size_t length);
void parcel_add_string(Text *, const char *); /* NULL is the same as "" */
void parcel_add_number(Text *, unsigned long long);

/* 0 or an errno. */
int parcel_write(const char *path, const Text *);

/* A parcel that is unpacked, piece by piece. */
typedef struct Parcel {
    Text bytes;
    size_t at;
    bool short_of; /* more was taken than there is */
} Parcel;

/* 0; an errno; EBADMSG: not whole. Release it either way. */
int parcel_read(Parcel *, const char *path);
void parcel_release(Parcel *);
bool parcel_ended(const Parcel *);

/* Each gives nothing and sets short_of when there is no such piece left. */
void parcel_take(Parcel *, Text *piece); /* is added to what it holds */
char *parcel_take_string(Parcel *);      /* never NULL; the caller frees */
unsigned long long parcel_take_number(Parcel *);
#endif
