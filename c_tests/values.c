/* Every value of the table whose path is the argument: within one step of the correctly rounded one, most equal,
 * and the same bits alone and in a buffer with all the others. */
#include "functions.h"

struct row {
    const struct function *function;
    uint64_t x, right;
};

static const struct function *function_of(const char *name, const char *type)
{
    char whole[64];
    snprintf(whole, sizeof whole, "%s %s", name, type);
    FOR_EACH_FUNCTION(f)
        if (strcmp(f->name, whole) == 0)
            return f;
    FAIL("no function %s", whole);
}

static size_t read_rows(const char *path, struct row *rows, size_t most)
{
    char line[256], name[32], type[8];
    unsigned long long x, right;
    size_t count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        FAIL("cannot open %s", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || strncmp(line, "function,", 9) == 0)
            continue;
        CHECK_EQUAL(4, sscanf(line, "%31[^,],%7[^,],%*[^,],%llx,%*[^,],%llx", name, type, &x, &right));
        CHECK(count < most);
        rows[count++] = (struct row){function_of(name, type), x, right};
    }
    fclose(file);
    return count;
}

static void check_row(const struct row *row, uint64_t got)
{
    uint64_t sign = UINT64_C(1) << (row->function->size * 8 - 1);
    uint64_t right = row->right & ~sign, magnitude = got & ~sign;
    uint64_t distance = right > magnitude ? right - magnitude : magnitude - right;
    /* A zero where the result is not zero is the fault of 1 + erf, however small the result. */
    if ((got & sign) != (row->right & sign) || distance > 1 || (magnitude == 0 && right > 1))
        FAIL("%s of bits %#llx: expected %#llx, got %#llx", row->function->name, (unsigned long long)row->x,
             (unsigned long long)row->right, (unsigned long long)got);
}

/* The value that the documentation quotes, to the digits that one step does not change. */
static void the_quoted_value(void)
{
    char text[32];
    float x = -6.0f, y = 0.0f;
    double wide_x = -6.0, wide_y = 0.0;
    CHECK_EQUAL(GELU_OK, gelu_forward_f32(&x, &y, 1, GELU_APPROXIMATION_NONE));
    snprintf(text, sizeof text, "%.6g", (double)y);
    CHECK_TEXT("-5.91953e-09", text);
    CHECK_EQUAL(GELU_OK, gelu_forward_f64(&wide_x, &wide_y, 1, GELU_APPROXIMATION_NONE));
    snprintf(text, sizeof text, "%.15g", wide_y);
    CHECK_TEXT("-5.91952587022619e-09", text);
}

int main(int argc, char **argv)
{
    static struct row rows[1000];
    uint64_t one[1], ones[1000], x[1000], alone[1000], together[1000];
    size_t count, equal = 0, seen = 0;

    CHECK_EQUAL(2, argc);
    the_quoted_value();
    count = read_rows(argv[1], rows, 1000);
    CHECK(count >= 284);
    FOR_EACH_FUNCTION(f) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            if (rows[i].function != f)
                continue;
            put(f, ones, n, bits_of(f, 1.0));
            put(f, x, n, rows[i].x);
            put(f, one, 0, rows[i].x);
            CHECK_EQUAL(GELU_OK, call(f, ones, one, one, 1));
            check_row(&rows[i], get(f, one, 0));
            equal += get(f, one, 0) == rows[i].right;
            put(f, alone, n++, get(f, one, 0));
        }
        CHECK(n >= 34);
        CHECK_EQUAL(GELU_OK, call(f, ones, x, together, n));
        check_bytes(f, alone, together, n, "together");
        seen += n;
    }
    CHECK_EQUAL(count, seen);
    CHECK(equal * 2 > count);
    return 0;
}
