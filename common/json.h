/* json.h - writing JSON. Whoever of ours writes JSON writes its texts with these.
 *
 * A text may hold anything: what is not UTF-8, or acts on a line instead of showing something,
 * becomes U+FFFD, control characters are escaped, so what comes out is always JSON. Nothing here
 * allocates or fails; errors are the stream's. */
#ifndef THREELANE_JSON_H
#define THREELANE_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A string, in its quotes. json_text: null for NULL. */
void json_bytes(FILE *, const char *bytes, size_t length);
void json_text(FILE *, const char *text);

/* The inside of a string, for a <script> in a page: no < > & reaches the page, or "</script>" would
 * end it. */
void json_inside_page(FILE *, const char *text);

/* Objects and arrays, written as they come; commas are the writer's business. A key is NULL inside
 * an array.
 *
 *     Json json = {.to = file};
 *     json_open(&json, NULL, '{');
 *     json_put_text(&json, "name", "K0");
 *     json_open(&json, "lines", '[');
 *     json_put_number(&json, NULL, 21);
 *     json_close(&json, ']');
 *     json_close(&json, '}');                   {"name":"K0","lines":[21]}
 */
typedef struct Json {
    FILE *to;
    bool more; /* something stands before: the next one needs a comma */
    bool line; /* the next one begins a line (json_line) */
} Json;

void json_open(Json *, const char *key, char bracket);
void json_close(Json *, char bracket);
void json_line(Json *);
void json_put_text(Json *, const char *key, const char *text); /* NULL: null */
void json_put_bytes(Json *, const char *key, const char *bytes, size_t length);
void json_put_number(Json *, const char *key, long long number);
void json_put_count(Json *, const char *key, unsigned long long count);
void json_put_flag(Json *, const char *key, bool flag);
#endif
