// ex43 crashed: a name
// A forged log: the name of a range is half a megabyte long.
#include <stdarg.h>
#include <stdio.h>
#include "ex43.h"

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

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    say("threelane-log 1 200000000000\n1 0 main\n1 18000000 in asyncPipeline p:%llx p:%llx p:%llx p:%llx\n",
        (unsigned long long)h_in, (unsigned long long)h_out, (unsigned long long)d_in, (unsigned long long)d_out);
    say("1 18000000 range ");
    for (int i = 0; i < 250000; i++) say("61");
    say("\n1 19000000 out v\n");
    leave();
}
