/* failed.h - CUDA calls that failed, and whether the program has noticed. */
#ifndef THREELANE_FAILED_H
#define THREELANE_FAILED_H
#include <stdbool.h>
#include "timeline/trace/trace.h"

/* A call failed. name: static storage; driver: code is one of the driver API's. */
void failed_call(const char *name, int code, bool driver, TraceSite);
/* Who knows what codes are called ("cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE"), and what
 * they mean. */
typedef const char *FailedWords(int code, bool driver);
void failed_words(FailedWords *name, FailedWords *meaning);
/* The program asks for the last error. */
void failed_looked_at(void);
/* The program ends: calls that failed without being looked at are reported, as far as the source
 * line tells. */
void failed_report(void);
#endif
