#include "timeline/exports/export.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/text.h"

/* Every form: its name, what its files are called after the dot, whether it is no text.
 * export_NAME() in a file of this room writes it. A new form is such a file and a row here. */
#define EXPORT_FORMS(FORM)                                    \
    FORM("svg", "svg", export_svg, false)                     \
    FORM("html", "html", export_html, false)                  \
    FORM("perfetto", "perfetto.json", export_perfetto, false) \
    FORM("csv", "csv", export_csv, false)                     \
    FORM("dot", "dot", export_dot, false)                     \
    FORM("nsys-sqlite", "sqlite", export_nsys, true)

#define DECLARED(NAME, ENDING, WRITE, BINARY) ExportWrite WRITE;
EXPORT_FORMS(DECLARED)
#define ROW(NAME, ENDING, WRITE, BINARY) {NAME, ENDING, WRITE, BINARY},
static const struct Form {
    const char *name, *ending;
    ExportWrite *write;
    bool binary;
} forms[] = {EXPORT_FORMS(ROW)};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct Form *find(const char *name)
{
    for (size_t i = 0; i < FORMS; i++) {
        if (!strcmp(forms[i].name, name)) return &forms[i];
    }
    return NULL;
}

const char *export_ending(const char *name)
{
    const struct Form *form = find(name);
    return form ? form->ending : NULL;
}

bool export_is_binary(const char *name)
{
    const struct Form *form = find(name);
    return form && form->binary;
}

const char *export_forms(char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < FORMS && n < size; i++) {
        int wrote = snprintf(text + n, size - n, "%s%s",
                             i == 0           ? ""
                             : i + 1 == FORMS ? " or "
                                              : ", ",
                             forms[i].name);
        n += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

bool export_to(FILE *to, const Trace *trace, const char *name, const ExportOptions *options,
               char *error, size_t size)
{
    const struct Form *form = find(name);
    error[0] = '\0';
    errno = 0;
    if (form && form->write(to, trace, options, error, size) == 0 && fflush(to) == 0) return true;
    int failure = errno;
    if (!error[0]) snprintf(error, size, "%s", failure ? strerror(failure) : "not enough memory");
    errno = failure;
    return false;
}

bool export_write(const char *path, const Trace *trace, const char *name,
                  const ExportOptions *options, char *error, size_t size)
{
    char why[300] = "", *part = memory_format("%s.part-%ld", path, (long)getpid());
    FILE *to = fopen(part, "we");
    bool ok = to && export_to(to, trace, name, options, why, sizeof why);
    if (to && fclose(to) != 0) ok = false;
    ok = ok && rename(part, path) == 0;
    if (!ok) {
        snprintf(error, size, "%s cannot be written: %s", path, why[0] ? why : strerror(errno));
        unlink(part);
    }
    free(part);
    return ok;
}
