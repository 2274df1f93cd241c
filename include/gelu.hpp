/**
 * @file
 * GELU and its derivative for C++17 and later: gelu::forward() and gelu::backward() of float and double, on top of
 * gelu.h, which has the formulas, the accuracy and the rules for buffers and threads. It is a header alone; what a
 * program links is the library of gelu.h. T is float or double.
 *
 * @code{.cpp}
 * std::vector<float> x{-6, 0, 6}, y(3);
 * gelu::forward(x, y);
 * gelu::forward(x, y, gelu::approximation::tanh);
 * @endcode
 *
 * # Ranges
 * A range is what std::data and std::size take, of float or of double: std::vector, std::array, a C array, std::span.
 * Its elements must stand side by side: a view with gaps that has data() and size() all the same (a row of a matrix
 * stored by columns) is for the strided forms. An output may be a temporary view, but not a temporary container. What
 * does not fit (int, long double, float beside double, a const output) does not compile.
 *
 * # Errors
 * gelu::forward() and its like throw gelu::error. The functions whose names begin with try_ do the same but are
 * noexcept and return the status, which must not be ignored; without exceptions (-fno-exceptions) there are only
 * these. Ranges that differ in length are GELU_ERROR_SIZE, whatever else is wrong; the other checks are those of
 * gelu.h. On an error nothing is written, except where GELU_ERROR_INCOMPLETE says so.
 */
#ifndef GELU_HPP
#define GELU_HPP

#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "gelu.hpp needs C++17 or later; gelu.h serves any standard"
#endif

#include <cstddef>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gelu.h"

/** libgelu for C++. */
namespace gelu {

/** Which of the two formulas. */
enum class approximation : gelu_approximation {
    none = GELU_APPROXIMATION_NONE, /**< The exact form, x Phi(x). */
    tanh = GELU_APPROXIMATION_TANH  /**< The tanh form, a function of its own. */
};

/** One piece of a call, for the loop of set_parallel_for(). It may be copied, and be called on any thread. */
class task {
public:
    /** Of what a gelu_parallel_for is given. @param run the function. @param context its first argument. */
    task(gelu_task run, void *context) noexcept : run_(run), context_(context) {}

