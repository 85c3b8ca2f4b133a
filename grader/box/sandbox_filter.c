/* sandbox_filter.c - see sandbox_filter.h. */
#include "grader/box/sandbox_filter.h"
#ifndef WITHOUT_SECCOMP
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <asm/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* What programs ask for that are not up to an exercise. Names that neither libseccomp nor number_of
 * knows are left out. */
static const char *const refused[] = {
    /* other processes and their memory */
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "process_mrelease",
    "pidfd_getfd",
    "pidfd_send_signal",
    "kcmp",
    "migrate_pages",
    "move_pages",
    "set_mempolicy_home_node",
    /* namespaces, mounts, roots */
    "unshare",
    "setns",
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "statmount",
    "listmount",
    "open_tree_attr",
    "listns",
    "open_by_handle_at",
    "name_to_handle_at",
    "quotactl",
    "quotactl_fd",
    "fanotify_init",
    "fanotify_mark",
    /* talking to anybody */
    "socket",
    "socketpair",
    "connect",
    "bind",
    "listen",
    "accept",
    "accept4",
    "msgget",
    "msgsnd",
    "msgrcv",
    "msgctl",
    "semget",
    "semop",
    "semtimedop",
    "semctl",
    "shmget",
    "shmat",
    "shmdt",
    "shmctl",
    "mq_open",
    "mq_unlink",
    "mq_timedsend",
    "mq_timedreceive",
    "mq_notify",
    /* the kernel's own doors */
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "keyctl",
    "add_key",
    "request_key",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "lookup_dcookie",
    "memfd_secret",
    "modify_ldt",
    "personality",
    "seccomp",
    "landlock_create_ruleset",
    /* the machine */
    "reboot",
    "swapon",
    "swapoff",
    "syslog",
    "acct",
    "settimeofday",
    "clock_settime",
    "clock_settime64",
    "adjtimex",
    "clock_adjtime",
    "clock_adjtime64",
    "stime",
    "sethostname",
    "setdomainname",
    "iopl",
    "ioperm",
    "vhangup",
    "uselib",
    "ustat",
    "sysfs",
    "_sysctl",
    "nfsservctl",
    "mknod",
    "mknodat",
    "sched_setscheduler",
    "sched_setattr",
    "setpriority",
    "ioprio_set",
};

/* NVIDIA's driver begins with a local socket that other processes of the same user could connect
 * to. It gets one of the kind that cannot send before it is connected; connecting stays refused. */
static bool for_driver(int number)
{
    return number == SCMP_SYS(socket) || number == SCMP_SYS(bind) || number == SCMP_SYS(listen);
}

static bool one_kind_of_socket(scmp_filter_ctx ctx)
{
    enum { KINDS = 0xf }; /* the kernel's mask; the bits above it say how, not what */
    bool fine = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                 SCMP_A0(SCMP_CMP_NE, AF_UNIX)) == 0;
    for (unsigned long kind = 0; kind <= KINDS && fine; kind++)
        fine = kind == SOCK_SEQPACKET ||
               seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                SCMP_A1(SCMP_CMP_MASKED_EQ, KINDS, kind)) == 0;
    return fine;
}

/* What changes or watches files that Landlock says nothing about. */
static const char *const beside_landlock[] = {
    "truncate",
    "truncate64",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "setxattrat",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "removexattrat",
    "utime",
    "utimes",
    "futimesat",
    "utimensat",
    "utimensat_time64",
    "inotify_add_watch",
    "chown",
    "chown32",
    "fchown",
    "fchown32",
    "lchown",
    "lchown32",
    "fchownat",
};

/* Calls that are newer than many a libseccomp; they have these numbers on every architecture. */
static int number_of(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } newer[] = {
        {"quotactl_fd", 443},
        {"landlock_create_ruleset", 444},
        {"memfd_secret", 447},
        {"process_mrelease", 448},
        {"set_mempolicy_home_node", 450},
        {"fchmodat2", 452},
        {"statmount", 457},
        {"listmount", 458},
        {"setxattrat", 463},
        {"removexattrat", 466},
        {"open_tree_attr", 467},
        {"listns", 470},
    };
    int number = seccomp_syscall_resolve_name(name);
    for (size_t i = 0; number == __NR_SCMP_ERROR && i < sizeof newer / sizeof *newer; i++)
        if (!strcmp(newer[i].name, name)) number = newer[i].number;
    return number;
}

static bool refuse(scmp_filter_ctx ctx, const char *name)
{
    int number = number_of(name);
    if (number == __NR_SCMP_ERROR) return true;
    int error = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), number, 0);
    return error == 0 || error == -EDOM || error == -EINVAL; /* not on this architecture */
}

static bool refuse_when(scmp_filter_ctx ctx, int number, struct scmp_arg_cmp when)
{
    return seccomp_rule_add_array(ctx, SCMP_ACT_ERRNO(EPERM), number, 1, &when) == 0;
}

static bool refuse_names(scmp_filter_ctx ctx, const FilterOptions *options)
{
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof refused / sizeof *refused; i++) {
        if (options->gpu && for_driver(seccomp_syscall_resolve_name(refused[i]))) continue;
        fine = refuse(ctx, refused[i]);
    }
    size_t n = options->alone ? sizeof beside_landlock / sizeof *beside_landlock : 0;
    for (size_t i = 0; fine && i < n; i++) fine = refuse(ctx, beside_landlock[i]);
    return fine;
}

/* New namespaces by clone; clone3 passes its flags where a filter cannot see them: the C library
 * then uses clone. */
