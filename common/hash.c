/* hash.c - see hash.h. */
#include "common/hash.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = length * UINT64_C(0x9E3779B97F4A7C15), word;
    while (length >= 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        hash ^= hash >> 32;
        at += 8;
        length -= 8;
    }
    word = 0;
    memcpy(&word, at, length);
    hash = (hash ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 29;
}

Hash hash_start(void) { return (Hash){0xcbf29ce484222325u, 0x9ae16a3b2f90404fu}; }

void hash_add(Hash *hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++) {
        hash->a = (hash->a ^ at[i]) * 0x100000001b3u; /* FNV-1a */
        hash->b = (hash->b + at[i] + 1) * 0x9e3779b97f4a7c15u;
        hash->b ^= hash->b >> 29;
    }
}

void hash_add_string(Hash *hash, const char *string) { hash_add(hash, string, strlen(string) + 1); }

void hash_add_stamp(Hash *hash, const char *path)
{
    struct stat about;
    hash_add_string(hash, path);
    if (stat(path, &about) != 0) return;
    hash_add(hash, &about.st_size, sizeof about.st_size);
    hash_add(hash, &about.st_mtim, sizeof about.st_mtim);
    hash_add(hash, &about.st_ino, sizeof about.st_ino);
}

void hash_name(const Hash *hash, char name[33])
{
    snprintf(name, 33, "%016llx%016llx", (unsigned long long)hash->a, (unsigned long long)hash->b);
}
