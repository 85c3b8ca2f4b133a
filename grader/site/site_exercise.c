/* site_exercise.c - a page for each exercise: what to do, what is judged, what comes out, the file
 * that it begins with. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/lessons/highlight.h"
#include "grader/site/site_internal.h"

static void put_row(FILE *to, const char *name, const char *value)
{
    if (!value || !value[0]) return;
    fprintf(to, "<dt>%s</dt><dd>", name);
    site_put(to, value);
    fputs("</dd>", to);
}

static void put_facts(const Exercise *e, FILE *to)
{
    char text[64];
    fputs("<dl class=\"facts\">", to);
    put_row(to, "level", e->level);
    snprintf(text, sizeof text, "%d", e->xp);
    put_row(to, "XP", text);
    snprintf(text, sizeof text, "%d", exercise_points(e));
    put_row(to, "points", text);
    put_row(to, "machine", e->model);
    if (e->gpus > 1) {
        snprintf(text, sizeof text, "%d", e->gpus);
        put_row(to, "GPUs", text);
    }
    fputs("</dl>\n", to);
}

static void put_how(const Exercise *e, FILE *to)
{
    static const struct {
        const char *verb, *about;
    } lines[] = {{"", "compile, run and judge your file"},
                 {"-watch", "all in one screen, as soon as you save"},
                 {"-view", "the timeline of your last run"},
                 {"-hint", "the next hint for what is wrong"},
                 {"-reset", "start again (yours is kept)"}};
    fputs("<h2 id=\"how-to-run\">How to run it</h2>\n<dl class=\"commands\">", to);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fprintf(to, "<dt><code>make %s%s</code></dt><dd>%s</dd>\n", e->id, lines[i].verb,
                lines[i].about);
    fprintf(to,
            "<dt><code>make %s GPU=1</code></dt><dd>the same on this machine's NVIDIA GPU</dd>\n"
            "</dl>\n",
            e->id);
}

static void put_checks(const Exercise *e, FILE *to)
{
    fputs("<h2 id=\"what-is-judged\">What is judged</h2>\n<ul class=\"checks\">\n", to);
    for (size_t i = 0; i < e->n_checks; i++) {
        fprintf(to, "<li><b>%d</b> ", e->checks[i].points);
        site_put(to, e->checks[i].title);
        fputs("</li>\n", to);
    }
    fputs("</ul>\n", to);
}

/* A file of the exercise below a heading; nothing where it is not there. */
static bool put_file(Site *s, const Exercise *e, const char *file, const char *id,
                     const char *heading, bool code, FILE *to, Text *all)
{
    Text text = {0};
    char *path = exercise_file(e, file);
    bool there = access(path, R_OK) == 0, fine = !there || site_read(s, path, &text);
    if (there && fine) {
        fprintf(to, "<h2 id=\"%s\">%s</h2>\n<pre class=\"%s\" tabindex=\"0\"><code>", id, heading,
                code ? "code" : "lanes");
        if (code) highlight_cuda(to, text_string(&text), site_card, s);
        else site_put(to, text_string(&text));
        fputs("</code></pre>\n", to);
        text_append(all, text_string(&text), text.length);
    }
    text_release(&text);
    free(path);
    return fine;
}

static bool put_exercise(Site *s, const SiteLesson *l, FILE *to, Text *all)
{
    const Exercise *e = l->exercise;
    char *header = memory_format("%s.h", e->id);
    fprintf(to, "<article>\n<p class=\"where\"><a href=\"%s.html\">Lesson %d</a></p>\n", l->name,
            e->number);
    fprintf(to, "<h1><span class=\"number\">%d</span> ", e->number);
    site_put(to, e->title);
    fputs("</h1>\n", to);
    put_facts(e, to);
    fputs("<p class=\"todo\">", to);
    site_put(to, e->todo);
    fputs("</p>\n", to);
    put_how(e, to);
    put_checks(e, to);
    bool fine =
        put_file(s, e, "golden.txt", "what-comes-out", "What comes out when it is right", false, to,
                 all) &&
        put_file(s, e, "starter.cu", "the-file", "The file to edit", true, to, all) &&
        put_file(s, e, header, "what-you-may-rely-on", "What you may rely on", true, to, all) &&
        (!s->options->solutions ||
         put_file(s, e, "solution.cu", "a-solution", "A solution", true, to, all));
    site_cards_of(s, text_string(all), to);
    fputs("</article>\n", to);
    free(header);
    return fine;
}

static bool write_exercise(Site *s, const SiteLesson *l)
{
    const Exercise *e = l->exercise;
    char *file = memory_format("%s.html", e->id), *lesson = memory_format("%s.html", l->name),
         *title = memory_format("Exercise %d: %s", e->number, e->title), *after = NULL;
    const SiteLesson *end = s->lessons + s->n_lessons;
    Text all = {0};
    SitePage page = {.file = file, .title = title, .about = e->todo, .lesson = l};
    FILE *to = site_page_start(s, &page);
    bool fine = to && put_exercise(s, l, to, &all);
    SiteNext next = {0};
    for (const SiteLesson *other = l + 1; other < end && !after; other++) {
        after = memory_format("%s.html", other->name);
        next = (SiteNext){after, other->title};
    }
    fine = site_page_finish(s, &page, (SiteNext){lesson, l->title}, next) && fine;
    if (fine) site_find(s, file, "", title, "", e->todo ? e->todo : "");
    text_release(&all);
    free(file);
    free(lesson);
    free(title);
    free(after);
    return fine;
}

bool site_exercises_write(Site *s)
{
    for (size_t i = 0; i < s->n_lessons; i++)
        if (s->lessons[i].exercise && !write_exercise(s, &s->lessons[i])) return false;
    return true;
}
