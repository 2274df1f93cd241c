// The library from C++17: the header as it is, buffers in std::vector, calls from std::thread.
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "check.h"
#include "gelu.h"

static_assert(std::is_same<gelu_status, std::int32_t>::value, "a status is an int32_t");
static_assert(std::is_same<decltype(&gelu_forward_f64),
                           gelu_status (*)(const double *, double *, std::size_t, gelu_approximation)>::value,
              "forward takes const input, output, length, form");

static gelu_status forward(const std::vector<float> &x, std::vector<float> &y, gelu_approximation form)
{
    return gelu_forward_f32(x.data(), y.data(), x.size(), form);
}

static gelu_status forward(const std::vector<double> &x, std::vector<double> &y, gelu_approximation form)
{
    return gelu_forward_f64(x.data(), y.data(), x.size(), form);
}

static gelu_status backward(const std::vector<float> &dy, const std::vector<float> &x, std::vector<float> &dx,
                            gelu_approximation form)
{
    return gelu_backward_f32(dy.data(), x.data(), dx.data(), x.size(), form);
}

static gelu_status backward(const std::vector<double> &dy, const std::vector<double> &x, std::vector<double> &dx,
                            gelu_approximation form)
{
    return gelu_backward_f64(dy.data(), x.data(), dx.data(), x.size(), form);
}

// Within one step of the correctly rounded value.
template <typename T, typename Bits> static void check_near(T right, T got)
{
    Bits a, b;
    std::memcpy(&a, &right, sizeof a);
    std::memcpy(&b, &got, sizeof b);
    if ((a > b ? a - b : b - a) > 1)
        FAIL("expected %.17g, got %.17g", static_cast<double>(right), static_cast<double>(got));
}

template <typename T, typename Bits> static void values(const std::vector<std::vector<double>> &rows)
{
    const std::vector<T> x{T(-6), T(-0.75), T(-2), T(2), T(0.5)};
    const std::vector<T> ones(x.size(), T(1));
    for (gelu_approximation form : {GELU_APPROXIMATION_NONE, GELU_APPROXIMATION_TANH}) {
        std::vector<T> y(x.size()), dx(x.size());
        CHECK_EQUAL(GELU_OK, forward(x, y, form));
        CHECK_EQUAL(GELU_OK, backward(ones, x, dx, form));
        for (std::size_t i = 0; i < x.size(); i++) {
            check_near<T, Bits>(T(rows[2 * static_cast<std::size_t>(form)][i]), y[i]);
            check_near<T, Bits>(T(rows[2 * static_cast<std::size_t>(form) + 1][i]), dx[i]);
        }
    }
}

static void from_threads()
{
    std::vector<double> x(100000);
    for (std::size_t i = 0; i < x.size(); i++)
        x[i] = static_cast<double>(i % 2000) / 100.0 - 10.0;
    std::vector<double> right(x.size());
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, forward(x, right, GELU_APPROXIMATION_TANH));
    gelu_set_num_threads(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&x, &right] {
            std::vector<double> y(x);
            CHECK_EQUAL(GELU_OK, gelu_forward_f64(y.data(), y.data(), y.size(), GELU_APPROXIMATION_TANH));
            CHECK(y == right);
        });
    for (std::thread &thread : threads)
        thread.join();
}

int main()
{
    // forward and backward of the exact form, then of the tanh form, correctly rounded to double.
    const std::vector<std::vector<double>> rows{
        {-5.9195258702261885e-09, -0.16997051428265114, -0.04550026389635842, 1.9544997361036416, 0.34573123063700656},
        {-3.5468709453902015e-08, 0.0007742782607648957, -0.0852318010781969, 1.085231801078197, 0.8674951246561629},
        {-8.439646700762297e-11, -0.1700394448343797, -0.04540230591222498, 1.954597694087775, 0.34571400982514394},
        {-7.709973930953696e-10, 0.0010617438625857023, -0.08609925662361838, 1.0860992566236183, 0.8673699035346423},
    };
    values<float, std::uint32_t>(rows);
    values<double, std::uint64_t>(rows);
    from_threads();

    std::vector<float> empty;
    CHECK_EQUAL(GELU_OK, forward(empty, empty, GELU_APPROXIMATION_NONE));
    CHECK_EQUAL(GELU_ERROR_APPROXIMATION, forward(empty, empty, 2));
    CHECK_EQUAL(GELU_ERROR_NULL_POINTER, gelu_forward_f32(nullptr, nullptr, 1, GELU_APPROXIMATION_NONE));
    const std::string version = std::to_string(GELU_VERSION_MAJOR) + "." + std::to_string(GELU_VERSION_MINOR) + "." +
                                std::to_string(GELU_VERSION_PATCH);
    CHECK_TEXT(version.c_str(), gelu_version());
    gelu_shutdown();
    return 0;
}
