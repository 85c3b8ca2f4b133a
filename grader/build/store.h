/* store.h - what has been compiled, by what it was compiled from: the same hand-in, or the same
 * solution in another folder, is not compiled again.
 *
 * An entry is a file of the cache that holds, whole, what its object was made from; nothing is
 * taken from it unless that is the same byte for byte, so that no source gets the object of
 * another one, whatever their hashes are. There are STORE_PLACES names for entries, and a new entry
 * takes the place of what has its name: no number of hand-ins fills the disk. Entries are written
 * whole under another name first, so that any number of commands may read and write at the same
 * time; what is damaged, or belongs to somebody else, is no entry. Only this command writes them,
 * never what runs in a box. */
#ifndef THREELANE_STORE_H
#define THREELANE_STORE_H
#include <stdbool.h>
#include "common/text.h"

enum { STORE_PLACES = 4096 };

/* Writes the object that was made from `of` to `place`, which nobody reads yet. False: there is
 * none (or it cannot be written). */
bool store_take(const char *cache, const Text *of, const char *place);
/* Keeps the object, unless it is larger than LIMIT_STORE_OBJECT. What cannot be kept is not. */
void store_keep(const char *cache, const Text *of, const char *object);
#endif
