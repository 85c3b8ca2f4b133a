/* site_internal.h - what the files of this room share. */
#ifndef THREELANE_SITE_INTERNAL_H
#define THREELANE_SITE_INTERNAL_H
#include <stdio.h>
#include "common/text.h"
#include "grader/lessons/markdown.h"
#include "grader/site/site.h"
#include "grader/site/site_table.h"

/* A lesson: with an exercise, or a page to be read before some. */
typedef struct SiteLesson {
    char *name;         /* of its file, without ".md" */
    char *title;        /* without the number */
    const char *teach;  /* a sentence */
    Exercise *exercise; /* or NULL */
    Markdown *page;
    size_t chapter;
    size_t *after, n_after; /* lessons that come before it */
    int start, length;      /* its place on the map */
} SiteLesson;

typedef struct SiteChapter {
    const char *id, *title, *about;
    size_t first, n; /* of its lessons, which stand together */
} SiteChapter;

/* The card of a call. */
typedef struct SiteCard {
    const char *name;
    char *signature; /* "cudaError_t cudaFree(void *devPtr)" */
    const SiteRow *row;
} SiteCard;

typedef struct Site {
    const Catalogue *catalogue;
    const SiteOptions *options;
    SiteTable map, calls; /* what lessons and cards point into */
    SiteLesson *lessons;  /* in the course's order */
    size_t n_lessons;
    SiteChapter *chapters;
    size_t n_chapters;
    SiteCard *cards;
    size_t n_cards;
    Text found; /* for the search: entries of an array */
    size_t n_found;
    SiteWritten written;
    char *error;
    size_t error_size;
} Site;

/* ---- site_map.c ---- */
bool site_map_read(Site *);
void site_map_release(Site *);
bool site_map_write(Site *); /* index.html */

/* ---- site_cards.c ---- */
bool site_cards_read(Site *);
void site_cards_release(Site *);
bool site_cards_write(Site *); /* calls.html */
/* "calls.html#NAME", or NULL; the caller frees. For hooks: data is the Site. */
char *site_card(void *site, const char *name);
/* Links to the cards of the calls in a source, in a paragraph; nothing when there are none. */
void site_cards_of(const Site *, const char *source, FILE *);

/* ---- site_lesson.c ---- */
bool site_lessons_write(Site *);
/* Pages of the course that are no lessons: the glossary, how to measure. */
bool site_texts_write(Site *);

/* ---- site_exercise.c ---- */
bool site_exercises_write(Site *);

/* ---- site_page.c: what stands around every page ---- */
typedef struct SitePage {
    const char *file, *title;
    const char *about;        /* a sentence for who finds the page elsewhere; NULL: none */
    const SiteLesson *lesson; /* that it belongs to: where it is in the course; NULL: none */
    const Markdown *page;     /* its sections are its contents; NULL: none */
    bool figures, wide;
    FILE *to;
    char *bytes;
    size_t size;
} SitePage;

/* Opens the page up to its <main>; NULL when memory is short. */
FILE *site_page_start(const Site *, SitePage *);
/* What comes before and after it; a file and its title, or NULL. */
typedef struct SiteNext {
    const char *file, *title;
} SiteNext;
bool site_page_finish(Site *, SitePage *, SiteNext previous, SiteNext next);

/* ---- site_search.c ---- */
/* What can be found: a page, or a part of one (id not ""). */
void site_find(Site *, const char *file, const char *id, const char *page, const char *part,
               const char *words);
void site_find_page(Site *, const char *file, const char *title, const Markdown *);
bool site_search_write(Site *);

/* ---- site.c ---- */
void site_put(FILE *, const char *text); /* escaped */
bool site_write_file(Site *, const char *name, const char *bytes, size_t length);
bool site_wrong(Site *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "41" of an exercise's lesson, else "". text: room for it. */
const char *site_number(const SiteLesson *, char text[16]);
/* Reads a file of the course; false after saying why. */
bool site_read(Site *, const char *path, Text *);
#endif
