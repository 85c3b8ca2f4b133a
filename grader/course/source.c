/* source.c - see source.h. */
#include "grader/course/source.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "common/text.h"

static bool has_ending(const char *path)
{
    static const char *const endings[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
        if (!strcmp(dot, endings[i])) return true;
    }
    return false;
}

static const char *reason(int error)
{
    switch (error) {
    case EISDIR: return "a folder; name the file in it";
    case EINVAL:
    case ENXIO: return "not a regular file";
    case EFBIG: return "larger than 4 MiB: this is no source file";
    default: return strerror(error);
    }
}

char *source_open(const char *path, char *error, size_t error_size)
{
    Text text = {0};
    int failed = text_read_file(&text, path, LIMIT_SUBMISSION);
    char *full = NULL;
    if (failed) snprintf(error, error_size, "%.500s: %s", path, reason(failed));
    else if (!text.length) snprintf(error, error_size, "%.500s: the file is empty", path);
    else if (memchr(text.data, 0, text.length))
        snprintf(error, error_size, "%.500s: not a text file", path);
    else if (!has_ending(path))
        snprintf(error, error_size, "%.500s: a source's name ends in .cu", path);
    else if (!(full = realpath(path, NULL)))
        snprintf(error, error_size, "%.500s: %s", path, strerror(errno));
    text_release(&text);
    return full;
}

bool source_same(const char *path, const char *other)
{
    Text a = {0}, b = {0};
    bool same = text_read_file(&a, path, LIMIT_SUBMISSION) == 0 &&
                text_read_file(&b, other, LIMIT_SUBMISSION) == 0 && a.length == b.length &&
                !memcmp(text_string(&a), text_string(&b), a.length);
    text_release(&a);
    text_release(&b);
    return same;
}