    /** Runs piece i. @param i an index below the loop's count. */
    void operator()(std::size_t i) const noexcept { run_(context_, i); }

private:
    gelu_task run_;
    void *context_;
};

namespace detail {

template <typename T> inline constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <typename T> using if_real = std::enable_if_t<is_real<T>>;

// The element type of a range, const where the range is only read.
template <typename Range, typename = decltype(static_cast<std::size_t>(std::size(std::declval<Range>())))>
using element = std::remove_pointer_t<decltype(std::data(std::declval<Range>()))>;

// A temporary counts as const: a view can be written to all the same, and a container, which would take the result
// with it, cannot.
template <typename Out> using output = element<std::conditional_t<std::is_lvalue_reference_v<Out>, Out, const Out &>>;

template <typename Out, typename... In>
using if_ranges = std::enable_if_t<is_real<output<Out>> &&
                                   (std::is_same_v<const output<Out>, const element<const In &>> && ...)>;

template <typename Loop>
using if_loop = std::enable_if_t<std::is_object_v<Loop> && std::is_invocable_v<Loop &, std::size_t, task>>;

template <typename Range> std::size_t length(const Range &range) { return static_cast<std::size_t>(std::size(range)); }

} // namespace detail

/**
 * Computes y[i] = g(x[i]) for 0 <= i < n; forward() without exceptions.
 *
 * @param x n elements, read.
 * @param y n elements, written; y == x is allowed, another overlap is not.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @return GELU_OK, or an error's status with y untouched.
 */
template <typename T, typename = detail::if_real<T>>
[[nodiscard]] gelu_status try_forward(const T *x, T *y, std::size_t n,
                                      approximation form = approximation::none) noexcept
{
    if constexpr (std::is_same_v<T, float>)
        return gelu_forward_f32(x, y, n, static_cast<gelu_approximation>(form));
    else
        return gelu_forward_f64(x, y, n, static_cast<gelu_approximation>(form));
}

/**
 * Computes dx[i] = dy[i] g'(x[i]) for 0 <= i < n; backward() without exceptions.
 *
 * @param dy n elements, read.
 * @param x n elements, read; it may be dy.
 * @param dx n elements, written; dx == dy and dx == x are allowed, another overlap with either is not.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @return GELU_OK, or an error's status with dx untouched.
 */
template <typename T, typename = detail::if_real<T>>
[[nodiscard]] gelu_status try_backward(const T *dy, const T *x, T *dx, std::size_t n,
                                       approximation form = approximation::none) noexcept
{
    if constexpr (std::is_same_v<T, float>)
        return gelu_backward_f32(dy, x, dx, n, static_cast<gelu_approximation>(form));
    else
        return gelu_backward_f64(dy, x, dx, n, static_cast<gelu_approximation>(form));
}

/**
 * Computes y[i * y_stride] = g(x[i * x_stride]) for 0 <= i < n; forward_strided() without exceptions.
 *
 * @param x n elements, read.
 * @param x_stride elements from one of x to the next.
 * @param y n elements, written.
 * @param y_stride elements from one of y to the next.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @return GELU_OK, or an error's status with y untouched.
 */
template <typename T, typename = detail::if_real<T>>
[[nodiscard]] gelu_status try_forward_strided(const T *x, std::ptrdiff_t x_stride, T *y, std::ptrdiff_t y_stride,
                                              std::size_t n, approximation form = approximation::none) noexcept
{
    if constexpr (std::is_same_v<T, float>)
        return gelu_forward_f32_strided(x, x_stride, y, y_stride, n, static_cast<gelu_approximation>(form));
    else
        return gelu_forward_f64_strided(x, x_stride, y, y_stride, n, static_cast<gelu_approximation>(form));
}

/**
 * Computes dx[i * dx_stride] = dy[i * dy_stride] g'(x[i * x_stride]) for 0 <= i < n; backward_strided() without
 * exceptions.
 *
 * @param dy n elements, read.
 * @param dy_stride elements from one of dy to the next.
 * @param x n elements, read.
 * @param x_stride elements from one of x to the next.
 * @param dx n elements, written.
 * @param dx_stride elements from one of dx to the next.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @return GELU_OK, or an error's status with dx untouched.
 */
template <typename T, typename = detail::if_real<T>>
[[nodiscard]] gelu_status try_backward_strided(const T *dy, std::ptrdiff_t dy_stride, const T *x,
                                               std::ptrdiff_t x_stride, T *dx, std::ptrdiff_t dx_stride, std::size_t n,
                                               approximation form = approximation::none) noexcept
{
    const auto c_form = static_cast<gelu_approximation>(form);
    if constexpr (std::is_same_v<T, float>)
        return gelu_backward_f32_strided(dy, dy_stride, x, x_stride, dx, dx_stride, n, c_form);
    else
        return gelu_backward_f64_strided(dy, dy_stride, x, x_stride, dx, dx_stride, n, c_form);
}

/**
 * Computes y[i] = g(x[i]) for every element of a range; forward() without exceptions.
 *
 * @param x a range, read.
 * @param y a range of the same length, written; it may be x.
 * @param form which of the two formulas.
 * @return GELU_OK, or an error's status with y untouched.
 */
template <typename X, typename Y, typename = detail::if_ranges<Y, X>>
[[nodiscard]] gelu_status try_forward(const X &x, Y &&y, approximation form = approximation::none) noexcept
{
    const std::size_t n = detail::length(x);
    return detail::length(y) == n ? gelu::try_forward(std::data(x), std::data(y), n, form) : GELU_ERROR_SIZE;
}

/**
 * Computes dx[i] = dy[i] g'(x[i]) for every element of two ranges; backward() without exceptions.
 *
 * @param dy a range, read.
 * @param x a range of the same length, read.
 * @param dx a range of the same length, written; it may be dy or x.
 * @param form which of the two formulas.
 * @return GELU_OK, or an error's status with dx untouched.
 */
template <typename Dy, typename X, typename Dx, typename = detail::if_ranges<Dx, Dy, X>>
[[nodiscard]] gelu_status try_backward(const Dy &dy, const X &x, Dx &&dx,
                                       approximation form = approximation::none) noexcept
{
    const std::size_t n = detail::length(x);
    if (detail::length(dy) != n || detail::length(dx) != n)
        return GELU_ERROR_SIZE;
    return gelu::try_backward(std::data(dy), std::data(x), std::data(dx), n, form);
}

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)

/** What forward() and its like throw: a status, with its text as what(). */
class error : public std::runtime_error {
public:
    /** The error of a status that is not GELU_OK. @param code the status. */
    explicit error(gelu_status code) : std::runtime_error(gelu_status_string(code)), code_(code) {}

    /** The status. @return one of the GELU_ERROR_ values. */
    gelu_status status() const noexcept { return code_; }

private:
    gelu_status code_;
};

namespace detail {
inline void check(gelu_status status)
{
    if (status != GELU_OK)
        throw error(status);
}
} // namespace detail

/**
 * Computes y[i] = g(x[i]) for 0 <= i < n.
 *
 * @param x n elements, read.
 * @param y n elements, written; y == x is allowed, another overlap is not.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @throws error where gelu_forward_f32() would return another status than GELU_OK.
 */
template <typename T, typename = detail::if_real<T>>
void forward(const T *x, T *y, std::size_t n, approximation form = approximation::none)
{
    detail::check(gelu::try_forward(x, y, n, form));
}

/**
 * Computes dx[i] = dy[i] g'(x[i]) for 0 <= i < n: the gradient with respect to x, from the gradient dy with respect to
 * y and the x that forward was given.
 *
 * @param dy n elements, read.
 * @param x n elements, read; it may be dy.
 * @param dx n elements, written; dx == dy and dx == x are allowed, another overlap with either is not.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @throws error where gelu_backward_f32() would return another status than GELU_OK.
 */
