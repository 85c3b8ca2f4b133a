/* Program logs as they are played, on a machine that looks at what reaches it
 * (tests/fuzz/play_fake.c): right ones run whole, forged ones end by the line that is wrong, and
 * 30,000 nearly right ones never get past the checks. */
#include "common/exit_status.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/log_mutate.h"
#include "tests/unit/cases.h"

#define BEGIN                                                                      \
    "threelane-log 1 200000000000\n1 0 main\n"                                     \
    "1 5 in pipeline p:200000200000 p:200000201000 p:200000000000 o:7f0000001000:" \
    "000020000020000000000000002000000000000000000000 n:03000000\n"
#define END "1 90 out n:0000000000000000\n1 91 in finish n:03000000\n1 92 out v\n"

static int play(const char *text) { return fuzz_one((const uint8_t *)text, strlen(text)); }

START_TEST(right_logs_run_whole)
{
    for (size_t i = 0; i < fuzz_seeds_n; i++)
        ck_assert_msg(!play(fuzz_seeds[i]), "log %zu: %s: %s", i, fuzz_words(fuzz_end()),
                      fuzz_said());
}
END_TEST

/* What a forged line, the fourth, says; how it ends; with which words. */
static const struct {
    const char *what, *line;
    int end;
    const char *words;
} forged[] = {
    {"a struct whose contents are not told", "1 6 own fillThing o:200000200000:- n:01000000",
     PLAYER_DAMAGED, "line 4 is not one that a program writes: what is in a struct"},
    {"a null struct", "1 6 own fillThing o:0:- n:01000000", PLAYER_DAMAGED, "line 4"},
    {"a struct on the device",
     "1 6 own lookThing o:200000000000:000020000020000000000000002000000000000000000000",
     PLAYER_DAMAGED, "0x200000000000 (24 bytes) is no memory"},
    {"a struct that ends behind its block",
     "1 6 own lookThing o:200000200ff0:000020000020000000000000002000000000000000000000",
     PLAYER_DAMAGED, "0x200000200ff0 (24 bytes) is no memory"},
    {"a struct that ends behind what the harness has shown",
     "1 6 own lookThing o:7f0000001050:000020000020000000000000002000000000000000000000",
     PLAYER_DAMAGED, "(24 bytes) is no memory"},
    {"a pointer in a struct that is nothing",
     "1 6 own fillThing o:7f0000001000:004041414141000000000000002000000000000000000000 n:01000000",
     PLAYER_DAMAGED, "needs 512 bytes"},
    {"a pointer in a struct to the end of its block",
     "1 6 own fillThing o:7f0000001000:f00f20000020000000000000002000000000000000000000 n:01000000",
     PLAYER_DAMAGED, "needs 512 bytes"},
    {"a pointer in a struct to the device",
     "1 6 own fillThing o:7f0000001000:000000000020000000000000002000000000000000000000 n:01000000",
     PLAYER_DAMAGED, "needs 512 bytes"},
    {"a pointer in a struct into the harness's own memory",
     "1 6 own fillThing o:7f0000001000:00100000007f00000000000000200000000000000000000 n:01000000",
     PLAYER_DAMAGED, "line 4"},
    {"half of a struct", "1 6 own lookThing o:7f0000001000:0000", PLAYER_DAMAGED,
     "what is in a struct"},
    {"a struct that is too large", "1 6 own large o:7f0000001000:-", PLAYER_REFUSED, "1032 bytes"},
    {"a pointer in a struct by value", "1 6 own byValue b:0100000002000000fc0f200000200000",
     PLAYER_DAMAGED, "needs 8 bytes"},
    {"pinned memory that was never allocated", "1 6 own fill p:200000300000 n:01000000",
     PLAYER_DAMAGED, "0x200000300000 is no memory"},
    {"more than a block holds", "1 6 own fill p:200000200d00 n:01000000", PLAYER_DAMAGED,
     "needs 1000 bytes"},
    {"device memory for the host", "1 6 own fill p:200000000000 n:01000000", PLAYER_DAMAGED,
     "needs 1000 bytes"},
    {"the harness's own memory, of no known size", "1 6 own fill p:7f0000001000 n:01000000",
     PLAYER_REFUSED, "whose size is not known"},
    {"a null pointer", "1 6 own fill p:0 n:01000000", PLAYER_DAMAGED, "line 4"},
    {"a number for a pointer", "1 6 own fill n:0000000000000000 n:01000000", PLAYER_DAMAGED,
     "an argument"},
    {"a number of another size", "1 6 own fill p:200000201000 n:0100000000000000", PLAYER_DAMAGED,
     "an argument"},
    {"a function that is none", "1 6 own nothing", PLAYER_DAMAGED, "the harness does not have"},
    {"too few arguments", "1 6 own fill p:200000201000", PLAYER_DAMAGED, "does not have"},
    {"a copy out of the device", "1 6 copy 200000201000 200000000000 100", PLAYER_DAMAGED,
     "is no memory"},
    {"a copy beyond a block", "1 6 copy 200000201fc0 200000200000 41", PLAYER_DAMAGED,
     "0x200000201fc0 (65 bytes)"},
    {"a copy into nothing", "1 6 copy 0 200000200000 100", PLAYER_DAMAGED, "is no memory"},
    {"a small copy", "1 6 copy 200000201000 200000200000 3f", PLAYER_DAMAGED, "a copy of 63"},
    {"more than all memory", "1 6 set 7e0000000000 7 800000000", PLAYER_LIMIT, "copied at once"},
    {"a copy that goes round", "1 6 set 7e0000000000 7 ffffffffffffffff", PLAYER_LIMIT, "at once"},
    {"host memory beyond a mirror", "1 6 call cudaMemcpy 6 200000000000 7ffffff000 fffffffff 1",
     PLAYER_DAMAGED, "is no memory"},
    {"a rectangle that is wider than numbers are",
     "1 6 call cudaMemcpy2D 6 200000000000 40 7e0000000000 ffffffffffffffff 40 ffffffffff 1",
     PLAYER_DAMAGED, "is no memory"},
    {"a kernel of the student's own", "1 6 kernel mine", PLAYER_REFUSED, "a kernel of your own"},
    {"a kernel without a launch",
     "1 6 kernel work b:0000000000200000 b:0000000000200000 b:03000000", PLAYER_DAMAGED,
     "without its launch"},
    {"a call that is none", "1 6 call cudaNothing 6", PLAYER_DAMAGED, "does not exist"},
    {"a call with too many words", "1 6 call cudaFree 6 0 0", PLAYER_DAMAGED, "arguments"},
    {"a launch wider than 32 bits", "1 6 push 6 100000000 1 1 1 1 1 0 0", PLAYER_DAMAGED,
     "a launch"},
    {"attributes that are said and not there", "1 6 push 6 1 1 1 1 1 1 0 0 2", PLAYER_DAMAGED,
     "a launch"},
    {"no attributes, said", "1 6 push 6 1 1 1 1 1 1 0 0 0", PLAYER_DAMAGED, "a launch"},
    {"half of an attribute", "1 6 push 6 1 1 1 1 1 1 0 0 1 4:0200", PLAYER_DAMAGED, "an attribute"},
    {"an attribute without a number", "1 6 push 6 1 1 1 1 1 1 0 0 1 0200", PLAYER_DAMAGED,
     "an attribute"},
    {"more attributes than are noted", "1 6 push 6 1 1 1 1 1 1 0 0 28 4:00", PLAYER_DAMAGED,
     "a launch"},
    {"half of a kernel's clusters", "1 6 kernel work c:02000000", PLAYER_DAMAGED,
     "a kernel's clusters"},
    {"half of a stream's attribute", "1 6 call cudaStreamSetAttribute 6 1 8 0200", PLAYER_DAMAGED,
     "an attribute"},
    {"a line of a source that long", "1 6 call cudaDeviceSynchronize 99999999", PLAYER_DAMAGED,
     "a line number"},
    {"a name that is no text", "1 6 range 6", PLAYER_DAMAGED, "a name"},
    {"a thread that begins twice", "2 6 thread\n2 6 thread", PLAYER_DAMAGED, "begins twice"},
    {"the first thread begins", "1 6 thread", PLAYER_DAMAGED, "a thread begins twice"},
    {"an end without its host function", "1 6 end", PLAYER_DAMAGED, "its order"},
    {"a node of a kernel that the harness does not have",
     "1 6 call cudaGraphKernelNodeSetParams 5 20de0000000010 nobody/1,1,1,1,1,1,0", PLAYER_REFUSED,
     "nobody"},
    {"a list of nodes that is shorter than it says",
     "1 6 call cudaGraphAddEmptyNode 5 1 64a70000000010 0011223344556677 2", PLAYER_DAMAGED,
     "a list"},
    {"a list of nodes that is endless",
     "1 6 call cudaGraphAddEmptyNode 5 1 64a70000000010 0011223344556677 ffffffffffffffff",
     PLAYER_DAMAGED, "a list"},
    {"a host function of a thread that is doing something else",
     "1 6 call cudaLaunchHostFunc 5 0 1 0\n1 7 call cudaDeviceSynchronize 5\n2 7 pop\n2 8 fn 1\n2 "
     "8 end",
     PLAYER_DAMAGED, "the order of host functions"},
    {"main a second time", "1 6 main", PLAYER_DAMAGED, "its order"},
    {"memory of the harness's that is freed", "1 6 call cudaFreeHost 6 200000200000",
     PLAYER_DAMAGED, "gone"},
};

