/* command_options.c - see command_options.h. A new option is a field of Options and a row here. */
#include "grader/commands/command_options.h"
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "common/limits.h"
#include "common/text.h"
#include "timeline/exports/export.h"

typedef enum OptionKind {
    FLAG,
    TEXT,
    COUNT,
    SIZE,
    INT,
    UNSIGNED,
    SECONDS,
    COLOR,
    HANDED_OVER
} OptionKind;

typedef struct OptionRow {
    const char *commands; /* that take it; "all": every one that is not handed its words as they are
                           */
    const char *name, *other; /* other: a second name, or NULL */
    const char *value;        /* as help names it; NULL: a flag */
    OptionKind kind;          /* of the field */
    size_t field;
    const char *about;                            /* a line of help */
    const char *(*more)(char *text, size_t size); /* the rest of that line, from another table;
                                                     NULL: none */
    const char *make;                             /* the variable of make that it is; NULL: none */
    unsigned long long least, most;
    const char *wanted; /* numbers: what a right value is */
    size_t implies;     /* a flag that is set with it; 0: none */
} OptionRow;

#define AT(FIELD) offsetof(Options, FIELD)
#define FROM_1 "a whole number from 1"

static const OptionRow rows[] = {
    {"run", "--src", NULL, "FILE", TEXT, AT(src), .about = "judge this file as the exercise",
     .make = "SRC"},
    {"run", "--seed", NULL, "N", COUNT, AT(seed), .about = "on another legal schedule, the Nth",
     .make = "SEED", .least = 1, .most = ULLONG_MAX, .wanted = FROM_1},
    {"run", "--input", NULL, "N", COUNT, AT(input), .about = "with other random input",
     .make = "INPUT", .least = 1, .most = ULLONG_MAX, .wanted = FROM_1},
    {"run", "--explore", NULL, "N", COUNT, AT(explore),
     .about = "look for one of N other legal schedules that breaks it", .make = "EXPLORE",
     .least = 1, .most = LIMIT_SCHEDULES, .wanted = FROM_1 " to a million"},
    {"run", "--predict", NULL, "FILE", TEXT, AT(predict),
     .about = "what you expect stands there (predict.txt beside the source)", .make = "PREDICT"},
    {"run", "--trusted", NULL, NULL, FLAG, AT(trusted),
     .about = "believe nothing that the program says of itself: judge its calls, made again"},
    {"run", "--json", NULL, NULL, FLAG, AT(json),
     .about = "the verdict as JSON (grader/VERDICT.md)", .make = "JSON"},
    {"run grade", "--unsafe", NULL, NULL, FLAG, AT(unsafe),
     .about = "without a sandbox, where there is none"},

    {"run watch grade check", "--model", NULL, "M", TEXT, AT(model),
     .about = "on another device model", .make = "MODEL"},
    {"run watch grade check", "--timeout", NULL, "S", SECONDS, AT(seconds),
     .about = "seconds that a run may compute (10; on a GPU 60)", .make = "TIMEOUT"},
    {"run watch lint", "--gpu", NULL, NULL, FLAG, AT(gpu),
     .about = "on this machine's GPU, with nvcc", .make = "GPU"},
    {"run watch lint grade", "--card", NULL, "N", UNSIGNED, AT(card),
     .about = "on that one of several GPUs (from 0)", .make = "CARD", .most = 1023,
     .wanted = "a card's number, from 0", .implies = AT(gpu)},

    {"check", "--explore", NULL, "N", COUNT, AT(explore),
     .about = "on N other legal schedules, too", .least = 1, .most = LIMIT_SCHEDULES,
     .wanted = FROM_1 " to a million"},
    {"check", "--seed", NULL, "N", COUNT, AT(seed), .about = "on that other legal schedule",
     .least = 1, .most = ULLONG_MAX, .wanted = FROM_1},
    {"check", "--strict", NULL, NULL, FLAG, AT(strict), .about = "notes count as errors"},
    {"check", "--json", NULL, NULL, FLAG, AT(json),
     .about = "the report as JSON (sim/hazard/HAZARDS.md)"},

    {"show", "--as", NULL, "FORM", TEXT, AT(as), .about = "lanes (default), cells, line, waits, ",
     .more = export_forms},
    {"show view whatif", "--range", NULL, "NAME", TEXT, AT(range),
     .about = "only what was issued inside this NVTX range"},
    {"show view", "--by", NULL, "ROWS", TEXT, AT(by),
     .about = "rows are engines (engine, default) or streams (stream)"},
    {"show progress whatif", "-o", "--output", "FILE", TEXT, AT(output), .about = "write there"},
    {"site", "-o", "--output", "FOLDER", TEXT, AT(output), .about = "where the pages go (site)"},
    {"site", "--figures", NULL, "FOLDER", TEXT, AT(figures),
     .about = "traces of the lessons' figures (TRACES=FOLDER lessons/figures/draw)"},
    {"site", "--solutions", NULL, NULL, FLAG, AT(solutions), .about = "with the solutions"},
    {"view", "--text", NULL, NULL, FLAG, AT(text), .about = "as lines of text"},
    {"view", "--compare", NULL, "FILE", TEXT, AT(compare), .about = "another trace below this one"},

    {"grade", "-o", "--output", "FOLDER", TEXT, AT(output),
     .about = "where the report goes (report)"},
    {"grade", "-j", NULL, "N", SIZE, AT(parallel), .about = "submissions at a time", .least = 1,
     .most = 64, .wanted = "how many submissions at a time (1 to 64)"},
    {"grade", "--seed", NULL, "N", COUNT, AT(seed),
     .about = "of the random input and of hidden parameters", .least = 1, .most = ULLONG_MAX,
     .wanted = FROM_1},
    {"grade", "--renew", NULL, NULL, FLAG, AT(renew),
     .about = "with a new seed: everybody is judged again, on one new draw"},
    {"grade", "--same-draw", NULL, NULL, FLAG, AT(same_draw),
     .about = "a later attempt has the hidden parameters of the first"},
    {"grade", "--exercise", NULL, "EX", TEXT, AT(exercise),
     .about = "one file, judged as that exercise"},
    {"grade", "--json", NULL, NULL, FLAG, AT(json),
     .about = "then: its verdict as JSON (grader/VERDICT.md)"},
    {"grade", "--gradescope", NULL, NULL, FLAG, AT(gradescope),
     .about = "then: as Gradescope's results.json"},
    {"grade", "--attempt", NULL, "N", COUNT, AT(attempt),
     .about = "then: the student's Nth, which has hidden parameters of its own", .least = 1,
     .most = 1000000, .wanted = FROM_1 " to a million"},
    {"grade", "--teacher", NULL, NULL, FLAG, AT(teacher),
     .about = "then: also what happened in hidden runs; not for students"},
    {"grade", "--gpu", NULL, NULL, FLAG, AT(gpu),
     .about = "then on a real GPU, too, beside the grades"},

    {"grade", "--amend", NULL, "FILE", TEXT, AT(amend),
     .about = "points and comments by hand, a table (docs/year.md)"},
    {"grade", "--due", NULL, "FILE", TEXT, AT(due),
     .about = "due dates and extensions, a table (docs/year.md)"},
    {"grade", "--roster", NULL, "[EX=]FILE,...", TEXT, AT(roster),
     .about = "tables of Moodle, Canvas or Gradescope: read, and filled in"},
    {"grade", "--again", NULL, "NAME,...", TEXT, AT(again),
     .about = "judge what these students handed in once more"},
    {"grade", "--feedback", NULL, NULL, FLAG, AT(feedback),
     .about = "also a zip file of pages to give back to students"},
    {"grade", "--earlier", NULL, "FOLDER,...", TEXT, AT(earlier),
     .about = "what earlier classes handed in: looked at for likenesses"},
    {"grade", "--anonymous", NULL, NULL, FLAG, AT(anonymous),
     .about = "also a report without names (REPORT/anonymous)"},

    {"grade", "--follow", NULL, NULL, FLAG, AT(follow),
     .about = "watch the folder: what is dropped in is graded at once; --json: a line a verdict"},
    {"grade", "--slurm", NULL, NULL, FLAG, AT(slurm),
     .about = "by jobs of a Slurm cluster (docs/slurm.md)", .make = "SLURM"},
    {"grade", "--shared", NULL, "FOLDER", TEXT, AT(shared),
     .about = "then: a folder that all nodes see (the report's)"},
    {"grade", "--partition", NULL, "P", TEXT, AT(partition), .about = "then: of Slurm"},
    {"grade", "--gpu-partition", NULL, "P", TEXT, AT(gpu_partition),
     .about = "then: for --gpu, where it is another one"},
    {"grade", "--account", NULL, "A", TEXT, AT(account), .about = "then: whom Slurm charges"},
    {"grade", "--time", NULL, "T", TEXT, AT(time),
     .about = "then: the time limit of a job, as sbatch takes it"},
    {"grade", "--sbatch", NULL, "WORDS", TEXT, AT(sbatch),
     .about = "then: further options for sbatch, in one word (\"--qos=short --mem=8G\")"},
    {"grade", "--cpus", NULL, "N", SIZE, AT(cpus), .about = "then: processors of a job (2)",
     .least = 1, .most = 1024, .wanted = "a number of processors"},
    {"grade", "--chunk", NULL, "N", SIZE, AT(chunk),
     .about = "then: submissions that a job is given (48)", .least = 1, .most = 100000,
     .wanted = FROM_1 " to 100000"},
    {"grade", "--tries", NULL, "N", SIZE, AT(tries),
     .about = "then: jobs that may die with a submission before it is given up (3)", .least = 1,
     .most = 100, .wanted = FROM_1 " to 100"},
    {"grade", "--job", NULL, "STEM", TEXT, AT(job),
     .about = "what such a job runs: not for people"},

    {"lint", "--explore", NULL, "N", COUNT, AT(explore),
     .about = "schedules on which each solution has to hold", .make = "EXPLORE", .least = 1,
     .most = LIMIT_SCHEDULES, .wanted = FROM_1 " to a million"},
    {"lint", "--few", NULL, NULL, FLAG, AT(few),
     .about = "of wrong variants that one check catches the first, every third right one"},
    {"init", "--solutions", NULL, NULL, FLAG, AT(solutions),
     .about = "with solutions, wrong variants and hidden parameters, where they are installed"},
    {"solution", "--force", NULL, NULL, FLAG, AT(force), .about = "before the exercise is passed",
     .make = "FORCE"},
    {"reset", "--yes", NULL, NULL, FLAG, AT(yes), .about = "without asking"},
    {"golden", "--write", NULL, NULL, FLAG, AT(write), .about = "replace the file",
     .make = "WRITE"},

    /* those that the gpu room's own command reads */
    {"trace", "-o", "--output", "FILE", HANDED_OVER,
     .about = "where the trace goes (PROGRAM.lane)"},
    {"trace", "-q", NULL, NULL, HANDED_OVER, .about = "say nothing of what was recorded"},
    {"compare", "--against", NULL, "FILE", HANDED_OVER,
     .about = "a recording in place of a run on the card"},
    {"compare", "--range", NULL, "NAME", HANDED_OVER,
     .about = "only what was issued inside this NVTX range"},
    {"compare", "--whole", NULL, NULL, HANDED_OVER,
     .about = "the whole program, from its first operation on, with first launches"},
    {"compare", "--model", NULL, "M", HANDED_OVER, .about = "the device model to predict with"},
    {"compare", "--kernels-from", NULL, "TRACE", HANDED_OVER,
     .about = "kernels last as long as they did in this trace"},
    {"compare", "--flags", NULL, "WORDS", HANDED_OVER, .about = "more options for both compilers"},
    {"compare", "-o", NULL, "NAME", HANDED_OVER, .about = "keep both traces under this name"},
    {"compare", "--all", NULL, NULL, HANDED_OVER, .about = "every operation, however many"},
    {"compare", "--json", NULL, NULL, HANDED_OVER, .about = "for programs"},
    {"calibrate", "-o", "--output", "FILE", HANDED_OVER,
     .about = "where the model goes (calibrated.ini)"},
    {"calibrate", "--keep", NULL, "FOLDER", HANDED_OVER,
     .about = "keep there what was measured, too"},
    {"calibrate", "--from", NULL, "FOLDER", HANDED_OVER,
     .about = "from what was kept there, without a card (may be given again)"},

    {"all", "--width", NULL, "N", INT, AT(width), .about = "columns", .least = 1, .most = 100000,
     .wanted = "a number of columns"},
    {"all", "--color", NULL, "WHEN", COLOR, AT(color), .about = "auto, always or never",
     .wanted = "auto, always or never"},
    {"all", "--ascii", NULL, NULL, FLAG, AT(ascii), .about = "no character that is not ASCII"},
    {"all", "--exercises", NULL, "DIR", TEXT, AT(exercises), .about = "the folder of the course"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool takes(const char *commands, const char *command)
{
    size_t length = strlen(command);
    for (const char *at = commands; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (strcspn(at, " ") == length && !strncmp(at, command, length)) return true;
    }
    return !strcmp(commands, "all");
}

static const OptionRow *find(const char *command, const char *name, size_t length)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *names[] = {rows[i].name, rows[i].other};
        for (size_t k = 0; k < 2 && takes(rows[i].commands, command); k++)
            if (names[k] && strlen(names[k]) == length && !strncmp(names[k], name, length))
                return &rows[i];
    }
    return NULL;
}

