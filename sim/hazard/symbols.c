/* symbols.c - see symbols.h. */
#include "sim/hazard/symbols.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A local variable's mangled name ends with its own: "_ZZ6reducePfiE4tile", "..._clEvE4tile_0". */
static void source_name(const char *symbol, char *name, size_t size)
{
    const char *found = NULL;
    size_t length = 0;
    if (symbol[0] == '_' && symbol[1] == 'Z')
        for (const char *at = symbol; *at; at++) {
            size_t n = 0;
            const char *digits = at + 1;
            if (*at != 'E' || !is_digit(*digits)) continue;
            while (is_digit(*digits) && n < 1000) n = n * 10 + (size_t)(*digits++ - '0');
            if (n && n <= strlen(digits)) found = digits, length = n;
        }
    if (!found && symbol[0] == '_' && symbol[1] == 'Z') { /* "_ZL4tile", "_ZN2ns4tileE" */
        const char *at = symbol + 2;
        while (*at && !is_digit(*at)) at++;
        while (is_digit(*at)) {
            size_t n = 0;
            while (is_digit(*at) && n < 1000) n = n * 10 + (size_t)(*at++ - '0');
            if (!n || n > strlen(at)) break;
            found = at, length = n;
            at += n;
        }
    }
    if (found) snprintf(name, size, "%.*s", (int)length, found);
    else snprintf(name, size, "%.*s", (int)strcspn(symbol, "."), symbol);
}

/* Is [offset, offset + bytes) within the file? */
static bool inside(size_t file, size_t offset, size_t bytes)
{
    return offset <= file && bytes <= file - offset;
}

typedef struct Range {
    uintptr_t begin, end;
} Range;
static Variable *variables;
static size_t n_variables;
static uintptr_t *ends; /* the furthest end of any variable up to this one */
/* where all that lies has a name; the last two are those of an exercise's harness */
static const char *const sections[] = {".data", ".bss", "threelane_own_data", "threelane_own_bss"};
enum { SECTIONS = sizeof sections / sizeof *sections };
static Range known[SECTIONS];

typedef struct Places {
    uintptr_t base, tls;
} Places;
static int first_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(Places *)arg = (Places){info->dlpi_addr, (uintptr_t)info->dlpi_tls_data};
    return 1; /* the program itself comes first */
}

static int by_address(const void *a, const void *b)
{
    const Variable *x = a, *y = b;
    return x->address < y->address   ? -1
           : x->address > y->address ? 1
           : x->bytes < y->bytes     ? -1
                                     : x->bytes > y->bytes;
}

static bool add_variable(const char *symbol, uintptr_t address, size_t bytes)
{
    static size_t room;
    char name[96];
    if (n_variables == room) {
        size_t more = room ? 2 * room : 256;
        Variable *grown = realloc(variables, more * sizeof *grown);
        if (!grown) return false;
        variables = grown;
        room = more;
    }
    source_name(symbol, name, sizeof name);
    variables[n_variables] = (Variable){address,
                                        bytes,
                                        strdup(name),
                                        strdup(symbol),
                                        symbol[0] == '_' && symbol[1] == 'Z',
                                        strncmp(symbol, "_ZGV", 4) == 0};
    const Variable *made = &variables[n_variables++];
    return made->name && made->symbol;
}

static bool read_symbols(const unsigned char *file, size_t file_bytes, Places places)
{
    Elf64_Ehdr head;
    if (!inside(file_bytes, 0, sizeof head)) return false;
    memcpy(&head, file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) ||
        !inside(file_bytes, head.e_shoff, (size_t)head.e_shnum * sizeof(Elf64_Shdr)) ||
        head.e_shstrndx >= head.e_shnum)
        return false;
    Elf64_Shdr names;
    memcpy(&names, file + head.e_shoff + head.e_shstrndx * sizeof names, sizeof names);
    if (!inside(file_bytes, names.sh_offset, names.sh_size)) return false;
    bool any = false;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr table, text;
        memcpy(&table, file + head.e_shoff + i * sizeof table, sizeof table);
        if (table.sh_name < names.sh_size) {
            const char *name = (const char *)file + names.sh_offset + table.sh_name;
            Range at = {places.base + table.sh_addr, places.base + table.sh_addr + table.sh_size};
            for (int k = 0; k < SECTIONS; k++)
                if (strncmp(name, sections[k], names.sh_size - table.sh_name) == 0) known[k] = at;
        }
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= head.e_shnum) continue;
        memcpy(&text, file + head.e_shoff + table.sh_link * sizeof text, sizeof text);
        if (!inside(file_bytes, table.sh_offset, table.sh_size) ||
            !inside(file_bytes, text.sh_offset, text.sh_size) || !text.sh_size ||
            file[text.sh_offset + text.sh_size - 1])
            return false;
        for (size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, file + table.sh_offset + at, sizeof symbol);
            unsigned type = ELF64_ST_TYPE(symbol.st_info);
            if ((type != STT_TLS && type != STT_OBJECT) || !symbol.st_size ||
                symbol.st_shndx == SHN_UNDEF || symbol.st_name >= text.sh_size)
                continue;
            if (!add_variable((const char *)file + text.sh_offset + symbol.st_name,
                              (type == STT_TLS ? places.tls : places.base) + symbol.st_value,
                              symbol.st_size))
                return false;
            any = true;
        }
    }
    return any;
}

