/* ends.c - see ends.h. */
#include "common/ends.h"

#include <stdio.h>
#include <string.h>

#define ENDS_ROW(NAME, STATUS, WORD, MEANING) {STATUS, WORD, MEANING},
#define ENDS_ROW_OF(NAME, STATUS, WORD, MEANING) [NAME] = {STATUS, WORD, MEANING},

static const EndsRow commands[] = {ENDS_OF_COMMANDS(ENDS_ROW)};
static const EndsRow checks[] = {ENDS_OF_CHECK(ENDS_ROW)};
const EndsRow ends_stop[STOP_KINDS] = {[STOP_NONE] = {0, "", ""}, ENDS_OF_PROGRAMS(ENDS_ROW_OF)};

enum { COMMANDS = sizeof commands / sizeof *commands, CHECKS = sizeof checks / sizeof *checks };

const char *ends_verdict_word(int kind)
{
    return commands[kind >= 0 && kind < COMMANDS ? kind : VERDICT_GRADER].word;
}

StopKind ends_stop_of_status(int status)
{
    for (int kind = STOP_NONE + 1; kind < STOP_CRASH; kind++)
        if (ends_stop[kind].status == status) return (StopKind)kind;
    return status > ends_stop[STOP_CRASH].status ? STOP_CRASH : STOP_NONE;
}

StopKind ends_stop_of_word(const char *word)
{
    for (int kind = STOP_NONE + 1; kind < STOP_KINDS; kind++)
        if (!strcmp(ends_stop[kind].word, word)) return (StopKind)kind;
    return STOP_NONE;
}

const char *ends_help_line(unsigned n)
{
    static const struct {
        const char *title;
        const EndsRow *rows;
        unsigned n;
    } parts[] = {
        {"threelane", commands, COMMANDS},
        {"threelane check", checks, CHECKS},
        {"a program that the virtual GPU ended", ends_stop + 1, STOP_KINDS - 1},
    };
    static char line[160];

    for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++) {
        if (n == 0) return parts[part].title;
        if (n <= parts[part].n) {
            const EndsRow *row = &parts[part].rows[n - 1];
            snprintf(line, sizeof line, "  %3d%c %-14s%s", row->status,
                     row == &ends_stop[STOP_CRASH] ? '+' : ' ', row->word, row->meaning);
            return line;
        }
        n -= parts[part].n + 1;
    }
    return NULL;
}
