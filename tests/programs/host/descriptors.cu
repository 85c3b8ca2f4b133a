// poll and select on descriptors that another thread writes to; a pipe that nobody writes to times out.
// out: poll 1 at 30
// out: timed out at 80
// out: select 1 at 90
#include <cstdio>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int pipes[2][2];

static void *writer(void *)
{
    usleep(30000);
    if (write(pipes[0][1], "x", 1) != 1) return nullptr;
    usleep(60000);
    if (write(pipes[1][1], "x", 1) != 1) return nullptr;
    return nullptr;
}

static long ms()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - 1000) * 1000 + now.tv_nsec / 1000000;
}

int main()
{
    pthread_t thread;
    if (pipe(pipes[0]) || pipe(pipes[1])) return 1;
    pthread_create(&thread, nullptr, writer, nullptr);
    pollfd first = {pipes[0][0], POLLIN, 0}, second = {pipes[1][0], POLLIN, 0};
    int n = poll(&first, 1, -1);
    printf("poll %d at %ld\n", n, ms());
    if (poll(&second, 1, 50) == 0) printf("timed out at %ld\n", ms());
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipes[1][0], &set);
    n = select(pipes[1][0] + 1, &set, nullptr, nullptr, nullptr);
    printf("select %d at %ld\n", n, ms());
    pthread_join(thread, nullptr);
    return 0;
}
