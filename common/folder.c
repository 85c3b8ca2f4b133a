/* folder.c - see folder.h. */
#include "common/folder.h"
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include "common/text.h"

int folder_make(const char *path)
{
    char *copy = memory_copy(path);
    int error = 0;
    for (char *at = copy + 1;; at++) {
        if (*at && *at != '/') continue;
        char kept = *at;
        *at = 0;
        error = mkdir(copy, 0777) == 0 || errno == EEXIST ? 0 : errno;
        *at = kept;
        if (!kept || error) break;
    }
    struct stat about;
    if (!error && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))) error = ENOTDIR;
    free(copy);
    return error;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    remove(path);
    return 0;
}

void folder_remove(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

int folder_by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool folder_is_remote(const char *path)
{
    static const unsigned long types[] = {
        0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x786f4256,
        0x00c36400, 0x0bd00bd0, 0x5346414f, 0x73757245, 0x6b414653, 0x7461636f, 0x01161970,
    };
    struct statfs about;
    if (statfs(path, &about) != 0) return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if ((unsigned long)about.f_type % (1ull << 32) == types[i]) return true;
    }
    return false;
}
