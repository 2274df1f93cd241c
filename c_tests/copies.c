/* Two copies of the library in one process, under different names, and one more in a name space of its own (dlmopen):
 * each has its own workers and settings, and all are right at once. Arguments: the library, and a copy of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "tasks.h"

enum { COPIES = 3, N = 300000, CALLS = 20 };

struct copy {
    void *library;
    int32_t (*forward)(const float *, float *, size_t, int32_t);
    void (*set_num_threads)(size_t);
    size_t (*get_num_threads)(void);
    void (*shut_down)(void);
    float *y;
};

static float x[N], expected[N];

static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        FAIL("%s", dlerror());
    memcpy(function, &symbol, sizeof symbol);
}

static struct copy load(void *library)
{
    struct copy copy;
    if (!library)
        FAIL("%s", dlerror());
    copy.library = library;
    find(library, "gelu_forward_f32", &copy.forward);
    find(library, "gelu_set_num_threads", &copy.set_num_threads);
    find(library, "gelu_get_num_threads", &copy.get_num_threads);
    find(library, "gelu_shutdown", &copy.shut_down);
    copy.y = (float *)malloc(sizeof x);
    CHECK(copy.y != NULL);
    return copy;
}

static void *call(void *argument)
{
    const struct copy *copy = (const struct copy *)argument;
    for (int i = 0; i < CALLS; i++) {
        memset(copy->y, 0, sizeof x);
        CHECK_EQUAL(0, copy->forward(x, copy->y, N, i % 2));
        if (i % 2 == 0 && memcmp(copy->y, expected, sizeof x) != 0)
            FAIL("a copy gives other bits");
        if (i % 8 == 7)
            copy->shut_down();
    }
    return NULL;
}

static void call_all_at_once(struct copy copies[COPIES])
{
    pthread_t threads[COPIES];
    for (int i = 0; i < COPIES; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, call, &copies[i]));
    for (int i = 0; i < COPIES; i++)
        CHECK_EQUAL(0, pthread_join(threads[i], NULL));
}

int main(int argc, char **argv)
{
    struct copy copies[COPIES];
    int status;
    CHECK_EQUAL(3, argc);
    copies[0] = load(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
    copies[1] = load(dlopen(argv[2], RTLD_NOW | RTLD_LOCAL));
    copies[2] = load(dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW | RTLD_LOCAL));
    CHECK(copies[0].forward != copies[1].forward && copies[0].forward != copies[2].forward);

    for (int i = 0; i < N; i++)
        x[i] = -15.0f + 20.0f * (float)i / N;
    copies[0].set_num_threads(1);
    CHECK_EQUAL(0, copies[0].forward(x, expected, N, 0));
    CHECK_EQUAL(1, count_tasks());
    for (int i = 0; i < COPIES; i++)
        copies[i].set_num_threads((size_t)(2 + i));
    for (int i = 0; i < COPIES; i++) {
        CHECK_EQUAL(2 + i, copies[i].get_num_threads());
        CHECK_EQUAL(0, copies[i].forward(x, copies[i].y, N, 0));
    }
    check_workers_become(1 + 2 + 3, "each copy has workers of its own");

    call_all_at_once(copies);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        call_all_at_once(copies);
        _exit(0);
    }
    CHECK(child > 0);
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
    copies[0].shut_down();
    call_all_at_once(copies);
    for (int i = 0; i < COPIES; i++)
        CHECK_EQUAL(0, dlclose(copies[i].library));
    return 0;
}
