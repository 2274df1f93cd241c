// The same from C++17 on.
#include <cstdio>
#include <vector>
#include <gelu.hpp>

int main()
{
    const std::vector<float> x{-6.0f, 0.0f, 6.0f};
    std::vector<float> y(x.size());
    std::vector<double> wide{-6.0};

    try {
        gelu::forward(x, y);
        // An output may be its input.
        gelu::forward(wide, wide, gelu::approximation::none);
    } catch (const gelu::error &error) {
        std::fprintf(stderr, "gelu: %s\n", error.what());
        return 1;
    }
    std::printf("GELU(-6) = %.8g in float, %.16g in double\n", y[0], wide[0]);
    return 0;
}
