/* place.c - what lies at an address: blocks, variables of the program in device memory, pageable
 * memory. */
#include "sim/runtime/place.h"
#include "sim/hazard/hazard.h"
#include "sim/hazard/symbols.h"
#include "sim/memory/peers.h"
#include "sim/memory/variables.h"
#include "sim/runtime/pool.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool place_is_reached(int device, const void *address)
{
    const MemoryBlock *block = memory_find(address);
    return !block || peers_reach(device, block);
}

/* Of a device's own address of a variable. */
static void own_place(uintptr_t address, Place *place)
{
    uintptr_t in_place = 0;
    int device = 0;
    *place = (Place){.kind = TRACE_MEM_DEVICE, .offset = address, .dead = true};
    if (!variables_find(address, &in_place, &device) || !symbol_find((const void *)in_place, place))
        return;
    place->offset = address;
    place->device = device;
}

Place place_of(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    const MemoryBlock *block = memory_find(address);
    Place place = {.kind = TRACE_MEM_PAGEABLE, .offset = at, .room = SIZE_MAX, .device = -1};
    if (block && block->variables) {
        own_place(at, &place);
        return place;
    }
    if (block)
        return (Place){.kind = block->kind,
                       .alloc = block->id,
                       .offset = at - block->address,
                       .room = block->bytes - (at - block->address),
                       .dead = block->leaving.file != NULL,
                       .device = block->device};
    if (at - memory_base < memory_span) {
        place.dead = true;
        place.kind = at - memory_base < memory_device_span ? TRACE_MEM_DEVICE : TRACE_MEM_PINNED;
        place.room = 0;
        return place;
    }
    symbol_find(address, &place);
    return place;
}

/* ---- variables ---- */

typedef struct Symbol {
    uintptr_t address;
    size_t bytes;
    bool managed;
    const char *name;      /* NULL: none that anyone could ask for */
    bool looked, constant; /* nobody can change it, as the program's file says: looked at once */
    bool shared;           /* the devices' own have addresses (variables.h) */
    char *images; /* else: what they hold, one device after the other; NULL: all the same */
} Symbol;
static Symbol *symbols; /* sorted by address */
static size_t n_symbols, room;

