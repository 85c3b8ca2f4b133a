/* plain_name.h - what a person calls a kernel, from what the compiler and its tools call it. */
#ifndef THREELANE_PLAIN_NAME_H
#define THREELANE_PLAIN_NAME_H
#include <stddef.h>

/* A function's name without namespaces, parameters, template arguments and what the compiler adds:
 * _Z5scalePfi -> scale; _ZN2ns4gainIfEEvPT_, gain<float>(float*) and ns::gain<float> -> gain. What
 * is cut off by text_size is left out. Returns text. */
const char *plain_name(const char *function, char *text, size_t text_size);
#endif
