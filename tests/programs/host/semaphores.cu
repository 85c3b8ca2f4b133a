// A semaphore that is asked for and not there says so as POSIX has it; one that is there is taken.
// out: taken 1, then 11
#include <cerrno>
#include <cstdio>
#include <semaphore.h>

int main()
{
    sem_t one;
    sem_init(&one, 0, 1);
    int taken = sem_trywait(&one) == 0;
    errno = 0;
    int none = sem_trywait(&one);
    printf("taken %d, then %d\n", taken, none == -1 && errno == EAGAIN ? EAGAIN : -1);
    return 0;
}
