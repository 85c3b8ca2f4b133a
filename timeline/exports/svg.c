#include "timeline/exports/svg.h"
#include "timeline/exports/export.h"

#include <stdlib.h>
#include <string.h>

#include "common/markup.h"
#include "timeline/trace/analysis.h"
#include "common/glyphs.h"
#include "timeline/trace/labels.h"
#include "timeline/pictures/layout.h"
#include "timeline/pictures/palette.h"

enum {
    MARGIN = 16,
    ROW = 30,
    BAR = 24,
    TITLE = 34,
    RULER = 34,
    LEGEND = 28,
    LETTER = 8,
    MOST_WIDTH = 10000,
    TEXT = 1024
};

static void write_label(FILE *out, double x, double y, const char *class_, const char *anchor,
                        const char *text)
{
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" class=\"%s\" text-anchor=\"%s\">", x, y, class_,
            anchor);
    markup_write(out, text);
    fputs("</text>\n", out);
}

typedef struct Picture {
    FILE *out;
    const Trace *trace;
    const Labels *labels;
    const Layout *layout;
    double left, plot; /* where time 0 is, and how wide the window */
    bool by_stream;
    bool used[PALETTE_KINDS]; /* the kinds of span there are: the legend's */
} Picture;

static double x_of(const Picture *p, uint64_t ns)
{
    uint64_t span =
        p->layout->end_ns > p->layout->start_ns ? p->layout->end_ns - p->layout->start_ns : 1;
    return p->left + (double)(ns - p->layout->start_ns) / (double)span * p->plot;
}

static void write_item(Picture *p, const LayoutItem *item, double y)
{
    double x = x_of(p, item->start_ns), width = x_of(p, item->end_ns) - x;
    char label[TEXT], fitted[TEXT], tip[2 * TEXT];
    PaletteKind paint = palette_of_item(p->trace, item);
    layout_label(p->trace, p->labels, item, label, sizeof label);
    fprintf(p->out,
            "<g><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\" rx=\"3\" class=\"%s\"/>",
            x + 0.5, y, width > 3 ? width - 1 : 2.0, BAR, palette[paint].id);
    int room = (int)((width - 6) / LETTER);
    if (glyphs_columns(label) > room && p->by_stream && item->what == LAYOUT_OP && room < 2)
        label[1] = '\0';
    if (room > 0 && (room > 2 || glyphs_columns(label) <= room)) {
        glyphs_fit(label, room, true, fitted, sizeof fitted);
        fprintf(p->out, "<text x=\"%.2f\" y=\"%.2f\" class=\"in %s-ink\">", x + width / 2,
                y + BAR / 2 + 4.5, palette[paint].id);
        markup_write(p->out, fitted);
        fputs("</text>", p->out);
    }
    char from[64], to[64];
    analysis_time(p->trace, item->start_ns - p->layout->start_ns, from, sizeof from);
    analysis_time(p->trace, item->end_ns - p->layout->start_ns, to, sizeof to);
    if (item->what == LAYOUT_OP) {
        analysis_explain_with(p->trace, p->labels, item->id, tip, sizeof tip);
    } else {
        char place[256] = "";
        layout_label(p->trace, p->labels, item, label, sizeof label);
        if (item->what == LAYOUT_CALL)
            analysis_site(p->trace->calls[item->id].site, place, sizeof place);
        snprintf(tip, sizeof tip, "%.500s%s%s%s", label, place[0] ? " (" : "", place,
                 place[0] ? ")" : "");
    }
    fprintf(p->out, "<title>");
    markup_write(p->out, tip);
    fprintf(p->out, " [%s to %s]</title></g>\n", from, to);
}

/* A row: what is a pixel wide or more item by item, the rest as a texture of how busy each pixel
 * is. */
