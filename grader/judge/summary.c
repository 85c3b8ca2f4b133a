/* summary.c - see summary.h. */
#include "grader/judge/summary.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/json.h"
#include "grader/build/messages.h"
#include "grader/judge/explore.h"
#include "timeline/trace/analysis.h"

enum { MOST_NOTES = 5, MOST_PARTS = 100000 };

static char *copy_or_null(const char *string) { return string ? memory_copy(string) : NULL; }

static void make_notes(Summary *s, const Evidence *evidence)
{
    const Trace *trace = evidence->got.trace;
    for (uint32_t i = 1; trace && i <= trace->n_notes && s->n_notes < MOST_NOTES; i++) {
        const TraceNote *note = &trace->notes[i];
        char site[300];
        bool printed = !evidence->replayed && !strcmp(note->by, "gpu"); /* the output has it */
        if (note->severity == TRACE_INFO || printed) continue;
        analysis_site(note->site, site, sizeof site);
        s->notes = memory_grow(s->notes, s->n_notes + 1, sizeof *s->notes);
        s->notes[s->n_notes++] =
            (SummaryNote){note->severity == TRACE_ERROR, memory_copy(note->kind),
                          memory_format("%s%s%s", site, site[0] ? ": " : "", note->text)};
    }
}

/* Why a check fails that a hidden run decided: not what happened there. */
static char *hidden_cause(const ExerciseRun *run)
{
    return memory_format(
        "It does not hold with parameters that are drawn for grading and stay hidden. `threelane "
        "run` asks the same%s%s: if it holds there, look for a number in your file that should be "
        "a parameter, and for what holds only by chance.",
        run->open_label[0] ? " " : "", run->open_label);
}

static int thousandths(double units) { return units < 2e6 ? (int)lround(units * 1000) : 0; }

static SummaryScore make_score(const CheckResult *result, const Trace *trace)
{
    const CheckScore *from = &result->score;
    SummaryScore score = {0};
    if (!from->known || !trace) return score;
    const char *unit = trace_unit_name(trace);
    score = (SummaryScore){.got = thousandths(from->got),
                           .par = thousandths(from->par),
                           .record = thousandths(from->record),
                           .share = result->share,
                           .unit = memory_copy(strcmp(unit, "unit") ? unit : "units")};
    return score;
}

void summary_score_number(Text *to, int thousandths)
{
    char number[32];
    int length = snprintf(number, sizeof number, "%d.%03d", thousandths / 1000, thousandths % 1000);
    while (length && number[length - 1] == '0') length--;
    if (length && number[length - 1] == '.') length--;
    text_append(to, number, (size_t)length);
}

static void add_part(Text *to, const char *words, int thousandths)
{
    if (!thousandths) return;
    text_add(to, words);
    summary_score_number(to, thousandths);
}

char *summary_score_words(const SummaryScore *score)
{
    if (!score->got) return NULL;
    Text words = {0};
    summary_score_number(&words, score->got);
    text_printf(&words, " %s", score->unit ? score->unit : "units");
    add_part(&words, ": par ", score->par);
    add_part(&words, ", record ", score->record);
    if (score->last) {
        add_part(&words, ". Last time ", score->last);
        if (score->got < score->best) text_add(&words, ": your best so far");
        else add_part(&words, ", your best ", score->best);
    }
    text_add(&words, ".");
    return text_take(&words);
}

