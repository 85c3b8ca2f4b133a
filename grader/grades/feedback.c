/* feedback.c - what is given back to students, in one zip file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/classroom/pages.h"
#include "grader/grades/grades.h"
#ifndef WITHOUT_ZIP
#include <minizip/zip.h>

/* The folder that Moodle's download had for this student, or the student's name. */
static char *folder_of(const char *path, const char *name)
{
    size_t length = strcspn(path, "/");
    const char *mark = strstr(path, "_assignsubmission_");
    bool moodle = mark && mark < path + length;
    return moodle ? memory_format("%.*s", (int)length, path) : memory_copy(name);
}

static bool add(void *data, const char *path, const char *name, const char *exercise,
                const char *bytes, size_t length)
{
    static const int method = 8, level = 6; /* deflate */
    /* one date for all: the same class gives the same bytes */
    zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_mon = 0, .tm_year = 1980}};
    char *folder = folder_of(path, name), *member = memory_format("%s/%s.html", folder, exercise);
    bool fine =
        length < 1u << 31 &&
        zipOpenNewFileInZip(data, member, &info, NULL, 0, NULL, 0, NULL, method, level) == ZIP_OK &&
        zipWriteInFileInZip(data, bytes, (unsigned)length) == ZIP_OK;
    fine = zipCloseFileInZip(data) == ZIP_OK && fine;
    free(folder);
    free(member);
    return fine;
}

bool grades_feedback(const char *folder, Gradebook *book, char *error, size_t error_size)
{
    char *path = memory_format("%s/feedback.zip", folder),
         *begun = memory_format("%s/.feedback.zip", folder);
    zipFile zip = zipOpen64(begun, APPEND_STATUS_CREATE);
    bool fine = zip && pages_feedback(book, add, zip);
    fine = zip && zipClose(zip, NULL) == ZIP_OK && fine;
    if (fine && rename(begun, path) != 0) fine = false;
    if (!fine) {
        snprintf(error, error_size, "%.400s: %s", path, errno ? strerror(errno) : "it failed");
        unlink(begun);
    }
    free(path);
    free(begun);
    return fine;
}
#else
bool grades_feedback(const char *folder, Gradebook *book, char *error, size_t error_size)
{
    (void)folder, (void)book;
    snprintf(error, error_size,
             "--feedback: this was built without zip support (install "
             "libminizip-dev zlib1g-dev, then make)");
    return false;
}
#endif
