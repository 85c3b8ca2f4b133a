/* lesson.c - see lesson.h. */
#include "grader/lessons/lesson.h"
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "grader/lessons/markdown.h"

enum { WIDEST = 100 };

/* Markdown as a terminal shows it; false when this was built without what reads it. */
static bool draw(const LessonLook *look, const Text *raw, Text *text)
{
    MarkdownLook how = {.width = look->width < WIDEST ? look->width : WIDEST,
                        .colors = look->colors,
                        .utf8 = look->utf8};
    Markdown *page = markdown_read(text_string(raw), raw->length);
    if (!page) return false;
    markdown_terminal(page, &how, text);
    markdown_free(page);
    return true;
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
        while (from < stop && *from == ' ') from++;
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
    if (!failed && !(look->drawn && draw(look, &raw, text))) {
        text_add_shown(text, text_string(&raw), raw.length, !look->utf8);
        drop_comments(text);
    }
    text_release(&raw);
    return failed;
}
