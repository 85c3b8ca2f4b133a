/* command.c - options and the table of subcommands. */
#include "grader/commands/command.h"
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/judge/judge.h"
#include "common/env.h"
#include "common/text.h"
#include "common/version.h"
#include "sim/model/model.h"
#include "timeline/trace/trace.h"
#include "timeline/viewer/view.h"

enum {
    STUDENT,
    ANY,
    GPU,
    INSTRUCTOR,
    AUTHOR
}; /* ANY, GPU: commands that get every word as it is */

typedef struct Subcommand {
    const char *name, *words, *summary; /* options: command_options.c */
    size_t least, most;
    int group;
    int (*run)(const Options *);
} Subcommand;

static const Subcommand subcommands[] = {
    {"init", "FOLDER", "a folder of your own with the whole course, ready for `make ex43`", 1, 1,
     STUDENT, command_init},
    {"run", "EX", "compile, run on the virtual GPU and judge", 1, 1, STUDENT, command_run},
    {"watch", "[EX]", "the course in one screen: save, and see at once what happened", 0, 1,
     STUDENT, command_watch},
    {"list", "", "every exercise, and what you have reached", 0, 0, STUDENT, command_list},
    {"next", "", "the first exercise that you have not passed", 0, 0, STUDENT, command_next},
    {"progress", "", "how far you are, and what each pass saved; as a page: -o progress.html", 0, 0,
     STUDENT, command_progress},
    {"hint", "EX", "the next hint for the check that failed", 1, 1, STUDENT, command_hint},
    {"lesson", "EX", "what the exercise is about", 1, 1, STUDENT, command_lesson},
    {"solution", "EX", "a solution, once you have passed", 1, 1, STUDENT, command_solution},
    {"reset", "EX", "the untouched starter back (yours is kept as a backup)", 1, 1, STUDENT,
     command_reset},
    {"show", "TRACE", "draw a trace as text, HTML, SVG, for Perfetto, for Nsight", 1, 1, STUDENT,
     command_show},
    {"view", "TRACE", "the live timeline of a trace, or of an exercise's last run", 1, 1, STUDENT,
     command_view},
    {"whatif", "TRACE",
     "its calls made again with a change: whatif ex43 stream K1=2 ... [-- PROGRAM ARGS]", 1, 200,
     STUDENT, command_whatif},
    {"predict", "EX",
     "what do you expect? Empty rows to fill before you run, or how right you were", 1, 1, STUDENT,
     command_predict},
    {"check", "FILE.cu",
     "build and run any CUDA program, look for races: check FILE.cu [tlcc options] [-- ARGS]", 0, 0,
     ANY, command_check},
    {"trace", "PROGRAM", "run any CUDA program and record it: trace [-o FILE] [--] PROGRAM [ARGS]",
     0, 0, GPU, command_trace},
    {"compare", "PROG.cu",
     "predicted beside measured: a program on the virtual GPU and on the card", 0, 0, GPU,
     command_compare},
    {"calibrate", "",
     "measure this machine's card and write its device model: calibrate [-o my.ini]", 0, 0, GPU,
     command_calibrate},
    {"doctor", "", "what this machine has for a real GPU, and what is missing", 0, 0, GPU,
     command_doctor},
    {"grade", "FOLDER",
     "grade a class: grade FOLDER [EX...]; or one file: grade --exercise EX FILE", 1, 1000,
     INSTRUCTOR, command_grade},
    {"site", "", "the course as pages for a browser: -o FOLDER", 0, 0, STUDENT, command_site},
    {"golden", "EX", "the golden text from the solution, and what changes", 1, 1, AUTHOR,
     command_golden},
    {"pack", "FOLDER",
     "copy the exercises for students: without solutions, wrong variants, hidden parameters", 1, 1,
     AUTHOR, command_pack},
    {"lint", "[EX...]", "check exercises: starter, solution, wrong variants, hints", 0, 1000,
     AUTHOR, command_lint},
};
enum { N_SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

int command_fail(int status, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    Text safe = {0};
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) text_add_shown(&safe, text, (size_t)length, false);
    fflush(stdout);
    fprintf(stderr, "threelane: %s\n", text_string(&safe));
    text_release(&safe);
    free(text);
    return status;
}

static const char *const groups[] = {"Students", "Any program", "Real GPU", "Instructors",
                                     "Authors"};

