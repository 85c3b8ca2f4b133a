/* objects.c - see objects.h. */
#include "sim/tlcc/objects.h"
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/rewrite/bytes.h"

typedef struct Names {
    const char **item;
    size_t n, room;
} Names;
typedef struct Object {
    const char *bytes;
    size_t size;
} Object;

static void add(Names *names, const char *name)
{
    if (names->n == names->room) {
        names->room = names->room ? 2 * names->room : 256;
        names->item = must_resize(names->item, names->room * sizeof *names->item);
    }
    names->item[names->n++] = name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* C++ functions and variables, and what the compiler calls of the library: exceptions, casts,
 * guards. */
static bool is_cpp(const char *name)
{
    static const char *const of_c[] = {"__cxa_atexit", "__cxa_finalize",
                                       "__cxa_thread_atexit_impl"};
    for (size_t i = 0; i < sizeof of_c / sizeof *of_c; i++)
        if (!strcmp(name, of_c[i])) return false;
    return starts_with(name, "_Z") || starts_with(name, "__cxa_") || starts_with(name, "__gxx_") ||
           starts_with(name, "__dynamic_cast");
}

static bool map(Object *object, const char *path)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *object = (Object){0};
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
        (size_t)about.st_size > sizeof(Elf64_Ehdr)) {
        void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) *object = (Object){bytes, (size_t)about.st_size};
    }
    if (fd >= 0) close(fd);
    return object->bytes != NULL;
}

/* n pieces of `size` bytes at an offset; NULL when they are not all in the file, or not aligned. */
static const void *piece(const Object *object, uint64_t offset, uint64_t n, size_t size)
{
    bool inside = offset <= object->size && n <= (object->size - offset) / size && offset % 8 == 0;
    return inside ? object->bytes + offset : NULL;
}

/* Adds what the object has (defined) and what of C++ it wants from others. False when that cannot
 * be told. */
static bool read_symbols(const Object *object, Names *defined, Names *wanted)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)object->bytes;
    const unsigned char order =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_ident[EI_DATA] != order || head->e_type != ET_REL ||
        head->e_shentsize != sizeof(Elf64_Shdr))
        return false;
    const Elf64_Shdr *section = piece(object, head->e_shoff, head->e_shnum, sizeof *section),
                     *table = NULL;
    for (int i = 0; section && i < head->e_shnum && !table; i++)
        if (section[i].sh_type == SHT_SYMTAB) table = &section[i];
    if (!table || table->sh_entsize != sizeof(Elf64_Sym) || table->sh_link >= head->e_shnum)
        return false;
    const Elf64_Shdr *texts = &section[table->sh_link];
    size_t n = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *symbol = piece(object, table->sh_offset, n, sizeof *symbol);
    if (!symbol || texts->sh_offset > object->size ||
        texts->sh_size > object->size - texts->sh_offset || !texts->sh_size)
        return false;
    const char *text = object->bytes + texts->sh_offset;
    if (text[texts->sh_size - 1]) return false;
    for (size_t i = 1; i < n; i++) {
        if (symbol[i].st_name >= texts->sh_size) return false;
        const char *name = text + symbol[i].st_name;
        if (starts_with(name, "__gnu_lto"))
            return false; /* what it wants is known after optimization */
        if (ELF64_ST_BIND(symbol[i].st_info) == STB_LOCAL) continue;
        if (symbol[i].st_shndx != SHN_UNDEF) add(defined, name);
        else if (is_cpp(name)) add(wanted, name);
    }
    return true;
}

bool objects_need_cpp(char *const *path, size_t n)
{
    Object *objects = must_alloc((n + 1) * sizeof *objects);
    Names defined = {0}, wanted = {0};
    size_t mapped = 0;
    bool known = true, need = false;
    while (mapped < n && known) {
        known = map(&objects[mapped], path[mapped]);
        if (known) known = read_symbols(&objects[mapped++], &defined, &wanted);
    }
    if (known && defined.n) qsort(defined.item, defined.n, sizeof *defined.item, by_name);
    for (size_t i = 0; i < wanted.n && known && !need; i++)
        need = !defined.n ||
               !bsearch(&wanted.item[i], defined.item, defined.n, sizeof *defined.item, by_name);
    for (size_t i = 0; i < mapped; i++)
        munmap((void *)(uintptr_t)objects[i].bytes, objects[i].size);
    free(objects);
    free(defined.item);
    free(wanted.item);
    return need || !known;
}

/* ---- gaps ---- */

enum { GAP_DATA = 256, GAP_ZEROS = 1024, GAP_SHARED = 256, LARGE_ALIGNMENT = 4096 };

static char *read_file(const char *path, size_t *size)
{
    Object object;
    if (!map(&object, path)) return NULL;
    char *bytes = must_alloc(object.size);
    memcpy(bytes, object.bytes, object.size);
    *size = object.size;
    munmap((void *)(uintptr_t)object.bytes, object.size);
    return bytes;
}

