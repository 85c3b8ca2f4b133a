/* completion.c - what Tab completes in bash, zsh and fish. See manual.h.
 *
 * The scripts hold the commands and options as they are now; which exercises there are they ask
 * `threelane help exercises` at each Tab, since that depends on the folder. */
#include <stdlib.h>
#include <string.h>
#include "common/text.h"
#include "grader/manual/manual.h"

const char *const manual_shells[] = {"bash", "zsh", "fish", NULL};

typedef enum Kind {
    NOTHING,
    FILES,
    FOLDERS,
    COURSE,
    MODELS,
    CHOICES,
    TRACES,
    SOURCES,
    PROGRAMS
} Kind;

/* What a value or a word is, by what help calls it. */
static Kind kind_of(const char *word)
{
    static const struct {
        const char *begins;
        Kind kind;
    } kinds[] = {
        {"FILE.cu", SOURCES}, {"PROG.cu", SOURCES}, {"FILE", FILES},   {"TRACE", TRACES},
        {"FOLDER", FOLDERS},  {"DIR", FOLDERS},     {"FORM", CHOICES}, {"M", MODELS},
        {"ROWS", CHOICES},    {"WHEN", CHOICES},    {"EX", COURSE},    {"PROGRAM", PROGRAMS},
    };
    word += *word == '[';
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].begins);
        char after = word[strncmp(word, kinds[i].begins, length) ? 0 : length];
        if (!strncmp(word, kinds[i].begins, length) && (!after || strchr(".] ", after)))
            return kinds[i].kind;
    }
    return NOTHING;
}

/* The names in "lanes (default), cells, svg or html"; in "rows are engines (engine, default) or
 * streams (stream)" those between brackets. */
static char *choices(const char *about)
{
    Text names = {0};
    bool bracketed = strstr(about, " are ") != NULL, inside = false;
    for (const char *at = about; *at;) {
        size_t length = strcspn(at, ", ()");
        bool wanted = length && bracketed == inside && strncmp(at, "or ", 3) != 0 &&
                      strncmp(at, "default)", 8) != 0;
        if (wanted) text_printf(&names, "%s%.*s", names.length ? " " : "", (int)length, at);
        at += length;
        if (*at == '(') inside = true;
        if (*at == ')') inside = false;
        at += *at != 0;
    }
    return text_take(&names);
}

static char *joined(const char *const *names)
{
    Text words = {0};
    for (; *names; names++) text_printf(&words, "%s%s", words.length ? " " : "", *names);
    return text_take(&words);
}

/* Writes text with a backslash before each of these characters, and what ends a string in single
 * quotes as the shell wants it. */
static void put(FILE *to, const char *text, const char *escaped, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(quote, to);
            continue;
        }
        if (strchr(escaped, *text)) fputc('\\', to);
        fputc(*text, to);
    }
}

/* ---- bash ---- */

static void bash_kind(FILE *to, const Manual *manual, Kind kind, const char *about)
{
    char *names = kind == CHOICES ? choices(about) : kind == MODELS ? joined(manual->models) : NULL;
    switch (kind) {
    case NOTHING: fputs("return", to); break;
    case FILES: fputs("_threelane_files ''", to); break;
    case FOLDERS: fputs("_threelane_folders", to); break;
    case COURSE: fputs("_threelane_exercises \"$1\"", to); break;
    case MODELS: fprintf(to, "_threelane_words '%s'; _threelane_files '!*.ini'", names); break;
    case CHOICES: fprintf(to, "_threelane_words '%s'", names); break;
    case TRACES:
        fputs("_threelane_exercises \"$1\"; _threelane_files '!*.@(lane|sqlite)'", to);
        break;
    case SOURCES: fputs("_threelane_files '!*.cu'", to); break;
    case PROGRAMS: fputs("_threelane_programs", to); break;
    }
    free(names);
}

