#include "sim/hazard/alloc_origin.h"
#include "common/env.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRAILS = 4096,
    MOST_LOOKED_UP = 64,
    FRAMES = 8,
    LINE_BYTES = 1024,
    DEFINITION_LINES = 60,
    LEVELS = 4
};

/* ---- who allocated ---- */

typedef struct Trail {
    TraceSite site;
    const char *call;
    const void *pcs[ALLOC_ORIGIN_DEPTH];
    size_t n;
    uint32_t blocks;          /* allocated so */
    AllocOriginFrame *frames; /* looked up when they are needed */
    size_t n_frames;
} Trail;

static Trail *trails; /* in the order of their first block */
static uint32_t n_trails, slots[2 * MOST_TRAILS];

static bool same_site(TraceSite a, TraceSite b)
{
    return a.line == b.line &&
           (a.file == b.file || (a.file && b.file && strcmp(a.file, b.file) == 0));
}

unsigned alloc_origin_know(TraceSite site, const char *call, const void *const *pcs, size_t n)
{
    uint64_t hash = site.line;
    if (n > ALLOC_ORIGIN_DEPTH) n = ALLOC_ORIGIN_DEPTH;
    if (!site.file || !n) return 0;
    if (!trails) trails = calloc(MOST_TRAILS, sizeof *trails);
    if (!trails) return 0;

    for (size_t i = 0; i < n; i++) hash = (hash ^ (uintptr_t)pcs[i]) * 0x9E3779B97F4A7C15u;
    for (size_t at = hash >> 32;; at++) {
        uint32_t *slot = &slots[at % (2 * MOST_TRAILS)];
        Trail *trail = *slot ? &trails[*slot - 1] : NULL;
        if (trail && (trail->n != n || !same_site(trail->site, site) ||
                      memcmp(trail->pcs, pcs, n * sizeof *pcs)))
            continue;
        if (!trail) {
            if (n_trails == MOST_TRAILS) return 0;
            trail = &trails[n_trails++];
            *trail = (Trail){.site = site, .call = call, .n = n};
            memcpy(trail->pcs, pcs, n * sizeof *pcs);
            *slot = n_trails;
        }
        trail->blocks++;
        return *slot;
    }
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const AllocOriginFrame *frames_of(Trail *trail, AllocOriginFrames *look_up, size_t *n)
{
    if (!trail->frames && look_up &&
        (trail->frames = calloc(FRAMES, sizeof *trail->frames)) != NULL) {
        trail->n_frames = look_up(trail->pcs, trail->n, trail->frames, FRAMES);
        for (size_t i = 0; i < trail->n_frames; i++) { /* a path by which the file can be read */
            AllocOriginFrame *frame = &trail->frames[i];
            if (strcmp(last_part(frame->file), last_part(trail->site.file)) == 0)
                snprintf(frame->file, sizeof frame->file, "%s", trail->site.file);
        }
    }
    *n = trail->frames ? trail->n_frames : 0;
    return trail->frames;
}

/* ---- the text of a line ---- */

static bool is_word_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static const char *find_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_word_char(at[-1])) && !is_word_char(at[strlen(word)])) return at;
    return NULL;
}

bool alloc_origin_line(TraceSite site, char *text, size_t size)
{
    FILE *file = site.file ? fopen(site.file, "re") : NULL;
    const char *sources = getenv(ENV_SOURCES);
    char path[4096];
    if (!file && site.file && sources &&
        snprintf(path, sizeof path, "%s/%s", sources, site.file) < (int)sizeof path)
        file = fopen(path, "re");
    bool found = false;
    if (!file) return false;
    for (uint32_t line = 1; fgets(text, (int)size, file); line++) {
        bool whole = strchr(text, '\n') != NULL;
        if (line == site.line) {
            found = true;
            break;
        }
        while (!whole && fgets(text, (int)size, file)) whole = strchr(text, '\n') != NULL;
    }
    fclose(file);
    return found;
}

