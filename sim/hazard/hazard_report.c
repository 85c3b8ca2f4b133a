#include "sim/hazard/hazard_report.h"
#include "common/env.h"
#include "common/json.h"
#include "sim/hazard/hazard.h"
#include "sim/hazard/symbols.h"
#include "sim/hazard/alloc_origin.h"
#include "sim/memory/memory.h"
#include "timeline/trace/labels.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HAZARD_WORD(NAME, WORD, FLAGS) [HAZARD_##NAME] = WORD,
#define HAZARD_FLAGS(NAME, WORD, FLAGS) [HAZARD_##NAME] = FLAGS,
const char *const hazard_word[HAZARD_KINDS] = {HAZARD_TABLE(HAZARD_WORD)};
static const unsigned char flags[HAZARD_KINDS] = {HAZARD_TABLE(HAZARD_FLAGS)};

/* ---- what is looked for ---- */

static bool wanted[HAZARD_KINDS];

bool hazard_is_note(HazardKind kind) { return flags[kind] & HAZARD_NOTE; }

bool hazard_wants_clocks(void)
{
    for (int kind = 0; kind < HAZARD_KINDS; kind++)
        if (wanted[kind] && (flags[kind] & HAZARD_CLOCKS)) return true;
    return false;
}

bool hazard_wanted(HazardKind kind) { return wanted[kind]; }

static bool is_word(const char *word, size_t length, const char *known)
{
    return strlen(known) == length && strncmp(word, known, length) == 0;
}

/* What is looked for when nothing is said. */
static bool by_default(HazardKind kind)
{
    return !(flags[kind] & HAZARD_NOTE) || (flags[kind] & HAZARD_ALWAYS);
}

/* Does a word of THREELANE_CHECK mean this kind, by its name or by its group's? */
static bool names_kind(const char *word, size_t length, HazardKind kind)
{
    return is_word(word, length, "all") || is_word(word, length, hazard_word[kind]) ||
           (is_word(word, length, "errors") && by_default(kind)) ||
           (is_word(word, length, "hazards") && (flags[kind] & HAZARD_ORDER)) ||
           (is_word(word, length, "memory") && (flags[kind] & HAZARD_MEMORY));
}

bool hazard_configure(const char *value, bool hooks, char *error, size_t error_size)
{
    bool unset = !value || !*value;
    for (int kind = 0; kind < HAZARD_KINDS; kind++)
        wanted[kind] = hooks && unset && by_default((HazardKind)kind);
    for (const char *word = value; !unset && *word;) {
        size_t length = strcspn(word, ",");
        bool known = is_word(word, length, "off") && !word[length] && word == value;
        for (int kind = 0; kind < HAZARD_KINDS; kind++)
            if (names_kind(word, length, (HazardKind)kind)) {
                wanted[kind] = hooks;
                known = true;
            }
        if (!known) {
            snprintf(error, error_size,
                     ENV_CHECK
                     "=%.60s: errors, hazards, memory, all, off, or kinds such as race,leak are "
                     "possible",
                     value);
            return false;
        }
        word += length + (word[length] == ',');
    }
    return true;
}

/* ---- what labels are made from ---- */

typedef struct OpFact {
    uint64_t start_ns;
    const char *name;
    uint32_t stream, launch;
    uint8_t kind;
} OpFact;
typedef struct StreamFact {
    uint32_t device;
    uint8_t flavour;
    char *name;
} StreamFact;
typedef struct RangeFact {
    uint32_t first_op, end_op;
} RangeFact;
static OpFact *ops;
static StreamFact *stream_facts;
static RangeFact *ranges;
static uint32_t n_ops, room_ops, n_streams, room_streams, n_ranges, room_ranges;

static bool make_room(void *array, uint32_t *room, uint32_t wanted_room, size_t item)
{
    void **at = array;
    if (wanted_room <= *room) return true;
    uint32_t more = *room ? *room : 64;
    while (more < wanted_room) more += more / 2 + 1;
    char *grown = realloc(*at, more * item);
    if (!grown) return false;
    memset(grown + *room * item, 0, (more - *room) * item);
    *at = grown;
    *room = more;
    return true;
}

void hazard_saw_op(uint32_t op, TraceOpKind kind, uint32_t stream, uint32_t launch,
                   const char *name)
{
    if (!make_room(&ops, &room_ops, op + 1, sizeof *ops)) return;
    ops[op] = (OpFact){TRACE_OPEN_NS, name ? name : "", stream, launch, (uint8_t)kind};
    if (op > n_ops) n_ops = op;
}

void hazard_saw_start(uint32_t op, uint64_t ns)
{
    if (op <= n_ops) ops[op].start_ns = ns;
}

void hazard_saw_stream(uint32_t stream, uint32_t device, TraceStreamFlavour flavour)
{
    if (!make_room(&stream_facts, &room_streams, stream + 1, sizeof *stream_facts)) return;
    stream_facts[stream] = (StreamFact){device, (uint8_t)flavour, NULL};
    if (stream > n_streams) n_streams = stream;
}

