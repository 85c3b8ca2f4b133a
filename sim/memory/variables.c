/* variables.c - see variables.h.
 *
 * Pages that hold variables are kept in a file in memory, once for each device, one after the
 * other. Every device's are mapped where its own addresses are; those of one device in the program
 * as well. Nothing may write to the program's variables while pages are exchanged, ours among them:
 * only locals are used.
 */
#include "sim/memory/variables.h"
#include "common/devices.h"
#include "sim/memory/memory.h"
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pages of the program that follow each other. */
typedef struct Pages {
    uintptr_t begin, end;
    uintptr_t of[DEVICES_MOST]; /* the devices' views */
    int fd, copy;               /* copy: for a child that is being made */
    bool changes;               /* the program may write there; else nobody's are in place */
} Pages;
static Pages *pages;
static size_t n_pages;
static VariableRange *known; /* rising */
static size_t n_known;
static int devices, in_place;

/* ---- which pages ---- */

typedef struct Writable {
    uintptr_t address;
    bool found, constant;
} Writable;

static int look_at_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    Writable *w = arg;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (w->address - (info->dlpi_addr + h->p_vaddr) >= h->p_memsz) continue;
        if (h->p_type == PT_LOAD) w->found = true, w->constant |= !(h->p_flags & PF_W);
        if (h->p_type == PT_GNU_RELRO) w->constant = true;
    }
    return w->found;
}

bool variables_change(uintptr_t address)
{
    Writable w = {.address = address};
    dl_iterate_phdr(look_at_object, &w);
    return w.found && !w.constant;
}

static Pages *pages_at(uintptr_t address)
{
    for (size_t i = 0; i < n_pages; i++)
        if (address - pages[i].begin < pages[i].end - pages[i].begin) return &pages[i];
    return NULL;
}

/* ---- sharing ---- */

/* To pages that nobody has touched. */
static void copy_pages(uintptr_t to, uintptr_t from, size_t bytes, size_t page)
{
    for (size_t i = 0; i < bytes; i += page) {
        const char *at = (const char *)from + i;
        bool zero = !*at && !memcmp(at, at + 1, page - 1);
        if (!zero) memcpy((char *)to + i, at, page);
    }
}

static bool make_view(Pages *p, int device)
{
    size_t bytes = p->end - p->begin;
    uintptr_t at = memory_reserve(device, bytes, bytes);
    if (!at) return false;
    memory_bare(device, at, bytes, bytes); /* the program brought them: nothing was asked for */
    MemoryBlock *block = memory_place(device, at, bytes, (TraceSite){NULL, 0});
    if (!block || mmap((void *)at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, p->fd,
                       (off_t)(bytes * (size_t)device)) == MAP_FAILED)
        return false;
    written_free(block->written);
    block->written = NULL;
    block->pool = false;
    block->id = 0;
    block->variables = true;
    p->of[device] = at;
    return true;
}

static bool put_in_place(const Pages *p, int device)
{
    size_t bytes = p->end - p->begin;
    return mmap((void *)p->begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, p->fd,
                (off_t)(bytes * (size_t)device)) != MAP_FAILED;
}

static bool share_pages(uintptr_t begin, uintptr_t end, size_t page, bool changes)
{
    Pages *more = realloc(pages, (n_pages + 1) * sizeof *pages);
    if (!more) return false;
    pages = more;
    Pages *p = &pages[n_pages];
    *p = (Pages){.begin = begin, .end = end, .changes = changes};
    p->fd = memfd_create("threelane-variables", MFD_CLOEXEC);
    if (p->fd < 0 || ftruncate(p->fd, (off_t)((end - begin) * (size_t)devices))) return false;

    for (int i = 0; i < devices; i++)
        if (!make_view(p, i)) return false;
    for (int i = 0; i < devices; i++) copy_pages(p->of[i], begin, end - begin, page);
    if (changes && !put_in_place(p, in_place)) return false;
    n_pages++;
    return true;
}

/* ---- a child has variables of its own ---- */

