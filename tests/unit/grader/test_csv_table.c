/* Tables as spreadsheets write them: what is read is written again, and what is none is said. */
#include <stdlib.h>
#include <string.h>
#include "grader/grades/csv_table.h"
#include "tests/unit/cases.h"

static char *written(const CsvTable *table)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&bytes, &size);
    csv_table_write(to, table);
    fclose(to);
    return bytes;
}

START_TEST(a_table_is_read_and_written_again)
{
    static const char text[] =
        "\xef\xbb\xbfName,Grade\r\n\"Lovelace, Ada\",\"3 \"\"x\"\"\nlines\"\r\n"
        "\r\nBob,,\r\n";
    CsvTable table;
    char error[300] = "";
    ck_assert_msg(csv_table_read(&table, text, sizeof text - 1, error, sizeof error), "%s", error);
    ck_assert_uint_eq(table.n, 3);
    ck_assert_int_eq(csv_table_column(&table, "grade"), 1);
    ck_assert_int_eq(csv_table_column(&table, "name"), 0);
    ck_assert_int_eq(csv_table_column(&table, "mark"), -1);
    ck_assert_str_eq(csv_table_cell(&table, 1, 0), "Lovelace, Ada");
    ck_assert_str_eq(csv_table_cell(&table, 1, 1), "3 \"x\"\nlines");
    ck_assert_str_eq(csv_table_cell(&table, 2, 1), "");
    ck_assert_str_eq(csv_table_cell(&table, 2, 9), "");
    ck_assert_str_eq(csv_table_cell(&table, 9, 0), "");
    ck_assert_str_eq(csv_table_cell(&table, 0, -1), "");
    csv_table_put(&table, 2, 4, "5,5");
    char *again = written(&table);
    ck_assert_str_eq(again, "Name,Grade\r\n\"Lovelace, Ada\",\"3 \"\"x\"\"\nlines\"\r\n"
                            "Bob,,,,\"5,5\"\r\n");
    free(again);
    csv_table_release(&table);
}
END_TEST

START_TEST(what_is_no_table_is_said)
{
    CsvTable table;
    char error[300] = "";
    ck_assert(!csv_table_read(&table, "a,b\n\"c,d\n", 9, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "row 2 "));
    csv_table_release(&table);
    ck_assert(csv_table_read(&table, "", 0, error, sizeof error));
    ck_assert_uint_eq(table.n, 0);
    ck_assert_int_eq(csv_table_column(&table, "a"), -1);
    csv_table_release(&table);
    ck_assert(!csv_table_read_file(&table, "/no/such/table.csv", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "/no/such/table.csv: No such file"));
    csv_table_release(&table);
    /* more cells than anybody's class has */
    size_t n = 1200000;
    char *many = malloc(n);
    memset(many, ',', n);
    ck_assert(!csv_table_read(&table, many, n, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "more than 1000000 cells"));
    csv_table_release(&table);
    free(many);
}
END_TEST

/* Whatever the bytes, it ends, and nothing is read that is not there (the sanitizers look on). */
START_TEST(any_bytes)
{
    unsigned state = 1;
    for (int i = 0; i < 3000; i++) {
        char bytes[64], error[300];
        size_t length = (state = state * 1103515245 + 12345) >> 16 & 63;
        for (size_t k = 0; k < length; k++)
            bytes[k] = ",\"\n\r a\xef"[((state = state * 1103515245 + 12345) >> 16) % 7];
        CsvTable table, second;
        if (csv_table_read(&table, bytes, length, error, sizeof error) && table.n) {
            char *once = written(&table);
            ck_assert(csv_table_read(&second, once, strlen(once), error, sizeof error));
            ck_assert_uint_eq(second.n, table.n);
            csv_table_release(&second);
            free(once);
        }
        csv_table_release(&table);
    }
}
END_TEST

CASES("csv_table")
