/* The colours, measured: told apart by all eyes, seen on light and dark, readable. */
#include <math.h>

#include "tests/unit/cases.h"
#include "timeline/pictures/palette.h"

enum { WHITE = 0xffffff, BLACK = 0x000000, DARK_PAPER = 0x0f1318, EYES = 4 };

/* Linear RGB as eyes without long, middle or short cones see it: Machado, Oliveira and Fernandes,
 * "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1. */
static const double eyes[EYES][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static void linear(uint32_t rgb, double c[3])
{
    for (int i = 0; i < 3; i++) {
        double v = (rgb >> (16 - 8 * i) & 255) / 255.0;
        c[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
}

static double luminance(uint32_t rgb)
{
    double c[3];
    linear(rgb, c);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/* WCAG's contrast ratio. */
static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static void lab_of(uint32_t rgb, int eye, double lab[3])
{
    double c[3], seen[3];
    linear(rgb, c);
    for (int i = 0; i < 3; i++) {
        seen[i] = eyes[eye][i][0] * c[0] + eyes[eye][i][1] * c[1] + eyes[eye][i][2] * c[2];
        seen[i] = seen[i] < 0 ? 0 : seen[i] > 1 ? 1 : seen[i];
    }
    double x = lab_curve((0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) /
                         0.95047),
           y = lab_curve(0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2]),
           z = lab_curve((0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) /
                         1.08883);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

/* The least distance of two colours for any eyes. */
static double distance(uint32_t a, uint32_t b)
{
    double least = 1e9;
    for (int eye = 0; eye < EYES; eye++) {
        double p[3], q[3], sum = 0;
        lab_of(a, eye, p);
        lab_of(b, eye, q);
        for (int i = 0; i < 3; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
        if (sqrt(sum) < least) least = sqrt(sum);
    }
    return least;
}

/* What a 256-colour terminal shows for a number from 16 on. */
static uint32_t shown(unsigned number)
{
    static const unsigned levels[6] = {0, 95, 135, 175, 215, 255};
    if (number >= 232) return (8 + (number - 232) * 10) * 0x010101u;
    number -= 16;
    return levels[number / 36] << 16 | levels[number / 6 % 6] << 8 | levels[number % 6];
}

START_TEST(kinds_are_told_apart_by_all_eyes)
{
    for (int i = 0; i < PALETTE_KINDS; i++) {
        for (int k = 0; k < i; k++) {
            double least = i <= PALETTE_HOSTFN ? 20 : k <= PALETTE_HOSTFN ? 9 : 0;
            double d = distance(palette[i].rgb, palette[k].rgb);
            ck_assert_msg(d >= least, "%s and %s differ by %.1f only", palette[i].id, palette[k].id,
                          d);
        }
    }
}
END_TEST

START_TEST(colours_are_seen_on_light_and_dark)
{
    static const uint32_t papers[] = {WHITE, BLACK, DARK_PAPER};
    for (int i = 0; i < PALETTE_KINDS; i++) {
        for (size_t k = 0; k < sizeof papers / sizeof *papers; k++) {
            double c = contrast(palette[i].rgb, papers[k]);
            ck_assert_msg(c >= 3, "%s on #%06x: %.2f", palette[i].id, papers[k], c);
        }
    }
}
END_TEST

START_TEST(words_on_a_colour_are_readable)
{
    for (int i = 0; i < PALETTE_KINDS; i++) {
        double c = contrast(palette[i].rgb, palette[i].ink);
        ck_assert_msg(c >= 4.5, "the words on %s: %.2f", palette[i].id, c);
    }
}
END_TEST

START_TEST(terminals_show_the_same_colours)
{
    for (int i = 0; i < PALETTE_KINDS; i++) {
        ck_assert_uint_eq(shown(palette[i].of_256), palette[i].rgb);
        ck_assert_uint_eq(shown(palette[i].ink_256), palette[i].ink);
        ck_assert_uint_ne(palette[i].of_8, palette[i].ink_8);
        for (int k = 0; k < i && i <= PALETTE_HOSTFN; k++)
            ck_assert_msg(palette[i].of_8 != palette[k].of_8,
                          "of 8 colours %s and %s have the same", palette[i].id, palette[k].id);
    }
}
END_TEST

/* What is found must be what there is: the kinds that the review found alike are found so. */
START_TEST(the_measure_knows_bad_colours)
{
    ck_assert(distance(shown(107), shown(173)) < 4);
    ck_assert(distance(BLACK, WHITE) > 99);
    ck_assert(contrast(shown(221), WHITE) < 1.5);
    ck_assert(fabs(contrast(BLACK, WHITE) - 21) < 1e-9);
}
END_TEST

CASES("palette")
