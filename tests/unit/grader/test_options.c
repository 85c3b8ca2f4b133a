/* The options of the `threelane` command: what each takes, and what is said of what it does not. */
#include "grader/commands/command_options.h"
#include "tests/unit/cases.h"

static Options options;
static char error[300];
static size_t at;

/* Takes the first of up to three words. */
static OptionTaken take(const char *command, const char *first, const char *second)
{
    char *words[] = {(char *)(uintptr_t)first, (char *)(uintptr_t)second, NULL};
    at = 0;
    error[0] = 0;
    return option_take(&options, command, words, second ? 2 : 1, &at, error, sizeof error);
}

static void takes(const char *command, const char *first, const char *second)
{
    options = (Options){0};
    ck_assert_msg(take(command, first, second) == OPTION_TAKEN, "%s: %s", first, error);
    ck_assert_uint_eq(at, second ? 1 : 0);
}

static void refuses(const char *command, const char *first, const char *second, const char *why)
{
    ck_assert_msg(take(command, first, second) == OPTION_WRONG, "%s is taken", first);
    ck_assert_str_eq(error, why);
}

START_TEST(a_value_is_the_next_word_or_behind_a_sign)
{
    takes("run", "--src", "mine.cu");
    ck_assert_str_eq(options.src, "mine.cu");
    takes("run", "--src=other.cu", NULL);
    ck_assert_str_eq(options.src, "other.cu");
    takes("run", "--src=a=b.cu", NULL);
    ck_assert_str_eq(options.src, "a=b.cu");
    takes("show", "-o", "picture.svg");
    ck_assert_str_eq(options.output, "picture.svg");
    takes("show", "--output=picture.svg", NULL);
    ck_assert_str_eq(options.output, "picture.svg");
    takes("run", "--json", NULL);
    ck_assert(options.json);
    ck_assert_int_eq(take("run", "--unsafe", "file"), OPTION_TAKEN);
    ck_assert_uint_eq(at, 0); /* a flag leaves the next word alone */
    ck_assert_int_eq(take("show", "-o=x", NULL), OPTION_NONE); /* a sign belongs to two dashes */
    ck_assert_int_eq(take("run", "--sr", "x"), OPTION_NONE);   /* nothing is guessed */
    ck_assert_int_eq(take("run", "--srcs", "x"), OPTION_NONE);
    ck_assert_int_eq(take("show", "--src", "x"), OPTION_NONE); /* another command's */
    ck_assert_int_eq(take("ru", "--src", "x"), OPTION_NONE);
    ck_assert_int_eq(take("lint", "--width", "80"), OPTION_TAKEN); /* everybody's */
}
END_TEST

START_TEST(numbers_have_bounds)
{
    takes("run", "--seed", "1");
    ck_assert_uint_eq(options.seed, 1);
    takes("run", "--seed=18446744073709551615", NULL);
    ck_assert_uint_eq(options.seed, 18446744073709551615u);
    takes("run", "--explore", "1000000");
    ck_assert_uint_eq(options.explore, 1000000);
    takes("grade", "-j", "64");
    ck_assert_uint_eq(options.parallel, 64);
    takes("grade", "--attempt", "3");
    ck_assert_uint_eq(options.attempt, 3);
    takes("run", "--width", "100000");
    ck_assert_int_eq(options.width, 100000);
    takes("run", "--card", "0");
    ck_assert_uint_eq(options.card, 0);
    ck_assert(options.gpu); /* who names a card means a card */
    takes("run", "--card", "1023");
    takes("check", "--timeout", "0.01");
    ck_assert_double_eq(options.seconds, 0.01);
    takes("check", "--timeout", "86400");
    takes("check", "--color", "always");
    ck_assert_int_eq(options.color, COLOR_ALWAYS);
    takes("check", "--color=never", NULL);
    ck_assert_int_eq(options.color, COLOR_NEVER);
    takes("check", "--color", "auto");
    ck_assert_int_eq(options.color, COLOR_AUTO);

    static const char *const none[] = {"0",  "-1", "+1",
                                       " 1", "1 ", "x",
                                       "1x", "",   "18446744073709551616"};
    char why[200];
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        snprintf(why, sizeof why, "--seed is a whole number from 1, not '%s'", none[i]);
        refuses("run", "--seed", none[i], why);
    }
    refuses("run", "--explore", "1000001",
            "--explore is a whole number from 1 to a million, not '1000001'");
    refuses("grade", "-j", "65", "-j is how many submissions at a time (1 to 64), not '65'");
    refuses("run", "--card", "1024", "--card is a card's number, from 0, not '1024'");
    refuses("run", "--width", "100001", "--width is a number of columns, not '100001'");
    static const char *const no_time[] = {"0.009", "86401", "soon", "3s"};
    for (size_t i = 0; i < sizeof no_time / sizeof *no_time; i++) {
        snprintf(why, sizeof why, "--timeout is a number of seconds (0.01 to 86400), not '%s'",
                 no_time[i]);
        refuses("run", "--timeout", no_time[i], why);
    }
    refuses("run", "--color", "blue", "--color is auto, always or never, not 'blue'");
}
END_TEST

START_TEST(what_is_missing_or_too_much_is_said)
{
    refuses("run", "--model", NULL, "--model needs a value");
    refuses("run", "--model=", NULL, "--model needs a value");
    refuses("run", "--model", "", "--model needs a value");
    refuses("show", "--output", NULL, "-o needs a value");
    refuses("run", "--json=yes", NULL, "--json takes no value");
    refuses("run", "--seed", NULL, "--seed needs a value");
}
END_TEST

/* Help names every option with what it takes, and each command's its own. */
START_TEST(help)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    options_help(to);
    fclose(to);
    static const char *const parts[] = {"--src FILE",
                                        "SRC",
                                        "-o",
                                        "FOLDER",
                                        "--color WHEN",
                                        "auto, always or never",
                                        "seconds that a run may compute"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "'%s' is not in:\n%.2000s", parts[i], text);
    free(text);

    to = open_memstream(&text, &size);
    options_help_of(to, "reset", true);
    fclose(to);
    ck_assert_ptr_nonnull(strstr(text, "--yes"));
    ck_assert_ptr_nonnull(strstr(text, "--width"));
    ck_assert_ptr_null(strstr(text, "--src"));
    ck_assert_ptr_null(strstr(text, "--write"));
    free(text);
}
END_TEST

CASES("options")
