// A poll() that waits for the world outside, and that a signal ends, says so: EINTR.
// out: interrupted: yes
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <unistd.h>
#include <cuda_runtime.h>

static void ring(int) {}

int main()
{
    int ends[2];
    struct sigaction on_alarm = {};
    on_alarm.sa_handler = ring;
    if (pipe(ends) != 0 || sigaction(SIGALRM, &on_alarm, nullptr) != 0) return 2;
    cudaError_t error = cudaDeviceSynchronize();
    struct pollfd one = {ends[0], POLLIN, 0};
    alarm(1);
    errno = 0;
    int result = poll(&one, 1, -1);
    std::printf("interrupted: %s\n", result == -1 && errno == EINTR ? "yes" : "no");
    return error;
}
