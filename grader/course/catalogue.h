/* catalogue.h - where the course is, and which exercises it has. */
#ifndef THREELANE_CATALOGUE_H
#define THREELANE_CATALOGUE_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/exercise.h"

typedef struct CatalogueEntry {
    char *id;     /* "ex43", from the folder's name */
    char *slug;   /* "ex43-overlap" */
    char *folder; /* path */
    int number;
} CatalogueEntry;

typedef struct Catalogue {
    char *root;      /* the course folder, absolute */
    char *exercises; /* usually root/exercises */
    char *lessons;
    char *state; /* progress, cache, last traces: root/.threelane, or of the installed course, which
                    is nobody's, a folder of the user's */
    bool installed;
    char *bin;               /* folder of the running command */
    CatalogueEntry *entries; /* by number */
    size_t n_entries;
} Catalogue;

/* exercises: a folder of exercises (--exercises), or NULL: $THREELANE_EXERCISES, else the course
 * that holds the current folder, else the one beside the command, else the installed one. False and
 * one line when there is none. (Of installed ones, that with solutions comes first.) */
bool catalogue_open(Catalogue *, const char *exercises, char *error, size_t error_size);
void catalogue_close(Catalogue *);

/* By "ex43", "43" or the folder's name; NULL when there is none. */
const CatalogueEntry *catalogue_find(const Catalogue *, const char *name);
/* A path as it is best shown and compiled: relative to the course folder when inside it, never
 * starting with '-'. The caller frees. */
char *catalogue_relative(const Catalogue *, const char *absolute);
#endif