/* A whole number within the row's bounds. */
static bool number_of(const OptionRow *row, const char *text, unsigned long long *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *number >= row->least &&
           *number <= row->most;
}

/* False when it cannot have this value. */
static bool set(Options *options, const OptionRow *row, const char *value)
{
    static const char *const choices[] = {"auto", "always", "never"};
    void *field = (char *)options + row->field;
    unsigned long long number = 0;
    char *end;

    bool is_number =
        row->kind == COUNT || row->kind == SIZE || row->kind == INT || row->kind == UNSIGNED;
    if (is_number && !number_of(row, value, &number)) return false;
    switch (row->kind) {
    case FLAG: *(bool *)field = true; return true;
    case TEXT: *(const char **)field = value; return *value != 0;
    case COUNT: *(unsigned long long *)field = number; return true;
    case SIZE: *(size_t *)field = (size_t)number; return true;
    case INT: *(int *)field = (int)number; return true;
    case UNSIGNED: *(unsigned *)field = (unsigned)number; return true;
    case HANDED_OVER: return false; /* is never asked */
    case SECONDS: {
        double seconds = strtod(value, &end);
        *(double *)field = seconds;
        return end != value && !*end && seconds >= 0.01 && seconds <= 86400;
    }
    case COLOR:
        for (int i = 0; i < 3; i++) {
            if (strcmp(value, choices[i]) != 0) continue;
            *(ColorChoice *)field = (ColorChoice)i;
            return true;
        }
    }
    return false;
}

