/* json.c - see json.h. */
#include "common/json.h"

#include <stdint.h>
#include <string.h>

#include "common/utf8.h"

static void write_inside(FILE *to, const char *bytes, size_t length, bool page)
{
    for (const char *end = bytes + length; bytes < end;) {
        unsigned char byte = (unsigned char)*bytes;
        uint32_t code;
        size_t used = utf8_next(bytes, (size_t)(end - bytes), &code);

        if (byte == '"' || byte == '\\') fprintf(to, "\\%c", byte);
        else if (byte == '\n') fputs("\\n", to);
        else if (byte == '\t') fputs("\\t", to);
        else if (byte < 0x20 || byte == 0x7f) fprintf(to, "\\u%04x", byte);
        else if (page && (byte == '<' || byte == '>' || byte == '&')) fprintf(to, "\\u%04x", byte);
        else if (!utf8_harmless(code)) fputs("\\ufffd", to);
        else fwrite(bytes, 1, used, to);
        bytes += used;
    }
}

void json_bytes(FILE *to, const char *bytes, size_t length)
{
    fputc('"', to);
    write_inside(to, bytes, length, false);
    fputc('"', to);
}

void json_text(FILE *to, const char *text)
{
    if (text) json_bytes(to, text, strlen(text));
    else fputs("null", to);
}

void json_inside_page(FILE *to, const char *text) { write_inside(to, text, strlen(text), true); }

/* ---- objects and arrays ---- */

static void begin(Json *json, const char *key)
{
    if (json->more) fputc(',', json->to);
    if (json->line) fputc('\n', json->to);
    json->more = true;
    json->line = false;
    if (!key) return;
    json_text(json->to, key);
    fputc(':', json->to);
}

void json_open(Json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->to);
    json->more = false;
}

void json_close(Json *json, char bracket)
{
    if (json->line) fputc('\n', json->to);
    fputc(bracket, json->to);
    json->more = true;
    json->line = false;
}

void json_line(Json *json) { json->line = true; }

void json_put_text(Json *json, const char *key, const char *text)
{
    begin(json, key);
    json_text(json->to, text);
}

void json_put_bytes(Json *json, const char *key, const char *bytes, size_t length)
{
    begin(json, key);
    json_bytes(json->to, bytes, length);
}

void json_put_number(Json *json, const char *key, long long number)
{
    begin(json, key);
    fprintf(json->to, "%lld", number);
}

void json_put_count(Json *json, const char *key, unsigned long long count)
{
    begin(json, key);
    fprintf(json->to, "%llu", count);
}

void json_put_flag(Json *json, const char *key, bool flag)
{
    begin(json, key);
    fputs(flag ? "true" : "false", json->to);
}
