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

static void help(FILE *to)
{
    static const char *const groups[] = {"Students", "Any program", "Real GPU", "Instructors",
                                         "Authors"};
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
          "Keys of view and watch: `threelane help keys`, ? in them.\n",
          to);
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

Exercise *command_exercise(const CatalogueEntry *entry)
{
    char error[PATH_MAX + 500];
    Exercise *exercise = exercise_read(entry->folder, error, sizeof error);
    if (!exercise) command_fail(VERDICT_GRADER, "%s", error);
    return exercise;
}

int command_card(const Options *options, Workshop *workshop, Card *card)
{
    char error[PATH_MAX + 500];
    if (!options->gpu) return 0;
    if (!card_open(card, options->card, error, sizeof error))
        return command_fail(VERDICT_USAGE, "%s", error);
    workshop_use(workshop, card);
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
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
        if (argc > 2 && !strcmp(argv[2], "keys")) {
            const char *line;
            for (size_t i = 0; (line = view_key_line(i, true)); i++) puts(line);
            return 0;
        }
        const char *line;
        const char *about = argc > 2 ? argv[2] : "";
        for (unsigned i = 0; !strcmp(about, "status") && (line = ends_help_line(i)); i++)
            puts(line);
        for (unsigned i = 0; !strcmp(about, "checks") && (line = check_kind_line(i)); i++)
            puts(line);
        if (!strcmp(about, "status") || !strcmp(about, "checks")) return VERDICT_PASS;
        help(argc > 1 ? stdout : stderr);
        return argc > 1 ? 0 : VERDICT_USAGE;
    }
    if (!strcmp(name, "--version")) {
        puts("threelane " THREELANE_VERSION);
        return 0;
    }
    const Subcommand *subcommand = NULL;
    for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
        if (!strcmp(subcommands[i].name, name)) subcommand = &subcommands[i];
    }
    if (!subcommand)
        return command_fail(VERDICT_USAGE, "there is no command '%s'; `threelane help` lists them",
                            name);
    bool own = subcommand->group == GPU || subcommand->group == ANY; /* passed on as they are */
    for (int i = 2; i < argc && !own && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        printf("usage: threelane %s%s%s\n%s\n\n", name, subcommand->words[0] ? " " : "",
               subcommand->words, subcommand->summary);
        options_help_of(stdout, name);
        return 0;
    }
    Options options = {0};
    int status = VERDICT_USAGE;
    if (own) {
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