OptionTaken option_take(Options *options, const char *command, char **words, size_t n_words,
                        size_t *at, char *error, size_t error_size)
{
    char *word = words[*at];
    const char *equals = !strncmp(word, "--", 2) ? strchr(word, '=') : NULL;
    const OptionRow *row = find(command, word, equals ? (size_t)(equals - word) : strlen(word));
    const char *value = equals ? equals + 1 : NULL;

    if (!row) return OPTION_NONE;
    if (!row->value && value) {
        snprintf(error, error_size, "%s takes no value", row->name);
        return OPTION_WRONG;
    }
    if (row->value && !value && *at + 1 < n_words) value = words[++*at];
    if (row->value && (!value || (row->kind == TEXT && !*value))) {
        snprintf(error, error_size, "%s needs a value", row->name);
        return OPTION_WRONG;
    }
    if (!set(options, row, value)) {
        snprintf(error, error_size, "%s is %s, not '%s'", row->name,
                 row->kind == SECONDS ? "a number of seconds (0.01 to 86400)" : row->wanted, value);
        return OPTION_WRONG;
    }
    if (row->implies) *(bool *)((char *)options + row->implies) = true;
    return OPTION_TAKEN;
}

/* ---- help ---- */

static void help_line(FILE *to, const OptionRow *row, bool first)
{
    char name[40], forms[300] = "";
    snprintf(name, sizeof name, "%s%s%s", row->name, row->value ? " " : "",
             row->value ? row->value : "");
    fprintf(to, "  %-10s%-18s%s%s", first ? row->commands : "", name, row->about,
            row->more ? row->more(forms, sizeof forms) : "");
    fprintf(to, row->make ? "  [make: %s=]\n" : "\n", row->make);
}

void options_help(FILE *to)
{
    for (size_t i = 0; i < ROWS; i++) {
        bool first = i == 0 || strcmp(rows[i].commands, rows[i - 1].commands) != 0;
        if (first && strlen(rows[i].commands) > 9) fprintf(to, "  %s\n", rows[i].commands);
        help_line(to, &rows[i], first && strlen(rows[i].commands) <= 9);
    }
    fputs("  All others of check are tlcc's.\n", to);
}

void options_help_of(FILE *to, const char *command, bool common)
{
    for (size_t i = 0; i < ROWS; i++)
        if (takes(rows[i].commands, command) && (common || strcmp(rows[i].commands, "all")))
            help_line(to, &rows[i], false);
}

size_t options_shown(const char *command, bool common, ManualOption *shown, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < ROWS && n < most; i++) {
        const OptionRow *row = &rows[i];
        char more[300] = "";
        if (!takes(row->commands, command)) continue;
        if (!common && !strcmp(row->commands, "all")) continue;
        shown[n++] = (ManualOption){
            .name = row->name,
            .other = row->other,
            .value = row->value,
            .about =
                memory_format("%s%s", row->about, row->more ? row->more(more, sizeof more) : ""),
            .make = row->make,
        };
    }
    return n;
}
