/* bundle.h - what one machine hands to another in a folder that both see: pieces of bytes in a file
 * that is there whole, or is as good as not there.
 *
 * A bundle is written beside its place and renamed into it, and has its length and the hash of its
 * pieces in front: one that a full disk, a dead machine or a slow network folder has cut short is
 * not read. The hash is no proof against a forger; the folder is its owner's alone. */
#ifndef THREELANE_BUNDLE_H
#define THREELANE_BUNDLE_H
#include <stdbool.h>
#include <stddef.h>
#include "common/text.h"

/* Adds a piece to a bundle that is being packed. */
void bundle_add(Text *, const void *bytes, size_t length);
void bundle_add_string(Text *, const char *); /* NULL is the same as "" */
void bundle_add_number(Text *, unsigned long long);

/* 0 or an errno. */
int bundle_write(const char *path, const Text *);

/* A bundle that is unpacked, piece by piece. */
typedef struct Bundle {
    Text bytes;
    size_t at;
    bool short_of; /* more was taken than there is */
} Bundle;

/* 0; an errno; EBADMSG: not whole. Release it either way. */
int bundle_read(Bundle *, const char *path);
void bundle_release(Bundle *);
bool bundle_ended(const Bundle *);

/* Each gives nothing and sets short_of when there is no such piece left. */
void bundle_take(Bundle *, Text *piece); /* is added to what it holds */
char *bundle_take_string(Bundle *);      /* never NULL; the caller frees */
unsigned long long bundle_take_number(Bundle *);
#endif