static void write_row(Picture *p, const LayoutRow *row, double y, LayoutCell *cells)
{
    uint32_t pixels = (uint32_t)p->plot;
    bool fine = false;
    for (uint32_t i = 0; i < row->n; i++) {
        if (row->stacked || x_of(p, row->items[i].end_ns) - x_of(p, row->items[i].start_ns) < 1)
            fine = true;
        else write_item(p, &row->items[i], y);
    }
    if (!fine) return;
    layout_cells(row, p->layout->start_ns, p->layout->end_ns, pixels, cells);
    for (uint32_t c = 0; c < pixels; c++) {
        if (cells[c].count == 0) continue;
        const LayoutItem *first = &row->items[cells[c].first];
        if (!row->stacked && cells[c].count == 1 &&
            x_of(p, first->end_ns) - x_of(p, first->start_ns) >= 1)
            continue;
        uint32_t from = c;
        PaletteKind paint = palette_of_item(p->trace, first);
        int level = (cells[c].covered + 2) / 3;
        while (c + 1 < pixels && cells[c + 1].count > 1 &&
               (cells[c + 1].covered + 2) / 3 == level &&
               palette_of_item(p->trace, &row->items[cells[c + 1].first]) == paint)
            c++;
        fprintf(p->out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%u\" height=\"%d\" class=\"%s\" "
                "opacity=\"%.1f\"/>\n",
                p->left + from, y, c - from + 1, BAR, palette[paint].id, 0.4 + 0.2 * level);
    }
}

static void write_ruler(Picture *p, double top, double bottom)
{
    uint64_t unit_ns = trace_unit_ns(p->trace);
    uint64_t span_ns =
        p->layout->end_ns > p->layout->start_ns ? p->layout->end_ns - p->layout->start_ns : 1;
    int digits;
    double step = layout_step(span_ns, unit_ns, (uint32_t)p->plot, 80, &digits);
    double span = (double)span_ns / (double)unit_ns;
    char number[64], name[64];
    for (double k = 0; k * step <= span * 1.0000001 && k < 1000; k++) {
        double x = p->left + k * step / span * p->plot;
        fprintf(p->out, "<path d=\"M%.2f %.2fV%.2f\" class=\"grid\"/>\n", x, top, bottom + 5);
        snprintf(number, sizeof number, "%.*f", digits, k * step);
        write_label(p->out, x, bottom + 19, "small", "middle", number);
    }
    glyphs_fit(trace_unit_name(p->trace), 10, true, name, sizeof name);
    write_label(p->out, p->left - 20, bottom + 19, "small", "end", name);
}

static void write_style(FILE *out)
{
    fputs("<style>text{font:13px ui-monospace,\"DejaVu Sans "
          "Mono\",Menlo,Consolas,monospace;fill:#20262e}"
          ".head{font-size:15px;font-weight:bold}.small{font-size:12px;fill:#4a5563}.in{text-"
          "anchor:middle}"
          ".lane{fill:#f0f3f7}.grid{stroke:#c9d1da;stroke-width:1;stroke-dasharray:2 3;fill:none}",
          out);
    for (int i = 0; i < PALETTE_KINDS; i++) {
        fprintf(out, ".%s{fill:#%06x}.%s-ink{fill:#%06x}", palette[i].id, palette[i].rgb,
                palette[i].id, palette[i].ink);
    }
    fputs("</style>\n", out);
}

static double legend_width(PaletteKind paint)
{
    return 22 + LETTER * (double)strlen(palette[paint].words) + 10;
}

static void write_legend(const Picture *p, double x, double y, double right)
{
    for (int i = 0; i < PALETTE_KINDS; i++) {
        if (!p->used[i]) continue;
        if (x + legend_width((PaletteKind)i) > right && x > MARGIN) {
            x = MARGIN;
            y += 20;
        }
        fprintf(p->out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"14\" height=\"14\" rx=\"3\" class=\"%s\"/>\n",
                x, y, palette[i].id);
        write_label(p->out, x + 20, y + 11.5, "small", "start", palette[i].words);
        x += legend_width((PaletteKind)i);
    }
}

/* Notes which kinds there are; returns how many lines their legend takes. */
static int plan_legend(Picture *p, double right)
{
    for (uint32_t i = 0; i < p->layout->n_rows; i++) {
        const LayoutRow *row = &p->layout->rows[i];
        for (uint32_t k = 0; k < row->n; k++)
            p->used[palette_of_item(p->trace, &row->items[k])] = true;
    }
    double x = MARGIN;
    int lines = 1;
    for (int i = 0; i < PALETTE_KINDS; i++) {
        if (p->used[i] && x + legend_width((PaletteKind)i) > right && x > MARGIN) {
            x = MARGIN;
            lines++;
        }
        if (p->used[i]) x += legend_width((PaletteKind)i);
    }
    return lines;
}

