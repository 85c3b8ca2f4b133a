/* lesson.c - see lesson.h. */
#include "grader/course/lesson.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "common/env.h"
#include "grader/box/runner.h"

enum { WIDEST = 100 };

char *program_find(const char *name)
{
    if (strchr(name, '/')) return access(name, X_OK) == 0 ? memory_copy(name) : NULL;
    char **folders = list_split(getenv(ENV_PATH), ':', NULL), *found = NULL;
    for (size_t i = 0; folders[i] && !found; i++) {
        char *path = memory_format("%s/%s", folders[i], name);
        if (folders[i][0] && access(path, X_OK) == 0) found = path;
        else free(path);
    }
    list_free(folders);
    return found;
}

/* Markdown as lowdown draws it; false when it is not installed. */
static bool draw(const LessonLook *look, const char *path, Text *text)
{
    char *lowdown = program_find("lowdown");
    if (!lowdown) return false;
    int columns = look->width < WIDEST ? look->width : WIDEST;
    char *wide = memory_format("--term-columns=%d", columns),
         *text_wide = memory_format("--term-width=%d", columns - (columns > 30 ? 4 : 0));
    char *argv[] = {lowdown,
                    memory_copy("-Tterm"),
                    wide,
                    text_wide,
                    memory_copy(look->colors ? "--term-vmargin=0" : "--term-no-ansi"),
                    memory_copy(path),
                    NULL};
    Job job = {.argv = argv, .limits = {.seconds = 10, .output_bytes = LIMIT_LESSON}};
    bool fine =
        jobs_run(&job, 1, 1) && job.end == JOB_EXITED && job.status == 0 && job.output.length;
    if (fine) text_append(text, text_string(&job.output), job.output.length);
    text_release(&job.output);
    for (size_t i = 0; argv[i]; i++) free(argv[i]);
    return fine;
}

/* Takes out lines that hold nothing but a comment of Markdown's (they tell tools about figures),
 * and a blank line after one. */
static void drop_comments(Text *text)
{
    Text kept = {0};
    bool dropped = false;
    for (const char *at = text_string(text), *end = at + text->length; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *from = at;
        stop = stop ? stop + 1 : end;
        while (from < stop && (*from == ' ' || *from == 27)) {
            if (*from == 27) from += strcspn(from, "m\n");
            if (*from != '\n') from++;
        }
        bool comment = stop - from > 4 && !strncmp(from, "<!--", 4) &&
                       memmem(from, (size_t)(stop - from), "-->", 3);
        bool blank = stop - at == 1;
        if (!comment && !(blank && dropped)) text_append(&kept, at, (size_t)(stop - at));
        dropped = comment;
        at = stop;
    }
    text_release(text);
    *text = kept;
}

static char *lesson_path(const Catalogue *catalogue, const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return memory_format("%s/%s.md", catalogue->lessons, slash ? slash + 1 : folder);
}

/* The bold words that begin the section of that name. */
char *lesson_question(const Catalogue *catalogue, const char *folder)
{
    Text raw = {0}, words = {0};
    char *path = lesson_path(catalogue, folder);
    const char *section = text_read_file(&raw, path, LIMIT_LESSON)
                              ? NULL
                              : strstr(text_string(&raw), "\n## Interview question\n");
    const char *from = section ? strstr(section, "\n**") : NULL,
               *next = section ? strstr(section + 1, "\n## ") : NULL,
               *to = from ? strstr(from + 3, "**") : NULL;
    if (to && (!next || to < next)) {
        for (const char *at = from + 3; at < to; at++)
            if (*at != '`') text_append(&words, *at == '\n' ? " " : at, 1);
    }
    text_release(&raw);
    free(path);
    return words.length ? text_take(&words) : NULL;
}

int lesson_text(const Catalogue *catalogue, const char *folder, const LessonLook *look, Text *text,
                char **path)
{
    Text raw = {0};
    *path = lesson_path(catalogue, folder);
    int failed = text_read_file(&raw, *path, LIMIT_LESSON);
    if (!failed && !(look->drawn && draw(look, *path, text)))
        text_add_shown(text, text_string(&raw), raw.length, !look->utf8);
    drop_comments(text);
    text_release(&raw);
    return failed;
}
