#include "timeline/exports/export.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/text.h"
#include "timeline/exports/html.h"
#include "timeline/exports/nsys.h"
#include "timeline/exports/perfetto.h"
#include "timeline/exports/svg.h"

/* Each returns 0, or -1 with the reason in errno or, when it says more, in error. */
typedef int Write(FILE *, const Trace *, const ExportOptions *, char *error, size_t error_size);

static int svg(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)error;
    (void)size;
    return svg_write(to, trace, &(SvgOptions){.range = o->range, .by_stream = o->by_stream});
}

static int html(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)error;
    (void)size;
    /* an exercise's program is "program-" and a number in the cache, and its trace "ex43.lane" */
    enum { DIGITS = 32 };
    const char *program = trace_meta(trace, "program"), *number = "program-";
    bool numbered = program && !strncmp(program, number, strlen(number)) && strlen(program + strlen(number)) == DIGITS;
    const char *slash = o->path ? strrchr(o->path, '/') : NULL, *name = slash ? slash + 1 : o->path;
    char *title = numbered && name ? memory_format("%.*s", (int)strcspn(name, "."), name) : NULL;
    int result = html_write(to, trace, &(HtmlOptions){.range = o->range, .by_stream = o->by_stream,
                                                      .title = title && *title ? title : NULL});
    free(title);
    return result;
}

static int perfetto(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)o;
    (void)error;
    (void)size;
    return perfetto_write(to, trace);
}

static int nsys(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)o;
    return nsys_write(to, trace, error, size);
}

static const struct Form { const char *name, *ending; Write *write; } forms[] = {
    {"svg", "svg", svg},
    {"html", "html", html},
    {"perfetto", "perfetto.json", perfetto},
    {"nsys-sqlite", "sqlite", nsys},
};
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

const char *export_forms(char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < FORMS && n < size; i++) {
        int wrote = snprintf(text + n, size - n, "%s%s", i == 0 ? "" : i + 1 == FORMS ? " or " : ", ", forms[i].name);
        n += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

bool export_to(FILE *to, const Trace *trace, const char *name, const ExportOptions *options, char *error, size_t size)
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

bool export_write(const char *path, const Trace *trace, const char *name, const ExportOptions *options, char *error,
                  size_t size)
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
