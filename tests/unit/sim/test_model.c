/* Device models: what the built-in ones say, and that no damaged file passes for a model. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/model/model.h"
#include "tests/unit/damaged.h"

/* The texts of the built-in models: see sim/model/builtin.S. */
extern const struct {
    const char *name, *text, *end;
} model_builtin[];

static char error[512];

/* "file.ini:12: ..." with something after it. */
static bool names_a_line(const char *name)
{
    size_t n = strlen(name);
    char *end;
    if (strncmp(error, name, n) != 0 || error[n] != ':' || !isdigit((unsigned char)error[n + 1]))
        return false;
    return strtol(error + n + 1, &end, 10) >= 1 && strncmp(end, ": ", 2) == 0 && strlen(end) > 5 &&
           !strchr(error, '\n');
}

static int parse(const char *text)
{
    Model model;
    return model_parse(&model, "test.ini", text, strlen(text), error, sizeof error);
}

/* A model's text with one replacement; the caller frees it. */
static char *changed(const char *name, const char *from, const char *to)
{
    for (int i = 0; model_builtin[i].name; i++) {
        if (strcmp(model_builtin[i].name, name) != 0) continue;
        const char *text = model_builtin[i].text, *at = strstr(text, from);
        size_t before, size = strlen(text) + strlen(to) + 1;
        char *copy = malloc(size);
        ck_assert_msg(at != NULL, "%s has no \"%s\"", name, from);
        before = (size_t)(at - text);
        snprintf(copy, size, "%.*s%s%s", (int)before, text, to, at + strlen(from));
        return copy;
    }
    ck_abort_msg("no model %s", name);
}

static void refuse(const char *name, const char *from, const char *to, const char *complaint)
{
    char *text = changed(name, from, to);
    ck_assert_msg(parse(text) == -1, "accepted %s", to);
    ck_assert_msg(names_a_line("test.ini"), "%s", error);
    ck_assert_msg(strstr(error, complaint) != NULL, "%s: %s", to, error);
    free(text);
}

START_TEST(built_in_models_load)
{
    int n = 0;
    for (const char *const *name = model_names(); *name; name++, n++) {
        Model model;
        ck_assert_msg(model_load(&model, *name, error, sizeof error) == 0, "%s", error);
        ck_assert_str_eq(model.name, *name);
        ck_assert(model.card[0] && model.unit_ns && model.n_engines >= 2);
    }
    ck_assert_int_ge(n, 4);
}
END_TEST

START_TEST(textbooks_take_one_stage)
{
    static const char *const names[] = {"unit", "one-copy-engine", "one-queue", "room"};
    for (int i = 0; i < 4; i++) {
        Model model;
        ck_assert_int_eq(model_load(&model, names[i], error, sizeof error), 0);
        ck_assert(model.exact && model.stage_ns == model.unit_ns);
        ck_assert_str_eq(model.unit_name, "unit");
        for (int kind = TRACE_H2D; kind <= TRACE_MEMSET; kind++)
            ck_assert_uint_eq(model_copy_ns(&model, (TraceOpKind)kind, kind % 2, 123456),
                              model.stage_ns);
        ck_assert_uint_eq(model_copy_ns(&model, TRACE_RECORD, false, 5), 0);
        ck_assert_uint_eq(model.costs.launch + model.gap_event + model.issue_latency, 0);
        ck_assert_int_eq(model.invalid_configuration_code, 9);
        ck_assert(model.room_limited == !strcmp(names[i], "room"));
    }
}
END_TEST

START_TEST(classroom_has_exact_bandwidths)
{
    Model model;
    ck_assert_int_eq(model_load(&model, "classroom", error, sizeof error), 0);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_H2D, false, 12000000), 1000000);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_D2H, false, 12000000), 1000000);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_H2D, true, 6000000), 1000000);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_D2H, true, 6000000), 1000000);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_H2D, true, 6000), 1000);
    ck_assert_uint_eq(model.staged_bytes, 65536);
}
END_TEST