static void make_check(SummaryCheck *to, const Exercise *exercise, size_t i,
                       const CheckResult *result, const Trace *trace)
{
    const ExerciseCheck *check = &exercise->checks[i];
    bool wrong = result->state == CHECK_FAIL || result->state == CHECK_BROKEN;
    *to = (SummaryCheck){
        .id = memory_copy(check->id),
        .title = memory_copy(check->title),
        .state = result->state,
        .points = check_earned(check, result),
        .possible = check->points,
        .score = make_score(result, trace),
    };
    if (result->state == CHECK_OTHER_MODEL) {
        to->cause = copy_or_null(result->cause);
        to->detail = copy_or_null(result->detail);
    }
    if (wrong) {
        const ExerciseRun *run = &exercise->runs[result->run];
        const char *label = run->label, *cause = result->cause ? result->cause : "";
        to->cause = label[0] ? memory_format("%s (%s)", cause, label) : memory_copy(cause);
        if (run->hidden) {
            to->hidden = to->cause;
            to->cause = hidden_cause(run);
        } else {
            to->detail = copy_or_null(result->detail);
            to->mistake = copy_or_null(result->mistake);
            to->op = result->run == 0 ? (int)result->op : 0;
        }
    }
    for (size_t k = 0; k < EXERCISE_HINTS && result->state == CHECK_FAIL; k++)
        to->hints[k] = copy_or_null(check->hints[k]);
    if (result->state == CHECK_BLOCKED && result->blocked_by)
        to->after =
            memory_copy(exercise->checks[exercise_check(exercise, result->blocked_by)].title);
}

/* Is what a run left the same each time? */
static bool repeats(const Job *job, bool lasting) { return !lasting || !job_used_up(job); }

/* Why the virtual GPU ended the program, in its words, without the end of what is long. */
static char *stop_words(const Outcome *outcome)
{
    enum { MOST_LINES = 5, MOST_BYTES = 1000 };
    if (!outcome->text) return NULL;
    const char *end = outcome->text;
    for (int lines = 0; lines < MOST_LINES && *end; lines++) {
        end += *end == '\n';
        end += strcspn(end, "\n");
    }
    int length = end - outcome->text < MOST_BYTES ? (int)(end - outcome->text) : MOST_BYTES;
    return memory_format("%s%s%.*s", outcome->site ? outcome->site : "", outcome->site ? ": " : "",
                         length, outcome->text);
}

static void make_stop(Summary *s, const Exercise *e, const Verdict *verdict)
{
    if (!s->stopped || verdict->kind != VERDICT_CRASH) return;
    s->reason = stop_words(&verdict->outcome);
    s->stop_hint = copy_or_null(s->stop == STOP_DEADLOCK ? e->hint_deadlock : e->hint_stop);
}

/* How a hidden run ended, or why there was none, in words that are the same for all. */
static const char *hidden_words(VerdictKind kind)
{
    switch (kind) {
    case VERDICT_COMPILE:
        return "The file does not compile with other parameters than the exercise's own.";
    case VERDICT_CRASH: return "The program does not come to a good end with hidden parameters.";
    case VERDICT_TIMEOUT: return "It takes too long with hidden parameters.";
    case VERDICT_LIMIT: return "It takes more than is allowed with hidden parameters.";
    case VERDICT_REFUSED: return "It does with hidden parameters what cannot be graded.";
    default: return "It could not be judged with hidden parameters.";
    }
}

/* The verdict is about a hidden run: what is told of it, to the student and to who teaches. */
static void make_hidden(Summary *s, const ExerciseRun *run, const Verdict *verdict)
{
    enum { MOST_SHOWN = 4000 };
    const Text *said = &verdict->message,
               *output = s->judged ? &verdict->jobs[verdict->run].output : NULL;
    text_add(&s->message, hidden_words(verdict->kind));
    s->label = memory_copy("with hidden parameters");
    s->because = REASON_HIDDEN;
    text_printf(&s->hidden, "%s: ", run->label);
    text_append(&s->hidden, text_string(said), said->length);
    if (!output || !output->length || job_used_up(&verdict->jobs[verdict->run])) return;
    text_add(&s->hidden, "\nIt printed: ");
    text_append(&s->hidden, text_string(output),
                output->length < MOST_SHOWN ? output->length : MOST_SHOWN);
}

