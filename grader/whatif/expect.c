/* expect.c - see expect.h. */
#include "grader/whatif/expect.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/limits.h"
#include "timeline/pictures/schedule.h"
#include "timeline/trace/analysis.h"

enum { SENTENCE = 900 };

char *expect_file(const Exercise *exercise) { return exercise_file(exercise, "predict.txt"); }

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void tell(Text *text, const Prediction *expected, const Trace *trace, const Labels *labels,
                 const char *show)
{
    char sentence[SENTENCE];
    Outlook *o = outlook_new(expected, trace, labels);
    if (!o) return;
    if (o->n_right == o->n_ops && !o->n)
        text_printf(text, "All %u operations%s%s%s came when you expected them.\n", o->n_ops,
                    show ? " of `" : "", show ? show : "", show ? "`" : "");
    else
        text_printf(text, "You expected %u of %u operations%s%s%s when they came.\n", o->n_right,
                    o->n_ops, show ? " of `" : "", show ? show : "", show ? "`" : "");
    for (uint32_t i = 0; i < o->n && i < EXPECT_SURPRISES; i++)
        text_printf(text, "%s.\n", outlook_say(o, trace, labels, i, sentence, sizeof sentence));
    if (o->n > EXPECT_SURPRISES)
        text_printf(text, "And %u more, perhaps because of these.\n", o->n - EXPECT_SURPRISES);
    outlook_free(o);
}

char *expect_words(const char *file, const Trace *trace, const char *show)
{
    char error[300];
    Text bytes = {0}, text = {0};
    Prediction expected = {0};
    int failed = text_read_file(&bytes, file, LIMIT_TEXT);
    if (failed == ENOENT) return NULL;
    uint32_t range = show ? analysis_range(trace, show) : 0;
    Labels *labels = failed ? NULL : labels_new(trace, range);
    if (failed) text_printf(&text, "%s: %s.\n", name_of(file), strerror(failed));
    else if (!prediction_read(&expected, text_string(&bytes), bytes.length, error, sizeof error))
        text_printf(&text, "%s: %s.\n", name_of(file), error);
    else if (!expected.n)
        text_printf(&text, "%s is still empty: what do you expect?\n", name_of(file));
    else if (labels) tell(&text, &expected, trace, labels, range ? show : NULL);
    labels_free(labels);
    prediction_release(&expected);
    text_release(&bytes);
    return text_take(&text);
}

/* By the rows of a drawing, in which duplicates only mean that there are two of them. */
static bool read_drawn(Prediction *operations, const char *text, size_t length)
{
    char error[300];
    prediction_read(operations, text, length, error, sizeof error);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < operations->n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < kept; k++)
            again |= !strcmp(operations->cells[k].label, operations->cells[i].label);
        if (again) free(operations->cells[i].label);
        else operations->cells[kept++] = operations->cells[i];
    }
    operations->n = kept;
    return kept > 0;
}

bool expect_operations(Prediction *operations, const Trace *trace, const Exercise *exercise)
{
    Text golden = {0};
    bool fine = false;
    *operations = (Prediction){0};
    if (trace) {
        uint32_t range = exercise->show ? analysis_range(trace, exercise->show) : 0;
        size_t length;
        char *text = schedule_cells(trace, range, &length);
        fine = text && read_drawn(operations, text, length);
        free(text);
        return fine;
    }
    char *path = exercise_file(exercise, "golden.txt");
    if (text_read_file(&golden, path, LIMIT_TEXT) == 0)
        fine = read_drawn(operations, text_string(&golden), golden.length);
    text_release(&golden);
    free(path);
    return fine;
}

int expect_begin(const char *file, const Prediction *operations, const Exercise *exercise)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return errno;
    FILE *to = fdopen(fd, "w");
    if (!to) {
        close(fd);
        return errno;
    }
    uint32_t rows = operations->n < 12 ? operations->n : 12;
    bool failed = prediction_template(to, operations,
                                      exercise->show ? exercise->show : exercise->id, rows) != 0;
    if (fclose(to) != 0 || failed) return errno ? errno : EIO;
    return 0;
}
