// OpenMP: who gets which turns by every schedule, in loops of their own and with their region; loops of unsigned and of
// backward turns; what is ordered; sections that outnumber threads; what the library says of itself.
// flags: -Xcompiler -fopenmp
// out: static 0000011111222223333
// out: static,3 0001112223330001112
// out: alone 0000000000000000000
// out: dynamic,4 1111 turns 19
// out: guided,2 5 4 3 2 2 2 1
// out: runtime static 0,2: 0011223300112233001
// out: runtime dynamic 8: 8 8 3
// out: runtime guided 1: 5 4 3 2 2 1 1 1
// out: schedules 1 0, 1 5, 2 1, 3 1, 1 0
// out: backwards 18 13 8 3 | 20 15 10 5
// out: empty 0 0 0
// out: ordered guided 0 1 2 3 4 5 6 7 8 9
// out: ordered runtime 9 8 7 6 5 4 3 2 1 0
// out: ordered unsigned 0 3 6 9 12 15 18
// out: sections 7 of 7, lastprivate 6, nowait 3
// out: reductions 190 0 1 1 19 0
// out: levels 2 of 2 3, thread 1 of 2, before -1 -1, outside 1 0
// out: library 0 0 1 0 0 0 0 1 0 0 0 0
// out: limits 4 1 4096 7 1 1 5 0 1
// out: locks 1 0 1, 1 2 0
// out: final 1 1 if 1
#include <omp.h>
#include <cstdio>
#include <cstring>

enum { TURNS = 19 };
static char who[TURNS + 1];

static void clear() { memset(who, '.', TURNS); }
static void mine(int i) { who[i] = (char)('0' + omp_get_thread_num()); }

// The chunks that a schedule of run time hands out, in order: where one turn does not follow the last of its thread.
static void chunks(const char *what)
{
    int of[TURNS], n = 0;
    clear();
#pragma omp parallel for ordered schedule(runtime)
    for (int i = 0; i < TURNS; i++)
#pragma omp ordered
    {
        mine(i);
        of[n++] = omp_get_thread_num();
    }
    printf("%s", what);
    for (int i = 0, size = 0; i < n; i++) {
        size++;
        if (i + 1 < n && of[i + 1] == of[i]) continue;
        printf(" %d", size);
        size = 0;
    }
    printf("\n");
}

int main()
{
    clear();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < TURNS; i++) mine(i);
    printf("static %s\n", who);
    clear();
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < TURNS; i++) mine(i);
    printf("static,3 %s\n", who);
    clear();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < TURNS; i++) mine(i);
    printf("alone %s\n", who);

    int each[4] = {0}, turns = 0;
    clear();
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 4) reduction(+ : turns)
        for (int i = 0; i < TURNS; i++) {
            turns++;
            each[omp_get_thread_num()] = 1;
        }
    }
    printf("dynamic,4 %d%d%d%d turns %d\n", each[0], each[1], each[2], each[3], turns);

    omp_sched_t kind;
    int chunk, said[10];
    omp_set_schedule(omp_sched_guided, 2);
    chunks("guided,2");
    omp_set_schedule(omp_sched_static, 2);
    clear();
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < TURNS; i++) mine(i);
    printf("runtime static 0,2: %s\n", who);
    omp_set_schedule(omp_sched_dynamic, 8);
    chunks("runtime dynamic 8:");
    omp_set_schedule(omp_sched_guided, 1);
    chunks("runtime guided 1:");
    const omp_sched_t kinds[5] = {omp_sched_static, omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    const int asked[5] = {0, 5, 0, -3, 0};
    for (int i = 0; i < 5; i++) {
        omp_set_schedule(kinds[i], asked[i]);
        omp_get_schedule(&kind, &chunk);
        said[2 * i] = (int)kind;
        said[2 * i + 1] = chunk;
    }
    printf("schedules %d %d, %d %d, %d %d, %d %d, %d %d\n", said[0], said[1], said[2], said[3], said[4], said[5], said[6],
           said[7], said[8], said[9]);

    int first[4] = {0};
    unsigned long long wide[4] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(static, 1)
        for (int i = 18; i > 0; i -= 5) first[omp_get_thread_num()] = i;
#pragma omp for schedule(guided)
        for (unsigned long long i = 20; i > 0; i -= 5) wide[(20 - i) / 5] = i;
    }
    printf("backwards %d %d %d %d | %llu %llu %llu %llu\n", first[0], first[1], first[2], first[3], wide[0], wide[1],
           wide[2], wide[3]);
    int none[3] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 5; i < turns - 14; i++) none[0]++;
#pragma omp for schedule(dynamic)
        for (int i = turns; i < 3; i++) none[1]++;
#pragma omp for schedule(guided)
        for (unsigned long long i = (unsigned long long)turns; i < 3; i++) none[2]++;
    }
    printf("empty %d %d %d\n", none[0], none[1], none[2]);

    printf("ordered guided");
