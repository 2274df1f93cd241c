/* Looks for the worst error of a function against multi-precision values at fresh points.
 *
 *     fresh_points FUNCTION COUNT SEED
 *     fresh_points selftest [FOLDER]
 *
 * FUNCTION is forward_none, backward_none, forward_tanh or backward_tanh (dy = 1), or gradient_none or gradient_tanh
 * (any dy), in double, and in float with _f32 at the end. COUNT points: 70 % are drawn from the hard regions (points.c),
 * 30 % climb from the worst of them. Exits with 1 where the worst error is above the bound: 1 ULP, or 1.5 with any dy.
 *
 * selftest checks the oracle, against the definition at 400 bits and, with a FOLDER, the records of tests/data.
 *
 * Prints one line with the seed, the worst error and where it is; progress goes to the standard error. Needs libgelu
 * and MPFR. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "../check.h"
#include "gelu.h"
#include "hunt.h"
#include "selftest.h"

static void of_library(const struct function *function, const double *dy, const double *x, double *out, size_t n)
{
    gelu_approximation form = function->form == NONE ? GELU_APPROXIMATION_NONE : GELU_APPROXIMATION_TANH;
    gelu_status status;
    if (function->format == &DOUBLE) {
        status = function->direction == FORWARD ? gelu_forward_f64(x, out, n, form)
                                                : gelu_backward_f64(dy, x, out, n, form);
        CHECK_EQUAL(GELU_OK, status);
        return;
    }
    float *narrow = malloc(3 * n * sizeof *narrow);
    CHECK(narrow != NULL);
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)x[i];
        narrow[n + i] = (float)dy[i];
    }
    status = function->direction == FORWARD
                 ? gelu_forward_f32(narrow, narrow + 2 * n, n, form)
                 : gelu_backward_f32(narrow + n, narrow, narrow + 2 * n, n, form);
    CHECK_EQUAL(GELU_OK, status);
    for (size_t i = 0; i < n; i++)
        out[i] = narrow[2 * n + i];
    free(narrow);
}

static uint64_t number(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || *text == '-')
        FAIL("%s is not a number", text);
    return value;
}

static int run(const struct function *function, size_t count, uint64_t seed)
{
    struct point worst;
    mpfr_t exact;
    worst = hunt(function, of_library, count, seed);
    printf("%s on %s, %zu points, seed %" PRIu64 ": at most %.4f ULP, at x = %a (%.17g)", function->name, gelu_isa(),
           count, seed, worst.error, worst.x, worst.x);
    if (function->any_dy)
        printf(", dy = %a (%.17g)", worst.dy, worst.dy);
    printf(", region \"%s\"\n", worst.region->name);
    if (worst.error <= function->limit)
        return 0;
    mpfr_init2(exact, EXACT_BITS);
    exact_result(exact, function, worst.dy, worst.x);
    mpfr_printf("FAILED: the bound is %.1f ULP; got %a (%.17g), the exact value is %.25Rg\n", function->limit, worst.got,
                worst.got, exact);
    mpfr_clear(exact);
    return 1;
}

int main(int argc, char **argv)
{
    exact_open();
    gelu_set_num_threads(1);
    if (argc >= 2 && argc <= 3 && strcmp(argv[1], "selftest") == 0)
        return selftest(argv[2]);
    if (argc == 4)
        for (const struct function *function = FUNCTIONS; function < FUNCTIONS_END; function++)
            if (strcmp(function->name, argv[1]) == 0) {
                size_t count = (size_t)number(argv[2]);
                if (count == 0)
                    FAIL("COUNT is 0");
                return run(function, count, number(argv[3]));
            }
    fprintf(stderr, "usage: fresh_points FUNCTION COUNT SEED | fresh_points selftest [FOLDER]\n");
    return 2;
}
