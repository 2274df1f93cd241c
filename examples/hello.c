/* GELU(-6), where 1 + erf gives 0: the whole of a C program that uses libgelu. */
#include <stdio.h>
#include <gelu.h>

int main(void)
{
    const float x[3] = {-6.0f, 0.0f, 6.0f};
    const double wide[1] = {-6.0};
    float y[3];
    double wide_y[1];

    gelu_status status = gelu_forward_f32(x, y, 3, GELU_APPROXIMATION_NONE);
    if (status == GELU_OK)
        status = gelu_forward_f64(wide, wide_y, 1, GELU_APPROXIMATION_NONE);
    if (status != GELU_OK) {
        fprintf(stderr, "gelu: %s\n", gelu_status_string(status));
        return 1;
    }
    printf("GELU(-6) = %.8g in float, %.16g in double\n", y[0], wide_y[0]);
    return 0;
}
