/* Where the system refuses threads, calls run on the caller's thread, or on those that there are. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "functions.h"
#include "tasks.h"

enum { N = 200003 };

static uint64_t dy[N], x[N], expected[N], out[N];

/* clone fails as if the limit of threads were reached; without clone3 the C library uses clone. */
static void refuse_threads(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 2, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    CHECK_EQUAL(0, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    CHECK_EQUAL(0, prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

static void *nothing(void *argument)
{
    return argument;
}

static void check_calls(const char *what)
{
    FOR_EACH_FUNCTION(f) {
        fill(f, dy, N, 1);
        fill(f, x, N, 2);
        gelu_set_num_threads(1);
        CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, N));
        gelu_set_num_threads(7);
        CHECK_EQUAL(GELU_OK, call(f, dy, x, out, N));
        check_bytes(f, expected, out, N, what);
    }
}

/* With that many workers before the system refuses more. */
static void refused_beyond(int workers)
{
    int before = count_tasks();
    pthread_t thread;
    gelu_set_num_threads((size_t)workers + 1);
    CHECK_EQUAL(GELU_OK, call(&FUNCTIONS[0], dy, x, out, N));
    check_workers_become(workers, "before the system refuses");
    refuse_threads();
    CHECK_EQUAL(EAGAIN, pthread_create(&thread, NULL, nothing, NULL));
    check_calls("the system refuses threads");
    CHECK_EQUAL(before + workers, count_tasks());
    gelu_shutdown();
    check_tasks_become(before, "after gelu_shutdown");
    check_calls("the system refuses threads, after gelu_shutdown");
}

int main(void)
{
    int status;
    /* The filter cannot be taken back, so each case has a process of its own. */
    pid_t child = fork();
    if (child == 0) {
        refused_beyond(2);
        return 0;
    }
    CHECK(child > 0);
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
    refused_beyond(0);
    return 0;
}