void hazard_saw_range(uint32_t range)
{
    if (!make_room(&ranges, &room_ranges, range + 1, sizeof *ranges)) return;
    ranges[range] = (RangeFact){n_ops + 1, UINT32_MAX};
    if (range > n_ranges) n_ranges = range;
}

void hazard_saw_rangeend(uint32_t range)
{
    if (range && range <= n_ranges) ranges[range].end_op = n_ops + 1;
}

void hazard_saw_name(const char *what, uint32_t id, const char *name)
{
    if (strcmp(what, "stream") == 0 && id <= n_streams && name) {
        free(stream_facts[id].name);
        stream_facts[id].name = strdup(name);
    }
}

/* ---- reports ---- */

enum { MOST_REPORTS = 4096, NULL_PAGES = 65536, NEAR_BYTES = 1 << 20 };
typedef struct Side {
    HazardAccess access;
    TraceSite site;
    char *file;    /* owned, when the site was looked up */
    char what[96]; /* the label */
} Side;
typedef struct Entry {
    HazardKind kind;
    Side side[2];
    uintptr_t address;
    size_t bytes, touched;
    HazardMemory memory;
    char *headline, *why, *fix; /* as given */
    uint32_t times;
    char name[96];    /* of the memory */
    TraceSite caller; /* of the function that allocated it for others; file NULL: none */
    const char *source;
    bool again; /* the same as an earlier one, or explained by another */
} Entry;
static Entry *entries;
static uint32_t n_entries, room_entries, n_errors;

typedef struct Pageable {
    uintptr_t address;
    size_t bytes;
    TraceSite call;
    const char *by; /* the call's name; NULL: a copy */
    int argument;
} Pageable;
enum { PAGEABLES = 256 };
static Pageable pageables[PAGEABLES];
static unsigned n_pageables;

void hazard_name_pageable(const void *address, size_t bytes, TraceSite call, const char *by,
                          int argument)
{
    const Pageable *last = n_pageables ? &pageables[(n_pageables - 1) % PAGEABLES] : NULL;
    if (last && last->address == (uintptr_t)address && last->bytes == bytes) return;
    pageables[n_pageables++ % PAGEABLES] =
        (Pageable){(uintptr_t)address, bytes, call, by, argument};
}

