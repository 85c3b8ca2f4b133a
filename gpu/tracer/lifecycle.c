/* lifecycle.c - from the first call to the last: the trace file, the thread that writes it, and the
 * ways to end.
 *
 * What was recorded must survive the program. The writer wakes up every half second; at exit, and
 * when a signal ends the program, it is asked for all that is left. A signal handler does nothing
 * itself: it wakes the writer and waits, for a bounded time, since the thread it interrupted may
 * hold the locks that are needed. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "common/env.h"
#include "gpu/tracer/tracer.h"

enum { FIRST_MS = 25, PERIOD_MS = 500, HOLD_MS = 2000, PATIENCE_MS = 5000 };
#define MS UINT64_C(1000000)

enum { RUNNING, ENDING, ENDED };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static Recorder *recorder;
static TraceWriter *writer;
static sem_t wake;
static atomic_int state; /* of the writer */
static atomic_bool forked, asked;
static int exit_status = -1; /* -1: it did not end by itself */
static uint64_t zero_ns;
static __thread uint32_t thread_number;

uint64_t tracer_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Which file an address is in, and where there. */
static bool module_of(void *address, const char **file, uint64_t *offset)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname || !info.dli_fname[0]) return false;
    *file = info.dli_fname;
    const ElfW(Ehdr) *header = info.dli_fbase;
    /* an executable that is not position-independent has its addresses in the file as they are */
    *offset = (uint64_t)(uintptr_t)address -
              (header->e_type == ET_EXEC ? 0 : (uint64_t)(uintptr_t)info.dli_fbase);
    if ((uintptr_t)info.dli_fbase + header->e_phoff == getauxval(AT_PHDR)) {
        /* the program: the linker only knows how it was called, from a folder that may have
         * changed */
        static char self[4096];
        ssize_t length = self[0] ? 0 : readlink("/proc/self/exe", self, sizeof self - 1);
        if (length >= 0 && self[0]) *file = self;
    }
    return true;
}

static void *write_always(void *unused)
{
    (void)unused;
    pthread_setname_np(pthread_self(), "threelane");
    /* at first more often: a short program that ends without telling anybody (_exit, exec, SIGKILL)
     * leaves something */
    for (uint64_t period_ms = FIRST_MS;;
         period_ms = 2 * period_ms < PERIOD_MS ? 2 * period_ms : PERIOD_MS) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        uint64_t ns = (uint64_t)until.tv_nsec + period_ms * MS;
        until.tv_sec += (time_t)(ns / 1000000000u);
        until.tv_nsec = (long)(ns % 1000000000u);
        while (sem_timedwait(&wake, &until) != 0 && errno == EINTR) {}
        if (atomic_load(&state) == ENDED) return NULL;
        if (atomic_load(&asked)) {
            /* first what is here already: the flush below may never return when the program died
             * inside CUDA */
            recorder_write(recorder, writer, HOLD_MS * MS, module_of);
            tracer_flush(true);
            tracer_sums();
            recorder_write(recorder, writer, 0, module_of);
            if (exit_status >= 0) recorder_exit(recorder, writer, exit_status);
            trace_write_flush(writer);
            atomic_store(&state, ENDED);
            return NULL;
        }
        tracer_flush(false);
        recorder_write(recorder, writer, HOLD_MS * MS, module_of);
    }
}

/* Asks for everything and waits until it is in the file. Async-signal-safe. */
static void finish(void)
{
    int expected = RUNNING;
    if (atomic_load(&forked)) return;
    if (atomic_compare_exchange_strong(&state, &expected, ENDING)) {
        tracer_stop();
        atomic_store(&asked, true);
        sem_post(&wake);
    }
    /* who comes second waits as well: it would end the program under the first one's hands */
    for (int waited = 0; waited < PATIENCE_MS && atomic_load(&state) != ENDED; waited += 5) {
        struct timespec pause = {0, 5 * (long)MS};
        nanosleep(&pause, NULL);
    }
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    exit_status = status;
    finish();
}

static void at_signal(int number)
{
    int saved = errno;
    finish();
    errno = saved;
    /* blocked as long as this runs; as soon as it returns, the same signal ends the program */
    signal(number, SIG_DFL);
    raise(number);
}