/* A line without comments, and with nothing in its strings. */
static bool code_line(TraceSite site, char *line, size_t size)
{
    if (!alloc_origin_line(site, line, size)) return false;
    char quote = 0, *to = line;
    for (const char *c = line; *c; c++) {
        if (quote) {
            if (*c == '\\' && c[1]) c++;
            else if (*c == quote) quote = 0;
            if (quote) continue;
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else if (c[0] == '/' && c[1] == '/') {
            break;
        } else if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            if (!end) break;
            c = end + 1;
            continue;
        }
        *to++ = *c;
    }
    *to = 0;
    return true;
}

/* Past "<...>" of a template and spaces, at the '(' of a call; NULL: no call. */
static const char *open_of(const char *at)
{
    at += strspn(at, " ");
    for (int depth = 0; *at == '<' || depth; at++) {
        if (!*at) return NULL;
        if (*at == '<') depth++;
        if (*at == '>' && --depth == 0) {
            at++;
            break;
        }
    }
    at += strspn(at, " ");
    return *at == '(' ? at : NULL;
}

static const char *next_call(const char *text, const char *function)
{
    for (const char *at = text; (at = find_word(at, function)) != NULL; at++)
        if (open_of(at + strlen(function))) return at;
    return NULL;
}

static unsigned count_calls(const char *line, const char *function)
{
    unsigned n = 0;
    for (const char *at = line; (at = next_call(at, function)) != NULL; at++) n++;
    return n;
}

static const char *nth_call(const char *line, const char *function, unsigned n)
{
    const char *at = next_call(line, function);
    while (at && n--) at = next_call(at + 1, function);
    return at;
}

/* An argument of a call (from 0), as text; false when it has fewer. */
static bool argument(const char *open, int wanted, const char **begin, const char **end)
{
    int depth = 0, n = 0;
    const char *from = open + 1;
    for (const char *at = from; *at && *at != '\n'; at++) {
        if (*at == '(' || *at == '[' || *at == '{') depth++;
        bool closes = *at == ')' || *at == ']' || *at == '}';
        bool over = (closes && depth == 0) || (*at == ',' && depth == 0);
        if (closes) depth--;
        if (!over) continue;
        *begin = from;
        *end = at;
        if (n++ == wanted) return true;
        if (closes) return false;
        from = at + 1;
    }
    *begin = from;
    *end = from + strcspn(from, "\n"); /* the call goes on in the next line */
    return n == wanted && *end > from;
}

/* The variable in an argument, without casts and '&': "(void **)&d_buf" is d_buf. */
static bool variable_in(const char *begin, const char *end, char *name, size_t size)
{
    for (const char *c = begin; c < end; c++) { /* past casts */
        while (c < end && (*c == ' ' || *c == '&' || *c == '*')) c++;
        begin = c;
        if (c < end && *c == '(') {
            const char *close = memchr(c, ')', (size_t)(end - c));
            if (!close || close + 1 >= end) return false;
            c = close;
            begin = close + 1;
            continue;
        }
        break;
    }
    while (begin < end && (*begin == ' ' || *begin == '&')) begin++;
    const char *stop = begin;
    while (stop < end &&
           (is_word_char(*stop) || *stop == '.' || (stop[0] == '-' && stop[1] == '>') ||
            (stop[0] == '>' && stop > begin && stop[-1] == '-')))
        stop++;
    if (stop < end && *stop == '[') {
        const char *close = memchr(stop, ']', (size_t)(end - stop));
        if (close) stop = close + 1;
    }
    if (stop == begin || (*begin >= '0' && *begin <= '9')) return false;
    snprintf(name, size, "%.*s", (int)(stop - begin < 60 ? stop - begin : 60), begin);
    return true;
}

static bool variable_of(const char *open, int wanted, char *name, size_t size)
{
    const char *begin, *end;
    return argument(open, wanted, &begin, &end) && variable_in(begin, end, name, size);
}

/* ---- which of several calls on a line ---- */