START_TEST(h200_matches_its_measurements)
{
    Model model;
    enum { MIB = 1 << 20 };
#define NEAR(kind, pageable, bytes, us, percent)                                             \
    ck_assert_double_eq_tol((double)model_copy_ns(&model, kind, pageable, bytes) / 1000, us, \
                            (us) * (percent) / 100.0)
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    NEAR(TRACE_H2D, false, 64 * MIB, 1210, 1);
    NEAR(TRACE_H2D, false, MIB, 21.47, 2);
    NEAR(TRACE_D2H, false, 64 * MIB, 1210, 0.5);
    NEAR(TRACE_D2H, false, MIB, 20.83, 2);
    NEAR(TRACE_H2D, true, MIB, 21.47, 2); /* staged aside by the host: then as from pinned memory */
    NEAR(TRACE_D2D, false, 256 * MIB, 127.5, 1);
    NEAR(TRACE_MEMSET, false, 256 * MIB, 59.55, 1.5);
    NEAR(TRACE_MEMSET, false, 4, 1.1, 5);
    ck_assert(!model.exact && model.invalid_configuration_code == 1 &&
              model.async_engine_count == 3);
    ck_assert(model.priority_low == 0 && model.priority_high == -5);
}
END_TEST

/* A large copy of pageable memory: the host and the engine share the work, and no part of it is
 * lost. */
static const ModelPages touched;
START_TEST(pageable_copies_have_parts)
{
    Model model;
    enum { MIB = 1 << 20 };
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    for (uint64_t bytes = 1; bytes <= 64 * MIB; bytes = bytes * 3 + 1000) {
        ModelParts in = model_pageable(&model, TRACE_H2D, bytes, touched),
                   out = model_pageable(&model, TRACE_D2H, bytes, touched);
        ck_assert_uint_ge(in.engine_ns, model_copy_ns(&model, TRACE_H2D, false, bytes));
        ck_assert_uint_ge(out.engine_ns, model_copy_ns(&model, TRACE_D2H, false, bytes));
        ck_assert_uint_gt(in.before_ns, 0); /* the engine has nothing to copy before */
        ck_assert_uint_eq(in.after_ns, 0);
        ck_assert_uint_eq(out.before_ns, 0);
        ck_assert_uint_gt(out.after_ns, 0);
    }
    ModelParts staged = model_pageable(&model, TRACE_H2D, model.staged_bytes, touched);
    ck_assert_uint_eq(staged.before_ns,
                      model.staging_fixed_ns +
                          (uint64_t)((double)model.staged_bytes / model.staging_bytes_per_ns +
                                     0.5));
    ck_assert_uint_eq(staged.engine_ns,
                      model_copy_ns(&model, TRACE_H2D, false, model.staged_bytes));
    /* as recorded in programs that took no part in calibration: 8 and 16 MiB, the whole call */
    ModelParts in = model_pageable(&model, TRACE_H2D, 8 * MIB, touched),
               out = model_pageable(&model, TRACE_D2H, 16 * MIB, touched);
    ck_assert_double_eq_tol((double)(in.before_ns + in.engine_ns) / 1000, 8 * 120, 100);
    ck_assert_double_eq_tol((double)(out.engine_ns + out.after_ns) / 1000, 16 * 74, 120);
    /* textbooks know nothing of it */
    ck_assert_int_eq(model_load(&model, "unit", error, sizeof error), 0);
    in = model_pageable(&model, TRACE_H2D, MIB, touched);
    ck_assert(!in.before_ns && in.engine_ns == model.stage_ns && !in.after_ns);
    ck_assert_int_eq(model_load(&model, "classroom", error, sizeof error), 0);
    out = model_pageable(&model, TRACE_D2H, 6000000, touched);
    ck_assert(!out.before_ns && out.engine_ns == 1000000 && !out.after_ns);
}
END_TEST

/* Pages that nobody has touched cost more, memory that was copied twice before less: in either
 * direction, however large the copy. */
START_TEST(pageable_memory_differs)
{
    Model model;
    enum { MIB = 1 << 20 };
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    for (uint64_t mib = 1; mib <= 64; mib *= 8) {
        uint64_t bytes = mib * MIB, pages = bytes / 4096;
        ModelPages fresh = {.fresh = pages}, again = {.again = true};
        ModelParts in = model_pageable(&model, TRACE_H2D, bytes, touched),
                   in_fresh = model_pageable(&model, TRACE_H2D, bytes, fresh),
                   in_again = model_pageable(&model, TRACE_H2D, bytes, again),
                   out = model_pageable(&model, TRACE_D2H, bytes, touched),
                   out_fresh = model_pageable(&model, TRACE_D2H, bytes, fresh),
                   out_again = model_pageable(&model, TRACE_D2H, bytes, again);
#define WHOLE(parts) ((double)((parts).before_ns + (parts).engine_ns + (parts).after_ns))
        double more = WHOLE(in_fresh) - WHOLE(in), more_out = WHOLE(out_fresh) - WHOLE(out);
        ck_assert_double_eq_tol(more, (double)(pages * model.page_read_ns), 0.05 * more);
        ck_assert_double_eq_tol(more_out, (double)(pages * model.page_write_ns), 0.05 * more_out);
        ck_assert(WHOLE(in_again) < 0.7 * WHOLE(in));
        ck_assert(WHOLE(out_again) == WHOLE(out));
#undef WHOLE
    }
}
END_TEST

