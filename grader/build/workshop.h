/* workshop.h - where and with what programs are made: the tools, the cache, a folder for this
 * command. */
#ifndef THREELANE_WORKSHOP_H
#define THREELANE_WORKSHOP_H
#include <stdbool.h>
#include <stddef.h>
#include "common/hash.h"
#include "grader/box/card.h"
#include "grader/course/catalogue.h"

typedef struct Workshop {
    const Catalogue *catalogue;
    char *cache; /* kept between commands (in the course's state folder, else inside `work`) */
    char *work;  /* this command's own folder; removed by workshop_close */
    int lock;    /* held while `work` is in use: what nobody holds was left by a command that was
                    killed */
    char *tlcc;
    const Card *card; /* NULL: the virtual GPU */
    size_t parallel;  /* jobs at a time; workshop_open says: as many as there are processors */
    Hash tools;       /* compiler, runtime library and headers, or card */
    char *warning;    /* NULL, or a line about what could not be kept */
} Workshop;

/* False and one line when tlcc is not found or no folder can be written. */
bool workshop_open(Workshop *, const Catalogue *, char *error, size_t error_size);
/* From here on everything is built for this card and runs on it; it is the caller's, and outlives
 * the workshop. */
void workshop_use(Workshop *, const Card *);
void workshop_close(Workshop *);

/* The path of tlcc: named by THREELANE_TLCC, beside this command (or in the catalogue's bin), or in
 * PATH. NULL when it is nowhere; the caller frees. */
char *workshop_find_tlcc(const Catalogue *);
/* The path of a command in PATH, or NULL; the caller frees. */
char *workshop_find(const char *name);
#endif
