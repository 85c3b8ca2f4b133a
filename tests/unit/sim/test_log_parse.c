/* Program logs as hostile bytes: what is read is whole and in bounds, and everything else is turned
 * down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/replay/log_parse.h"
#include "tests/unit/cases.h"

static const char good[] = "threelane-log 1 200000000000\n"
                           "1 0 main\n"
                           "1 5 in work p:7fff0000 n:01000000\n"
                           "1 5 call cudaLaunchHostFunc 12 0 1 0\n"
                           "2 9 fn 1\n"
                           "2 9 end\n"
                           "1 9 out v\n";

static PlayState read_text(ParsedLog *log, char **bytes, const char *text, size_t length,
                           size_t *line)
{
    *bytes = malloc(length + 1);
    ck_assert_ptr_nonnull(*bytes);
    memcpy(*bytes, text, length);
    return log_parse(log, *bytes, length, line);
}

static PlayState state_of(const char *text, size_t *line)
{
    ParsedLog log;
    char *bytes;
    PlayState state = read_text(&log, &bytes, text, strlen(text), line);
    log_parse_release(&log);
    free(bytes);
    return state;
}

/* A program may have more threads than are played; that is no damage. */
START_TEST(many_threads)
{
    ParsedLog log;
    char *bytes, text[100];
    size_t line;
    static const PlayState states[] = {PLAY_FINE, PLAY_TOO_MANY_THREADS};
    for (int more = 0; more < 2; more++) {
        snprintf(text, sizeof text, "threelane-log 1 200000000000\n%d 0 main\n",
                 PLAY_THREADS - 1 + more);
        ck_assert_int_eq(read_text(&log, &bytes, text, strlen(text), &line), states[more]);
        log_parse_release(&log);
        free(bytes);
    }
}
END_TEST

START_TEST(a_good_log)
{
    ParsedLog log;
    char *bytes;
    size_t line;
    ck_assert_int_eq(read_text(&log, &bytes, good, sizeof good - 1, &line), PLAY_FINE);
    ck_assert_uint_eq(log.base, 0x200000000000);
    ck_assert_uint_eq(log.n, 6);
    ck_assert_uint_eq(log.first[1], 0);
    ck_assert_uint_eq(log.first[2], 3);
    ck_assert_uint_eq(log.records[2].next, 5);
    ck_assert_uint_eq(log.records[5].next, PLAY_NONE);
    ck_assert_uint_eq(log.records[3].next, 4);
    ck_assert_int_eq(log.records[1].verb, PLAY_IN);
    ck_assert_uint_eq(log.records[1].n, 3);
    ck_assert_str_eq(play_word(&log.records[1], 0), "work");
    ck_assert_str_eq(play_word(&log.records[1], 2), "n:01000000");
    ck_assert_str_eq(play_word(&log.records[1], 3), "");
    ck_assert_str_eq(play_word(&log.records[0], 0), "");
    ck_assert_uint_ge(log.n_functions, 1);
    ck_assert_uint_eq(log.functions[0], 3);
    log_parse_release(&log);
    free(bytes);
}
END_TEST

START_TEST(a_log_that_was_cut_off)
{
    for (size_t length = 0; length < sizeof good; length++) {
        ParsedLog log;
        char *bytes;
        size_t line, lines = 0;
        PlayState state = read_text(&log, &bytes, good, length, &line);
        for (size_t i = 0; i < length; i++) lines += good[i] == '\n';
        ck_assert_int_eq(state, lines ? PLAY_FINE : PLAY_EMPTY);
        ck_assert_uint_eq(log.n, lines ? lines - 1 : 0);
        log_parse_release(&log);
        free(bytes);
    }
}
END_TEST