/* Kernels that reach over the bus: as measured, in microseconds, on an H200. */
START_TEST(kernels_reach_over_the_bus)
{
    Model model;
    uint64_t bytes = 64 << 20;
    double many = 132 * 2048;
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
#define NEAR_US(read, written, threads, us)                                                     \
    ck_assert_double_eq_tol((double)model_host_access_ns(&model, read, written, threads) / 1e3, \
                            us, 0.08 * us)
    NEAR_US(bytes, 0, many, 1316);
    NEAR_US(0, bytes, many, 1282);
    NEAR_US(bytes, bytes, many, 1605);
    NEAR_US(1 << 20, 0, 256, 1255);       /* one block */
    NEAR_US(16 << 20, 0, 16 * 256, 1326); /* sixteen; it was never calibrated with */
#undef NEAR_US
    ck_assert_uint_eq(model_host_access_ns(&model, 0, 0, many), 0);
    ck_assert_int_eq(model_load(&model, "classroom", error, sizeof error), 0);
    ck_assert_uint_eq(model_host_access_ns(&model, bytes, bytes, many), 0);
}
END_TEST

/* Several models of one card: the device's numbers are the median, the host's the fastest. */
START_TEST(models_combine)
{
    static const struct {
        uint64_t gap, launch, staged;
        double in, pageable;
        int grids;
    } of[] = {
        {900, 5000, 2048, 55, 6, 128},
        {1100, 4000, 2048, 54, 9, 128},
        {1000, 7000, 2048, 50, 8, 127},
    };
    Model models[3], combined;
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(model_load(&models[i], "h200", error, sizeof error), 0);
        models[i].gap_kernel_kernel = of[i].gap;
        models[i].costs.launch = models[i].traced.launch = of[i].launch;
        models[i].h2d.bytes_per_ns = of[i].in;
        models[i].h2d_pageable.bytes_per_ns = of[i].pageable;
        models[i].resident_grids = of[i].grids;
    }
    model_combine(&combined, models, 3);
    ck_assert_uint_eq(combined.gap_kernel_kernel, 1000);
    ck_assert_uint_eq(combined.costs.launch, 4000);
    ck_assert_uint_eq(combined.traced.launch, 4000);
    ck_assert(combined.h2d.bytes_per_ns == 54 && combined.h2d_pageable.bytes_per_ns == 9);
    ck_assert_int_eq(combined.resident_grids, 128);
    model_combine(&combined, models, 2);
    ck_assert_uint_eq(combined.gap_kernel_kernel, 1000);
    model_combine(&combined, models, 1);
    ck_assert_int_eq(memcmp(&combined, models, sizeof combined), 0);
}
END_TEST

static const char *no_remark(void *user, const char *section, const char *key)
{
    (void)user;
    return key ? NULL : *section == 'g' ? "two\nlines" : NULL;
}

/* What is written is read as the same model. */
START_TEST(models_are_written)
{
    for (const char *const *name = model_names(); *name; name++) {
        Model model, again;
        char *text = NULL;
        size_t size = 0;
        ck_assert_int_eq(model_load(&model, *name, error, sizeof error), 0);
        FILE *file = open_memstream(&text, &size);
        ck_assert_int_eq(model_write(file, &model, no_remark, NULL), 0);
        fclose(file);
        ck_assert_msg(strstr(text, "# two\n# lines\n[gaps]\n") != NULL, "%s", text);
        ck_assert_msg(model_parse(&again, *name, text, size, error, sizeof error) == 0, "%s: %s",
                      *name, error);
        snprintf(again.name, sizeof again.name, "%s", model.name);
        ck_assert_msg(memcmp(&model, &again, sizeof model) == 0, "%s:\n%s", *name, text);
        free(text);
    }
}
END_TEST

