/* The rewriter: what CUDA becomes, that lines and columns stay, and that no text upsets it. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/rewrite/arch.h"
#include "sim/rewrite/ptx.h"
#include "sim/rewrite/rewrite.h"
#include "tests/unit/held.h"

static RewriteResult rewritten(const char *text, size_t size)
{
    RewriteOptions options = {"t.cu", NULL, NULL};
    RewriteResult result;
    rewrite(&result, text, size, &options);
    return result;
}

/* Without line markers and with single blanks, so that results can be read. */
static char *squeezed(const char *text)
{
    char *out = malloc(strlen(text) + 2), *end = out;
    bool line_start = true;
    for (const char *c = text; *c; c++) {
        if (line_start && c[0] == '#' && c[1] == ' ' && isdigit((unsigned char)c[2])) {
            c += strcspn(c, "\n");
            if (!*c) break;
        }
        line_start = *c == '\n';
        if (!isspace((unsigned char)*c)) *end++ = *c;
        else if (end > out && end[-1] != ' ') *end++ = ' ';
    }
    while (end > out && end[-1] == ' ') end--;
    *end = 0;
    return out;
}

/* Blanks beside punctuation mean nothing: compares without them. */
static char *tight(const char *text)
{
    char *once = squeezed(text), *out = malloc(strlen(once) + 1), *end = out;
    for (const char *c = once; *c; c++) {
        bool word_before = end > out && (isalnum((unsigned char)end[-1]) || end[-1] == '_');
        bool word_after = isalnum((unsigned char)c[1]) || c[1] == '_';
        if (*c != ' ' || (word_before && word_after)) *end++ = *c;
    }
    *end = 0;
    free(once);
    return out;
}

static void becomes(const char *text, const char *expected)
{
    RewriteResult result = rewritten(text, strlen(text));
    char *got = tight(result.text.data), *want = tight(expected);
    ck_assert_msg(!strcmp(got, want), "\n    %s\nbecame\n    %s\nnot\n    %s", text, got, want);
    ck_assert_str_eq(result.errors.data, "");
    free(got);
    free(want);
    rewrite_release(&result);
}

static void stays(const char *text)
{
    RewriteResult result = rewritten(text, strlen(text));
    ck_assert_msg(!strcmp(result.text.data, text), "%s became %s", text, result.text.data);
    ck_assert_str_eq(result.errors.data, "");
    rewrite_release(&result);
}

enum { STAYING = 16 };
START_TEST_WITH(text_without_cuda_stays, .times = STAYING)
{
    static const char *const texts[] = {
        "",
        "\n",
        "int main() { return 0; }\n",
        "a <b>>> c",
        "std::vector<std::vector<std::vector<int>>> v;",
        "const char *s = \"k<<<1, 2>>>(3)\"; // k<<<1>>>()\n/* __global__ void k() {} */ "
        "asm(\"nop\");",
        "R\"x(k<<<1>>>() __global__ void f() { )\" )x\" 'a' '\\'' u8\"__shared__\" int "
        "asm_counter;",
        "auto n = 1'000'000; char c = 'k'; // <<< >>>\n#if 0\n it's k<<<1, 2>>>(3) \"\n#endif\n",
        "friend std::ostream &operator<<<T>(std::ostream &, const S<T> &); // __global__\n",
        "asm volatile(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi)); asm(\"\" ::: \"memory\"); "
        "__asm__(\"movl %eax, %ebx\");",
        "int f(const char *) __asm__(\"threelane_f\"); // __shared__",
        "__global__ void prototype(float *p, int n = 3); template <class T> __global__ void "
        "other(T);",
        "struct S { friend __global__ void k(S *); }; __shared__ float tile[32][33]; extern int x;",
        "\xEF\xBB\xBF// __global__\r\nint \xC3\xA9 = 1;\r\n",
        "#define NOTHING // __global__\n#define X \"<<<\"\n",
        "#pragma once\n# 3 \"/usr/include/x.h\" 1 3\nk<<<1, 2>>>(3); __global__ void k() { }\n# 2 "
        "\"t.cu\" 2\nint x;\n",
    };
    stays(texts[_i]);
}
END_TEST

#define PUSH(config) "static_cast<void>(::tl::push(" config ") ? (void)0 : "
#define BODY(params) "{ ::tl::params(" params "); ::tl::body(__func__, [=]() mutable {"
#define END "}); }"
/* what says that something has one order (rewrite.h) */
#define ORDER "\n#ifdef TL_ONE_ORDER\nTL_ONE_ORDER\n#endif\n"

