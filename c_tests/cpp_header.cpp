// gelu.hpp: every form gives the bits of the C function, and errors become exceptions and statuses. Without exceptions the
// same program checks the forms that are left.
#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

#include "gelu.hpp"

#include "check.h"

using gelu::approximation;

template <typename T> using V = std::vector<T>;
using floats = V<float>;

// The place of gelu::version in the other translation unit: it is one function.
const void *address_of_version();

#ifdef __cpp_exceptions
template <typename Call> static void check_throws(gelu_status expected, Call call)
{
    try {
        call();
    } catch (const gelu::error &error) {
        CHECK_EQUAL(expected, error.status());
        CHECK_TEXT(gelu_status_string(expected), error.what());
        return;
    }
    FAIL("nothing was thrown");
}
#define IF_EXCEPTIONS(...) __VA_ARGS__
#else
#define IF_EXCEPTIONS(...)
#endif

// Calls both forms of a function, each with `out` as `before`, and demands success and the bits of `right`.
#define GIVES(right, before, out, name, ...) \
    do { \
        std::copy(before.begin(), before.end(), std::begin(out)); \
        CHECK_EQUAL(GELU_OK, gelu::try_##name(__VA_ARGS__)); \
        check_bits(right, out, __LINE__); \
        IF_EXCEPTIONS(std::copy(before.begin(), before.end(), std::begin(out)); gelu::name(__VA_ARGS__); \
                      check_bits(right, out, __LINE__);) \
    } while (0)

// Calls both forms of a function that is to fail, and demands the status.
#define FAILS(status, name, ...) \
    do { \
        CHECK_EQUAL(status, gelu::try_##name(__VA_ARGS__)); \
        IF_EXCEPTIONS(check_throws(status, [&] { gelu::name(__VA_ARGS__); });) \
    } while (0)

template <typename T, typename Out> static void check_bits(const V<T> &right, const Out &out, int line)
{
    CHECK_EQUAL(right.size(), std::size(out));
    for (std::size_t i = 0; i < right.size(); i++)
        if (std::memcmp(&right[i], std::data(out) + i, sizeof(T)) != 0)
            FAIL("line %d: element %zu: expected %a, got %a", line, i, double(right[i]), double(std::data(out)[i]));
}

static gelu_status c_forward(const V<float> &x, V<float> &y, gelu_approximation form)
{
    return gelu_forward_f32(x.data(), y.data(), x.size(), form);
}

static gelu_status c_forward(const V<double> &x, V<double> &y, gelu_approximation form)
{
    return gelu_forward_f64(x.data(), y.data(), x.size(), form);
}

static gelu_status c_backward(const V<float> &dy, const V<float> &x, V<float> &dx, gelu_approximation form)
{
    return gelu_backward_f32(dy.data(), x.data(), dx.data(), x.size(), form);
}

static gelu_status c_backward(const V<double> &dy, const V<double> &x, V<double> &dx, gelu_approximation form)
{
    return gelu_backward_f64(dy.data(), x.data(), dx.data(), x.size(), form);
}

constexpr std::size_t N = 37;

template <typename T> static V<T> values(std::size_t n, std::uint64_t seed)
{
    V<T> x(n);
    for (T &value : x)
        value = T(double(random_bits(&seed) >> 11) * 0x1p-52 - 1) * T(6);
    return x;
}

template <typename T> static void every_overload_gives_the_bits_of_the_c_function(approximation form)
{
    const V<T> x = values<T>(N, 1), dy = values<T>(N, 2), blank(N, T(7));
    V<T> y(N), dx(N), right_y(N), right_dx(N);
    const auto c_form = static_cast<gelu_approximation>(form);
    CHECK_EQUAL(GELU_OK, c_forward(x, right_y, c_form));
    CHECK_EQUAL(GELU_OK, c_backward(dy, x, right_dx, c_form));

    GIVES(right_y, blank, y, forward, x.data(), y.data(), N, form);
    GIVES(right_dx, blank, dx, backward, dy.data(), x.data(), dx.data(), N, form);
    GIVES(right_y, blank, y, forward, x, y, form);
    GIVES(right_dx, blank, dx, backward, dy, x, dx, form);
    GIVES(right_y, blank, y, forward, V<T>(x), y, form);
    if (form == approximation::none) {
        GIVES(right_y, blank, y, forward, x.data(), y.data(), N);
        GIVES(right_dx, blank, dx, backward, dy.data(), x.data(), dx.data(), N);
        GIVES(right_y, blank, y, forward, x, y);
        GIVES(right_dx, blank, dx, backward, dy, x, dx);
        GIVES(right_y, blank, y, forward_strided, x.data(), 1, y.data(), 1, N);
        GIVES(right_dx, blank, dx, backward_strided, dy.data(), 1, x.data(), 1, dx.data(), 1, N);
    }

    std::array<T, N> array_x, array;
    T plain_x[N], plain[N];
    std::copy(x.begin(), x.end(), array_x.begin());
    std::copy(x.begin(), x.end(), plain_x);
    GIVES(right_y, blank, array, forward, std::as_const(array_x), array, form);
    GIVES(right_dx, blank, array, backward, dy, plain_x, array, form);
    GIVES(right_y, blank, plain, forward, plain_x, plain, form);
    GIVES(right_dx, blank, plain, backward, dy, array_x, plain, form);
    GIVES(right_y, blank, plain, forward, plain_x, plain, N, form);
#ifdef __cpp_lib_span
    GIVES(right_y, blank, y, forward, std::span<const T>(x), std::span<T>(y), form);
    GIVES(right_dx, blank, plain, backward, std::span(dy), std::span(x), std::span<T, N>(plain), form);
    const std::span<T> view(dx);
    GIVES(right_dx, blank, dx, backward, dy, x, view, form);
#endif

    // In place.
    GIVES(right_y, x, y, forward, y, y, form);
    GIVES(right_y, x, y, forward, y.data(), y.data(), N, form);
    GIVES(right_dx, dy, dx, backward, dx, x, dx, form);
    GIVES(right_dx, x, dx, backward, dy, dx, dx, form);

    // Every second element backwards into every third; what lies between stays.
    V<T> wide_x(2 * N), wide(3 * N, T(7)), right_wide(wide), right_wide_dx(wide);
    const V<T> wide_blank(wide);
    for (std::size_t i = 0; i < N; i++) {
        wide_x[2 * (N - 1 - i)] = x[i];
        right_wide[3 * i] = right_y[i];
        right_wide_dx[3 * i] = right_dx[i];
    }
    const T *last = wide_x.data() + 2 * (N - 1);
    GIVES(right_wide, wide_blank, wide, forward_strided, last, -2, wide.data(), 3, N, form);
    GIVES(right_wide_dx, wide_blank, wide, backward_strided, dy.data(), 1, last, -2, wide.data(), 3, N, form);
}

template <typename T> static void errors_carry_their_status_and_text_and_write_nothing()
{
    const V<T> x = values<T>(N, 3);
    V<T> y(x), shorter(N - 1), none;
    T *const null = nullptr;
    const auto unknown = static_cast<approximation>(2);
    const std::size_t too_many = SIZE_MAX / sizeof(T);

    FAILS(GELU_ERROR_OVERLAP, forward, y.data(), y.data() + 1, N - 1);
    FAILS(GELU_ERROR_OVERLAP, backward, x.data(), y.data(), y.data() + 1, N - 1);
    FAILS(GELU_ERROR_OVERLAP, forward_strided, x.data(), 1, y.data(), 0, N);
    FAILS(GELU_ERROR_OVERLAP, backward_strided, x.data(), 1, x.data(), 1, y.data(), 0, N);
    FAILS(GELU_ERROR_NULL_POINTER, forward, null, y.data(), N);
    FAILS(GELU_ERROR_NULL_POINTER, backward, x.data(), null, y.data(), N);
    FAILS(GELU_ERROR_SIZE, forward, x.data(), y.data(), too_many);
    FAILS(GELU_ERROR_APPROXIMATION, forward, x, y, unknown);
    FAILS(GELU_ERROR_APPROXIMATION, forward, none, none, unknown);
    FAILS(GELU_ERROR_APPROXIMATION, backward, x, x, y, unknown);
    FAILS(GELU_ERROR_APPROXIMATION, forward_strided, x.data(), 1, y.data(), 1, N, unknown);

    FAILS(GELU_ERROR_SIZE, forward, shorter, y);
    FAILS(GELU_ERROR_SIZE, forward, x, shorter);
    FAILS(GELU_ERROR_SIZE, forward, none, y);
    FAILS(GELU_ERROR_SIZE, forward, x, none);
    FAILS(GELU_ERROR_SIZE, backward, shorter, x, y);
    FAILS(GELU_ERROR_SIZE, backward, x, shorter, y);
    FAILS(GELU_ERROR_SIZE, backward, x, x, shorter);
    FAILS(GELU_ERROR_SIZE, backward, shorter, shorter, y);
    check_bits(x, y, __LINE__);
    check_bits(V<T>(N - 1), shorter, __LINE__);

    GIVES(none, none, none, forward, none, none);
    GIVES(none, none, none, backward, none, none, none);
    GIVES(none, none, none, forward, null, null, 0);
    GIVES(none, none, none, backward_strided, null, 5, null, 0, null, 0, 0);
}

static void settings_are_those_of_the_library()
{
    CHECK(gelu::version() == gelu_version());
    CHECK(gelu::isa() == gelu_isa());
    const std::size_t before = gelu::num_threads();
    gelu::set_num_threads(3);
    CHECK_EQUAL(3, gelu_get_num_threads());
    CHECK_EQUAL(3, gelu::num_threads());
    gelu::shutdown();
    gelu::set_num_threads(0);
    CHECK_EQUAL(before, gelu::num_threads());
}

static void a_loop_of_the_programs_own_runs_large_calls()
{
    const floats x = values<float>(std::size_t(1) << 20, 4);
    const floats blank(x.size());
    floats y(x.size()), right(x.size());
    gelu::set_num_threads(1);
    CHECK_EQUAL(GELU_OK, gelu::try_forward(x, right));
    gelu::set_num_threads(4);

    // A const one, half on another thread and from the last to the first.
    std::size_t calls = 0;
    const auto loop = [&calls](std::size_t count, gelu::task run) {
        calls++;
        std::thread other([=] {
            for (std::size_t i = count / 2; i < count; i++)
                run(i);
        });
        for (std::size_t i = count / 2; i-- > 0;)
            run(i);
        other.join();
    };
    gelu::set_parallel_for(loop);
    GIVES(right, blank, y, forward, x, y);
    CHECK_EQUAL(1 IF_EXCEPTIONS(+1), calls);

    auto leaves_one_out = [](std::size_t count, auto run) {
        for (std::size_t i = 1; i < count; i++)
            run(i);
    };
    gelu::set_parallel_for(leaves_one_out);
    FAILS(GELU_ERROR_INCOMPLETE, forward, x, y);

    calls = 0;
    gelu::set_parallel_for(nullptr);
    GIVES(right, blank, y, forward, x, y);
    CHECK_EQUAL(0, calls);
    gelu::set_num_threads(0);
}

int main()
{
    for (approximation form : {approximation::none, approximation::tanh}) {
        every_overload_gives_the_bits_of_the_c_function<float>(form);
        every_overload_gives_the_bits_of_the_c_function<double>(form);
    }
    errors_carry_their_status_and_text_and_write_nothing<float>();
    errors_carry_their_status_and_text_and_write_nothing<double>();
    settings_are_those_of_the_library();
    a_loop_of_the_programs_own_runs_large_calls();
    CHECK(address_of_version() == reinterpret_cast<const void *>(&gelu::version));
    return 0;
}