static void count(void *user, const char *section, const char *key, const char *before,
                  const char *after)
{
    ck_assert_str_eq(section, "gaps");
    ck_assert_str_eq(key, "event");
    ck_assert_str_eq(before, "1230");
    ck_assert_str_eq(after, "1231");
    ++*(int *)user;
}

START_TEST(models_differ)
{
    Model a, b;
    int n = 0;
    ck_assert_int_eq(model_load(&a, "h200", error, sizeof error), 0);
    b = a;
    model_differences(&a, &b, count, &n);
    ck_assert_int_eq(n, 0);
    a.gap_event = 1230;
    b.gap_event = 1231;
    model_differences(&a, &b, count, &n);
    ck_assert_int_eq(n, 1);
}
END_TEST

START_TEST(numbers_by_key)
{
    Model model;
    double value = -1;
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    ck_assert(model_number(&model, "exact", &value) && value == 0);
    ck_assert(model_number(&model, "async_engine_count", &value) && value == 3);
    ck_assert(model_number(&model, "stage_ns", &value) && value == 0);
    ck_assert(model_number(&model, "h2d_bytes_per_ns", &value) && value == model.h2d.bytes_per_ns);
    ck_assert(model_number(&model, "launch", &value) && value == (double)model.costs.launch);
    ck_assert(!model_number(&model, "card", &value));
    ck_assert(!model_number(&model, "colour", &value));
}
END_TEST

START_TEST(blocks_per_sm)
{
    Model model;
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    ck_assert_int_eq(model_blocks_per_sm(&model, 1, 0), 32);
    ck_assert_int_eq(model_blocks_per_sm(&model, 64, 0), 32);
    ck_assert_int_eq(model_blocks_per_sm(&model, 256, 0), 8);
    ck_assert_int_eq(model_blocks_per_sm(&model, 1024, 0), 2);
    ck_assert_int_eq(model_blocks_per_sm(&model, 65, 0), 21);
    ck_assert_int_eq(model_blocks_per_sm(&model, 32, 48 * 1024), 4);
    ck_assert_int_eq(model_blocks_per_sm(&model, 32, 227 * 1024), 1);
    ck_assert_int_eq(model_blocks_per_sm(&model, 32, 227 * 1024 + 1), 0);
    ck_assert_int_eq(model_blocks_per_sm(&model, 1025, 0), 0);
    ck_assert_int_eq(model_blocks_per_sm(&model, 0, 0), 0);
}
END_TEST

START_TEST(unknown_names_are_answered_with_the_known_ones)
{
    Model model;
    ck_assert_int_eq(model_load(&model, "h2000", error, sizeof error), -1);
    ck_assert(strstr(error, "h2000") && strstr(error, " unit") &&
              strstr(error, " one-copy-engine"));
    ck_assert_int_eq(model_load(&model, "", error, sizeof error), -1);
    ck_assert_int_eq(model_load(&model, "no/such/file.ini", error, sizeof error), -1);
    ck_assert(strstr(error, "no/such/file.ini") != NULL);
    ck_assert_int_eq(model_load(&model, "/", error, sizeof error), -1);
    error[4] = 'x';
    ck_assert_int_eq(model_load(&model, "nobody", error, 4), -1); /* a small buffer is not overrun
                                                                   */
    ck_assert_int_eq(error[4], 'x');
}
END_TEST

/* The parts of the chip are all of it; a chip of another size has others. */
START_TEST(parts_of_the_chip)
{
    static const char *const wrong[] = {"8 16", "132 1", "x", "-1 133", "66, 66"};
    Model model, other;
    ck_assert_int_eq(model_load(&model, "h200", error, sizeof error), 0);
    const char *at = model.gpc_sms;
    int all = 0, parts = 0;
    for (int n; (n = model_next_gpc(&at)); parts++) all += n;
    ck_assert_int_eq(all, 132);
    ck_assert_int_eq(parts, 12);
    ck_assert_int_eq(model_load(&other, "h200+sm_count=66", error, sizeof error), 0);
    ck_assert_str_eq(other.gpc_sms, "");

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *file = open_memstream(&text, &length);
        snprintf(model.gpc_sms, sizeof model.gpc_sms, "%s", wrong[i]);
        model_write(file, &model, NULL, NULL);
        fclose(file);
        int status = model_parse(&other, "wrong", text, length, error, sizeof error);
        ck_assert_msg(status && strstr(error, "132 in all"), "%s: %s", wrong[i], error);
        free(text);
    }
}
END_TEST

