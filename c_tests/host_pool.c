/* gelu_set_parallel_for: pieces run on the host's threads with the same bits, and a host that does not keep its side
 * does no harm. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

#include "fp_control.h"
#include "functions.h"
#include "tasks.h"

enum { LARGE = 1000003, MOST = 1024, THREADS = 4, BEYOND = 64 };

static uint64_t dy[LARGE], x[LARGE], expected[LARGE], out[LARGE + BEYOND], before[LARGE + BEYOND];
static int calls;

static size_t large(const struct function *f)
{
    return f->size == 4 ? LARGE : LARGE / 4;
}

/* What a host got, and how often it called which task. */
static struct {
    gelu_task task;
    void *context;
    size_t count;
} last;

static void keep(size_t count, gelu_task task, void *context)
{
    calls++;
    CHECK(count >= 2 && count <= MOST);
    last.task = task;
    last.context = context;
    last.count = count;
}

static void in_order(void *user, size_t count, gelu_task task, void *context)
{
    CHECK(user == &calls);
    keep(count, task, context);
    for (size_t i = 0; i < count; i++)
        task(context, i);
}

static void backwards_twice_and_out_of_range(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    keep(count, task, context);
    for (size_t i = count; i-- > 0;) {
        task(context, i);
        task(context, count + i);
        task(context, i);
    }
    task(context, SIZE_MAX);
    task(context, MOST);
    /* Contexts that no call was given. */
    task(NULL, 0);
    task((void *)UINTPTR_MAX, 0);
}

static void all_but_one(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    keep(count, task, context);
    for (size_t i = 0; i < count; i++)
        if (i != count / 2)
            task(context, i);
}

static void nothing(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    keep(count, task, context);
}

static atomic_size_t next_piece;

static void *take_pieces(void *unused)
{
    size_t i;
    (void)unused;
    while ((i = atomic_fetch_add(&next_piece, 1)) < last.count)
        last.task(last.context, i);
    return NULL;
}

static pthread_t threads[THREADS];

static void start_threads(size_t count, gelu_task task, void *context)
{
    keep(count, task, context);
    atomic_store(&next_piece, 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_pieces, NULL) == 0);
}

