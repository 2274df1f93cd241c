/* The threads of this process as the kernel sees them. */
#ifndef TASKS_H
#define TASKS_H

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <time.h>

#include "check.h"

static inline void wait_a_millisecond(void)
{
    struct timespec time = {0, 1000000};
    nanosleep(&time, NULL);
}

/* The value of a line of /proc/self/task/<id>/<file>; with no key, the first line. Empty if the thread ended. */
static inline void read_task(const char *id, const char *file, const char *key, char value[256])
{
    char path[300], line[256];
    size_t length = strlen(key);
    FILE *stream;
    value[0] = '\0';
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", id, file);
    stream = fopen(path, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        if (strncmp(line, key, length) == 0) {
            line[strcspn(line, "\n")] = '\0';
            strcpy(value, line + length);
            break;
        }
    }
    if (stream)
        fclose(stream);
}

/* ThreadSanitizer's own thread: it blocks even the signals of its own faults. */
static inline int is_of_the_sanitizer(const char *id)
{
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    char blocked[256];
    read_task(id, "status", "SigBlk:", blocked);
    return (strtoull(blocked, NULL, 16) >> (SIGSEGV - 1)) & 1;
#endif
#endif
    (void)id;
    return 0;
}

static inline int count_tasks(void)
{
    int count = 0;
    struct dirent *entry;
    DIR *tasks = opendir("/proc/self/task");
    CHECK(tasks != NULL);
    while ((entry = readdir(tasks)))
        count += isdigit((unsigned char)entry->d_name[0]) && !is_of_the_sanitizer(entry->d_name);
    closedir(tasks);
    return count;
}

/* A thread that was joined stays listed for a moment. */
static inline void check_tasks_become(int expected, const char *what)
{
    for (int i = 0; i < 5000 && count_tasks() != expected; i++)
        wait_a_millisecond();
    if (count_tasks() != expected)
        FAIL("%s: expected %d threads, got %d", what, expected, count_tasks());
}

/* How many threads are workers of the library: named gelu-N. Each must block every signal from outside, so that
 * the host's handlers for those run on the host's threads, and none that an instruction of its own causes, so that
 * the host's handler for a page fault gets it. */
static inline int count_workers(void)
{
#define BIT(signal) (1ULL << ((signal) - 1))
    const unsigned long long own =
        BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS);
    /* Signals 1 .. 64 without SIGKILL and SIGSTOP, and without 32 and 33, which the C library keeps. */
    const unsigned long long all = ~(own | BIT(SIGKILL) | BIT(SIGSTOP) | BIT(32) | BIT(33));
#undef BIT
    /* Under valgrind the kernel's mask is valgrind's own. */
    int mask_is_real = getenv("GELU_TEST_RUNNER") == NULL;
    int count = 0;
    struct dirent *entry;
    DIR *tasks = opendir("/proc/self/task");
    CHECK(tasks != NULL);
    while ((entry = readdir(tasks))) {
        char name[256], blocked[256];
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        read_task(entry->d_name, "comm", "", name);
        if (strncmp(name, "gelu-", 5) != 0)
            continue;
        CHECK(isdigit((unsigned char)name[5]));
        read_task(entry->d_name, "status", "SigBlk:", blocked);
        if (mask_is_real && blocked[0] != '\0' && (strtoull(blocked, NULL, 16) & (all | own)) != all)
            FAIL("%s: expected the signals from outside blocked (%llx), got %s", name, all, blocked);
        count++;
    }
    closedir(tasks);
    return count;
}

/* A thread names itself a moment after it was started. */
static inline void check_workers_become(int expected, const char *what)
{
    for (int i = 0; i < 5000 && count_workers() != expected; i++)
        wait_a_millisecond();
    if (count_workers() != expected)
        FAIL("%s: expected %d workers, got %d", what, expected, count_workers());
}

#endif