/* NAME+KEY=VALUE: the model with other numbers, and called so. */
START_TEST(names_may_change_numbers)
{
    static const struct {
        const char *name, *complaint;
    } wrong[] = {
        {"unit+lanch=1", "no number \"lanch\""},
        {"unit+launch", "KEY=VALUE"},
        {"unit+=5", "KEY=VALUE"},
        {"unit+", "KEY=VALUE"},
        {"unit+launch=0x10", "whole number"},
        {"unit+launch=-1", "between 0 and"},
        {"unit+hardware_queues=33", "between 1 and 32"},
        {"unit+card=Other", "no number \"card\""},
        {"unit+gaps.launch=1", "no number \"launch\""},
        {"unit+duplex_factor_h2d=0", "above 0"},
        {"units+launch=1", "no device model \"units\""},
        {"h200+room_limited=maybe", "yes or no"},
    };
    Model model, plain;
    ck_assert_int_eq(model_load(&plain, "unit", error, sizeof error), 0);
    ck_assert_msg(model_load(&model, "unit+launch=500000+hardware_queues=1+room_limited=yes", error,
                             sizeof error) == 0,
                  "%s", error);
    ck_assert_str_eq(model.name, "unit+launch=500000+hardware_queues=1+room_limited=yes");
    ck_assert_str_eq(model.card, plain.card);
    ck_assert_uint_eq(model.costs.launch, 500000);
    ck_assert_uint_eq(model.traced.launch, 500000);
    ck_assert_int_eq(model.hardware_queues, 1);
    ck_assert(model.room_limited && model.exact && model.stage_ns == plain.stage_ns);
    ck_assert_uint_eq(model.costs.memcpy_async, 0);

    /* a key of two sections is the first's, unless it is said whose; where calls cost something
     * else under a tracer, that stays */
    ck_assert_int_eq(model_load(&plain, "h200", error, sizeof error), 0);
    ck_assert_int_eq(model_load(&model, "h200+gaps.host_fn=7+costs.host_fn=9", error, sizeof error),
                     0);
    ck_assert_uint_eq(model.gap_host_fn, 7);
    ck_assert_uint_eq(model.costs.host_fn, 9);
    ck_assert_uint_eq(model.traced.host_fn, plain.traced.host_fn);
    ck_assert_int_eq(model_load(&model, "h200+h2d_bytes_per_ns=12.5", error, sizeof error), 0);
    ck_assert(model.h2d.bytes_per_ns == 12.5 && model.h2d.fixed_ns == plain.h2d.fixed_ns);

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(model_load(&model, wrong[i].name, error, sizeof error) == -1, "%s",
                      wrong[i].name);
        ck_assert_msg(strstr(error, wrong[i].complaint) && !strchr(error, '\n'), "%s: %s",
                      wrong[i].name, error);
    }

    char name[600] = "unit";
    for (int i = 0; i < 60; i++) strcat(name, "+launch=1");
    ck_assert_int_eq(model_load(&model, name, error, sizeof error), -1);
    ck_assert(strstr(error, "at most 511 characters") != NULL);
}
END_TEST

START_TEST(bytes_counts_bytes_and_a_fixed_cost)
{
    Model model;
    ck_assert_int_eq(model_load(&model, "bytes", error, sizeof error), 0);
    ck_assert(model.exact && model.stage_ns == 0);
    for (int kind = TRACE_H2D; kind <= TRACE_MEMSET; kind++)
        if (kind != TRACE_H2H)
            ck_assert_uint_eq(model_copy_ns(&model, (TraceOpKind)kind, false, 8 * 65536),
                              9 * model.unit_ns);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_H2D, true, 65536), 2 * model.unit_ns);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_D2H, false, 32768), 3 * model.unit_ns / 2);
    ck_assert_double_eq_tol(131072 / model.memory_bytes_per_ns, (double)model.unit_ns, 1e-6);
    ck_assert(model.ns_per_kiloaccess == 0 && model.kernel_fixed_ns == model.unit_ns);
}
END_TEST

