/*
 * GELU and its gradient of real activations: reads an .npy file of floats, computes both forms forward and
 * backward, in place too, and prints a few values and the speed.
 *
 *     quickstart FILE.npy
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <gelu.h>

static const char *const NAMES[] = {"none", "tanh"};

struct array {
    float *values;
    size_t n;
    char shape[64];
};

/* Says what is wrong with the file; the result is for the caller to return. */
static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return 0;
}

/* The text after "'key':" in an .npy header, or NULL. */
static const char *field(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (at == NULL)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " ");
}

/* Reads the number of elements from a shape like "(64, 1536)"; 0 where it is none. */
static size_t count(const char *shape)
{
    size_t n = 1;
    int dimensions = 0;
    const char *at = shape + 1;
    if (*shape != '(')
        return 0;
    while (*at != ')') {
        char *end;
        unsigned long long length;
        at += strspn(at, ", ");
        if (*at == ')' && dimensions > 0)
            break;
        if (*at < '0' || *at > '9')
            return 0;
        errno = 0;
        length = strtoull(at, &end, 10);
        if (errno != 0 || length == 0 || length > SIZE_MAX / sizeof(float) / n)
            return 0;
        n *= (size_t)length;
        dimensions += 1;
        at = end;
    }
    return n;
}

/* Reads an .npy file (format 1 to 3) of little-endian floats in C order. */
static int read_npy(FILE *file, const char *path, struct array *out)
{
    unsigned char start[12];
    char *header;
    const char *type, *order, *shape;
    size_t length, got, wide;

    if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0)
        return refuse(path, "not an .npy file");
    wide = start[6] >= 2 ? 4 : 2;
    if (start[6] < 1 || start[6] > 3)
        return refuse(path, "an .npy format this program does not know");
    if (wide == 4 && fread(start + 10, 1, 2, file) != 2)
        return refuse(path, "the header is cut off");
    length = (size_t)start[8] | (size_t)start[9] << 8;
    if (wide == 4)
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    if (length > 65536)
        return refuse(path, "the header is damaged");
    header = malloc(length + 1);
    if (header == NULL)
        return refuse(path, "out of memory");
    got = fread(header, 1, length, file);
    header[got] = '\0';
    type = field(header, "'descr':");
    order = field(header, "'fortran_order':");
    shape = field(header, "'shape':");
    out->n = 0;
    if (got == length && type != NULL && order != NULL && shape != NULL) {
        size_t end = strcspn(shape, ")");
        snprintf(out->shape, sizeof out->shape, "%.*s)", (int)(end < 60 ? end : 60), shape);
        out->n = shape[end] == ')' ? count(shape) : 0;
    }
    if (out->n == 0) {
        free(header);
        return refuse(path, "the header is damaged");
    }
    if (strncmp(type, "'<f4'", 5) != 0 || strncmp(order, "False", 5) != 0) {
        free(header);
        return refuse(path, "not an array of little-endian 32-bit floats in C order");
    }
    free(header);
    out->values = malloc(out->n * sizeof(float));
    if (out->values == NULL)
        return refuse(path, "out of memory");
    if (fread(out->values, sizeof(float), out->n, file) != out->n) {
        free(out->values);
        return refuse(path, "the file ends before the last value of its shape");
    }
    if (fgetc(file) != EOF) {
        free(out->values);
        return refuse(path, "the file goes on after the last value of its shape");
    }
    return 1;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Runs one function: forward without dy, backward with it. */
static gelu_status run(const float *dy, const float *x, float *out, size_t n, gelu_approximation form)
{
    return dy == NULL ? gelu_forward_f32(x, out, n, form) : gelu_backward_f32(dy, x, out, n, form);
}

/* Elements per second of one function, the best of several runs. */
static double rate(const float *dy, const float *x, float *out, size_t n, gelu_approximation form)
{
    double best = 0;
    for (int i = 0; i < 50; i++) {
        double start = seconds(), taken;
        run(dy, x, out, n, form);
        taken = seconds() - start;
        if ((double)n / taken > best)
            best = (double)n / taken;
    }
    return best;
}

int main(int argc, char **argv)
{
    struct array x;
    float *dy, *y[2], *slope[2], *again;
    FILE *file;
    size_t bytes;
    int good;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.npy\n", argv[0]);
        return 2;
    }
    file = fopen(argv[1], "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    good = read_npy(file, argv[1], &x);
    fclose(file);
    if (!good)
        return 1;

    bytes = x.n * sizeof(float);
    dy = malloc(bytes);
    again = malloc(bytes);
    for (int form = 0; form < 2; form++) {
        y[form] = malloc(bytes);
        slope[form] = malloc(bytes);
    }
    if (!dy || !again || !y[0] || !y[1] || !slope[0] || !slope[1]) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (size_t i = 0; i < x.n; i++)
        dy[i] = 1.0f; /* so that backward gives g'(x) itself */

    for (int form = 0; form < 2; form++) {
        gelu_status status = run(NULL, x.values, y[form], x.n, form);
        if (status == GELU_OK)
            status = run(dy, x.values, slope[form], x.n, form);
        if (status != GELU_OK) {
            fprintf(stderr, "gelu: %s\n", gelu_status_string(status));
            return 1;
        }
        for (int backward = 0; backward < 2; backward++) {
            memcpy(again, x.values, bytes);
            run(backward ? dy : NULL, again, again, x.n, form);
            if (memcmp(again, backward ? slope[form] : y[form], bytes) != 0) {
                fprintf(stderr, "in place and out of place differ\n");
                return 1;
            }
        }
    }

    {
        float least = x.values[0], most = x.values[0];
        for (size_t i = 1; i < x.n; i++) {
            least = x.values[i] < least ? x.values[i] : least;
            most = x.values[i] > most ? x.values[i] : most;
        }
        printf("%s: %zu floats, shape %s, from %g to %g\n", argv[1], x.n, x.shape, least, most);
        printf("libgelu %s, %s, up to %zu threads\n\n", gelu_version(), gelu_isa(), gelu_get_num_threads());
    }
    printf("%14s %15s %15s %15s %15s\n", "x", "y none", "g'(x) none", "y tanh", "g'(x) tanh");
    for (size_t i = 0; i < 8; i++) {
        size_t at = i * (x.n / 8);
        printf("%14.7g %15.8g %15.8g %15.8g %15.8g\n", x.values[at], y[0][at], slope[0][at], y[1][at],
               slope[1][at]);
    }
    printf("\nin place: the same bits\n\n%-14s %s\n", "", "million elements per second");
    for (int form = 0; form < 2; form++) {
        printf("forward %-6s %.0f\n", NAMES[form], 1e-6 * rate(NULL, x.values, again, x.n, form));
        printf("backward %-5s %.0f\n", NAMES[form], 1e-6 * rate(dy, x.values, again, x.n, form));
    }

    for (int form = 0; form < 2; form++) {
        free(y[form]);
        free(slope[form]);
    }
    free(again);
    free(dy);
    free(x.values);
    return 0;
}