HazardMemory hazard_memory_at(const void *at)
{
    const void *address = (const void *)hazard_in_place((uintptr_t)at);
    const MemoryBlock *block = memory_find(address);
    if (!block) block = memory_find_freed(address);
    if (block) return hazard_memory_of(block);
    const Variable *variable = symbols_know((uintptr_t)address, (uintptr_t)address + 1)
                                   ? symbols_at((uintptr_t)address)
                                   : NULL;
    if (variable)
        return (HazardMemory){.address = variable->address,
                              .bytes = variable->bytes,
                              .name = variable->name,
                              .variable = true};
    const Pageable *best = NULL;
    for (unsigned i = 0; i < PAGEABLES && i < n_pageables; i++) {
        const Pageable *p = &pageables[i];
        if ((uintptr_t)address - p->address < p->bytes && (!best || p->bytes > best->bytes))
            best = p;
    }
    if (!best) return (HazardMemory){0};
    return (HazardMemory){
        best->address,   best->bytes, TRACE_MEM_PAGEABLE, false, (unsigned)best->argument,
        best->call,      NULL,        best->by,           false, 0,
        best->by != NULL};
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

void (*hazard_diverted)(const HazardReport *);

void hazard_report(const HazardReport *r)
{
    if (!wanted[r->kind]) return;
    if (hazard_diverted) {
        hazard_diverted(r);
        return;
    }
    uint32_t times = r->times ? r->times : 1;
    if (!hazard_is_note(r->kind)) n_errors += times;
    for (uint32_t i = n_entries; i-- > 0 && i + 64 > n_entries;) { /* loops: the same again */
        Entry *e = &entries[i];
        if (e->kind != r->kind ||
            (r->kind == HAZARD_UNINITIALISED && e->side[1].access.op != r->second.op) ||
            e->side[0].access.pc != r->first.pc || e->side[1].access.pc != r->second.pc ||
            e->side[0].access.site.line != r->first.site.line ||
            e->side[1].access.site.line != r->second.site.line ||
            e->side[0].access.site.file != r->first.site.file ||
            e->side[1].access.site.file != r->second.site.file ||
            (!r->second.pc && !r->second.site.file) || e->side[1].access.verb != r->second.verb ||
            e->side[0].access.verb != r->first.verb)
            continue;
        e->times += times;
        return;
    }
    if (n_entries == MOST_REPORTS ||
        !make_room(&entries, &room_entries, n_entries + 1, sizeof *entries))
        return;
    Entry *e = &entries[n_entries++];
    *e = (Entry){.kind = r->kind,
                 .address = hazard_in_place((uintptr_t)r->address),
                 .bytes = r->bytes,
                 .touched = r->touched,
                 .memory = r->memory,
                 .headline = copy(r->headline),
                 .why = copy(r->why),
                 .fix = copy(r->fix),
                 .times = times,
                 .source = r->source};
    if (!e->touched || e->touched > e->bytes) e->touched = e->bytes;
    if (r->address && !e->memory.bytes && !e->memory.name) e->memory = hazard_memory_at(r->address);
    e->side[0].access = r->first;
    e->side[1].access = r->second;
    if (r->kind == HAZARD_HOST_RACE && e->memory.stack) { /* what a host function was given */
        free(e->fix);
        e->fix = copy("give each host function memory of its own that lives until it has run: from "
                      "malloc() or new, or an element of an array");
    }
}

void hazard_explains(uint32_t op, uintptr_t address, size_t bytes)
{
    for (uint32_t i = 0; op && i < n_entries; i++) {
        Entry *e = &entries[i];
        if (e->kind != HAZARD_UNINITIALISED || e->again || e->side[1].access.op != op) continue;
        if (e->address >= address + bytes || e->address + e->bytes <= address) continue;
        e->again = true;
        n_errors -= e->times;
    }
}

uint32_t hazard_errors(void) { return n_errors; }

/* ---- places and names ---- */

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

/* The line of host code at pc: looked up once for each. */
static void find_site(Side *side, HazardDescribe *describe)
{
    typedef struct Known {
        const void *pc;
        TraceSite site;
    } Known;
    static Known known[64];
    static unsigned n_known;
    char file[512];
    side->site = side->access.site;
    if (side->site.file || !side->access.pc) return;
    for (unsigned i = 0; i < 64 && i < n_known; i++)
        if (known[i].pc == side->access.pc) {
            side->site = known[i].site;
            return;
        }
    uint32_t line;
    if (describe && describe(side->access.pc, file, sizeof file, &line))
        side->site = (TraceSite){strdup(file), line};
    known[n_known++ % 64] = (Known){side->access.pc, side->site};
}

static const char *made_by(const HazardMemory *m)
{
    if (m->by) return m->by;
    if (m->pool) return "cudaMallocAsync";
    switch (m->kind) {
    case TRACE_MEM_DEVICE: return "cudaMalloc";
    case TRACE_MEM_PINNED: return m->flags ? "cudaHostAlloc" : "cudaMallocHost";
    case TRACE_MEM_MANAGED: return "cudaMallocManaged";
    case TRACE_MEM_REGISTERED: return "cudaHostRegister";
    default: return "cudaMemcpy";
    }
}

static const char *kind_text(const HazardMemory *m)
{
    static char text[80];
    if (m->variable && m->by) snprintf(text, sizeof text, "a %s variable", m->by);
    if (m->variable) return m->by ? text : "a variable";
    if (m->name) return "shared memory";
    switch (m->kind) {
    case TRACE_MEM_DEVICE: return "device memory";
    case TRACE_MEM_PINNED: return "pinned memory";
    case TRACE_MEM_MANAGED: return "managed memory";
    case TRACE_MEM_REGISTERED: return "registered memory";
    case TRACE_MEM_PAGEABLE: return m->stack ? "the stack" : "pageable memory";
    default: return "memory";
    }
}

static bool is_word_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static const char *find_word(const char *line, const char *word)
{
    for (const char *at = line; (at = strstr(at, word)) != NULL; at++)
        if ((at == line || !is_word_char(at[-1])) && !is_word_char(at[strlen(word)])) return at;
    return NULL;
}

/* Where a variable of the device is declared: in one of the files that the report is about. */
static void find_declaration(Entry *e)
{
    static const char *const words[] = {"__constant__", "__managed__", "__device__"};
    const char *const files[] = {e->source, e->side[1].access.verb ? e->side[1].site.file : NULL,
                                 e->side[0].access.verb ? e->side[0].site.file : NULL};
    for (int i = 0; i < 3 && !e->memory.made.file; i++) {
        TraceSite at = {files[i], 0};
        char line[1024];
        for (at.line = 1; at.file && at.line < 5000 && alloc_origin_line(at, line, sizeof line);
             at.line++)
            for (size_t k = 0; k < sizeof words / sizeof *words && !e->memory.made.file; k++) {
                const char *word = find_word(line, words[k]),
                           *name = word ? find_word(word, e->memory.name) : NULL;
                if (!name || (strchr(word, '(') && strchr(word, '(') < name)) continue;
                name += strlen(e->memory.name);
                name += strspn(name, " ");
                if (!strchr("[;=,{\n", *name)) continue;
                e->memory.made = at;
                e->memory.by = words[k];
            }
    }
}

static void find_name(Entry *e, AllocOriginFrames *frames)
{
    if (!e->address) return;
    if (e->memory.variable) find_declaration(e);
    const AllocOrigin origin = {.made = e->memory.made,
                                .call = made_by(&e->memory),
                                .trail = e->memory.trail,
                                .pageable = e->memory.kind == TRACE_MEM_PAGEABLE,
                                .argument = (int)e->memory.flags};
    if (e->memory.name || !e->memory.bytes ||
        !alloc_origin_name(&origin, frames, e->name, sizeof e->name, &e->caller))
        snprintf(e->name, sizeof e->name, "%s",
                 e->memory.name ? e->memory.name : kind_text(&e->memory));
}

/* ---- what lies where nothing may be touched ---- */

/* The block that was most likely meant: the nearest one, below if both are as near. */
static const MemoryBlock *nearest(uintptr_t at, size_t *past, size_t *before)
{
    const MemoryBlock *below = memory_find_below((const void *)at),
                      *above = memory_find_above((const void *)at);
    *past = below ? at - below->address - below->bytes : SIZE_MAX;
    *before = above ? above->address - at : SIZE_MAX;
    if (*past <= *before) *before = SIZE_MAX;
    else *past = SIZE_MAX, below = above;
    return (*past < NEAR_BYTES || *before < NEAR_BYTES) ? below : NULL;
}

HazardMemory hazard_memory_of(const MemoryBlock *b)
{
    return (HazardMemory){b->address, b->bytes, b->kind, b->pool,  b->flags, b->made,
                          NULL,       b->by,    false,   b->trail, false};
}

/* Freed in stream order, by another operation than the one that uses it. */
static void freed_in_stream(const MemoryBlock *block, HazardReport *report, char *text, size_t size,
                            char *fix, size_t fix_size)
{
    uint32_t use = report->second.op, free_op = block->leaving_op;
    uint32_t stream = report->second.stream, frees = block->leaving_stream;
    report->first =
        (HazardAccess){.verb = "frees", .site = block->leaving, .op = free_op, .stream = frees};
    if (hazard_op_comes_after(use, stream, free_op)) {
        snprintf(
            text, size,
            "the memory is freed in {stream %u} by the call at {line1}, and {2} comes after it",
            frees);
        snprintf(fix, fix_size,
                 "call cudaFreeAsync after {2} was issued, in {stream %u} or in a stream that "
                 "waits for it",
                 stream);
        return;
    }
    snprintf(text, size,
             "the memory is freed in {stream %u} by the call at {line1}, and {2} is in {stream "
             "%u}: nothing "
             "orders these two",
             frees, stream);
    snprintf(fix, fix_size,
             "record an event in {stream %u} after {2} and make {stream %u} wait for it before "
             "cudaFreeAsync",
             stream, frees);
}

HazardKind hazard_outside(uintptr_t bad, HazardReport *report, char *text, size_t size)
{
    static char fix[300];
    const MemoryBlock *block = memory_find_freed((const void *)bad);
    size_t past, before;
    if (block) {
        const char *done = block->kind == TRACE_MEM_REGISTERED ? "unregistered" : "freed";
        bool by_device = report->second.op != 0;
        report->memory = hazard_memory_of(block);
        report->fix = fix;
        if (by_device && block->leaving_op) {
            freed_in_stream(block, report, text, size, fix, sizeof fix);
            return HAZARD_USE_AFTER_FREE;
        }
        bool node = by_device && report->second.op <= n_ops && ops[report->second.op].launch;
        snprintf(fix, sizeof fix,
                 node ? "a graph keeps the addresses that it was made with: the memory is %s when "
                        "no graph that uses it is launched any more"
                 : by_device ? "let the host wait until {2} has ended before the memory is %s"
                             : "use the memory only before it is %s",
                 done);
        if (block->gone.file) {
            report->first = (HazardAccess){.verb = done[0] == 'f' ? "frees" : "unregisters",
                                           .site = block->gone};
            snprintf(text, size, "it was %s at %s:%u", done, base_name(block->gone.file),
                     block->gone.line);
        } else {
            snprintf(text, size, "it was %s", done);
        }
        return HAZARD_USE_AFTER_FREE;
    }
    bool arena = bad - (memory_base - NEAR_BYTES) < memory_span + NEAR_BYTES;
    block = arena || memory_find((const void *)(bad - 1)) ? nearest(bad, &past, &before) : NULL;
    if (block) {
        report->memory = hazard_memory_of(block);
        if (past != SIZE_MAX && past == 0) snprintf(text, size, "the block ends right before");
        else if (past != SIZE_MAX)
            snprintf(text, size, "the block ended %zu byte%s before", past, past == 1 ? "" : "s");
        else
            snprintf(text, size, "the block begins %zu byte%s later", before,
                     before == 1 ? "" : "s");
        if (!report->second.pc)
            snprintf(fix, sizeof fix,
                     "ask for what lies in the block (%zu bytes), or allocate more", block->bytes);
        else if (past == SIZE_MAX) snprintf(fix, sizeof fix, "look for an index below 0");
        else snprintf(fix, sizeof fix, "check the index before the access, or allocate more");
        report->fix = fix;
        return HAZARD_OUT_OF_BOUNDS;
    }
    if (bad - memory_base < memory_span) {
        snprintf(text, size, "CUDA memory that was never allocated");
        report->fix = "use addresses within what an allocation has returned";
        return HAZARD_OUT_OF_BOUNDS;
    }
    report->address = NULL;
    if (bad < NULL_PAGES) snprintf(text, size, "a null pointer");
    else snprintf(text, size, "host memory that is neither pinned nor managed, or nothing at all");
    return HAZARD_WRONG_MEMORY;
}

static Trace *facts_as_trace(void)
{
    Trace *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->n_ops = n_ops;
    t->n_streams = n_streams;
    t->n_ranges = n_ranges;
    t->ops = calloc(n_ops + 1, sizeof *t->ops);
    t->streams = calloc(n_streams + 1, sizeof *t->streams);
    t->ranges = calloc(n_ranges + 1, sizeof *t->ranges);
    if (!t->ops || !t->streams || !t->ranges) return NULL;
    t->ops[0].kind = TRACE_RECORD;
    t->ops[0].name = "";
    for (uint32_t i = 1; i <= n_ops; i++)
        t->ops[i] = (TraceOp){.kind = ops[i].name ? (TraceOpKind)ops[i].kind : TRACE_RECORD,
                              .stream = ops[i].stream,
                              .launch = ops[i].launch,
                              .start_ns = ops[i].start_ns,
                              .end_ns = TRACE_OPEN_NS,
                              .name = ops[i].name ? ops[i].name : ""};
    for (uint32_t i = 0; i <= n_streams && stream_facts; i++) {
        t->streams[i] = (TraceStream){.device = stream_facts[i].device,
                                      .flavour = (TraceStreamFlavour)stream_facts[i].flavour,
                                      .name = stream_facts[i].name ? stream_facts[i].name : ""};
        if (t->streams[i].device > t->n_devices) t->n_devices = t->streams[i].device;
    }
    for (uint32_t i = 1; i <= n_ranges; i++)
        t->ranges[i] =
            (TraceRange){.name = "", .first_op = ranges[i].first_op, .end_op = ranges[i].end_op};
    return t;
}

/* The smallest range that holds both operations. */
static uint32_t range_of(uint32_t a, uint32_t b)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i <= n_ranges; i++) {
        bool holds_a = !a || (a >= ranges[i].first_op && a < ranges[i].end_op);
        bool holds_b = !b || (b >= ranges[i].first_op && b < ranges[i].end_op);
        if (!holds_a || !holds_b || (!a && !b)) continue;
        if (!best ||
            ranges[i].end_op - ranges[i].first_op <= ranges[best].end_op - ranges[best].first_op)
            best = i;
    }
    return best;
}

