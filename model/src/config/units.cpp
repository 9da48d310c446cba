#include "config/units.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace squall {
namespace {

constexpr Dimension none{}, length{1}, mass{0, 1}, time{0, 0, 1}, temperature{0, 0, 0, 1},
    angle{0, 0, 0, 0, 1}, memory{0, 0, 0, 0, 0, 1};
constexpr Dimension speed{1, 0, -1}, pressure{-1, 1, -2}, rate{0, 0, -1}, viscosity{2, 0, -1},
    lapse{-1, 0, 0, 1}, warming{0, 0, -1, 1}, emission{0, 1, -1}, power{2, 1, -3}, flux{0, 1, -3};

struct Symbol {
    std::string_view text;
    Unit unit;
};

constexpr Symbol symbols[] = {
    {"m", {1, length}},    {"km", {1e3, length}},    {"kg", {1, mass}},       {"s", {1, time}},
    {"min", {60, time}},   {"h", {3600, time}},      {"hour", {3600, time}},  {"hours", {3600, time}},
    {"d", {86400, time}},  {"day", {86400, time}},   {"days", {86400, time}}, {"K", {1, temperature}},
    {"Pa", {1, pressure}}, {"hPa", {1e2, pressure}}, {"degree", {1, angle}},  {"degrees", {1, angle}},
    {"deg", {1, angle}},   {"1", {1, none}},         {"B", {1, memory}},      {"kB", {1e3, memory}},
    {"MB", {1e6, memory}}, {"GB", {1e9, memory}},    {"TB", {1e12, memory}},  {"W", {1, power}},
};

/// A dimension that has a name, with the SI unit and the ways to write it.
struct Kind {
    Dimension dimension;
    std::string_view name, si, units, example;
};

constexpr Kind kinds[] = {
    {none, "a number without a unit", "", "", "0.1"},
    {length, "a length", "m", "m or km", "100 km"},
    {time, "a time", "s", "s, min, h or d", "600 s"},
    {speed, "a speed", "m/s", "m/s or km/h", "10 m/s"},
    {temperature, "a temperature", "K", "K", "300 K"},
    {pressure, "a pressure", "Pa", "Pa or hPa", "1000 hPa"},
    {rate, "a rate", "s-1", "1/s or s-1", "0.003 s-1"},
    {viscosity, "a viscosity", "m2/s", "m2/s", "75 m2/s"},
    {lapse, "a lapse rate", "K/m", "K/m or K/km", "6.5 K/km"},
    {warming, "a warming rate", "K/s", "K/s or K/h", "-0.25 K/h"},
    {angle, "an angle", "degrees", "degrees", "45 degrees"},
    {mass, "a mass", "kg", "kg", "1 kg"},
    {emission, "a mass per time", "kg/s", "kg/s", "1 kg/s"},
    {flux, "a flux of energy", "W/m2", "W/m2", "15 W/m2"},
    {memory, "a size", "B", "B, kB, MB or GB", "512 MB"},
};

const Kind *find_kind(const Dimension &dimension) {
    for (const Kind &kind : kinds)
        if (kind.dimension == dimension) return &kind;
    return nullptr;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Takes a symbol off the front of `text`: letters, or the "1" of "1/s".
std::string_view take_symbol(std::string_view &text) {
    std::size_t n = 0;
    while (n < text.size() && is_letter(text[n])) ++n;
    if (n == 0 && !text.empty() && text[0] == '1') n = 1;
    const std::string_view symbol = text.substr(0, n);
    text.remove_prefix(n);
    return symbol;
}

/// Takes an exponent off the front of `text`: "2", "-1", "^2", "^-1"; 1 where there is none.
int take_exponent(std::string_view &text) {
    std::size_t n = 0;
    if (n < text.size() && text[n] == '^') ++n;
    const bool negative = n < text.size() && text[n] == '-';
    if (negative) ++n;
    if (n < text.size() && is_digit(text[n])) {
        const int value = text[n] - '0';
        text.remove_prefix(n + 1);
        return negative ? -value : value;
    }
    return n == 0 ? 1 : throw std::invalid_argument(fmt::format("unknown unit \"{}\"", text));
}

const Unit &find_symbol(std::string_view text) {
    for (const Symbol &symbol : symbols)
        if (symbol.text == text) return symbol.unit;
    throw std::invalid_argument(fmt::format("unknown unit \"{}\"", text));
}

void multiply(Unit &product, const Unit &unit, int exponent) {
    product.factor *= std::pow(unit.factor, exponent);
    for (std::size_t i = 0; i < product.dimension.size(); ++i)
        product.dimension[i] += exponent * unit.dimension[i];
}

/// Takes a number off the front of `text`. Throws std::invalid_argument.
double take_number(std::string_view &text) {
    std::string_view digits = text;
    if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) throw std::invalid_argument("is out of range");
    if (error != std::errc() || !std::isfinite(value))
        throw std::invalid_argument("does not start with a number");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::string name_of(const Unit &unit, std::string_view text) {
    const Kind *kind = find_kind(unit.dimension);
    return kind ? std::string(kind->name) : fmt::format("in {}", trim(text));
}

} // namespace

Unit parse_unit(std::string_view text) {
    Unit product;
    const std::string_view whole = text = trim(text);
    bool divide = false;
    while (!text.empty()) {
        const std::string_view symbol = take_symbol(text);
        if (symbol.empty()) throw std::invalid_argument(fmt::format("unknown unit \"{}\"", whole));
        const Unit &unit = find_symbol(symbol);
        const int exponent = take_exponent(text);
        multiply(product, unit, divide ? -exponent : exponent);
        text = trim(text);
        divide = !text.empty() && text[0] == '/';
        if (divide) {
            text = trim(text.substr(1));
            if (text.empty()) throw std::invalid_argument(fmt::format("unknown unit \"{}\"", whole));
        }
    }
    return product;
}

double parse_quantity(std::string_view text, std::string_view expected) {
    const std::string wanted = describe_quantity(expected);
    std::string_view rest = trim(text);
    try {
        const double number = take_number(rest);
        if (trim(rest).empty() && parse_unit(expected).dimension != none)
            throw std::invalid_argument("has no unit");
        const Unit unit = parse_unit(rest);
        if (unit.dimension != parse_unit(expected).dimension)
            throw std::invalid_argument("is " + name_of(unit, rest));
        const double value = number * unit.factor;
        if (!std::isfinite(value)) throw std::invalid_argument("is out of range");
        return value;
    } catch (const std::invalid_argument &problem) {
        const std::string what = problem.what();
        const bool about_unit = what.starts_with("unknown unit");
        throw std::invalid_argument(about_unit ? fmt::format("{} in \"{}\"; expected {}", what, text, wanted)
                                               : fmt::format("\"{}\" {}; expected {}", text, what, wanted));
    }
}

std::string describe_quantity(std::string_view unit) {
    const Kind *kind = find_kind(parse_unit(unit).dimension);
    if (!kind) return fmt::format("a quantity in {0}, such as \"1 {0}\"", unit);
    if (kind->dimension == none) return fmt::format("{}, such as {}", kind->name, kind->example);
    return fmt::format("{} in {}, such as \"{}\"", kind->name, kind->units, kind->example);
}

std::string format_quantity(double value, std::string_view unit) {
    const Unit parsed = parse_unit(unit);
    if (parsed.dimension == none) return fmt::format("{}", value);
    const Kind *kind = find_kind(parsed.dimension);
    return kind ? fmt::format("{} {}", value, kind->si) : fmt::format("{} {}", value / parsed.factor, unit);
}

} // namespace squall
