/* site_cards.c - a card for each call of the course: its signature, who waits, what it returns,
 * which lessons and exercises have it. Signatures are those of the one table of calls. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/lessons/highlight.h"
#include "grader/site/site_internal.h"

/* ---- signatures ---- */
typedef struct Signature {
    const char *name, *parameters;
    bool text; /* it returns words */
} Signature;

#define TL_CALL(NAME, PARAMETERS, ...) {#NAME, #PARAMETERS, false},
#define TL_STREAM(NAME, PARAMETERS, ...) {#NAME, #PARAMETERS, false},
#define TL_CALL0(NAME, ...) {#NAME, "(void)", false},
#define TL_TEXT(NAME, PARAMETERS) {#NAME, #PARAMETERS, true},
static const Signature signatures[] = {
#include "sim/include/threelane/calls.def"
};

static bool of_driver(const char *name) { return strncmp(name, "cuda", 4) != 0; }

/* "cudaError_t f(int a, cudaStream_t s = 0)"; the caller frees. NULL: there is no such call. */
static char *signature_of(const char *name)
{
    static const char or_word[] = "THREELANE_OR(";
    const Signature *found = NULL;
    Text text = {0};
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (!strcmp(signatures[i].name, name)) found = &signatures[i];
    if (!found) return NULL;
    const char *type = found->text       ? "const char *"
                       : of_driver(name) ? "CUresult "
                                         : "cudaError_t ";
    text_printf(&text, "%s%s", type, name);
    for (const char *at = found->parameters; *at;) {
        const char *end = !strncmp(at, or_word, strlen(or_word)) ? strchr(at, ')') : NULL;
        if (end) {
            at += strlen(or_word);
            text_printf(&text, "= %.*s", (int)(end - at), at);
            at = end + 1;
        } else {
            text_append(&text, at++, 1);
        }
    }
    return text_take(&text);
}

/* ---- reading ---- */
/* The driver's calls come last. */
static int by_name(const void *left, const void *right)
{
    const SiteCard *a = left, *b = right;
    if (of_driver(a->name) != of_driver(b->name)) return of_driver(a->name) ? 1 : -1;
    int letters = strcasecmp(a->name, b->name);
    return letters ? letters : strcmp(a->name, b->name);
}

bool site_cards_read(Site *s)
{
    char *path = memory_format("%s/calls.ini", s->catalogue->lessons);
    bool fine = site_table_read(&s->calls, path, "signature does host order returns trap lesson",
                                s->error, s->error_size);
    s->cards = memory_get(s->calls.n + 1, sizeof *s->cards);
    for (size_t i = 0; i < s->calls.n && fine; i++) {
        const SiteRow *row = &s->calls.rows[i];
        SiteCard *card = &s->cards[s->n_cards++];
        const char *own = site_value(row, "signature");
        *card = (SiteCard){.name = row->kind, .row = row};
        card->signature = own ? memory_copy(own) : signature_of(row->kind);
        if (!card->signature)
            fine = site_wrong(s,
                              "%.400s:%d: %.100s is no call of the virtual GPU's: it needs a "
                              "signature = ...",
                              path, row->line, row->kind);
        else if (!site_value(row, "does"))
            fine = site_wrong(s, "%.400s:%d: %.100s has no does = ...", path, row->line, row->kind);
    }
    qsort(s->cards, s->n_cards, sizeof *s->cards, by_name);
    for (size_t i = 1; i < s->n_cards && fine; i++)
        if (!strcmp(s->cards[i].name, s->cards[i - 1].name))
            fine = site_wrong(s, "%.400s: there are two cards of %.100s", path, s->cards[i].name);
    free(path);
    return fine;
}

void site_cards_release(Site *s)
{
    for (size_t i = 0; i < s->n_cards; i++) free(s->cards[i].signature);
    free(s->cards);
    site_table_release(&s->calls);
}

static const SiteCard *find_card(const Site *s, const char *name)
{
    for (size_t i = 0; i < s->n_cards; i++)
        if (!strcmp(s->cards[i].name, name)) return &s->cards[i];
    return NULL;
}

char *site_card(void *site, const char *name)
{
    const Site *s = site;
    return find_card(s, name) ? memory_format("calls.html#%s", name) : NULL;
}

/* The word stands in the text, alone. */
static bool mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        char before = at > text ? at[-1] : ' ', after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
            after != '_')
            return true;
    }
    return false;
}

void site_cards_of(const Site *s, const char *source, FILE *to)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_cards; i++) {
        if (!mentions(source, s->cards[i].name)) continue;
        fputs(n++ ? " " : "<h2 id=\"calls\">Calls</h2>\n<p class=\"chips\">", to);
        fprintf(to, "<a href=\"calls.html#%s\"><code>%s</code></a>", s->cards[i].name,
                s->cards[i].name);
    }
    if (n) fputs("</p>\n", to);
}

