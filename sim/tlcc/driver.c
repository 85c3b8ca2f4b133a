/* driver.c - see driver.h.
 *
 * The file: a line that says which compiler it is about, then for each command a line "=", its
 * words behind "a ", those of what is run behind "1 " and "2 " (which reads what the first one
 * writes), and behind "i " which program the first one was. */
#include "sim/tlcc/driver.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/env.h"
#include "sim/tlcc/process.h"

#define KEPT "pch/commands"
#define HOME "@HOME@"
enum { RUNS_MOST = 2 };

typedef struct Command {
    Args words, run[RUNS_MOST];
    const char *program; /* which the first one was, in the text; NULL: not known */
} Command;

/* What a command has at the places that differ. */
typedef struct Given {
    const char *input, *output;
    Args defines, folders, headers, options, objects;
} Given;

static void release_command(Command *command)
{
    args_release(&command->words);
    for (int i = 0; i < RUNS_MOST; i++) args_release(&command->run[i]);
    *command = (Command){0};
}

/* ---- asking ---- */

/* One line of -###: words, some of them in quotes. */
static void split(const char *line, Args *words)
{
    Bytes word = {0};
    while (*line) {
        line += strspn(line, " ");
        if (!*line || *line == '\n') break;
        bytes_add_string(&word, "");
        bool quoted = false;
        for (; *line && *line != '\n' && (quoted || *line != ' '); line++) {
            if (*line == '"') {
                quoted = !quoted;
                continue;
            }
            if (*line == '\\' && line[1] && line[1] != '\n') line++;
            bytes_add_char(&word, *line);
        }
        args_add(words, word.data ? word.data : "");
        bytes_release(&word);
    }
    bytes_release(&word);
}

/* A folder of libraries that is named again in another way would be read again. */
static bool is_news(const char *option, Args *seen)
{
    char *real = realpath(option + 2, NULL);
    bool news = real != NULL;
    for (int i = 0; i < seen->count && news; i++) news = strcmp(seen->item[i], real) != 0;
    if (news) args_add(seen, real);
    free(real);
    return news;
}

/* Without what is only for other output than ours; collect2 is the linker that it would run. */
static void clean(const Args *words, Args *run)
{
    static const char *const dropped[] = {"-dumpdir",       "-dumpbase", "-dumpbase-ext",
                                          "-auxname-strip", "-auxname",  "-plugin"};
    bool links = strstr(words->item[0], "collect2") != NULL;
    Args seen = {0};
    for (int i = 0; i < words->count; i++) {
        const char *word = words->item[i];
        bool pair = false;
        for (size_t k = 0; k < sizeof dropped / sizeof *dropped; k++)
            if (!strcmp(word, dropped[k])) pair = true;
        i += pair;
        if (pair || starts_with(word, "-plugin-opt=") || !strcmp(word, "-fuse-ld=gold")) continue;
        if (links && starts_with(word, "-L") && !is_news(word, &seen)) continue;
        args_add(run, links && i == 0 ? "ld.gold" : word);
    }
    args_release(&seen);
}

/* A word as it is kept: the home may be another one tomorrow. False: it cannot be kept. */
static bool keep_word(const Compiler *compiler, char kind, const char *word, Bytes *kept)
{
    if (strchr(word, '\n') || strstr(word, HOME)) return false;
    const char *home = strstr(word, compiler->home);
    bytes_format(kept, "%c ", kind);
    if (home)
        bytes_format(kept, "%.*s" HOME "%s\n", (int)(home - word), word,
                     home + strlen(compiler->home));
    else bytes_format(kept, "%s\n", word);
    return true;
}

