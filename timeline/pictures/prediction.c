/* prediction.c - see prediction.h. */
#include "timeline/pictures/prediction.h"
#include <stdlib.h>
#include <string.h>
#include "common/utf8.h"
#include "timeline/pictures/schedule.h"
#include "timeline/trace/analysis.h"

enum { LABEL = 400, SAID = 700 };

/* ---- reading ---- */

typedef struct Reading {
    Prediction *to;
    int line;
    char *error;
    size_t error_size;
} Reading;

static bool refuse(const Reading *r, const char *why, const char *what, size_t length)
{
    char safe[100], shown[60];
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 40 ? length : 40), what);
    snprintf(r->error, r->error_size, "line %d: %s%s%s", r->line, *shown ? "'" : "",
             utf8_safe(shown, safe, sizeof safe), *shown ? "'" : "");
    size_t used = strlen(r->error);
    snprintf(r->error + used, r->error_size - used, "%s%s", *shown ? " " : "", why);
    return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static const char *skip(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) at++;
    return at;
}

/* A row's number; NULL when there is none. */
static const char *number(const char *at, const char *end, uint32_t *value)
{
    const char *begin = at;
    uint64_t n = 0;
    while (at < end && *at >= '0' && *at <= '9' && n <= PREDICTION_ROWS)
        n = 10 * n + (uint64_t)(*at++ - '0');
    *value = (uint32_t)n;
    return at > begin && n <= PREDICTION_ROWS ? at : NULL;
}

static bool add(const Reading *r, const char *label, size_t length, uint32_t row)
{
    Prediction *to = r->to;
    if (!length || *label == '|') return true; /* it goes on */
    if (length >= LABEL) return refuse(r, "is too long for a label", label, length);
    if (to->n == PREDICTION_CELLS) return refuse(r, "more operations than can be put", "", 0);
    if ((to->n & (to->n - 1)) == 0) { /* full at each power of two */
        size_t room = to->n ? 2 * (size_t)to->n : 1;
        PredictionCell *more = realloc(to->cells, room * sizeof *more);
        if (!more) return refuse(r, "not enough memory", "", 0);
        to->cells = more;
    }
    char *copy = strndup(label, length);
    if (!copy) return refuse(r, "not enough memory", "", 0);
    to->cells[to->n++] = (PredictionCell){copy, row, r->line};
    return true;
}

/* What stands behind the colon. A label may have brackets in it: a[0]. */
static bool read_cells(const Reading *r, const char *at, const char *end, uint32_t row)
{
    while ((at = skip(at, end)) < end && *at != '#') {
        if (end - at >= 6 && !strncmp(at, "(idle)", 6)) {
            at += 6;
            continue;
        }
        int depth = 0;
        const char *close = at;
        if (*at != '[')
            return refuse(r, "is no cell: an operation stands in brackets, [K1]", at,
                          (size_t)(end - at));
        for (; close < end; close++) {
            depth += (*close == '[') - (*close == ']');
            if (!depth) break;
        }
        if (close == end) return refuse(r, "has no closing bracket", at, (size_t)(end - at));
        const char *label = skip(at + 1, close), *last = close;
        while (last > label && is_blank(last[-1])) last--;
        if (!add(r, label, (size_t)(last - label), row)) return false;
        at = close + 1;
    }
    return true;
}

static bool read_row(const Reading *r, const char *at, const char *end)
{
    uint32_t row, last;
    const char *rest = number(at, end, &row);
    if (rest && end - rest > 2 && !strncmp(rest, "..", 2)) {
        rest = number(rest + 2, end, &last);
        if (rest && last < row) rest = NULL;
    }
    if (!rest || rest == end || *rest != ':')
        return refuse(r, "is no row: t=2: [K1]", at - 2, (size_t)(end - at) + 2);
    return read_cells(r, rest + 1, end, row);
}

static int by_label(const void *a, const void *b)
{
    const PredictionCell *x = a, *y = b;
    int order = strcmp(x->label, y->label);
    return order ? order : x->line - y->line;
}

/* An operation starts once. */
static bool all_once(Reading *r)
{
    PredictionCell *sorted = malloc((r->to->n + 1) * sizeof *sorted);
    bool fine = sorted != NULL;
    if (!fine) return refuse(r, "not enough memory", "", 0);
    memcpy(sorted, r->to->cells, r->to->n * sizeof *sorted);
    qsort(sorted, r->to->n, sizeof *sorted, by_label);
    for (uint32_t i = 1; i < r->to->n && fine; i++) {
        if (strcmp(sorted[i].label, sorted[i - 1].label) != 0) continue;
        r->line = sorted[i].line;
        fine = refuse(r, "stands in an earlier row, too: it starts once", sorted[i].label,
                      strlen(sorted[i].label));
    }
    free(sorted);
    return fine;
}

