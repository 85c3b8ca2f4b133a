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
#include "common/text.h"
#include "common/version.h"
#include "timeline/viewer/view.h"

enum { STUDENT, ANY, GPU, INSTRUCTOR, AUTHOR };    /* ANY, GPU: commands that get every word as it is */

typedef struct Subcommand {
    const char *name, *words, *options, *summary;   /* options: those that it takes, besides the general ones */
    size_t least, most;
    int group;
    int (*run)(const Options *);
} Subcommand;

static const Subcommand subcommands[] = {
    {"run", "EX", "--src --model --input --seed --explore --timeout --trusted --unsafe --gpu --card",
     "compile, run on the virtual GPU and judge", 1, 1, STUDENT, command_run},
    {"watch", "[EX]", "--model --timeout --gpu --card", "the course in one screen: save, and see at once what happened", 0, 1, STUDENT,
     command_watch},
    {"list", "", "", "every exercise, and what you have reached", 0, 0, STUDENT, command_list},
    {"next", "", "", "the first exercise that you have not passed", 0, 0, STUDENT, command_next},
    {"hint", "EX", "", "the next hint for the check that failed", 1, 1, STUDENT, command_hint},
    {"lesson", "EX", "", "what the exercise is about", 1, 1, STUDENT, command_lesson},
    {"solution", "EX", "--force", "a solution, once you have passed", 1, 1, STUDENT, command_solution},
    {"reset", "EX", "--yes", "the untouched starter back (yours is kept as a backup)", 1, 1, STUDENT, command_reset},
    {"show", "TRACE", "--as --range --by -o --output", "draw a trace as text, HTML, SVG, for Perfetto, for Nsight", 1, 1,
     STUDENT, command_show},
    {"view", "TRACE", "--text --by --range --compare", "the live timeline of a trace, or of an exercise's last run", 1, 1,
     STUDENT, command_view},
    {"check", "FILE.cu", "", "build and run any CUDA program, look for races: check FILE.cu [tlcc options] [-- ARGS]", 0,
     0, ANY, command_check},
    {"trace", "PROGRAM", "", "run any CUDA program and record it: trace [-o FILE] [--] PROGRAM [ARGS]", 0, 0, GPU,
     command_trace},
    {"compare", "PROG.cu", "", "predicted beside measured: a program on the virtual GPU and on the card", 0, 0, GPU,
     command_compare},
    {"calibrate", "", "", "measure this machine's card and write its device model: calibrate [-o my.ini]", 0, 0, GPU,
     command_calibrate},
    {"doctor", "", "", "what this machine has for a real GPU, and what is missing", 0, 0, GPU, command_doctor},
    {"grade", "FOLDER", "-o --output -j --seed --timeout --model --exercise --json --gradescope --unsafe"
     " --gpu --card",
     "grade a class: grade FOLDER [EX...]; or one file: grade --exercise EX FILE", 1, 1000, INSTRUCTOR, command_grade},
    {"golden", "EX", "--write", "the golden text from the solution, and what changes", 1, 1, AUTHOR, command_golden},
    {"pack", "FOLDER", "", "copy the exercises for students: without solutions, wrong variants, hidden parameters", 1, 1,
     AUTHOR, command_pack},
    {"lint", "[EX...]", "--explore --gpu --card", "check exercises: starter, solution, wrong variants, hints", 0, 1000,
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
    static const char *const groups[] = {"Students", "Any program", "Real GPU", "Instructors", "Authors"};
    fputs("usage: threelane COMMAND [options]\n", to);
    for (int group = STUDENT; group <= AUTHOR; group++) {
        fprintf(to, "\n%s\n", groups[group]);
        for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
            const Subcommand *s = &subcommands[i];
            if (s->group == group) fprintf(to, "  %-9s%-9s%s\n", s->name, s->words, s->summary);
        }
    }
    fputs("\nOptions\n"
          "  run: --src FILE   judge this file as the exercise      --model M    another device model\n"
          "       --input N    other random input                   --timeout S  seconds a run may take (10; --gpu: 60)\n"
          "       --seed N     another legal schedule, the Nth      --explore N  look for one of N that breaks it\n"
          "       --gpu        on this machine's GPU, with nvcc      --card N     on that one of several (from 0)\n"
          "       --trusted    believe nothing that the program says of itself: judge its calls, made again\n"
          "  watch: --model M, --gpu, --timeout S as above; ? in it lists the keys\n"
          "  check: --explore N  on N other legal schedules, too   --seed N     on that one\n"
          "         --strict     notes count as errors             --json       the report as JSON\n"
          "         --model M    --timeout S                       all others are options of tlcc\n"
          "  show: --as FORM   lanes (default), cells, line, waits, svg, html, perfetto, nsys-sqlite\n"
          "        --range N   only what was issued inside this NVTX range\n"
          "        --by X      lanes by engine (default) or stream   -o FILE      write there\n"
          "  view: --text      as lines of text                    --compare F  another trace below this one\n"
          "        --by X      rows per engine (default) or stream (? shows the keys, and `threelane help keys`)\n"
          "  grade: -o FOLDER  where the report goes (report)      -j N         submissions at a time\n"
          "         --exercise EX FILE [--json|--gradescope]  one file     --unsafe  without a sandbox\n"
          "         --gpu        then on a real GPU, too, beside the grades (--card N: on that one)\n"
          "  all: --width N    columns     --color auto|always|never     --ascii     --exercises DIR\n"
          "\nExit status: 0 passed, 1 failed, 2 usage, 3 does not compile, 4 crashed, 5 timed out, 6 over a limit,\n"
          "7 the exercise or the grader is broken, 8 refused. check: 0 clean, 1 errors found, 2 could not build or run.\n",
          to);
}