/* Which program it is: another one has another size or age. False: not to be told. */
static bool identify(const char *path, char *line, size_t size)
{
    struct stat about;
    char *real = path && strchr(path, '/') ? realpath(path, NULL) : NULL;
    bool known = real && !strchr(real, '\n') && stat(real, &about) == 0;
    if (known)
        known = snprintf(line, size, "%lld %lld.%09ld %s", (long long)about.st_size,
                         (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec, real) < (int)size;
    free(real);
    return known;
}

/* The file's first line. */
static bool identify_compiler(const Compiler *compiler, char *line, size_t size)
{
    char program[PATH_MAX + 100];
    return identify(compiler->path, program, sizeof program) &&
           snprintf(line, size, "1 %s\n", program) < (int)size;
}

static bool is_optional_hole(const Args *words, int i)
{
    const char *word = words->item[i];
    return !strcmp(word, DRIVER_DEFINE) || !strcmp(word, DRIVER_FOLDER) ||
           !strcmp(word, DRIVER_OPTION) || !strcmp(word, DRIVER_OBJECT) ||
           !strcmp(word, DRIVER_HEADER) ||
           (!strcmp(word, "-include") && i + 1 < words->count &&
            !strcmp(words->item[i + 1], DRIVER_HEADER));
}

void driver_learn(const Compiler *compiler, const Args *args, Bytes *kept)
{
    Args asked = {0}, run[RUNS_MOST] = {{0}};
    Bytes said = {0}, part = {0}, output = {0};
    int runs = 0;
    if (compiler->clang) return;
    args_add_all(&asked, args);
    args_add(&asked, "-###");
    bool fine = process_run(&asked, NULL, &output, &said) == 0 && said.size;
    for (char *line = said.data; fine && line && *line;) {
        char *next = strchr(line, '\n');
        if (*line == ' ' && runs == RUNS_MOST) fine = false;
        else if (*line == ' ') {
            Args words = {0};
            split(line, &words);
            if (words.count && !strcmp(words.item[words.count - 1], "|")) {
                free(words.item[--words.count]);
                words.item[words.count] = NULL;
            }
            if (words.count) clean(&words, &run[runs++]);
            args_release(&words);
        }
        line = next ? next + 1 : NULL;
    }
    bytes_add_string(&part, "=\n");
    for (int i = 0; i < args->count && fine; i++)
        if (!is_optional_hole(args, i)) fine = keep_word(compiler, 'a', args->item[i], &part);
    for (int r = 0; r < runs; r++)
        for (int i = 0; i < run[r].count && fine; i++)
            fine = keep_word(compiler, (char)('1' + r), run[r].item[i], &part);
    char program[PATH_MAX + 100];
    if (runs && identify(run[0].item[0], program, sizeof program))
        bytes_format(&part, "i %s\n", program);
    if (fine && runs) bytes_add(kept, part.data, part.size);
    args_release(&asked);
    for (int r = 0; r < RUNS_MOST; r++) args_release(&run[r]);
    bytes_release(&said);
    bytes_release(&part);
    bytes_release(&output);
}

bool driver_keep(const Compiler *compiler, const Bytes *kept)
{
    char line[PATH_MAX + 110];
    Bytes name = {0}, made = {0};
    bytes_format(&name, "%s/" KEPT, compiler->home);
    bytes_format(&made, "%s.%ld", name.data, (long)getpid());
    unlink(name.data);
    FILE *file =
        kept->size && identify_compiler(compiler, line, sizeof line) ? fopen(made.data, "w") : NULL;
    bool fine =
        file && fputs(line, file) >= 0 && fwrite(kept->data, 1, kept->size, file) == kept->size;
    if (file) fine = fclose(file) == 0 && fine;
    if (fine) fine = rename(made.data, name.data) == 0;
    if (!fine) unlink(made.data);
    bytes_release(&name);
    bytes_release(&made);
    return fine || !kept->size;
}

/* ---- running ---- */

static char *read_kept(const Compiler *compiler)
{
    char line[PATH_MAX + 110];
    Bytes name = {0}, text = {0};
    char buffer[1 << 14];
    bytes_format(&name, "%s/" KEPT, compiler->home);
    FILE *file = fopen(name.data, "r");
    bytes_release(&name);
    if (!file) return NULL;
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        bytes_add(&text, buffer, got);
    fclose(file);
    if (!text.size || !identify_compiler(compiler, line, sizeof line) ||
        !starts_with(text.data, line)) {
        bytes_release(&text);
        return NULL;
    }
    return text.data;
}

static void add_word(const Compiler *compiler, const char *word, Args *to)
{
    const char *home = strstr(word, HOME);
    if (home)
        args_format(to, "%.*s%s%s", (int)(home - word), word, compiler->home, home + strlen(HOME));
    else args_add(to, word);
}

/* The next command in the text, which is cut into lines. False: there is none. */
static bool next_command(const Compiler *compiler, char **at, Command *command)
{
    release_command(command);
    while (**at) {
        char *line = *at, *end = strchr(line, '\n');
        if (*line == '=' && command->words.count) return true;
        *at = end ? end + 1 : line + strlen(line);
        if (end) *end = 0;
        if (line[0] == '=' || !line[0] || line[1] != ' ') continue;
        if (line[0] == 'a') add_word(compiler, line + 2, &command->words);
        if (line[0] == '1' || line[0] == '2')
            add_word(compiler, line + 2, &command->run[line[0] - '1']);
        if (line[0] == 'i') command->program = line + 2;
    }
    return command->words.count > 0;
}

/* An option that the driver hands on as it is. */
static bool is_handed_on(const char *word)
{
    static const char *const whole[] = {"-fPIE", "-fdiagnostics-color=always",
                                        "-fsanitize=alignment", "-ftrack-macro-expansion=0"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (!strcmp(word, whole[i])) return true;
    return starts_with(word, "-ffile-prefix-map=") || starts_with(word, "-fdebug-prefix-map=");
}

/* A word more than the known command has, before its word `want`. How many words it is; 0: it makes
 * another command of it. (What is included before our own headers does: their order counts.) */
static int take_word(const Args *args, int i, const char *want, bool links, Given *given)
{
    const char *word = args->item[i], *next = i + 1 < args->count ? args->item[i + 1] : NULL;
    bool define = starts_with(word, "-D") || starts_with(word, "-U");
    if (is_handed_on(word)) return args_add(&given->options, word), 1;
    if (links && next && !strcmp(word, "-Xlinker") && starts_with(next, "--build-id"))
        return args_add(&given->objects, next), 2;
    if (links && word[0] != '-' && word[0] != '@') return args_add(&given->objects, word), 1;
    if (links) return 0;
    if (define && word[2]) {
        args_format(&given->defines, "-%c", word[1]);
        return args_add(&given->defines, word + 2), 1;
    }
    if (starts_with(word, "-I") && word[2] && word[2] != '-') {
        args_add(&given->folders, "-I");
        return args_add(&given->folders, word + 2), 1;
    }
    if (!strcmp(word, "-include") && next && !strcmp(want, "-x")) {
        args_add(&given->headers, word);
        return args_add(&given->headers, next), 2;
    }
    return 0;
}

static bool matches(const Command *command, const Args *args, Given *given)
{
    const Args *known = &command->words;
    bool links = !strcmp(command->run[0].item[0], "ld.gold");
    int k = 0;
    for (int i = 0; i < args->count;) {
        const char *word = args->item[i], *want = k < known->count ? known->item[k] : "";
        bool input = !strcmp(want, DRIVER_INPUT), output = !strcmp(want, DRIVER_OUTPUT);
        int n = 1;
        if ((input || output) && word[0] != '-' && word[0] != '@') {
            *(input ? &given->input : &given->output) = word;
            k++;
        } else if (!strcmp(word, want)) {
            k++;
        } else {
            n = take_word(args, i, want, links, given);
        }
        if (!n) return false;
        i += n;
    }
    return k == known->count;
}

/* run with what is given in its holes */
static void fill(const Args *run, const Given *given, Args *out)
{
    for (int i = 0; i < run->count; i++) {
        const char *word = run->item[i], *next = i + 1 < run->count ? run->item[i + 1] : "";
        const Args *list = NULL;
        bool pair = true;
        if (!strcmp(word, "-D") && !strcmp(next, DRIVER_DEFINE + 2)) list = &given->defines;
        else if (!strcmp(word, "-I") && !strcmp(next, DRIVER_FOLDER + 2)) list = &given->folders;
        else if (!strcmp(word, "-include") && !strcmp(next, DRIVER_HEADER)) list = &given->headers;
        else pair = false;
        if (!strcmp(word, DRIVER_OPTION)) list = &given->options;
        if (!strcmp(word, DRIVER_OBJECT)) list = &given->objects;
        i += pair;
        if (list) args_add_all(out, list);
        else if (!strcmp(word, DRIVER_INPUT)) args_add(out, given->input);
        else if (!strcmp(word, DRIVER_OUTPUT)) args_add(out, given->output);
        else args_add(out, word);
    }
}

/* The compiler itself has said no, and would say the same if its driver ran it: it is the one that
 * the list was made with, was not killed, and found nothing wrong with itself. */
static bool is_final(const Command *command, int status)
{
    char program[PATH_MAX + 100];
    return status == 1 && command->program &&
           identify(command->run[0].item[0], program, sizeof program) &&
           !strcmp(program, command->program);
}

static DriverResult run_both(const Command *command, const Given *given, const Bytes *input,
                             Bytes *output, Bytes *errors)
{
    bool two = command->run[1].count > 0, done;
    DriverResult result = DRIVER_ASK;
    Args first = {0}, second = {0};
    Bytes between = {0};
    fill(&command->run[0], given, &first);
    fill(&command->run[1], given, &second);
    int status = process_run(&first, input, two ? &between : output, errors);
    done = status == 0;
    if (is_final(command, status)) result = DRIVER_REFUSED;
    if (done && two) {
        bytes_add_string(&between, "");
        done = process_run(&second, &between, NULL, errors) == 0;
    }
    args_release(&first);
    args_release(&second);
    bytes_release(&between);
    return done ? DRIVER_DONE : result;
}

DriverResult driver_run(const Compiler *compiler, const Args *args, const Bytes *input,
                        Bytes *output, Bytes *errors)
{
    /* what the driver listens to */
    static const char *const names[] = {ENV_GCC_EXEC_PREFIX, ENV_COMPILER_PATH};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i])) return DRIVER_ASK;
    char *text = compiler->clang ? NULL : read_kept(compiler),
         *at = text ? strchr(text, '\n') : NULL;
    size_t out_before = output ? output->size : 0, errors_before = errors->size;
    Command command = {0};
    DriverResult result = DRIVER_ASK;
    bool found = false;
    while (at && !found && next_command(compiler, &at, &command)) {
        Given given = {0};
        found = command.run[0].count && matches(&command, args, &given);
        if (found) result = run_both(&command, &given, input, output, errors);
        args_release(&given.defines);
        args_release(&given.folders);
        args_release(&given.headers);
        args_release(&given.options);
        args_release(&given.objects);
    }
    if (result == DRIVER_ASK) {
        if (output) output->size = out_before;
        errors->size = errors_before;
    }
    release_command(&command);
    free(text);
    return result;
}
