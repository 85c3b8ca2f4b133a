#include "grader/export.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/text.h"
#include "timeline/perfetto.h"
#include "timeline/svg.h"

static int write_svg(const Trace *trace, const char *path)
{
    FILE *to = fopen(path, "we");
    int status = to ? svg_write(to, trace, &(SvgOptions){0}) : -1;
    return to && fclose(to) != 0 ? -1 : status;
}

static int write_perfetto(const Trace *trace, const char *path)
{
    FILE *to = fopen(path, "we");
    int status = to ? perfetto_write(to, trace) : -1;
    return to && fclose(to) != 0 ? -1 : status;
}

static const struct Form { const char *name, *ending; int (*write)(const Trace *, const char *path); } forms[] = {
    {"svg", "svg", write_svg},
    {"perfetto", "perfetto.json", write_perfetto},
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

bool export_write(const Trace *trace, const char *name, const char *path, char *error, size_t error_size)
{
    const struct Form *form = find(name);
    char *part = memory_format("%s.part-%ld", path, (long)getpid());
    errno = 0;
    bool ok = form && form->write(trace, part) == 0 && rename(part, path) == 0;
    if (!ok) {
        snprintf(error, error_size, "%s cannot be written: %s", path, errno ? strerror(errno) : "not enough memory");
        unlink(part);
    }
    free(part);
    return ok;
}