typedef struct Namer {
    Trace *trace;
    Labels *labels;
    uint32_t range;
} Namer;

static void label(Namer *namer, Entry *e, Side *side)
{
    if (!side->access.op) {
        if (side->access.thread > 1)
            snprintf(side->what, sizeof side->what, "host code (thread %u)", side->access.thread);
        else snprintf(side->what, sizeof side->what, "host code");
        return;
    }
    uint32_t range =
        range_of(e->side[0].access.verb ? e->side[0].access.op : 0, e->side[1].access.op);
    if (!namer->trace) namer->trace = facts_as_trace();
    if (namer->trace && (!namer->labels || namer->range != range)) {
        if (namer->labels) labels_free(namer->labels);
        namer->labels = labels_new(namer->trace, range);
        namer->range = range;
    }
    if (namer->labels) labels_op(namer->labels, side->access.op, side->what, sizeof side->what);
    else snprintf(side->what, sizeof side->what, "operation %u", side->access.op);
}

static void stream_label(Namer *namer, uint32_t stream, char *text, size_t size)
{
    if (!namer->trace) namer->trace = facts_as_trace();
    if (namer->trace && !namer->labels) {
        namer->labels = labels_new(namer->trace, 0);
        namer->range = 0;
    }
    if (namer->labels) labels_stream(namer->labels, stream, text, size);
    else snprintf(text, size, "stream %u", stream);
}

