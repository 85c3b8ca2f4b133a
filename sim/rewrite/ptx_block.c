#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/rewrite/ptx_internal.h"

enum { REGISTERS_MOST = 32, NAME_MOST = 32, LANES_MOST = 4 };

typedef struct Register {
    char name[NAME_MOST];
    const char *type;
} Register;

typedef struct Block {
    Register reg[REGISTERS_MOST];
    int registers;
} Block;

/* ---- registers: read first, and numbers in place of their names ---- */

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* ".reg .u32 lo, hi" without the semicolon. */
static bool declare(Block *block, const char *at, size_t size)
{
    char text[256], *next = text;
    if (size >= sizeof text) return false;
    memcpy(text, at, size);
    text[size] = 0;
    strsep(&next, ".");
    strsep(&next, ".");
    if (!next) return false;

    char *type = strsep(&next, " \t\r\n");
    const char *c = !strcmp(type, "pred") ? "bool" : ptx_c_type(type);
    for (char *name; c && (name = strsep(&next, ","));) {
        name = ptx_trim(name);
        if (block->registers == REGISTERS_MOST || !*name || strlen(name) >= NAME_MOST ||
            strchr(name, '<'))
            return false;
        Register *reg = &block->reg[block->registers++];
        snprintf(reg->name, sizeof reg->name, "%s", name);
        reg->type = c;
    }
    return c != NULL;
}

static bool read_registers(Block *block, const char *text)
{
    for (const char *at = text; (at = strstr(at, ".reg")) != NULL;) {
        size_t size = strcspn(at, ";");
        if (!declare(block, at, size)) return false;
        at += size;
    }
    return true;
}

static void number_registers(const Block *block, const char *text, Bytes *out)
{
    while (*text) {
        const char *start = text;
        if (*text == '%' || is_letter(*text)) text++;
        while (text > start && is_letter(*text)) text++;
        if (text == start) {
            bytes_add_char(out, *text++);
            continue;
        }
        size_t size = (size_t)(text - start);
        int found = -1;
        bool dotted = start[-1] == '.'; /* a part of a mnemonic */
        for (int i = 0; i < block->registers && !dotted; i++)
            if (strlen(block->reg[i].name) == size && !memcmp(block->reg[i].name, start, size))
                found = i;
        if (found >= 0) bytes_format(out, "%c%d", PTX_REGISTER, found);
        else bytes_add(out, start, size);
    }
    bytes_add_string(out, "");
}

/* ---- instructions ---- */

static bool is_register(const char *text) { return text[0] == PTX_REGISTER; }

/* "{a, b}": its elements, which are parts of text; 0: no vector. */
static int elements(char *text, char *element[LANES_MOST])
{
    size_t size = strlen(text);
    int n = 0;
    if (size < 3 || text[0] != '{' || text[size - 1] != '}') return 0;
    text[size - 1] = 0;
    char *next = text + 1;
    for (char *one; (one = strsep(&next, ","));) {
        if (n == LANES_MOST) return 0;
        element[n++] = ptx_trim(one);
    }
    return n;
}

/* setp.ne.u32 p, %0, 0 */
static bool compare(const Instruction *in, Bytes *out)
{
    static const struct {
        const char *name, *operation;
    } known[] = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},
                 {"ge", ">="}, {"lo", "<"},  {"ls", "<="}, {"hi", ">"},  {"hs", ">="}};
    const char *type = in->parts == 3 ? ptx_c_type(in->part[2]) : NULL, *operation = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known && type; i++)
        if (!strcmp(known[i].name, in->part[1])) operation = known[i].operation;
    if (!operation || in->operands != 3 || !is_register(in->operand[0])) return false;

    ptx_operand(out, in->operand[0], true);
    bytes_format(out, " = (%s)", type);
    if (!ptx_operand(out, in->operand[1], false)) return false;
    bytes_format(out, " %s (%s)", operation, type);
    return ptx_operand(out, in->operand[2], false);
}

