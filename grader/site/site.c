/* site.c - see site.h. */
#include "grader/site/site.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "common/folder.h"
#include "common/limits.h"
#include "common/markup.h"
#include "grader/site/site_internal.h"
#include "timeline/exports/html.h"

/* site_files.S */
extern const char site_css[], site_js[], site_theme[];

void site_put(FILE *to, const char *text) { markup_write(to, text ? text : ""); }

bool site_wrong(Site *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!s->error[0]) vsnprintf(s->error, s->error_size, format, arguments);
    va_end(arguments);
    return false;
}

bool site_read(Site *s, const char *path, Text *text)
{
    int failed = text_read_file(text, path, LIMIT_LESSON);
    return failed ? site_wrong(s, "%.400s: %s", path, strerror(failed)) : true;
}

const char *site_number(const SiteLesson *lesson, char text[16])
{
    snprintf(text, 16, "%d", lesson->exercise ? lesson->exercise->number : 0);
    return lesson->exercise ? text : "";
}

bool site_write_file(Site *s, const char *name, const char *bytes, size_t length)
{
    char *path = memory_format("%s/%s", s->options->folder, name);
    int failed = text_write_file(path, bytes, length);
    if (failed) site_wrong(s, "%.400s: %s", path, strerror(failed));
    free(path);
    return !failed;
}

/* What all pages share stands beside them once, the timeline's code too. */
static bool write_shared(Site *s)
{
    char *bytes[2] = {0};
    size_t sizes[2];
    bool fine = true;
    for (int i = 0; i < 2 && fine; i++) {
        FILE *to = open_memstream(&bytes[i], &sizes[i]);
        fine = to && (i ? html_write_js(to) : html_write_css(to)) == 0;
        fine = (!to || fclose(to) == 0) && fine;
        if (!fine) site_wrong(s, "%s", strerror(ENOMEM));
    }
    fine = fine && site_write_file(s, "timeline.css", bytes[0], sizes[0]) &&
           site_write_file(s, "timeline.js", bytes[1], sizes[1]) &&
           site_write_file(s, "course.css", site_css, strlen(site_css)) &&
           site_write_file(s, "course.js", site_js, strlen(site_js)) &&
           site_write_file(s, "theme.js", site_theme, strlen(site_theme));
    free(bytes[0]);
    free(bytes[1]);
    return fine;
}

bool site_write(const Catalogue *catalogue, const SiteOptions *options, SiteWritten *written,
                char *error, size_t error_size)
{
    Site s = {.catalogue = catalogue, .options = options, .error = error, .error_size = error_size};
    error[0] = 0;
    int failed = folder_make(options->folder);
    if (failed) site_wrong(&s, "%.400s: %s", options->folder, strerror(failed));
    bool fine = !failed && site_map_read(&s) && site_cards_read(&s) && write_shared(&s) &&
                site_map_write(&s) && site_lessons_write(&s) && site_exercises_write(&s) &&
                site_texts_write(&s) && site_cards_write(&s) && site_search_write(&s);
    *written = s.written;
    site_cards_release(&s);
    site_map_release(&s);
    text_release(&s.found);
    return fine;
}