/* Does each statement of the line happen, and one after the other? */
static bool is_straight(const char *line, const char *function)
{
    static const char *const words[] = {"if", "else", "switch", "case", "goto", "default"};
    if (strchr(line, '?') || strstr(line, "&&") || strstr(line, "||")) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (find_word(line, words[i])) return false;
    const char *from = line, *first = next_call(line, function);
    int depth = 0;
    for (const char *at = line; (at = next_call(at, function)) != NULL; at++) {
        bool apart = memchr(from, ';', (size_t)(at - from)) != NULL;
        for (; from < at; from++) depth += (*from == '(') - (*from == ')');
        if (depth && !apart && at != first) return false; /* arguments of one call have no order */
    }
    return true;
}

/* By the return addresses at a level of the trails (0: in the line that allocates): the how-manieth
 * call of the line this trail came through. False when that does not fit `calls` of them. */
static bool which_call(const Trail *wanted, size_t level, unsigned calls,
                       AllocOriginFrames *look_up, unsigned *which)
{
    const void *seen[MOST_LOOKED_UP];
    size_t n = 0, looked_up = 0, n_frames;
    Trail *own = (Trail *)(uintptr_t)wanted;
    const AllocOriginFrame *ours = frames_of(own, look_up, &n_frames);
    bool found = false;
    if (n_frames <= level) return false;

    for (uint32_t i = 0; i < n_trails; i++) {
        Trail *trail = &trails[i];
        if (!same_site(trail->site, wanted->site) || strcmp(trail->call, wanted->call) != 0)
            continue;
        if (looked_up++ == MOST_LOOKED_UP) return false;
        const AllocOriginFrame *frames = frames_of(trail, look_up, &n_frames);
        if (n_frames <= level) return false;
        const AllocOriginFrame *frame = &frames[level];
        if (frame->line != ours[level].line || strcmp(frame->file, ours[level].file) != 0) continue;
        if (strcmp(frame->function, ours[level].function) != 0) return false;
        size_t k = 0;
        while (k < n && seen[k] != trail->pcs[frame->pc]) k++;
        if (k == n) seen[n++] = trail->pcs[frame->pc];
        if (trail != own) continue;
        *which = (unsigned)k;
        found = true;
    }
    return found && n <= calls;
}

/* ---- what the line that allocates says ---- */

static bool name_where_made(const AllocOrigin *m, const Trail *trail, AllocOriginFrames *look_up,
                            char *name, size_t size)
{
    static const char *const prefixes[] = {"cudaMalloc", "cudaHostAlloc", "cudaHostRegister",
                                           "cuMemAlloc"};
    char line[LINE_BYTES];
    const char *call = m->call;
    bool pageable = m->pageable;
    unsigned calls, which = 0;
    if (!code_line(m->made, line, sizeof line)) return false;
    if (!pageable && (calls = count_calls(line, call)) > 0) {
        if (calls > 1 &&
            (!trail || !is_straight(line, call) || !which_call(trail, 0, calls, look_up, &which)))
            return false;
        return variable_of(open_of(nth_call(line, call, which) + strlen(call)), 0, name, size);
    }

    /* by a call of another name: cudaMemcpy for pageable memory, another form of the one that is
     * told */
    const char *only = NULL, *open;
    for (size_t i = 0; i < (pageable ? 1 : sizeof prefixes / sizeof *prefixes); i++) {
        const char *prefix = pageable ? call : prefixes[i];
        for (const char *at = line; (at = strstr(at, prefix)) != NULL; at += strlen(prefix)) {
            const char *end = at;
            while (is_word_char(*end)) end++;
            if (end[strspn(end, " ")] != '(') continue; /* cudaMemcpyHostToDevice */
            if (only) return false;
            only = at;
        }
    }
    return only && (open = strchr(only, '(')) != NULL &&
           variable_of(open, pageable ? m->argument : 0, name, size);
}

/* ---- what the caller of a function that allocates says ---- */

