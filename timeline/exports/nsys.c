/* nsys.c - which file it is, and what is said where SQLite was not there at build time. The work is
 * in nsys_read.c and nsys_write.c. */
#include "timeline/exports/nsys.h"
#include "timeline/exports/export.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "timeline/trace/infer.h"

bool nsys_is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char begin[sizeof magic];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool yes = fd >= 0 && read(fd, begin, sizeof begin) == sizeof begin &&
               !memcmp(begin, magic, sizeof magic);
    if (fd >= 0) close(fd);
    return yes;
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && !strcmp(path + length - tail, end);
}

Trace *nsys_open(const char *path, char *error, size_t error_size)
{
    Trace *t = nsys_is_database(path) ? nsys_read(path, error, error_size)
                                      : trace_read(path, error, error_size);
    if (!t && (ends_in(path, ".nsys-rep") || ends_in(path, ".qdrep")) && access(path, R_OK) == 0) {
        snprintf(error, error_size,
                 "%s: a report of Nsight Systems: run `nsys export --type sqlite` on it, and show "
                 "the .sqlite file",
                 path);
    }
    if (t) infer_causes(t); /* what is short of memory here only lacks the reasons */
    return t;
}

#ifdef WITHOUT_SQLITE
#define NEEDED "this threelane was built without SQLite: install libsqlite3-dev, then `make` again"

bool nsys_available(void) { return false; }

Trace *nsys_read(const char *path, char *error, size_t error_size)
{
    snprintf(error, error_size, "%s: " NEEDED, path);
    return NULL;
}

int nsys_write(FILE *out, const Trace *t, char *error, size_t error_size)
{
    (void)out;
    (void)t;
    snprintf(error, error_size, NEEDED);
    return -1;
}
#else
bool nsys_available(void) { return true; }
#endif

ExportWrite export_nsys;
int export_nsys(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)o;
    return nsys_write(to, trace, error, size);
}