static void help(FILE *to)
{
    fputs("usage: threelane COMMAND [options]\n", to);
    for (int group = STUDENT; group <= AUTHOR; group++) {
        fprintf(to, "\n%s\n", groups[group]);
        for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
            const Subcommand *s = &subcommands[i];
            if (s->group == group) fprintf(to, "  %-9s%-9s%s\n", s->name, s->words, s->summary);
        }
    }
    fputs("\nOptions (of all of these: --width, --color, --ascii, --exercises)\n", to);
    options_help(to);
    fputs("\nExit status: `threelane help status`. Kinds of check: `threelane help checks`.\n"
          "Keys of view and watch: `threelane help keys`, ? in them.\n"
          "For shells and man: `threelane help completion bash|zsh|fish`, `threelane help man "
          "[COMMAND]`;\n"
          "`threelane help exercises|devices|commands`.\n",
          to);
}

static const Subcommand *find_subcommand(const char *name)
{
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        if (!strcmp(subcommands[i].name, name)) return &subcommands[i];
    return NULL;
}

/* Commands that get every word as it is. */
static bool is_handed_words(const Subcommand *subcommand)
{
    return subcommand->group == GPU || subcommand->group == ANY;
}

/* ---- help about something ---- */

static int help_keys(const char *word)
{
    (void)word;
    const char *line;
    for (size_t i = 0; (line = view_key_line(i, true)); i++) puts(line);
    return VERDICT_PASS;
}

static int help_status(const char *word)
{
    (void)word;
    const char *line;
    for (unsigned i = 0; (line = exit_status_help_line(i)); i++) puts(line);
    return VERDICT_PASS;
}

static int help_checks(const char *word)
{
    (void)word;
    const char *line;
    for (unsigned i = 0; (line = check_kind_line(i)); i++) puts(line);
    return VERDICT_PASS;
}

static int help_commands(const char *word)
{
    (void)word;
    for (size_t i = 0; i < N_SUBCOMMANDS; i++) puts(subcommands[i].name);
    return VERDICT_PASS;
}

static int help_devices(const char *word)
{
    (void)word;
    for (const char *const *name = model_names(); *name; name++) puts(*name);
    return VERDICT_PASS;
}

/* A line each, as shells want it: "ex43", a tab, the title. */
static int help_exercises(const char *word)
{
    (void)word;
    Catalogue catalogue;
    int status = command_course(&(Options){0}, &catalogue, NULL);
    for (size_t i = 0; !status && i < catalogue.n_entries; i++) {
        char error[PATH_MAX + 500];
        Exercise *e = exercise_read(catalogue.entries[i].folder, error, sizeof error);
        printf("%s\t%s\n", catalogue.entries[i].id, e ? e->title : "");
        exercise_free(e);
    }
    if (!status) catalogue_close(&catalogue);
    return status;
}

static int help_man(const char *), help_completion(const char *);

static const struct {
    const char *name;
    int (*print)(const char *word);
} topics[] = {
    {"keys", help_keys},
    {"status", help_status},
    {"checks", help_checks},
    {"commands", help_commands},
    {"devices", help_devices},
    {"exercises", help_exercises},
    {"completion", help_completion},
    {"man", help_man},
};
enum { N_TOPICS = sizeof topics / sizeof topics[0] };

/* Everything in the tables, for what is made of them. */
static Manual manual_make(void)
{
    const char **names = memory_get(N_TOPICS + N_SUBCOMMANDS + 1, sizeof *names);
    Manual manual = {.commands = memory_get(N_SUBCOMMANDS, sizeof *manual.commands),
                     .topics = names,
                     .models = model_names()};

    for (size_t i = 0; i < N_TOPICS; i++) names[i] = topics[i].name;
    for (size_t i = 0; i < N_SUBCOMMANDS; i++) names[N_TOPICS + i] = subcommands[i].name;
    for (int group = STUDENT; group <= AUTHOR; group++) {
        for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
            const Subcommand *one = &subcommands[i];
            if (one->group != group) continue;
            ManualCommand *to = &manual.commands[manual.n_commands++];
            *to = (ManualCommand){.name = one->name,
                                  .words = one->words,
                                  .summary = one->summary,
                                  .group = groups[group],
                                  .options = memory_get(OPTIONS_MOST, sizeof *to->options)};
            to->n_options =
                options_shown(one->name, !is_handed_words(one), to->options, OPTIONS_MOST);
        }
    }
    return manual;
}

