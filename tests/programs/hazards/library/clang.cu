// The same behind a synchronization: no race.
// flags: -O2
// compiler: clang++
#define WHILE_COPIED(CALL) \
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s), cudaStreamSynchronize(s), (void)(CALL)
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