static const struct {
    const char *from, *to;
} cases[] = {
    /* launches */
    {"k<<<1, 2>>>(p, n);", PUSH("1, 2") "k(p, n));"},
    {"k<<<g, b, 0, s>>>();", PUSH("g, b, 0, s") "k());"},
    {"ns::k<float, 3> <<< dim3(1), dim3(n > 100 ? 256 : 1), 0,\n   s >>> (p);",
     PUSH("dim3(1), dim3(n > 100 ? 256 : 1), 0, s") "ns::k<float, 3>(p));"},
    {"::k<<<1, 2>>>(p);", PUSH("1, 2") "::k(p));"},
    {"return ::k<<<1, 2>>>(p);", "return " PUSH("1, 2") "::k(p));"},
    {"if (x) (*fp)<<<1, 2>>>(p); else tab[i].k<<<1, 2>>>(p);",
     "if (x) " PUSH("1, 2") "(*fp)(p)); else " PUSH("1, 2") "tab[i].k(p));"},
    {"get(i)->k<<<1, 2>>>(p); a.template k<int><<<1, 2>>>(p);",
     PUSH("1, 2") "get(i)->k(p)); " PUSH("1, 2") "a.template k<int>(p));"},
    {"k<(4 > 3), A<B<int>>><<<1, 2>>>(p);", PUSH("1, 2") "k<(4 > 3), A<B<int>>>(p));"},
    {"k<<<f<A<B<int>>>(3), 256>>>(p);", PUSH("f<A<B<int>>>(3), 256") "k(p));"},
    {"k<<<m<1, 0>(), n >> 8>>>(p);", PUSH("m<1, 0>(), n >> 8") "k(p));"},
    {"k<<<n<5?1:2, 3>>>(p);", PUSH("n<5?1:2, 3") "k(p));"},
    {"k<<<1, 2>>>([=] __device__(int i) { return i < 2; }, p);",
     PUSH("1, 2") "k([=] __device__(int i) { return i < 2; }, p));"},
    {"run([&] { a<<<1, 2>>>(b); }); k<<<[] { return 1; }(), 2>>>(q);",
     "run([&] { " PUSH("1, 2") "a(b)); }); " PUSH("[] { return 1; }(), 2") "k(q));"},
    {"a<<<1, 2>>>(l([&] { b<<<3, 4>>>(c); }));",
     PUSH("1, 2") "a(l([&] { " PUSH("3, 4") "b(c)); })));"},
    {"k<<<CFG>>>(p); k<<<1>>>();", PUSH("CFG") "k(p)); " PUSH("1") "k());"},
    {"x ? a<<<1, 2>>>() : b<<<3, 4>>>();", "x ? " PUSH("1, 2") "a()) : " PUSH("3, 4") "b());"},
    {"k /* a */ <<<1, /* >>> */ 2>>> // x\n (p);", PUSH("1, /* >>> */ 2") "k(p));"},
    /* kernels */
    {"__global__ void k(float *p, int n) { p[0] = n; }",
     "__global__ void k(float *p, int n) " BODY("p, n") " p[0] = n; " END},
    {"void __global__ k() {}", "void __global__ k() " BODY("") END},
    {"extern \"C\" __global__ static void __launch_bounds__(256, 2) k(void) { f(); }",
     "extern \"C\" __global__ static void __launch_bounds__(256, 2) k(void) " BODY(
         "") " f(); " END},
    {"template <typename T, class... A> __global__ void k(const T *__restrict__ p, A... a) { "
     "g(a...); }",
     "template <typename T, class... A> __global__ void k(const T *__restrict__ p, A... a) " BODY(
         "p, a...") " g(a...); " END},
    {"template <> __global__ void k<float>(float v[4], void (*f)(int), float (&r)[3], V<A, B> w = "
     "{1, 2}) { }",
     "template <> __global__ void k<float>(float v[4], void (*f)(int), float (&r)[3], V<A, B> w = "
     "{1, 2}) "
     "{ ::threelane_reference(__func__); ::tl::params(v, f, r, w); ::tl::body(__func__, [=, &r]() "
     "mutable { " END},
    {"template <class... T> __global__ void k(const S &s, int n, T &&...more) { }",
     "template <class... T> __global__ void k(const S &s, int n, T &&...more) "
     "{ ::threelane_reference(__func__); ::tl::params(s, n, more...); ::tl::body(__func__, [=, &s, "
     "&more...]() mutable { " END},
    /* conversions */
    {"__device__ int f(float x) { return (int)x + (unsigned char)(x) * sizeof(int) + (int)3 + "
     "(int)3.5f; }",
     "__device__ int f(float x) { return (int)(::tl::To<int>)x + (unsigned char)(::tl::To<unsigned "
     "char>)(x) * "
     "sizeof(int) + (int)3 + (int)(::tl::To<int>)3.5f; }"},
    {"__device__ int f(float x) { return static_cast<unsigned>(x) + int(x + 1) - "
     "(int)(float)(int)x; }",
     "__device__ int f(float x) { return static_cast<unsigned>((::tl::To<unsigned>)(x)) + "
     "int((::tl::To<int>)(x + 1)) - "
     "(int)(::tl::To<int>)(float)(int)(::tl::To<int>)x; }"},
    {"__device__ void f(int (*g)(int), float x) { int h(int); g((int)x); sizeof (int); int (x); }",
     "__device__ void f(int (*g)(int), float x) { int h(int); g((int)(::tl::To<int>)x); sizeof "
     "(int); int (x); }"},
    {"#define SAY(x) #x\n__device__ void f(float x) { assert((int)x == 1); SAY((int)x); }",
     "#define SAY(x) #x\n__device__ void f(float x) { assert((int)x == 1); SAY((int)x); }"},
    {"__device__ int d; int f(float x) { return (int)x; }",
     "__device__ int d; static const ::tl::Variable tl_variable_d(d, false, \"d\"); int f(float x) "
     "{ "
     "return (int)x; }"},
    {"__global__ void k(unsigned int, float *, struct S s, std::size_t const n, long long) { }",
     "__global__ void k(unsigned int tl_unnamed1, float * tl_unnamed2, struct S s, std::size_t "
     "const n, long long "
     "tl_unnamed5) " BODY("tl_unnamed1, tl_unnamed2, s, n, tl_unnamed5") " " END},
    {"__global__ void k(int = 3, void (*)(int), int [4], A...) { }",
     "__global__ void k(int tl_unnamed1 = 3, void (* tl_unnamed2)(int), int tl_unnamed3[4], A... "
     "tl_unnamed4) " BODY("tl_unnamed1, tl_unnamed2, tl_unnamed3, tl_unnamed4...") " " END},
    {"__global__ typename std::enable_if<(N > 0), void>::type k(const __grid_constant__ P p) "
     "noexcept { }",
     "__global__ typename std::enable_if<(N > 0), void>::type k(const __grid_constant__ P p) "
     "noexcept " BODY("p") " " END},
    {"__global__ void k(int n) { { if (n) { child<<<1, n>>>(n); } } } int after;",
     "__global__ void k(int n) " BODY("n") " { if (n) { " PUSH("1, n") "child(n)); } } " END
                                                                       " int after;"},
    {"__global__ void k(int n)\n#ifdef A\n{ a(); }\n#else\n{ b(); }\n#endif\nint x;",
     "__global__ void k(int n) #ifdef A " BODY("n") " a(); " END " #else { b(); } #endif int x;"},
    {"__global__ void k() {\n#if 0\n }\n#endif\n f(\")}\"); }",
     "__global__ void k() " BODY("") " #if 0 } #endif "
                                     "f(\")}\"); " END},
    {"__global__ void k() { f(__func__); } void g() { f(__func__); }",
     "__global__ void k() { ::tl::params(); static const char *const tl_func = __func__; "
     "::tl::body(__func__, [=]() "
     "mutable { f(tl_func); " END " void g() { f(__func__); }"},
    /* macros */
    {"#define LAUNCH(k, g, ...) k<<<g, 1>>>(__VA_ARGS__)\nLAUNCH(a, 2, 3);",
     "#define LAUNCH(k, g, ...) " PUSH("g, 1") " k (__VA_ARGS__))\nLAUNCH(a, 2, 3);"},
    {"#define BARE k<<<1, 2>>>\nBARE(p);", "#define BARE ::tl::push(1, 2) ? (void)0 : k\nBARE(p);"},
    {"#define CONFIG(g) <<<g, 2>>>\nk CONFIG(1) (p);",
     "#define CONFIG(g) ::tl::push(g, 2)\nstatic_cast<void>( CONFIG(1) ? (void)0 : k (p));"},
    {"#define KERNEL __global__ void\nKERNEL k(int n) { }",
     "#define KERNEL __global__ void\nKERNEL k(int n) " BODY("n") " " END},
    {"#define KERNEL(name, ...) __global__ void name(__VA_ARGS__)\nKERNEL(k, float *p, int n) { }",
     "#define KERNEL(name, ...) __global__ void name(__VA_ARGS__)\nKERNEL(k, float *p, int "
     "n) " BODY("p, n") " " END},
    {"#define ALL(name, op) __global__ void name(float *p) { *p op 2; }\nALL(a, +=)",
     "#define ALL(name, op) __global__ void name(float *p) " BODY("p") " *p op 2; " END
                                                                       "\nALL(a, +=)"},
    {"#define ARGS float *p, int n\n__global__ void k(ARGS) { }",
     "#define ARGS float *p, int n\n__global__ void k(ARGS) " BODY("p, n") " " END},
    {"#define G __global__\n#define NAME(n) G void n##_kernel\nNAME(a)(int x) { }",
     "#define G __global__\n#define NAME(n) G void n##_kernel\nNAME(a)(int x) " BODY("x") " " END},
    /* shared memory */
    {"__global__ void k() { extern __shared__ float s[]; }",
     "__global__ void k() " BODY(
         "") " float *const s __attribute__((unused)) = (float *)::tl::dynamic_shared(); " END},
    {"extern __shared__ __align__(16) volatile unsigned char s[];",
     "static volatile unsigned char *const s __attribute__((unused)) = (volatile unsigned char *)"
     "::tl::dynamic_shared_for_all();" ORDER},
    {"namespace a { extern \"C\" { __shared__ extern T t[][32]; } }",
     "namespace a { extern \"C\" { static T (*const t)[32] __attribute__((unused)) = (T (*)[32])"
     "::tl::dynamic_shared_for_all(); } }"},
    {"void f() { static __shared__ int x; }", "void f() { __shared__ int x; }"},
#define KNOWN_AS(NAME, MANAGED, AS) \
    " static const ::tl::Variable tl_variable_" NAME "(" NAME ", " MANAGED ", " AS ");"
#define KNOWN(NAME, MANAGED) KNOWN_AS(NAME, MANAGED, "\"" NAME "\"")
    {"__device__ int x;", "__device__ int x;" KNOWN("x", "false")},
    {"namespace a { static __device__ const A<1, 2> x = {1, 2}, y[3][4], *z = f(1, 2); } int i;",
     "namespace a { static __device__ const A<1, 2> x = {1, 2}, y[3][4], *z = f(1, 2);" KNOWN_AS(
         "x", "false", "0") KNOWN_AS("y", "false", "0") KNOWN_AS("z", "false", "0") " } int i;"},
    {"namespace a { __device__ int b, c; __device__ int d; } __device__ int e; namespace { "
     "__device__ int f; } __device__ int g;",
     "namespace a { __device__ int b, c;" KNOWN_AS("b", "false", "0")
         KNOWN_AS("c", "false", "0") " __device__ int d;" KNOWN_AS(
             "d", "false",
             "0") " } __device__ int e;" KNOWN("e", "false") " namespace { __device__ int "
                                                             "f;" KNOWN_AS("f", "false",
                                                                           "0") " } __device__ int "
                                                                                "g;" KNOWN("g",
                                                                                           "fals"
                                                                                           "e")},
    {"extern \"C\" { __align__(8) __managed__ __device__ float f[2]; }",
     "extern \"C\" { __align__(8) __managed__ __device__ float f[2];" KNOWN("f", "true") " }"},
    {"__constant__ std::size_t n __attribute__((aligned(8))) = 3 < 4;",
     "__constant__ std::size_t n __attribute__((aligned(8))) = 3 < 4;" KNOWN("n", "false")},
    {"#define LAST __attribute__((used))\n#define OTHER x\n__device__ int a LAST, b; __device__ "
     "int OTHER;",
     "#define LAST __attribute__((used))\n#define OTHER x\n__device__ int a LAST, b;" KNOWN(
         "b", "false") " __device__ int OTHER;"},
    {"__device__ int f(int); extern __device__ int e; template <class T> __device__ T t; struct S "
     "{ static __device__ "
     "int m; }; __device__ int S::m; __device__ int g() { static __device__ int s; return s; } "
     "extern \"C\" __device__ "
     "int c; void h(__device__ int p); __device__ struct Q { int q; } q; using U = __device__ int;",
     "__device__ int f(int); extern __device__ int e; template <class T> __device__ T t; "
     "static const ::tl::Variables tl_variables_19(\"t\", false); struct S "
     "{ static __device__ "
     "int m; }; __device__ int S::m; __device__ int g() { static __device__ int s; return s; } "
     "extern \"C\" __device__ "
     "int c; void h(__device__ int p); __device__ struct Q { int q; } q; using U = __device__ "
     "int;"},
    {"void f() { extern __shared__ A<int> a[], b[]; }",
     "void f() { A<int> *const a __attribute__((unused)) = (A<int> *)::tl::dynamic_shared(), "
     "*const b "
     "__attribute__((unused)) = (A<int> *)::tl::dynamic_shared(); }"},
    /* PTX */
    {"asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t));",
     "((void)((t) = ::tl::ptx::globaltimer()));"},
    {"asm(\"mov.u32 %0, %%smid;\\n\\t\" \"mov.u32 %1, %%tid.x;\" : \"=r\"(a[0]), \"=r\"(*b));",
     "((void)((a[0]) = ::tl::ptx::smid(), (*b) = threadIdx.x));"},
    {"__asm__ __volatile__(\"membar.gl;\" ::: \"memory\");", "((void)(::__threadfence()));"},
    {"asm(\"add.s32 %0, %1, 5;\" : \"=r\"(c) : \"r\"(a + 1));",
     "((void)((c) = (int)((int)(a + 1) + (int)5)));"},
    {"asm volatile(\"ld.volatile.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p));",
     "((void)((v) = *(volatile unsigned int *)((unsigned long long)(p))));" ORDER},
    {"asm volatile(\"// nothing\");asm(\"mov.u32 %0, 7; trap;\" : \"=r\"(x));",
     "asm volatile(\"// nothing\");((void)((x) = 7, ::__trap()));"},
    {"__device__ void f() { struct A { int operator++(int) volatile; }; }",
     "__device__ void f() { struct A { int operator++(int) volatile; }; }" ORDER},
};
enum { REWRITES = sizeof cases / sizeof *cases };

