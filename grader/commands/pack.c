/* pack.c - the course for others: `threelane pack FOLDER`, the exercises as students get them,
 * `threelane init FOLDER`, one's own copy of the installed course, and `threelane site`, all of it
 * as pages.
 *
 * Packed is what a student reads or the judge needs; solutions go along as objects without debug
 * information, one for each set of parameters that an exercise has on its models (build_solution
 * finds them), so that results, schedule and times can be compared with a solution's that nobody
 * can read. What grading hides stays behind: wrong variants, hidden parameters, the author's own
 * attempt. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/limits.h"
#include "grader/build/build.h"
#include "common/folder.h"
#include "grader/commands/command.h"
#include "grader/judge/judge.h"
#include "grader/lessons/markdown.h"
#include "grader/site/site.h"
#include "grader/start/start.h"

static int copy(const char *from, const char *to)
{
    Text text = {0};
    int failed = text_read_file(&text, from, LIMIT_SOURCE);
    if (!failed) failed = text_write_file(to, text_string(&text), text.length);
    text_release(&text);
    return failed ? command_fail(VERDICT_USAGE, "%s to %s: %s", from, to, strerror(failed)) : 0;
}

static bool goes_along(const Exercise *e, const char *name)
{
    static const char *const left[] = {"solution.cu", "hidden.ini", "predict.txt"};
    const char *dot = strrchr(name, '.');
    char own[64];
    snprintf(own, sizeof own, "%s.cu", e->id);
    bool kind = dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".h") || !strcmp(dot, ".ini") ||
                        !strcmp(dot, ".txt"));
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        kind = kind && strcmp(name, left[i]) != 0;
    return kind && name[0] != '.' && strcmp(name, own) != 0;
}

static int copy_files(const Exercise *e, const char *to)
{
    DIR *dir = opendir(e->folder);
    int status = dir ? 0 : command_fail(VERDICT_USAGE, "%s: %s", e->folder, strerror(errno));
    for (struct dirent *file; dir && !status && (file = readdir(dir));) {
        char *source = memory_format("%s/%s", e->folder, file->d_name),
             *target = memory_format("%s/%s", to, file->d_name);
        struct stat about;
        if (goes_along(e, file->d_name) && stat(source, &about) == 0 && S_ISREG(about.st_mode))
            status = copy(source, target);
        free(source);
        free(target);
    }
    if (dir) closedir(dir);
    char *starter = exercise_file(e, "starter.cu"), *own = memory_format("%s/%s.cu", to, e->id);
    if (!status) status = copy(starter, own);
    free(starter);
    free(own);
    return status;
}

static int compile(Workspace *workspace, const Exercise *e, const ExerciseRun *run,
                   const char *object)
{
    char *source = exercise_file(e, "solution.cu");
    Build build = {.exercise = e, .run = run, .source = source};
    int status = 0;
    if (!build_object(workspace, &build, object)) status = 1;
    else if (build.state != BUILD_OK)
        status = command_fail(VERDICT_GRADER, "%s does not compile: %s", source,
                              text_string(&build.output));
    build_release(&build);
    free(source);
    return status;
}

/* The objects for the exercise's own model, or for all that its section `on` is for. */
enum { OWN_MODEL = -1 };
static int objects(Workspace *workspace, const CatalogueEntry *entry, int on, const char *to)
{
    char error[PATH_MAX + 500];
    Exercise *e = exercise_read(entry->folder, error, sizeof error);
    if (!e) return command_fail(VERDICT_GRADER, "%s", error);
    exercise_on_model(e, NULL);
    if (on != OWN_MODEL) exercise_on_section(e, (size_t)on);
    int status = 0;
    for (size_t run = 0; run < e->n_runs && !status; run++) {
        /* named as it will be looked for where there is no source */
        char *folder = e->folder;
        e->folder = memory_copy(to);
        char *object = build_solution(e, &e->runs[run]);
        free(e->folder);
        e->folder = folder;
        if (access(object, F_OK) != 0) status = compile(workspace, e, &e->runs[run], object);
        free(object);
    }
    exercise_free(e);
    return status;
}

