/* similar.h - which submissions of a class look like copies of one another. For a human to look at:
 * short exercises have short answers, and honest ones are alike.
 *
 * A source is a row of words (identifiers, numbers, signs, the words of comments). What counts is
 * runs of words that few have: those that also stand in the starter, the solution, the wrong
 * variants or in many submissions of the class say nothing. Two submissions are near when most of
 * the rare runs of the one with fewer are in the other as well, either word by word or, for those
 * who renamed everything, with all names the same. Pure: nothing is read or printed. */
#ifndef THREELANE_SIMILAR_H
#define THREELANE_SIMILAR_H
#include <stdbool.h>
#include <stddef.h>

typedef struct SimilarSource {
    const char *text;
    size_t length;
    bool background;
} SimilarSource; /* background: given */

typedef struct SimilarPair {
    size_t a, b;  /* indices of sources, a < b */
    int percent;  /* of the rare runs of the one with fewer */
    bool renamed; /* only with all names the same */
    char *parts;  /* "lines 12-20 are lines 14-22; ..." */
} SimilarPair;

/* The near pairs, by percent, then by index. The caller frees with similar_free. */
SimilarPair *similar_find(const SimilarSource *sources, size_t n, size_t *n_pairs);
void similar_free(SimilarPair *, size_t n);
#endif
