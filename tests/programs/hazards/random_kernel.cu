// Random kernels against an independent count of what is ordered. SEEDS=n (default 200) of them, from FIRST on.
//
// A seed makes a script: a few blocks of threads go through the same steps, in each of which some of them read, write or
// atomically change words of global memory, or meet at a barrier of the block or of the warp, or one thread makes a fence
// and raises a flag that another one waits for. What is ordered is counted here with a clock for each thread, by the rules
// of HAZARDS.md and none of the checker's means. Each script runs in a process of its own, and exactly those pairs of
// lines must be reported that some two threads bring into conflict, unordered.
// out: kernels as expected
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 24, WORDS = 224, FEW = 24, ATOMIC_WORDS = 8, BLOCKS = 4, THREADS = 40, ALL = BLOCKS * THREADS, FLAGS = STEPS, PAGE = 4096 };
enum What { NOTHING, READ, WRITE, ATOMIC, BARRIER, WARP, RAISE, RAISE_FENCED, AWAIT };
struct Step { int what; int16_t word[ALL]; int who, flag; };      // word < 0: the thread does nothing
struct Script { int blocks, threads; Step step[STEPS]; };

/* ---- accesses: each step has a line of its own ---- */

#define SLOT(K) __device__ __attribute__((noinline)) static void slot##K(int what, int *p, int *sum, int value) { if (what == READ) *sum += *p + K; else if (what == WRITE) *p = value + K; else atomicAdd(p, 1 + K); }
enum { FIRST_SLOT = __LINE__ + 1 };
SLOT(0)
SLOT(1)
SLOT(2)
SLOT(3)
SLOT(4)
SLOT(5)
SLOT(6)
SLOT(7)
SLOT(8)
SLOT(9)
SLOT(10)
SLOT(11)
SLOT(12)
SLOT(13)
SLOT(14)
SLOT(15)
SLOT(16)
SLOT(17)
SLOT(18)
SLOT(19)
SLOT(20)
SLOT(21)
SLOT(22)
SLOT(23)

__device__ static void touch(int k, int what, int *p, int *sum, int value)
{
    switch (k) {
    case 0: slot0(what, p, sum, value); break;
    case 1: slot1(what, p, sum, value); break;
    case 2: slot2(what, p, sum, value); break;
    case 3: slot3(what, p, sum, value); break;
    case 4: slot4(what, p, sum, value); break;
    case 5: slot5(what, p, sum, value); break;
    case 6: slot6(what, p, sum, value); break;
    case 7: slot7(what, p, sum, value); break;
    case 8: slot8(what, p, sum, value); break;
    case 9: slot9(what, p, sum, value); break;
    case 10: slot10(what, p, sum, value); break;
    case 11: slot11(what, p, sum, value); break;
    case 12: slot12(what, p, sum, value); break;
    case 13: slot13(what, p, sum, value); break;
    case 14: slot14(what, p, sum, value); break;
    case 15: slot15(what, p, sum, value); break;
    case 16: slot16(what, p, sum, value); break;
    case 17: slot17(what, p, sum, value); break;
    case 18: slot18(what, p, sum, value); break;
    case 19: slot19(what, p, sum, value); break;
    case 20: slot20(what, p, sum, value); break;
    case 21: slot21(what, p, sum, value); break;
    case 22: slot22(what, p, sum, value); break;
    case 23: slot23(what, p, sum, value); break;
    }
}

__global__ void run(const Script *script, int *words, unsigned *flags, int *sums)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < STEPS; k++) {
        const Step *s = &script->step[k];
        switch (s->what) {
        case READ: case WRITE: case ATOMIC:
            if (s->word[me] >= 0) touch(k, s->what, &words[s->word[me]], &sum, (k + 1) * 1000 + me);
            break;
        case BARRIER:
            if (s->who >> blockIdx.x & 1) __syncthreads();
            break;
        case WARP: __syncwarp(); break;
        case RAISE_FENCED:
            if (s->who == me) __threadfence();
            // and so on
        case RAISE:
            if (s->who == me) atomicExch(&flags[s->flag], 1);
            break;
        case AWAIT:
            if (s->who == me) while (*(volatile unsigned *)&flags[s->flag] == 0) {}
            break;
        }
    }
    sums[me] = sum;
}

/* ---- scripts ---- */

static uint64_t state;
static unsigned pick(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}

