/* What newer compilers call where they copy memory under the thread sanitizer, for runtimes that lack it: the plain functions,
 * which every runtime watches. Built with -fno-builtin, so that none of them calls itself. */
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memmove(void *to, const void *from, size_t n);
void *__tsan_memset(void *to, int byte, size_t n);

__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    return memcpy(to, from, n);
}

__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t n)
{
    return memmove(to, from, n);
}

__attribute__((weak)) void *__tsan_memset(void *to, int byte, size_t n)
{
    return memset(to, byte, n);
}