/* A line where one device's rows end, if there are several devices. */
static void write_devices(const Picture *p, double top, double right)
{
    const Layout *layout = p->layout;
    for (uint32_t i = 1; i < layout->n_rows && p->trace->n_devices > 1; i++)
        if (layout->rows[i].device != layout->rows[i - 1].device)
            fprintf(p->out,
                    "<path d=\"M%d %.2fH%.2f\" class=\"device\" "
                    "stroke=\"#4a5563\"/>\n",
                    MARGIN, top + i * ROW - (ROW - BAR) / 2.0, right);
}

/* Where the rows begin, beside their titles. */
static double plot_left(const Layout *layout)
{
    int columns = 4;
    for (uint32_t i = 0; i < layout->n_rows; i++) {
        int c = glyphs_columns(layout->rows[i].title);
        columns = c > columns ? c : columns;
    }
    return MARGIN + (columns > 14 ? 14 : columns) * LETTER + 14;
}

static void write_head(FILE *out, int width, double height, const char *title)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
            "height=\"%.0f\" "
            "role=\"img\">\n<title>",
            width, height, width, height);
    markup_write(out, title ? title : "Schedule");
    fputs("</title>\n", out);
    write_style(out);
    fprintf(out,
            "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%.0f\" rx=\"8\" fill=\"#ffffff\" "
            "stroke=\"#c9d1da\"/>\n",
            width - 1, height - 1);
    if (title) write_label(out, MARGIN, 27, "head", "start", title);
}

/* The rows: their lanes first, so that the ruler lies over them and the bars over both. */
static void write_rows(Picture *p, int width, double top, double bottom, LayoutCell *cells)
{
    const Layout *layout = p->layout;
    for (uint32_t i = 0; i < layout->n_rows; i++) {
        double y = top + i * ROW;
        fprintf(p->out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\" class=\"lane\"/>\n",
                p->left, y, p->plot, BAR);
    }
    write_devices(p, top, width - MARGIN);
    if (layout->n_rows > 0) write_ruler(p, top - 4, bottom);
    else write_label(p->out, MARGIN, top + 18, "small", "start", "nothing ran");
    for (uint32_t i = 0; i < layout->n_rows; i++) {
        double y = top + i * ROW;
        char title[128];
        glyphs_fit(layout->rows[i].title, 14, true, title, sizeof title);
        write_label(p->out, p->left - 12, y + BAR / 2 + 4.5, "name", "end", title);
        write_row(p, &layout->rows[i], y, cells);
    }
}

int svg_write(FILE *out, const Trace *t, const SvgOptions *options)
{
    int width = options->width <= 0           ? 960
                : options->width < 200        ? 200
                : options->width > MOST_WIDTH ? MOST_WIDTH
                                              : options->width;
    Labels *labels = labels_new(t, options->range);
    Layout *layout = labels ? layout_new(t, labels, options->by_stream) : NULL;
    LayoutCell *cells = malloc((size_t)width * sizeof *cells);
    bool ok = labels && layout && cells;
    if (ok) {
        double left = plot_left(layout), top = options->title ? TITLE + 8 : MARGIN;
        double bottom = top + (layout->n_rows ? layout->n_rows : 1) * ROW;
        Picture p = {.out = out,
                     .trace = t,
                     .labels = labels,
                     .layout = layout,
                     .left = left,
                     .plot = (double)(int)(width - left - MARGIN - 8),
                     .by_stream = options->by_stream};
        double height = bottom + RULER + LEGEND + 20 * (plan_legend(&p, width - MARGIN) - 1);
        write_head(out, width, height, options->title);
        write_rows(&p, width, top, bottom, cells);
        write_legend(&p, MARGIN, bottom + RULER - 2, width - MARGIN);
        fputs("</svg>\n", out);
    }
    free(cells);
    layout_free(layout);
    labels_free(labels);
    return ok && !ferror(out) ? 0 : -1;
}

ExportWrite export_svg;
int export_svg(FILE *to, const Trace *trace, const ExportOptions *o, char *error, size_t size)
{
    (void)error, (void)size;
    return svg_write(to, trace, &(SvgOptions){.range = o->range, .by_stream = o->by_stream});
}
