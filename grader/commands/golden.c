/* golden.c - `threelane golden`: the golden text made again from the solution, and what would
 * change. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "grader/commands/command.h"
#include "grader/course/diff.h"
#include "grader/judge/judge.h"

static int compare(const Options *options, const Catalogue *catalogue, const Exercise *e,
                   const Report *report)
{
    char *path = exercise_file(e, "golden.txt"), *shown = catalogue_relative(catalogue, path);
    Text old = {0}, difference = {0};
    int status = 0, failed = text_read_file(&old, path, LIMIT_TEXT);
    const char *made = text_string(&report->text);
    bool same = !failed && old.length == report->text.length &&
                !memcmp(text_string(&old), made, old.length);
    if (failed && failed != ENOENT) {
        status = command_fail(VERDICT_GRADER, "%s: %s", path, strerror(failed));
    } else if (same) {
        terminal_printf(&options->out, STYLE_GOOD, "%s is what the solution reports.\n", shown);
    } else {
        diff_add(&difference, text_string(&old), made, &(DiffOptions){.context = 2});
        if (failed)
            terminal_printf(&options->out, STYLE_PLAIN,
                            "%s does not exist yet; the solution reports:\n", shown);
        else if (!difference.length)
            terminal_printf(&options->out, STYLE_PLAIN, "%s differs in blanks only.\n", shown);
        else
            terminal_printf(
                &options->out, STYLE_PLAIN,
                "%s differs from what the solution reports (-: in the file, +: reported):\n",
                shown);
        for (const char *at = text_string(&difference); *at;) {
            const char *end = strchrnul(at, '\n');
            char *line = memory_format("%.*s\n", (int)(end - at), at);
            if (*at != '^')
                terminal_text(&options->out,
                              *at == '-'   ? STYLE_BAD
                              : *at == '+' ? STYLE_GOOD
                                           : STYLE_PLAIN,
                              line);
            free(line);
            at = *end ? end + 1 : end;
        }
        if (!options->write) {
            terminal_printf(&options->out, STYLE_BOLD,
                            "Nothing was written; `threelane golden %s --write` writes it.\n",
                            e->id);
            status = VERDICT_FAIL;
        } else if ((failed = text_write_file(path, made, report->text.length)) != 0) {
            status = command_fail(VERDICT_USAGE, "%s: %s", path, strerror(failed));
        } else {
            terminal_printf(&options->out, STYLE_BOLD, "%s is written.\n", shown);
        }
    }
    text_release(&old);
    text_release(&difference);
    free(path);
    free(shown);
    return status;
}

int command_golden(const Options *options)
{
    Catalogue catalogue;
    const CatalogueEntry *entry;
    char error[PATH_MAX + 2000];
    int status = command_course(options, &catalogue, &entry);
    if (status) return status;
    Exercise *e = command_exercise(entry);
    if (e) exercise_on_model(e, NULL);
    Workspace workspace = {0};
    Recording recording = {0};
    if (!e) status = VERDICT_GRADER;
    else if (!workspace_open(&workspace, &catalogue, error, sizeof error) ||
             !judge_solution(&workspace, e, &recording, error, sizeof error))
        status = command_fail(VERDICT_GRADER, "%s: %s", e->id, error);
    else status = compare(options, &catalogue, e, &recording.report);
    recording_release(&recording);
    workspace_close(&workspace);
    exercise_free(e);
    catalogue_close(&catalogue);
    return status;
}
