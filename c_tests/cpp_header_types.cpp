// What gelu.hpp compiles and what it refuses, and what is noexcept. A translation unit beside cpp_header.cpp, which includes
// the header as well.
#include <array>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

#include "gelu.hpp"
#include "gelu.hpp"

using gelu::approximation;

// Whether a call with arguments of these types compiles. Both forms of each function are to agree.
template <template <typename...> class Call, typename Void, typename... A> struct compiles : std::false_type {};
template <template <typename...> class Call, typename... A>
struct compiles<Call, std::void_t<Call<A...>>, A...> : std::true_type {};

#define CALL(name) \
    template <typename... A> using call_##name = decltype(gelu::name(std::declval<A>()...)); \
    template <typename... A> constexpr bool name##_compiles = compiles<call_##name, void, A...>::value

CALL(try_forward);
CALL(try_backward);
CALL(set_parallel_for);
#ifdef __cpp_exceptions
CALL(forward);
CALL(backward);
template <typename... A> constexpr bool forwards()
{
    static_assert(try_forward_compiles<A...> == forward_compiles<A...>);
    return forward_compiles<A...>;
}
template <typename... A> constexpr bool backwards()
{
    static_assert(try_backward_compiles<A...> == backward_compiles<A...>);
    return backward_compiles<A...>;
}
#else
template <typename... A> constexpr bool forwards() { return try_forward_compiles<A...>; }
template <typename... A> constexpr bool backwards() { return try_backward_compiles<A...>; }
#endif

template <typename T> using V = std::vector<T>;
using floats = V<float>;

// Pointers.
static_assert(forwards<const float *, float *, std::size_t>());
static_assert(forwards<double *, double *, int, approximation>());
static_assert(!forwards<const int *, int *, std::size_t>());
static_assert(!forwards<const long double *, long double *, std::size_t>());
static_assert(!forwards<const float *, double *, std::size_t>());
static_assert(!forwards<const float *, const float *, std::size_t>());
static_assert(!forwards<const volatile float *, float *, std::size_t>());
static_assert(!forwards<const float *, float *, std::size_t, int>(), "a form is an approximation");
static_assert(backwards<const float *, float *, float *, std::size_t, approximation>());
static_assert(!backwards<const float *, const double *, float *, std::size_t>());
static_assert(!backwards<const double *, const double *, const double *, std::size_t>());

// Ranges.
static_assert(forwards<floats &, floats &>());
static_assert(forwards<const floats &, floats &, approximation>());
static_assert(forwards<floats, floats &>(), "an input may be temporary");
static_assert(forwards<const float (&)[3], std::array<float, 3> &>());
static_assert(forwards<std::initializer_list<double>, V<double> &>());
static_assert(!forwards<floats &, const floats &>());
static_assert(!forwards<floats &, floats>(), "a temporary container takes the result with it");
static_assert(!forwards<floats &, std::array<float, 3>>());
static_assert(!forwards<floats &, const float (&)[3]>());
static_assert(!forwards<floats &, std::array<const float, 3> &>());
static_assert(!forwards<floats &, V<double> &>());
static_assert(!forwards<V<int> &, V<int> &>());
static_assert(!forwards<V<long double> &, V<long double> &>());
static_assert(!forwards<V<bool> &, V<bool> &>());
static_assert(!forwards<std::string &, std::string &>());
static_assert(!forwards<float (&)[2][2], float (&)[2][2]>());
static_assert(!forwards<float &, float &>());
static_assert(!forwards<floats &, float *>());
static_assert(!forwards<floats &, floats &, int>());
static_assert(backwards<floats &, const floats &, floats &>());
static_assert(!backwards<V<double> &, floats &, floats &>());
static_assert(!backwards<floats &, V<double> &, floats &>());
static_assert(!backwards<floats &, floats &, const floats &>());
static_assert(!backwards<floats &, floats &, floats>());
static_assert(!backwards<V<int> &, V<int> &, V<int> &>());
#ifdef __cpp_lib_span
static_assert(forwards<std::span<const float>, std::span<float>>(), "a temporary view may be written to");
static_assert(forwards<const std::span<float> &, const std::span<float, 3> &, approximation>());
static_assert(!forwards<std::span<float>, std::span<const float>>());
static_assert(!forwards<std::span<int>, std::span<int>>());
#endif

template <typename... A> constexpr bool is_noexcept_forward = noexcept(gelu::try_forward(std::declval<A>()...));
template <typename... A> constexpr bool is_noexcept_backward = noexcept(gelu::try_backward(std::declval<A>()...));
static_assert(is_noexcept_forward<float *, float *, std::size_t> && is_noexcept_forward<floats &, floats &>);
static_assert(is_noexcept_backward<float *, float *, float *, std::size_t>);
static_assert(is_noexcept_backward<floats &, floats &, floats &>);
static_assert(noexcept(gelu::try_forward_strided<float>(nullptr, 1, nullptr, 1, 0)));
static_assert(noexcept(gelu::try_backward_strided<float>(nullptr, 1, nullptr, 1, nullptr, 1, 0)));
static_assert(noexcept(gelu::version()) && noexcept(gelu::isa()) && noexcept(gelu::num_threads()) &&
              noexcept(gelu::set_num_threads(0)) && noexcept(gelu::shutdown()) &&
              noexcept(gelu::set_parallel_for(nullptr)));
static_assert(std::is_same_v<call_try_forward<floats &, floats &>, gelu_status>);
static_assert(std::is_same_v<std::underlying_type_t<approximation>, gelu_approximation>);

using loop_function = void (*)(std::size_t, gelu::task);
static_assert(set_parallel_for_compiles<loop_function &>);
static_assert(!set_parallel_for_compiles<loop_function>, "a temporary would be gone when it is called");
static_assert(!set_parallel_for_compiles<void (*&)(int *)>);

#ifdef __cpp_exceptions
static_assert(!noexcept(gelu::forward(std::declval<floats &>(), std::declval<floats &>())));
static_assert(std::is_base_of_v<std::runtime_error, gelu::error>);
static_assert(noexcept(std::declval<const gelu::error &>().status()));
static_assert(std::is_nothrow_copy_constructible_v<gelu::error>);
#endif

// Where gelu::version stands for this unit.
const void *address_of_version();
const void *address_of_version() { return reinterpret_cast<const void *>(&gelu::version); }