static void make(Script *s, unsigned seed)
{
    state = seed * 0x9E3779B97F4A7C15ull + 1;
    memset(s, 0, sizeof *s);
    s->blocks = 1 + (int)pick(BLOCKS);
    s->threads = pick(2) ? 2 + (int)pick(7) : 33 + (int)pick(THREADS - 32);
    bool flags = pick(2), open[FLAGS] = {};
    int all = s->blocks * s->threads, n_flags = 0, rare = 3 + (int)pick(20);
    for (int k = 0; k < STEPS; k++) {
        Step *t = &s->step[k];
        unsigned kind = pick(10);
        memset(t->word, -1, sizeof t->word);
        if (kind < 6) {
            bool atomics = !flags && pick(3) == 0;
            t->what = atomics ? pick(4) ? ATOMIC : WRITE : pick(2) ? READ : WRITE;
            bool own = pick(3) == 0, row = !atomics && pick(2);
            int begin = row ? (int)pick((unsigned)all) / 2 : 0, end = row ? all - (int)pick((unsigned)all) / 2 : all;
            int shift = pick(2) ? 0 : (int)pick(WORDS - ATOMIC_WORDS - ALL), wrap = pick(4) ? WORDS : FEW;
            for (int i = begin; i < end; i++) {     // a row: one thread's word is beside that of the thread before it
                if (row) t->word[i] = (int16_t)(ATOMIC_WORDS + (i + shift) % (wrap - ATOMIC_WORDS));
                if (row || pick((unsigned)rare)) continue;
                if (!atomics) t->word[i] = (int16_t)(ATOMIC_WORDS + (own ? i : (int)pick(FEW)) % (FEW - ATOMIC_WORDS));
                else if ((t->what == ATOMIC) == (i % 2 == 0)) t->word[i] = (int16_t)pick(ATOMIC_WORDS);
            }
        } else if (kind < 8) {
            t->what = pick(4) ? BARRIER : WARP;
            t->who = (int)(pick(2) ? 15 : pick(16));
        } else if (flags && kind == 8) {
            t->what = pick(3) ? RAISE_FENCED : RAISE;
            t->who = (int)pick((unsigned)all);
            t->flag = n_flags++;
            open[t->flag] = true;
        } else if (flags && n_flags) {
            t->what = AWAIT;
            t->who = (int)pick((unsigned)all);
            t->flag = (int)pick((unsigned)n_flags);
            if (!open[t->flag]) t->what = NOTHING;
        }
    }
}

/* ---- what is ordered ---- */

struct Clock { int of[ALL]; };        // of each thread, the last step that is known; -1: none
static void join(Clock *a, const Clock *b)
{
    for (int i = 0; i < ALL; i++) if (b->of[i] > a->of[i]) a->of[i] = b->of[i];
}

static bool expected[STEPS][STEPS], possible[STEPS][STEPS];
static void count(const Script *s)
{
    static Clock clock[ALL], fence[ALL], flag[FLAGS], none;
    static Clock at[STEPS][ALL];      // what a thread knew when it came to a step
    int all = s->blocks * s->threads;
    memset(expected, 0, sizeof expected);
    memset(possible, 0, sizeof possible);
    for (int &of : none.of) of = -1;
    for (Clock &c : clock) c = none;
    for (Clock &c : fence) c = none;
    for (Clock &c : flag) c = none;
    for (int k = 0; k < STEPS; k++) {
        const Step *t = &s->step[k];
        for (int i = 0; i < all; i++) at[k][i] = clock[i];
        for (int i = 0; i < all; i++) clock[i].of[i] = k;
        if (t->what == BARRIER || t->what == WARP) {
            for (int first = 0, group; first < all; first += group) {
                int block = first / s->threads, left = (block + 1) * s->threads - first;
                group = t->what == WARP && left > 32 ? 32 : left;
                if (t->what == BARRIER && !(t->who >> block & 1)) continue;
                Clock sum = none, fences = none;
                for (int i = first; i < first + group; i++) join(&sum, &clock[i]), join(&fences, &fence[i]);
                for (int i = first; i < first + group; i++) {
                    clock[i] = sum;
                    if (t->what == BARRIER) fence[i] = fences;
                }
            }
        }
        if (t->what == RAISE_FENCED) fence[t->who] = clock[t->who];
        if (t->what == RAISE_FENCED || t->what == RAISE) join(&flag[t->flag], &fence[t->who]);
        if (t->what == AWAIT) join(&clock[t->who], &flag[t->flag]);
    }
    for (int a = 0; a < STEPS; a++)
        for (int b = a; b < STEPS; b++) {
            const Step *x = &s->step[a], *y = &s->step[b];
            if (x->what < READ || x->what > ATOMIC || y->what < READ || y->what > ATOMIC) continue;
            if ((x->what == READ && y->what == READ) || (x->what == ATOMIC && y->what == ATOMIC)) continue;
            for (int i = 0; i < all && !expected[a][b]; i++)
                for (int j = 0; j < all; j++) {
                    if (i == j || x->word[i] < 0 || x->word[i] != y->word[j]) continue;
                    if (at[b][j].of[i] >= a || at[a][i].of[j] >= b) continue;
                    possible[a][b] = true;
                    // a store after an atomic operation on the word: others may have been seen to be before that one
                    bool after = false;
                    int store = x->what == ATOMIC ? b : a, by = x->what == ATOMIC ? j : i;
                    for (int e = 0; e < STEPS && (x->what == ATOMIC || y->what == ATOMIC); e++)
                        for (int m = 0; m < all && s->step[e].what == ATOMIC; m++)
                            after |= s->step[e].word[m] == x->word[i] && at[store][by].of[m] >= e;
                    if (after) continue;
                    expected[a][b] = true;
                    break;
                }
        }
}