/* The first symbol that starts after address. */
static size_t after(uintptr_t address)
{
    size_t low = 0, high = n_symbols;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

void symbol_know(const void *address, size_t bytes, bool managed)
{
    uintptr_t at = (uintptr_t)address;
    size_t i = after(at);
    if (managed) hazard_track(address, bytes); /* of a library that is loaded while it runs */
    if (i && symbols[i - 1].address == at) {
        if (symbols[i - 1].bytes < bytes && !symbols[i - 1].shared && !symbols[i - 1].images)
            symbols[i - 1].bytes = bytes;
        symbols[i - 1].managed |= managed;
        return;
    }
    if (n_symbols == room) {
        room = room ? 2 * room : 64;
        symbols = realloc(symbols, room * sizeof *symbols);
        if (!symbols) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory");
    }
    for (size_t k = n_symbols; k > i; k--) symbols[k] = symbols[k - 1];
    symbols[i] = (Symbol){.address = at, .bytes = bytes, .managed = managed};
    n_symbols++;
}

static void know_one(const Variable *variable, void *arg)
{
    symbol_know((const void *)variable->address, variable->bytes, *(const bool *)arg);
}

void symbols_know_like(const void *beside, const char *name, bool managed)
{
    symbols_like((uintptr_t)beside, name, know_one, &managed);
}

void symbol_name(const void *address, const char *name)
{
    size_t i = after((uintptr_t)address);
    if (i && symbols[i - 1].address == (uintptr_t)address) symbols[i - 1].name = name;
}

const void *symbol_named(const char *name)
{
    for (size_t i = 0; i < n_symbols; i++)
        if (symbols[i].name && !strcmp(symbols[i].name, name))
            return (const void *)symbols[i].address;
    return NULL;
}

/* Whose variables are in place. */
static int in_place;

/* All devices begin with what the program's file has. What a library brings later is, for all of
 * them, what it holds then. */
static void begin_images(Symbol *symbol)
{
    symbol->images = malloc(symbol->bytes * (size_t)runtime.devices);
    if (!symbol->images) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory");
    for (int i = 0; i < runtime.devices; i++)
        memcpy(symbol->images + symbol->bytes * (size_t)i, (const void *)symbol->address,
               symbol->bytes);
}

static char *image(const Symbol *symbol, int device)
{
    return symbol->images + symbol->bytes * (size_t)device;
}

static bool is_apart(const Symbol *symbol)
{
    return !symbol->managed && !symbol->shared && symbol->bytes;
}

static bool has_images(Symbol *symbol)
{
    if (!is_apart(symbol)) return false;
    if (!symbol->looked) symbol->constant = !variables_change(symbol->address);
    symbol->looked = true;
    return !symbol->constant;
}

void symbols_of(int device)
{
    if (runtime.devices < 2) return;
    for (size_t i = 0; i < n_symbols; i++)
        if (has_images(&symbols[i]) && !symbols[i].images) begin_images(&symbols[i]);
    if (in_place == device) return;
    for (size_t i = 0; i < n_symbols; i++)
        if (has_images(&symbols[i]))
            memcpy(image(&symbols[i], in_place), (const void *)symbols[i].address,
                   symbols[i].bytes);
    variables_in_place(device);
    for (size_t i = 0; i < n_symbols; i++)
        if (has_images(&symbols[i]))
            memcpy((void *)symbols[i].address, image(&symbols[i], device), symbols[i].bytes);
    in_place = device;
}

/* Every device's variables get addresses of their own, with what they hold now. */
static bool share_symbols(void)
{
    VariableRange *ranges = malloc((n_symbols + 1) * sizeof *ranges);
    size_t n = 0;
    if (!ranges) return false;
    symbols_of(in_place);
    for (size_t i = 0; i < n_symbols; i++)
        if (is_apart(&symbols[i]))
            ranges[n++] =
                (VariableRange){symbols[i].address, symbols[i].address + symbols[i].bytes};
    bool done = !n || variables_share(ranges, n, runtime.devices, in_place);
    free(ranges);
    if (!done) return false;

    for (size_t i = 0; i < n_symbols; i++) {
        Symbol *symbol = &symbols[i];
        if (!is_apart(symbol)) continue;
        for (int k = 0; symbol->images && k < runtime.devices; k++)
            if (k != in_place)
                memcpy((void *)variables_address(symbol->address, k), image(symbol, k),
                       symbol->bytes);
        free(symbol->images);
        symbol->images = NULL;
        symbol->shared = true;
    }
    return true;
}

bool symbol_address(const void *symbol, int device, void **address)
{
    size_t i = after((uintptr_t)symbol);
    *address = (void *)(uintptr_t)symbol;
    if (runtime.devices < 2 || !i || symbols[i - 1].managed) return true;
    if (!symbols[i - 1].shared && !share_symbols()) return false;
    *address = (void *)variables_address((uintptr_t)symbol, device);
    return true;
}

const void *symbol_of_device(const void *address, int *device)
{
    uintptr_t at = 0;
    bool own = (uintptr_t)address - memory_base < memory_device_span &&
               variables_find((uintptr_t)address, &at, device);
    return own ? (const void *)at : address;
}

bool symbols_own(uintptr_t address, size_t bytes)
{
    size_t i = after(address), n = 0;
    if (i && address - symbols[i - 1].address < symbols[i - 1].bytes) i--;
    for (; i < n_symbols && symbols[i].address < address + bytes; i++, n++)
        if (symbols[i].managed) return false;
    return n > 0;
}

void symbols_managed(void (*visit)(const void *address, size_t bytes))
{
    for (size_t i = 0; i < n_symbols; i++)
        if (symbols[i].managed) visit((const void *)symbols[i].address, symbols[i].bytes);
}

void symbols_all(void (*visit)(const void *address, size_t bytes))
{
    for (size_t i = 0; i < n_symbols; i++)
        visit((const void *)symbols[i].address, symbols[i].bytes);
}

void symbol_guess(const void *address, size_t bytes)
{
    Dl_info info;
    size_t i = after((uintptr_t)address);
    bool known = i && (uintptr_t)address - symbols[i - 1].address < symbols[i - 1].bytes;
    if (!known && dladdr(address, &info)) symbol_know(address, bytes, false);
}

bool symbol_find(const void *address, Place *place)
{
    uintptr_t at = (uintptr_t)address;
    size_t i = after(at);
    if (!i || at - symbols[i - 1].address >= symbols[i - 1].bytes) return false;
    const Symbol *symbol = &symbols[i - 1];
    *place = (Place){.kind = symbol->managed ? TRACE_MEM_MANAGED : TRACE_MEM_DEVICE,
                     .alloc = 0,
                     .offset = symbol->managed ? at - symbol->address : at,
                     .room = symbol->address + symbol->bytes - at,
                     .device = call_device()};
    return true;
}

/* ---- blocks come and go ---- */

void block_made(const Call *call, const MemoryBlock *block) { TELL(memory_made, call, block); }
void block_gone(const Call *call, const MemoryBlock *block) { TELL(memory_gone, call, block); }
void block_about_to_go(const Call *call, const MemoryBlock *block, bool waits)
{
    TELL(frees, call, block, waits);
}

void block_give_back(const Call *call, MemoryBlock *block)
{
    block_gone(call, block);
    if (block->piece) pool_give(block, NULL, 0);
    memory_release(block, call->site);
}

/* ---- reset ---- */

typedef struct Found {
    const MemoryBlock **blocks;
    size_t n, room;
    int device;
} Found;

static void collect(const MemoryBlock *block, void *arg)
{
    Found *found = arg;
    if (block->variables) return;
    if (block->device >= 0 ? block->device != found->device : found->device != 0) return;
    if (found->n == found->room) {
        found->room = found->room ? 2 * found->room : 64;
        found->blocks = realloc(found->blocks, found->room * sizeof *found->blocks);
        if (!found->blocks) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory");
    }
    found->blocks[found->n++] = block;
}

void places_reset(const Call *call, int device)
{
    Found found = {.device = device};
    memory_each(collect, &found);
    for (size_t i = 0; i < found.n; i++)
        block_give_back(call, (MemoryBlock *)(uintptr_t)found.blocks[i]);
    free(found.blocks);
    pool_reset(device, call->site);
}
