/* The trace file: what is written is what is read; nothing that a file contains harms the
 * reader. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"
#include "tests/unit/trace_text.h"
#include "timeline/trace/trace_write.h"
#include "tests/unit/damaged.h"
#include "timeline/exports/export.h"
#include "timeline/pictures/schedule.h"

/* The whole of a file; the caller frees. Tests run in the repository's root. */
static char *contents(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    char *text = malloc(1 << 20);
    ck_assert_ptr_nonnull(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

/* Everything in a trace as text, for comparison. */
static char *dump(const Trace *t)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
#define SITE(s) (s).file ? (s).file : "(none)", (s).line
    for (uint32_t i = 1; i <= t->n_metas; i++)
        fprintf(f, "meta %s=%s\n", t->metas[i].key, t->metas[i].value);
    for (uint32_t i = 1; i <= t->n_devices; i++) fprintf(f, "device %s\n", t->devices[i].name);
    for (uint32_t i = 1; i <= t->n_engines; i++) {
        fprintf(f, "engine %u %d %s\n", t->engines[i].device, t->engines[i].class_,
                t->engines[i].name);
    }
    for (uint32_t i = 1; i <= t->n_threads; i++)
        fprintf(f, "thread %d %s\n", t->threads[i].role, t->threads[i].name);
    for (uint32_t i = 1; i <= t->n_streams; i++) {
        const TraceStream *s = &t->streams[i];
        fprintf(f, "stream %u %d %d %lu %s:%u %s %lu %s:%u\n", s->device, s->flavour, s->priority,
                s->created_ns, SITE(s->site), s->name, s->destroyed_ns, SITE(s->destroyed_site));
    }
    for (uint32_t i = 1; i <= t->n_calls; i++) {
        const TraceCall *c = &t->calls[i];
        fprintf(f, "call %u %s %lu %lu %d %s:%u\n", c->thread, c->name, c->start_ns, c->end_ns,
                c->result, SITE(c->site));
    }
    for (uint32_t i = 1; i <= t->n_allocs; i++) {
        const TraceAlloc *a = &t->allocs[i];
        fprintf(f, "alloc %u %u %d %lx %lu\n", a->call, a->free_call, a->kind, a->address,
                a->bytes);
    }
    for (uint32_t i = 1; i <= t->n_events; i++) {
        fprintf(f, "event %u %u %s\n", t->events[i].call, t->events[i].end_call, t->events[i].name);
    }
    for (uint32_t i = 1; i <= t->n_ops; i++) {
        const TraceOp *o = &t->ops[i];
        fprintf(f, "op %d %u %u %u %u %u %d %d %lu %lu %lu %lu %u,%u,%u %u,%u,%u %u %s\n", o->kind,
                o->call, o->device, o->stream, o->engine, o->event, o->from, o->to, o->issued_ns,
                o->start_ns, o->end_ns, o->bytes, o->grid.x, o->grid.y, o->grid.z, o->block.x,
                o->block.y, o->block.z, o->shared_bytes, o->name);
        for (uint32_t k = 0; k < o->n_causes; k++) {
            const TraceCause *c = &t->causes[o->first_cause + k];
            fprintf(f, "  why %u %d %u %lu\n", c->op, c->kind, c->by_op, c->until_ns);
        }
        for (uint32_t k = 0; k < o->n_uses; k++) {
            const TraceUse *u = &t->uses[o->first_use + k];
            fprintf(f, "  uses %u %d %u %lu %lu\n", u->op, u->write, u->alloc, u->offset, u->bytes);
        }
    }
    for (uint32_t i = 1; i <= t->n_ranges; i++) {
        const TraceRange *r = &t->ranges[i];
        fprintf(f, "range %u %lu %lu %s %u %u %u %u %u\n", r->thread, r->start_ns, r->end_ns,
                r->name, r->first_op, r->end_op, r->first_call, r->end_call, r->end_range);
    }
    for (uint32_t i = 1; i <= t->n_marks; i++) {
        fprintf(f, "mark %u %lu %s\n", t->marks[i].thread, t->marks[i].ns, t->marks[i].name);
    }
    for (uint32_t i = 1; i <= t->n_notes; i++) {
        const TraceNote *n = &t->notes[i];
        fprintf(f, "note %d %lu %s:%u %s %s %s\n", n->severity, n->ns, SITE(n->site), n->text,
                n->kind, n->by);
    }
    for (uint32_t i = 1; i <= t->n_hazards; i++) {
        const TraceHazard *h = &t->hazards[i];
        fprintf(f, "hazard %s %u %u %s:%u %s:%u %s %d %s %s %s\n", h->kind, h->op_a, h->op_b,
                SITE(h->site_a), SITE(h->site_b), h->text, h->note, h->headline, h->why, h->fix);
    }
    fprintf(f, "last %lu ended %d %d\n", t->last_ns, t->ended, t->exit_status);
    fclose(f);
    return text;
}

/* What every consumer relies on, whatever the file said. */
static void check_sane(const Trace *t)
{
    REQUIRE(t->ops[0].n_causes == 0);
    for (uint32_t i = 0; i <= t->n_ops; i++) {
        const TraceOp *o = &t->ops[i];
        REQUIRE(o->kind < TRACE_OP_KINDS && o->call <= t->n_calls && o->device <= t->n_devices);
        REQUIRE(o->stream <= t->n_streams && o->engine <= t->n_engines && o->event <= t->n_events &&
                o->name);
        REQUIRE(o->end_ns == TRACE_OPEN_NS ||
                (o->start_ns != TRACE_OPEN_NS && o->end_ns >= o->start_ns));
        REQUIRE((uint64_t)o->first_cause + o->n_causes <= (uint64_t)t->n_causes + 1);
        REQUIRE((uint64_t)o->first_use + o->n_uses <= (uint64_t)t->n_uses + 1);
        for (uint32_t k = 0; k < o->n_causes; k++) {
            const TraceCause *c = &t->causes[o->first_cause + k];
            REQUIRE(c->op == i && c->by_op <= t->n_ops && c->kind < TRACE_CAUSE_KINDS);
        }
        for (uint32_t k = 0; k < o->n_uses; k++) {
            REQUIRE(t->uses[o->first_use + k].op == i &&
                    t->uses[o->first_use + k].alloc <= t->n_allocs);
        }
    }
    for (uint32_t i = 0; i <= t->n_calls; i++) {
        REQUIRE(t->calls[i].thread <= t->n_threads && t->calls[i].name &&
                t->calls[i].end_ns >= t->calls[i].start_ns);
    }
    for (uint32_t i = 0; i <= t->n_streams; i++)
        REQUIRE(t->streams[i].name && t->streams[i].device <= t->n_devices);
    for (uint32_t i = 0; i <= t->n_ranges; i++)
        REQUIRE(t->ranges[i].name && t->ranges[i].thread <= t->n_threads);
    for (uint32_t i = 0; i <= t->n_events; i++)
        REQUIRE(t->events[i].name && t->events[i].call <= t->n_calls);
    for (uint32_t i = 0; i <= t->n_allocs; i++) REQUIRE(t->allocs[i].call <= t->n_calls);
    for (uint32_t i = 0; i <= t->n_hazards; i++)
        REQUIRE(t->hazards[i].op_a <= t->n_ops && t->hazards[i].text);
}

static const char odd[] = "tab\t line\n back\\slash \x01\x7f \xc3\xa9 \xff end";

static void write_everything(TraceWriter *w)
{
    TraceSite site = {"dir with space/ex\t43.cu", 4294967295u}, none = {NULL, 0};
    trace_write_meta(w, "program", odd);
    trace_write_meta_u64(w, "seed", UINT64_MAX);
    trace_write_device(w, 1, "-");
    trace_write_engine(w, 1, 1, TRACE_ENGINE_COPY, "both ways");
    trace_write_thread(w, 1, TRACE_THREAD_DRIVER, "");
    trace_write_stream(w, 1, 1, TRACE_STREAM_PER_THREAD, -5, 10, site, odd);
    trace_write_streamend(w, 1, 99, none);
    trace_write_name(w, "thread", 1, "named later");
    trace_write_call(w, 1, 1, "cudaMalloc", 100, site, TRACE_SIDE_NONE);
    trace_write_ret(w, 1, 109, -2147483647 - 1);
    trace_write_alloc(w, 1, 1, TRACE_MEM_REGISTERED, 0xffffffffffffffffu, 12345678901234567890u);
    trace_write_free(w, 1, 1);
    trace_write_event(w, 1, 1);
    trace_write_eventend(w, 1, 1);
    TraceOp op = {.kind = TRACE_KERNEL,
                  .call = 1,
                  .device = 1,
                  .stream = 1,
                  .event = 1,
                  .from = TRACE_MEM_PINNED,
                  .to = TRACE_MEM_MANAGED,
                  .issued_ns = 110,
                  .bytes = 1009,
                  .grid = {4294967295u, 65535, 1},
                  .block = {1, 2, 64},
                  .shared_bytes = 100,
                  .name = "scale<float>"};
    trace_write_op(w, 1, &op);
    op.kind = TRACE_H2D;
    op.grid.x = op.block.x = 0;
    op.name = NULL;
    trace_write_op(w, 2, &op);
    trace_write_uses(w, 2, true, 1, 7, 99);
    trace_write_uses(w, 1, false, 0, 0xabcdef, 10);
    trace_write_why(w, 2, TRACE_BY_STREAM, 1, 120);
    trace_write_why(w, 1, TRACE_BY_HOST, 0, 115);
    trace_write_start(w, 1, 115, 1);
    trace_write_why(w, 2, TRACE_BY_MEMORY, 1, 121);
    trace_write_end(w, 1, 120);
    trace_write_range(w, 1, 1, 130, "pipelined", TRACE_SIDE_HARNESS);
    trace_write_rangeend(w, 1, 140);
    trace_write_mark(w, 1, 141, "here", TRACE_SIDE_STUDENT);
    trace_write_note(w, &(TraceNote){TRACE_WARNING, 142, site, "careful", "misuse", "gpu"});
    TraceHazard hazard = {"write-write", 1, 2, site, none, odd, true, odd, NULL, "wait"};
    trace_write_hazard(w, &hazard);
    trace_write_exit(w, 150, -3);
}

/* A file that is gone once it is closed. */
static int temporary(char path[64])
{
    strcpy(path, "/tmp/threelane-test-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    return fd;
}

static char *written(size_t *length)
{
    char path[64];
    TraceWriter *w = trace_write_open(temporary(path));
    ck_assert_ptr_nonnull(w);
    write_everything(w);
    ck_assert_int_eq(trace_write_close(w), 0);
    char *text = contents(path, length);
    unlink(path);
    return text;
}

START_TEST(round_trip)
{
    size_t length;
    char error[256], *text = written(&length);
    Trace *t = trace_parse(text, length, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    check_sane(t);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert(t->ended && !t->truncated);
    ck_assert_int_eq(t->exit_status, -3);
    ck_assert_str_eq(trace_meta(t, "program"), odd);
    ck_assert_str_eq(trace_meta(t, "seed"), "18446744073709551615");
    ck_assert_str_eq(t->devices[1].name, "-");
    ck_assert_str_eq(t->streams[1].site.file, "dir with space/ex\t43.cu");
    ck_assert_uint_eq(t->streams[1].site.line, 4294967295u);
    ck_assert_int_eq(t->streams[1].priority, -5);
    ck_assert_uint_eq(t->streams[1].destroyed_ns, 99);
    ck_assert_ptr_null(t->streams[1].destroyed_site.file);
    ck_assert_str_eq(t->threads[1].name, "named later");
    ck_assert_int_eq(t->calls[1].result, -2147483647 - 1);
    ck_assert_uint_eq(t->allocs[1].address, UINT64_MAX);
    ck_assert_uint_eq(t->allocs[1].bytes, 12345678901234567890u);
    ck_assert_int_eq(t->allocs[1].kind, TRACE_MEM_REGISTERED);
    ck_assert_uint_eq(t->allocs[1].free_call, 1);
    ck_assert_uint_eq(t->events[1].end_call, 1);
    ck_assert_str_eq(t->ops[1].name, "scale<float>");
    ck_assert_uint_eq(t->ops[1].grid.x, 4294967295u);
    ck_assert_uint_eq(t->ops[1].block.z, 64);
    ck_assert_uint_eq(t->ops[1].start_ns, 115);
    ck_assert_uint_eq(t->ops[1].end_ns, 120);
    ck_assert_uint_eq(t->ops[2].start_ns, TRACE_OPEN_NS);
    ck_assert_str_eq(t->ops[2].name, "");
    ck_assert_uint_eq(t->ops[2].grid.x, 0);
    ck_assert_uint_eq(t->ops[2].n_causes, 2);
    ck_assert_int_eq(t->causes[t->ops[2].first_cause].kind, TRACE_BY_STREAM);
    ck_assert_int_eq(t->causes[t->ops[2].first_cause + 1].kind, TRACE_BY_MEMORY);
    ck_assert_uint_eq(t->uses[t->ops[1].first_use].offset, 0xabcdef);
    ck_assert(t->uses[t->ops[2].first_use].write);
    ck_assert_uint_eq(t->ranges[1].first_op, 3);
    ck_assert_str_eq(t->notes[1].text, "careful");
    ck_assert_str_eq(t->notes[1].kind, "misuse");
    ck_assert_str_eq(t->notes[1].by, "gpu");
    ck_assert_str_eq(t->hazards[1].text, odd);
    ck_assert(t->hazards[1].note);
    ck_assert_str_eq(t->hazards[1].headline, odd);
    ck_assert_str_eq(t->hazards[1].why, "");
    ck_assert_str_eq(t->hazards[1].fix, "wait");
    ck_assert_uint_eq(t->last_ns, 150);
    trace_free(t);
    free(text);
}
END_TEST

/* Numbers of every length come back as they were. */
START_TEST(numbers)
{
    char path[64], error[256];
    TraceWriter *w = trace_write_open(temporary(path));
    uint64_t value = 0;
    uint32_t n = 0;
    trace_write_thread(w, 1, TRACE_THREAD_MAIN, "");
    for (int i = 0; i < 62; i++, value = value * 2 + (i % 3 == 0))
        trace_write_mark(w, 1, value, "", TRACE_SIDE_NONE), n++;
    trace_write_close(w);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_uint_eq(t->n_marks, n);
    value = 0;
    for (int i = 0; i < 62; i++, value = value * 2 + (i % 3 == 0))
        ck_assert_uint_eq(t->marks[i + 1].ns, value);
    trace_free(t);
    unlink(path);
}
END_TEST

/* Other programs read traces as well: no zeros in front, no digit too many, at every power of ten.
 */
START_TEST(numbers_are_written_as_anybody_writes_them)
{
    char path[64], line[64];
    TraceWriter *w = trace_write_open(temporary(path));
    trace_write_thread(w, 1, TRACE_THREAD_MAIN, "");
    for (uint64_t ten = 1; ten <= UINT64_MAX / 100; ten *= 10)
        for (int less = 0; less < 2; less++)
            trace_write_mark(w, 1, ten - (uint64_t)less, "", TRACE_SIDE_NONE);
    trace_write_close(w);

    Text text = {0};
    ck_assert_int_eq(text_read_file(&text, path, 1 << 20), 0);
    for (uint64_t ten = 1; ten <= UINT64_MAX / 100; ten *= 10) {
        for (int less = 0; less < 2; less++) {
            snprintf(line, sizeof line, "mark\t1\t%" PRIu64 "\t", ten - (uint64_t)less);
            ck_assert_msg(strstr(text_string(&text), line) != NULL, "no '%s'", line);
        }
    }
    text_release(&text);
    unlink(path);
}
END_TEST

START_TEST(cut_anywhere)
{
    size_t length;
    char error[256], *text = written(&length);
    uint32_t lines = 0, records = 0;
    for (size_t cut = 0; cut <= length; cut++) {
        char *copy = malloc(cut + 1); /* its own block, so that reading too far is seen */
        memcpy(copy, text, cut);
        Trace *t = trace_parse(copy, cut, error, sizeof error);
        free(copy);
        if (cut > 0 && text[cut - 1] == '\n') lines++;
        ck_assert(!t == (lines == 0));
        if (!t) continue;
        check_sane(t);
        ck_assert_uint_eq(t->skipped_lines, 0);
        ck_assert(t->truncated == (cut < length));
        uint32_t now = t->n_metas + t->n_devices + t->n_engines + t->n_threads + t->n_streams +
                       t->n_calls + t->n_allocs + t->n_events + t->n_ops + t->n_causes + t->n_uses +
                       t->n_ranges + t->n_marks + t->n_notes + t->n_hazards;
        ck_assert(now >= records && now <= lines);
        records = now;
        trace_free(t);
    }
    free(text);
}
END_TEST

/* A file read as it grows, in pieces of every size, ends as the file read at once. */
START_TEST(growing)
{
    size_t length;
    char error[256], path[64], *text = contents("tests/fixtures/traces/pipeline4.lane", &length);
    Trace *whole = trace_parse(text, length, error, sizeof error);
    char *expected = dump(whole);
    for (size_t piece = 1; piece < 2 * length; piece = piece * 3 + 1) {
        int fd = temporary(path);
        ck_assert_int_eq((int)write(fd, text, 14), 14);
        Trace *t = trace_read(path, error, sizeof error);
        ck_assert_msg(t != NULL, "%s", error);
        ck_assert(!trace_read_more(t));
        for (size_t at = 14; at < length; at += piece) {
            size_t n = length - at < piece ? length - at : piece;
            ck_assert_int_eq((int)write(fd, text + at, n), (int)n);
            ck_assert(trace_read_more(t));
            check_sane(t);
        }
        char *got = dump(t);
        ck_assert_str_eq(got, expected);
        ck_assert(!t->truncated && !trace_read_more(t));
        free(got);
        trace_free(t);
        close(fd);
        unlink(path);
    }
    free(expected);
    trace_free(whole);
    free(text);
}
END_TEST

/* Causes of operations that are mixed in the file stand together, each operation's in the file's
 * order. */
START_TEST(mixed_causes)
{
    char text[65536];
    size_t n = (size_t)snprintf(text, sizeof text, TRACE_HEAD);
    for (int i = 1; i <= 40; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "op %d 0 kernel 1 2 0 0 - - - - 0 0 k\n",
                              i);
    }
    for (int i = 0; i < 400; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "why %d stream 0 %d\n", i * 7 % 40 + 1, i);
        if (i % 5 == 0)
            n += (size_t)snprintf(text + n, sizeof text - n, "uses %d r 0 %d 1\n", 40 - i * 3 % 40,
                                  i);
    }
    Trace *t = trace_of(text);
    check_sane(t);
    for (uint32_t op = 1; op <= 40; op++) {
        ck_assert_uint_eq(t->ops[op].n_causes, 10);
        for (uint32_t k = 1; k < 10; k++) {
            const TraceCause *c = &t->causes[t->ops[op].first_cause + k];
            ck_assert_uint_lt(c[-1].until_ns, c->until_ns);
        }
    }
    ck_assert_uint_eq(t->n_uses, 80);
    trace_free(t);
}
END_TEST

START_TEST(hostile_ids)
{
    Trace *t = trace_of(
        TRACE_HEAD
        "op 4000000000 0 h2d 1 2 0 0 - - - - 0 0 -\n"           /* would be a huge array */
        "op 18446744073709551616 0 h2d 1 2 0 0 - - - - 0 0 -\n" /* more than 64 bits */
        "op 0 0 h2d 1 2 0 0 - - - - 0 0 -\n"
        "op 3 77 h2d 9 99 0 5 pinned device - - 0 12 -\n" /* refers to what is not there; leaves a
                                                             gap */
        "op 3 0 d2h 1 2 0 6 - - - - 0 0 -\n"              /* again */
        "op 1 0 d2h 1 2 0 7 - - - - 0 0 -\n"              /* late */
        "start 2 5 1\nstart 9 5 1\nend 3 7\nstart 3 5 400\nstart 3 6 1\nend 3 4\nend 3 8\nend 3 9\n"
        "why 3 stream 4000000000 5\nwhy 2 stream 1 5\nuses 8 r 0 0 0\nret 1 5 0\nfree 1 "
        "1\nrangeend 4 4\n"
        "name stream 88 x\n"
        "mark 9 4611686018427387905 late\nmark 9 1 fine\n");
    check_sane(t);
    ck_assert_uint_eq(t->n_ops, 3);
    ck_assert_int_eq(t->ops[1].kind, TRACE_D2H);
    ck_assert_int_eq(t->ops[2].kind, TRACE_RECORD); /* the gap is blank, and nothing was hung on it
                                                     */
    ck_assert_uint_eq(t->ops[2].start_ns, TRACE_OPEN_NS);
    ck_assert_uint_eq(t->ops[3].bytes, 5);
    ck_assert_uint_eq(t->ops[3].stream, 0);
    ck_assert_uint_eq(t->ops[3].start_ns, 5);
    ck_assert_uint_eq(t->ops[3].engine, 0);
    ck_assert_uint_eq(t->ops[3].end_ns, 8);
    ck_assert_uint_eq(t->n_causes, 1);
    ck_assert_uint_eq(t->causes[1].by_op, 0);
    ck_assert_uint_eq(t->n_marks, 1);
    ck_assert_uint_eq(t->damaged_line, 15);
    trace_free(t);
}
END_TEST

START_TEST(damaged_lines)
{
    static const char head[] = "threelane\t1\n";
    static const char body[] =
        "\nmeta\nmeta\ta\n\x80\x81\0\xff\nMETA\tx\ty\nnews\tfrom the future\ncall\t1\t0\tx\t-1\t-\n"
        "call\t1\t0\tx\t1x\t-\ncall\t1\t0\tx\t1\tnoline:\ncall\t1\t0\tbad\\q\t1\t-"
        "\ncall\t1\t0\tbad\\x4\t1\t-\n"
        "call\t1\t0\tn\0ul\t1\tdir:3/"
        "a.cu:7\textra\tfields\r\nop\t1\t1\th2d\0\t1\t1\t0\t0\t-\t-\t-\t-\t0\t0\t-\n"
        "op\t1\t1\tkernel\t0\t0\t0\t0\t-\t-\t1,2\t1,1,1\t0\t0\t-\n"
        "op\t1\t1\tkernel\t0\t0\t0\t0\t-\t-\t1,2,99999999999\t-\t0\t0\t-";
    char text[sizeof head + sizeof body], error[256];
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, body, sizeof body - 1);
    Trace *t = trace_parse(text, sizeof head + sizeof body - 2, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    check_sane(t);
    ck_assert_uint_eq(t->n_calls, 1);
    ck_assert_str_eq(t->calls[1].name, "n?ul");
    ck_assert_str_eq(t->calls[1].site.file, "dir:3/a.cu");
    ck_assert_uint_eq(t->n_ops, 0);
    ck_assert_uint_eq(t->damaged_line, 2);
    ck_assert_uint_eq(t->skipped_lines, 13);
    ck_assert(t->truncated);
    trace_free(t);
}
END_TEST

/* A line without end is skipped without being kept; what follows it is read. */
START_TEST(endless_line)
{
    char path[64], error[256];
    int fd = temporary(path);
    ck_assert_int_eq((int)write(fd, "threelane\t1\nmeta\tk\t", 19), 19);
    char *block = malloc(1 << 20);
    memset(block, 'x', 1 << 20);
    for (int i = 0; i < 20; i++) ck_assert_int_eq((int)write(fd, block, 1 << 20), 1 << 20);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_ptr_nonnull(t);
    ck_assert_uint_eq(t->n_metas, 0);
    ck_assert(t->truncated);
    ck_assert_int_eq((int)write(fd, "\nmeta\tk\tv\n", 10), 10);
    ck_assert(trace_read_more(t));
    ck_assert_str_eq(trace_meta(t, "k"), "v");
    ck_assert_uint_eq(t->damaged_line, 2);
    trace_free(t);
    free(block);
    close(fd);
    unlink(path);
}
END_TEST

/* A text of any length is written so that it can be read. */
START_TEST(long_text)
{
    char path[64], error[256];
    TraceWriter *w = trace_write_open(temporary(path));
    char *name = malloc((3 << 20) + 1);
    memset(name, '\n', 3 << 20);
    name[3 << 20] = '\0';
    for (int i = 0; i < 40; i++) trace_write_mark(w, 0, 1, name, TRACE_SIDE_NONE);
    ck_assert_int_eq(trace_write_close(w), 0);
    Trace *t = trace_read(path, error, sizeof error);
    ck_assert_uint_eq(t->n_marks, 40);
    ck_assert_uint_eq(strlen(t->marks[40].name), 32 << 10);
    trace_free(t);
    free(name);
    unlink(path);
}
END_TEST

START_TEST(not_a_trace)
{
    char error[256] = "";
    ck_assert_ptr_null(trace_read("/nowhere/t.lane", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "no such file"));
    ck_assert_ptr_null(trace_read("/tmp", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "directory"));
    ck_assert_ptr_null(trace_read("/dev/null", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "empty"));
    ck_assert_ptr_null(trace_read("/dev/zero", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "not a Threelane trace"));
    ck_assert_ptr_null(trace_parse("threelane\t2\n", 12, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "newer"));
    ck_assert_ptr_null(trace_parse("threelane\t01\n", 13, error, sizeof error));
    ck_assert_ptr_null(trace_parse("threelane", 9, error, sizeof error));
    ck_assert_ptr_null(strchr(error, '\n'));
}
END_TEST

START_TEST(write_error)
{
    int fd = open("/dev/full", O_WRONLY);
    if (fd < 0) return;
    TraceWriter *w = trace_write_open(fd);
    for (int i = 0; i < 100000; i++)
        trace_write_mark(w, 1, (uint64_t)i, "some text that fills the buffer", TRACE_SIDE_NONE);
    ck_assert_int_eq(trace_write_error(w), ENOSPC);
    ck_assert_int_eq(trace_write_close(w), ENOSPC);
}
END_TEST

START_TEST(units)
{
    Trace *t = trace_of("threelane 1\nmeta unit_ns 1000\nmeta unit_name us\nmeta unit_ns 7\n");
    ck_assert_uint_eq(trace_unit_ns(t), 1000);
    ck_assert_str_eq(trace_unit_name(t), "us");
    ck_assert_ptr_null(trace_meta(t, "card"));
    trace_free(t);
    t = trace_of("threelane 1\nmeta unit_ns 0\nmeta unit_name -\n");
    ck_assert_uint_eq(trace_unit_ns(t), 1000000);
    ck_assert_str_eq(trace_unit_name(t), "ms");
    trace_free(t);
}
END_TEST

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Bytes changed, lines moved, dropped and doubled: never a crash, always something a consumer can
 * walk. */
START_TEST(older_notes_and_hazards)
{
    static const char text[] =
        "threelane\t1\nnote\twarning\t5\t-\thello\nhazard\trace\t0\t0\t-\t-\tlong\n";
    char error[200];
    Trace *t = trace_parse(text, sizeof text - 1, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert_uint_eq(t->n_notes, 1);
    ck_assert_str_eq(t->notes[1].text, "hello");
    ck_assert_str_eq(t->notes[1].kind, "");
    ck_assert_str_eq(t->notes[1].by, "");
    ck_assert_uint_eq(t->n_hazards, 1);
    ck_assert(!t->hazards[1].note);
    ck_assert_str_eq(t->hazards[1].why, "");
    trace_free(t);
}
END_TEST

/* What is known of a kernel's inside; a record of no operation, with a word that nobody
 * knows or with a number that is none is left out and counted. */
START_TEST(insides)
{
    static const char text[] = "threelane\t1\ndevice\t1\tGPU\nstream\t1\t1\tlegacy\t0\t0\t-\t-\n"
                               "op\t1\t0\tkernel\t1\t1\t0\t0\t-\t-\t1,1,1\t32,1,1\t0\t0\tk\n"
                               "inside\t1\tbarriers\t0\t3\t0\t0\n"
                               "inside\t1\tload-compute\t0\t5\t10\t7\tmore\n"
                               "inside\t2\tbarriers\t0\t3\t0\t0\n"
                               "inside\t1\tnonsense\t0\t3\t0\t0\n"
                               "inside\t1\treads\t9\t3\t0\t0\n"
                               "inside\t1\treads\t0\t-3\n";
    char error[200];
    Trace *t = trace_parse(text, sizeof text - 1, error, sizeof error);
    ck_assert_msg(t != NULL, "%s", error);
    ck_assert_uint_eq(t->n_insides, 3);
    ck_assert_uint_eq(t->insides[3].alloc, 0); /* nobody knows the ninth */
    ck_assert_int_eq(t->insides[1].kind, TRACE_INSIDE_BARRIERS);
    ck_assert_uint_eq(t->insides[1].n, 3);
    ck_assert_int_eq(t->insides[2].kind, TRACE_INSIDE_LOAD_COMPUTE);
    ck_assert_uint_eq(t->insides[2].of, 10);
    ck_assert_uint_eq(t->last_ns, 7);
    ck_assert_uint_eq(t->skipped_lines, 3);
    trace_free(t);
}
END_TEST

START_TEST(mutations)
{
    size_t length;
    char error[256], *text = contents("tests/fixtures/traces/pipeline4.lane", &length);
    uint64_t state = 88172645463325252u;
    for (int round = 0; round < 2000; round++) {
        size_t n = length;
        char *copy = malloc(2 * length);
        memcpy(copy, text, length);
        for (uint64_t k = random_next(&state) % 40; k > 0; k--) {
            size_t at = 12 + random_next(&state) % (n - 12);
            uint64_t how = random_next(&state) % 4;
            size_t span = random_next(&state) % 60;
            if (at + span > n) span = n - at;
            if (how == 0) {
                copy[at] = (char)random_next(&state);
            } else if (how == 1) {
                copy[at] = "0123456789\t\n-:"[random_next(&state) % 14];
            } else if (how == 2 && n > length / 2) {
                memmove(copy + at, copy + at + span, n - at - span);
                n -= span;
            } else if (n + span <= 2 * length) {
                memmove(copy + at + span, copy + at, n - at);
                n += span;
            }
        }
        char *exact = malloc(n);
        memcpy(exact, copy, n);
        Trace *t = trace_parse(exact, n, error, sizeof error);
        free(exact);
        free(copy);
        ck_assert_ptr_nonnull(t);
        check_sane(t);
        trace_free(t);
    }
    free(text);
}
END_TEST

/* Who made a call, a range or a mark: the last field, of which older traces know nothing and newer
 * ones may know more. */
START_TEST(sides)
{
    char error[256];
    size_t length;
    char *text = written(&length);
    Trace *t = trace_parse(text, length, error, sizeof error);
    ck_assert_int_eq(t->calls[1].by, TRACE_SIDE_NONE);
    ck_assert_int_eq(t->ranges[1].by, TRACE_SIDE_HARNESS);
    ck_assert_int_eq(t->marks[1].by, TRACE_SIDE_STUDENT);
    trace_free(t);
    free(text);
    static const char lines[] = "threelane\t1\nthread\t1\tmain\tmain\n"
                                "call\t1\t1\tcudaMalloc\t0\tex.cu:1\tstudent\n"
                                "call\t2\t1\tcudaMalloc\t0\tex.cu:1\n"
                                "range\t1\t1\t0\tp\tteacher\nrange\t2\t1\t0\tp\t-\n"
                                "range\t3\t1\t0\tp\tstudent\tmore\nmark\t1\t0\tm\tharness\n";
    t = trace_parse(lines, sizeof lines - 1, error, sizeof error);
    ck_assert_uint_eq(t->skipped_lines, 0);
    ck_assert_int_eq(t->calls[1].by, TRACE_SIDE_STUDENT);
    ck_assert_int_eq(t->calls[2].by, TRACE_SIDE_NONE);
    ck_assert_int_eq(t->ranges[1].by, TRACE_SIDE_NONE);
    ck_assert_int_eq(t->ranges[2].by, TRACE_SIDE_NONE);
    ck_assert_int_eq(t->ranges[3].by, TRACE_SIDE_STUDENT);
    ck_assert_int_eq(t->marks[1].by, TRACE_SIDE_HARNESS);
    trace_free(t);
}
END_TEST

/* What is read, counted (engines, streams, calls and so on); and of the table and the waits that
 * come of it, one number. (What they say is held by test_export_texts.) */
static void read_trace(Text *said, const char *text, size_t length)
{
    char reason[300] = "", *drawn = NULL;
    size_t bytes = 0;
    Trace *t = trace_parse(text, length, reason, sizeof reason);
    if (!t) {
        text_add(said, reason);
        return;
    }
    text_printf(said, "%u %u %u %u %u %u %u %u %u %u, %llu %d %llu %llu%s", t->n_engines,
                t->n_streams, t->n_calls, t->n_ops, t->n_causes, t->n_ranges, t->n_events,
                t->n_uses, t->n_marks, t->n_hazards, (unsigned long long)t->last_ns,
                t->ended ? t->exit_status : -1, (unsigned long long)t->skipped_lines,
                (unsigned long long)t->damaged_line, t->truncated ? ", truncated" : "");
    FILE *to = open_memstream(&drawn, &bytes);
    ExportOptions options = {0};
    ScheduleOptions how = {.width = 80};
    ck_assert(export_to(to, t, "csv", &options, reason, sizeof reason));
    ck_assert_int_eq(schedule_write_waits(to, t, &how, 20), 0);
    fclose(to);
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ (unsigned char)drawn[i]) * 16777619u;
    text_printf(said, ", %08x", sum);
    free(drawn);
    trace_free(t);
}

START_TEST(damaged_anywhere)
{
    static const char *const names[] = {"hazard", "instants"};
    Text said = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = NULL;
        ck_assert_int_gt(asprintf(&path, "tests/fixtures/traces/%s.lane", names[i]), 0);
        text_printf(&said, "%s\n", names[i]);
        damaged_each(&said, path, "\t\n", read_trace);
        free(path);
    }
    held("damaged/trace", &said);
    text_release(&said);
}
END_TEST

CASES("trace")
