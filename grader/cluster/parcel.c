/* parcel.c - see parcel.h. The file: "threelane parcel 1 HASH LENGTH\n", then for each piece its
 * length, a line feed and its bytes. */
#include "grader/cluster/parcel.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"
#include "common/limits.h"

static const char KIND[] = "threelane parcel 1";

void parcel_add(Text *to, const void *bytes, size_t length)
{
    text_printf(to, "%zu\n", length);
    text_append(to, bytes, length);
}

void parcel_add_string(Text *to, const char *string)
{
    parcel_add(to, string ? string : "", string ? strlen(string) : 0);
}

void parcel_add_number(Text *to, unsigned long long number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", number);
    parcel_add_string(to, digits);
}

static void name_of(const char *bytes, size_t length, char name[33])
{
    Hash hash = hash_start();
    hash_add(&hash, bytes, length);
    hash_name(&hash, name);
}

int parcel_write(const char *path, const Text *pieces)
{
    Text all = {0};
    char name[33];
    name_of(text_string(pieces), pieces->length, name);
    text_printf(&all, "%s %s %zu\n", KIND, name, pieces->length);
    text_append(&all, text_string(pieces), pieces->length);
    int failed = text_write_file(path, text_string(&all), all.length);
    text_release(&all);
    return failed;
}

int parcel_read(Parcel *parcel, const char *path)
{
    *parcel = (Parcel){0};
    int failed = text_read_file(&parcel->bytes, path, LIMIT_PARCEL);
    if (failed) return failed;
    const char *bytes = text_string(&parcel->bytes), *line = strchr(bytes, '\n');
    char name[33] = "", own[33];
    unsigned long long length = 0;
    if (!line || strncmp(bytes, KIND, sizeof KIND - 1) != 0 ||
        sscanf(bytes + sizeof KIND - 1, " %32[0-9a-f] %llu", name, &length) != 2)
        return EBADMSG;
    parcel->at = (size_t)(line + 1 - bytes);
    if (parcel->bytes.length - parcel->at != length) return EBADMSG;
    name_of(line + 1, length, own);
    return strcmp(own, name) ? EBADMSG : 0;
}

void parcel_release(Parcel *parcel)
{
    text_release(&parcel->bytes);
    *parcel = (Parcel){0};
}

bool parcel_ended(const Parcel *parcel) { return parcel->at >= parcel->bytes.length; }

void parcel_take(Parcel *parcel, Text *piece)
{
    const char *from = text_string(&parcel->bytes) + parcel->at;
    size_t left = parcel->bytes.length - parcel->at;
    char *after = NULL;
    unsigned long long length = left ? strtoull(from, &after, 10) : 0;
    if (!left || *from < '0' || *from > '9' || *after != '\n' ||
        length > left - (size_t)(after + 1 - from)) {
        parcel->short_of = true;
        parcel->at = parcel->bytes.length;
        return;
    }
    text_append(piece, after + 1, length);
    parcel->at += (size_t)(after + 1 - from) + length;
}

char *parcel_take_string(Parcel *parcel)
{
    Text piece = {0};
    parcel_take(parcel, &piece);
    text_add(&piece, "");
    return text_take(&piece);
}

unsigned long long parcel_take_number(Parcel *parcel)
{
    char *digits = parcel_take_string(parcel);
    unsigned long long number = strtoull(digits, NULL, 10);
    free(digits);
    return number;
}
