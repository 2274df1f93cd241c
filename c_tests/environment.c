/* The environment variables and the affinity, as the runner set them. Arguments: the number of threads expected by
 * default, the instruction set expected, and "one-core" where this process is to leave itself one core. */
#define _GNU_SOURCE
#include <sched.h>

#include "functions.h"
#include "tasks.h"

enum { N = 200003 };

static uint64_t dy[N], x[N], out[N];

static void keep_one_core(void)
{
    cpu_set_t all, one;
    int core = 0;
    CHECK_EQUAL(0, sched_getaffinity(0, sizeof all, &all));
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    CHECK_EQUAL(0, sched_setaffinity(0, sizeof one, &one));
}

int main(int argc, char **argv)
{
    long threads;
    char isa[32];
    CHECK(argc == 3 || (argc == 4 && strcmp(argv[3], "one-core") == 0));
    threads = atol(argv[1]);
    if (argc == 4)
        keep_one_core();

    CHECK_EQUAL(threads, gelu_get_num_threads());
    CHECK_TEXT(argv[2], gelu_isa());
    gelu_set_num_threads(5);
    CHECK_EQUAL(5, gelu_get_num_threads());
    gelu_set_num_threads(0);
    CHECK_EQUAL(threads, gelu_get_num_threads());

    /* They are read once. */
    snprintf(isa, sizeof isa, "%s", gelu_isa());
    CHECK_EQUAL(0, setenv("GELU_NUM_THREADS", threads == 9 ? "8" : "9", 1));
    CHECK_EQUAL(0, setenv("GELU_MAX_ISA", "portable", 1));
    CHECK_EQUAL(threads, gelu_get_num_threads());
    CHECK_TEXT(isa, gelu_isa());

    fill(&FUNCTIONS[0], x, N, 2);
    CHECK_EQUAL(GELU_OK, call(&FUNCTIONS[0], dy, x, out, N));
    /* The call gains from a few threads; how many it takes of a large number is its own affair. */
    if (threads <= 8)
        check_workers_become((int)threads - 1, "after a large call");
    else
        CHECK(count_workers() < threads);
    return 0;
}
