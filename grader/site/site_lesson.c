/* site_lesson.c - lessons and other texts as pages, with their figures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/lessons/highlight.h"
#include "grader/site/site_internal.h"
#include "timeline/exports/html.h"
#include "timeline/trace/analysis.h"

/* What a page is written with. */
typedef struct Writing {
    Site *site;
    size_t figures; /* drawn on it so far */
    bool failed;
} Writing;

/* ---- links ---- */
static bool is_lesson(const Site *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->n_lessons; i++)
        if (strlen(s->lessons[i].name) == length && !strncmp(s->lessons[i].name, name, length))
            return true;
    return false;
}

static bool is_text(const char *name, size_t length)
{
    static const char *const texts[] = {"glossary", "measuring"};
    for (int i = 0; i < 2; i++)
        if (strlen(texts[i]) == length && !strncmp(texts[i], name, length)) return true;
    return false;
}

/* Lessons link to each other's files; what is not among the pages stays words. */
static char *link_to(void *data, const char *url)
{
    const Site *s = ((Writing *)data)->site;
    if (!strncmp(url, "https://", 8) || !strncmp(url, "http://", 7) || url[0] == '#')
        return memory_copy(url);
    const char *end = strstr(url, ".md");
    size_t length = end ? (size_t)(end - url) : 0;
    if (!length || (end[3] && end[3] != '#')) return NULL;
    if (!is_lesson(s, url, length) && !is_text(url, length)) return NULL;
    return memory_format("%.*s.html%s", (int)length, url, end + 3);
}

static char *card_of(void *data, const char *name)
{
    return site_card(((Writing *)data)->site, name);
}

/* ---- figures ---- */
/* What a figure shows of its trace: words as `threelane show` takes them. */
static HtmlOptions shown(const char *words, const Trace *trace)
{
    HtmlOptions options = {.figure = true};
    char **word = list_split(words, ' ', NULL);
    for (size_t i = 0; word[i]; i++) {
        if (!word[i + 1]) break;
        if (!strcmp(word[i], "--by")) options.by_stream = !strcmp(word[i + 1], "stream");
        if (!strcmp(word[i], "--range")) options.range = analysis_range_to_show(trace, word[i + 1]);
    }
    list_free(word);
    return options;
}

static Trace *figure_trace(Site *s, const char *name, Text *words)
{
    char error[500], *trace_path, *words_path;
    Trace *trace = NULL;
    if (!s->options->figures || strchr(name, '/')) return NULL;
    trace_path = memory_format("%s/%s.lane", s->options->figures, name);
    words_path = memory_format("%s/%s.show", s->options->figures, name);
    if (access(trace_path, R_OK) == 0 && !text_read_file(words, words_path, LIMIT_TEXT)) {
        for (char *at = words->data; at && *at; at++)
            if (*at == '\n') *at = ' ';
        trace = trace_read(trace_path, error, sizeof error);
        if (!trace) site_wrong(s, "%.400s", error);
    }
    free(trace_path);
    free(words_path);
    return trace;
}

static bool figure(void *data, const char *name, const char *text, FILE *to)
{
    Writing *w = data;
    Text words = {0};
    Trace *trace = figure_trace(w->site, name, &words);
    fprintf(to, "<figure class=\"figure%s\" id=\"figure-", trace ? " answers" : "");
    site_put(to, name);
    fputs("\">\n<pre class=\"lanes\" tabindex=\"0\"><code>", to);
    site_put(to, text);
    fputs("</code></pre>\n", to);
    if (trace) {
        HtmlOptions options = shown(text_string(&words), trace);
        options.title = name;
        if (html_write_part(to, trace, &options) != 0) w->failed = true;
        w->figures++;
        w->site->written.figures++;
    } else {
        w->site->written.texts++;
    }
    fputs("</figure>\n", to);
    trace_free(trace);
    text_release(&words);
    return true;
}

static const MarkdownHooks *hooks(Writing *w)
{
    static MarkdownHooks all = {.link = link_to, .card = card_of, .figure = figure};
    all.data = w;
    return &all;
}

/* ---- pages ---- */
/* The page's text goes into memory first: whether it has figures is known when it is written. */
static bool body_of(Site *s, const Markdown *page, char **bytes, size_t *size, size_t *figures)
{
    Writing w = {.site = s};
    FILE *to = open_memstream(bytes, size);
    if (to) markdown_html(page, hooks(&w), true, to);
    *figures = w.figures;
    if (!to || fclose(to) != 0 || w.failed) return site_wrong(s, "%s", strerror(ENOMEM));
    return !s->error[0];
}

