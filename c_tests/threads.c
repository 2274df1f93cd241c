/* The number of threads: what is asked for is what is used, no bit depends on it, none is made in vain, and
 * gelu_shutdown joins them. */
#define _GNU_SOURCE
#include <pthread.h>

#include "functions.h"
#include "tasks.h"

enum { LARGE = 1000003, MEDIUM = 60001, SMALL = 500, CALLERS = 16 };

static uint64_t dy[LARGE], x[LARGE], expected[LARGE], out[LARGE];

/* Double costs more, in a debug build much more. */
static size_t large(const struct function *f)
{
    return f->size == 4 ? LARGE : LARGE / 4;
}

static void large_call(const struct function *f, const char *what)
{
    memset(out, 0, large(f) * f->size);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, large(f)));
    check_bytes(f, expected, out, large(f), what);
}

static void the_number_is_what_was_set(void)
{
    size_t usual = gelu_get_num_threads();
    static const size_t numbers[] = {1, 2, 7, 1024};
    CHECK(usual >= 1);
    for (size_t i = 0; i < 4; i++) {
        gelu_set_num_threads(numbers[i]);
        CHECK_EQUAL(numbers[i], gelu_get_num_threads());
    }
    gelu_set_num_threads(SIZE_MAX);
    CHECK_EQUAL(1024, gelu_get_num_threads());
    gelu_set_num_threads(0);
    CHECK_EQUAL(usual, gelu_get_num_threads());
}

static void one_thread_and_small_calls_make_none(int before)
{
    gelu_set_num_threads(1);
    FOR_EACH_FUNCTION(f) {
        CHECK_EQUAL(GELU_OK, call(f, dy, x, out, large(f) / 4));
        CHECK_EQUAL(before, count_tasks());
    }
    gelu_set_num_threads(7);
    FOR_EACH_FUNCTION(f) {
        CHECK_EQUAL(GELU_OK, call(f, dy, x, out, SMALL));
        CHECK_EQUAL(GELU_OK, call(f, dy, x, out, 0));
        CHECK_EQUAL(GELU_ERROR_SIZE, call(f, dy, x, out, SIZE_MAX));
        CHECK_EQUAL(before, count_tasks());
    }
    /* Nor does a shutdown without workers. */
    gelu_shutdown();
    CHECK_EQUAL(before, count_tasks());
}

static void the_number_changes_no_bit(int before)
{
    static const size_t numbers[] = {2, 7, 0};
    sigset_t mask, after;
    CHECK_EQUAL(0, pthread_sigmask(SIG_SETMASK, NULL, &mask));
    FOR_EACH_FUNCTION(f) {
        fill(f, dy, large(f), 1);
        fill(f, x, large(f), 2);
        gelu_set_num_threads(1);
        CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, large(f)));
        for (size_t i = 0; i < 3; i++) {
            gelu_set_num_threads(numbers[i]);
            large_call(f, "another number of threads");
            if (numbers[i] == 2 && f == FUNCTIONS)
                check_workers_become(1, "two threads, the caller among them");
        }
    }
    CHECK_EQUAL(0, pthread_sigmask(SIG_SETMASK, NULL, &after));
    for (int signal = 1; signal < 32; signal++)
        CHECK_EQUAL(sigismember(&mask, signal), sigismember(&after, signal));
    gelu_shutdown();
    check_tasks_become(before, "after gelu_shutdown");
}

static void shutdown_joins_and_a_later_call_makes_new_ones(int before)
{
    const struct function *f = &FUNCTIONS[0];
    fill(f, x, large(f), 2);
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, large(f)));
    gelu_set_num_threads(7);
    for (int i = 0; i < 3; i++) {
        large_call(f, "after gelu_shutdown");
        check_workers_become(6, "seven threads");
        CHECK_EQUAL(before + 6, count_tasks());
        gelu_shutdown();
        check_tasks_become(before, "after gelu_shutdown");
        gelu_shutdown();
    }
    /* Far more than cores. */
    gelu_set_num_threads(200);
    large_call(f, "200 threads");
    CHECK(count_tasks() <= before + 199);
    gelu_shutdown();
    check_tasks_become(before, "after gelu_shutdown of 200 threads");
}

struct caller {
    pthread_t thread;
    const struct function *function;
    uint64_t *dy, *x, *expected, *out;
    int rounds;
};

static void *call_often(void *argument)
{
    struct caller *c = (struct caller *)argument;
    for (int i = 0; i < c->rounds; i++) {
        /* Between small and large, so that some stay on their thread. */
        size_t n = i % 3 == 2 ? SMALL : MEDIUM - (size_t)i * 1000;
        memset(c->out, 0, n * c->function->size);
        CHECK_EQUAL(GELU_OK, call(c->function, c->dy, c->x, c->out, n));
        check_bytes(c->function, c->expected, c->out, n, "called by many threads at once");
    }
    return NULL;
}

/* Sixteen threads call at once; meanwhile this one may shut the pool down and change the number. */
static void many_callers(size_t threads, int disturb)
{
    static struct caller callers[CALLERS];
    gelu_set_num_threads(1);
    for (int i = 0; i < CALLERS; i++) {
        struct caller *c = &callers[i];
        *c = (struct caller){.function = &FUNCTIONS[i % 8], .rounds = 6};
        c->dy = (uint64_t *)allocate(MEDIUM * 8);
        c->x = (uint64_t *)allocate(MEDIUM * 8);
        c->expected = (uint64_t *)allocate(MEDIUM * 8);
        c->out = (uint64_t *)allocate(MEDIUM * 8);
        fill(c->function, c->dy, MEDIUM, (uint64_t)i);
        fill(c->function, c->x, MEDIUM, 100 + (uint64_t)i);
        CHECK_EQUAL(GELU_OK, call(c->function, c->dy, c->x, c->expected, MEDIUM));
    }
    gelu_set_num_threads(threads);
    for (int i = 0; i < CALLERS; i++)
        CHECK_EQUAL(0, pthread_create(&callers[i].thread, NULL, call_often, &callers[i]));
    for (int i = 0; disturb && i < 50; i++) {
        gelu_shutdown();
        gelu_set_num_threads((size_t)i % 5 + 1);
        wait_a_millisecond();
    }
    for (int i = 0; i < CALLERS; i++) {
        struct caller *c = &callers[i];
        CHECK_EQUAL(0, pthread_join(c->thread, NULL));
        free(c->dy);
        free(c->x);
        free(c->expected);
        free(c->out);
    }
}

int main(void)
{
    int before = count_tasks();
    the_number_is_what_was_set();
    one_thread_and_small_calls_make_none(before);
    the_number_changes_no_bit(before);
    shutdown_joins_and_a_later_call_makes_new_ones(before);
    many_callers(0, 0);
    many_callers(7, 0);
    many_callers(7, 1);
    gelu_shutdown();
    check_tasks_become(before, "at the end");
    return 0;
}
