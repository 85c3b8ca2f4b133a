/* The table of API calls: what its rows say agrees with itself, and every row has a body. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/cases.h"
#include "sim/include/cuda.h"
#include "sim/replay/replay.h"
#include "tests/unit/cases.h"

#define COUNT(...) COUNT_(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define COUNT_(A, B, C, D, E, F, G, H, I, J, K, N, ...) N
#define LETTERS_AGAIN(LETTERS, ...) LETTERS
#define LETTERS_AGAIN0 ""
#define LETTERS_KERNEL NULL
#define LETTERS_HARMLESS NULL
#define LETTERS_NEVER(REASON) NULL

typedef void Function(void);
typedef struct Row {
    const char *name, *letters;
    size_t parameters;
    Function *sited, *plain;
} Row;

static const Row rows[] = {
#define ROW(NAME, LETTERS, N) {#NAME, LETTERS, N, (Function *)threelane_##NAME, (Function *)NAME},
#define TL_CALL0(NAME, REPLAY, TRACER) ROW(NAME, LETTERS_##REPLAY, 0)
#define TL_CALL(NAME, PARAMETERS, REPLAY, TRACER) ROW(NAME, LETTERS_##REPLAY, COUNT PARAMETERS)
#define TL_STREAM(NAME, PARAMETERS, REPLAY, TRACER) \
    ROW(NAME, LETTERS_##REPLAY, COUNT PARAMETERS)   \
    ROW(NAME##_ptsz, LETTERS_##REPLAY, COUNT PARAMETERS)
#include "sim/include/threelane/calls.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

START_TEST_WITH(every_row_has_its_functions_and_is_found, .times = ROWS)
{
    const Row *row = &rows[_i];
    ck_assert_ptr_nonnull(row->sited);
    ck_assert_ptr_nonnull(row->plain);
    int i = replay_find(row->name);
    ck_assert_int_eq(i, _i);
    ck_assert_str_eq(replay_calls[i].name, row->name);
    ck_assert_int_eq(replay_calls[i].way == REPLAY_AGAIN, row->letters != NULL);
    ck_assert_int_eq(replay_calls[i].way == REPLAY_NEVER, replay_calls[i].reason != NULL);
}
END_TEST

START_TEST_WITH(each_parameter_has_a_letter_that_is_known, .times = ROWS)
{
    const Row *row = &rows[_i];
    if (!row->letters) return;
    ck_assert_msg(strlen(row->letters) == row->parameters,
                  "%s has %zu parameters, and letters \"%s\"", row->name, row->parameters,
                  row->letters);
    for (const char *letter = row->letters; *letter; letter++)
        ck_assert_msg(strchr("hpziokvlmafdunewxytj", *letter) != NULL, "%s: '%c'", row->name,
                      *letter);
}
END_TEST

START_TEST(names_are_whole)
{
    static const char *const none[] = {"",
                                       "cuda",
                                       "cudaMemPool",
                                       "cudaMemPoolTrimTo2",
                                       "cudamalloc",
                                       "zzz",
                                       "cudaIpcGetMemHandle",
                                       "cudaMalloc_ptsz",
                                       "cudaMemcpyAsync_pts",
                                       "cudaGetErrorName"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(replay_find(none[i]) == -1, "\"%s\" was found", none[i]);
    ck_assert_int_ge(replay_find("cudaMemcpyAsync_ptsz"), 0);
}
END_TEST

START_TEST(ways_are_as_stated)
{
    static const struct {
        const char *name;
        ReplayWay way;
    } calls[] = {{"cudaMemPoolSetAttribute", REPLAY_AGAIN},
                 {"cudaDeviceSynchronize", REPLAY_AGAIN},
                 {"cudaLaunchKernel_ptsz", REPLAY_KERNEL},
                 {"cudaFuncGetAttributes", REPLAY_HARMLESS},
                 {"cudaMemcpyToSymbolAsync_ptsz", REPLAY_NEVER}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        ck_assert_int_eq(replay_calls[replay_find(calls[i].name)].way, calls[i].way);
}
END_TEST

CASES("calls")