START_TEST(files_and_directories_of_models)
{
    Model model;
    char directory[] = "/tmp/threelane-model-XXXXXX", path[128];
    char *text = changed("classroom", "h2d_bytes_per_ns = 12", "h2d_bytes_per_ns = 25");
    FILE *file;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/classroom.ini", directory);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_msg(model_load(&model, path, error, sizeof error) == 0, "%s", error);
    ck_assert_str_eq(model.name, "classroom");
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_H2D, false, 25000), 1000);
    setenv("THREELANE_DEVICES", directory, 1);
    ck_assert_int_eq(model_load(&model, "classroom", error, sizeof error), 0);
    ck_assert_uint_eq(model_copy_ns(&model, TRACE_H2D, false, 25000), 1000);
    ck_assert_int_eq(model_load(&model, "unit", error, sizeof error), 0); /* not there: built in */
    unsetenv("THREELANE_DEVICES");
    unlink(path);
    rmdir(directory);
    free(text);
}
END_TEST

START_TEST(slips_are_refused_with_file_and_line)
{
    refuse("unit", "devices = 1", "device = 1", "unknown key \"device\" in [model]");
    refuse("unit", "[limits]", "[limit]", "unknown section [limit]");
    refuse("unit", "devices = 1\n", "", "lacks devices");
    refuse("unit", "devices = 1", "devices = 0", "between 1 and 16");
    refuse("unit", "devices = 1", "devices = 1 GPU", "whole number");
    refuse("unit", "devices = 1", "devices =", "whole number");
    refuse("unit", "devices = 1", "devices = 0x1", "whole number");
    refuse("unit", "devices = 1", "devices = 1\ndevices = 1", "two lines for devices");
    refuse("unit", "devices = 1", "devices", "neither key = value");
    refuse("unit", "devices = 1", "  devices = 1", "begins with a blank");
    refuse("unit", "[model]", "devices = 1\n[model]", "before the first [section]");
    refuse("unit", "[model]", "[model", "heading");
    refuse("unit", "unit_ns = 1000000", "unit_ns = 99999999999999999999999", "whole number");
    refuse("unit", "unit_ns = 1000000", "unit_ns = -1", "between");
    refuse("unit", "unit_name = unit", "unit_name = a very long name of a unit", "longer");
    refuse("unit", "exact = yes", "exact = maybe", "yes or no");
    refuse("unit", "sm_clock_ghz = 1.0", "sm_clock_ghz = 1.0.0", "number such as");
    refuse("unit", "sm_clock_ghz = 1.0", "sm_clock_ghz = 1e9", "number such as");
    refuse("unit", "sm_clock_ghz = 1.0", "sm_clock_ghz = nan", "number such as");
    refuse("unit", "sm_clock_ghz = 1.0", "sm_clock_ghz = 0", "above 0");
    refuse("unit", "class = h2d", "class = dma", "write h2d, d2h");
    refuse("unit", "order = ready", "order = random", "ready, issue or stream");
    refuse("unit", "order = ready", "order = ready\norder = ready", "two lines");
    refuse("unit", "order = ready", "speed = 1", "unknown key \"speed\"");
    refuse("unit", "class = h2d\norder = ready", "class = h2d", "lacks order");
    refuse("unit", "[engine H2D copy]", "[engine]", "needs a name");
    refuse("unit", "class = compute", "class = copy", "class compute");
    refuse("unit", "class = h2d", "class = d2h", "copies need");
    refuse("unit", "priority_high = -5", "priority_high = 5", "more urgent");
    refuse("unit", "shared_per_sm = 233472", "shared_per_sm = 1000", "must not fall");
    refuse("unit", "max_threads_per_sm = 2048", "max_threads_per_sm = 64", "max_threads_per_block");
    refuse("unit", "invalid_configuration_code = 9", "invalid_configuration_code = 7", "1 or 9");
    refuse("unit", "stage_ns = 1000000", "stage_ns = 0", "[copies] lacks");
    refuse("h200", "[kernels]", "[gaps]", "unknown key \"fixed_ns\"");
    refuse("h200", "\nkernel_copy = ", "\n# kernel_copy = ", "[gaps] lacks kernel_copy");
    refuse("h200", "duplex_factor_h2d = 0.", "duplex_factor_h2d = 1.", "between 0 and 1");
    refuse("h200", "duplex_factor_h2d = 0.", "duplex_factor_h2d = 0\n# 0.", "above 0");
    refuse("unit", "[model]", "[model]\n\x01", "not a text file");
}
END_TEST

START_TEST(the_line_is_the_right_one)
{
    ck_assert_int_eq(parse("# comment\n\n[model]\nspeed = 3\n"), -1);
    ck_assert_msg(strncmp(error, "test.ini:4: ", 12) == 0, "%s", error);
    ck_assert_int_eq(parse("[model]\r\ncard = x\r\nnote"), -1);
    ck_assert_msg(strncmp(error, "test.ini:3: ", 12) == 0, "%s", error);
    ck_assert_int_eq(parse(""), -1);
    ck_assert_msg(strncmp(error, "test.ini:1: ", 12) == 0, "%s", error); /* where one would write */
}
END_TEST