static void read_once(void)
{
    static bool done;
    struct stat facts;
    Places places = {0};
    if (done) return;
    done = true;
    dl_iterate_phdr(first_object, &places);
    bool whole = false;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const char *started_as = (const char *)getauxval(AT_EXECFN);
    if (fd < 0 && started_as) fd = open(started_as, O_RDONLY | O_CLOEXEC); /* without /proc */
    if (fd >= 0 && fstat(fd, &facts) == 0 && facts.st_size > 0) {
        void *file = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            whole = read_symbols(file, (size_t)facts.st_size, places);
            munmap(file, (size_t)facts.st_size);
        }
    }
    if (fd >= 0) close(fd);
    ends = whole ? malloc((n_variables + 1) * sizeof *ends) : NULL;
    if (!ends) {
        n_variables = 0;
        memset(known, 0, sizeof known);
        return;
    }
    qsort(variables, n_variables, sizeof *variables, by_address);
    uintptr_t furthest = 0;
    for (size_t i = 0; i < n_variables; i++) {
        uintptr_t end = variables[i].address + variables[i].bytes;
        ends[i] = furthest = end > furthest ? end : furthest;
    }
}

/* How many begin at or before the address. */
static size_t up_to(uintptr_t address)
{
    size_t low = 0, high = n_variables;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (variables[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

const Variable *symbols_before(uintptr_t address)
{
    read_once();
    size_t n = up_to(address);
    return n ? &variables[n - 1] : NULL;
}

const Variable *symbols_at(uintptr_t address)
{
    read_once();
    for (size_t i = up_to(address); i-- > 0 && ends[i] > address;)
        if (address - variables[i].address < variables[i].bytes) return &variables[i];
    return NULL;
}

bool symbols_know(uintptr_t begin, uintptr_t end)
{
    read_once();
    for (int i = 0; i < SECTIONS; i++)
        if (begin >= known[i].begin && end <= known[i].end && begin < end) return true;
    return false;
}

void symbols_each(uintptr_t begin, uintptr_t end, void (*visit)(const Variable *, void *),
                  void *arg)
{
    read_once();
    size_t n = up_to(end - 1), first = n;
    while (first > 0 && ends[first - 1] > begin) first--;
    for (size_t i = first; i < n; i++)
        if (variables[i].address < end && variables[i].address + variables[i].bytes > begin)
            visit(&variables[i], arg);
}

/* ---- by name ---- */

enum { PARTS_MOST = 16 };

/* What stands between the :: of a name, without the arguments of templates. */
typedef struct Parts {
    const char *at[PARTS_MOST];
    size_t length[PARTS_MOST], n;
} Parts;

static bool add_part(Parts *parts, const char *at, size_t length)
{
    if (parts->n == PARTS_MOST) return false;
    parts->at[parts->n] = at;
    parts->length[parts->n++] = length;
    return true;
}

/* A number and as many characters. NULL: it is none. */
static const char *counted(const char *at, const char **name, size_t *length)
{
    size_t n = 0;
    while (is_digit(*at) && n < 10000) n = n * 10 + (size_t)(*at++ - '0');
    if (!n || n > strlen(at)) return NULL;
    *name = at;
    *length = n;
    return at + n;
}

/* Behind the arguments of a template, which begin at 'I'. NULL: they are beyond us. */
static const char *behind_arguments(const char *at)
{
    const char *name;
    size_t length, depth = 0;
    do {
        if (is_digit(*at)) {
            if (!(at = counted(at, &name, &length))) return NULL;
            continue;
        }
        if (*at == 'L') { /* a value: its type and a number */
            if (at[1] < 'a' || at[1] > 'z' || !(at = strchr(at, 'E'))) return NULL;
        } else if (strchr("INJFX", *at)) {
            depth += *at != '\0';
        } else if (*at == 'E') {
            depth--;
        }
        if (!*at++) return NULL;
    } while (depth > 0);
    return at;
}

/* "_ZN2ns5totalIiEE": ns, total. False for anything but a variable, or one that is beyond us. */
static bool parts_of_symbol(const char *symbol, Parts *parts)
{
    const char *at = symbol + 2, *name;
    size_t length;
    *parts = (Parts){.n = 0};
    if (strncmp(symbol, "_Z", 2) != 0) return add_part(parts, symbol, strlen(symbol));
    bool nested = *at == 'N';
    for (at += nested; at && *at && *at != 'E';) {
        if (*at == 'L') {
            at++;
        } else if (*at == 'I') {
            at = behind_arguments(at);
        } else {
            at = counted(at, &name, &length);
            if (at && !add_part(parts, name, length)) return false;
        }
        if (!nested && at && *at != 'I' && parts->n) break;
    }
    return at && parts->n;
}

void symbols_like(uintptr_t beside, const char *name, void (*visit)(const Variable *, void *),
                  void *arg)
{
    Parts wanted, parts;
    const Variable *other = symbols_at(beside);
    if (!other || !parts_of_symbol(other->symbol, &wanted)) return;
    wanted.at[wanted.n - 1] = name;
    wanted.length[wanted.n - 1] = strlen(name);
    for (size_t i = 0; i < n_variables; i++) {
        if (!parts_of_symbol(variables[i].symbol, &parts) || parts.n != wanted.n) continue;
        size_t k = 0;
        while (k < parts.n && parts.length[k] == wanted.length[k] &&
               !memcmp(parts.at[k], wanted.at[k], parts.length[k]))
            k++;
        if (k == parts.n) visit(&variables[i], arg);
    }
}
