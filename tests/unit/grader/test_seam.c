/* The seam's source file: which functions are whose, by an object's symbols and a header. */
#include <stdlib.h>
#include <string.h>
#include "grader/build/seam.h"
#include "tests/unit/cases.h"

static const char header[] =
    "/* int commented(int); */\n"
    "struct Buffer { float *host; };\n"
    "__global__ void __launch_bounds__(256) work(const float *in, float *out);\n"
    "// __global__ void fill(Buffer *);\n"
    "void fill(Buffer *buffer, int batch);\n"
    "void each(void (*f)(void *), void *data);\n"
    "double student(Buffer *buffers, float *d);\n"
    "int student(int n);\n";
static const char symbols[] = "                 U _Z7studentP6BufferPf\n"
                              "                 U _Z7studenti\n"
                              "                 U _Z9commentedi\n"
                              "                 U _ZSt4cout\n"
                              "                 U threelane_push\n"
                              "0000000000000010 T _Z4fillP6Bufferi\n"
                              "0000000000000020 T _Z4eachPFvPvES_\n"
                              "0000000000000030 T _Z4workPKfPf\n"
                              "0000000000000030 t _Z4workPKfPf.cold\n"
                              "0000000000000040 T _Z6hiddenv\n"
                              "0000000000000050 b _ZL5cache\n"
                              "0000000000000060 T main\n";
static const char names[] = "                 U student(Buffer*, float*)\n"
                            "                 U student(int)\n"
                            "                 U commented(int)\n"
                            "                 U std::cout\n"
                            "                 U threelane_push\n"
                            "0000000000000010 T fill(Buffer*, int)\n"
                            "0000000000000020 T each(void (*)(void*), void*)\n"
                            "0000000000000030 T work(float const*, float*)\n"
                            "0000000000000030 t work(float const*, float*) [clone .cold]\n"
                            "0000000000000040 T hidden()\n"
                            "0000000000000050 b cache\n"
                            "0000000000000060 T main\n";

static Text apart; /* of the last one */

static bool write_one(Text *source, Text *renames, const char *with_header,
                      const char *with_symbols, const char *with_names, char error[200])
{
    *source = *renames = (Text){0};
    text_clear(&apart);
    error[0] = 0;
    return glue_write(source, renames, &apart, "ex.h", with_header, with_symbols, with_names, error,
                      200);
}

START_TEST(whose_functions)
{
    Text source, renames;
    char error[200];
    ck_assert(write_one(&source, &renames, header, symbols, names, error));
    const char *text = text_string(&source);
    ck_assert_str_eq(text_string(&renames),
                     "main threelane_harness_main\n"
                     "_Z7studentP6BufferPf threelane_in__Z7studentP6BufferPf\n"
                     "_Z7studenti threelane_in__Z7studenti\n"
                     "_Z4fillP6Bufferi threelane_own__Z4fillP6Bufferi\n"
                     "_Z4eachPFvPvES_ threelane_own__Z4eachPFvPvES_\n");
    ck_assert_ptr_nonnull(strstr(text, "#include \"ex.h\"\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "tl_glue::same<Buffer*>::type a0, tl_glue::same<float*>::type a1"));
    ck_assert_ptr_nonnull(
        strstr(text, "tl_glue::same<void (*)(void*)>::type a0, tl_glue::same<void*>::type a1"));
    ck_assert_ptr_nonnull(strstr(text, "\"student~2\"")); /* an overload has a name of its own in a
                                                             log */
    ck_assert_ptr_nonnull(strstr(text, "{\"work\", call_"));
    /* the box: which function a kernel of the harness's is; and that there is a seam, in both */
    ck_assert_ptr_nonnull(strstr(text,
                                 "const GlueKernel threelane_kernels[] = {\n    {\"work\", (const "
                                 "void *)static_cast<void (*)(float const*, float*)>(work)},\n"
                                 "    {nullptr, nullptr}};\n"));
    const char *box = strstr(text, "const char threelane_seam = 1;"),
               *half = strstr(text, "#else\n");
    ck_assert(box && half && box < half && strstr(half, "const char threelane_seam = 1;"));
    ck_assert_ptr_null(strstr(text, "hidden"));
    ck_assert_ptr_null(strstr(text, "commented"));
    text_release(&source);
    text_release(&renames);
}
END_TEST

/* A kernel that the harness launches and the student writes is named by its symbol. */
START_TEST(kernels_of_the_student)
{
    Text source, renames;
    char error[200];
    ck_assert(write_one(&source, &renames, header, symbols, names, error));
    ck_assert_str_eq(text_string(&apart), "");
    text_release(&source);
    text_release(&renames);
    ck_assert_msg(write_one(&source, &renames,
                            "__global__ void mine(float *v, int n);\nvoid student(float *v);",
                            " U _Z4minePfi\n U _Z7studentPf\n",
                            " U mine(float*, int)\n U student(float*)\n", error),
                  "%s", error);
    ck_assert_str_eq(text_string(&apart), "_Z4minePfi\n");
    ck_assert_ptr_nonnull(strstr(text_string(&source), "::queue(\"mine\", apart_"));
    text_release(&source);
    text_release(&renames);
    text_release(&apart);
}
END_TEST

START_TEST(exercises_that_cannot_be_judged_so)
{
    Text source, renames;
    char error[200];
    ck_assert(!write_one(&source, &renames, "", symbols, names, error));
    ck_assert_str_eq(error, "ex.h declares no function that the harness calls");
    ck_assert(!write_one(&source, &renames, "extern \"C\" void plain(int);\nint student(int n);",
                         " U plain\n", " U plain\n", error));
    ck_assert_ptr_nonnull(strstr(error, "plain: declare it without extern \"C\""));
    ck_assert(!write_one(&source, &renames, "__global__ void k(int); __global__ void k(float);",
                         "0 T _Z1ki\n0 T _Z1kf\n", "0 T k(int)\n0 T k(float)\n", error));
    ck_assert_ptr_nonnull(strstr(error, "two kernels of one name"));
    ck_assert(!write_one(&source, &renames, header, "one line\n", "two\nlines\n", error));
    ck_assert_str_ne(error, "");
    ck_assert(!write_one(&source, &renames, header, "", "", error));
    ck_assert(!write_one(&source, &renames, "// int student(int);", " U _Z7studenti\n",
                         " U student(int)\n", error));
    ck_assert(!write_one(&source, &renames, "/* never closed", "U _Z\nU\n\nT _Z1f\n",
                         "U _Z\nU\n\nT f\n", error));
}
END_TEST

CASES("glue")
