/* terminal.c - see terminal.h. */
#include "common/terminal.h"
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <curses.h>
#include <term.h>
#undef columns
#undef lines
#include "common/env.h"
#include "common/glyphs.h"
#include "common/text.h"

enum { NARROWEST = 10, WIDEST = 1000, USUAL = 80 };

static int window_width(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *text = getenv(ENV_COLUMNS);
    int width = text ? atoi(text) : 0;
    return width > 0 ? width : USUAL;
}

static int terminfo_colors(int fd)
{
    int status = 0, colors = 0;
    if (setupterm(NULL, fd, &status) == OK && status == 1) {
        colors = tigetnum("colors");
        del_curterm(cur_term);
    }
    return colors >= 256 ? 256 : colors >= 8 ? 8 : 0;
}

Terminal terminal_open(FILE *out, ColorChoice choice, int width, bool ascii)
{
    int fd = fileno(out);
    Terminal terminal = {.out = out, .is_terminal = fd >= 0 && isatty(fd)};
    terminal.width = width ? width : window_width(fd);
    if (terminal.width < NARROWEST) terminal.width = NARROWEST;
    if (terminal.width > WIDEST) terminal.width = WIDEST;
    terminal.utf8 = !ascii && !strcmp(nl_langinfo(CODESET), "UTF-8");
    const char *term = getenv(ENV_TERM), *no_color = getenv(ENV_NO_COLOR);
    bool plain = (no_color && *no_color) || !term || !strcmp(term, "dumb");
    if (choice == COLOR_ALWAYS)
        terminal.colors = term && strcmp(term, "dumb") ? terminfo_colors(fd) : 8;
    else if (choice == COLOR_AUTO && terminal.is_terminal && !plain)
        terminal.colors = terminfo_colors(fd);
    if (choice == COLOR_ALWAYS && !terminal.colors) terminal.colors = 8;
    return terminal;
}

static const char *const style_start[STYLES] = {"",         "\033[1m",  "\033[2m",
                                                "\033[32m", "\033[31m", "\033[33m"};

static void put(const Terminal *terminal, Style style, const char *text, size_t length)
{
    Text safe = {0};
    text_add_shown(&safe, text, length, !terminal->utf8);
    bool styled = terminal->colors && style != STYLE_PLAIN && safe.length;
    if (styled) fputs(style_start[style], terminal->out);
    fwrite(text_string(&safe), 1, safe.length, terminal->out);
    if (styled) fputs("\033[0m", terminal->out);
    text_release(&safe);
}

void terminal_text(const Terminal *terminal, Style style, const char *text)
{
    put(terminal, style, text, strlen(text));
}

void terminal_printf(const Terminal *terminal, Style style, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    put(terminal, style, text, (size_t)length);
    free(text);
}

/* Bytes of the first character. */
static size_t character(const char *at)
{
    size_t n = 1;
    while (((unsigned char)at[n] & 0xc0) == 0x80) n++;
    return n;
}

void terminal_wrap(const Terminal *terminal, Style style, int column, int indent, const char *text)
{
    if (indent > terminal->width / 2) indent = terminal->width / 4;
    Text safe = {0}, line = {0};
    text_add_shown(&safe, text, strlen(text), !terminal->utf8);
    bool first = true;
    for (const char *at = text_string(&safe); *at;) {
        size_t n = strcspn(at, " \n\t");
        char *word = memory_format("%.*s", (int)n, at);
        int wide = glyphs_columns(word);
        if (!first && column + 1 + wide > terminal->width) {
            text_printf(&line, "\n%*s", indent, "");
            column = indent;
            first = true;
        } else if (first && column > indent && column + wide > terminal->width) {
            text_printf(&line, "\n%*s", indent, "");
            column = indent;
        }
        if (!first) text_add(&line, " "), column++;
        for (const char *c = word; *c;) {
            size_t bytes = character(c);
            if (column >= terminal->width) {
                text_printf(&line, "\n%*s", indent, "");
                column = indent;
            }
            text_append(&line, c, bytes);
            column++;
            c += bytes;
        }
        first = false;
        free(word);
        at += n;
        if (*at == '\n' && at[1]) {
            text_printf(&line, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        if (*at) at++;
        while (*at == ' ') at++;
    }
    bool styled = terminal->colors && style != STYLE_PLAIN;
    fprintf(terminal->out, "%s%s%s\n", styled ? style_start[style] : "", text_string(&line),
            styled ? "\033[0m" : "");
    text_release(&safe);
    text_release(&line);
}

void terminal_heading(const Terminal *terminal, const char *text)
{
    int used = glyphs_columns(text);
    terminal_text(terminal, STYLE_BOLD, text);
    if (used + 3 <= terminal->width) {
        Text rule = {0};
        text_add(&rule, " ");
        for (int i = used + 1; i < terminal->width && i < 100; i++)
            text_add(&rule, terminal->utf8 ? "\xe2\x94\x80" : "-");
        terminal_text(terminal, STYLE_DIM, text_string(&rule));
        text_release(&rule);
    }
    fputc('\n', terminal->out);
}
