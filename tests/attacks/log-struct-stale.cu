// ex45 crashed: line [0-9]+ is not one that a program writes
// A forged log: the pinned buffer that a struct leads to has been freed.
#include <stdarg.h>
#include <stdio.h>
#include "ex45.h"

static char text[1 << 20];
static int used;
static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    used += vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
}
/* Unseen: what the runtime itself would have logged stays where it is. */
static void send(const char *from, long bytes)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(1), "D"(4), "S"(from), "d"(bytes) : "rcx", "r11", "memory");
}
static void leave()
{
    long result;
    send(text, used);
    __asm__ volatile("syscall" : "=a"(result) : "0"(231), "D"(0) : "rcx", "r11", "memory");
}
static void bytes_of(const void *of, int n) { for (int i = 0; i < n; i++) say("%02x", ((const unsigned char *)of)[i]); }

void streamBatches(Buffer *buffers)
{
    say("threelane-log 1 200000000000\n1 0 main\n1 24000000 in streamBatches o:%llx:", (unsigned long long)buffers);
    bytes_of(buffers, sizeof *buffers);
    say("\n");
    say("1 24000000 call cudaFreeHost 5 %llx\n1 25000000 own collectBatch o:%llx:", (unsigned long long)buffers->host,
        (unsigned long long)buffers);
    Buffer stale = {buffers->host, buffers->device, 0};
    bytes_of(&stale, sizeof stale);
    say("\n");
    leave();
}
