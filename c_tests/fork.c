/* A child after fork goes on calling, threaded, whatever the parent's threads were doing; a hang is a failure.
 * Argument: how many times to fork during calls. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "functions.h"
#include "tasks.h"

enum { LARGE = 1000000, MEDIUM = 60000, CALLERS = 3 };

static uint64_t dy[LARGE], x[LARGE], expected[LARGE], out[LARGE];

static void check_call(const struct function *f, size_t n, const char *what)
{
    memset(out, 0, n * f->size);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, n));
    check_bytes(f, expected, out, n, what);
}

static void wait_for(pid_t child)
{
    int status;
    CHECK(child > 0);
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    if (WIFSIGNALED(status))
        FAIL("expected that the child ends by itself, got signal %d%s", WTERMSIG(status),
             WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
    CHECK_EQUAL(0, WEXITSTATUS(status));
}

/* Parent, child and the child's child, each with workers of its own. */
static void generations(const struct function *f, int depth)
{
    static const char *const names[] = {"in the parent", "in the child", "in the child's child"};
    pid_t child;
    check_call(f, LARGE, names[depth]);
    check_workers_become(2, names[depth]);
    if (depth == 2)
        return;
    child = fork();
    if (child == 0) {
        alarm(120);
        CHECK_EQUAL(1, count_tasks());
        generations(f, depth + 1);
        gelu_shutdown();
        check_tasks_become(1, "a child after gelu_shutdown");
        check_call(f, MEDIUM, "a child after gelu_shutdown");
        exit(0);
    }
    wait_for(child);
    check_workers_become(2, "after the child has ended");
    check_call(f, LARGE, "after the child has ended");
}

static void a_child_before_the_first_large_call(const struct function *f)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(120);
        check_call(f, MEDIUM, "in a child whose parent has no workers");
        check_workers_become(2, "in a child whose parent has no workers");
        exit(0);
    }
    wait_for(child);
    CHECK_EQUAL(1, count_tasks());
}

static atomic_int stop;

/* Calls and shutdowns, so that a fork meets the making and the ending of the workers too. */
static void *call_on_and_on(void *argument)
{
    const struct function *f = &FUNCTIONS[0];
    uint64_t *mine = (uint64_t *)allocate(MEDIUM * 8);
    int shuts = argument != NULL;
    while (!atomic_load(&stop)) {
        CHECK_EQUAL(GELU_OK, call(f, dy, x, mine, MEDIUM));
        check_bytes(f, expected, mine, MEDIUM, "a thread of the parent, during forks");
        if (shuts)
            gelu_shutdown();
    }
    free(mine);
    return NULL;
}

static void fork_during_calls(const struct function *f, int forks, int shuts)
{
    pthread_t threads[CALLERS];
    atomic_store(&stop, 0);
    for (int i = 0; i < CALLERS; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, call_on_and_on, shuts && i == 0 ? &stop : NULL));
    for (int i = 0; i < forks; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            check_call(f, MEDIUM, "in a child forked during calls");
            check_call(f, MEDIUM / 2, "again in a child forked during calls");
            gelu_shutdown();
            _exit(0);
        }
        wait_for(child);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < CALLERS; i++)
        CHECK_EQUAL(0, pthread_join(threads[i], NULL));
    check_call(f, LARGE, "in the parent, after forks during calls");
}

int main(int argc, char **argv)
{
    const struct function *f = &FUNCTIONS[0];
    CHECK_EQUAL(2, argc);
    fill(f, dy, LARGE, 1);
    fill(f, x, LARGE, 2);
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, LARGE));
    gelu_set_num_threads(3);
    a_child_before_the_first_large_call(f);
    generations(f, 0);
    fork_during_calls(f, atoi(argv[1]), 0);
    fork_during_calls(f, atoi(argv[1]), 1);
    return 0;
}