static void in_child(void)
{
    /* the file is the parent's, and the writer's thread is not here */
    atomic_store(&forked, true);
    tracer_stop();
}

static void catch_signals(void)
{
    static const int deadly[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT,
                                 SIGTRAP, SIGTERM, SIGINT,  SIGHUP,  SIGQUIT,
                                 SIGXCPU, SIGALRM, SIGPIPE, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction now;
        if (sigaction(deadly[i], NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) ||
            now.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours = {.sa_handler = at_signal};
        sigfillset(&ours.sa_mask); /* who is asked to end twice is not to end before it has written
                                    */
        sigaction(deadly[i], &ours, NULL);
    }
}

/* Opens the file to write: the one that was named, unless another process of the same run has
 * it. */
static int open_file(char *path, size_t path_size)
{
    const char *named = getenv(ENV_TRACE);
    if (!named || !named[0]) {
        fputs("threelane: " ENV_TRACE " does not name a file; nothing is traced\n", stderr);
        return -1;
    }
    snprintf(path, path_size, "%s", named);
    struct stat file;
    if (!strncmp(named, "fd:", 3)) {
        /* an open descriptor, of the first process of the run that uses CUDA */
        int given = fcntl(atoi(named + 3), F_DUPFD_CLOEXEC, 3);
        if (given >= 0 && fstat(given, &file) == 0 && file.st_size == 0) return given;
        if (given >= 0) close(given);
        return -1;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool ours =
        fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &file) == 0 && file.st_size == 0;
    if (!ours && fd >= 0) {
        close(fd);
        size_t length = strlen(named);
        bool lane = length > 5 && strcmp(named + length - 5, ".lane") == 0;
        snprintf(path, path_size, "%.*s.%d.lane", (int)(lane ? length - 5 : length), named,
                 (int)getpid());
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (fd < 0) fprintf(stderr, "threelane: %s: %s; nothing is traced\n", path, strerror(errno));
    return fd;
}

static void begin(void)
{
    char path[4096], program[4096];
    int fd = open_file(path, sizeof path);
    if (fd < 0) return;
    zero_ns = tracer_clock();
    Recorder *made = recorder_new(tracer_clock);
    writer = made ? trace_write_open(fd) : NULL;
    if (!writer || sem_init(&wake, 0, 0) != 0) {
        fputs("threelane: not enough memory to trace\n", stderr);
        return;
    }
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(program, '/');
    trace_write_meta(writer, "backend", "cuda");
    trace_write_meta(writer, "program", slash ? slash + 1 : program);
    trace_write_meta_u64(writer, "unit_ns", 1000000);
    trace_write_meta(writer, "unit_name", "ms");
    trace_write_meta_u64(writer, "exact", 0);
    trace_write_meta(writer, "tool", "threelane");
    trace_write_flush(writer);
    recorder = made;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all); /* the program's signals are for the program's threads */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool started = pthread_create(&thread, NULL, write_always, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started) {
        fputs("threelane: no thread to write the trace\n", stderr);
        recorder = NULL;
        return;
    }
    pthread_detach(thread);
    pthread_atfork(NULL, NULL, in_child);
    on_exit(at_exit, NULL);
    catch_signals();
}

Recorder *tracer_recorder(void)
{
    if (atomic_load(&forked)) return NULL;
    pthread_once(&once, begin);
    return recorder;
}

static uint32_t number_thread(TraceThreadRole role)
{
    char name[32] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    return recorder_thread(recorder, role,
                           role == TRACE_THREAD_MAIN     ? "main"
                           : role == TRACE_THREAD_DRIVER ? "driver"
                                                         : name);
}

uint32_t tracer_thread(void)
{
    if (!thread_number) {
        bool is_main = syscall(SYS_gettid) == getpid();
        thread_number = number_thread(is_main ? TRACE_THREAD_MAIN : TRACE_THREAD_HOST);
    }
    return thread_number;
}

uint32_t tracer_driver_thread(void)
{
    if (!thread_number) thread_number = number_thread(TRACE_THREAD_DRIVER);
    return thread_number;
}