START_TEST(more_engines_than_fit)
{
#define ENGINE(name) "[engine " name "]\nclass = h2d\norder = ready\n"
    char *text =
        changed("unit", "[limits]",
                ENGINE("a") ENGINE("b") ENGINE("c") ENGINE("d") ENGINE("e") ENGINE("f") "[limits]");
    ck_assert_int_eq(parse(text), -1);
    ck_assert_msg(strstr(error, "more than 8 engines") != NULL, "%s", error);
    free(text);
}
END_TEST

/* Cut off anywhere, a file is refused, or nothing was lost but the end of its last line. */
START_TEST(truncated_files_are_refused)
{
    for (int i = 0; model_builtin[i].name; i++) {
        size_t length = (size_t)(model_builtin[i].end - model_builtin[i].text);
        Model whole, part;
        ck_assert_int_eq(model_parse(&whole, "test.ini", model_builtin[i].text, length, error,
                                     sizeof error),
                         0);
        for (size_t cut = 0; cut < length; cut++) {
            if (model_parse(&part, "test.ini", model_builtin[i].text, cut, error, sizeof error) ==
                0) {
                ck_assert_int_eq(memcmp(&whole, &part, sizeof whole), 0);
                ck_assert_uint_ge(cut + 1, length);
            } else if (!names_a_line("test.ini")) {
                ck_abort_msg("%s cut at %zu: %s", model_builtin[i].name, cut, error);
            }
        }
    }
}
END_TEST

/* The keys whose zero is a meaning of its own may be left out. */
static bool is_optional(const char *line)
{
    static const char *const keys[] = {"staging_fixed_ns",
                                       "staging_chunk_bytes",
                                       "duplex_fixed_h2d_ns",
                                       "duplex_fixed_d2h_ns",
                                       "ns_per_kiloaccess_l2",
                                       "sleep_late_ns",
                                       "p2p_target",
                                       "p2p_target_next",
                                       "memcpy_peer_target",
                                       "memcpy_peer_staged",
                                       "thread_create",
                                       "thread_start",
                                       "thread_join",
                                       "thread_first_call",
                                       "free_host_per_mib",
                                       "host_register",
                                       "host_register_per_mib",
                                       "host_unregister_per_mib",
                                       "pool_first",
                                       "pool_grow_per_mib",
                                       "graph_node",
                                       "graph_graph",
                                       "graph_condition",
                                       "graph_again",
                                       "graph_after",
                                       "graph_launch",
                                       "graph_launch_per_node",
                                       "graph_launch_per_other",
                                       "graph_upload_per_node",
                                       "grid_barrier_ns",
                                       "cluster_barrier_ns",
                                       "graph_instantiate",
                                       "graph_instantiate_per_node",
                                       "graph_capture",
                                       "devices_measured",
                                       "gpc_sms",
                                       "p2p_ports",
                                       "p2p_staged_bytes_per_ns",
                                       "p2p_staged_fixed_ns",
                                       "p2p_staged_factor",
                                       "event_peer",
                                       "memcpy_peer",
                                       "set_device",
                                       "h2d_pageable_again_bytes_per_ns",
                                       "staging_again_bytes_per_ns",
                                       "again_bytes",
                                       "page_read_ns",
                                       "page_write_ns",
                                       "host_read_bytes_per_ns",
                                       "host_write_bytes_per_ns",
                                       "host_set_bytes_per_ns",
                                       "host_both_share",
                                       "host_latency_ns",
                                       "call_first",
                                       "launch_first",
                                       "launch_load"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strncmp(line, keys[i], strlen(keys[i])) && line[strlen(keys[i])] == ' ') return true;
    return false;
}