/* ---- runs ---- */

static void simulate(const Script *script)
{
    Script *d;
    int *words, *sums;
    unsigned *flags;
    cudaMalloc(&d, sizeof *d);
    cudaMalloc(&words, 2 * PAGE);       // words have a page to themselves
    words = (int *)(((size_t)words + PAGE - 1) / PAGE * PAGE);
    cudaMalloc(&sums, ALL * sizeof *sums);
    cudaMalloc(&flags, FLAGS * sizeof *flags);
    cudaMemcpy(d, script, sizeof *d, cudaMemcpyHostToDevice);
    cudaMemset(words, 0, WORDS * sizeof *words);
    cudaMemset(flags, 0, FLAGS * sizeof *flags);
    cudaDeviceSynchronize();
    run<<<script->blocks, script->threads>>>(d, words, flags, sums);
    exit(cudaDeviceSynchronize() == cudaSuccess ? 0 : 7);
}

static int check(unsigned seed)
{
    static Script script;
    char path[64], line[8192];
    int wrong = 0, status;
    make(&script, seed);
    count(&script);
    snprintf(path, sizeof path, "reports.%u", seed);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("THREELANE_CHECK_JSON", path, 1);
        setenv("THREELANE_CHECK", "global-race,same-value", 1);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        simulate(&script);
    }
    waitpid(child, &status, 0);
    FILE *file = fopen(path, "r");
    if (!file || status) {
        printf("seed %u: the kernel did not run (status %d)\n", seed, status);
        return 1;
    }
    static bool found[STEPS][STEPS];
    memset(found, 0, sizeof found);
    while (fgets(line, sizeof line, file)) {
        int lines[2], n = 0;
        if (strncmp(line, "{\"kind\":", 8) != 0) continue;
        if (!strstr(line, "\"kind\":\"global-race\"") && !strstr(line, "\"kind\":\"same-value\"")) {
            printf("seed %u: %s", seed, line);
            wrong++;
            continue;
        }
        for (const char *at = line; n < 2 && (at = strstr(at, "\"line\":")) != nullptr; at += 7)
            lines[n++] = atoi(at + 7) - FIRST_SLOT;
        if (n == 2 && lines[0] >= 0 && lines[1] >= 0 && lines[0] < STEPS && lines[1] < STEPS) found[lines[0]][lines[1]] = true;
        else wrong++, printf("seed %u: elsewhere: %s", seed, line);
    }
    fclose(file);
    unlink(path);
    for (int a = 0; a < STEPS; a++)
        for (int b = a; b < STEPS; b++) {
            bool reported = found[a][b] || found[b][a];
            if (reported ? possible[a][b] : !expected[a][b]) continue;
            printf("seed %u: steps %d and %d %s\n", seed, a, b, reported ? "are reported, and ordered" : "race, unreported");
            wrong++;
        }
    return wrong;
}

int main()
{
    const char *seeds = getenv("SEEDS"), *first = getenv("FIRST");
    int n = seeds ? atoi(seeds) : 200, from = first ? atoi(first) : 1, wrong = 0;
    for (int i = 0; i < n; i++) wrong += check((unsigned)(from + i));
    if (!first) wrong += check(20778);      // a line's first 64 words that are suspected race with another line than later ones
    if (!first) wrong += check(2779);       // two sites' rows are noted while a third one's are: once one of them was lost
    if (!wrong) puts("kernels as expected");
    return wrong != 0;
}
