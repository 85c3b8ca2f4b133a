/* site_map.c - the course as a map: chapters, what comes before what, and the page that draws it as
 * what it is about, a schedule. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/site/site_internal.h"

enum { LENGTH = 15 }; /* of a lesson without an exercise; of others, their XP */

/* ---- reading ---- */
static const CatalogueEntry *entry_of(const Site *s, const char *name)
{
    for (size_t i = 0; i < s->catalogue->n_entries; i++)
        if (!strcmp(s->catalogue->entries[i].slug, name)) return &s->catalogue->entries[i];
    return NULL;
}

/* By the whole name, or by what stands before its first dash: "ex43". */
static SiteLesson *find_lesson(const Site *s, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < s->n_lessons; i++) {
        const char *other = s->lessons[i].name;
        if (!strncmp(other, name, length) && (!other[length] || other[length] == '-'))
            return &s->lessons[i];
    }
    return NULL;
}

static char *without_number(const char *title)
{
    size_t digits = strspn(title, "0123456789");
    return memory_copy(digits && title[digits] == ' ' ? title + digits + 1 : title);
}

static bool add_lesson(Site *s, const SiteRow *row)
{
    Text text = {0};
    char *path = memory_format("%s/%s.md", s->catalogue->lessons, row->name), *title;
    bool fine = site_read(s, path, &text);
    free(path);
    if (!fine) return false;
    s->lessons = memory_grow(s->lessons, s->n_lessons + 1, sizeof *s->lessons);
    SiteLesson *l = &s->lessons[s->n_lessons++];
    *l = (SiteLesson){.name = memory_copy(row->name),
                      .page = markdown_read(text_string(&text), text.length),
                      .chapter = s->n_chapters - 1,
                      .length = LENGTH};
    text_release(&text);
    title = markdown_title(l->page);
    l->title = without_number(title);
    free(title);
    const CatalogueEntry *entry = entry_of(s, row->name);
    l->exercise = entry ? exercise_read(entry->folder, s->error, s->error_size) : NULL;
    if (entry && !l->exercise) return false;
    if (l->exercise) l->length = l->exercise->xp > 1 ? l->exercise->xp : 1;
    const char *own = l->exercise ? l->exercise->learned : NULL;
    l->teach = site_value(row, "teaches") ? site_value(row, "teaches") : own ? own : "";
    return true;
}

/* What has to be read before: lessons further up. */
static bool add_edges(Site *s, const SiteRow *row)
{
    SiteLesson *l = find_lesson(s, row->name);
    const char *after = site_value(row, "after");
    char **names = list_split(after ? after : "", ',', NULL);
    for (size_t i = 0; names[i]; i++) {
        SiteLesson *other = names[i][0] ? find_lesson(s, names[i]) : NULL;
        if (!names[i][0]) continue;
        if (!other || other >= l) {
            site_wrong(s, "%.300s/course.ini:%d: '%.100s' is no lesson above %.100s",
                       s->catalogue->lessons, row->line, names[i], row->name);
            list_free(names);
            return false;
        }
        l->after = memory_grow(l->after, l->n_after + 1, sizeof *l->after);
        l->after[l->n_after++] = (size_t)(other - s->lessons);
    }
    list_free(names);
    return true;
}

/* When each could begin, if a chapter were a lane and an XP a unit of time. */
static void place(Site *s)
{
    for (size_t i = 0; i < s->n_lessons; i++) {
        SiteLesson *l = &s->lessons[i];
        const SiteChapter *chapter = &s->chapters[l->chapter];
        if (i > chapter->first) l->start = l[-1].start + l[-1].length;
        for (size_t k = 0; k < l->n_after; k++) {
            const SiteLesson *before = &s->lessons[l->after[k]];
            if (before->start + before->length > l->start)
                l->start = before->start + before->length;
        }
    }
}

static bool everything_is_on_it(Site *s, const char *path)
{
    for (size_t i = 0; i < s->catalogue->n_entries; i++)
        if (!find_lesson(s, s->catalogue->entries[i].slug))
            return site_wrong(s, "%.400s: there is no [lesson %s]", path,
                              s->catalogue->entries[i].slug);
    return true;
}