START_TEST_WITH(cuda_becomes_cxx, .times = REWRITES) { becomes(cases[_i].from, cases[_i].to); }
END_TEST

/* ---- lines and columns ---- */

typedef struct Place {
    int line, column;
} Place;

/* Where each numbered word u0 .. u99 stands, by lines or, in the result, by line markers. */
static void find_words(const char *text, bool markers, Place *place)
{
    int line = 1, column = 1;
    for (const char *c = text; *c; c++) {
        if (markers && column == 1 && c[0] == '#' && c[1] == ' ') {
            line = atoi(c + 2) - 1;
            c += strcspn(c, "\n");
        }
        if (*c == '\n') {
            line++;
            column = 1;
            continue;
        }
        bool within = c > text && (isalnum((unsigned char)c[-1]) || c[-1] == '_');
        bool start = *c == 'u' && isdigit((unsigned char)c[1]) && !within;
        /* the first one: names of parameters come again in what was inserted */
        if (start && !place[atoi(c + 1) % 100].line)
            place[atoi(c + 1) % 100] = (Place){line, column};
        column++;
    }
}

START_TEST(lines_and_columns_stay)
{
    const char *text =
        "#define M(x) x\n"
        "  __global__ void u0(float *u1, int u2) { u3 = u4; } int u5;\n"
        "__global__ void u6(int, float *)\n{\n    u7();\n\textern __shared__ float u8[]; u9();\n} "
        "u10\n"
        "int main() { u11<u12><<<u13, u14(u15), 0,\n"
        "      u16>>>(u17,\n  u18); u19();  /* x */ u20();\n"
        "  M(u21<<<1, u22>>>(u23)); u24();\n"
        "  asm(\"mov.b32 %0, %%smid;\" : \"=r\"(u25)); u26();\n"
        "  v.call([&] { u27<<<1, 2>>>(u28); u29(); }); u30(); static __shared__ int u31; u32();\n"
        "\tu33 <<<1, 2>>> (u34); // u35\n"
        "#define L(k) \\\n   k<<<1, 2>>> \\\n  (3)\n"
        "  u36(); k<<<1, 2>>>(u37) ; u38();\n}\n";
    Place before[100] = {{0, 0}}, after[100] = {{0, 0}};
    RewriteResult result = rewritten(text, strlen(text));
    find_words(text, false, before);
    find_words(result.text.data, true, after);
    for (int i = 0; i < 39; i++) {
        ck_assert_int_gt(before[i].line, 0);
        ck_assert_msg(before[i].line == after[i].line && before[i].column == after[i].column,
                      "u%d moved from %d:%d to %d:%d", i, before[i].line, before[i].column,
                      after[i].line, after[i].column);
    }
    ck_assert_int_eq(result.kernels, 2);
    rewrite_release(&result);
}
END_TEST