static const char bash_begin[] =
    "_threelane_words() { mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$1\" -- "
    "\"$cur\"); }\n"
    "_threelane_exercises() { _threelane_words \"$(\"$1\" help exercises 2>/dev/null | cut -f1)\"; "
    "}\n"
    "_threelane_folders() {\n"
    "    compopt -o filenames\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -d -- \"$cur\")\n"
    "}\n"
    "_threelane_files() {    # _threelane_files PATTERN: files but those; and folders\n"
    "    local extended\n"
    "    extended=$(shopt -p extglob)\n"
    "    shopt -s extglob\n"
    "    compopt -o filenames\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <({\n"
    "        compgen -f ${1:+-X \"$1\"} -- \"$cur\"\n"
    "        compgen -d -- \"$cur\"\n"
    "    } | sort -u)\n"
    "    $extended\n"
    "}\n"
    "_threelane_programs() {\n"
    "    compopt -o filenames\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -c -- \"$cur\"; compgen -f -- "
    "\"$cur\")\n"
    "}\n"
    "_threelane() {\n"
    "    local cur=$2 prev=$3 command=${COMP_WORDS[1]} options=\n"
    "    COMPREPLY=()\n"
    "    # --model=h2 comes as three words\n"
    "    if [[ $cur == = ]]; then cur=; fi\n"
    "    if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
    "    if ((COMP_CWORD == 1)); then\n";

/* `threelane help man`, and `help completion`, take a second word. */
static void topics_of_help(FILE *to, const Manual *manual)
{
    char *shells = joined(manual_shells);
    fprintf(
        to,
        "    help:completion) _threelane_words '%s'; return ;;\n    help:man) _threelane_words '",
        shells);
    for (size_t i = 0; i < manual->n_commands; i++)
        fprintf(to, "%s%s", i ? " " : "", manual->commands[i].name);
    fputs("'; return ;;\n", to);
    free(shells);
}

static void bash(FILE *to, const Manual *manual)
{
    char *topics = joined(manual->topics);
    fputs(bash_begin, to);
    fputs("        _threelane_words 'help --help --version", to);
    for (size_t i = 0; i < manual->n_commands; i++) fprintf(to, " %s", manual->commands[i].name);
    fprintf(to,
            "'\n        return\n    fi\n    case $command:$prev in\n"
            "    help:help) _threelane_words '%s'; return ;;\n",
            topics);
    topics_of_help(to, manual);
    for (size_t i = 0; i < manual->n_commands; i++) {
        const ManualCommand *command = &manual->commands[i];
        for (size_t k = 0; k < command->n_options; k++) {
            const ManualOption *option = &command->options[k];
            if (!option->value) continue;
            fprintf(to, "    %s:%s", command->name, option->name);
            if (option->other) fprintf(to, " | %s:%s", command->name, option->other);
            fputs(") ", to);
            Kind kind = kind_of(option->value);
            bash_kind(to, manual, kind, option->about);
            fputs(kind == NOTHING ? " ;;\n" : "; return ;;\n", to);
        }
    }
    fputs("    esac\n    case $command in\n", to);
    for (size_t i = 0; i < manual->n_commands; i++) {
        const ManualCommand *command = &manual->commands[i];
        fprintf(to, "    %s) options='--help", command->name);
        for (size_t k = 0; k < command->n_options; k++) {
            fprintf(to, " %s", command->options[k].name);
            if (command->options[k].other) fprintf(to, " %s", command->options[k].other);
        }
        fputs("' ;;\n", to);
    }
    fputs("    esac\n"
          "    if [[ $cur == -* ]]; then\n        _threelane_words \"$options\"\n        return\n"
          "    fi\n    case $command in\n",
          to);
    for (size_t i = 0; i < manual->n_commands; i++) {
        const ManualCommand *command = &manual->commands[i];
        fprintf(to, "    %s) ", command->name);
        bash_kind(to, manual, kind_of(command->words), "");
        fputs(" ;;\n", to);
    }
    fputs("    esac\n}\n"
          "_tlcc() {\n"
          "    local cur=$2\n"
          "    COMPREPLY=()\n"
          "    if [[ $cur == -* ]]; then\n"
          "        _threelane_words \"$(\"$1\" --help 2>/dev/null | grep -oE -e "
          "'(^| )--?[A-Za-z][-A-Za-z_]*')\"\n"
          "    else\n"
          "        _threelane_files ''\n"
          "    fi\n"
          "}\n"
          "complete -F _threelane threelane\n"
          "complete -F _tlcc tlcc\n",
          to);
    free(topics);
}