bool site_map_read(Site *s)
{
    char *path = memory_format("%s/course.ini", s->catalogue->lessons);
    bool fine =
        site_table_read(&s->map, path, "title about teaches after", s->error, s->error_size);
    for (size_t i = 0; i < s->map.n && fine; i++) {
        const SiteRow *row = &s->map.rows[i];
        bool chapter = !strcmp(row->kind, "chapter"), lesson = !strcmp(row->kind, "lesson");
        if (chapter) {
            s->chapters = memory_grow(s->chapters, s->n_chapters + 1, sizeof *s->chapters);
            const char *title = site_value(row, "title"), *about = site_value(row, "about");
            s->chapters[s->n_chapters++] = (SiteChapter){.id = row->name,
                                                         .title = title ? title : row->name,
                                                         .about = about ? about : "",
                                                         .first = s->n_lessons};
        } else if (lesson && s->n_chapters) {
            fine = add_lesson(s, row);
            s->chapters[s->n_chapters - 1].n += fine;
        } else {
            fine = site_wrong(s, "%.400s:%d: [%.100s] is neither a chapter nor a lesson in one",
                              path, row->line, row->kind);
        }
    }
    for (size_t i = 0; i < s->map.n && fine; i++)
        if (!strcmp(s->map.rows[i].kind, "lesson")) fine = add_edges(s, &s->map.rows[i]);
    if (fine && !s->n_lessons) fine = site_wrong(s, "%.400s: there is no lesson in it", path);
    fine = fine && everything_is_on_it(s, path);
    if (fine) place(s);
    free(path);
    return fine;
}

void site_map_release(Site *s)
{
    for (size_t i = 0; i < s->n_lessons; i++) {
        SiteLesson *l = &s->lessons[i];
        free(l->name);
        free(l->title);
        free(l->after);
        exercise_free(l->exercise);
        markdown_free(l->page);
    }
    free(s->lessons);
    free(s->chapters);
    site_table_release(&s->map);
}

/* ---- the page ---- */
static int end_of_all(const Site *s)
{
    int end = 1;
    for (size_t i = 0; i < s->n_lessons; i++)
        if (s->lessons[i].start + s->lessons[i].length > end)
            end = s->lessons[i].start + s->lessons[i].length;
    return end;
}

static void put_edges(const Site *s, FILE *to, int end)
{
    enum { LANE = 100 };
    fprintf(to,
            "<svg class=\"edges\" viewBox=\"0 0 %d %zu\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\">\n",
            end, s->n_chapters * LANE);
    for (size_t i = 0; i < s->n_lessons; i++) {
        const SiteLesson *l = &s->lessons[i];
        for (size_t k = 0; k < l->n_after; k++) {
            const SiteLesson *from = &s->lessons[l->after[k]];
            if (from->chapter == l->chapter) continue;
            int x0 = from->start + from->length, y0 = (int)from->chapter * LANE + LANE / 2,
                y1 = (int)l->chapter * LANE + LANE / 2;
            fprintf(to, "<path class=\"f%zu t%zu\" d=\"M%d %dV%dH%d\"/>\n", l->after[k], i, x0, y0,
                    y1, l->start);
        }
    }
    fputs("</svg>\n", to);
}

/* The course drawn as what it teaches to read: a lane a chapter, and nothing begins before what it
 * needs has ended. */