START_TEST(logs_that_no_program_writes)
{
    static const struct {
        const char *text;
        size_t line;
    } bad[] = {
        {"threelane-log 2 0\n", 1},
        {"threelane-log 1 \n", 1},
        {"threelane-log 1 0x10\n", 1},
        {"threelane-log 1 fffffffffffffffff\n", 1},
        {"nonsense\n", 1},
        {"threelane-log 1 0\n\n", 2},
        {"threelane-log 1 0\n1 0\n", 2},
        {"threelane-log 1 0\n1 0 dance\n", 2},
        {"threelane-log 1 0\n0 0 main\n", 2},
        {"threelane-log 1 0\n99999999999999999999999 0 main\n", 2},
        {"threelane-log 1 0\n-1 0 main\n", 2},
        {"threelane-log 1 0\n1 0  main\n", 2},
        {"threelane-log 1 0\n1 0 main \n", 2},
        {"threelane-log 1 0\n1 5 main\n1 4 main\n", 3},
        {"threelane-log 1 0\n1 99999999999999999999 main\n", 2},
        {"threelane-log 1 0\n1 1152921504606846977 main\n", 2},
        {"threelane-log 1 0\n1 0 fn\n", 2},
        {"threelane-log 1 0\n1 0 fn 0\n", 2},
        {"threelane-log 1 0\n1 0 fn ffffffffffff\n", 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t line;
        ck_assert_msg(state_of(bad[i].text, &line) == PLAY_DAMAGED, "%s", bad[i].text);
        ck_assert_msg(line == bad[i].line, "%s: line %zu", bad[i].text, line);
    }
}
END_TEST

/* What a graph holds runs again with each launch. */
START_TEST(a_host_function_that_runs_again)
{
    static const char text[] = "threelane-log 1 0\n2 0 fn 1\n2 0 end\n2 1 fn 2\n2 1 end\n"
                               "2 2 fn 1\n2 2 end\n2 3 fn 1\n2 3 end\n";
    ParsedLog log;
    char *bytes;
    size_t line;
    ck_assert_int_eq(read_text(&log, &bytes, text, sizeof text - 1, &line), PLAY_FINE);
    ck_assert_uint_eq(log.functions[0], 0);
    ck_assert_uint_eq(log.records[0].again, 4);
    ck_assert_uint_eq(log.records[4].again, 6);
    ck_assert_uint_eq(log.records[6].again, PLAY_NONE);
    ck_assert_uint_eq(log.functions[1], 2);
    ck_assert_uint_eq(log.records[2].again, PLAY_NONE);
    log_parse_release(&log);
    free(bytes);
}
END_TEST

START_TEST(zero_bytes_and_too_many_words)
{
    size_t line;
    ParsedLog log;
    char *bytes, long_line[2000] = "threelane-log 1 0\n1 0 main";
    ck_assert_int_eq(read_text(&log, &bytes, "threelane-log 1 0\n1 0 \0ain\n", 27, &line),
                     PLAY_DAMAGED);
    log_parse_release(&log);
    free(bytes);
    for (int i = 0; i < PLAY_WORDS; i++) strcat(long_line, " a");
    strcat(long_line, "\n");
    ck_assert_int_eq(state_of(long_line, &line), PLAY_DAMAGED);
}
END_TEST

START_TEST(too_long)
{
    size_t line, one = strlen("1 0 pop\n"), length = 18 + (PLAY_MOST_RECORDS + 1) * one;
    char *bytes = malloc(length + 1);
    ParsedLog log;
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, "threelane-log 1 0\n", 18);
    for (size_t i = 0; i <= PLAY_MOST_RECORDS; i++) memcpy(bytes + 18 + i * one, "1 0 pop\n", one);
    ck_assert_int_eq(log_parse(&log, bytes, length, &line), PLAY_TOO_LONG);
    log_parse_release(&log);
    free(bytes);
    ck_assert_int_eq(log_parse(&log, NULL, PLAY_MOST_BYTES + 1, &line), PLAY_TOO_LONG);
    log_parse_release(&log);
}
END_TEST

START_TEST(numbers_and_bytes)
{
    uint64_t value;
    unsigned char to[4];
    ck_assert(play_number("ffffffffffffffff", 16, &value) && value == UINT64_MAX);
    ck_assert(play_number("18446744073709551615", 10, &value) && value == UINT64_MAX);
    ck_assert(!play_number("18446744073709551616", 10, &value));
    ck_assert(!play_number("10000000000000000", 16, &value));
    ck_assert(!play_number("", 10, &value) && !play_number("+1", 10, &value) &&
              !play_number("1f", 10, &value));
    ck_assert(!play_number("FF", 16, &value) && !play_number("0x1", 16, &value));
    ck_assert(play_bytes("01fe00ff", to, 4) && to[0] == 1 && to[1] == 0xfe && to[3] == 0xff);
    ck_assert(!play_bytes("01fe00f", to, 4) && !play_bytes("01fe00ff00", to, 4) &&
              !play_bytes("01fe00fg", to, 4));
    ck_assert(play_bytes("-", to, 0) && !play_bytes("-", to, 4) && play_bytes("", to, 0));
}
END_TEST

/* Changed at random, a log is read or turned down; what is read stays in bounds (the sanitizers
 * look). */
START_TEST(changed_at_random)
{
    uint64_t random = 88172645463325252ull;
    for (int round = 0; round < 20000; round++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (int k = 0; k < 1 + round % 4; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            static const char some[] = "\n \t019af:-xmz\xff";
            text[random % (sizeof good - 1)] = some[(random >> 32) % (sizeof some)];
        }
        ParsedLog log;
        char *bytes;
        size_t line;
        PlayState state = read_text(&log, &bytes, text, sizeof good - 1, &line);
        for (size_t i = 0; i < log.n && state == PLAY_FINE; i++) {
            const PlayRecord *record = &log.records[i];
            ck_assert_int_lt(record->verb, PLAY_VERBS);
            ck_assert_uint_lt(record->thread, PLAY_THREADS);
            ck_assert(record->next == PLAY_NONE || (record->next > i && record->next < log.n));
            for (size_t k = 0; k <= record->n; k++) {
                const char *word = play_word(record, k);
                ck_assert(k == record->n ||
                          (*word && word >= bytes && word + strlen(word) <= bytes + sizeof good));
            }
        }
        log_parse_release(&log);
        free(bytes);
    }
}
END_TEST

CASES("playlog")