/* ---- the page ---- */
/* Words in which `code` stands in backquotes. */
static void put_words(Site *s, const char *words, const char *but, FILE *to)
{
    bool code = false;
    Text part = {0};
    for (const char *at = words;; at++) {
        if (*at != '`' && *at) {
            text_append(&part, at, 1);
            continue;
        }
        bool other = code && strcmp(text_string(&part), but) && find_card(s, text_string(&part));
        if (other) fprintf(to, "<a href=\"#%s\">", text_string(&part));
        if (code) fputs("<code>", to);
        site_put(to, text_string(&part));
        if (code) fputs("</code>", to);
        if (other) fputs("</a>", to);
        text_clear(&part);
        code = !code;
        if (!*at) break;
    }
    text_release(&part);
}

static void put_fact(Site *s, const SiteCard *card, const char *key, const char *name, FILE *to)
{
    const char *value = site_value(card->row, key);
    if (!value) return;
    fprintf(to, "<dt>%s</dt><dd>", name);
    put_words(s, value, card->name, to);
    fputs("</dd>\n", to);
}

/* What a student has, or writes, has it. */
static bool exercise_has(Site *s, const Exercise *e, const char *name)
{
    static const char *const files[] = {"starter.cu", "solution.cu"};
    bool has = false;
    for (int i = 0; i < 2 && !has; i++) {
        Text text = {0};
        char *path = exercise_file(e, files[i]);
        if (access(path, R_OK) == 0 && site_read(s, path, &text))
            has = mentions(text_string(&text), name);
        text_release(&text);
        free(path);
    }
    return has;
}

static bool lesson_has(const SiteLesson *l, const char *name)
{
    size_t n;
    bool has = false;
    MarkdownSection *sections = markdown_sections(l->page, &n);
    for (size_t i = 0; i < n && !has; i++) has = mentions(sections[i].words, name);
    markdown_sections_free(sections, n);
    return has;
}

static void put_uses(Site *s, const SiteCard *card, FILE *to)
{
    size_t n = 0;
    for (int exercises = 0; exercises < 2; exercises++, n = 0) {
        for (size_t i = 0; i < s->n_lessons; i++) {
            const SiteLesson *l = &s->lessons[i];
            char number[16];
            bool has = exercises ? l->exercise && exercise_has(s, l->exercise, card->name)
                                 : lesson_has(l, card->name);
            if (!has) continue;
            if (!n++) fprintf(to, "<dt>%s</dt><dd>", exercises ? "exercises" : "lessons");
            else fputs(", ", to);
            fprintf(to, "<a href=\"%s.html\">", exercises ? l->exercise->id : l->name);
            site_put(to, l->exercise ? site_number(l, number) : l->title);
            fputs("</a>", to);
        }
        if (n) fputs("</dd>\n", to);
    }
}

static void put_card(Site *s, const SiteCard *card, FILE *to)
{
    fprintf(
        to,
        "<section class=\"card\" id=\"%s\">\n<h2>%s <a class=\"here\" href=\"#%s\" "
        "aria-label=\"Link to this call\">#</a></h2>\n<pre class=\"code\" tabindex=\"0\"><code>",
        card->name, card->name, card->name);
    highlight_cuda(to, card->signature, NULL, NULL);
    fputs("</code></pre>\n<p>", to);
    put_words(s, site_value(card->row, "does"), card->name, to);
    fputs("</p>\n<dl>", to);
    put_fact(s, card, "host", "the host", to);
    put_fact(s, card, "order", "on the device", to);
    put_fact(s, card, "returns", "returns", to);
    put_fact(s, card, "trap", "the trap", to);
    put_uses(s, card, to);
    fputs("</dl>\n</section>\n", to);
    site_find(s, "calls.html", card->name, card->name, "Calls", site_value(card->row, "does"));
}

bool site_cards_write(Site *s)
{
    SitePage page = {.file = "calls.html",
                     .title = "The calls of the course",
                     .about =
                         "Each CUDA call of the course: signature, who waits, what it returns."};
    FILE *to = site_page_start(s, &page);
    if (to) {
        fputs(
            "<article class=\"calls\">\n<h1>The calls of the course</h1>\n<p>What each one does, "
            "whether the host waits in it, where it stands in the order of the device, and what it "
            "is commonly mistaken for. The signatures are those that the virtual GPU is built "
            "from.</p>\n<p class=\"chips\">",
            to);
        for (size_t i = 0; i < s->n_cards; i++)
            fprintf(to, "<a href=\"#%s\"><code>%s</code></a> ", s->cards[i].name, s->cards[i].name);
        fputs("</p>\n", to);
        for (size_t i = 0; i < s->n_cards; i++) put_card(s, &s->cards[i], to);
        fputs("</article>\n", to);
    }
    return site_page_finish(s, &page, (SiteNext){0}, (SiteNext){0});
}
