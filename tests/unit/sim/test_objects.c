/* What object files ask of the linker: real ones, and files that are none. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/tlcc/objects.h"
#include "tests/unit/cases.h"

static char folder[] = "/tmp/objects-XXXXXX";

static char *path_of(const char *name)
{
    static char path[4][sizeof folder + 40];
    static unsigned next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static void write_file(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void compile(const char *object, const char *options, const char *text)
{
    char command[400];
    write_file("source.cc", text, strlen(text));
    snprintf(command, sizeof command, "g++ %s -c %s -o %s", options, path_of("source.cc"),
             path_of(object));
    ck_assert_int_eq(system(command), 0);
}

static bool need(const char *first, const char *second)
{
    char *paths[] = {path_of(first), second ? path_of(second) : NULL};
    return objects_need_cpp(paths, second ? 2 : 1);
}

START_TEST(real_objects)
{
    compile("c.o", "", "#include <stdio.h>\nint main(void) { return puts(\"x\"); }");
    compile("calls.o", "", "int other(const float *); int main() { return other(nullptr); }");
    compile("other.o", "", "int other(const float *x) { return x != nullptr; }");
    compile("news.o", "", "int main() { return *new int(0); }");
    compile("late.o", "", "struct A { A(); ~A(); } a; A::A() {} A::~A() {} int main() {}");
    compile("guards.o", "",
            "int f(); int *g() { static int x = f(); return &x; } int f() { return 1; }");
    compile("throws.o", "", "void f() { throw 1; }");
    ck_assert(!need("c.o", NULL));
    ck_assert(!need("calls.o", "other.o"));
    ck_assert(!need("other.o", "calls.o"));
    ck_assert(need("calls.o", NULL)); /* nobody has it: the linker is to say so as ever */
    ck_assert(need("news.o", NULL));
    ck_assert(need("c.o", "news.o"));
    ck_assert(!need("late.o", NULL)); /* __cxa_atexit is the C library's */
    ck_assert(need("guards.o", NULL));
    ck_assert(need("throws.o", NULL));
    compile("lto.o", "-flto", "#include <stdio.h>\nint main(void) { return puts(\"x\"); }");
    ck_assert(need("lto.o", NULL));
}
END_TEST

START_TEST(no_objects)
{
    char command[200];
    compile("c.o", "", "int main(void) { return 0; }");
    write_file("text.o", "int main;", 9);
    write_file("empty.o", "", 0);
    snprintf(command, sizeof command, "ar rcs %s %s", path_of("lib.a"), path_of("c.o"));
    ck_assert_int_eq(system(command), 0);
    const char *const none[] = {"text.o", "empty.o", "lib.a", "missing.o", "."};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ck_assert_msg(need(none[i], NULL), "%s", none[i]);
        ck_assert_msg(need("c.o", none[i]), "%s", none[i]);
    }
}
END_TEST

/* Cut off anywhere, or with bytes that are others: an answer, and no more than that. */
START_TEST(damaged)
{
    static char bytes[1 << 16], other[1 << 16];
    compile("whole.o", "-g", "int other(const float *); int main() { return other(nullptr); }");
    FILE *file = fopen(path_of("whole.o"), "r");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ck_assert_uint_gt(size, 500);
    for (size_t cut = 0; cut < size; cut += 7) {
        write_file("cut.o", bytes, cut);
        need("cut.o", NULL);
    }
    srand(1);
    for (int round = 0; round < 2000; round++) {
        memcpy(other, bytes, size);
        for (int i = 0; i < 4; i++)
            other[(unsigned)rand() % (round % 2 ? size : 64)] = (char)rand();
        if (round % 4 == 0)
            memset(other + size - 64 * (1 + (unsigned)rand() % 8), rand(), 24); /* a section's head
                                                                                 */
        write_file("other.o", other, size);
        need("other.o", NULL);
    }
}
END_TEST

int main(int argc, char **argv)
{
    if (!mkdtemp(folder)) return 2;
    int failed = cases_run("objects", argc, argv, &(CasesOptions){0});
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || failed;
}