template <typename T, typename = detail::if_real<T>>
void backward(const T *dy, const T *x, T *dx, std::size_t n, approximation form = approximation::none)
{
    detail::check(gelu::try_backward(dy, x, dx, n, form));
}

/**
 * Computes y[i * y_stride] = g(x[i * x_stride]) for 0 <= i < n, with strides as in gelu_forward_f32_strided().
 *
 * @param x n elements, read.
 * @param x_stride elements from one of x to the next.
 * @param y n elements, written.
 * @param y_stride elements from one of y to the next.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @throws error where gelu_forward_f32_strided() would return another status than GELU_OK.
 */
template <typename T, typename = detail::if_real<T>>
void forward_strided(const T *x, std::ptrdiff_t x_stride, T *y, std::ptrdiff_t y_stride, std::size_t n,
                     approximation form = approximation::none)
{
    detail::check(gelu::try_forward_strided(x, x_stride, y, y_stride, n, form));
}

/**
 * Computes dx[i * dx_stride] = dy[i * dy_stride] g'(x[i * x_stride]) for 0 <= i < n, with strides as in
 * gelu_backward_f32_strided().
 *
 * @param dy n elements, read.
 * @param dy_stride elements from one of dy to the next.
 * @param x n elements, read.
 * @param x_stride elements from one of x to the next.
 * @param dx n elements, written.
 * @param dx_stride elements from one of dx to the next.
 * @param n the number of elements.
 * @param form which of the two formulas.
 * @throws error where gelu_backward_f32_strided() would return another status than GELU_OK.
 */
template <typename T, typename = detail::if_real<T>>
void backward_strided(const T *dy, std::ptrdiff_t dy_stride, const T *x, std::ptrdiff_t x_stride, T *dx,
                      std::ptrdiff_t dx_stride, std::size_t n, approximation form = approximation::none)
{
    detail::check(gelu::try_backward_strided(dy, dy_stride, x, x_stride, dx, dx_stride, n, form));
}

/**
 * Computes y[i] = g(x[i]) for every element of a range.
 *
 * @param x a range, read.
 * @param y a range of the same length, written; it may be x.
 * @param form which of the two formulas.
 * @throws error where the lengths differ, and where forward() on pointers throws.
 */
template <typename X, typename Y, typename = detail::if_ranges<Y, X>>
void forward(const X &x, Y &&y, approximation form = approximation::none)
{
    detail::check(gelu::try_forward(x, std::forward<Y>(y), form));
}

/**
 * Computes dx[i] = dy[i] g'(x[i]) for every element of two ranges.
 *
 * @param dy a range, read.
 * @param x a range of the same length, read.
 * @param dx a range of the same length, written; it may be dy or x.
 * @param form which of the two formulas.
 * @throws error where the lengths differ, and where backward() on pointers throws.
 */
template <typename Dy, typename X, typename Dx, typename = detail::if_ranges<Dx, Dy, X>>
void backward(const Dy &dy, const X &x, Dx &&dx, approximation form = approximation::none)
{
    detail::check(gelu::try_backward(dy, x, std::forward<Dx>(dx), form));
}

#endif

/** The version of the library that runs: gelu_version(). @return "MAJOR.MINOR.PATCH", static. */
inline std::string_view version() noexcept { return gelu_version(); }

/** The instruction set in use: gelu_isa(). @return "avx512", "avx2", "neon" or "portable", static. */
inline std::string_view isa() noexcept { return gelu_isa(); }

/** Sets the most threads that a call may use: gelu_set_num_threads(). @param n the number; 0 is the default again. */
inline void set_num_threads(std::size_t n) noexcept { gelu_set_num_threads(n); }

/** The most threads that a call may use now. @return the number, at least 1. */
inline std::size_t num_threads() noexcept { return gelu_get_num_threads(); }

/** Ends the worker threads and waits until they are gone: gelu_shutdown(). */
inline void shutdown() noexcept { gelu_shutdown(); }

/**
 * Lets large calls run on threads of the program's own: gelu_set_parallel_for() with a function object.
 *
 * @param loop called as loop(std::size_t count, gelu::task run), from several threads at once where there are several
 * calls: it calls run(i) once for every i below count, in any order, on any threads, returns when all of these have
 * returned, and does not throw (std::terminate). It is not copied, so a temporary does not compile: it must live until
 * another loop or nullptr has been set and every call that began before has returned.
 */
template <typename Loop, typename = detail::if_loop<Loop>>
void set_parallel_for(Loop &loop) noexcept
{
    gelu_set_parallel_for(
        [](void *object, std::size_t count, gelu_task run, void *context) noexcept {
            (*static_cast<Loop *>(object))(count, task(run, context));
        },
        const_cast<void *>(static_cast<const void *>(std::addressof(loop))));
}

/** Goes back to the library's own threads. */
inline void set_parallel_for(std::nullptr_t) noexcept { gelu_set_parallel_for(nullptr, nullptr); }

} // namespace gelu

#endif
