/* visible.h - which of a run's parameters (-DNAME=VALUE) can change what a source is compiled to.
 *
 * Pure text: what is handed in is looked at without its preprocessor, so that nothing in it can
 * mislead: a name in a comment or in a string counts as well, and where names could be made or
 * brought in from elsewhere (##, an #include that is not plainly one), all parameters count. */
#ifndef THREELANE_VISIBLE_H
#define THREELANE_VISIBLE_H
#include <stdbool.h>
#include <stddef.h>

/* Is this name, which stands between brackets, a file of the course? */
typedef bool VisibleOwn(const char *name, void *of);

/* A source and the header that it includes, without what has no meaning in them. */
typedef struct Visible {
    char *source, *header;
    bool all; /* they include something else, or make words of parts */
} Visible;

void visible_start(Visible *, const char *source, const char *header, const char *header_name,
                   VisibleOwn *own, void *of);
/* False: with any value of the parameter, given before as after, it is compiled to the same. In the
 * header `#ifndef NAME` and `#define NAME`, for who gives no value, do not count. */
bool visible_is(const Visible *, const char *parameter);
/* True: what it is compiled to depends on nothing but its text, the header, the parameters, the
 * compiler and its own headers. False where it may ask for the time or for any other file. */
bool visible_is_all(const Visible *);
void visible_release(Visible *);
#endif
