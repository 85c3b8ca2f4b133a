/* failed.h - CUDA calls that failed, and whether the program has noticed. */
#ifndef THREELANE_FAILED_H
#define THREELANE_FAILED_H
#include "timeline/trace/trace.h"

/* A call failed. name, code ("cudaErrorInvalidValue") and text: static storage. */
void failed_call(const char *name, const char *code, const char *text, TraceSite);
/* The program asks for the last error. */
void failed_looked_at(void);
/* The program ends: calls that failed without being looked at are reported, as far as the source line tells. */
void failed_report(void);
#endif
