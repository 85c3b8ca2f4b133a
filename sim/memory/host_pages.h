/* host_pages.h - what is known of pageable memory that copies use: which pages nobody has touched,
 * and what was copied lately. */
#ifndef THREELANE_HOST_PAGES_H
#define THREELANE_HOST_PAGES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many pages (of HOST_PAGES_BYTES) of this memory have never been touched: the system gives
 * them when they are. 0 where that cannot be found out. */
enum { HOST_PAGES_BYTES = 4096 };
uint64_t host_pages_fresh(const void *address, size_t bytes);

/* A copy reads this memory. True: so did two before it, the same bytes, which no copy has written
 * since, and between any two of these copies there were no more than `within` bytes of others. */
bool host_pages_read(const void *address, size_t bytes, uint64_t within);
/* A copy writes this memory. */
void host_pages_written(const void *address, size_t bytes);
#endif