#pragma omp parallel for ordered schedule(guided, 2)
    for (int i = 0; i < 10; i++)
#pragma omp ordered
        printf(" %d", i);
    omp_set_schedule(omp_sched_dynamic, 3);
    printf("\nordered runtime");
#pragma omp parallel for ordered schedule(runtime)
    for (int i = 9; i >= 0; i--)
#pragma omp ordered
        printf(" %d", i);
    printf("\nordered unsigned");
#pragma omp parallel for ordered schedule(static, 2)
    for (unsigned long long i = 0; i < 20; i += 3)
#pragma omp ordered
        printf(" %llu", i);

    int done[7] = {0}, last = 0, others = 0;
#pragma omp parallel
    {
#pragma omp sections lastprivate(last)
        {
            done[0] = 1;
#pragma omp section
            done[1] = 1;
#pragma omp section
            done[2] = 1;
#pragma omp section
            done[3] = 1;
#pragma omp section
            done[4] = 1;
#pragma omp section
            done[5] = 1;
#pragma omp section
            done[6] = 1, last = 6;
        }
#pragma omp sections nowait
        {
#pragma omp atomic
            others++;
#pragma omp section
#pragma omp atomic
            others += 2;
        }
    }
    printf("\nsections %d of 7, lastprivate %d, nowait %d\n", done[0] + done[1] + done[2] + done[3] + done[4] + done[5] + done[6],
           last, others);

    int sum = 19, both = 0x7f, any = 0, most = -5, least = 99;
    bool all = true;
#pragma omp parallel for reduction(+ : sum) reduction(& : both) reduction(| : any) reduction(&& : all) \
    reduction(max : most) reduction(min : least)
    for (int i = 0; i < TURNS; i++) {
        sum += i;
        both &= 1 << i % 7;
        any |= i == 3;
        all = all && i >= 0;
        most = i + 1 > most ? i + 1 : most;
        least = i < least ? i : least;
    }
    printf("reductions %d %d %d %d %d %d\n", sum, both, any, all, most, least);

    int level = 0, size = 0, up = 0, up_size = 0, before = 0, before_size = 0, top = 0, top_rank = 0, inner = 0;
    omp_set_nested(1);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
    {
        if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == 2) {
            level = omp_get_level(), inner = omp_get_active_level(), size = omp_get_team_size(2);
            up = omp_get_ancestor_thread_num(1), up_size = omp_get_team_size(1);
            before = omp_get_ancestor_thread_num(-1), before_size = omp_get_team_size(3);
            top = omp_get_team_size(0), top_rank = omp_get_ancestor_thread_num(0);
        }
    }
    printf("levels %d of %d %d, thread %d of %d, before %d %d, outside %d %d\n", level, inner, size, up, up_size, before,
           before_size, top, top_rank);

    omp_set_dynamic(1), omp_set_default_device(3);
    printf("library %d %d %d %d %d %d %d %d %d %d %d %d\n", omp_get_dynamic(), omp_get_cancellation(), omp_is_initial_device(),
           omp_get_num_devices(), omp_get_default_device(), omp_get_initial_device(), (int)omp_get_proc_bind(),
           omp_get_num_teams(), omp_get_team_num(), omp_get_num_places(), omp_get_max_task_priority(), omp_in_final());
    int procs = omp_get_num_procs(), limit = omp_get_thread_limit(), nested = omp_get_nested();
    omp_set_num_threads(7);
    int seven = omp_get_max_threads();
    omp_set_num_threads(-2);
    int one = omp_get_max_threads();
    omp_set_nested(0);
    int flat = omp_get_max_active_levels();
    omp_set_max_active_levels(5), omp_set_max_active_levels(-1);
    int five = omp_get_max_active_levels();
    printf("limits %d %d %d %d %d %d %d %d %d\n", procs, nested, limit, seven, one, flat, five, omp_in_parallel(),
           omp_get_wtick() == 1e-9);

    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock_with_hint(&lock, omp_lock_hint_none);
    omp_init_nest_lock_with_hint(&nest, omp_lock_hint_none);
    int got = omp_test_lock(&lock), again = omp_test_lock(&lock);
    omp_unset_lock(&lock);
    int free_again = omp_test_lock(&lock), n1 = omp_test_nest_lock(&nest), n2 = omp_test_nest_lock(&nest), other = 9;
    omp_unset_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) other = omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest), omp_unset_nest_lock(&nest);
    omp_destroy_lock(&lock), omp_destroy_nest_lock(&nest);
    printf("locks %d %d %d, %d %d %d\n", got, again, free_again, n1, n2, other);

    int final = 0, inside = 0, at_once = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task final(true) shared(final, inside)
        {
            final = omp_in_final();
#pragma omp task shared(inside)
            inside = omp_in_final();
        }
#pragma omp taskwait
#pragma omp task if (false) shared(at_once)
        at_once = 1;
    }
    printf("final %d %d if %d\n", final, inside, at_once);
    cudaDeviceSynchronize();
    return 0;
}