START_TEST_WITH(a_forged_log_is_named_by_its_line, .times = sizeof forged / sizeof *forged)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s\n%s", BEGIN, forged[_i].line, END);
    int end = play(text);
    ck_assert_msg(end == forged[_i].end && strstr(fuzz_said(), forged[_i].words), "%s: %s: %s",
                  forged[_i].what, fuzz_words(end), fuzz_said());
}
END_TEST

START_TEST(the_same_log_without_the_forged_line_is_whole)
{
    ck_assert_msg(!play(BEGIN END), "%s", fuzz_said());
}
END_TEST

START_TEST(nearly_right_logs_do_not_get_past_the_checks)
{
    enum { LOGS = 30000, MOST = 8192 };
    static char text[MOST];
    uint64_t state = 1;
    unsigned long whole = 0, damaged = 0;
    for (int i = 0; i < LOGS; i++) {
        const char *seed = fuzz_seeds[log_random(&state) % fuzz_seeds_n];
        size_t n = strlen(seed);
        memcpy(text, seed, n);
        n = log_mutate(text, n, sizeof text, &state);
        int end = fuzz_one((const uint8_t *)text, n);
        whole += end == 0;
        damaged += end == PLAYER_DAMAGED;
    }
    /* they get far, and not all of them through */
    ck_assert_uint_gt(whole, LOGS / 50);
    ck_assert_uint_gt(damaged, LOGS / 10);
}
END_TEST

CASES("playing a log")
