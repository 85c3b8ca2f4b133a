// ex43 crashed: signal|status|ended
// Tells bubblewrap's parent that it ended well, and crashes.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "ex43.h"

__attribute__((constructor)) static void forge()
{
    static const char said[] = "{ \"child-pid\": 2 }\n{ \"exit-code\": 0 }\n";
    for (int fd = 5; fd < 64; fd++) (void)!write(fd, said, sizeof said - 1);
    for (int fd = 3; fd < 64; fd++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/1/fd/%d", fd);
        int to = open(path, O_WRONLY | O_NONBLOCK);
        if (to >= 0) (void)!write(to, said, sizeof said - 1);
    }
    __builtin_trap();
}
void asyncPipeline(const float *, float *, float *, float *) {}