static void memory_text(const Entry *e, char *text, size_t size)
{
    if (!e->address) {
        snprintf(text, size, "memory");
        return;
    }
    int64_t first =
        (int64_t)(e->memory.bytes || e->memory.name ? e->address - e->memory.address : e->address);
    snprintf(text, size, "%s[%lld..%lld]", e->name, (long long)first,
             (long long)(first + (int64_t)(e->bytes ? e->bytes - 1 : 0)));
}

static void line_text(const Side *side, const Side *other, char *text, size_t size)
{
    const char *here = base_name(side->site.file), *there = base_name(other->site.file);
    if (!here) snprintf(text, size, "an unknown line");
    else if (there && strcmp(here, there) != 0)
        snprintf(text, size, "%s:%u", here, side->site.line);
    else snprintf(text, size, "line %u", side->site.line);
}

/* Replaces the stand-ins of hazard_report.h. */
static void expand(Namer *namer, const Entry *e, const char *from, char *to, size_t size)
{
    size_t n = 0;
    while (*from && n + 1 < size) {
        char word[256];
        const char *close = *from == '{' ? strchr(from, '}') : NULL;
        if (!close || close - from > 20) {
            to[n++] = *from++;
            continue;
        }
        size_t length = (size_t)(close - from) - 1;
        from++;
        const Side *a = &e->side[0], *b = &e->side[1];
        if (!strncmp(from, "1}", 2)) snprintf(word, sizeof word, "%s", a->what);
        else if (!strncmp(from, "2}", 2)) snprintf(word, sizeof word, "%s", b->what);
        else if (!strncmp(from, "m}", 2)) memory_text(e, word, sizeof word);
        else if (!strncmp(from, "line1}", 6)) line_text(a, b, word, sizeof word);
        else if (!strncmp(from, "line2}", 6))
            line_text(b, a->access.verb ? a : b, word, sizeof word);
        else if (!strncmp(from, "at1}", 4))
            snprintf(word, sizeof word, "%s:%u", base_name(a->site.file), a->site.line);
        else if (!strncmp(from, "at2}", 4))
            snprintf(word, sizeof word, "%s:%u", base_name(b->site.file), b->site.line);
        else if (!strncmp(from, "stream ", 7))
            stream_label(namer, (uint32_t)strtoul(from + 7, NULL, 10), word, sizeof word);
        else snprintf(word, sizeof word, "{%.*s}", (int)length, from);
        n += (size_t)snprintf(to + n, size - n, "%s", word);
        if (n >= size) n = size - 1;
        from = close + 1;
    }
    to[n] = 0;
}