static void make_open(Summary *s, const ExerciseRun *run, const Verdict *verdict)
{
    if (verdict->kind == VERDICT_COMPILE)
        s->stop_hint = copy_or_null(messages_hint(text_string(&verdict->message)));
    text_append(&s->message, text_string(&verdict->message), verdict->message.length);
    s->label = memory_copy(run->label);
    s->because = verdict->reason;
    s->undefined = copy_or_null(verdict->undefined);
    s->stop = verdict->outcome.stop;
    s->stop_site = copy_or_null(verdict->outcome.site);
    s->stop_text = copy_or_null(verdict->outcome.text);
}

/* What its author did, where it did not come to a verdict of the checks. */
static char *make_mistake(const Summary *s)
{
    switch (s->kind) {
    case VERDICT_COMPILE:
        return memory_copy(s->undefined ? "called a function that is nowhere to be found"
                                        : "wrote what does not compile");
    case VERDICT_TIMEOUT: return memory_copy("wrote a program that does not end in time");
    case VERDICT_LIMIT: return memory_copy("asked for more than is allowed");
    case VERDICT_REFUSED: return memory_copy("handed in what cannot be graded");
    case VERDICT_CRASH: break;
    default: return NULL;
    }
    if (s->stop == STOP_DEADLOCK) return memory_copy("let threads wait for each other for ever");
    if (s->stop) return memory_format("ended with: %s", exit_status_stop[s->stop].meaning);
    return memory_copy(s->because == REASON_SIGNAL ? "crashed with a signal"
                                                   : "ended the program with a status of its own");
}

void summary_make(Summary *s, const Exercise *e, const Verdict *verdict, bool lasting)
{
    *s = (Summary){
        .id = memory_copy(e->id),
        .title = memory_copy(e->title),
        .todo = copy_or_null(e->todo),
        .show = copy_or_null(e->show),
        .learned = verdict->kind == VERDICT_PASS ? copy_or_null(e->learned) : NULL,
        .number = e->number,
        .xp = e->xp,
        .kind = verdict->kind,
        .stopped = verdict->kind >= VERDICT_CRASH,
        .judged = verdict->checks != NULL,
        .points = verdict->points,
        .possible = verdict->points_possible,
        .golden_printed = verdict->golden_printed,
    };
    const ExerciseRun *run = &e->runs[verdict->run];
    if (run->hidden) make_hidden(s, run, verdict);
    else make_open(s, run, verdict);
    s->mistake = make_mistake(s);
    if (!s->judged) return;
    const Job *job = &verdict->jobs[verdict->run];
    if (!run->hidden && (repeats(job, lasting) || job->end == JOB_OUTPUT))
        text_append(&s->output, text_string(&job->output), job->output.length);
    if (!run->hidden && repeats(job, lasting)) make_notes(s, &verdict->evidence[verdict->run]);
    if (repeats(&verdict->jobs[0], lasting))
        text_add(&s->report, text_string(&verdict->evidence[0].got.report.text));
    if (!run->hidden) make_stop(s, e, verdict);
    s->n_checks = e->n_checks;
    s->checks = memory_get(e->n_checks, sizeof *s->checks);
    for (size_t i = 0; i < e->n_checks; i++) {
        CheckResult result = verdict->checks[i];
        if (result.state == CHECK_FAIL && !repeats(&verdict->jobs[result.run], lasting))
            result = (CheckResult){.state = CHECK_BLOCKED};
        make_check(&s->checks[i], e, i, &result, verdict->evidence[result.run].got.trace);
    }
}

const SummaryCheck *summary_failed(const Summary *s)
{
    for (size_t i = 0; i < s->n_checks; i++) {
        if (s->checks[i].state == CHECK_FAIL) return &s->checks[i];
    }
    return NULL;
}

/* ---- JSON (grader/VERDICT.md) ---- */

/* What may not be shown stands as \xHH. */
static void put_shown(Json *json, const char *key, const char *bytes, size_t length)
{
    Text safe = {0};
    text_add_shown(&safe, bytes ? bytes : "", length, false);
    if (bytes) json_put_bytes(json, key, text_string(&safe), safe.length);
    else json_put_text(json, key, NULL);
    text_release(&safe);
}