/* "std::vector<T>::f<int>": f */
static void base_of(const char *function, char *base, size_t size)
{
    size_t n = 0;
    int depth = 0;
    for (const char *c = function; *c; c++) {
        if (*c == '<') depth++;
        else if (*c == '>') depth--;
        else if (*c == ':' && depth == 0) n = 0;
        else if (depth == 0 && n + 1 < size) base[n++] = *c;
    }
    base[n] = 0;
}

/* Is it a constructor? "Buffer<int>::Buffer" */
static bool is_constructor(const char *function, const char *base)
{
    const char *end = strrchr(function, ':');
    char class[128];
    if (!end || end == function) return false;
    snprintf(class, sizeof class, "%.*s", (int)(end - 1 - function), function);
    base_of(class, class, sizeof class);
    return strcmp(class, base) == 0;
}

typedef enum Way { BY_NO_WAY, BY_ARGUMENT, BY_RESULT } Way;

/* How a function hands its variable to its caller; the function's text begins above `inside`. */
static Way way_out(TraceSite inside, const char *function, const char *variable, int *which)
{
    char line[LINE_BYTES];
    TraceSite at = inside;
    for (int up = 0; at.line && up < DEFINITION_LINES; up++, at.line--) {
        const char *name = code_line(at, line, sizeof line) ? next_call(line, function) : NULL,
                   *begin, *end;
        if (!name) continue;
        name = open_of(name + strlen(function));
        for (*which = 0; argument(name, *which, &begin, &end); ++*which) {
            char parameter[200];
            snprintf(parameter, sizeof parameter, "%.*s", (int)(end - begin), begin);
            if (!find_word(parameter, variable)) continue;
            const char *star = strchr(parameter, '*');
            return strchr(parameter, '&') || (star && strchr(star + 1, '*')) ? BY_ARGUMENT
                                                                             : BY_NO_WAY;
        }
        break;
    }

    at = inside;
    for (int down = 0; down < DEFINITION_LINES && code_line(at, line, sizeof line);
         down++, at.line++) {
        const char *back = find_word(line, "return");
        char name[96];
        if (back &&
            variable_in(back + strlen("return"), back + strcspn(back, ";"), name, sizeof name) &&
            strcmp(name, variable) == 0)
            return BY_RESULT;
        if (line[0] == '}') break;
    }
    return BY_NO_WAY;
}

static const char *back_over_spaces(const char *line, const char *at)
{
    while (at > line && at[-1] == ' ') at--;
    return at;
}

/* What a call's result is assigned to. *returned: it is handed on. */
static bool assigned_to(const char *line, const char *at, char *name, size_t size, bool *returned)
{
    for (bool more = true; more;) { /* over qualifiers and casts */
        at = back_over_spaces(line, at);
        more = false;
        if (at > line && at[-1] == ')') {
            while (at > line && *at != '(') at--;
            more = true;
        } else if (at > line + 1 && at[-1] == '(' && at[-2] == '>') {
            while (at > line && *at != '<') at--;
            while (at > line && is_word_char(at[-1])) at--;
            more = true;
        } else if (at > line + 1 && at[-1] == ':') {
            while (at > line && (is_word_char(at[-1]) || at[-1] == ':')) at--;
            more = true;
        }
    }
    *returned = at - line >= 6 && strncmp(at - 6, "return", 6) == 0;
    if (at == line || at[-1] != '=' || (at - 1 > line && strchr("=!<>+-*/|&^", at[-2])))
        return false;
    const char *end = back_over_spaces(line, at - 1), *begin = end;
    while (begin > line) {
        if (begin[-1] == ']') {
            while (begin > line && *begin != '[') begin--;
            continue;
        }
        bool arrow = begin > line + 1 && begin[-1] == '>' && begin[-2] == '-';
        if (!arrow && !is_word_char(begin[-1]) && begin[-1] != '.') break;
        begin -= arrow ? 2 : 1;
    }
    if (begin == end) return false;
    snprintf(name, size, "%.*s", (int)(end - begin < 60 ? end - begin : 60), begin);
    return true;
}