/* ---- zsh ---- */

static const char zsh_quote[] = "'\\''";

static void zsh_kind(FILE *to, const Manual *manual, Kind kind, const char *about)
{
    char *names = kind == CHOICES ? choices(about) : kind == MODELS ? joined(manual->models) : NULL;
    switch (kind) {
    case NOTHING: fputs(" ", to); break;
    case FILES: fputs("_files", to); break;
    case FOLDERS: fputs("_files -/", to); break;
    case COURSE: fputs("_threelane_exercises", to); break;
    case MODELS: fprintf(to, "_threelane_models %s", names); break;
    case CHOICES: fprintf(to, "(%s)", names); break;
    case TRACES: fputs("_threelane_traces", to); break;
    case SOURCES: fputs("_files -g \"*.cu\"", to); break;
    case PROGRAMS: fputs("_threelane_programs", to); break;
    }
    free(names);
}

static void zsh_option(FILE *to, const Manual *manual, const ManualOption *option, const char *name)
{
    fprintf(to, "            '*%s%s[", name,
            !option->value            ? ""
            : !strncmp(name, "--", 2) ? "="
                                      : "+");
    put(to, option->about, "[]:\\", zsh_quote);
    fputs("]", to);
    if (option->value) {
        fprintf(to, ":%s:", option->value);
        zsh_kind(to, manual, kind_of(option->value), option->about);
    }
    fputs("' \\\n", to);
}

/* What a word can be, as functions of the completion. */
static const char zsh_kinds[] =
    "#compdef threelane tlcc\n"
    "_threelane_exercises() {\n"
    "    local -a found\n"
    "    found=(${(f)\"$(_call_program exercises $_threelane_command help exercises "
    "2>/dev/null | tr -d : | tr '\\t' :)\"})\n"
    "    _describe exercise found\n"
    "}\n"
    "_threelane_models() {\n"
    "    local -a names=($@)\n"
    "    _alternative 'models:device model:compadd -a names' 'files:file:_files -g "
    "\"*.ini\"'\n"
    "}\n"
    "_threelane_traces() {\n"
    "    _alternative 'exercises:exercise:_threelane_exercises' 'files:trace:_files -g "
    "\"*.(lane|sqlite)\"'\n"
    "}\n"
    "_threelane_programs() {\n"
    "    _alternative 'commands:command:_command_names -e' 'files:program:_files'\n"
    "}\n"
    "_tlcc() {\n"
    "    local -a options=(${(f)\"$($words[1] --help 2>/dev/null | grep -oE -e "
    "'(^| )--?[A-Za-z][-A-Za-z_]*' | tr -d ' ')\"})\n"
    "    if [[ $PREFIX == -* ]]; then compadd -a options; else _files; fi\n"
    "}\n";

static void zsh(FILE *to, const Manual *manual)
{
    fputs(zsh_kinds, to);
    fputs("_threelane() {\n"
          "    local _threelane_command=$words[1]\n"
          "    if [[ $service == tlcc ]]; then _tlcc; return; fi\n"
          "    local -a commands topics\n"
          "    commands=(\n        'help:what there is to type'\n",
          to);
    for (size_t i = 0; i < manual->n_commands; i++) {
        fprintf(to, "        '%s:", manual->commands[i].name);
        put(to, manual->commands[i].summary, "\\", zsh_quote);
        fputs("'\n", to);
    }
    char *topics = joined(manual->topics);
    fprintf(to,
            "    )\n    topics=(%s)\n"
            "    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n"
            "    fi\n    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n"
            "    help) compadd -a topics ;;\n",
            topics);
    free(topics);
    for (size_t i = 0; i < manual->n_commands; i++) {
        const ManualCommand *command = &manual->commands[i];
        fprintf(to, "    %s)\n        _arguments \\\n", command->name);
        for (size_t k = 0; k < command->n_options; k++) {
            zsh_option(to, manual, &command->options[k], command->options[k].name);
            if (command->options[k].other)
                zsh_option(to, manual, &command->options[k], command->options[k].other);
        }
        fprintf(to, "            '*:%s:", command->words[0] ? command->words : " ");
        zsh_kind(to, manual, kind_of(command->words), "");
        fputs("' ;;\n", to);
    }
    fputs("    esac\n}\n"
          "if [[ $funcstack[1] == _threelane ]]; then _threelane \"$@\"; "
          "else compdef _threelane threelane tlcc; fi\n",
          to);
}