static bool is_object(const char *file, size_t size)
{
    Elf64_Ehdr head;
    memcpy(&head, file, sizeof head);
    return memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
           head.e_type == ET_REL && head.e_shentsize == sizeof(Elf64_Shdr) &&
           head.e_shoff <= size && head.e_shoff % 8 == 0 &&
           head.e_shnum <= (size - head.e_shoff) / sizeof(Elf64_Shdr) &&
           head.e_shstrndx < head.e_shnum;
}

/* Where in the section names this one stands; 0: nowhere. */
static uint32_t name_offset(const char *names, size_t size, const char *name)
{
    size_t length = strlen(name) + 1;
    for (size_t i = 1; i + length <= size; i++)
        if (memcmp(names + i, name, length) == 0) return (uint32_t)i;
    return 0;
}

/* An object file that is being changed: what it was, and what has been added behind that. */
typedef struct Changed {
    char *file;
    size_t size, end;            /* of the file as it was; of what there is now */
    size_t names_at, names_size; /* the names of sections */
} Changed;

/* One that holds a variable by itself, and whose bytes, if it has some, are in the file. */
static bool is_variable(const Changed *c, const Elf64_Shdr *s)
{
    bool zeros = s->sh_type == SHT_NOBITS;
    if (!(s->sh_flags & SHF_ALLOC) || !(s->sh_flags & SHF_WRITE) || !s->sh_size) return false;
    if (!zeros && (s->sh_type != SHT_PROGBITS || s->sh_offset > c->size ||
                   s->sh_size > c->size - s->sh_offset))
        return false;
    if (s->sh_name >= c->names_size) return false;
    const char *name = c->file + c->names_at + s->sh_name;
    return starts_with(name, ".data.") || starts_with(name, ".bss.") ||
           starts_with(name, ".tdata.") || starts_with(name, ".tbss.");
}

/* Its bytes move to the end of the file, with a gap of zeros behind them. */
static void move_to_end(Changed *c, Elf64_Shdr *s, size_t gap)
{
    size_t align = s->sh_addralign > 1 && s->sh_addralign <= LARGE_ALIGNMENT ? s->sh_addralign : 16;
    size_t at = (c->end + align - 1) / align * align;
    c->file = must_resize(c->file, at + s->sh_size + gap);
    memset(c->file + c->end, 0, at - c->end);
    memcpy(c->file + at, c->file + s->sh_offset, s->sh_size);
    memset(c->file + at + s->sh_size, 0, gap);
    s->sh_offset = at;
    c->end = at + s->sh_size + gap;
}

static void add_gap(Changed *c, Elf64_Shdr *s)
{
    bool zeros = s->sh_type == SHT_NOBITS, tls = (s->sh_flags & SHF_TLS) != 0;
    size_t gap = tls ? GAP_SHARED : zeros ? GAP_ZEROS : GAP_DATA;
    if (!zeros) move_to_end(c, s, gap);
    s->sh_size += gap;

    const char *names = c->file + c->names_at;
    if (tls || s->sh_flags & SHF_GROUP || starts_with(names + s->sh_name, ".data.rel")) return;
    uint32_t usual = name_offset(names, c->names_size, zeros ? ".bss" : ".data");
    if (usual) s->sh_name = usual;
}

static bool write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *to = fopen(path, "we");
    bool fine = to && fwrite(bytes, 1, n, to) == n;
    if (to) fine = fclose(to) == 0 && fine;
    return fine;
}

bool objects_add_gaps(const char *path)
{
    Changed c = {0};
    if (!(c.file = read_file(path, &c.size))) return true;
    if (!is_object(c.file, c.size)) {
        free(c.file);
        return true;
    }
    Elf64_Ehdr head;
    memcpy(&head, c.file, sizeof head);
    Elf64_Shdr *sections = must_alloc((head.e_shnum + 1u) * sizeof *sections);
    memcpy(sections, c.file + head.e_shoff, head.e_shnum * sizeof *sections);

    const Elf64_Shdr *names = &sections[head.e_shstrndx];
    bool changed = false, fine = true;
    bool named = names->sh_offset <= c.size && names->sh_size <= c.size - names->sh_offset &&
                 names->sh_size && !c.file[names->sh_offset + names->sh_size - 1];
    c.end = c.size;
    c.names_at = names->sh_offset;
    c.names_size = names->sh_size;
    for (unsigned i = 0; i < head.e_shnum && named; i++) {
        if (!is_variable(&c, &sections[i])) continue;
        add_gap(&c, &sections[i]);
        changed = true;
    }

    if (changed) {
        memcpy(c.file + head.e_shoff, sections, head.e_shnum * sizeof *sections);
        fine = write_bytes(path, c.file, c.end);
    }
    free(sections);
    free(c.file);
    return fine;
}
