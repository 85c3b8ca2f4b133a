/* html_more.c - see html_more.h. */
#include "timeline/exports/html_more.h"
#include <stdlib.h>
#include <string.h>
#include "common/json.h"
#include "common/markup.h"
#include "timeline/pictures/prediction.h"
#include "timeline/pictures/schedule.h"
#include "timeline/trace/analysis.h"

enum { LABEL = 400, REASON = 900 };

/* html_files.S */
extern const char html_more_js[], html_more_css[];

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    json_inside_page(out, text);
    fputc('"', out);
}

int html_write_questions(FILE *out, const HtmlAnswer *answers, size_t n)
{
    if (!n) return 0;
    fputs("<section class=\"questions\">\n<h2>What if?</h2>\n"
          "<p>The run's calls made again with a change, when this page was made. An answer stands "
          "above what ran.</p>\n<ul>\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "<li><button type=\"button\" data-question=\"%zu\" aria-pressed=\"false\">",
                i);
        markup_write(out, answers[i].words);
        fputs("</button> <span>", out);
        markup_write(out, answers[i].times);
        fputs("</span>", out);
        if (answers[i].more[0]) {
            fputs("\n<pre>", out);
            markup_write(out, answers[i].more);
            fputs("</pre>", out);
        }
        fputs("</li>\n", out);
    }
    fputs("</ul>\n</section>\n", out);
    return ferror(out) ? -1 : 0;
}

/* ---- predictions ---- */

/* What happened, as rows of text, and read back: the page counts as the tool's own drawing does.
 * False also where a table of them had too many columns. */
static bool find_rows(Prediction *happened, const Trace *trace, uint32_t range)
{
    char error[200];
    size_t length;
    char *text = schedule_cells(trace, range, &length);
    *happened = (Prediction){0};
    bool fine = text && prediction_read(happened, text, length, error, sizeof error);
    for (uint32_t i = 0; i < happened->n; i++) fine = fine && happened->cells[i].row < HTML_TIMES;
    free(text);
    return fine;
}

static uint32_t op_called(const Labels *labels, const char *label)
{
    uint32_t n;
    char text[LABEL];
    const uint32_t *order = labels_order(labels, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(labels_op(labels, order[i], text, sizeof text), label)) return order[i];
    return 0;
}

static void write_operations(FILE *out, const Trace *trace, const Labels *labels,
                             const Prediction *happened)
{
    char why[REASON];
    for (uint32_t i = 0; i < happened->n; i++) {
        const PredictionCell *cell = &happened->cells[i];
        uint32_t op = op_called(labels, cell->label);
        fputs(i ? ",\n[" : "[", out);
        write_string(out, cell->label);
        fputc(',', out);
        write_string(out, prediction_lane(cell->label));
        fprintf(out, ",%u,", cell->row);
        write_string(out, op ? analysis_explain_with(trace, labels, op, why, sizeof why) : "");
        fputc(']', out);
    }
}

int html_write_prediction(FILE *out, const Trace *trace, uint32_t range, bool open)
{
    Prediction happened;
    uint32_t n = 0;
    Labels *labels = labels_new(trace, range);
    if (labels) labels_order(labels, &n);
    bool few = n > 0 && n <= HTML_TRAY;
    if (few && find_rows(&happened, trace, range) && happened.n) {
        fprintf(out,
                "<section class=\"predict\"><details%s>\n<summary>Predict it: lay the schedule out "
                "yourself</summary>\n"
                "<p>Drag an operation to the time at which you expect it to start; or choose one "
                "with Tab, and move it with the arrows.</p>\n"
                "<div class=\"grid\"></div>\n<p class=\"actions\">"
                "<button type=\"button\" class=\"compare\">Compare with what happened</button>\n"
                "<button type=\"button\" class=\"clear\">Clear</button>\n"
                "<button type=\"button\" class=\"copy\">Copy as text</button>\n"
                "<a class=\"save\" download=\"predict.txt\">predict.txt</a></p>\n"
                "<div class=\"verdict\" role=\"status\"></div>\n"
                "<script type=\"application/json\">{\"ops\":[",
                open ? " open" : "");
        write_operations(out, trace, labels, &happened);
        fputs("]}</script>\n</details></section>\n", out);
    }
    if (few) prediction_release(&happened);
    labels_free(labels);
    return ferror(out) || !labels ? -1 : 0;
}

int html_write_more_css(FILE *out)
{
    fputs(html_more_css, out);
    return ferror(out) ? -1 : 0;
}

int html_write_more_js(FILE *out)
{
    fputs(html_more_js, out);
    return ferror(out) ? -1 : 0;
}

int html_write_more(FILE *out)
{
    fputs("<style>\n", out);
    html_write_more_css(out);
    fputs("</style>\n<script>\n", out);
    html_write_more_js(out);
    fputs("</script>\n", out);
    return ferror(out) ? -1 : 0;
}