static bool takes(const Subcommand *subcommand, const char *option)
{
    static const char general[] = " --width --color --ascii --exercises ";
    char *wanted = memory_format(" %s ", option), *own = memory_format(" %s ", subcommand->options);
    bool found = strstr(general, wanted) || strstr(own, wanted);
    free(wanted);
    free(own);
    return found;
}

static bool whole_number(const char *text, unsigned long long most, unsigned long long *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *number <= most;
}

/* Sets one option; false after saying what is wrong with its value. */
static bool set_option(Options *o, const char *name, const char *value)
{
    unsigned long long number;
    struct { const char *name; const char **to; } strings[] = {
        {"--src", &o->src}, {"--model", &o->model}, {"--as", &o->as}, {"--range", &o->range}, {"--by", &o->by},
        {"-o", &o->output}, {"--output", &o->output}, {"--exercises", &o->exercises},
        {"--exercise", &o->exercise}, {"--compare", &o->compare},
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (strcmp(strings[i].name, name) != 0) continue;
        *strings[i].to = value;
        return *value || (command_fail(2, "%s needs a value", name), false);
    }
    struct { const char *name; unsigned long long *to, most; } counts[] = {
        {"--input", &o->input, ULLONG_MAX}, {"--seed", &o->seed, ULLONG_MAX}, {"--explore", &o->explore, 1000000}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (strcmp(counts[i].name, name) != 0) continue;
        if (whole_number(value, counts[i].most, counts[i].to) && *counts[i].to) return true;
        return command_fail(2, "%s is a whole number from 1%s, not '%s'", name,
                            counts[i].most == ULLONG_MAX ? "" : " to a million", value), false;
    }
    if (!strcmp(name, "-j")) {
        if (!whole_number(value, 64, &number) || !number)
            return command_fail(2, "-j is how many submissions at a time (1 to 64), not '%s'", value), false;
        o->parallel = (size_t)number;
        return true;
    }
    if (!strcmp(name, "--width")) {
        if (!whole_number(value, 100000, &number) || !number)
            return command_fail(2, "--width is a number of columns, not '%s'", value), false;
        o->width = (int)number;
        return true;
    }
    if (!strcmp(name, "--card")) {
        if (!whole_number(value, 1023, &number))
            return command_fail(2, "--card is a card's number, from 0, not '%s'", value), false;
        o->card = (unsigned)number;
        o->gpu = true;
        return true;
    }
    if (!strcmp(name, "--timeout")) {
        char *end;
        o->seconds = strtod(value, &end);
        if (end != value && !*end && o->seconds >= 0.01 && o->seconds <= 86400) return true;
        return command_fail(2, "--timeout is a number of seconds (0.01 to 86400), not '%s'", value), false;
    }
    static const char *const choices[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, choices[i]) != 0) continue;
        o->color = (ColorChoice)i;
        return true;
    }
    return command_fail(2, "--color is auto, always or never, not '%s'", value), false;
}

