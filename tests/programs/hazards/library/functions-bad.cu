// Functions of the C library read and write a buffer while a copy to it is in flight: each line is a race.
// flags: -O1
#define WHILE_COPIED(CALL) \
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s), (void)(CALL), cudaStreamSynchronize(s)
#include <cstdio>
#include <cstdlib>
#include <cstring>

static char other[64] = "0.5";
static volatile double sum;
static FILE *file;

int main()
{
    char *h, *d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocHost(&h, 64);
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    cudaDeviceSynchronize();
    strcpy(h, "12 times");
    file = tmpfile();
    WHILE_COPIED((memcpy(other, h, 4)));
    WHILE_COPIED((memmove(h, other, 4)));
    WHILE_COPIED((memset(h, 0, 4)));
    WHILE_COPIED((sum = memcmp(h, other, 4)));
    WHILE_COPIED((sum = memchr(h, 'x', 8) != nullptr));
    WHILE_COPIED((sum = strlen(h)));
    WHILE_COPIED((sum = strnlen(h, 4)));
    WHILE_COPIED((strcpy(h, "abc")));
    WHILE_COPIED((strcpy(other, h)));
    WHILE_COPIED((strncpy(h, "abc", 4)));
    WHILE_COPIED((strcat(h, "d")));
    WHILE_COPIED((strncat(h, "de", 1)));
    WHILE_COPIED((sum = strcmp(h, other)));
    WHILE_COPIED((sum = strncmp(h, other, 2)));
    WHILE_COPIED((sum = strchr(h, 'a') != nullptr));
    WHILE_COPIED((sum = strrchr(h, 'a') != nullptr));
    WHILE_COPIED((sum = strstr(h, "b") != nullptr));
    WHILE_COPIED((sum = *strdup(h)));
    WHILE_COPIED((sum = atoi(h)));
    WHILE_COPIED((sum = atof(h)));
    WHILE_COPIED((sum = strtol(h, nullptr, 10)));
    WHILE_COPIED((sum = strtod(h, nullptr)));
    WHILE_COPIED((printf("%d %s\n", 1, h)));
    WHILE_COPIED((printf("%*.*s %g %ld\n", 8, 4, h, 0.5, 1L)));
    WHILE_COPIED((puts(h)));
    WHILE_COPIED((fprintf(file, "%-5s %5.2f%%\n", h, 1.0)));
    WHILE_COPIED((sprintf(h, "%d", 42)));
    WHILE_COPIED((snprintf(h, 8, "%s", other)));
    WHILE_COPIED((fputs(h, file)));
    WHILE_COPIED((fwrite(h, 1, 8, file)));
    WHILE_COPIED((rewind(file), sum = fread(h, 1, 8, file)));
    WHILE_COPIED((*h = 0, strcpy(h + 8, "x")));
    fclose(file);
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(s);
    return 0;
}
// hazard: host-race 24 24
// hazard: host-race 25 25
// hazard: host-race 26 26
// hazard: host-race 27 27
// hazard: host-race 28 28
// hazard: host-race 29 29
// hazard: host-race 30 30
// hazard: host-race 31 31
// hazard: host-race 32 32
// hazard: host-race 33 33
// hazard: host-race 34 34
// hazard: host-race 35 35
// hazard: host-race 36 36
// hazard: host-race 37 37
// hazard: host-race 38 38
// hazard: host-race 39 39
// hazard: host-race 40 40
// hazard: host-race 41 41
// hazard: host-race 42 42
// hazard: host-race 43 43
// hazard: host-race 44 44
// hazard: host-race 45 45
// hazard: host-race 46 46
// hazard: host-race 47 47
// hazard: host-race 48 48
// hazard: host-race 49 49
// hazard: host-race 50 50
// hazard: host-race 51 51
// hazard: host-race 52 52
// hazard: host-race 53 53
// hazard: host-race 54 54
// hazard: host-race 55 55