/* ---- fish ---- */

static const char fish_quote[] = "\\'";

static void fish_kind(FILE *to, const Manual *manual, Kind kind, const char *about)
{
    char *names = kind == CHOICES ? choices(about) : kind == MODELS ? joined(manual->models) : NULL;
    switch (kind) {
    case NOTHING: break;
    case FILES:
    case SOURCES:
    case PROGRAMS: fputs(" -F", to); break;
    case FOLDERS: fputs(" -a '(__fish_complete_directories)'", to); break;
    case COURSE: fputs(" -a '(__threelane_exercises)'", to); break;
    case TRACES: fputs(" -F -a '(__threelane_exercises)'", to); break;
    case MODELS: fprintf(to, " -F -a '%s'", names); break;
    case CHOICES: fprintf(to, " -a '%s'", names); break;
    }
    free(names);
}

static void fish_names(FILE *to, const char *name)
{
    bool is_long = !strncmp(name, "--", 2);
    fprintf(to, " -%c %s", is_long ? 'l' : 's', name + (is_long ? 2 : 1));
}

static void fish(FILE *to, const Manual *manual)
{
    fputs("function __threelane_is\n"
          "    set -l words (commandline -opc)\n"
          "    set -q words[2]; and contains -- $words[2] $argv\n"
          "end\n"
          "function __threelane_begins\n"
          "    test (count (commandline -opc)) -eq 1\n"
          "end\n"
          "function __threelane_exercises\n"
          "    set -l words (commandline -opc)\n"
          "    $words[1] help exercises 2>/dev/null\n"
          "end\n"
          "complete -c threelane -f\n"
          "complete -c threelane -n __threelane_begins -a help -d 'what there is to type'\n"
          "complete -c tlcc -a '(tlcc --help 2>/dev/null | string match -ar -- "
          "\"(?<=^| )--?[A-Za-z][-A-Za-z_]*\")'\n",
          to);
    char *topics = joined(manual->topics);
    fprintf(to, "complete -c threelane -n '__threelane_is help' -a '%s'\n", topics);
    free(topics);
    for (size_t i = 0; i < manual->n_commands; i++) {
        const ManualCommand *command = &manual->commands[i];
        fprintf(to, "complete -c threelane -n __threelane_begins -a %s -d '", command->name);
        put(to, command->summary, "\\", fish_quote);
        fputs("'\n", to);
        Kind kind = kind_of(command->words);
        if (kind != NOTHING) {
            fprintf(to, "complete -c threelane -n '__threelane_is %s'", command->name);
            fish_kind(to, manual, kind, "");
            fputc('\n', to);
        }
        for (size_t k = 0; k < command->n_options; k++) {
            const ManualOption *option = &command->options[k];
            fprintf(to, "complete -c threelane -n '__threelane_is %s'", command->name);
            fish_names(to, option->name);
            if (option->other) fish_names(to, option->other);
            if (option->value) {
                Kind kind_of_value = kind_of(option->value);
                bool file = kind_of_value == FILES || kind_of_value == MODELS ||
                            kind_of_value == TRACES || kind_of_value == SOURCES;
                fputs(file ? " -r" : " -x", to);
                fish_kind(to, manual, kind_of(option->value), option->about);
            }
            fputs(" -d '", to);
            put(to, option->about, "\\", fish_quote);
            fputs("'\n", to);
        }
    }
}

bool manual_completion(FILE *to, const Manual *manual, const char *shell)
{
    if (!strcmp(shell, "bash")) bash(to, manual);
    else if (!strcmp(shell, "zsh")) zsh(to, manual);
    else if (!strcmp(shell, "fish")) fish(to, manual);
    else return false;
    return true;
}