static void join_threads(void)
{
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void on_threads(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    start_threads(count, task, context);
    join_threads();
}

/* Returns while its threads are at work. */
static void too_early(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    start_threads(count, task, context);
}

static struct fp_state callers;

static void in_the_callers_environment(void *user, size_t count, gelu_task task, void *context)
{
    check_fp_state(callers, "in the host's loop");
    in_order(user, count, task, context);
    check_fp_state(callers, "after the tasks");
}

static gelu_status run(const struct function *f, gelu_parallel_for loop)
{
    calls = 0;
    memset(out, 0x5a, sizeof out);
    memcpy(before, out, sizeof out);
    gelu_set_parallel_for(loop, &calls);
    gelu_status status = call(f, dy, x, out, large(f));
    size_t end = large(f) * f->size;
    if (memcmp((char *)out + end, (char *)before + end, sizeof out - end) != 0)
        FAIL("%s: written behind the output", f->name);
    return status;
}

static void check_right(const struct function *f, gelu_parallel_for loop, const char *what)
{
    CHECK_EQUAL(GELU_OK, run(f, loop));
    CHECK_EQUAL(1, calls);
    check_bytes(f, expected, out, large(f), what);
}

/* Every element is right or as it was; the number of those that are as they were. */
static size_t check_partial(const struct function *f, const char *what)
{
    size_t left = 0;
    for (size_t i = 0; i < large(f); i++) {
        if (get(f, out, i) == get(f, before, i))
            left++;
        else if (get(f, out, i) != get(f, expected, i))
            FAIL("%s, %s: element %zu is wrong", f->name, what, i);
    }
    return left;
}

static void late_tasks_do_nothing(const struct function *f)
{
    memcpy(before, out, sizeof out);
    for (size_t i = 0; i < last.count; i++)
        last.task(last.context, i);
    if (memcmp(before, out, sizeof out) != 0)
        FAIL("%s: a task changed the output after its call", f->name);
}

static void check_function(const struct function *f, int tasks)
{
    fill(f, dy, large(f), 1);
    fill(f, x, large(f), 2);
    gelu_set_parallel_for(NULL, NULL);
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, large(f)));
    gelu_set_num_threads(5);

    check_right(f, in_order, "in order");
    late_tasks_do_nothing(f);
    check_right(f, on_threads, "on the host's threads");
    check_right(f, backwards_twice_and_out_of_range, "backwards, twice and out of range");
    set_control(CONTROL_DEFAULT | CONTROL_ROUNDING(1) | CONTROL_FTZ | CONTROL_DAZ);
    callers = fp_state();
    gelu_status status = run(f, in_the_callers_environment);
    set_control(CONTROL_DEFAULT);
    CHECK_EQUAL(GELU_OK, status);
    check_bytes(f, expected, out, large(f), "in an environment of the host's");

    CHECK_EQUAL(GELU_ERROR_INCOMPLETE, run(f, all_but_one));
    size_t left = check_partial(f, "all but one");
    CHECK(left > 0 && left <= large(f) / last.count + 64);
    late_tasks_do_nothing(f);
    CHECK_EQUAL(GELU_ERROR_INCOMPLETE, run(f, nothing));
    CHECK_EQUAL(large(f), check_partial(f, "nothing"));
    late_tasks_do_nothing(f);

    status = run(f, too_early);
    left = check_partial(f, "too early");
    CHECK_EQUAL(status == GELU_OK, left == 0);
    memcpy(before, out, sizeof out);
    join_threads();
    if (memcmp(before, out, sizeof out) != 0)
        FAIL("%s: a thread of the host wrote after the call", f->name);

    /* Nothing to share: the host is not asked. */
    calls = 0;
    gelu_set_parallel_for(in_order, &calls);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, 500));
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, large(f)));
    CHECK_EQUAL(0, calls);
    check_tasks_become(tasks, "calls on the host's threads make no worker");
}

enum { CALLERS = 100 };

static pthread_barrier_t barrier;

/* More at once than there are places for. */
static void *many_calls(void *buffer)
{
    const struct function *f = FUNCTIONS;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++) {
        memset(buffer, 0, 100000 * f->size);
        CHECK_EQUAL(GELU_OK, call(f, dy, x, buffer, 100000));
        check_bytes(f, expected, buffer, 100000, "many callers");
    }
    return NULL;
}

static void slowly(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    wait_a_millisecond();
    for (size_t i = 0; i < count; i++)
        task(context, i);
}

int main(void)
{
    int tasks = count_tasks();
    FOR_EACH_FUNCTION(f)
        check_function(f, tasks);

    const struct function *f = FUNCTIONS;
    fill(f, x, LARGE, 2);
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, LARGE));
    gelu_set_num_threads(5);
    gelu_set_parallel_for(slowly, NULL);
    pthread_t callers[CALLERS];
    void *buffers[CALLERS];
    CHECK(pthread_barrier_init(&barrier, NULL, CALLERS) == 0);
    for (int i = 0; i < CALLERS; i++) {
        buffers[i] = allocate(100000 * f->size);
        CHECK(pthread_create(&callers[i], NULL, many_calls, buffers[i]) == 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        CHECK(pthread_join(callers[i], NULL) == 0);
        free(buffers[i]);
    }
    check_tasks_become(tasks, "before workers");

    gelu_set_parallel_for(NULL, NULL);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, LARGE));
    check_bytes(f, expected, out, LARGE, "back on the library's threads");
    CHECK(count_tasks() > tasks);
    gelu_shutdown();
    check_tasks_become(tasks, "after shutdown");
    return 0;
}