static void manual_release(Manual *manual)
{
    for (size_t i = 0; i < manual->n_commands; i++) {
        for (size_t k = 0; k < manual->commands[i].n_options; k++)
            free(manual->commands[i].options[k].about);
        free(manual->commands[i].options);
    }
    free(manual->commands);
    free((void *)(size_t)manual->topics);
}

static int help_man(const char *word)
{
    if (*word && !find_subcommand(word))
        return command_fail(VERDICT_USAGE, "there is no command '%s'; `threelane help` lists them",
                            word);
    Manual manual = manual_make();
    const ManualCommand *command = NULL;
    for (size_t i = 0; i < manual.n_commands; i++)
        if (!strcmp(manual.commands[i].name, word)) command = &manual.commands[i];
    manual_page(stdout, &manual, command);
    manual_release(&manual);
    return VERDICT_PASS;
}

static int help_completion(const char *word)
{
    Manual manual = manual_make();
    bool known = manual_completion(stdout, &manual, word);
    manual_release(&manual);
    if (known) return VERDICT_PASS;
    return command_fail(VERDICT_USAGE, "completion is there for bash, zsh and fish: threelane help "
                                       "completion bash");
}

static void help_of(const Subcommand *subcommand)
{
    printf("usage: threelane %s%s%s\n%s\n\n", subcommand->name, subcommand->words[0] ? " " : "",
           subcommand->words, subcommand->summary);
    options_help_of(stdout, subcommand->name, !is_handed_words(subcommand));
}

/* `threelane help`, `threelane help WORD [WORD]`. */
static int help_about(int n_words, char **words)
{
    const char *about = n_words > 0 ? words[0] : "", *more = n_words > 1 ? words[1] : "";
    const Subcommand *subcommand = find_subcommand(about);

    for (size_t i = 0; i < N_TOPICS; i++)
        if (!strcmp(topics[i].name, about)) return topics[i].print(more);
    if (subcommand) help_of(subcommand);
    else if (!*about) help(stdout);
    else
        return command_fail(VERDICT_USAGE,
                            "there is no help about '%s'; `threelane help` lists "
                            "what there is",
                            about);
    return VERDICT_PASS;
}

/* What stands after -- is a program and its arguments. */
static bool takes_program(const Subcommand *subcommand)
{
    return subcommand->run == command_whatif || subcommand->run == command_view;
}

static bool parse(Options *o, const Subcommand *subcommand, size_t n, char **argv)
{
    bool only_words = false;
    o->words = memory_get(n + 1, sizeof *o->words);
    for (size_t i = 0; i < n; i++) {
        char *word = argv[i];
        if (only_words || word[0] != '-' || !word[1]) {
            o->words[o->n_words++] = word;
            continue;
        }
        if (!strcmp(word, "--") && takes_program(subcommand)) {
            o->program = argv + i + 1;
            o->n_program = n - i - 1;
            break;
        }
        if (!strcmp(word, "--")) {
            only_words = true;
            continue;
        }
        char error[300];
        OptionTaken taken = option_take(o, subcommand->name, argv, n, &i, error, sizeof error);
        if (taken == OPTION_WRONG) command_fail(VERDICT_USAGE, "%s", error);
        if (taken == OPTION_NONE)
            command_fail(VERDICT_USAGE, "%s does not take %.*s; `threelane help` lists the options",
                         subcommand->name, (int)strcspn(word, "="), word);
        if (taken != OPTION_TAKEN) return false;
    }
    if (o->gpu && o->model)
        return command_fail(
                   VERDICT_USAGE,
                   "--model is for the virtual GPU; a real one (--gpu, GPU=1) is as it is"),
               false;
    if (o->n_words >= subcommand->least && o->n_words <= subcommand->most) return true;
    command_fail(VERDICT_USAGE, "usage: threelane %s%s%s", subcommand->name,
                 subcommand->words[0] ? " " : "", subcommand->words);
    return false;
}

int command_course(const Options *options, Catalogue *catalogue, const CatalogueEntry **entry)
{
    char error[PATH_MAX + 200];
    if (!catalogue_open(catalogue, options->exercises, error, sizeof error)) {
        catalogue_close(catalogue);
        return command_fail(VERDICT_USAGE, "%s", error);
    }
    if (!entry) return 0;
    *entry = catalogue_find(catalogue, options->words[0]);
    if (*entry) return 0;
    Text known = {0};
    for (size_t i = 0; i < catalogue->n_entries; i++)
        text_printf(&known, "%s%s", i ? " " : "", catalogue->entries[i].id);
    command_fail(VERDICT_USAGE, "there is no exercise '%s'; there are: %s", options->words[0],
                 known.length ? text_string(&known) : "none");
    text_release(&known);
    catalogue_close(catalogue);
    return VERDICT_USAGE;
}