static void put_word(Json *json, const char *key, const char *word)
{
    put_shown(json, key, word, word ? strlen(word) : 0);
}

static void put_stop(Json *json, const Summary *s)
{
    if (!s->stop) {
        json_put_text(json, "stop", NULL);
        return;
    }
    json_open(json, "stop", '{');
    json_put_text(json, "kind", exit_status_stop[s->stop].word);
    put_word(json, "site", s->stop_site);
    put_word(json, "text", s->stop_text);
    put_word(json, "hint", s->stop_hint);
    json_close(json, '}');
}

static void put_score(Json *json, const SummaryScore *score)
{
    if (!score->got) {
        json_put_text(json, "score", NULL);
        return;
    }
    json_open(json, "score", '{');
    json_put_number(json, "got", score->got);
    json_put_number(json, "par", score->par);
    json_put_number(json, "record", score->record);
    json_put_number(json, "last", score->last);
    json_put_number(json, "best", score->best);
    json_put_text(json, "unit", score->unit);
    json_close(json, '}');
}

static void put_check(Json *json, const SummaryCheck *check, bool teacher)
{
    json_line(json);
    json_open(json, NULL, '{');
    put_word(json, "id", check->id);
    put_word(json, "title", check->title);
    json_put_text(json, "state", check_state_word((int)check->state));
    json_put_number(json, "points", check->points);
    json_put_number(json, "possible", check->possible);
    put_score(json, &check->score);
    put_word(json, "cause", check->cause);
    put_word(json, "mistake", check->mistake);
    if (teacher) put_word(json, "hidden", check->hidden);
    put_word(json, "detail", check->detail);
    put_word(json, "hint", check->hints[0]);
    json_open(json, "hints", '[');
    for (size_t k = 0; k < EXERCISE_HINTS && check->hints[k]; k++)
        put_word(json, NULL, check->hints[k]);
    json_close(json, ']');
    put_word(json, "after", check->after);
    json_put_number(json, "op", check->op);
    json_close(json, '}');
}

static void put_explored(Json *json, const Exploration *e)
{
    if (!e || !e->asked) {
        json_put_text(json, "explored", NULL);
        return;
    }
    json_open(json, "explored", '{');
    json_put_count(json, "asked", e->asked);
    json_put_count(json, "ran", e->ran);
    json_put_count(json, "breaks_with", e->seed);
    put_word(json, "what", e->what);
    put_word(json, "failure", e->failure);
    json_close(json, '}');
}

