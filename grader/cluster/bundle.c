/* bundle.c - see bundle.h. The file: "threelane parcel 1 HASH LENGTH\n", then for each piece its
 * length, a line feed and its bytes. */
#include "grader/cluster/bundle.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/hash.h"
#include "common/limits.h"

static const char KIND[] = "threelane parcel 1";

void bundle_add(Text *to, const void *bytes, size_t length)
{
    text_printf(to, "%zu\n", length);
    text_append(to, bytes, length);
}

void bundle_add_string(Text *to, const char *string)
{
    bundle_add(to, string ? string : "", string ? strlen(string) : 0);
}

void bundle_add_number(Text *to, unsigned long long number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", number);
    bundle_add_string(to, digits);
}

static void name_of(const char *bytes, size_t length, char name[33])
{
    Hash hash = hash_start();
    hash_add(&hash, bytes, length);
    hash_name(&hash, name);
}

int bundle_write(const char *path, const Text *pieces)
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

int bundle_read(Bundle *bundle, const char *path)
{
    *bundle = (Bundle){0};
    int failed = text_read_file(&bundle->bytes, path, LIMIT_BUNDLE);
    if (failed) return failed;
    const char *bytes = text_string(&bundle->bytes), *line = strchr(bytes, '\n');
    char name[33] = "", own[33];
    unsigned long long length = 0;
    if (!line || strncmp(bytes, KIND, sizeof KIND - 1) != 0 ||
        sscanf(bytes + sizeof KIND - 1, " %32[0-9a-f] %llu", name, &length) != 2)
        return EBADMSG;
    bundle->at = (size_t)(line + 1 - bytes);
    if (bundle->bytes.length - bundle->at != length) return EBADMSG;
    name_of(line + 1, length, own);
    return strcmp(own, name) ? EBADMSG : 0;
}

void bundle_release(Bundle *bundle)
{
    text_release(&bundle->bytes);
    *bundle = (Bundle){0};
}

bool bundle_ended(const Bundle *bundle) { return bundle->at >= bundle->bytes.length; }

void bundle_take(Bundle *bundle, Text *piece)
{
    const char *from = text_string(&bundle->bytes) + bundle->at;
    size_t left = bundle->bytes.length - bundle->at;
    char *after = NULL;
    unsigned long long length = left ? strtoull(from, &after, 10) : 0;
    if (!left || *from < '0' || *from > '9' || *after != '\n' ||
        length > left - (size_t)(after + 1 - from)) {
        bundle->short_of = true;
        bundle->at = bundle->bytes.length;
        return;
    }
    text_append(piece, after + 1, length);
    bundle->at += (size_t)(after + 1 - from) + length;
}

char *bundle_take_string(Bundle *bundle)
{
    Text piece = {0};
    bundle_take(bundle, &piece);
    text_add(&piece, "");
    return text_take(&piece);
}

unsigned long long bundle_take_number(Bundle *bundle)
{
    char *digits = bundle_take_string(bundle);
    unsigned long long number = strtoull(digits, NULL, 10);
    free(digits);
    return number;
}