static void put_title(const SiteLesson *l, FILE *to)
{
    char number[16];
    fputs("<h1>", to);
    if (l->exercise) fprintf(to, "<span class=\"number\">%s</span> ", site_number(l, number));
    site_put(to, l->title);
    fputs("</h1>\n", to);
}

static void put_task_link(const SiteLesson *l, FILE *to)
{
    if (!l->exercise) return;
    fprintf(to, "<aside class=\"task\"><h2 id=\"your-turn\">Your turn</h2><p>");
    site_put(to, l->exercise->todo);
    fprintf(to,
            "</p><p><a class=\"button\" href=\"%s.html\">Exercise %d</a> <code class=\"type\">make "
            "%s</code></p></aside>\n",
            l->exercise->id, l->exercise->number, l->exercise->id);
}

static SiteNext next_of(const Site *s, const SiteLesson *l, int step, char **file)
{
    size_t at = (size_t)(l - s->lessons), other = at + (size_t)step;
    bool there = step < 0 ? at > 0 : other < s->n_lessons;
    *file = there ? memory_format("%s.html", s->lessons[other].name) : NULL;
    return (SiteNext){*file, there ? s->lessons[other].title : NULL};
}

static bool write_lesson(Site *s, const SiteLesson *l)
{
    char *bytes = NULL, *file = memory_format("%s.html", l->name), *before, *after, number[16];
    char *title = memory_format("%s%s%s", site_number(l, number), l->exercise ? " " : "", l->title);
    size_t size = 0, figures = 0;
    bool fine = body_of(s, l->page, &bytes, &size, &figures);
    SitePage page = {.file = file,
                     .title = title,
                     .about = l->teach,
                     .lesson = l,
                     .page = l->page,
                     .figures = figures > 0};
    FILE *to = fine ? site_page_start(s, &page) : NULL;
    if (to) {
        fprintf(to, "<article>\n<p class=\"where\"><a href=\"index.html#%s\">",
                s->chapters[l->chapter].id);
        site_put(to, s->chapters[l->chapter].title);
        fputs("</a></p>\n", to);
        put_title(l, to);
        fwrite(bytes, 1, size, to);
        put_task_link(l, to);
        fputs("</article>\n", to);
    }
    SiteNext previous = next_of(s, l, -1, &before), next = next_of(s, l, 1, &after);
    fine = fine && site_page_finish(s, &page, previous, next);
    if (fine) site_find_page(s, file, title, l->page);
    free(bytes);
    free(file);
    free(title);
    free(before);
    free(after);
    return fine;
}

bool site_lessons_write(Site *s)
{
    for (size_t i = 0; i < s->n_lessons; i++)
        if (!write_lesson(s, &s->lessons[i])) return false;
    return true;
}

static bool write_text(Site *s, const char *name)
{
    Text text = {0};
    char *path = memory_format("%s/%s.md", s->catalogue->lessons, name), *bytes = NULL,
         *file = memory_format("%s.html", name), *title = NULL;
    size_t size = 0, figures = 0;
    bool fine = site_read(s, path, &text);
    Markdown *markdown = fine ? markdown_read(text_string(&text), text.length) : NULL;
    if (markdown) title = markdown_title(markdown);
    fine = markdown && body_of(s, markdown, &bytes, &size, &figures);
    SitePage page = {.file = file, .title = title, .page = markdown, .figures = figures > 0};
    FILE *to = fine ? site_page_start(s, &page) : NULL;
    if (to) {
        fprintf(to, "<article class=\"%s\">\n<h1>", name);
        site_put(to, title);
        fputs("</h1>\n", to);
        fwrite(bytes, 1, size, to);
        fputs("</article>\n", to);
    }
    fine = fine && site_page_finish(s, &page, (SiteNext){0}, (SiteNext){0});
    if (fine) site_find_page(s, file, title, markdown);
    markdown_free(markdown);
    text_release(&text);
    free(bytes);
    free(path);
    free(file);
    free(title);
    return fine;
}

bool site_texts_write(Site *s) { return write_text(s, "glossary") && write_text(s, "measuring"); }
