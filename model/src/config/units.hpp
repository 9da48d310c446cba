/// Quantities with units, as run files write them: "600 s", "75 m2/s", "0.003 s-1", "-15 K".
///
/// A unit is a product of symbols with integer exponents, in the usual ways of writing:
/// "m2/s", "m2 s-1", "m^2 s^-1", "1/s". "/" divides by the one symbol after it.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace squall {

/// Exponents of metre, kilogram, second, kelvin, degree (of arc) and byte.
using Dimension = std::array<int, 6>;

/// A unit in terms of SI units; degrees of arc stay degrees.
struct Unit {
    double factor = 1; ///< one of this unit in SI units
    Dimension dimension{};
};

/// Reads a unit; "" is 1. Throws std::invalid_argument: the symbol that is not known.
Unit parse_unit(std::string_view text);

/// Reads a number and its unit and returns the value in SI units. `expected` is any unit of the
/// dimension that is wanted. Throws std::invalid_argument: what is wrong with `text`, what is
/// wanted instead, and an example.
double parse_quantity(std::string_view text, std::string_view expected);

/// What is wanted where a quantity in `unit` is: `a time in s, min, h or d, such as "600 s"`.
std::string describe_quantity(std::string_view unit);

/// `value` in the SI unit of run files for the dimension of `unit`: "600 s".
std::string format_quantity(double value, std::string_view unit);

} // namespace squall
