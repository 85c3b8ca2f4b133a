/* hash.h - numbers made of bytes: for tables in memory, and for names of files in a cache. Not
 * against attackers. */
#ifndef THREELANE_HASH_H
#define THREELANE_HASH_H
#include <stddef.h>
#include <stdint.h>

/* Bytes as a number: equal bytes give equal numbers in one process (not on machines of another byte
 * order). */
uint64_t hash_bytes(const void *bytes, size_t length);

/* The number of a row of values, begun with HASH_START (or with anything) and told one after the
 * other. */
#define HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* 128 bits over any number of pieces, the same everywhere: what files of a cache are named by. */
typedef struct Hash {
    uint64_t a, b;
} Hash;
Hash hash_start(void);
void hash_add(Hash *, const void *bytes, size_t length);
void hash_add_string(Hash *, const char *string); /* with its end, so that pieces cannot run
                                                     together */
/* A path, and what would not stay if the file there were another one: size, time, inode. */
void hash_add_stamp(Hash *, const char *path);
void hash_name(const Hash *, char name[33]);
#endif
