// ex43 fail: default stream
// also with Landlock
// Tries to tell somebody: sockets of every kind, names, and queues.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "ex43.h"

/* Something got out: crashing is then not the expected verdict. */
static void leak(const char *what)
{
    puts(what);
    fflush(stdout);
    abort();
}
void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    sockaddr_in web = {};
    web.sin_family = AF_INET;
    web.sin_port = htons(53);
    inet_pton(AF_INET, "127.0.0.1", &web.sin_addr);
    sockaddr_un here = {};
    here.sun_family = AF_UNIX;
    strcpy(here.sun_path + 1, "threelane-attack");
    static const int kinds[][2] = {{AF_INET, SOCK_STREAM}, {AF_INET, SOCK_DGRAM}, {AF_INET6, SOCK_STREAM},
                                   {AF_UNIX, SOCK_STREAM},
                                   {AF_NETLINK, SOCK_RAW}, {AF_PACKET, SOCK_RAW}, {AF_VSOCK, SOCK_STREAM}};
    for (auto &kind : kinds) {
        int fd = socket(kind[0], kind[1], 0);
        if (fd >= 0) leak("a socket");
        if (fd >= 0 && kind[0] == AF_INET && connect(fd, (sockaddr *)&web, sizeof web) == 0) leak("a connection");
        if (fd >= 0 && kind[0] == AF_UNIX && bind(fd, (sockaddr *)&here, sizeof here) == 0) leak("an abstract name");
    }
    if (gethostbyname("example.com")) leak("a name was looked up");
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