/* "K1 in stream 2 reads" */
static void deed(Namer *namer, const Entry *e, const Side *side, bool kernel_name, char *text,
                 size_t size)
{
    char stream[96] = "", kernel[96] = "";
    uint32_t op = side->access.op;
    if (op && side->access.stream) {
        char name[64];
        stream_label(namer, side->access.stream, name, sizeof name);
        snprintf(stream, sizeof stream, " in %s", name);
    }
    if (kernel_name && op && op <= n_ops && ops[op].kind == TRACE_KERNEL && ops[op].name &&
        strncmp(side->what, ops[op].name, strlen(ops[op].name)) != 0)
        snprintf(kernel, sizeof kernel, " (%.80s)", ops[op].name);
    (void)e;
    snprintf(text, size, "%s%s%s %s", side->what, kernel, stream, side->access.verb);
}

static void headline(Namer *namer, const Entry *e, char *text, size_t size)
{
    char first[300], second[300], memory[160];
    if (e->headline) {
        expand(namer, e, e->headline, text, size);
        return;
    }
    memory_text(e, memory, sizeof memory);
    deed(namer, e, &e->side[1], false, second, sizeof second);
    if (!e->side[0].access.verb) {
        snprintf(text, size, "%s %s", second, memory);
        return;
    }
    deed(namer, e, &e->side[0], false, first, sizeof first);
    snprintf(text, size, "%s %s, %s it", second, memory, first);
}

/* The paragraph, from the headline on. */
static void paragraph(Namer *namer, const Entry *e, char *text, size_t size)
{
    char line[1200], memory[160];
    size_t n = 0;
    headline(namer, e, line, sizeof line);
    n += (size_t)snprintf(text + n, size - n, "%s", line);
    if (e->times > 1) n += (size_t)snprintf(text + n, size - n, " (%u times)", e->times);
    memory_text(e, memory, sizeof memory);
    for (int i = 0; i < 2; i++) {
        const Side *side = &e->side[i];
        if (!side->access.verb) continue;
        deed(namer, e, side, true, line, sizeof line);
        if (side->site.file)
            n += (size_t)snprintf(text + n, size - n, "\n  %s:%u: %s", base_name(side->site.file),
                                  side->site.line, line);
        else n += (size_t)snprintf(text + n, size - n, "\n  %s", line);
        if (e->address) n += (size_t)snprintf(text + n, size - n, " %s", memory);
    }
    if (e->address && e->memory.bytes) {
        n += (size_t)snprintf(text + n, size - n, "\n  %s: %s%zu bytes of %s", e->name,
                              e->memory.stack ? "at most " : "", e->memory.bytes,
                              kind_text(&e->memory));
        if (e->touched && e->touched < e->bytes)
            n += (size_t)snprintf(text + n, size - n, ", %zu of these %zu", e->touched, e->bytes);
        if (e->memory.made.file)
            n += (size_t)snprintf(text + n, size - n, ", %s at %s:%u",
                                  e->memory.variable ? "declared" : made_by(&e->memory),
                                  base_name(e->memory.made.file), e->memory.made.line);
        if (e->caller.file)
            n += (size_t)snprintf(text + n, size - n, " for the caller at %s:%u",
                                  base_name(e->caller.file), e->caller.line);
    }
    if (e->why) {
        expand(namer, e, e->why, line, sizeof line);
        n += (size_t)snprintf(text + n, size - n, "\n  why: %s", line);
    }
    if (e->fix) {
        expand(namer, e, e->fix, line, sizeof line);
        snprintf(text + n, size - n, "\n  fix: %s", line);
    }
}

/* ---- JSON ---- */

