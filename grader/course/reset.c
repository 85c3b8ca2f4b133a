/* reset.c - see reset.h. */
#include "grader/course/reset.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/limits.h"
#include "common/text.h"
#include "grader/course/source.h"

enum { MOST_BACKUPS = 1000 };

/* Copies bytes to a new file that did not exist before; its path in *to. 0 or an errno. */
static int back_up(const Catalogue *catalogue, const Exercise *e, const Text *bytes, char **to)
{
    char *folder = memory_format("%s/backup", catalogue->state), stamp[64];
    time_t now = time(NULL);
    struct tm local;
    int error = folder_make(folder), fd = -1;
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", localtime_r(&now, &local));
    *to = NULL;
    for (int i = 1; !error && fd < 0 && i < MOST_BACKUPS; i++) {
        free(*to);
        *to = i == 1 ? memory_format("%s/%s.cu.%s.bak", folder, e->id, stamp)
                     : memory_format("%s/%s.cu.%s-%d.bak", folder, e->id, stamp, i);
        fd = open(*to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) error = errno;
    }
    if (!error && fd < 0) error = EEXIST;
    for (size_t at = 0; !error && at < bytes->length;) {
        ssize_t n = write(fd, bytes->data + at, bytes->length - at);
        if (n < 0 && errno != EINTR) error = errno;
        if (n > 0) at += (size_t)n;
    }
    if (fd >= 0 && close(fd) != 0 && !error) error = errno;
    if (error && fd >= 0) unlink(*to); /* half a backup is none */
    free(folder);
    return error;
}

typedef struct Files {
    char *file, *starter;
    Text pristine, mine;
    bool missing;
} Files;

static void files_release(Files *files)
{
    free(files->file);
    free(files->starter);
    text_release(&files->pristine);
    text_release(&files->mine);
}

static ResetState files_read(const Exercise *e, Files *files, char *error, size_t error_size)
{
    *files = (Files){.file = exercise_file(e, ""), .starter = exercise_file(e, "starter.cu")};
    int failed = text_read_file(&files->pristine, files->starter, LIMIT_SUBMISSION);
    int unread = text_read_file(&files->mine, files->file, LIMIT_SUBMISSION);
    files->missing = unread == ENOENT;
    if (failed) {
        snprintf(error, error_size, "%s: %s", files->starter, strerror(failed));
        return RESET_BROKEN;
    }
    if (unread && !files->missing) {
        snprintf(error, error_size, "%s: %s", files->file, strerror(unread));
        return RESET_FAILED;
    }
    return !unread && source_same(files->file, files->starter) ? RESET_SAME : RESET_DONE;
}

ResetState reset_check(const Exercise *e, char *error, size_t error_size)
{
    Files files;
    ResetState state = files_read(e, &files, error, error_size);
    files_release(&files);
    return state;
}

ResetState reset_do(const Catalogue *catalogue, const Exercise *e, char **backup, char *error,
                    size_t error_size)
{
    Files files;
    *backup = NULL;
    ResetState state = files_read(e, &files, error, error_size);
    int failed = 0;
    if (state == RESET_DONE && !files.missing) {
        failed = back_up(catalogue, e, &files.mine, backup);
        if (failed) {
            snprintf(error, error_size,
                     "no backup could be written, so nothing was changed: %s/backup: %s",
                     catalogue->state, strerror(failed));
            state = RESET_FAILED;
        }
    }
    if (state == RESET_DONE) {
        failed = text_write_file(files.file, text_string(&files.pristine), files.pristine.length);
        if (failed) {
            snprintf(error, error_size, "%s: %s: nothing was changed", files.file,
                     strerror(failed));
            state = RESET_FAILED;
        }
    }
    files_release(&files);
    return state;
}