/* "Buffer<int> a(100);" is a.data, when Buffer's constructor allocates data. */
static bool constructed(const char *line, const char *class, const char *member, char *name,
                        size_t size)
{
    const char *at = find_word(line, class), *end;
    if (!at || find_word(at + 1, class)) return false;
    at += strlen(class);
    if (*at == '<') at = (end = strchr(at, '>')) ? end + 1 : at;
    at += strspn(at, " ");
    for (end = at; is_word_char(*end); end++) {}
    if (end == at || !strchr("({;=", end[strspn(end, " ")]) || strchr(end, ',')) return false;
    snprintf(name, size, "%.*s.%.60s", (int)(end - at), at, member);
    return true;
}

/* The name that a caller has for what a function calls `variable`, which is a variable of its
 * own. */
static bool name_by_caller(const Trail *trail, AllocOriginFrames *look_up, const char *variable,
                           char *name, size_t size, size_t *level)
{
    size_t n;
    const AllocOriginFrame *frames = frames_of((Trail *)(uintptr_t)trail, look_up, &n);
    char local[100], line[LINE_BYTES], base[128];
    bool handed_on = false, returned = false;
    snprintf(local, sizeof local, "%s", variable);
    for (*level = 1; *level < n && *level < LEVELS; ++*level) {
        const AllocOriginFrame *inside = &frames[*level - 1], *outside = &frames[*level];
        TraceSite within = {inside->file, inside->line}, at = {outside->file, outside->line};
        int parameter = 0;
        unsigned which = 0, calls;
        base_of(inside->function, base, sizeof base);
        if (!code_line(at, line, sizeof line)) return false;
        if (is_constructor(inside->function, base)) {
            const char *member = strncmp(local, "this->", 6) ? local : local + 6;
            return constructed(line, base, member, name, size);
        }
        calls = count_calls(line, base);
        Way way = handed_on               ? BY_RESULT
                  : strpbrk(local, ".[-") ? BY_NO_WAY
                                          : way_out(within, base, local, &parameter);
        if (!calls || way == BY_NO_WAY) return false;
        if (calls > 1 &&
            (!is_straight(line, base) || !which_call(trail, *level, calls, look_up, &which)))
            return false;
        const char *call = nth_call(line, base, which);
        if (way == BY_RESULT && assigned_to(line, call, name, size, &returned)) return true;
        if (way == BY_RESULT) {
            if (!returned) return false;
            handed_on = true; /* `return dev(n);`: the caller has no name for it itself */
            continue;
        }
        if (!variable_of(open_of(call + strlen(base)), parameter, name, size)) return false;
        if (way_out(at, outside->function, name, &parameter) != BY_ARGUMENT || *level + 1 >= n)
            return true;
        snprintf(local, sizeof local, "%s", name); /* a parameter of the caller's, too */
    }
    return false;
}

bool alloc_origin_name(const AllocOrigin *m, AllocOriginFrames *look_up, char *name, size_t size,
                       TraceSite *caller)
{
    const Trail *trail = m->trail && m->trail <= n_trails ? &trails[m->trail - 1] : NULL;
    uint32_t blocks = 0, ways = 0;
    char callers[96];
    size_t level = 1, n;
    bool named = name_where_made(m, trail, look_up, name, size);
    *caller = (TraceSite){NULL, 0};
    if (!named) *name = 0;

    for (uint32_t i = 0; trail && i < n_trails; i++) {
        if (!same_site(trails[i].site, trail->site)) continue;
        blocks += trails[i].blocks;
        ways++;
    }
    if (blocks < 2 || !look_up || (ways < 2 && (!named || strpbrk(name, ".[-")))) return named;
    const AllocOriginFrame *frames = frames_of((Trail *)(uintptr_t)trail, look_up, &n);
    if (n < 2 || frames[0].line != m->made.line || strcmp(frames[0].function, "main") == 0)
        return named;

    bool better = named && name_by_caller(trail, look_up, name, callers, sizeof callers, &level);
    if (better) snprintf(name, size, "%.90s", callers);
    if (better || ways > 1)
        *caller = (TraceSite){frames[better ? level : 1].file, frames[better ? level : 1].line};
    return named;
}
