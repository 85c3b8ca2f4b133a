// scale.h - for C and C++.
#ifndef SCALE_H
#define SCALE_H
#ifdef __cplusplus
extern "C" {
#endif
int scale_scale(const float *a, float *b, int n, float k);
const char *scale_error(void);
#ifdef __cplusplus
}
#endif
#endif