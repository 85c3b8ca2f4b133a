/* workspace.h - where and with what programs are made: the tools, the cache, a folder for this
 * command. */
#ifndef THREELANE_WORKSPACE_H
#define THREELANE_WORKSPACE_H
#include <stdbool.h>
#include <stddef.h>
#include "common/hash.h"
#include "grader/box/card.h"
#include "grader/course/catalogue.h"

typedef struct Workspace {
    const Catalogue *catalogue;
    char *cache; /* kept between commands (in the course's state folder, else inside `work`) */
    char *work;  /* this command's own folder; removed by workspace_close */
    int lock;    /* held while `work` is in use: what nobody holds was left by a command that was
                    killed */
    char *tlcc;
    const Card *card; /* NULL: the virtual GPU */
    size_t parallel;  /* jobs at a time; workspace_open says: as many as there are processors */
    Hash tools;       /* compiler, runtime library and headers, or card */
    char *warning;    /* NULL, or a line about what could not be kept */
} Workspace;

/* False and one line when tlcc is not found or no folder can be written. */
bool workspace_open(Workspace *, const Catalogue *, char *error, size_t error_size);
/* From here on everything is built for this card and runs on it; it is the caller's, and outlives
 * the workspace. */
void workspace_use(Workspace *, const Card *);
void workspace_close(Workspace *);

/* The path of tlcc: named by THREELANE_TLCC, beside this command (or in the catalogue's bin), or in
 * PATH. NULL when it is nowhere; the caller frees. */
char *workspace_find_tlcc(const Catalogue *);
/* The path of a command in PATH, or NULL; the caller frees. */
char *workspace_find(const char *name);
#endif