int command_own_course(const Options *options, Catalogue *catalogue, const CatalogueEntry **entry)
{
    int status = command_course(options, catalogue, entry);
    if (status || !catalogue->installed) return status;
    catalogue_close(catalogue);
    return command_fail(VERDICT_USAGE,
                        "this works in a folder of your own: `threelane init FOLDER` makes one, "
                        "with all exercises; try again in it");
}

Exercise *command_exercise(const CatalogueEntry *entry)
{
    char error[PATH_MAX + 500];
    Exercise *exercise = exercise_read(entry->folder, error, sizeof error);
    if (!exercise) command_fail(VERDICT_GRADER, "%s", error);
    return exercise;
}

int command_card(const Options *options, Workspace *workspace, Card *card)
{
    char error[PATH_MAX + 500];
    if (!options->gpu) return 0;
    if (!card_open(card, options->card, error, sizeof error))
        return command_fail(VERDICT_USAGE, "%s", error);
    workspace_use(workspace, card);
    return 0;
}

char *command_find_program(const char *name)
{
    if (strchr(name, '/')) return access(name, X_OK) == 0 ? memory_copy(name) : NULL;
    char **folders = list_split(getenv(ENV_PATH), ':', NULL), *found = NULL;
    for (size_t i = 0; folders[i] && !found; i++) {
        char *path = memory_format("%s/%s", folders[i], name);
        if (folders[i][0] && access(path, X_OK) == 0) found = path;
        else free(path);
    }
    list_free(folders);
    return found;
}

const char *command_typed(const Catalogue *catalogue, const char *id, const char *subcommand,
                          char *text, size_t text_size)
{
    char *makefile = memory_format("%s/Makefile", catalogue->root);
    bool make = access(makefile, R_OK) == 0;
    free(makefile);
    if (!make) snprintf(text, text_size, "threelane %s %s", subcommand, id);
    else if (!strcmp(subcommand, "run")) snprintf(text, text_size, "make %s", id);
    else snprintf(text, text_size, "make %s-%s", id, subcommand);
    return text;
}

#ifdef WITHOUT_SQLITE
int command_grade(const Options *options)
{
    (void)options;
    return command_fail(
        VERDICT_USAGE,
        "Threelane was built without SQLite, which keeps the gradebook: `.ci/setup grade` "
        "installs what grading needs, then make");
}
#endif

int command_main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a pager that ends early is no reason to leave work behind */
    const char *name = argc > 1 ? argv[1] : "help";
    int status = VERDICT_USAGE;
    if (argc < 2) {
        help(stderr);
        return VERDICT_USAGE;
    }
    if (!strcmp(name, "--version")) {
        puts("threelane " THREELANE_VERSION " (" THREELANE_DATE ")");
        printf("traces: format %d\n", TRACE_FORMAT);
        return VERDICT_PASS;
    }
    const Subcommand *subcommand = find_subcommand(name);
    bool asks = !strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h");
    if (!subcommand && !asks)
        return command_fail(VERDICT_USAGE, "there is no command '%s'; `threelane help` lists them",
                            name);
    bool own = !asks && is_handed_words(subcommand);
    for (int i = 2; i < argc && !own && !asks && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        help_of(subcommand);
        return VERDICT_PASS;
    }
    Options options = {0};
    if (asks) {
        status = help_about(argc - 2, argv + 2);
    } else if (own) {
        options.words = memory_get((size_t)argc, sizeof *options.words);
        while (options.n_words + 1 < (size_t)argc) {
            options.words[options.n_words] = argv[options.n_words + 1];
            options.n_words++;
        }
        status = subcommand->run(&options);
    } else if (parse(&options, subcommand, (size_t)argc - 2, argv + 2)) {
        options.out = terminal_open(stdout, options.color, options.width, options.ascii);
        status = subcommand->run(&options);
    }
    free(options.words);
    if (fflush(stdout) != 0 && status == 0 && errno != EPIPE)
        status = command_fail(VERDICT_USAGE, "the output cannot be written: %s", strerror(errno));
    if (jobs_interrupted()) {
        signal(jobs_interrupted(), SIG_DFL);
        raise(jobs_interrupted());
    }
    return status;
}
