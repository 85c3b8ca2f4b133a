#include "sim/hazard/failed.h"
#include <stdio.h>
#include <string.h>
#include "sim/hazard/hazard_report.h"
#include "sim/hazard/alloc_origin.h"

typedef struct Failed {
    const char *name;
    int code;
    bool driver;
    TraceSite site;
} Failed;
enum { MOST = 64, NOT_PERMITTED = 800 /* by a host function: cudaErrorNotPermitted */ };
static Failed calls[MOST];
static unsigned n_calls;
static FailedWords *name_of, *meaning_of;

void failed_words(FailedWords *name, FailedWords *meaning)
{
    name_of = name;
    meaning_of = meaning;
}

void failed_call(const char *name, int code, bool driver, TraceSite site)
{
    for (unsigned i = 0; i < n_calls; i++)
        if (calls[i].site.line == site.line && calls[i].site.file == site.file &&
            calls[i].code == code)
            return;
    if (n_calls < MOST) calls[n_calls++] = (Failed){name, code, driver, site};
}

void failed_looked_at(void) { n_calls = 0; }

/* The last character before `at` that is no space, or that ends the line before; 0: none. */
static char before(const char *line, const char *at, TraceSite site)
{
    static char above[1024];
    while (at > line && (at[-1] == ' ' || at[-1] == '\t')) at--;
    if (at > line) return at[-1];
    for (unsigned up = 1; up < site.line && up < 16; up++) { /* past what says nothing */
        if (!alloc_origin_line((TraceSite){site.file, site.line - up}, above, sizeof above))
            return 0;
        char *comment = strstr(above, "//");
        if (comment) *comment = 0;
        size_t n = strcspn(above, "\n");
        while (n && strchr(" \t\r", above[n - 1])) n--;
        if (n && above[strspn(above, " \t")] != '#') return above[n - 1];
    }
    return 0;
}

static bool is_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Is what ends before `at` the head of a statement: "if (...)", "for (...)", "else"? */
static bool is_head(const char *line, const char *at)
{
    static const char *const words[] = {"if", "for", "while", "else", "do"};
    while (at > line && (at[-1] == ' ' || at[-1] == '\t')) at--;
    if (at > line && at[-1] == ')') {
        int depth = 0;
        do depth += (at[-1] == ')') - (at[-1] == '(');
        while (--at > line && depth);
        while (at > line && (at[-1] == ' ' || at[-1] == '\t')) at--;
    }
    const char *end = at;
    while (at > line && is_name(at[-1])) at--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == (size_t)(end - at) && !strncmp(at, words[i], strlen(words[i])))
            return true;
    return false;
}

/* A call stands by itself if what comes before it ends something: then its result is dropped. */
static bool is_dropped(const Failed *f, const char *line)
{
    const char *at = strstr(line, f->name);
    if (!at) return false;
    char c = before(line, at, f->site);
    return c == 0 || strchr(";{}:", c) != NULL || is_head(line, at);
}

void failed_report(void)
{
    char line[1024], headline[400];
    for (unsigned i = 0; i < n_calls && name_of; i++) {
        const Failed *f = &calls[i];
        const char *code = name_of(f->code, f->driver), *meaning = meaning_of(f->code, f->driver);
        if (!alloc_origin_line(f->site, line, sizeof line)) continue;
        bool launch = strstr(line, "<<<") != NULL;
        if (!launch && !is_dropped(f, line)) continue;
        bool inside = f->code == NOT_PERMITTED;
        if (launch)
            snprintf(headline, sizeof headline,
                     "the launch at {line2} failed with %s (%s): the kernel did not run", code,
                     meaning);
        else
            snprintf(headline, sizeof headline,
                     "%s failed with %s (%s), and nothing looks at its result", f->name, code,
                     meaning);
        hazard_report(&(HazardReport){
            .kind = launch ? HAZARD_FAILED_LAUNCH : HAZARD_FAILED_CALL,
            .headline = headline,
            .second = {.verb = launch ? "launches a kernel" : "makes the call",
                       .thread = 1,
                       .site = f->site},
            .why = inside ? "host functions must not call CUDA: neither launch, nor ask for errors"
                   : launch
                       ? "a launch returns nothing: its error is there for cudaGetLastError(), "
                         "which was not asked"
                       : "the program goes on as if it had worked",
            .fix = inside ? "make the call where the host function's stream is waited for, or put "
                            "the work into the stream after the host function"
                   : launch ? "call cudaGetLastError() after {line2}, and look at what it says"
                            : "look at what the call returns"});
    }
    n_calls = 0;
}