void summary_json(FILE *to, const Summary *s, const SummaryJson *more)
{
    Json json = {.to = to};
    json_open(&json, NULL, '{');
    json_put_number(&json, "format", 1);
    put_word(&json, "student", more->student);
    put_word(&json, "exercise", s->id);
    put_word(&json, "path", more->path);
    json_put_text(&json, "verdict", exit_status_verdict_word((int)s->kind));
    if (s->kind == VERDICT_GRADER) json_put_text(&json, "points", NULL); /* nobody's zero */
    else json_put_number(&json, "points", s->points);
    json_put_number(&json, "possible", s->possible);
    json_put_count(&json, "seed", more->seed);
    put_word(&json, "sandbox", more->sandbox);
    put_shown(&json, "message", text_string(&s->message), s->message.length);
    if (more->teacher) put_shown(&json, "hidden", text_string(&s->hidden), s->hidden.length);
    json_put_flag(&json, "golden_printed", s->golden_printed);

    json_open(&json, "checks", '[');
    for (size_t i = 0; i < s->n_checks; i++) put_check(&json, &s->checks[i], more->teacher);
    json_close(&json, ']');

    json_line(&json);
    json_put_text(&json, "reason", s->because ? verdict_reason_word[s->because] : NULL);
    put_word(&json, "undefined", s->undefined);
    put_word(&json, "mistake", s->mistake);
    put_stop(&json, s);
    json_open(&json, "notes", '[');
    for (size_t i = 0; i < s->n_notes; i++) {
        json_open(&json, NULL, '{');
        json_put_text(&json, "severity", s->notes[i].error ? "error" : "warning");
        put_word(&json, "kind", s->notes[i].kind[0] ? s->notes[i].kind : NULL);
        put_word(&json, "text", s->notes[i].text);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    put_word(&json, "run", s->label && s->label[0] ? s->label : NULL);
    json_put_flag(&json, "counts", s->own);
    put_word(&json, "machine", s->machine);
    put_word(&json, "card", s->card);
    put_word(&json, "trace", s->trace);
    put_word(&json, "before", s->before);
    put_word(&json, "learned", s->learned);
    put_word(&json, "question", s->question);
    put_word(&json, "expected", s->expected);
    put_word(&json, "unsaved", s->unsaved);
    put_explored(&json, more->explored);
    json_line(&json);
    put_shown(&json, "output", s->judged ? text_string(&s->output) : NULL, s->output.length);
    put_shown(&json, "report", s->judged ? text_string(&s->report) : NULL, s->report.length);
    json_close(&json, '}');
    fputc('\n', to);
}

/* ---- bytes: every field as "length:bytes", "-" for NULL; one walk for both directions ---- */
typedef struct Coder {
    Text *to; /* saving; NULL when loading */
    const char *at, *end;
    bool damaged;
} Coder;

static void code_bytes(Coder *c, Text *bytes)
{
    if (c->to) {
        text_printf(c->to, "%zu:", bytes->length);
        text_append(c->to, text_string(bytes), bytes->length);
        return;
    }
    size_t length = 0, digits = 0;
    while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && digits++ < 12)
        length = length * 10 + (size_t)(*c->at++ - '0');
    if (c->damaged || !digits || c->at == c->end || *c->at != ':' ||
        length > (size_t)(c->end - c->at - 1)) {
        c->damaged = true;
        return;
    }
    text_append(bytes, c->at + 1, length);
    c->at += length + 1;
}

static void code_string(Coder *c, char **string)
{
    Text bytes = {0};
    if (c->to && !*string) {
        text_add(c->to, "-");
    } else if (c->to) {
        text_add(&bytes, *string);
        code_bytes(c, &bytes);
    } else if (!c->damaged && c->at < c->end && *c->at == '-') {
        c->at++;
    } else {
        code_bytes(c, &bytes);
        if (!c->damaged) *string = text_take(&bytes);
    }
    text_release(&bytes);
}

static void code_number(Coder *c, long *number)
{
    char *text = memory_format("%ld", *number);
    if (!c->to) free(text), text = NULL;
    code_string(c, &text);
    if (!c->to && !text) c->damaged = true;
    if (!c->to && text) *number = strtol(text, NULL, 10);
    free(text);
}

static void code_int(Coder *c, int *number)
{
    long value = *number;
    code_number(c, &value);
    *number = (int)value;
}

static void code_bool(Coder *c, bool *flag)
{
    long value = *flag;
    code_number(c, &value);
    *flag = value != 0;
}

/* The length of an array; when loading, the array is made. */
static void *code_array(Coder *c, void *items, size_t *n, size_t size)
{
    long value = (long)*n;
    code_number(c, &value);
    if (c->to) return items;
    if (value < 0 || value > MOST_PARTS) c->damaged = true;
    *n = c->damaged ? 0 : (size_t)value;
    return *n ? memory_get(*n, size) : NULL;
}