START_TEST(markers_name_the_right_file)
{
    const char *text = "# 7 \"dir/a b.h\" 1\nk<<<1, 2>>>(p); x();\n# 3 \"t.cu\" 2\ny();\n";
    RewriteResult result = rewritten(text, strlen(text));
    ck_assert_ptr_nonnull(strstr(result.text.data, "# 7 \"dir/a b.h\"\n k")
                              ? result.text.data
                              : strstr(result.text.data, "# 7 \"dir/a b.h\"\nk"));
    ck_assert_ptr_nonnull(strstr(result.text.data, "# 3 \"t.cu\" 2\ny();"));
    rewrite_release(&result);
}
END_TEST

START_TEST(own_headers_are_skipped)
{
    const char *text =
        "# 1 \"/home/include/x.h\" 1\nasm(\"shfl.sync.b32 %0;\"); __global__ void k() {}\n"
        "# 1 \"t.cu\" 2\nk<<<1, 2>>>();\n";
    RewriteOptions options = {"t.cu", "/home/include", NULL};
    RewriteResult result;
    rewrite(&result, text, strlen(text), &options);
    ck_assert_int_eq(result.kernels, 0);
    ck_assert_int_eq(result.launches, 1);
    ck_assert_str_eq(result.errors.data, "");
    rewrite_release(&result);
}
END_TEST

/* A toolkit's library is rewritten, but a program need not come by all that it has. */
START_TEST(libraries_are_rewritten)
{
    const char *text = "# 1 \"/lib/x.h\" 1 3\nasm(\"wgmma.fence.sync;\"); __global__ void k() {}\n"
                       "# 1 \"/usr/y.h\" 1 3\n__global__ void other() {}\n"
                       "# 1 \"t.cu\" 2\nk<<<1, 2>>>();\n";
    RewriteOptions options = {"t.cu", "/home/include", "/lib"};
    RewriteResult result;
    rewrite(&result, text, strlen(text), &options);
    ck_assert_int_eq(result.kernels, 1);
    ck_assert_int_eq(result.launches, 1);
    ck_assert_str_eq(result.errors.data, "");
    ck_assert_ptr_nonnull(strstr(result.text.data, "::tl::ptx::unknown(\"wgmma.fence.sync\")"));
    ck_assert_ptr_nonnull(strstr(result.text.data, "# 1 \"/lib/x.h\" 3\n")); /* and stays one */
    rewrite_release(&result);
}
END_TEST

/* ---- what it refuses ---- */

START_TEST(unknown_ptx_is_an_error_with_its_place)
{
    const char *text =
        "void f() {\n  asm volatile(\"wmma.mma.sync.m16n16k16 %0, %1;\" : \"=r\"(x));\n}";
    RewriteResult result = rewritten(text, strlen(text));
    ck_assert_ptr_nonnull(strstr(result.errors.data, "t.cu:2:3: error: \"wmma.mma.sync"));
    rewrite_release(&result);
}
END_TEST

