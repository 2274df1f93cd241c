/* The texts of statuses, the version and the instruction set. */
#include "check.h"
#include "gelu.h"

static void every_status_has_a_text_of_its_own(void)
{
    static const gelu_status codes[] = {GELU_OK, GELU_ERROR_NULL_POINTER, GELU_ERROR_APPROXIMATION,
                                        GELU_ERROR_OVERLAP, GELU_ERROR_SIZE, GELU_ERROR_INCOMPLETE,
                                        1000};
    static const gelu_status unknown[] = {-1, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        const char *text = gelu_status_string(codes[i]);
        CHECK(text != NULL && text[0] != '\0');
        CHECK(strchr(text, '\n') == NULL);
        /* Static: a later call gives the same place. */
        CHECK(text == gelu_status_string(codes[i]));
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(text, gelu_status_string(codes[j])) != 0);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK_TEXT("unknown status", gelu_status_string(unknown[i]));
}

static void the_codes_are_those_of_the_contract(void)
{
    CHECK_EQUAL(0, GELU_OK);
    CHECK_EQUAL(1, GELU_ERROR_NULL_POINTER);
    CHECK_EQUAL(2, GELU_ERROR_APPROXIMATION);
    CHECK_EQUAL(3, GELU_ERROR_OVERLAP);
    CHECK_EQUAL(4, GELU_ERROR_SIZE);
    CHECK_EQUAL(5, GELU_ERROR_INCOMPLETE);
    CHECK_EQUAL(0, GELU_APPROXIMATION_NONE);
    CHECK_EQUAL(1, GELU_APPROXIMATION_TANH);
    CHECK_EQUAL(4, sizeof(gelu_status));
    CHECK_EQUAL(4, sizeof(gelu_approximation));
}

static void the_version_is_that_of_the_header(void)
{
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", GELU_VERSION_MAJOR, GELU_VERSION_MINOR, GELU_VERSION_PATCH);
    CHECK_TEXT(version, gelu_version());
}

/* Where GELU_MAX_ISA is set here, it names a level that the machine has. */
static void the_instruction_set_is_a_known_one(void)
{
    static const char *const known[] = {"portable", "avx2", "avx512", "neon"};
    const char *cap = getenv("GELU_MAX_ISA"), *isa = gelu_isa();
    size_t i = 0;
    while (i < 4 && strcmp(isa, known[i]) != 0)
        i++;
    if (i == 4)
        FAIL("unknown instruction set \"%s\"", isa);
    if (cap)
        CHECK_TEXT(cap, isa);
    CHECK(isa == gelu_isa());
}

int main(void)
{
    every_status_has_a_text_of_its_own();
    the_codes_are_those_of_the_contract();
    the_version_is_that_of_the_header();
    the_instruction_set_is_a_known_one();
    return 0;
}