static void code(Coder *c, Summary *s)
{
    char **strings[] = {&s->id,        &s->title,     &s->todo,     &s->show,        &s->file,
                        &s->label,     &s->trace,     &s->unsaved,  &s->card,        &s->undefined,
                        &s->stop_site, &s->stop_text, &s->machine,  &s->own_machine, &s->reason,
                        &s->stop_hint, &s->learned,   &s->question, &s->before,      &s->expected,
                        &s->predict,   &s->mistake};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) code_string(c, strings[i]);
    bool *flags[] = {&s->own, &s->untouched, &s->stopped, &s->judged, &s->golden_printed};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) code_bool(c, flags[i]);
    int kind = (int)s->kind, because = (int)s->because, stop = (int)s->stop;
    int *numbers[] = {&s->number, &s->xp,          &s->points, &s->possible,
                      &kind,      &s->card_number, &because,   &stop};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) code_int(c, numbers[i]);
    s->kind = (VerdictKind)kind;
    s->because = (VerdictReason)because;
    s->stop = (StopKind)stop;
    code_bytes(c, &s->message);
    code_bytes(c, &s->output);
    code_bytes(c, &s->report);
    code_bytes(c, &s->hidden);
    s->notes = code_array(c, s->notes, &s->n_notes, sizeof *s->notes);
    for (size_t i = 0; i < s->n_notes; i++) {
        code_bool(c, &s->notes[i].error);
        code_string(c, &s->notes[i].kind);
        code_string(c, &s->notes[i].text);
    }
    s->checks = code_array(c, s->checks, &s->n_checks, sizeof *s->checks);
    for (size_t i = 0; i < s->n_checks; i++) {
        SummaryCheck *check = &s->checks[i];
        char **texts[] = {&check->id,     &check->title,  &check->cause, &check->mistake,
                          &check->hidden, &check->detail, &check->after};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) code_string(c, texts[k]);
        for (size_t k = 0; k < EXERCISE_HINTS; k++) code_string(c, &check->hints[k]);
        int state = (int)check->state;
        code_int(c, &state);
        check->state = (CheckState)state;
        code_int(c, &check->points);
        code_int(c, &check->possible);
        code_int(c, &check->op);
        SummaryScore *score = &check->score;
        int *scores[] = {&score->got,   &score->par,  &score->record,
                         &score->share, &score->last, &score->best};
        for (size_t k = 0; k < sizeof scores / sizeof *scores; k++) code_int(c, scores[k]);
        code_string(c, &score->unit);
    }
}

void summary_save(Text *to, const Summary *s)
{
    Coder coder = {.to = to};
    Summary same = *s; /* saving changes nothing, but the walk is the one that loading takes */
    code(&coder, &same);
    text_add(to, ".");
}

bool summary_load(Summary *s, const char *bytes, size_t length)
{
    Coder coder = {.at = bytes, .end = bytes + length};
    *s = (Summary){0};
    code(&coder, s);
    if (!coder.damaged && coder.end - coder.at == 1 && *coder.at == '.') return true;
    summary_release(s);
    return false;
}

void summary_release(Summary *s)
{
    char *strings[] = {s->id,        s->title,     s->todo,     s->show,        s->file,
                       s->label,     s->trace,     s->unsaved,  s->card,        s->undefined,
                       s->stop_site, s->stop_text, s->machine,  s->own_machine, s->reason,
                       s->stop_hint, s->learned,   s->question, s->before,      s->expected,
                       s->predict,   s->mistake};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) free(strings[i]);
    text_release(&s->message);
    text_release(&s->output);
    text_release(&s->report);
    text_release(&s->hidden);
    for (size_t i = 0; i < s->n_notes; i++) free(s->notes[i].kind), free(s->notes[i].text);
    for (size_t i = 0; i < s->n_checks; i++) {
        SummaryCheck *check = &s->checks[i];
        char *texts[] = {check->id,     check->title,  check->cause, check->mistake,
                         check->hidden, check->detail, check->after, check->score.unit};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]);
        for (size_t k = 0; k < EXERCISE_HINTS; k++) free(check->hints[k]);
    }
    free(s->notes);
    free(s->checks);
    *s = (Summary){0};
}
