/* The bytes that the fuzzer gives, taken one after the other; zeros where they have ended. */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct input {
    const uint8_t *bytes;
    size_t size;
};

static inline uint64_t take(struct input *input, size_t bytes)
{
    uint64_t value = 0;
    size_t n = bytes < input->size ? bytes : input->size;
    memcpy(&value, input->bytes, n);
    input->bytes += n;
    input->size -= n;
    return value;
}

#endif