static bool refuse_namespaces(scmp_filter_ctx ctx)
{
    static const unsigned long spaces[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET,   CLONE_NEWNS,
                                           CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (!refuse_when(ctx, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i])))
            return false;
    }
    return seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

/* Of a call's second argument, 32 bits count. */
static bool refuse_asking(scmp_filter_ctx ctx, int number, const unsigned long *asked, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!refuse_when(ctx, number, SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, asked[i])))
            return false;
    }
    return true;
}

/* Set-user-id bits, for what might be copied out. */
static bool refuse_set_user_id(scmp_filter_ctx ctx)
{
    static const unsigned long bits[] = {S_ISUID, S_ISGID};
    bool fine = true;
    for (size_t i = 0; fine && i < 2; i++) {
        fine =
            refuse_when(ctx, SCMP_SYS(fchmod), SCMP_A1(SCMP_CMP_MASKED_EQ, bits[i], bits[i])) &&
            refuse_when(ctx, SCMP_SYS(fchmodat), SCMP_A2(SCMP_CMP_MASKED_EQ, bits[i], bits[i])) &&
            refuse_when(ctx, number_of("fchmodat2"), SCMP_A2(SCMP_CMP_MASKED_EQ, bits[i], bits[i]));
#ifdef __NR_chmod
        fine = fine &&
               refuse_when(ctx, SCMP_SYS(chmod), SCMP_A1(SCMP_CMP_MASKED_EQ, bits[i], bits[i]));
#endif
    }
    return fine;
}

/* Without a process namespace of its own, a program must not reach others by number, nor let the
 * kernel signal them, for data that come in. */
static bool refuse_others(scmp_filter_ctx ctx, const FilterOptions *options)
{
    static const char *const signals[] = {"kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"},
                             *const of_others[] = {"prlimit64", "sched_setaffinity"};
    static const unsigned long owners[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG},
                               asked[] = {FIOSETOWN, SIOCSPGRP};
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof signals / sizeof *signals; i++) {
        fine = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM),
                                seccomp_syscall_resolve_name(signals[i]), 0) == 0;
    }
    for (size_t i = 0; fine && i < sizeof of_others / sizeof *of_others; i++) {
        fine =
            refuse_when(ctx, seccomp_syscall_resolve_name(of_others[i]), SCMP_A0(SCMP_CMP_NE, 0));
    }
    fine = fine && refuse_asking(ctx, SCMP_SYS(fcntl), owners, sizeof owners / sizeof *owners) &&
           refuse_asking(ctx, SCMP_SYS(ioctl), asked, sizeof asked / sizeof *asked);
    /* raise() and abort() are worth less than the grader: they end a program all the same */
    if (fine && !options->scoped)
        fine = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 0) == 0;
    return fine;
}

/* Memory that belongs to no process in particular is in nobody's account but a control group's. */
static bool refuse_uncounted(scmp_filter_ctx ctx, const FilterOptions *options)
{
    if (seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(memfd_create), 0) != 0) return false;
    if (!options->gpu)
        return refuse_when(ctx, SCMP_SYS(mmap),
                           SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED, MAP_SHARED));
    /* a driver maps a card's registers and pins memory that is shared: box_memory looks at what is
     * mapped, and nothing keeps it from looking */
    return seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 2,
                            SCMP_A0(SCMP_CMP_EQ, PR_SET_DUMPABLE), SCMP_A1(SCMP_CMP_EQ, 0)) == 0;
}

/* What the kernel takes, in memory and as a file. */
static bool export_filter(scmp_filter_ctx ctx, Filter *filter)
{
    struct stat about;
    filter->fd = memfd_create("filter", MFD_CLOEXEC);
    if (filter->fd < 0 || seccomp_export_bpf(ctx, filter->fd) != 0 ||
        fstat(filter->fd, &about) != 0 || about.st_size <= 0 || about.st_size % 8 != 0)
        return false;
    filter->bytes = malloc((size_t)about.st_size);
    filter->instructions = (size_t)about.st_size / 8;
    return filter->bytes &&
           pread(filter->fd, filter->bytes, (size_t)about.st_size, 0) == about.st_size;
}

bool filter_make(const FilterOptions *options, Filter *filter)
{
    /* typing into the terminal of whoever started us */
    static const unsigned long typing[] = {TIOCSTI, TIOCLINUX};
    *filter = (Filter){.fd = -1};
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);

    bool fine = ctx && refuse_names(ctx, options) && refuse_namespaces(ctx) &&
                (!options->gpu || one_kind_of_socket(ctx)) &&
                refuse_asking(ctx, SCMP_SYS(ioctl), typing, 2) && refuse_set_user_id(ctx) &&
                (!options->alone || refuse_others(ctx, options)) &&
                (options->counted || refuse_uncounted(ctx, options)) && export_filter(ctx, filter);
    seccomp_release(ctx);
    if (!fine) filter_release(filter);
    return fine;
}
#else
bool filter_make(const FilterOptions *options, Filter *filter)
{
    (void)options;
    *filter = (Filter){.fd = -1};
    return false;
}
#endif

#include <stdlib.h>
#include <unistd.h>

bool filter_known(void)
{
#ifndef WITHOUT_SECCOMP
    return true;
#else
    return false;
#endif
}

void filter_release(Filter *filter)
{
    if (filter->fd >= 0) close(filter->fd);
    free(filter->bytes);
    *filter = (Filter){.fd = -1};
}
