/* ask.h - asks what would happen, about a trace and the program beside it: for the command, the
 * viewer and the page. */
#ifndef THREELANE_ASK_H
#define THREELANE_ASK_H
#include "grader/whatif/answer.h"
#include "timeline/trace/ideas.h"

typedef struct WhatifAsk {
    const Trace *trace;
    const char *path; /* of its file */
    uint32_t range;
    const Catalogue *catalogue; /* NULL: outside a course */
    char *const *words;         /* the changes */
    size_t n_words;
    char **argv;      /* the program, as it was given; NULL: the one beside the trace */
    const char *keep; /* where the answer's trace is left; NULL: beside the trace, if that can be */
} WhatifAsk;

typedef struct Asked {
    Rerun again;
    Question question;
    Answer answer;
    char *kept; /* where the answer's trace is; NULL: nowhere */
} Asked;

/* False and one line (empty: a signal stopped it). whatif_release in either case. */
bool whatif_ask(const WhatifAsk *, Asked *, char *error, size_t error_size);
void whatif_release(Asked *);

/* Questions about a whole run that the trace alone does not suggest: parameters, other devices.
 * At most IDEAS; none where its calls cannot be made again. */
uint32_t ask_ideas(const Trace *, const char *path, const Catalogue *, Idea *);

/* All of these at once, and what the trace suggests of the range: for a page. Those that cannot be
 * answered are left out. */
typedef struct AskedMany {
    Question questions[IDEAS];
    Answer answers[IDEAS];
    Idea ideas[IDEAS];
    size_t n;
} AskedMany;
void ask_many(const Trace *, const char *path, uint32_t range, const Catalogue *, size_t most,
              AskedMany *);
void ask_many_release(AskedMany *);
#endif