bool prediction_read(Prediction *prediction, const char *text, size_t length, char *error,
                     size_t error_size)
{
    *prediction = (Prediction){0};
    Reading r = {prediction, 0, error, error_size};
    if (memchr(text, '\0', length)) {
        snprintf(error, error_size, "this is no text");
        return false;
    }
    for (const char *at = text, *end = text + length, *next; at < end; at = next) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        r.line++;
        next = stop ? stop + 1 : end;
        if (!stop) stop = end;
        at = skip(at, stop);
        if (stop - at < 2 || strncmp(at, "t=", 2) != 0) continue;
        if (!read_row(&r, at + 2, stop)) return false;
    }
    return !prediction->n || all_once(&r);
}

void prediction_release(Prediction *prediction)
{
    for (uint32_t i = 0; i < prediction->n; i++) free(prediction->cells[i].label);
    free(prediction->cells);
    *prediction = (Prediction){0};
}

/* ---- held against what happened ---- */

/* The rows of what happened are those of its drawing. */
static bool read_happened(Prediction *happened, const Trace *trace, const Labels *labels)
{
    char error[200];
    size_t length;
    char *text = schedule_cells(trace, labels_range(labels), &length);
    *happened = (Prediction){0};
    if (!text) return false;
    prediction_read(happened, text, length, error, sizeof error);
    free(text);
    return true;
}

static int by_row(const void *a, const void *b)
{
    const Surprise *x = a, *y = b;
    uint32_t first = x->put < x->is ? x->put : x->is, second = y->put < y->is ? y->put : y->is;
    if (first != second) return first < second ? -1 : 1;
    if (x->op != y->op) return x->op < y->op ? -1 : 1;
    return strcmp(x->label, y->label);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, ((const PredictionCell *)b)->label);
}

static const PredictionCell *find(const PredictionCell *sorted, uint32_t n, const char *label)
{
    return n ? bsearch(&label, sorted, n, sizeof *sorted, by_name) : NULL;
}

static PredictionCell *sorted_copy(const Prediction *p)
{
    PredictionCell *sorted = malloc((p->n + 1) * sizeof *sorted);
    if (!sorted) return NULL;
    if (p->n) memcpy(sorted, p->cells, p->n * sizeof *sorted);
    qsort(sorted, p->n, sizeof *sorted, by_label);
    return sorted;
}

static int by_its_label(const void *a, const void *b)
{
    return strcmp(((const Surprise *)a)->label, ((const Surprise *)b)->label);
}

/* Which operations the labels are; so that reasons can be told. Of several the first; there may be
 * as many surprises as operations. */
static void find_ops(Outlook *o, const Labels *labels)
{
    uint32_t n;
    const uint32_t *order = labels_order(labels, &n);
    char label[LABEL];
    qsort(o->surprises, o->n, sizeof *o->surprises, by_its_label);
    for (uint32_t i = 0; i < n && o->n; i++) {
        const Surprise wanted = {.label = labels_op(labels, order[i], label, sizeof label)};
        Surprise *found = bsearch(&wanted, o->surprises, o->n, sizeof *o->surprises, by_its_label);
        Surprise *end = o->surprises + o->n;
        while (found && found > o->surprises && !by_its_label(found - 1, &wanted)) found--;
        for (; found && found < end && !by_its_label(found, &wanted); found++)
            if (!found->op) found->op = order[i];
    }
}

Outlook *outlook_new(const Prediction *expected, const Trace *trace, const Labels *labels)
{
    Outlook *o = calloc(1, sizeof *o);
    PredictionCell *put = sorted_copy(expected), *is = NULL;
    bool fine =
        o && put && read_happened(&o->happened, trace, labels) &&
        (is = sorted_copy(&o->happened)) &&
        (o->surprises = calloc((size_t)expected->n + o->happened.n + 1, sizeof *o->surprises));
    for (uint32_t i = 0; fine && i < o->happened.n; i++) {
        const PredictionCell *it = &o->happened.cells[i],
                             *there = find(put, expected->n, it->label);
        o->n_ops++;
        if (there && there->row == it->row) o->n_right++;
        else
            o->surprises[o->n++] =
                (Surprise){0, it->label, there ? there->row : PREDICTION_NONE, it->row};
    }
    for (uint32_t i = 0; fine && i < expected->n; i++) {
        const PredictionCell *it = &expected->cells[i];
        if (!find(is, o->happened.n, it->label))
            o->surprises[o->n++] = (Surprise){0, it->label, it->row, PREDICTION_NONE};
    }
    free(put);
    free(is);
    if (!fine) {
        outlook_free(o);
        return NULL;
    }
    find_ops(o, labels);
    qsort(o->surprises, o->n, sizeof *o->surprises, by_row);
    return o;
}

