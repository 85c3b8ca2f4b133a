/* log_parse.h - reads a program log (log.h). Pure: bytes in, records out.
 *
 * The bytes are hostile. What is accepted has a known verb, a thread number below PLAY_THREADS,
 * times that never go back within a thread, and is not larger than the limits below; what the words
 * of a record mean is the player's to check. A last line without its end is dropped: the program
 * was cut off there. */
#ifndef THREELANE_LOG_PARSE_H
#define THREELANE_LOG_PARSE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/limits.h"

/* PLAY_TARGET: the largest struct whose contents are noted when a pointer to it is passed. */
enum { PLAY_THREADS = LIMIT_LOG_THREADS, PLAY_WORDS = 80, PLAY_TARGET = 1024 };
/* Attributes of a launch: how many of them are noted, and how long a value is. */
enum { PLAY_ATTRIBUTES = 32, PLAY_ATTRIBUTE_BYTES = 64 };
/* Bytes of the longest list of nodes, or of edges, of a call. */
enum { PLAY_LIST = 16384 };
#define PLAY_MOST_RECORDS ((size_t)LIMIT_LOG_RECORDS)
#define PLAY_MOST_BYTES ((size_t)LIMIT_LOG_BYTES)
#define PLAY_NONE UINT32_MAX
#define PLAY_LATEST_NS ((uint64_t)1 << 60)

typedef enum PlayVerb {
    PLAY_MAIN,
    PLAY_IN,
    PLAY_OUT,
    PLAY_OWN,
    PLAY_CALL,
    PLAY_PUSH,
    PLAY_KERNEL,
    PLAY_OTHER,
    PLAY_FN,
    PLAY_END,
    PLAY_THREAD,
    PLAY_RELEASE,
    PLAY_ACQUIRE,
    PLAY_COPY,
    PLAY_SET,
    PLAY_WROTE,
    PLAY_RANGE,
    PLAY_POP,
    PLAY_BEGIN,
    PLAY_FINISH,
    PLAY_MARK,
    PLAY_GIVEN,
    PLAY_VERBS
} PlayVerb;

typedef struct PlayRecord {
    uint64_t ns;
    PlayVerb verb;
    uint32_t thread;
    uint32_t next;     /* the thread's next record; PLAY_NONE */
    uint32_t again;    /* of PLAY_FN: where the same host function begins again; PLAY_NONE */
    uint32_t n;        /* words */
    const char *words; /* one after the other, each with its NUL */
} PlayRecord;

typedef struct ParsedLog {
    PlayRecord *records;
    size_t n;
    uint32_t first[PLAY_THREADS]; /* PLAY_NONE: the thread has none */
    uint32_t *functions; /* by token - 1: the record where the host function begins, the first time;
                            PLAY_NONE */
    uint32_t *latest;    /* the last time */
    size_t n_functions;
    uint64_t base; /* where the program had its arena */
} ParsedLog;

typedef enum PlayState {
    PLAY_FINE,
    PLAY_EMPTY,
    PLAY_DAMAGED,
    PLAY_TOO_LONG,
    PLAY_TOO_MANY_THREADS,
    PLAY_NO_MEMORY
} PlayState;

/* Takes bytes over for as long as the log is used (words point into it; it is changed), with room
 * for one byte more. line: of what is wrong, from 1. log_parse_release in every case. */
PlayState log_parse(ParsedLog *, char *bytes, size_t length, size_t *line);
void log_parse_release(ParsedLog *);

/* The i-th word; "" when there are fewer. */
const char *play_word(const PlayRecord *, size_t i);
/* Whole words only, no sign, no prefix. */
bool play_number(const char *word, unsigned base, uint64_t *value);
/* Hexadecimal bytes; "-" is none. True when there are exactly `bytes` of them. */
bool play_bytes(const char *word, void *to, size_t bytes);
#endif
