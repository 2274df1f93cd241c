/* What the programs share: checks that say what was expected and what came, and end the program. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAIL(...) \
    do { \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__); \
        fputc('\n', stderr); \
        exit(1); \
    } while (0)

#define CHECK(condition) \
    do { \
        if (!(condition)) \
            FAIL("expected %s", #condition); \
    } while (0)

#define CHECK_EQUAL(expected, got) \
    do { \
        long long expected_ = (long long)(expected), got_ = (long long)(got); \
        if (expected_ != got_) \
            FAIL("%s: expected %lld, got %lld", #got, expected_, got_); \
    } while (0)

#define CHECK_TEXT(expected, got) \
    do { \
        const char *expected_ = (expected), *got_ = (got); \
        if (strcmp(expected_, got_) != 0) \
            FAIL("%s: expected \"%s\", got \"%s\"", #got, expected_, got_); \
    } while (0)

/* SplitMix64. */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
