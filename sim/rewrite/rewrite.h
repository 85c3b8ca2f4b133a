/* rewrite.h - CUDA C++ to C++: only what a C++ compiler cannot parse changes, and lines and columns
 * stay.
 *
 *   __global__ void K(float *p, int n) { BODY }
 *       -> void K(float *p, int n) { ::tl::params(p, n); ::tl::body(__func__, [=]() mutable { BODY
 *       }); }
 *          and [=, &r] where r is a reference: the kernel gets the address, as on a card
 *   K<T><<<g, b, s, st>>>(args)
 *       -> (::tl::push(g, b, s, st) ? (void)0 : K<T>(args))
 *   extern __shared__ T name[];
 *       -> T *const name = (T *)::tl::dynamic_shared();        in a namespace static, and for_all
 *   asm("mov.u64 %0, %%globaltimer;" : "=l"(t));
 *       -> ((t) = ::tl::ptx::globaltimer());
 *   (int)x, static_cast<int>(x)                               (in device code)
 *       -> (int)(::tl::To<int>)x, static_cast<int>((::tl::To<int>)(x))         threelane/convert.h
 *                                                                              says why
 *   volatile, where device code can come by
 *       -> TL_ONE_ORDER at the end, if that is a macro
 *   __device__ int x, y[4];                                   (in a namespace)
 *       -> __device__ int x, y[4]; static const ::tl::Variable tl_variable_x(x, false, "x"); ...
 *
 * The same in the macros of the program, but for variables. The text is one that the compiler's
 * preprocessor has seen with its macros left alone (-E -fdirectives-only, or -E
 * -frewrite-includes), so headers that launch are part of it. What was inserted is followed by a
 * line marker and as many blanks as put the next original token into its original column; in
 * macros, which have one line, it stands as it is.
 *
 * What tlcc cannot see, a kernel whose braces come from different places, is an error. Where even
 * that stays unseen (a macro of a system header), the launch is pushed and no body follows.
 *
 * Text without CUDA comes out as it went in. Text that makes no sense comes out in some form that
 * makes none either, for the compiler to complain about.
 */
#ifndef THREELANE_REWRITE_H
#define THREELANE_REWRITE_H
#include <stdbool.h>
#include <stddef.h>
#include "sim/rewrite/bytes.h"

typedef struct RewriteOptions {
    const char *file_name;      /* of the text until a line marker says otherwise; NULL: unknown */
    const char *skip_directory; /* text of files below it is left alone: our own headers; NULL: none
                                 */
    const char *read_directory; /* text of files below it is rewritten, system headers or not: a
                                 * toolkit's own libraries; NULL: none */
} RewriteOptions;

typedef struct RewriteResult {
    Bytes text;   /* rewritten */
    Bytes errors; /* lines "file:line:column: error: ..."; empty: none */
    int kernels, launches;
} RewriteResult;

/* Rewrites text[0..size). Release the result in any case. Sizes from 2 GiB on are an error, as is a
 * text of more than 20 million tokens outside of system headers. */
void rewrite(RewriteResult *, const char *text, size_t size, const RewriteOptions *);
void rewrite_release(RewriteResult *);
#endif