START_TEST(kernel_with_its_braces_in_two_macros_is_an_error)
{
    const char *text =
        "#define BEGIN(n) __global__ void n(int *p) {\n#define END }\n  BEGIN(k) p[0] = 1; END\n";
    RewriteResult result = rewritten(text, strlen(text));
    ck_assert_ptr_nonnull(strstr(result.errors.data, "t.cu:3:3: error: this macro"));
    rewrite_release(&result);
}
END_TEST

START_TEST(ptx_is_told_from_host_assembler)
{
    static const struct {
        const char *text;
        PtxKind kind;
    } texts[] = {
        {"rdtsc", PTX_NONE},
        {"", PTX_NONE},
        {"lock; cmpxchgl %2, %1", PTX_NONE},
        {"b.eq 1f", PTX_NONE},
        {"mov %eax, %ebx", PTX_NONE},
        {".align 16", PTX_NONE},
        {"addps %xmm0, %xmm1", PTX_NONE},
        {"mov.u32 %0, %%laneid;", PTX_KNOWN},
        {"mov.u32 %0, %laneid;", PTX_KNOWN},
        {"bar.sync 0;", PTX_KNOWN},
        {"st.global.f32 [%0 + 4], %1;", PTX_KNOWN},
        {"mov.u32 %0, %%nothing;", PTX_UNKNOWN},
        {"{ .reg .pred p; setp.ne.b32 p, %0, 0; }", PTX_KNOWN},
        {"{ .reg .pred p; setp.ne.b32 p, %0, 0; @q bar.sync 0; }", PTX_UNKNOWN},
        {"@p bra L;", PTX_UNKNOWN},
        {"{ .reg .pred p; setp.ne.b32 p, %0, 0; @p bra L; L: }", PTX_UNKNOWN},
        {"cp.async.ca.shared.global [%0], [%1], 4;", PTX_KNOWN},
        {"cp.async.bulk.tensor.2d.shared::cluster.global [%0], [%1, {%2, %3}], [%4];", PTX_UNKNOWN},
        {"mbarrier.try_wait.parity.shared.b64 p, [%0], %1;", PTX_KNOWN},
        {"mbarrier.inval.shared.b64 [%0];", PTX_KNOWN},
        {"mbarrier.inval.shared.b64 [%0], %1;", PTX_UNKNOWN},
        {"mbarrier.arrive.shared::cluster.b64 _, [%0];", PTX_UNKNOWN},
        {"mbarrier.frobnicate.shared.b64 [%0];", PTX_UNKNOWN},
        {"exit;", PTX_KNOWN},
        {"ld.acquire.gpu.u32 %0, [%1];", PTX_KNOWN},
        {"ld.acquire.gpu.v2.u64 {%0, %1}, [%2];", PTX_KNOWN},
        {"ld.local.acquire.u32 %0, [%1];", PTX_UNKNOWN},
        {"ld.global.v8.u32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];", PTX_UNKNOWN},
        {"{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, %2, 0, -1; @p add.s32 %0, %0, %1; }",
         PTX_KNOWN},
        {"{ .reg .pred p; shfl.sync.up.b32 %0|q, %1, %2, 0, -1; }", PTX_UNKNOWN},
        {"{ .reg .b32 t<4>; mov.b64 {t0, t1}, %1; }", PTX_UNKNOWN},
        {"mov.u32 %0, %1, %2;", PTX_UNKNOWN},
        {"mov.u32 %99999999999999999999, 1;", PTX_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Bytes expression = {0};
        char instruction[32];
        PtxKind kind = ptx_translate(texts[i].text, &expression, instruction, sizeof instruction);
        ck_assert_msg(kind == texts[i].kind, "%s: %d", texts[i].text, (int)kind);
        ck_assert(kind != PTX_UNKNOWN || *instruction);
        bytes_release(&expression);
    }
}
END_TEST

START_TEST(ptx_with_too_few_operands_is_an_error)
{
    const char *text = "asm(\"mov.u32 %3, %%smid;\" : \"=r\"(x));";
    RewriteResult result = rewritten(text, strlen(text));
    ck_assert_ptr_nonnull(strstr(result.errors.data, "operands"));
    rewrite_release(&result);
}
END_TEST

/* ---- __CUDA_ARCH__ ---- */

static char *merged(const char *host, const char *device)
{
    Bytes first = {0}, second = {0}, out = {0};
    RewriteOptions options = {"t.cu", NULL, NULL};
    bytes_add_string(&first, host);
    bytes_add_string(&second, device);
    arch_merge(&first, &second, &options, 900, &out);
    char *result = tight(out.data);
    bytes_release(&first);
    bytes_release(&second);
    bytes_release(&out);
    return result;
}

static void merges(const char *host, const char *device, const char *expected)
{
    char *got = merged(host, device), *want = tight(expected);
    ck_assert_msg(!strcmp(got, want), "\n    %s\nnot\n    %s", got, want);
    free(got);
    free(want);
}

#define DECLARATION                                  \
    "extern \"C\" bool threelane_in_kernel(void);\n" \
    "namespace tl { constexpr bool in_kernel() "     \
    "{ return !__builtin_is_constant_evaluated() && ::threelane_in_kernel(); } }\n"
#define ON "\n#define __CUDA_ARCH__ 900 "
#define OFF "\n#undef __CUDA_ARCH__\n"

static bool tested(const char *text, const char *skipped)
{
    Bytes bytes = {0};
    RewriteOptions options = {"t.cu", skipped, NULL};
    bytes_add_string(&bytes, text);
    bool is = arch_is_tested(&bytes, &options);
    bytes_release(&bytes);
    return is;
}

/* Only the program's own files are looked into: not what compilers bring, nor the headers of ours
 * that all programs have. */
START_TEST(which_files_mention_the_architecture)
{
    char folder[] = "/tmp/arch-XXXXXX", mentions[60], quiet[60], text[400];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(mentions, sizeof mentions, "%s/mentions.h", folder);
    snprintf(quiet, sizeof quiet, "%s/quiet.cu", folder);
    FILE *file = fopen(mentions, "w"); /* beyond what is read at a time, and across two of those */
    for (int i = 0; i < (1 << 14) - 12; i++) fputc(' ', file);
    fputs("__CUDA_ARCH__\n", file);
    fclose(file);
    file = fopen(quiet, "w");
    fputs("__CUDA_ARC__ __CUDA_ARCH\n", file);
    fclose(file);

    snprintf(text, sizeof text, "# 1 \"%s\"\nint x;\n# 1 \"%s\" 1\nint y;\n", quiet, mentions);
    ck_assert(tested(text, NULL));
    ck_assert(tested(text, "/usr/include"));
    ck_assert(!tested(text, folder)); /* is where the headers of ours are */
    snprintf(text, sizeof text, "# 1 \"%s\"\nint x;\n# 1 \"%s\" 1 3\nint y;\n", quiet, mentions);
    ck_assert(!tested(text, NULL)); /* a system's header */
    snprintf(text, sizeof text, "# 1 \"%s\"\nint x;\n", mentions);
    ck_assert(tested(text, NULL));
    snprintf(text, sizeof text, "# 1 \"%s\"\n# 1 \"<built-in>\"\n# 1 \"%s/gone\"\n", quiet, folder);
    ck_assert(!tested(text, NULL));
    ck_assert(!tested("", NULL));
    unlink(mentions);
    unlink(quiet);
    rmdir(folder);
}
END_TEST

START_TEST(device_bodies_come_from_the_device_text)
{
    merges("# 1 \"t.cu\"\nint host = 1;\n__device__ int f() { return 1; } int g() { return 1; }\n",
           "# 1 \"t.cu\"\nint host = 2;\n__device__ int f() { return 2; } int g() { return 2; }\n",
           DECLARATION "int host = 1; __device__ int f() " ON "{ return 2; }" OFF
                       " int g() { return 1; }");
    merges("# 1 \"t.cu\"\n__global__ void k() { same(); }\n__device__ int x = 3;\n",
           "# 1 \"t.cu\"\n__global__ void k() { same(); }\n__device__ int x = 4;\n",
           DECLARATION "__global__ void k() { same(); } __device__ int x = 3;");
}
END_TEST

START_TEST(functions_for_both_have_both_bodies)
{
    merges("# 1 \"t.cu\"\n#define HD __host__ __device__\nHD int f() { return 1; }\n",
           "# 1 \"t.cu\"\n#define HD __host__ __device__\nHD int f() { return 2; }\n",
           DECLARATION "#define HD __host__ __device__\nHD int f() { if (::tl::in_kernel()) " ON
                       "{ return 2; }" OFF " else { return 1; } }");
}
END_TEST

/* A function that only the device's text has stands where it stood, also where others' names begin
 * with its name; one that the host's text has in another place is not taken twice. */
START_TEST(functions_of_the_device_alone)
{
    static const char host[] = "# 1 \"t.cu\"\nint only_host() { return 1; }\n\n"
                               "int twice(int x) const noexcept { return 2; }\nint last;\n";
    merges(host,
           "# 1 \"t.cu\"\nint only_host() { return 1; }\n__device__ int only() { return 3; }\n",
           DECLARATION "int only_host() { return 1; }" ON "__device__ int only() { return 3; }" OFF
                       "int twice(int x) const noexcept { return 2; } int last;");
    merges(host,
           "# 1 \"t.cu\"\nint only_host() { return 1; }\n__device__ int twice() { return 3; }\n",
           DECLARATION "int only_host() { return 1; } int twice(int x) const noexcept "
                       "{ return 2; } int last;");
    merges(host,
           "# 1 \"t.cu\"\nint only_host() { return 1; }\n"
           "struct S { __device__ int only() { return 3; } };\n",
           DECLARATION "int only_host() { return 1; } int twice(int x) const noexcept "
                       "{ return 2; } int last;");
}
END_TEST

/* ---- whole: to the letter, with markers and blanks (tests/fixtures/rewritten) ---- */

static void tell(Text *to, const char *text, size_t size)
{
    RewriteResult result = rewritten(text, size);
    text_printf(to, "==== %.*s\n", (int)size, text);
    text_printf(to, "---- %d kernels, %d launches\n%s\n", result.kernels, result.launches,
                result.text.data);
    if (result.errors.size) text_printf(to, "---- errors\n%s", result.errors.data);
    rewrite_release(&result);
}

START_TEST(whole_texts)
{
    Text to = {0};
    for (int i = 0; i < REWRITES; i++) tell(&to, cases[i].from, strlen(cases[i].from));
    held("rewritten/cases", &to);
    text_release(&to);
}
END_TEST

/* Each begins as one of the cases does and ends early. */
START_TEST(whole_texts_cut)
{
    Text to = {0};
    for (int i = 0; i < REWRITES; i++)
        for (size_t part = 1; part < 4; part++)
            tell(&to, cases[i].from, strlen(cases[i].from) * part / 4);
    held("rewritten/cut", &to);
    text_release(&to);
}
END_TEST

/* A file as people write them: all at once, headers, macros, templates, lambdas, odd spacing. */
START_TEST(whole_program)
{
    static const char text[] =
        "# 1 \"t.cu\"\n# 1 \"/usr/include/x.h\" 1 3\nextern int system_call(int);\n# 2 \"t.cu\" 2\n"
        "#define N 16\n#define FOR(i, n) for (int i = 0; i < (n); i++)\n"
        "#define LAUNCH(k, ...) k<<<1, N>>>(__VA_ARGS__)\n"
        "#define KERNEL __global__ void\n"
        "#define GRID dim3(2, 2), \\\n    dim3(4, 4)\n"
        "namespace a { namespace { __device__ int counter, table[4] = {1, 2, 3, 4}; } }\n"
        "__constant__ float weights[N];\n__managed__ int shared_by_both = 3;\n"
        "template <typename T, int W = 4> struct Tile { T v[W]; __device__ T sum() const { T s{}; "
        "FOR(i, W) s += (T)v[i]; return s; } };\n"
        "template <class T> __global__ void __launch_bounds__(128, 2) scale(T *p, const T &f, int "
        "n)\n{\n    extern __shared__ unsigned char raw[];\n    __shared__ T tile[N][N + 1];\n"
        "    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
        "    if (i < n) p[i] = static_cast<T>(p[i] * f) + (T)1;\n    __syncthreads();\n"
        "    unsigned id; asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(id));\n"
        "    auto f2 = [=] __device__ (int x) { return (short)x; };\n    tile[0][0] = f2(i);\n}\n"
        "KERNEL empty() {}\nKERNEL later(int *);\n"
        "__host__ __device__ inline int both(int x) { return (char)x; }\n"
        "extern \"C\" __global__ void c_kernel(int a[], int (*f)(int)) { a[0] = f(1); }\n"
        "static __global__ void cluster(int *p) __attribute__((unused));\n"
        "void (*pointer)(int *) = later;\n"
        "int main()\n{\n    scale<float><<<(N + 3) / 4, dim3(4, 1), 0, nullptr>>>(nullptr, 2.f, "
        "N);\n"
        "\tscale<<< 1,1 >>> ((double *)0, 2.0, 3); empty<<<1, 1>>>();\n"
        "    LAUNCH(later, nullptr);\n    later<<<GRID>>>(0);\n"
        "    if (system_call(1)) c_kernel<<<1, 32, sizeof(int) * N>>>(0, [](int x) { return x >> "
        "1; "
        "});\n    auto r = 1 << 2 >> 1; bool b = r < 3 && 4 > r;\n"
        "    for (int i = 0; i < 2; i++) (empty<<<i + 1, 1>>>)();\n"
        "    (*pointer)<<<1, 1>>>(nullptr);\n#if N > 4\n    empty <<<1, 1, 0>>> ();\n#endif\n"
        "    const char *s = R\"(<<<1, 2>>>)\"; return s[0] == '<';\n}\n";
    Text to = {0};
    tell(&to, text, strlen(text));
    for (size_t size = 97; size < strlen(text); size += 97)
        tell(&to, text + size, strlen(text + size));
    held("rewritten/program", &to);
    text_release(&to);
}
END_TEST

/* Every mnemonic with every type, and what is next to right. */
START_TEST(whole_ptx)
{
    static const char *const names[] = {"mov",
                                        "add",
                                        "sub",
                                        "mul",
                                        "mul.lo",
                                        "mul.hi",
                                        "mul.wide",
                                        "mul24.lo",
                                        "mad.lo",
                                        "mad.hi",
                                        "mad.wide",
                                        "fma.rn",
                                        "sad",
                                        "div",
                                        "div.rn",
                                        "rem",
                                        "and",
                                        "or",
                                        "xor",
                                        "not",
                                        "neg",
                                        "abs",
                                        "min",
                                        "max",
                                        "shl",
                                        "shr",
                                        "popc",
                                        "clz",
                                        "brev",
                                        "bfe",
                                        "bfi",
                                        "prmt",
                                        "lop3",
                                        "selp",
                                        "setp.lt",
                                        "cvt.u64",
                                        "cvt.rn.f32",
                                        "cvta.to.shared",
                                        "ld.global",
                                        "st.global",
                                        "ld.shared",
                                        "st.shared",
                                        "ld.volatile.global",
                                        "atom.global.add",
                                        "atom.shared.cas",
                                        "red.global.add",
                                        "shfl.sync.idx",
                                        "vote.sync.any",
                                        "activemask",
                                        "bar.sync",
                                        "barrier.sync",
                                        "ex2.approx",
                                        "sqrt.rn",
                                        "sin.approx",
                                        "rcp.rn",
                                        "rsqrt.approx",
                                        "lg2.approx",
                                        "mad.rn",
                                        "dp4a",
                                        "nanosleep",
                                        "prefetch.global.L2",
                                        "cp.async.ca.shared.global",
                                        "cp.async.cg.shared.global",
                                        "mbarrier.init.shared",
                                        "mbarrier.arrive.shared",
                                        "mbarrier.test_wait.shared",
                                        "mbarrier.expect_tx.shared",
                                        "mbarrier.arrive.expect_tx.shared",
                                        "ldmatrix.sync.aligned.m8n8.x4.shared",
                                        "fence.proxy.async",
                                        "elect.sync",
                                        "nothing"};
    static const char *const types[] = {"",     ".b8",  ".u16", ".s32", ".u32",   ".b32", ".u64",
                                        ".s64", ".b64", ".f32", ".f64", ".f16x2", ".pred"};
    static const char *const operands[] = {"",
                                           " %0",
                                           " %0, %1",
                                           " [%0], %1",
                                           " %0, [%1]",
                                           " %0, [%1 + 8]",
                                           " %0, %1, %2",
                                           " [%0], [%1], 16",
                                           " %0, [%1], %2",
                                           " %0, %1, %2, %3",
                                           " %0|p, %1, 0x1f, 3",
                                           " p, %1, -4",
                                           " %0, 0f3F800000"};
    Text to = {0};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (size_t o = 0; o < sizeof operands / sizeof *operands; o++) {
                Bytes out = {0};
                char text[120], which[32] = "";
                snprintf(text, sizeof text, "%s%s%s;", names[n], types[t], operands[o]);
                PtxKind kind = ptx_translate(text, &out, which, sizeof which);
                if (kind == PTX_KNOWN) {
                    for (size_t i = 0; i < out.size; i++)
                        if (out.data[i] == PTX_OPERAND)
                            out.data[i] = '$', out.data[i + 1] += '0' - 1;
                    text_printf(&to, "%s => %s\n", text, out.data);
                } else if (!t) text_printf(&to, "%s => %d %s\n", text, (int)kind, which);
                bytes_release(&out);
            }
    held("rewritten/ptx", &to);
    text_release(&to);
}
END_TEST

START_TEST(whole_merges)
{
    static const char *const bodies[] = {"{ return 1; }", "{ return 2; }",
                                         "{ { } if (1) return 3; }",
                                         "{ const char *s = \"}\"; return 0; }"};
    static const char *const heads[] =
        {"__device__ int f()",
         "__host__ __device__ int f(int x)",
         "__global__ void f()",
         "int f()",
         "struct S { __device__ int f()",
         "template <class T> __device__ T f(T t)",
         "__host__ __device__ S(int x) : y(x), z{3}",
         "__device__ auto f() -> int",
         "namespace n { __device__ int f() const noexcept",
         "__device__ bool operator()(int a)",
         "static __forceinline__ __device__ int f(int a = 3, int (*b)(int) = nullptr)"};
    Text to = {0};
    RewriteOptions options = {"t.cu", NULL, NULL};
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
        for (int a = 0; a < 4; a++)
            for (int b = a; b < 4; b++) {
                Bytes host = {0}, device = {0}, out = {0};
                const char *end = strchr(heads[h], '{') && !strchr(heads[h], ':') ? " }" : "";
                char text[400];
                snprintf(text, sizeof text,
                         "# 1 \"t.cu\"\nint before;\n%s %s%s;\nint g() { return %d; }\n", heads[h],
                         bodies[a], end, a);
                bytes_add_string(&host, text);
                snprintf(text, sizeof text,
                         "# 1 \"t.cu\"\nint before;\n%s %s%s;\nint g() { return %d; }\n%s",
                         heads[h], bodies[b], end, b,
                         a == b ? "__device__ void alone() { }\n" : "");
                bytes_add_string(&device, text);
                arch_merge(&host, &device, &options, 900, &out);
                text_printf(&to, "==== %s %d %d\n%s", heads[h], a, b, out.data);
                bytes_release(&host);
                bytes_release(&device);
                bytes_release(&out);
            }
    held("rewritten/merged", &to);
    text_release(&to);
}
END_TEST

/* ---- hostile text ---- */

static char *everything(size_t *size)
{
    Bytes all = {0};
    for (int i = 0; i < REWRITES; i++) {
        bytes_add_string(&all, cases[i].from);
        bytes_add_char(&all, '\n');
    }
    *size = all.size;
    return all.data;
}

START_TEST(truncated_anywhere)
{
    size_t size;
    char *text = everything(&size);
    for (size_t n = 0; n <= size; n++) {
        char *part = malloc(n ? n : 1); /* its own block: reading past its end is an error */
        memcpy(part, text, n);
        RewriteResult result = rewritten(part, n);
        ck_assert_uint_eq(strlen(result.text.data), result.text.size);
        if (n % 16 == 0) {
            Bytes host = {0}, device = {0}, out = {0};
            RewriteOptions options = {"t.cu", NULL, NULL};
            bytes_add(&host, text, size);
            bytes_add(&device, part, n);
            arch_merge(&host, &device, &options, 900, &out);
            arch_merge(&device, &host, &options, 900, &out);
            ck_assert_uint_gt(out.size, size);
            bytes_release(&host);
            bytes_release(&device);
            bytes_release(&out);
        }
        rewrite_release(&result);
        free(part);
    }
    free(text);
}
END_TEST

START_TEST(mutated_anyhow)
{
    static const char alphabet[] = "<>(){}[];,\"'/*\\\n#:&=%_ ax1\r\0\xFF";
    static const char *const words[] = {"<<<",           ">>>",
                                        "__global__",    "extern __shared__ ",
                                        "asm(\"mov.u32", "\n#if 0\n",
                                        "\n#else\n",     "\n#endif\n",
                                        "\n#define ",    "/*",
                                        "R\"(",          "\n# 1 \"x\"\n"};
    size_t size;
    char *text = everything(&size);
    uint64_t state = 12345;
    for (int round = 0; round < 3000; round++) {
        char *copy = malloc(size + 64);
        memcpy(copy, text, size);
        size_t length = size;
        for (int k = 0; k < 1 + round % 8; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(state >> 33) % length, kind = (size_t)(state >> 20) % 4;
            const char *word = words[(state >> 24) % (sizeof words / sizeof *words)];
            if (kind == 0) copy[at] = alphabet[(state >> 24) % (sizeof alphabet - 1)];
            if (kind == 1 && at + strlen(word) < length) memcpy(copy + at, word, strlen(word));
            if (kind == 2 && length - at > 8)
                memmove(copy + at, copy + at + 7, length - at - 7), length -= 7;
            if (kind == 3 && length - at > 20) memmove(copy + at / 2, copy + at, 20);
        }
        RewriteResult result = rewritten(copy, length);
        ck_assert_ptr_nonnull(result.text.data);
        rewrite_release(&result);
        free(copy);
    }
    free(text);
}
END_TEST

static void survives(const char *unit, size_t times, const char *end)
{
    Bytes text = {0};
    for (size_t i = 0; i < times; i++) bytes_add_string(&text, unit);
    bytes_add_string(&text, end);
    RewriteResult result = rewritten(text.data, text.size);
    ck_assert_uint_lt(result.text.size, 20 * text.size + 4096);
    rewrite_release(&result);
    bytes_release(&text);
}

START_TEST(piled_up)
{
    survives("(", 250000, "k<<<1, 2>>>(3)");
    survives("<<<", 125000, "");
    survives("a<", 125000, ">>>>>> <<<1>>>()");
    survives("a>>>", 125000, "<<<1, 2>>>()");
    survives("__global__ ", 50000, "void k() { }");
    survives("__global__ void k(", 25000, "");
    survives("__global__ void k() {", 25000, "");
    survives("k<<<1, 2>>>(", 25000, "");
    survives("#if X\n(", 25000, "k<<<1, 2>>>()\n#else\n)");
    survives("k<<<1, 2>>>(3);", 25000, "");
    survives("__device__ ", 50000, "int x;");
    survives("__device__ int x; ", 25000, "");
    survives("namespace n { int y; __device__ int x; ", 12500, "");
    survives("{ __device__ int x, ", 5000, ";");
    survives("__device__ int x = {", 12500, "");
    survives("asm(\"mov.u32 %0, 1;\" : \"=r\"(", 12500, "");
    survives("#define A A A <<<1, 2>>>\n", 5000, "__global__ void A(A) { }");
}
END_TEST

START_TEST(macros_that_explode_are_bounded)
{
    Bytes text = {0};
    bytes_add_string(&text, "#define M0 int a, int b\n");
    for (int i = 1; i < 40; i++) bytes_format(&text, "#define M%d M%d, M%d\n", i, i - 1, i - 1);
    bytes_add_string(&text, "#define SELF SELF SELF\n__global__ void k(M39, SELF) { }\n");
    RewriteResult result = rewritten(text.data, text.size);
    ck_assert_int_eq(result.kernels, 1);
    rewrite_release(&result);
    bytes_release(&text);
}
END_TEST

START_TEST(bytes_that_are_no_text)
{
    char bytes[4096 + 64];
    for (size_t i = 0; i < 4096; i++) bytes[i] = (char)(i * 131);
    memcpy(bytes + 4096, "\0__global__ void k() { }\0k<<<1, 2>>>()\0", 40);
    RewriteResult result = rewritten(bytes, 4096 + 40);
    ck_assert_uint_gt(result.text.size, 4096);
    rewrite_release(&result);
}
END_TEST

CASES("rewrite")
