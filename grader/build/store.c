/* store.c - see store.h. */
#include "grader/build/store.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/hash.h"
#include "common/limits.h"

/* How an entry begins; then come what it was made from, and the object. */
typedef struct Head {
    char magic[16];
    uint64_t of, object; /* bytes */
    Hash sum;            /* of the object */
} Head;

static const char magic[16] = "threelane part 1";

static char *place_of(const char *cache, const Text *of)
{
    Hash hash = hash_start();
    hash_add(&hash, text_string(of), of->length);
    return memory_format("%s/part-%03x", cache, (unsigned)((hash.a ^ hash.b) % STORE_PLACES));
}

static Hash sum_of(const char *object, size_t length)
{
    Hash hash = hash_start();
    hash_add(&hash, object, length);
    return hash;
}

static bool is_own_file(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid();
}

/* The object in an entry, or NULL; its length. */
static const char *find_object(const Text *entry, const Text *of, size_t *length)
{
    Head head;
    if (entry->length < sizeof head) return NULL;
    memcpy(&head, text_string(entry), sizeof head);
    const char *from = text_string(entry) + sizeof head, *object = from + of->length;
    *length = entry->length - sizeof head;
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.of != of->length ||
        *length < of->length || memcmp(from, text_string(of), of->length) != 0)
        return NULL;
    *length -= of->length;
    if (head.object != *length || !*length) return NULL;

    Hash sum = sum_of(object, *length);
    return sum.a == head.sum.a && sum.b == head.sum.b ? object : NULL;
}

bool store_take(const char *cache, const Text *of, const char *place)
{
    Text entry = {0};
    size_t length;
    char *path = place_of(cache, of);
    const char *object = NULL;
    if (is_own_file(path) &&
        text_read_file(&entry, path, sizeof(Head) + of->length + LIMIT_STORE_OBJECT) == 0)
        object = find_object(&entry, of, &length);
    bool taken = object && text_write_file(place, object, length) == 0;
    text_release(&entry);
    free(path);
    return taken;
}

void store_keep(const char *cache, const Text *of, const char *object)
{
    Text bytes = {0}, entry = {0};
    if (text_read_file(&bytes, object, LIMIT_STORE_OBJECT) == 0 && bytes.length) {
        Head head = {.of = of->length, .object = bytes.length};
        memcpy(head.magic, magic, sizeof magic);
        head.sum = sum_of(text_string(&bytes), bytes.length);
        text_append(&entry, &head, sizeof head);
        text_append(&entry, text_string(of), of->length);
        text_append(&entry, text_string(&bytes), bytes.length);
        char *path = place_of(cache, of);
        text_write_file(path, text_string(&entry), entry.length);
        free(path);
    }
    text_release(&bytes);
    text_release(&entry);
}
