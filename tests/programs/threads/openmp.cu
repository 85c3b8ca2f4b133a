// OpenMP in virtual time: regions, loops of every schedule, sections, single, critical, tasks, ordered, locks.
// flags: -Xcompiler -fopenmp
// out: regions 4 of 4 ranks, sum 6
// out: loops 4950 4950 4950 4950 4950
// out: backwards 0+3+6+9+12+15+18
// out: unsigned 45
// out: reduction 1000 499500
// out: sections 1 2 3
// out: single 1 42 42 42 42
// out: critical 400 atomic 400 lock 400 nest 8
// out: ordered 0123456789
// out: tasks 144 taskloop 4950 group 10 depend 123
// out: nested 1 of 1, then 2 of 2
// out: region 3 3 level 1
// out: firstprivate 17 18 19 20
// out: alone 0 1 0
// out: time moves
#include <omp.h>
#include <cstdio>
#include <cstring>

static int fib(int n)
{
    if (n < 2) return n;
    int a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main()
{
    int ranks[4] = {0}, sum = 0;
#pragma omp parallel
    {
        ranks[omp_get_thread_num()]++;
#pragma omp atomic
        sum += omp_get_thread_num();
    }
    printf("regions %d of %d ranks, sum %d\n", ranks[0] + ranks[1] + ranks[2] + ranks[3], omp_get_max_threads(), sum);

    long s[5] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            s[0] += i;
#pragma omp for schedule(static, 7)
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            s[1] += i;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            s[2] += i;
#pragma omp for schedule(guided, 3)
        for (long i = 99; i >= 0; i--)
#pragma omp atomic
            s[3] += i;
#pragma omp for schedule(runtime)
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            s[4] += i;
    }
    printf("loops %ld %ld %ld %ld %ld\n", s[0], s[1], s[2], s[3], s[4]);

    char text[64] = "";
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < 21; i += 3)
#pragma omp ordered
    {
        char one[8];
        snprintf(one, sizeof one, i ? "+%d" : "%d", i);
        strcat(text, one);
    }
    printf("backwards %s\n", text);

    unsigned long long u = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : u)
    for (unsigned long long i = 0; i < 10; i++) u += i;
    printf("unsigned %llu\n", u);

    int count = 0;
    double total = 0;
#pragma omp parallel for reduction(+ : count, total) num_threads(7)
    for (int i = 0; i < 1000; i++) {
        count++;
        total += i;
    }
    printf("reduction %d %.0f\n", count, total);

    int part[3] = {0};
#pragma omp parallel sections
    {
        part[0] = 1;
#pragma omp section
        part[1] = 2;
#pragma omp section
        part[2] = 3;
    }
    printf("sections %d %d %d\n", part[0], part[1], part[2]);

    int once = 0, got[4] = {0};
#pragma omp parallel
    {
        int mine = 0;
#pragma omp single
        once++;
#pragma omp single copyprivate(mine)
        mine = 42;
        got[omp_get_thread_num()] = mine;
    }
    printf("single %d %d %d %d %d\n", once, got[0], got[1], got[2], got[3]);

    int critical = 0, atomic = 0, locked = 0, nest = 0;
    omp_lock_t lock;
    omp_nest_lock_t nested;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
#pragma omp parallel
    {
        for (int i = 0; i < 100; i++) {
#pragma omp critical(named)
            critical++;
#pragma omp atomic
            atomic++;
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
        }
        omp_set_nest_lock(&nested);
        nest += omp_test_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
    printf("critical %d atomic %d lock %d nest %d\n", critical, atomic, locked, nest);

    text[0] = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 10; i++)
#pragma omp ordered
    {
        size_t at = strlen(text);
        text[at] = (char)('0' + i);
        text[at + 1] = 0;
    }
    printf("ordered %s\n", text);

    int f = 0, loop = 0, group = 0, chain = 0;
#pragma omp parallel
#pragma omp single
    {
        f = fib(12);
#pragma omp taskloop grainsize(9)
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            loop += i;
#pragma omp taskgroup
        {
            for (int i = 1; i < 5; i++)
#pragma omp task firstprivate(i)
#pragma omp atomic
                group += i;
        }
#pragma omp task depend(out : chain)
        chain = 1;
#pragma omp task depend(inout : chain)
        chain = chain * 10 + 2;
#pragma omp task depend(in : chain)
        chain = chain * 10 + 3;
    }
    printf("tasks %d taskloop %d group %d depend %d\n", f, loop, group, chain);

    int inner[2] = {0}, of[2] = {0};
    for (int round = 0; round < 2; round++) {
        omp_set_max_active_levels(round + 1);
#pragma omp parallel num_threads(2)
        {
#pragma omp parallel num_threads(2)
            {
                if (omp_get_ancestor_thread_num(1) == 1 && omp_get_level() == 2) {
#pragma omp atomic
                    inner[round]++;
                    of[round] = omp_get_num_threads();
                }
            }
        }
    }
    printf("nested %d of %d, then %d of %d\n", inner[0], of[0], inner[1], of[1]);

    omp_set_num_threads(3);
    int level = 0, threads = 0;
#pragma omp parallel
#pragma omp master
    {
        threads = omp_get_num_threads();
        level = omp_get_level();
    }
    printf("region %d %d level %d\n", threads, omp_get_max_threads(), level);

    int base = 17, seen[4];
#pragma omp parallel for firstprivate(base) num_threads(4)
    for (int i = 0; i < 4; i++) seen[i] = base + i;
    printf("firstprivate %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3]);
    printf("alone %d %d %d\n", omp_get_thread_num(), omp_get_num_threads(), omp_in_parallel());
    double begin = omp_get_wtime();
    while (omp_get_wtime() - begin < 1e-3) { }
    printf("time moves\n");
    cudaDeviceSynchronize();
    return 0;
}