static bool parse(Options *o, const Subcommand *subcommand, int argc, char **argv)
{
    static const char *const flags[] = {"--ascii", "--force", "--yes", "--write", "--json", "--gradescope", "--unsafe",
                                        "--trusted", "--gpu", "--text"};
    bool *const flag_to[] = {&o->ascii, &o->force, &o->yes, &o->write, &o->json, &o->gradescope, &o->unsafe,
                             &o->trusted, &o->gpu, &o->text};
    enum { FLAGS = sizeof flags / sizeof *flags };
    bool only_words = false;
    o->words = memory_get((size_t)argc + 1, sizeof *o->words);
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (only_words || word[0] != '-' || !word[1]) {
            o->words[o->n_words++] = word;
            continue;
        }
        if (!strcmp(word, "--")) {
            only_words = true;
            continue;
        }
        char *equals = !strncmp(word, "--", 2) ? strchr(word, '=') : NULL;
        char *name = equals ? memory_format("%.*s", (int)(equals - word), word) : memory_copy(word);
        bool known = takes(subcommand, name), fine = known;
        size_t flag = 0;
        while (flag < FLAGS && strcmp(flags[flag], name)) flag++;
        if (!known) {
            command_fail(2, "%s does not take %s; `threelane help` lists the options", subcommand->name, name);
        } else if (flag < FLAGS) {
            *flag_to[flag] = true;
            fine = !equals;
            if (equals) command_fail(2, "%s takes no value", name);
        } else if (equals) {
            fine = set_option(o, name, equals + 1);
        } else if (i + 1 < argc) {
            fine = set_option(o, name, argv[++i]);
        } else {
            fine = false;
            command_fail(2, "%s needs a value", name);
        }
        free(name);
        if (!fine) return false;
    }
    if (o->gpu && o->model)
        return command_fail(2, "--model is for the virtual GPU; a real one (--gpu, GPU=1) is as it is"), false;
    if (o->n_words >= subcommand->least && o->n_words <= subcommand->most) return true;
    command_fail(2, "usage: threelane %s%s%s", subcommand->name, subcommand->words[0] ? " " : "", subcommand->words);
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
    if (!card_open(card, options->card, error, sizeof error)) return command_fail(VERDICT_USAGE, "%s", error);
    workshop_use(workshop, card);
    return 0;
}

const char *command_typed(const Catalogue *catalogue, const char *id, const char *subcommand, char *text,
                          size_t text_size)
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
    return command_fail(VERDICT_USAGE, "Threelane was built without SQLite, which keeps the gradebook: `.ci/setup grade` "
                        "installs what grading needs, then make");
}
#endif

int command_main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN);               /* a pager that ends early is no reason to leave work behind */
    const char *name = argc > 1 ? argv[1] : "help";
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
        if (argc > 2 && !strcmp(argv[2], "keys")) {
            const char *line;
            for (size_t i = 0; (line = view_key_line(i)); i++) puts(line);
            return 0;
        }
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
    if (!subcommand) return command_fail(VERDICT_USAGE, "there is no command '%s'; `threelane help` lists them", name);
    Options options = {0};
    int status = VERDICT_USAGE;
    if (subcommand->group == GPU || subcommand->group == ANY) {
        options.words = memory_get((size_t)argc, sizeof *options.words);
        while (options.n_words + 1 < (size_t)argc) {
            options.words[options.n_words] = argv[options.n_words + 1];
            options.n_words++;
        }
        status = subcommand->run(&options);
    } else if (parse(&options, subcommand, argc - 2, argv + 2)) {
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