/* An access: {"what": ..., "line": ...}. */
static void put_access(Namer *namer, const Side *side, FILE *to)
{
    char stream[1200];
    bool has_stream = side->access.op && side->access.stream;
    if (has_stream) stream_label(namer, side->access.stream, stream, sizeof stream);

    fputs("{\"what\":", to);
    json_text(to, side->what);
    fprintf(to, ",\"op\":%u,\"stream\":", side->access.op);
    json_text(to, has_stream ? stream : NULL);
    fprintf(to, ",\"thread\":%u,\"verb\":", side->access.op ? 0 : side->access.thread);
    json_text(to, side->access.verb);
    fputs(",\"file\":", to);
    json_text(to, side->site.file);
    fprintf(to, ",\"line\":%u}", side->site.file ? side->site.line : 0);
}

/* The memory that it is about: {"name": ..., "caller": ...}. */
static void put_memory(const Entry *e, FILE *to)
{
    static const char *const kinds[TRACE_MEMORIES] =
        {[TRACE_MEM_NONE] = "unknown",    [TRACE_MEM_DEVICE] = "device",
         [TRACE_MEM_PINNED] = "pinned",   [TRACE_MEM_PAGEABLE] = "pageable",
         [TRACE_MEM_MANAGED] = "managed", [TRACE_MEM_REGISTERED] = "registered"};
    const char *kind = e->memory.variable ? "variable"
                       : e->memory.name   ? "shared"
                                          : kinds[e->memory.kind];
    bool in_block = e->memory.bytes || e->memory.name;
    int64_t first = (int64_t)(in_block ? e->address - e->memory.address : e->address),
            last = first + (int64_t)(e->bytes ? e->bytes - 1 : 0);

    fputs("{\"name\":", to);
    json_text(to, e->name);
    fprintf(to, ",\"kind\":\"%s\",\"bytes\":%zu", kind, e->memory.bytes);
    fprintf(to, ",\"first\":%lld,\"last\":%lld", (long long)first, (long long)last);
    fprintf(to, ",\"touched\":%zu,\"file\":", e->touched);
    json_text(to, e->memory.made.file);
    fprintf(to, ",\"line\":%u,\"caller\":", e->memory.made.line);
    if (e->caller.file) {
        fputs("{\"file\":", to);
        json_text(to, e->caller.file);
        fprintf(to, ",\"line\":%u}}", e->caller.line);
    } else {
        fputs("null}", to);
    }
}

static void put_json(Namer *namer, const Entry *e, FILE *to)
{
    char text[1200];
    headline(namer, e, text, sizeof text);
    fprintf(to,
            "{\"kind\":\"%s\",\"severity\":\"%s\",\"times\":%u,\"headline\":", hazard_word[e->kind],
            hazard_is_note(e->kind) ? "note" : "error", e->times);
    json_text(to, text);

    fputs(",\"accesses\":[", to);
    bool comma = false;
    for (int i = 0; i < 2; i++) {
        if (!e->side[i].access.verb) continue;
        if (comma) fputc(',', to);
        comma = true;
        put_access(namer, &e->side[i], to);
    }

    fputs("],\"memory\":", to);
    if (e->address) put_memory(e, to);
    else fputs("null", to);

    const char *const extra[] = {e->why, e->fix};
    for (int i = 0; i < 2; i++) {
        fputs(i ? ",\"fix\":" : ",\"why\":", to);
        if (extra[i]) expand(namer, e, extra[i], text, sizeof text);
        json_text(to, extra[i] ? text : NULL);
    }
    fputc('}', to);
}

static const char *stop_kind, *stop_text;
static TraceSite stop_site;

void hazard_stopped(const char *kind, const char *text, TraceSite site)
{
    stop_kind = kind;
    stop_text = text;
    stop_site = site;
}

static void put_stop(FILE *to)
{
    if (!stop_kind) {
        fputs("null", to);
        return;
    }
    fputs("{\"kind\":", to);
    json_text(to, stop_kind);
    fputs(",\"text\":", to);
    json_text(to, stop_text);
    fputs(",\"file\":", to);
    json_text(to, stop_site.file);
    fprintf(to, ",\"line\":%u}", stop_site.file ? stop_site.line : 0);
}

static void write_json(Namer *namer, const char *program, uint32_t errors, uint32_t notes)
{
    const char *where = getenv(ENV_CHECK_JSON);
    if (!where || !*where) return;
    FILE *to;
    if (strncmp(where, "fd:", 3) == 0) to = fdopen(dup(atoi(where + 3)), "w");
    else to = fopen(where, "we");
    if (!to) {
        fprintf(stderr, "threelane: " ENV_CHECK_JSON "=%s: cannot be written: %s\n", where,
                strerror(errno));
        return;
    }
    fputs("{\"tool\":\"threelane\",\"format\":1,\"program\":", to);
    json_text(to, program);
    fprintf(to, ",\"errors\":%u,\"notes\":%u,\"stopped\":", errors, notes);
    put_stop(to);
    fputs(",\"hazards\":[", to);
    bool comma = false;
    for (int note = 0; note < 2; note++)
        for (uint32_t i = 0; i < n_entries; i++) {
            if (entries[i].again || hazard_is_note(entries[i].kind) != note) continue;
            fputs(comma ? ",\n" : "\n", to);
            comma = true;
            put_json(namer, &entries[i], to);
        }
    fputs("\n]}\n", to);
    if (fclose(to))
        fprintf(stderr, "threelane: " ENV_CHECK_JSON "=%s: %s\n", where, strerror(errno));
}

