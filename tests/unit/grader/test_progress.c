/* What a student has reached, kept over runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grader/build/build.h"
#include "grader/course/progress.h"
#include "common/folder.h"
#include "common/text.h"
#include "tests/unit/cases.h"

static char folder[64];

static void setup(void)
{
    strcpy(folder, "/tmp/threelane-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void) { folder_remove(folder); }

static void pass_43(Progress *progress, void *data)
{
    (void)data;
    progress_record(progress, "ex43", true, 35, NULL);
    progress_set_hint(progress, "ex41", "overlap", 2);
}

static void fail_43(Progress *progress, void *data)
{
    (void)data;
    progress_record(progress, "ex43", false, 12, "overlap");
}

START_TEST(kept)
{
    Progress progress;
    ck_assert_int_eq(progress_read(&progress, folder), 0);
    ck_assert_ptr_null(progress_find(&progress, "ex43"));
    progress_release(&progress);
    ck_assert_int_eq(progress_update(folder, fail_43, NULL), 0);
    ck_assert_int_eq(progress_update(folder, pass_43, NULL), 0);
    ck_assert_int_eq(progress_update(folder, fail_43, NULL), 0);
    ck_assert_int_eq(progress_read(&progress, folder), 0);
    const ProgressItem *item = progress_find(&progress, "ex43");
    ck_assert_ptr_nonnull(item);
    ck_assert_int_eq(item->state, PROGRESS_PASSED);
    ck_assert_int_eq(item->points, 35);
    ck_assert_str_eq(item->failed, "overlap");
    ck_assert_int_eq(progress_hint(&progress, "ex41", "overlap"), 2);
    ck_assert_int_eq(progress_hint(&progress, "ex41", "other"), 0);
    progress_release(&progress);
}
END_TEST

static void score_thrice(Progress *progress, void *data)
{
    (void)data;
    progress_set_score(progress, "ex59", "makespan", 20250);
    progress_set_score(progress, "ex59", "makespan", 19000);
    progress_set_score(progress, "ex59", "makespan", 44250);
    progress_set_score(progress, "ex59", "latency", 9000);
}

START_TEST(scores_keep_the_best_and_the_last)
{
    Progress progress;
    ck_assert_int_eq(progress_update(folder, score_thrice, NULL), 0);
    ck_assert_int_eq(progress_update(folder, fail_43, NULL), 0);
    ck_assert_int_eq(progress_read(&progress, folder), 0);
    const ProgressScore *score = progress_score(&progress, "ex59", "makespan");
    ck_assert_ptr_nonnull(score);
    ck_assert_int_eq(score->best, 19000);
    ck_assert_int_eq(score->last, 44250);
    ck_assert_int_eq(progress_score(&progress, "ex59", "latency")->last, 9000);
    ck_assert_ptr_null(progress_score(&progress, "ex60", "makespan"));
    progress_release(&progress);

    progress_parse(&progress, "score ex59 a 0 3\nscore ex59 b 3 2\nscore ex59 c 2 3 4\n"
                              "score ex59 d 2\nscore ex59 e 2 3\n");
    ck_assert_int_eq(progress.n_scores, 1);
    ck_assert_int_eq(progress_score(&progress, "ex59", "e")->best, 2);
    progress_release(&progress);
}
END_TEST

START_TEST(damage_is_left_out)
{
    Progress progress;
    progress_parse(
        &progress,
        "threelane-progress 1\nexercise ex41 passed 15 -\nexercise ex42 maybe 3 -\nexercise ex43 "
        "tried -1 x\n"
        "hint ex41 overlap 9\nhint ex41 streams 1\n\x01\x02garbage\nexercise ex44 tried 3");
    ck_assert_ptr_nonnull(progress_find(&progress, "ex41"));
    ck_assert_ptr_null(progress_find(&progress, "ex42"));
    ck_assert_ptr_null(progress_find(&progress, "ex43"));
    ck_assert_ptr_null(progress_find(&progress, "ex44"));
    ck_assert_int_eq(progress_hint(&progress, "ex41", "overlap"), 0);
    ck_assert_int_eq(progress_hint(&progress, "ex41", "streams"), 1);
    progress_release(&progress);
}
END_TEST

START_TEST(no_place_to_write)
{
    /* a file where the folder should be: also root cannot write there */
    char *path = memory_format("%s/state", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    ck_assert_int_ne(progress_update(path, pass_43, NULL), 0);
    free(path);
}
END_TEST

START_TEST(no_leftovers)
{
    ck_assert_int_eq(progress_update(folder, pass_43, NULL), 0);
    char *list = memory_format("ls %s | tr '\\n' ' '", folder);
    FILE *pipe = popen(list, "r");
    char names[200] = "";
    ck_assert_ptr_nonnull(fgets(names, sizeof names, pipe));
    pclose(pipe);
    free(list);
    ck_assert_str_eq(names, "progress progress.lock ");
}
END_TEST

CASES("progress", .before = setup, .after = teardown)
