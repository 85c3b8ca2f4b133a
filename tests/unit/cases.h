/* cases.h - a unit test program: every START_TEST is a case, and none can be forgotten, because it
 * enters itself into the list when the program starts. Instead of <check.h>:
 *
 *   #include "tests/unit/cases.h"
 *   START_TEST(adds_up) { ck_assert_int_eq(1 + 1, 2); } END_TEST
 *   START_TEST_WITH(sizes, .times = 3) { ... _i is 0, 1 and 2 ... } END_TEST
 *   CASES("sums")                                         the program's main function, at the end
 *                                                         of the file
 *   CASES("sums", .before = set_up, .after = tidy)        these run around each case, in its
 *                                                         process
 *
 * Each case runs in a process of its own. It may use processor time (CASE_SECONDS), however long
 * that takes on a busy machine; the wall clock ends only what waits for ever.
 *
 *   build/tests/test_sums                 all cases        build/tests/test_sums --list     their
 *                                         names
 *   build/tests/test_sums adds_up sizes   these cases      CK_FORK=no ...                   in one
 *                                         process, for a debugger
 */
#ifndef THREELANE_TESTS_CASES_H
#define THREELANE_TESTS_CASES_H
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Files of the rooms below the CUDA API free by this name (sim/host/malloced.h), also where a test
 * links them without the runtime. */
__attribute__((weak)) void malloced_free(void *block);
__attribute__((weak)) void malloced_free(void *block) { free(block); }

enum {
#ifdef __SANITIZE_ADDRESS__
    CASE_SECONDS = 600, /* of processor time; the sanitizers take several times as long */
#else
    CASE_SECONDS = 120,
#endif
    CASE_PATIENCE_SECONDS = 1800 /* by the clock: hours would do as well */
};

typedef struct CaseWith {
    int times;  /* 0: once */
    int signal; /* that ends it, as it should; 0: none */
    bool bare;  /* without .before and .after */
} CaseWith;

typedef struct Case {
    const TTest *test;
    CaseWith with;
    struct Case *next;
} Case;

static Case *cases_first, **cases_last = &cases_first;

#undef START_TEST
#define START_TEST(name) START_TEST_WITH(name, .times = 0)
#define START_TEST_WITH(name, ...)                                             \
    static void name##_body(int _i);                                           \
    static const TTest name##_test = {#name, name##_body, __FILE__, __LINE__}; \
    __attribute__((constructor)) static void name##_enters(void)               \
    {                                                                          \
        static Case entry = {.test = &name##_test, .with = {__VA_ARGS__}};     \
        *cases_last = &entry;                                                  \
        cases_last = &entry.next;                                              \
    }                                                                          \
    static void name##_body(int _i CK_ATTRIBUTE_UNUSED)

typedef struct CasesOptions {
    void (*before)(void), (*after)(void);
} CasesOptions;

static void case_limit(void)
{
    struct rlimit limit = {CASE_SECONDS, CASE_SECONDS + 1}, given;
    if (getrlimit(RLIMIT_CPU, &given) == 0 && given.rlim_cur < limit.rlim_cur)
        return; /* `make mutate` is stricter */
    if (strcmp(getenv("CK_FORK") ? getenv("CK_FORK") : "", "no")) setrlimit(RLIMIT_CPU, &limit);
}

static bool cases_wanted(const Case *one, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], one->test->name)) return true;
    return argc < 2;
}

static TCase *case_make(const Case *one, const CasesOptions *options)
{
    TCase *made = tcase_create(one->test->name);
    int times = one->with.times ? one->with.times : 1;
    tcase_set_timeout(made, CASE_PATIENCE_SECONDS);
    tcase_add_checked_fixture(made, case_limit, NULL);
    if (!one->with.bare && (options->before || options->after))
        tcase_add_checked_fixture(made, options->before, options->after);
    tcase_add_loop_test_raise_signal(made, one->test, one->with.signal, 0, times);
    return made;
}

static int cases_run(const char *name, int argc, char **argv, const CasesOptions *options)
{
    Suite *suite = suite_create(name);
    int wanted = 0;
    for (const Case *one = cases_first; one; one = one->next) {
        if (argc == 2 && !strcmp(argv[1], "--list")) puts(one->test->name);
        if (!cases_wanted(one, argc, argv)) continue;
        suite_add_tcase(suite, case_make(one, options));
        wanted++;
    }

    SRunner *runner = srunner_create(suite);
    if (wanted < (argc > 1 ? argc - 1 : 1)) {
        bool list = argc == 2 && !strcmp(argv[1], "--list");
        if (!list) fprintf(stderr, "%s: no such case (--list names them)\n", argv[0]);
        srunner_free(runner);
        return list ? 0 : 2;
    }
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    TestResult **failures = srunner_failures(runner);
    for (int i = 0; i < failed; i++) printf("again: %s %s\n", argv[0], tr_tcname(failures[i]));
    free(failures);
    srunner_free(runner);
    return failed != 0;
}

#define CASES(name, ...)                                                  \
    int main(int argc, char **argv)                                       \
    {                                                                     \
        return cases_run(name, argc, argv, &(CasesOptions){__VA_ARGS__}); \
    }
#endif
