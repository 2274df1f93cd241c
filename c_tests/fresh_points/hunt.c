#include "hunt.h"

#include <math.h>
#include <time.h>

#include "../check.h"

#define BATCH 1024
#define SEARCH_PERCENT 30
#define MOST_CHAINS 256
/* The least points of the search for each chain: fewer chains than MOST_CHAINS where the budget is small. */
#define POINTS_PER_CHAIN 32
#define SECONDS_BETWEEN_LINES 3

struct hunt {
    const struct function *function;
    evaluation *evaluate;
    struct landscape landscape;
    uint64_t random;
    size_t count, done;
    struct point worst;
    struct timespec last_line;
    mpfr_t exact;
};

static void show_progress(struct hunt *hunt)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    if (now.tv_sec - hunt->last_line.tv_sec < SECONDS_BETWEEN_LINES)
        return;
    hunt->last_line = now;
    fprintf(stderr, "%s: %zu of %zu points, at most %.4f ULP so far\n", hunt->function->name, hunt->done,
            hunt->count, hunt->worst.error);
}

/* Fills in what the library gives for up to BATCH points, and its error: -1 where the product is not representable. */
static void measure(struct hunt *hunt, struct point *points, size_t n)
{
    double dy[BATCH], x[BATCH], got[BATCH];
    CHECK(n <= BATCH);
    for (size_t i = 0; i < n; i++) {
        dy[i] = points[i].dy;
        x[i] = points[i].x;
    }
    hunt->evaluate(hunt->function, dy, x, got, n);
    for (size_t i = 0; i < n; i++) {
        points[i].got = got[i];
        points[i].error = exact_result(hunt->exact, hunt->function, dy[i], x[i])
                              ? error_in_ulp(hunt->function->format, got[i], hunt->exact)
                              : -1;
        if (points[i].error > hunt->worst.error)
            hunt->worst = points[i];
    }
    hunt->done += n;
    show_progress(hunt);
}

static struct point draw(struct hunt *hunt, const struct region *region)
{
    struct point point = {.region = region};
    for (int i = 0; point.dy == 0; i++) {
        CHECK(i < 100000); /* a region in which no dy gives a result */
        point.x = region_point(region, &hunt->landscape, &hunt->random);
        point.dy = point_dy(&hunt->landscape, point.x, &hunt->random);
    }
    return point;
}

/* A chain is the worst point so far of one climb. */

static int by_falling_error(const void *a, const void *b)
{
    double left = ((const struct point *)a)->error, right = ((const struct point *)b)->error;
    return (left < right) - (left > right);
}

/* Keeps the worst points of a region: chains[0] is the least bad one once there are `most`. */
static void keep(struct point *chains, size_t *n, size_t most, const struct point *point)
{
    size_t least = 0;
    if (*n == most && point->error <= chains[0].error)
        return;
    for (size_t i = 0; i < *n; i++)
        if (chains[i].x == point->x && chains[i].dy == point->dy)
            return;
    if (*n < most)
        chains[(*n)++] = *point;
    else
        chains[0] = *point;
    for (size_t i = 1; i < *n; i++)
        if (chains[i].error < chains[least].error)
            least = i;
    struct point swap = chains[0];
    chains[0] = chains[least];
    chains[least] = swap;
}

static void sample(struct hunt *hunt, const struct region *region, size_t budget, struct point *chains, size_t *n,
                   size_t most)
{
    struct point batch[BATCH];
    while (budget > 0) {
        size_t size = budget < BATCH ? budget : BATCH;
        for (size_t i = 0; i < size; i++)
            batch[i] = draw(hunt, region);
        measure(hunt, batch, size);
        for (size_t i = 0; i < size; i++)
            keep(chains, n, most, &batch[i]);
        budget -= size;
    }
}

static double nudge(struct hunt *hunt, double value)
{
    const struct format *format = hunt->function->format;
    uint64_t *random = &hunt->random;
    double moved;
    long steps;
    switch (whole(random, 0, 3)) {
    case 0:
        steps = whole(random, 1, 8);
        break;
    case 1:
        steps = (long)pow(10, uniform(random, 0, 3));
        break;
    default:
        moved = round_to(format, value * (1 + ldexp(uniform(random, -1, 1), -(int)whole(random, 4, 50))));
        if (moved != value)
            return moved;
        steps = 1;
    }
    return step(format, value, random_bits(random) >> 63 ? steps : -steps);
}

static struct point child_of(struct hunt *hunt, const struct point *parent)
{
    struct point child = *parent;
    long what = hunt->function->any_dy ? whole(&hunt->random, 0, 2) : 0;
    if (what != 1)
        child.x = nudge(hunt, child.x);
    if (what != 0)
        child.dy = nudge(hunt, child.dy);
    if (child.dy == 0)
        child.dy = hunt->function->format->smallest;
    return child;
}

/* Each chain moves to a nudged point wherever that is worse. The worse half of the chains goes on with twice the points
 * each, and so to the last two. */
static void search(struct hunt *hunt, size_t budget, struct point *chains, size_t n)
{
    struct point batch[BATCH];
    size_t stages = 1;
    for (size_t i = n; i > 2; i /= 2)
        stages++;
    for (size_t stage = 0; stage < stages; stage++) {
        size_t left = budget / stages + (stage < budget % stages);
        qsort(chains, n, sizeof *chains, by_falling_error);
        while (left > 0) {
            size_t size = left < BATCH ? left : BATCH;
            for (size_t i = 0; i < size; i++)
                batch[i] = child_of(hunt, &chains[i % n]);
            measure(hunt, batch, size);
            for (size_t i = 0; i < size; i++)
                if (batch[i].error > chains[i % n].error)
                    chains[i % n] = batch[i];
            left -= size;
        }
        n = n > 2 ? n / 2 : n;
    }
}

struct point hunt(const struct function *function, evaluation *evaluate, size_t count, uint64_t seed)
{
    struct hunt hunt = {.function = function, .evaluate = evaluate, .random = seed, .count = count};
    struct point chains[MOST_CHAINS];
    size_t searched = count * SEARCH_PERCENT / 100, sampled = count - searched;
    hunt.worst.error = -1;
    timespec_get(&hunt.last_line, TIME_UTC);
    mpfr_init2(hunt.exact, EXACT_BITS);
    landscape_open(&hunt.landscape, function);
    for (size_t i = 0, percent = 0; i < REGIONS && hunt.worst.error < INFINITY; i++) {
        size_t before = percent, n = 0;
        percent += (size_t)REGION[i].percent;
        size_t samples = sampled * percent / 100 - sampled * before / 100;
        size_t budget = searched * percent / 100 - searched * before / 100;
        size_t most = budget / POINTS_PER_CHAIN < MOST_CHAINS ? budget / POINTS_PER_CHAIN : MOST_CHAINS;
        sample(&hunt, &REGION[i], samples, chains, &n, most > 2 ? most : 2);
        if (n > 0)
            search(&hunt, budget, chains, n);
    }
    mpfr_clear(hunt.exact);
    return hunt.worst;
}