void outlook_free(Outlook *o)
{
    if (!o) return;
    prediction_release(&o->happened);
    free(o->surprises);
    free(o);
}

const char *outlook_say(const Outlook *o, const Trace *trace, const Labels *labels,
                        uint32_t surprise, char *text, size_t size)
{
    const Surprise *s = &o->surprises[surprise];
    char label[LABEL], why[SAID] = "";
    utf8_safe(s->label, label, sizeof label);
    if (s->op) analysis_explain_with(trace, labels, s->op, why, sizeof why);
    if (!s->op)
        snprintf(text, size, "You put %s at t=%u: there is none in this run", label, s->put);
    else if (s->is == PREDICTION_NONE)
        snprintf(text, size, "You put %s at t=%u: it never started", label, s->put);
    else if (s->put == PREDICTION_NONE)
        snprintf(text, size, "You left out %s: it started at t=%u", label, s->is);
    else if (s->put < s->is)
        snprintf(text, size, "You put %s at t=%u; it started at t=%u: %s", label, s->put, s->is,
                 why);
    else
        snprintf(text, size,
                 "You put %s at t=%u; it started at t=%u already, and nothing held it "
                 "longer: %s",
                 label, s->put, s->is, why);
    return text;
}

/* ---- writing ---- */

const char *prediction_lane(const char *label)
{
    static const struct {
        const char *stem, *lane;
    } lanes[] = {{"H2D", "H2D"},    {"D2H", "D2H"},     {"D2D", "D2D"},
                 {"H2H", "H2H"},    {"P2P", "P2P"},     {"SET", "Sets"},
                 {"F", "Host fns"}, {"CB", "Host fns"}, {"G", "Graphs"}};
    size_t length = strlen(label);
    while (length > 0 && label[length - 1] >= '0' && label[length - 1] <= '9') length--;
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        if (length == strlen(lanes[i].stem) && !strncmp(label, lanes[i].stem, length))
            return lanes[i].lane;
    return "Kernels";
}

static int by_time(const void *a, const void *b)
{
    const PredictionCell *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return x->line - y->line;
}

int prediction_write(FILE *out, const Prediction *p)
{
    PredictionCell *sorted = malloc((p->n + 1) * sizeof *sorted);
    if (!sorted) return -1;
    if (p->n) memcpy(sorted, p->cells, p->n * sizeof *sorted);
    qsort(sorted, p->n, sizeof *sorted, by_time);
    for (uint32_t i = 0; i < p->n; i++) {
        if (!i || sorted[i].row != sorted[i - 1].row) fprintf(out, "t=%u:", sorted[i].row);
        fprintf(out, " [%s]", sorted[i].label);
        if (i + 1 == p->n || sorted[i + 1].row != sorted[i].row) fputc('\n', out);
    }
    free(sorted);
    return ferror(out) ? -1 : 0;
}

int prediction_template(FILE *out, const Prediction *p, const char *of, uint32_t rows)
{
    fprintf(
        out,
        "# What do you expect of `%s`? Put each operation into the row of the time at which it\n"
        "# starts: t=1: [K0] [H2D1]. Then run the exercise: it says where you were right, and why\n"
        "# the others came at another time. Nothing of it is graded.\n",
        of);
    for (uint32_t row = 0; row < rows; row++) fprintf(out, "t=%u:\n", row);
    fputs("# There are:\n", out);
    bool *told = calloc(p->n + 1, sizeof *told);
    for (uint32_t i = 0; told && i < p->n; i++) {
        if (told[i]) continue;
        const char *lane = prediction_lane(p->cells[i].label);
        fprintf(out, "#   %-8s", lane);
        for (uint32_t k = i; k < p->n; k++) {
            if (strcmp(prediction_lane(p->cells[k].label), lane) != 0) continue;
            told[k] = true;
            fprintf(out, " [%s]", p->cells[k].label);
        }
        fputc('\n', out);
    }
    bool fine = told && !ferror(out);
    free(told);
    return fine ? 0 : -1;
}
