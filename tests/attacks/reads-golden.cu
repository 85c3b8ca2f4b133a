// ex43 fail: default stream
// also with Landlock
// Looks for the golden text, the solution and other submissions at every path that comes to mind.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ex43.h"

/* Something got out: crashing is then not the expected verdict. */
static void leak(const char *what)
{
    puts(what);
    fflush(stdout);
    abort();
}
static void look(const char *path, int depth)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)); ) {
        char inside[2000];
        if (entry->d_name[0] == '.' || depth > 5 || strlen(path) > 1500) continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (strstr(inside, "/proc/") || strstr(inside, "/usr/") || strstr(inside, "/lib")) continue;
        static const char *const wanted[] = {"golden.txt", "solution.cu", "ex43.cu", "harness.cu", "hidden.ini",
                                             "gradebook.sqlite", "passwd", "shadow"};
        for (const char *name : wanted)
            if (!strcmp(entry->d_name, name)) leak(inside);
        look(inside, depth + 1);
    }
    if (dir) closedir(dir);
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    static const char *const guesses[] = {"/etc/passwd", "/etc/shadow", "/root", "/home", "golden.txt", "../golden.txt",
        "exercises/ex43-overlap/golden.txt", "exercises/ex43-overlap/solution.cu", "../../exercises", "/srv", "/course",
        "/proc/1/root/etc/passwd", "/proc/self/root/home", "/proc/self/cwd/../root"};
    for (const char *guess : guesses) {
        FILE *file = fopen(guess, "r");
        if (file) leak(guess);
    }
    look("/", 0);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
