// The same from C++.
#include <cstdio>
#include <vector>
#include <gelu.h>

int main()
{
    std::vector<float> x{-6.0f, 0.0f, 6.0f};
    std::vector<double> wide{-6.0};

    // An output may be its input.
    gelu_status status = gelu_forward_f32(x.data(), x.data(), x.size(), GELU_APPROXIMATION_NONE);
    if (status == GELU_OK)
        status = gelu_forward_f64(wide.data(), wide.data(), wide.size(), GELU_APPROXIMATION_NONE);
    if (status != GELU_OK) {
        std::fprintf(stderr, "gelu: %s\n", gelu_status_string(status));
        return 1;
    }
    std::printf("GELU(-6) = %.8g in float, %.16g in double\n", x[0], wide[0]);
    return 0;
}