static bool same_place(const Side *a, const Side *b)
{
    if (!a->access.verb || !b->access.verb) return a->access.verb == b->access.verb;
    if (a->site.line != b->site.line || (a->site.file == NULL) != (b->site.file == NULL))
        return false;
    return !a->site.file || strcmp(a->site.file, b->site.file) == 0;
}

static void swap_numbers(char *text)
{
    for (; text && *text; text++) {
        size_t n = strncmp(text, "{line", 5) == 0 ? 5
                   : strncmp(text, "{at", 3) == 0 ? 3
                   : *text == '{'                 ? 1
                                                  : 0;
        if (n && text[n] && text[n + 1] == '}' && (text[n] == '1' || text[n] == '2'))
            text[n] ^= '1' ^ '2';
    }
}

/* Threads of a block have no order of issue: by lines, then. */
static void order_sides(Entry *e)
{
    Side kept = e->side[0];
    bool by_threads = e->kind == HAZARD_SHARED_RACE || e->kind == HAZARD_GLOBAL_RACE ||
                      e->kind == HAZARD_SAME_VALUE;
    if (!by_threads || e->side[0].site.line <= e->side[1].site.line) return;
    e->side[0] = e->side[1];
    e->side[1] = kept;
    swap_numbers(e->headline);
    swap_numbers(e->why);
    swap_numbers(e->fix);
}

/* As a record of the trace. */
static void record_entry(Namer *namer, const Entry *e, const char *text, const char *first,
                         HazardRecord *record)
{
    char why[1200] = "", fix[1200] = "";
    if (e->why) expand(namer, e, e->why, why, sizeof why);
    if (e->fix) expand(namer, e, e->fix, fix, sizeof fix);
    record(&(TraceHazard){.kind = hazard_word[e->kind],
                          .op_a = e->side[0].access.verb ? e->side[0].access.op : 0,
                          .op_b = e->side[1].access.op,
                          .site_a = e->side[0].site,
                          .site_b = e->side[1].site,
                          .text = text,
                          .note = hazard_is_note(e->kind),
                          .headline = first,
                          .why = why,
                          .fix = fix});
}

HazardTally hazard_finish(HazardRecord *record, HazardDescribe *describe, AllocOriginFrames *frames,
                          const char *program)
{
    static char text[8192], line[1200], first[1200];
    Namer namer = {0};
    uint32_t errors = 0, notes = 0;
    const char *kind = NULL;
    for (uint32_t i = 0; i < n_entries; i++) {
        Entry *e = &entries[i];
        for (int k = 0; k < 2; k++)
            if (e->side[k].access.verb) find_site(&e->side[k], describe);
        order_sides(e);
        for (uint32_t k = 0; k < i && !e->again; k++) {
            if (entries[k].again || entries[k].kind != e->kind ||
                !same_place(&entries[k].side[0], &e->side[0]) ||
                !same_place(&entries[k].side[1], &e->side[1]) ||
                (e->kind == HAZARD_LEAK &&
                 strcmp(entries[k].side[1].access.verb, e->side[1].access.verb) != 0) ||
                (!e->side[1].site.file && e->headline && entries[k].headline &&
                 strcmp(e->headline, entries[k].headline)))
                continue;
            e->again = true;
            entries[k].times += e->times;
        }
        if (e->again) continue;
        if (hazard_is_note(e->kind)) notes++;
        else errors++;
        find_name(e, frames);
        for (int k = 0; k < 2; k++)
            if (e->side[k].access.verb) label(&namer, e, &e->side[k]);
    }
    for (int note = 0; note < 2; note++)
        for (uint32_t i = 0; i < n_entries; i++) {
            Entry *e = &entries[i];
            if (e->again || hazard_is_note(e->kind) != note) continue;
            paragraph(&namer, e, text, sizeof text);
            fprintf(stderr, "threelane: %s: %s\n", hazard_word[e->kind], text);
            size_t length = strcspn(text, "\n");
            snprintf(line, sizeof line, "%.*s", (int)length, text);
            if (!kind) snprintf(first, sizeof first, "%s", line);
            if (!kind) kind = hazard_word[e->kind];
            if (record) record_entry(&namer, e, text, line, record);
        }
    if (errors + notes > 0)
        fprintf(stderr, "threelane: %u error%s and %u note%s\n", errors, errors == 1 ? "" : "s",
                notes, notes == 1 ? "" : "s");
    write_json(&namer, program, errors, notes);
    return (HazardTally){errors, notes, kind, first};
}