/* A pair as measured, more of them as that pair; without access a copy goes through the host. */
START_TEST(several_devices)
{
    Model pair, four, unit, bytes;
    ck_assert_int_eq(model_load(&pair, "h200+devices=2", error, sizeof error), 0);
    ck_assert_int_eq(model_load(&four, "h200+devices=4", error, sizeof error), 0);
    ck_assert_int_eq(model_load(&unit, "unit+devices=4", error, sizeof error), 0);
    ck_assert_int_eq(model_load(&bytes, "bytes+devices=4", error, sizeof error), 0);
    ck_assert_int_eq(pair.devices, 2);
    ck_assert(strstr(pair.note, "built from") == NULL);
    ck_assert(strstr(four.note, "; 4 cards: built from what 2 were measured to do") != NULL);
    ck_assert(strstr(unit.note, "built from") == NULL);

    /* 256 MiB over the link in 678 us, through the host in 7.15 ms with the call */
    uint64_t bytes256 = 268435456, link = model_copy_ns(&pair, TRACE_P2P, false, bytes256),
             staged = model_staged_peer_ns(&pair, bytes256);
    ck_assert(link > 660000 && link < 690000);
    ck_assert(staged > 6900000 && staged < 7150000);
    ck_assert_uint_eq(model_copy_ns(&unit, TRACE_P2P, false, 5), unit.unit_ns);
    ck_assert_uint_eq(model_staged_peer_ns(&unit, 5), 2 * unit.unit_ns);
    ck_assert_uint_eq(model_copy_ns(&bytes, TRACE_P2P, false, 131072), 3 * bytes.unit_ns);
    ck_assert_uint_eq(model_staged_peer_ns(&bytes, 131072), 6 * bytes.unit_ns);
}
END_TEST

/* Without one of its lines a file is refused, unless the line said nothing. */
START_TEST(every_line_counts)
{
    for (int i = 0; model_builtin[i].name; i++) {
        const char *text = model_builtin[i].text;
        size_t length = (size_t)(model_builtin[i].end - text);
        for (const char *line = text; line < text + length;) {
            const char *next = strchr(line, '\n') + 1;
            bool silent = *line == '#' || *line == '\n' || is_optional(line);
            char *copy = malloc(length);
            Model model;
            memcpy(copy, text, (size_t)(line - text));
            memcpy(copy + (line - text), next, length - (size_t)(next - text));
            int status = model_parse(&model, "test.ini", copy, length - (size_t)(next - line),
                                     error, sizeof error);
            if (status != (silent ? 0 : -1) || (status && !names_a_line("test.ini")))
                ck_abort_msg("%s without \"%.40s\": %d %s", model_builtin[i].name, line, status,
                             error);
            free(copy);
            line = next;
        }
    }
}
END_TEST

/* Damaged bytes: never a crash, and a complaint has its line. */
START_TEST(damaged_files_do_no_harm)
{
    uint64_t state = 1;
    for (int i = 0; model_builtin[i].name; i++) {
        size_t length = (size_t)(model_builtin[i].end - model_builtin[i].text);
        char *copy = malloc(length);
        for (int round = 0; round < 3000; round++) {
            Model model;
            memcpy(copy, model_builtin[i].text, length);
            for (int k = 0; k <= round % 4; k++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                copy[(state >> 33) % length] = (char)(state >> 25);
            }
            if (model_parse(&model, "test.ini", copy, length, error, sizeof error) &&
                !names_a_line("test.ini"))
                ck_abort_msg("%s", error);
        }
        free(copy);
    }
}
END_TEST

START_TEST(huge_and_binary_files)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    Model model;
    memset(text, 'a', SIZE);
    ck_assert_int_eq(model_parse(&model, "test.ini", text, SIZE, error, sizeof error), -1);
    ck_assert(names_a_line("test.ini") && strstr(error, "larger"));
    ck_assert_int_eq(model_parse(&model, "test.ini", text, 1000, error, sizeof error), -1);
    ck_assert(names_a_line("test.ini") && strstr(error, "longer than"));
    memset(text, 0, SIZE);
    ck_assert_int_eq(model_parse(&model, "test.ini", text, 1000, error, sizeof error), -1);
    ck_assert(names_a_line("test.ini"));
    ck_assert_int_eq(model_load(&model, "/dev/zero", error, sizeof error), -1);
    free(text);
}
END_TEST

static void read_model(Text *said, const char *text, size_t length)
{
    static Model model;
    error[0] = 0;
    if (model_parse(&model, "my.ini", text, length, error, sizeof error) != 0)
        text_add(said, error);
    else text_add(said, "taken");
}

START_TEST(damaged_anywhere)
{
    Text said = {0};
    damaged_each(&said, "tests/fixtures/damaged/model.ini", "=\n", read_model);
    held("damaged/model", &said);
    text_release(&said);
}
END_TEST

CASES("model")
