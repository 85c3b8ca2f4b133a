/* exit_status.c - see exit_status.h. */
#include "common/exit_status.h"

#include <stdio.h>
#include <string.h>

#define ENDS_ROW(NAME, STATUS, WORD, MEANING) {STATUS, WORD, MEANING},
#define ENDS_ROW_OF(NAME, STATUS, WORD, MEANING) [NAME] = {STATUS, WORD, MEANING},

static const ExitStatusRow commands[] = {EXIT_STATUS_OF_COMMANDS(ENDS_ROW)};
static const ExitStatusRow checks[] = {EXIT_STATUS_OF_CHECK(ENDS_ROW)};
const ExitStatusRow exit_status_stop[STOP_KINDS] = {[STOP_NONE] = {0, "", ""},
                                                    EXIT_STATUS_OF_PROGRAMS(ENDS_ROW_OF)};

enum { COMMANDS = sizeof commands / sizeof *commands, CHECKS = sizeof checks / sizeof *checks };

const char *exit_status_verdict_word(int kind)
{
    return commands[kind >= 0 && kind < COMMANDS ? kind : VERDICT_GRADER].word;
}

StopKind exit_status_stop_of_status(int status)
{
    for (int kind = STOP_NONE + 1; kind < STOP_CRASH; kind++)
        if (exit_status_stop[kind].status == status) return (StopKind)kind;
    return status > exit_status_stop[STOP_CRASH].status ? STOP_CRASH : STOP_NONE;
}

StopKind exit_status_stop_of_word(const char *word)
{
    for (int kind = STOP_NONE + 1; kind < STOP_KINDS; kind++)
        if (!strcmp(exit_status_stop[kind].word, word)) return (StopKind)kind;
    return STOP_NONE;
}

const char *exit_status_help_line(unsigned n)
{
    static const struct {
        const char *title;
        const ExitStatusRow *rows;
        unsigned n;
    } parts[] = {
        {"threelane", commands, COMMANDS},
        {"threelane check", checks, CHECKS},
        {"a program that the virtual GPU ended", exit_status_stop + 1, STOP_KINDS - 1},
    };
    static char line[160];

    for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++) {
        if (n == 0) return parts[part].title;
        if (n <= parts[part].n) {
            const ExitStatusRow *row = &parts[part].rows[n - 1];
            snprintf(line, sizeof line, "  %3d%c %-14s%s", row->status,
                     row == &exit_status_stop[STOP_CRASH] ? '+' : ' ', row->word, row->meaning);
            return line;
        }
        n -= parts[part].n + 1;
    }
    return NULL;
}