/* selp.s32 %1, 1, 0, p */
static bool choose(const Instruction *in, Bytes *out)
{
    if (in->operands != 4 || !is_register(in->operand[3])) return false;
    if (!ptx_operand(out, in->operand[0], true)) return false;
    bytes_add_string(out, " = ");
    ptx_operand(out, in->operand[3], false);
    bytes_add_string(out, " ? ");
    if (!ptx_operand(out, in->operand[1], false)) return false;
    bytes_add_string(out, " : ");
    return ptx_operand(out, in->operand[2], false);
}

/* shfl.sync.up.b32 d|p, a, b, c, mask */
static bool shuffle(const Instruction *in, Bytes *out)
{
    static const char *const modes[] = {"idx", "up", "down", "bfly"};
    const char *mode = NULL;
    char to[NAME_MOST * 2], *predicate;
    for (size_t i = 0; i < sizeof modes / sizeof *modes && in->parts == 4; i++)
        if (!strcmp(modes[i], in->part[2])) mode = modes[i];
    if (!mode || strcmp(in->part[1], "sync") || strcmp(in->part[3], "b32") || in->operands != 5 ||
        strlen(in->operand[0]) >= sizeof to)
        return false;

    strcpy(to, in->operand[0]);
    predicate = strchr(to, '|');
    if (predicate) *predicate++ = 0;
    if (predicate) {
        predicate = ptx_trim(predicate);
        if (!is_register(predicate)) return false;
        ptx_operand(out, predicate, true);
        bytes_add_string(out, " = ");
    }
    bytes_format(out, "::tl::ptx::exchange_%s(", mode);
    if (!ptx_operand(out, ptx_trim(to), true)) return false;
    for (int i = 1; i < in->operands; i++) {
        bytes_add_string(out, ", ");
        if (!ptx_operand(out, in->operand[i], false)) return false;
    }
    bytes_add_char(out, ')');
    return true;
}