static void put_schedule(const Site *s, FILE *to)
{
    char number[16];
    int end = end_of_all(s), all = 0;
    for (size_t i = 0; i < s->n_lessons; i++)
        all += s->lessons[i].exercise ? s->lessons[i].exercise->xp : 0;
    fputs("<figure class=\"map\">\n<div class=\"wide\" tabindex=\"0\"><div class=\"lanes-of\">\n"
          "<div class=\"names\">",
          to);
    for (size_t c = 0; c < s->n_chapters; c++) {
        fputs("<a href=\"#", to);
        site_put(to, s->chapters[c].id);
        fputs("\">", to);
        site_put(to, s->chapters[c].title);
        fputs("</a>", to);
    }
    fputs("</div>\n<div class=\"plot\">\n", to);
    put_edges(s, to, end);
    for (size_t c = 0; c < s->n_chapters; c++) {
        fprintf(to, "<div class=\"lane c%zu\">", c % 3);
        for (size_t i = 0; i < s->chapters[c].n; i++) {
            const SiteLesson *l = &s->lessons[s->chapters[c].first + i];
            fprintf(to, "<a data-n=\"%zu\" style=\"left:%.3f%%;width:%.3f%%\" href=\"",
                    s->chapters[c].first + i, 100.0 * l->start / end, 100.0 * l->length / end);
            site_put(to, l->name);
            fputs(".html\" title=\"", to);
            site_put(to, l->title);
            fprintf(to, "\"><b>%s</b> ", site_number(l, number));
            site_put(to, l->title);
            fputs("</a>", to);
        }
        fputs("</div>\n", to);
    }
    fputs("</div></div></div>\n<figcaption>", to);
    fprintf(
        to,
        "The course as a schedule. A lane is a chapter, an XP a unit of time, and a lesson begins "
        "when what it needs has ended. %d XP, one after the other; with somebody in every lane it "
        "would take %d.</figcaption>\n</figure>\n",
        all, end);
}

static void put_card(const Site *s, const SiteLesson *l, FILE *to)
{
    char number[16];
    fprintf(to, "<li class=\"lesson\" id=\"lesson-");
    site_put(to, l->name);
    fputs("\"><a href=\"", to);
    site_put(to, l->name);
    fprintf(to, ".html\"><b>%s</b> ", site_number(l, number));
    site_put(to, l->title);
    fputs("</a>\n<p>", to);
    site_put(to, l->teach);
    fputs("</p>\n<p class=\"dim\">", to);
    if (l->exercise) fprintf(to, "%s, %d XP", l->exercise->level, l->exercise->xp);
    else fputs("To read", to);
    for (size_t i = 0; i < l->n_after; i++) {
        const SiteLesson *before = &s->lessons[l->after[i]];
        fputs(i ? ", <a href=\"#lesson-" : " · after <a href=\"#lesson-", to);
        site_put(to, before->name);
        fputs("\">", to);
        site_put(to, before->exercise ? site_number(before, number) : before->title);
        fputs("</a>", to);
    }
    fputs("</p></li>\n", to);
}

bool site_map_write(Site *s)
{
    SitePage page = {.file = "index.html",
                     .title = "Threelane: CUDA streams by doing",
                     .about = "A course on CUDA streams with schedules that answer: lessons, "
                              "exercises, calls, words.",
                     .wide = true};
    FILE *to = site_page_start(s, &page);
    if (!to) return site_page_finish(s, &page, (SiteNext){0}, (SiteNext){0});
    fputs(
        "<div class=\"hero\"><h1>Copy in, compute, copy out: three lanes busy at once</h1>\n<p>A "
        "course on CUDA streams. You edit a short, real file, and see where every copy, kernel and "
        "callback landed on the timeline, what each one waited for, and whether the overlap that "
        "you were asked for happened. Every figure here is the recording of a program that ran: "
        "play it, or choose a block and read why it did not start earlier.</p>\n",
        to);
    fputs("<p class=\"go\"><a class=\"button\" href=\"", to);
    site_put(to, s->lessons[0].name);
    fputs(".html\">Begin</a> <code class=\"type\">make watch</code></p></div>\n", to);
    put_schedule(s, to);
    for (size_t c = 0; c < s->n_chapters; c++) {
        const SiteChapter *chapter = &s->chapters[c];
        fputs("<section class=\"chapter\"><h2 id=\"", to);
        site_put(to, chapter->id);
        fputs("\">", to);
        site_put(to, chapter->title);
        fputs("</h2>\n<p>", to);
        site_put(to, chapter->about);
        fputs("</p>\n<ul class=\"cards\">\n", to);
        for (size_t i = 0; i < chapter->n; i++) put_card(s, &s->lessons[chapter->first + i], to);
        fputs("</ul>\n</section>\n", to);
        site_find(s, page.file, chapter->id, "The course", chapter->title, chapter->about);
    }
    return site_page_finish(s, &page, (SiteNext){0}, (SiteNext){0});
}
