/* site_search.c - what the search looks through: a script that sets one array, since a page from a
 * disk may not fetch anything. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/json.h"
#include "grader/site/site_internal.h"

enum { MOST_WORDS = 6000 }; /* of a part */

void site_find(Site *s, const char *file, const char *id, const char *page, const char *part,
               const char *words)
{
    char *bytes = NULL, *where = memory_format(id[0] ? "%s#%s" : "%s", file, id),
         *some = memory_format("%.*s", MOST_WORDS, words);
    size_t size = 0;
    FILE *to = open_memstream(&bytes, &size);
    const char *fields[] = {where, page, part, some};
    for (int i = 0; i < 4 && to; i++) {
        fputs(i ? ",\"" : "[\"", to);
        json_inside_page(to, fields[i]);
        fputc('"', to);
    }
    if (to) fputc(']', to);
    if (to && fclose(to) == 0) {
        text_add(&s->found, s->n_found++ ? ",\n" : "");
        text_append(&s->found, bytes, size);
    }
    free(bytes);
    free(where);
    free(some);
}

void site_find_page(Site *s, const char *file, const char *title, const Markdown *page)
{
    size_t n;
    MarkdownSection *sections = markdown_sections(page, &n);
    for (size_t i = 0; i < n; i++) {
        bool title_only = sections[i].level == 1;
        if (!sections[i].level && !sections[i].words[strspn(sections[i].words, " ")]) continue;
        site_find(s, file, title_only ? "" : sections[i].id, title,
                  title_only ? "" : sections[i].name, sections[i].words);
    }
    markdown_sections_free(sections, n);
}

bool site_search_write(Site *s)
{
    Text script = {0};
    text_add(&script, "window.threelaneFound([\n");
    text_append(&script, text_string(&s->found), s->found.length);
    text_add(&script, "\n]);\n");
    bool fine = site_write_file(s, "search.js", text_string(&script), script.length);
    text_release(&script);
    return fine;
}
