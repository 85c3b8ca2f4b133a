// ex42 crashed: line [0-9]+ is not one that a program writes
// A forged log: the harness is to fill what a null pointer leads to.
#include <stdarg.h>
#include <stdio.h>
#include "ex42.h"

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

static void forge(const char *name, float *device)
{
    say("threelane-log 1 200000000000\n1 0 main\n1 1000000 in %s p:%llx\n", name, (unsigned long long)device);
    say("1 1000000 own prepareChunk p:0 n:00000000\n");
    leave();
}
double sendPageable(float *d_data) { forge("sendPageable", d_data); return 0; }
double sendPinned(float *d_data) { forge("sendPinned", d_data); return 0; }
void sendChunks(float *d_chunks) { forge("sendChunks", d_chunks); }