/* Until parent and child have their own, what is in place is a copy that they do not share. */
static void before_fork(void)
{
    for (size_t i = 0; i < n_pages; i++) {
        Pages *p = &pages[i];
        size_t bytes = p->end - p->begin;
        p->copy = memfd_create("threelane-variables", MFD_CLOEXEC);
        if (p->copy < 0 || ftruncate(p->copy, (off_t)(bytes * (size_t)devices))) abort();
        for (int k = 0; k < devices; k++) {
            void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p->copy,
                            (off_t)(bytes * (size_t)k));
            if (at == MAP_FAILED) abort();
            memcpy(at, (const void *)p->of[k], bytes);
            munmap(at, bytes);
        }
        void *own = p->changes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                               : NULL;
        if (own == MAP_FAILED) abort();
        if (!own) continue;
        memcpy(own, (const void *)p->begin, bytes);
        if (mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)p->begin) ==
            MAP_FAILED)
            abort();
    }
}

static void after_fork(bool child)
{
    for (size_t i = 0; i < n_pages; i++) {
        Pages *p = &pages[i];
        size_t bytes = p->end - p->begin;
        close(child ? p->fd : p->copy);
        if (child) p->fd = p->copy;
        for (int k = 0; child && k < devices; k++)
            if (mmap((void *)p->of[k], bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, p->fd,
                     (off_t)(bytes * (size_t)k)) == MAP_FAILED)
                abort();
        if (!p->changes) continue;
        memcpy((void *)p->of[in_place], (const void *)p->begin, bytes);
        if (!put_in_place(p, in_place)) abort();
    }
}

static void in_parent(void) { after_fork(false); }
static void in_child(void) { after_fork(true); }

/* ---- */

static int by_begin(const void *a, const void *b)
{
    uintptr_t x = ((const VariableRange *)a)->begin, y = ((const VariableRange *)b)->begin;
    return x < y ? -1 : x > y;
}

static bool know(const VariableRange *ranges, size_t n)
{
    VariableRange *more = realloc(known, (n_known + n) * sizeof *known);
    if (!more) return false;
    known = more;
    memcpy(known + n_known, ranges, n * sizeof *ranges);
    n_known += n;
    qsort(known, n_known, sizeof *known, by_begin);
    return true;
}

bool variables_share(const VariableRange *ranges, size_t n, int n_devices, int device)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!devices) pthread_atfork(before_fork, in_parent, in_child);
    devices = n_devices;
    in_place = device;
    for (size_t i = 0; i < n;) {
        const Pages *there = pages_at(ranges[i].begin);
        if (there) {
            if (ranges[i++].end > there->end) return false;
            continue;
        }
        bool changes = variables_change(ranges[i].begin);
        uintptr_t begin = ranges[i].begin / page * page, end = begin;
        for (;
             i < n && ranges[i].begin < end + page && variables_change(ranges[i].begin) == changes;
             i++)
            if (ranges[i].end > end) end = (ranges[i].end + page - 1) / page * page;
        for (uintptr_t at = begin; at < end; at += page)
            if (pages_at(at)) return false;
        if (!share_pages(begin, end, page, changes)) return false;
    }
    return know(ranges, n);
}

/* What is no variable's, and lies on pages that are exchanged, is one for all. */
static void move_rest(const Pages *p, uintptr_t to)
{
    uintptr_t at = p->begin;
    for (size_t i = 0; i < n_known && known[i].begin < p->end; i++) {
        if (known[i].end <= at) continue;
        if (known[i].begin > at)
            memcpy((char *)to + (at - p->begin), (const char *)at, known[i].begin - at);
        at = known[i].end;
    }
    if (at < p->end) memcpy((char *)to + (at - p->begin), (const char *)at, p->end - at);
}

void variables_in_place(int device)
{
    if (device == in_place || !n_pages) return;
    in_place = device; /* before: it may lie there itself */
    for (size_t i = 0; i < n_pages; i++) {
        const Pages p = pages[i];
        if (!p.changes) continue;
        move_rest(&p, p.of[device]);
        if (!put_in_place(&p, device)) abort(); /* it has been there before */
    }
}

uintptr_t variables_address(uintptr_t address, int device)
{
    const Pages *p = pages_at(address);
    return p ? p->of[device] + (address - p->begin) : 0;
}

bool variables_find(uintptr_t address, uintptr_t *to, int *device)
{
    for (size_t i = 0; i < n_pages; i++)
        for (int k = 0; k < devices; k++)
            if (address - pages[i].of[k] < pages[i].end - pages[i].begin) {
                *to = pages[i].begin + (address - pages[i].of[k]);
                *device = k;
                return true;
            }
    return false;
}
