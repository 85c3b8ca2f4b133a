/* site_page.c - what stands around every page: the bar with the search, the course at the side, the
 * page's own contents, what comes before and after. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/version.h"
#include "grader/site/site_internal.h"

static const char policy[] =
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data:";

static const struct {
    const char *file, *title;
} places[] = {{"index.html", "Course"},
              {"calls.html", "Calls"},
              {"glossary.html", "Words"},
              {"measuring.html", "Measuring"}};

static void put_head(const SitePage *page, FILE *to)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          to);
    fprintf(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n<title>", policy);
    site_put(to, page->title);
    fputs(strcmp(page->file, "index.html") ? " · Threelane</title>\n" : "</title>\n", to);
    if (page->about) {
        fputs("<meta name=\"description\" content=\"", to);
        site_put(to, page->about);
        fputs("\">\n", to);
    }
    /* the mark of the course: three lanes, one step apart */
    fputs("<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' "
          "viewBox='0 0 16 16'%3E%3Cpath fill='%234a90d9' d='M1 2h7v3H1z'/%3E%3Cpath "
          "fill='%233f9f5f' d='M5 6.5h7v3H5z'/%3E%3Cpath fill='%23e0902f' d='M8 "
          "11h7v3H8z'/%3E%3C/svg%3E\">\n"
          "<script src=\"theme.js\"></script>\n"
          "<link rel=\"stylesheet\" href=\"timeline.css\">\n"
          "<link rel=\"stylesheet\" href=\"course.css\">\n"
          "<script src=\"course.js\" defer></script>\n",
          to);
    if (page->figures) fputs("<script src=\"timeline.js\" defer></script>\n", to);
    fputs("</head>\n", to);
}

static void put_bar(const SitePage *page, FILE *to)
{
    fputs(
        "<body>\n<a class=\"skip\" href=\"#content\">Skip to the text</a>\n<header class=\"bar\">\n"
        "<a class=\"brand\" href=\"index.html\"><span class=\"mark\" aria-hidden=\"true\"><i></i>"
        "<i></i><i></i></span>Threelane</a>\n<nav class=\"places\" aria-label=\"Site\">",
        to);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        fprintf(to, "<a href=\"%s\"%s>%s</a>", places[i].file,
                strcmp(page->file, places[i].file) ? "" : " aria-current=\"page\"",
                places[i].title);
    fputs("</nav>\n<div class=\"search\" role=\"search\" hidden><input type=\"search\" id=\"find\" "
          "placeholder=\"Search\" aria-label=\"Search the course\" autocomplete=\"off\" "
          "role=\"combobox\" aria-expanded=\"false\" aria-controls=\"found\" "
          "aria-autocomplete=\"list\"><kbd aria-hidden=\"true\">/</kbd><ul id=\"found\" "
          "role=\"listbox\" aria-label=\"Found\" hidden></ul></div>\n"
          "<button type=\"button\" class=\"theme\" hidden aria-label=\"Dark or light\" "
          "title=\"Dark or light\"><span aria-hidden=\"true\">◐</span></button>\n</header>\n",
          to);
}

static void put_lesson_link(const SitePage *page, const SiteLesson *lesson, FILE *to)
{
    char number[16];
    bool here = page->lesson == lesson;
    fputs("<li><a href=\"", to);
    site_put(to, lesson->name);
    fprintf(to, ".html\"%s><b>%s</b> ", here ? " aria-current=\"page\"" : "",
            site_number(lesson, number));
    site_put(to, lesson->title);
    fputs("</a></li>\n", to);
}

static void put_side(const Site *s, const SitePage *page, FILE *to)
{
    fputs("<details class=\"side\" open><summary>The course</summary>\n<nav aria-label=\"The "
          "course\">\n",
          to);
    for (size_t c = 0; c < s->n_chapters; c++) {
        const SiteChapter *chapter = &s->chapters[c];
        fputs("<h2>", to);
        site_put(to, chapter->title);
        fputs("</h2>\n<ul>\n", to);
        for (size_t i = 0; i < chapter->n; i++)
            put_lesson_link(page, &s->lessons[chapter->first + i], to);
        fputs("</ul>\n", to);
    }
    fputs("</nav>\n</details>\n", to);
}

static void put_contents(const Markdown *page, FILE *to)
{
    size_t n, shown = 0;
    MarkdownSection *sections = markdown_sections(page, &n);
    for (size_t i = 0; i < n; i++) shown += sections[i].level == 2;
    if (shown > 1) {
        fputs("<nav class=\"contents\" aria-label=\"On this page\"><h2>On this page</h2>\n<ul>\n",
              to);
        for (size_t i = 0; i < n; i++) {
            if (sections[i].level != 2) continue;
            fprintf(to, "<li><a href=\"#%s\">", sections[i].id);
            site_put(to, sections[i].name);
            fputs("</a></li>\n", to);
        }
        fputs("</ul>\n</nav>\n", to);
    }
    markdown_sections_free(sections, n);
}

FILE *site_page_start(const Site *s, SitePage *page)
{
    FILE *to = page->to = open_memstream(&page->bytes, &page->size);
    if (!to) return NULL;
    put_head(page, to);
    put_bar(page, to);
    fprintf(to, "<div class=\"page%s\">\n",
            page->wide   ? " wide-page"
            : page->page ? ""
                         : " no-contents");
    if (!page->wide) put_side(s, page, to);
    fputs("<main id=\"content\" tabindex=\"-1\">\n", to);
    return to;
}

static void put_next(FILE *to, SiteNext next, const char *class, const char *words)
{
    if (!next.file) return;
    fprintf(to, "<a class=\"%s\" rel=\"%s\" href=\"", class, class);
    site_put(to, next.file);
    fprintf(to, "\"><span>%s</span> ", words);
    site_put(to, next.title);
    fputs("</a>\n", to);
}

bool site_page_finish(Site *s, SitePage *page, SiteNext previous, SiteNext next)
{
    FILE *to = page->to;
    if (!to) return site_wrong(s, "%s", strerror(ENOMEM));
    if (previous.file || next.file) {
        fputs("<nav class=\"turn\" aria-label=\"Before and after\">\n", to);
        put_next(to, previous, "prev", "Before");
        put_next(to, next, "next", "Next");
        fputs("</nav>\n", to);
    }
    fputs("</main>\n", to);
    if (page->page && !page->wide) put_contents(page->page, to);
    fputs("</div>\n<footer class=\"foot\">Threelane " THREELANE_VERSION
          ": CUDA streams by doing, with or without a GPU. Everything here was drawn from programs "
          "that ran.</footer>\n</body>\n</html>\n",
          to);
    bool fine = fclose(to) == 0;
    page->to = NULL;
    fine = fine ? site_write_file(s, page->file, page->bytes, page->size)
                : site_wrong(s, "%s", strerror(ENOMEM));
    free(page->bytes);
    s->written.pages += fine;
    return fine;
}
