/* messages.c - see messages.h. gcc, clang, nvcc and the linkers of binutils and LLVM. */
#include "grader/build/messages.h"

#include <errno.h>
#include <string.h>

#include "common/text.h"

char *messages_undefined(const char *messages)
{
    static const struct {
        const char *before, *end;
    } forms[] = {
        {"undefined reference to `", "'\n"}, /* ld: `scale(float*, int)' */
        {"undefined symbol: ", ">\n"},       /* lld */
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *at = strstr(messages, forms[i].before);
        if (!at) continue;
        at += strlen(forms[i].before);
        return memory_format("%.*s", (int)strcspn(at, forms[i].end), at);
    }
    return NULL;
}

bool messages_disk_full(const char *messages)
{
    return strstr(messages, strerror(ENOSPC)) || strstr(messages, "No space left on device");
}

/* words: with a bar between them. */
static bool has_one_of(const char *text, const char *words)
{
    char **all = list_split(words, '|', NULL);
    bool found = false;
    for (size_t i = 0; all[i] && !found; i++) found = strstr(text, all[i]) != NULL;
    list_free(all);
    return found;
}

const char *messages_hint(const char *messages)
{
    static const struct {
        const char *one, *other, *words; /* what must be in the line: of each a word */
    } known[] = {
        {"cudaStream_t|CUstream", "size_t",
         "A launch takes blocks, threads, bytes of shared memory and the stream, in this order. "
         "The "
         "stream is the fourth: <<<BLOCKS, THREADS, 0, stream>>>."},
        {"cudaEvent_t|CUevent_st*'|CUevent_st*’", "cudaStream_t",
         "An event stands where a stream belongs, or the other way round: "
         "cudaEventRecord(event, stream), but cudaStreamWaitEvent(stream, event, 0)."},
        {"CUstream_st**|cudaStream_t *|'cudaStreamCreate|‘cudaStreamCreate|\"cudaStreamCreate",
         "error",
         "The call fills in your stream, so it takes its address: cudaStreamCreate(&stream)."},
        {"'cudaEventCreate|‘cudaEventCreate|\"cudaEventCreate", "error",
         "The call fills in your event, so it takes its address: cudaEventCreate(&event)."},
    };
    const char *words = NULL;
    char **lines = list_split(messages, '\n', NULL);
    size_t i = 0;
    while (lines[i] && !messages_is_error(lines[i])) i++;
    for (size_t k = 0; lines[i] && k < sizeof known / sizeof *known && !words; k++)
        if (has_one_of(lines[i], known[k].one) && has_one_of(lines[i], known[k].other))
            words = known[k].words;
    list_free(lines);
    return words;
}

bool messages_is_error(const char *line) { return strstr(line, "error:") != NULL; }