static int pack(Workspace *workspace, const CatalogueEntry *entry, const char *folder)
{
    char error[PATH_MAX + 500];
    Exercise *e = exercise_read(entry->folder, error, sizeof error);
    if (!e) return command_fail(VERDICT_GRADER, "%s", error);
    char *solution = exercise_file(e, "solution.cu");
    int status = 0;
    if (access(solution, R_OK) != 0)
        status =
            command_fail(VERDICT_USAGE, "%s: %s; only a course with its solutions can be packed",
                         solution, strerror(errno));
    free(solution);
    char *to = memory_format("%s/%s", folder, entry->slug),
         *inside = memory_format("%s/solution", to);
    int failed = status ? 0 : folder_make(inside);
    if (failed) status = command_fail(VERDICT_USAGE, "%s: %s", inside, strerror(failed));
    if (!status) status = copy_files(e, to);
    if (!status) status = objects(workspace, entry, OWN_MODEL, to);
    for (size_t i = 0; i < e->n_ons && !status; i++)
        if (strcmp(e->ons[i].condition, "card") != 0)
            status = objects(workspace, entry, (int)i, to);
    free(to);
    free(inside);
    exercise_free(e);
    return status;
}

int command_pack(const Options *options)
{
    Catalogue catalogue;
    char error[PATH_MAX + 500];
    char here[PATH_MAX] = "";
    if (options->words[0][0] != '/' && !getcwd(here, sizeof here))
        return command_fail(VERDICT_USAGE, "%s", strerror(errno));
    char *folder = memory_format("%s%s%s", here, here[0] ? "/" : "", options->words[0]);
    int status = command_course(options, &catalogue, NULL);
    if (status) {
        free(folder);
        return status;
    }
    Workspace workspace = {0};
    struct stat about;
    if (lstat(folder, &about) == 0)
        status = command_fail(VERDICT_USAGE, "%s exists already; pack writes a new folder", folder);
    if (!status && !workspace_open(&workspace, &catalogue, error, sizeof error))
        status = command_fail(VERDICT_GRADER, "%s", error);
    char *path = status ? NULL : memory_format("%s/harness.h", catalogue.exercises);
    for (size_t i = 0; i < catalogue.n_entries && !status; i++)
        status = pack(&workspace, &catalogue.entries[i], folder);
    if (!status) { /* what all exercises share */
        char *to = memory_format("%s/harness.h", folder);
        if (access(path, R_OK) == 0) status = copy(path, to);
        free(to);
    }
    if (!status) printf("%s: %zu exercises\n", folder, catalogue.n_entries);
    free(path);
    free(folder);
    workspace_close(&workspace);
    catalogue_close(&catalogue);
    return status;
}

/* ---- as one's own ---- */
int command_init(const Options *options)
{
    char own[PATH_MAX] = "", error[PATH_MAX + 300];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char *slash = strrchr(own, '/');
    if (slash) *slash = 0;
    StartFrom from = {.bin = own, .solutions = options->solutions};
    Started started;
    const char *folder = options->words[0];
    int status = start_course(folder, &from, &started, error, sizeof error)
                     ? 0
                     : command_fail(VERDICT_USAGE, "%s", error);

    if (started.replaced)
        terminal_printf(&options->out, STYLE_PLAIN, "What was replaced is kept in %s\n",
                        started.replaced);
    if (!status && !started.brought)
        terminal_printf(&options->out, STYLE_PLAIN, "%s is as the installed course is.\n", folder);
    else if (!status)
        terminal_printf(&options->out, STYLE_PLAIN,
                        "%s: %zu files brought, %zu of yours left as they are.\n", folder,
                        started.brought, started.own);
    if (!status && !started.own)
        terminal_printf(&options->out, STYLE_PLAIN, "Next: cd %s && make ex43\n", folder);
    started_release(&started);
    return status;
}

/* ---- as pages ---- */
int command_site(const Options *options)
{
    Catalogue catalogue;
    SiteWritten written;
    char error[PATH_MAX + 500];
    SiteOptions site = {.folder = options->output ? options->output : "site",
                        .figures = options->figures,
                        .solutions = options->solutions};
    if (!markdown_possible())
        return command_fail(VERDICT_USAGE,
                            "Threelane was built without what reads Markdown: `.ci/setup site` "
                            "installs it (%s), then make",
                            MARKDOWN_MISSING);
    int status = command_course(options, &catalogue, NULL);
    if (status) return status;

    if (!site_write(&catalogue, &site, &written, error, sizeof error)) {
        status = command_fail(VERDICT_USAGE, "%s", error);
    } else {
        terminal_printf(&options->out, STYLE_GOOD, "%s/index.html", site.folder);
        terminal_printf(&options->out, STYLE_PLAIN, ": %zu pages, %zu figures that play",
                        written.pages, written.figures);
        if (written.texts)
            terminal_printf(&options->out, STYLE_PLAIN, ", %zu as text", written.texts);
        terminal_text(&options->out, STYLE_PLAIN, "\n");
    }
    catalogue_close(&catalogue);
    return status;
}
