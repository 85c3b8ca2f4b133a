#include "sim/exec/names.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
    if (!found && symbol[0] == '_' && symbol[1] == 'Z') {     /* "_ZL4tile", "_ZN2ns4tileE" */
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
static bool inside(size_t file, size_t offset, size_t bytes) { return offset <= file && bytes <= file - offset; }

static bool look(const unsigned char *file, size_t file_bytes, size_t offset, char *name, size_t size, size_t *begin,
                 size_t *bytes)
{
    Elf64_Ehdr head;
    if (!inside(file_bytes, 0, sizeof head)) return false;
    memcpy(&head, file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) ||
        !inside(file_bytes, head.e_shoff, (size_t)head.e_shnum * sizeof(Elf64_Shdr)))
        return false;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr table, text;
        memcpy(&table, file + head.e_shoff + i * sizeof table, sizeof table);
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= head.e_shnum) continue;
        memcpy(&text, file + head.e_shoff + table.sh_link * sizeof text, sizeof text);
        if (!inside(file_bytes, table.sh_offset, table.sh_size) || !inside(file_bytes, text.sh_offset, text.sh_size) ||
            !text.sh_size || file[text.sh_offset + text.sh_size - 1])
            return false;
        for (size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, file + table.sh_offset + at, sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS || offset - symbol.st_value >= symbol.st_size ||
                symbol.st_name >= text.sh_size)
                continue;
            source_name((const char *)file + text.sh_offset + symbol.st_name, name, size);
            *begin = symbol.st_value;
            *bytes = symbol.st_size;
            return true;
        }
    }
    return false;
}

bool names_shared(size_t offset, char *name, size_t size, size_t *begin, size_t *bytes)
{
    struct stat facts;
    bool known = false;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    if (fstat(fd, &facts) == 0 && facts.st_size > 0) {
        void *file = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED) {
            known = look(file, (size_t)facts.st_size, offset, name, size, begin, bytes);
            munmap(file, (size_t)facts.st_size);
        }
    }
    close(fd);
    return known;
}
