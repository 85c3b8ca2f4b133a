/* roff.c - see roff.h. Only macros of man(7), which groff and mandoc both have. */
#include "common/roff/roff.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "common/version.h"

enum { LINE = 54 }; /* with escapes still below 80 */

/* What would be read as a request or an escape is not. Dashes are those that a shell takes. With
 * `wrapped`, a line that grows long goes on in the next, which means nothing in running text. */
static void put(FILE *to, const char *text, size_t length, bool begins_line, bool wrapped)
{
    bool code = false;
    int column = 0;
    for (size_t i = 0; i < length; i++, column++) {
        if (wrapped && column > LINE && text[i] == ' ') {
            fputc('\n', to);
            begins_line = true;
            column = 0;
            continue;
        }
        if (begins_line && (text[i] == '.' || text[i] == '\'')) fputs("\\&", to);
        begins_line = false;
        switch (text[i]) {
        case '\\': fputs("\\e", to); break;
        case '-': fputs("\\-", to); break;
        case '^': fputs("\\(ha", to); break;
        case '~': fputs("\\(ti", to); break;
        case '"': fputs("\\(dq", to); break;
        case '\'': fputs("\\(aq", to); break;
        case '`':
            code = !code;
            fputs(code ? "\\fB" : "\\fR", to);
            break;
        default: fputc(text[i], to);
        }
    }
    if (code) fputs("\\fR", to);
}

static void put_capitals(FILE *to, const char *text)
{
    for (; *text; text++) {
        char letter = (char)toupper((unsigned char)*text);
        put(to, &letter, 1, false, false);
    }
}

void roff_begin(FILE *to, const char *page, const char *about)
{
    fputs(".TH ", to);
    put_capitals(to, page);
    fputs(" 1 " THREELANE_DATE " \"Threelane " THREELANE_VERSION "\" \"User Commands\"\n", to);
    roff_section(to, "NAME");
    put(to, page, strlen(page), true, false);
    fputs(" \\-\n", to);
    put(to, about, strlen(about), true, true);
    fputc('\n', to);
}

void roff_section(FILE *to, const char *heading) { fprintf(to, ".SH %s\n", heading); }

static bool is_example(const char *line) { return !strncmp(line, "    ", 4); }

void roff_text(FILE *to, const char *text)
{
    bool example = false, first = true;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        const char *next = line + length + (line[length] == '\n');
        if (!length) {
            if (!example && *next && !is_example(next)) fputs(".PP\n", to);
        } else if (is_example(line)) {
            if (!example) fputs(first ? ".RS 4\n.EX\n" : ".PP\n.RS 4\n.EX\n", to);
            put(to, line + 4, length - 4, true, false);
            fputc('\n', to);
            example = is_example(next);
            if (!example) fputs(".EE\n.RE\n", to);
        } else {
            put(to, line, length, true, true);
            fputc('\n', to);
        }
        first = false;
        line = next;
    }
}

void roff_usage(FILE *to, const char *command, const char *words)
{
    fputs(".B ", to);
    put(to, command, strlen(command), false, false);
    fputc('\n', to);
    if (*words) {
        put(to, words, strlen(words), true, true);
        fputc('\n', to);
    }
}

void roff_term(FILE *to, const char *name, const char *value, const char *meaning)
{
    fputs(".TP\n\\fB", to);
    put(to, name, strlen(name), false, false);
    fputs("\\fR", to);
    if (value) {
        fputs(" \\fI", to);
        put(to, value, strlen(value), false, false);
        fputs("\\fR", to);
    }
    fputc('\n', to);
    roff_text(to, meaning);
}

void roff_see(FILE *to, const char *const *pages)
{
    roff_section(to, "SEE ALSO");
    for (; *pages; pages++) {
        fputs(".BR ", to);
        put(to, *pages, strlen(*pages), false, false);
        fputs(pages[1] ? " (1),\n" : " (1)\n", to);
    }
}