/* vote.sync.ballot.b32 %0, p, 0xffffffff, also spelled vote.ballot.sync.b32 */
static bool vote(const Instruction *in, Bytes *out)
{
    static const struct {
        const char *part, *call;
    } known[] = {{"ballot", "__ballot_sync"}, {"any", "__any_sync"}, {"all", "__all_sync"}};
    const char *call = NULL, *voter = in->operand[1];
    for (int i = 1; i < in->parts; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (!strcmp(in->part[i], known[k].part)) call = known[k].call;
    if (!call || in->operands != 3) return false;

    bool no = *voter == '!';
    if (!is_register(voter + no) || !ptx_operand(out, in->operand[0], true)) return false;
    bytes_format(out, " = ::%s(", call);
    if (!ptx_operand(out, in->operand[2], false)) return false;
    bytes_format(out, ", %s", no ? "!" : "");
    ptx_operand(out, voter + no, false);
    bytes_add_char(out, ')');
    return true;
}

/* ld.global.v4.u32 {%0, %1, %2, %3}, [%4], st.release.gpu.u32 [%0], %1 */
static bool memory_access(const Instruction *in, Bytes *out)
{
    static const char *const refused[] = {"param", "const", "local", "mmio"};
    static const struct {
        const char *part, *order;
    } orders[] = {{"volatile", "::tl::ptx::RELAXED"},
                  {"relaxed", "::tl::ptx::RELAXED"},
                  {"acquire", "::tl::ptx::ACQUIRE"},
                  {"release", "::tl::ptx::RELEASE"}};
    bool load = !strcmp(in->part[0], "ld"), shared = false;
    const char *type = ptx_c_type(in->part[in->parts - 1]), *order = NULL;
    char *element[LANES_MOST];
    if (!type || in->operands != 2) return false;
    for (int i = 1; i < in->parts; i++) {
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
            if (!strcmp(in->part[i], refused[k])) return false;
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
            if (!strcmp(in->part[i], orders[k].part)) order = orders[k].order;
        shared |= !strncmp(in->part[i], "shared", 6);
    }

    int n = elements(in->operand[load ? 0 : 1], element);
    if (n == 0) element[n++] = in->operand[load ? 0 : 1];
    bytes_format(out, "::tl::ptx::%s_%s<%s>((void *)%s", load ? "load" : "store",
                 order ? "whole" : "pieces", type, shared ? "::tl::ptx::shared(" : "(");
    if (!ptx_place(out, in->operand[load ? 1 : 0])) return false;
    bytes_add_char(out, ')');
    if (order) bytes_format(out, ", %s", order);
    for (int i = 0; i < n; i++) {
        bytes_add_string(out, ", ");
        if (!ptx_operand(out, element[i], load)) return false;
    }
    bytes_add_char(out, ')');
    return true;
}

/* mov.b64 {lo, hi}, %1; mov.b64 %0, {lo, hi}; mov.b32 d, a: bits, whatever their types */
static bool move(const Instruction *in, Bytes *out)
{
    const char *type = in->parts == 2 ? ptx_c_type(in->part[1]) : NULL;
    char *element[LANES_MOST];
    int n;
    if (!type || in->operands != 2) return false;
    if ((n = elements(in->operand[0], element)) > 0) {
        bytes_add_string(out, "::tl::ptx::unpack(");
        if (!ptx_operand(out, in->operand[1], false)) return false;
        for (int i = 0; i < n; i++) {
            bytes_add_string(out, ", ");
            if (!ptx_operand(out, element[i], true)) return false;
        }
        bytes_add_char(out, ')');
        return true;
    }
    n = elements(in->operand[1], element);
    if (n == 0) return false;
    bytes_add_string(out, "::tl::ptx::pack(");
    if (!ptx_operand(out, in->operand[0], true)) return false;
    for (int i = 0; i < n; i++) {
        bytes_add_string(out, ", ");
        if (!ptx_operand(out, element[i], true)) return false;
    }
    bytes_add_char(out, ')');
    return true;
}

static bool one_statement(const char *at, size_t size, Bytes *out)
{
    static const struct {
        const char *name;
        bool (*write)(const Instruction *, Bytes *);
    } known[] = {{"setp", compare},     {"selp", choose}, {"shfl", shuffle},    {"vote", vote},
                 {"ld", memory_access}, {"mov", move},    {"st", memory_access}};
    Instruction in;
    char mnemonic[64];
    if (*at == '@') {
        bool no = at[1] == '!';
        size_t name = strcspn(at, " \t\r\n");
        if (name >= size || at[1 + no] != PTX_REGISTER) return false;
        bytes_format(out, "if (%stl_r%.*s) ", no ? "!" : "", (int)(name - 2 - no), at + 2 + no);
        at += name;
        size -= name;
        while (size && isspace((unsigned char)*at)) at++, size--;
    }

    size_t start = out->size;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!ptx_split(&in, at, size) || in.parts == 0) return false;
        if (!strcmp(in.part[0], known[i].name) && known[i].write(&in, out)) return true;
        out->size = start;
    }
    size_t name = strcspn(at, " \t\r\n;");
    snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)(name < size ? name : size), at);
    return ptx_split(&in, at, size) && ptx_instruction(&in, mnemonic, out);
}

/* The end of the statement at text: a semicolon, or the brace around all. */
static size_t statement_size(const char *text)
{
    int depth = 0;
    size_t i = 0;
    for (; text[i] && text[i] != ';'; i++) {
        if (text[i] == '{') depth++;
        if (text[i] == '}' && depth-- == 0) break;
    }
    return i;
}

bool ptx_block(const char *text, Bytes *out)
{
    Block block = {.registers = 0};
    Bytes numbered = {0};
    bool known = read_registers(&block, text);
    if (known) {
        bytes_add_char(&numbered, ' '); /* so that each name has something before it */
        number_registers(&block, text, &numbered);
    }
    bytes_add_string(out, "({ ");
    for (int i = 0; i < block.registers; i++)
        bytes_format(out, "%s tl_r%d{}; ", block.reg[i].type, i);

    for (const char *at = numbered.data; known && *at;) {
        at += strspn(at, " \t\r\n;");
        if (*at == '{' || *at == '}') { /* (an instruction begins with neither) */
            at++;
            continue;
        }
        size_t size = statement_size(at), used = size;
        while (used && isspace((unsigned char)at[used - 1])) used--;
        if (used && strncmp(at, ".reg", 4) != 0) {
            known = one_statement(at, used, out);
            bytes_add_string(out, "; ");
        }
        at += size;
    }
    bytes_add_string(out, "(void)0; })");
    bytes_release(&numbered);
    return known;
}
