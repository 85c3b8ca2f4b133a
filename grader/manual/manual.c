/* manual.c - manual pages. See manual.h. */
#include "grader/manual/manual.h"
#include <stdlib.h>
#include <string.h>
#include "common/exit_status.h"
#include "common/env.h"
#include "common/roff/roff.h"
#include "common/text.h"

static const struct {
    const char *name, *meaning;
} variables[] = {
    {ENV_EXERCISES, "The folder of the exercises, where it is not found by itself: a command looks "
                    "upwards from the current folder first, and for the installed course last."},
    {ENV_MODEL, "For programs that tlcc built: the device model, by name or as an .ini file."},
    {ENV_TRACE, "For programs that tlcc built, and for the tracer of real GPUs: where the trace is "
                "written."},
    {ENV_SEED, "For programs that tlcc built: which legal schedule; 0 is the canonical one."},
    {ENV_HOME, "The folder of the virtual GPU's headers and library, where tlcc does not find it "
               "beside itself."},
    {ENV_CXX, "The C++ compiler that tlcc calls (g++ 9 or newer, or clang++)."},
    {ENV_CUDA_HOME, "The CUDA Toolkit, for what runs on a real GPU."},
    {ENV_PAGER, "What shows long texts on a terminal (less)."},
    {ENV_NO_COLOR, "Any value: no colours."},
    {ENV_TMPDIR, "Where work is done that leaves nothing."},
};

static void options(FILE *to, const ManualOption *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *names = rows[i].other ? memory_format("%s, %s", rows[i].name, rows[i].other)
                                    : memory_copy(rows[i].name);
        char *about = rows[i].make
                          ? memory_format("%s (with make: `%s=`)", rows[i].about, rows[i].make)
                          : memory_copy(rows[i].about);
        roff_term(to, names, rows[i].value, about);
        free(names);
        free(about);
    }
}

/* Statuses of one of the parts of `threelane help status`, which is told by its title. */
static void statuses(FILE *to, const char *title)
{
    enum { KIND = 13 }; /* columns of the longest word there, with nothing behind it but a blank */
    bool inside = false;
    const char *line;
    roff_section(to, "EXIT STATUS");
    for (unsigned i = 0; (line = exit_status_help_line(i)); i++) {
        int status;
        char word[32], meaning[120];
        if (line[0] != ' ') inside = !strcmp(line, title);
        else if (inside && sscanf(line, "%d", &status) == 1) {
            const char *kind = line + strspn(line, " 0123456789+"), *end = strstr(kind, "  ");
            snprintf(word, sizeof word, "%d", status);
            if (!end || (size_t)(end - kind) > KIND) end = kind + KIND;
            snprintf(meaning, sizeof meaning, "%.*s: %s", (int)(end - kind), kind,
                     end + strspn(end, " "));
            roff_term(to, word, NULL, meaning);
        }
    }
}

static void command_page(FILE *to, const ManualCommand *command)
{
    char *page = memory_format("threelane-%s", command->name);
    char *typed = memory_format("threelane %s", command->name);
    char *words = memory_format("%s%s%s", command->words, command->words[0] ? " " : "",
                                command->n_options ? "[options]" : "");
    const char *more = manual_words(command->name);

    roff_begin(to, page, command->summary);
    roff_section(to, "SYNOPSIS");
    roff_usage(to, typed, words);
    roff_section(to, "DESCRIPTION");
    roff_text(to, more ? more : command->summary);
    if (command->n_options) roff_section(to, "OPTIONS");
    options(to, command->options, command->n_options);
    statuses(to, strcmp(command->name, "check") ? "threelane" : "threelane check");
    roff_see(to, (const char *const[]){"threelane", "tlcc", NULL});
    free(page);
    free(typed);
    free(words);
}

void manual_page(FILE *to, const Manual *manual, const ManualCommand *command)
{
    if (command) {
        command_page(to, command);
        return;
    }
    roff_begin(to, "threelane", "learn CUDA streams by doing, with or without a GPU");
    roff_section(to, "SYNOPSIS");
    roff_usage(to, "threelane", "COMMAND [words] [options]");
    roff_section(to, "DESCRIPTION");
    roff_text(to, manual_words(""));
    const char *group = "";
    roff_section(to, "COMMANDS");
    for (size_t i = 0; i < manual->n_commands; i++) {
        const ManualCommand *one = &manual->commands[i];
        if (strcmp(group, one->group) != 0) fprintf(to, ".SS %s\n", one->group);
        group = one->group;
        roff_term(to, one->name, one->words[0] ? one->words : NULL, one->summary);
    }
    roff_section(to, "ENVIRONMENT");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        roff_term(to, variables[i].name, NULL, variables[i].meaning);
    statuses(to, "threelane");

    const char **pages = memory_get(manual->n_commands + 2, sizeof *pages);
    pages[0] = "tlcc";
    for (size_t i = 0; i < manual->n_commands; i++)
        pages[i + 1] = memory_format("threelane-%s", manual->commands[i].name);
    roff_see(to, pages);
    for (size_t i = 0; i < manual->n_commands; i++) free((char *)(size_t)pages[i + 1]);
    free(pages);
}
