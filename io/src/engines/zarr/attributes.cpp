#include "engines/zarr/attributes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace squall::io::zarr {
namespace {

constexpr auto fill_value = "_FillValue";
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// xarray keeps the attribute _FillValue of a floating-point field as base64 of a little-endian double.
std::string base64(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    std::string text;
    std::uint32_t three = 0;
    for (int n = 0; n < 9; ++n) { // the ninth byte is padding
        three = three << 8 | (n < 8 ? bits >> (8 * n) & 0xff : 0);
        if (n % 3 != 2) continue;
        for (int shift = 18; shift >= 0; shift -= 6) text += digits[three >> shift & 63];
    }
    text.back() = '=';
    return text;
}

std::optional<double> from_base64(const std::string &text) {
    if (text.size() != 12 || text.back() != '=') return std::nullopt;
    std::uint64_t bits = 0;
    for (std::size_t n = 0; n < 8; ++n) { // byte n is bits 8n to 8n+7 of the text, six a character
        const auto at = n * 8 / 6;
        const auto high = digits.find(text[at]), low = digits.find(text[at + 1]);
        if (high == digits.npos || low == digits.npos) return std::nullopt;
        const auto both = high << 6 | low;
        bits |= (both >> (4 - n * 8 % 6) & 0xff) << (8 * n);
    }
    return std::bit_cast<double>(bits);
}

bool floating(Type type) { return type == Type::f32 || type == Type::f64; }

template <class T> Json number(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(value)) return "NaN";
        if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
        return static_cast<double>(value);
    } else
        return value;
}

/// Of a field of whole numbers.
template <class T> Json whole(const std::vector<T> &values) {
    if (values.size() == 1) return static_cast<std::int64_t>(values[0]);
    auto list = Json::array();
    for (const auto x : values) list.push_back(static_cast<std::int64_t>(x));
    return list;
}

Json to_json(const Attribute &a, Type field) {
    return std::visit(
        [&](const auto &v) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>) {
                return v;
            } else {
                if (v.size() == 1 && a.name == fill_value && floating(field)) return base64(v[0]);
                if (!floating(field) && is_of_its_field(a.name)) return whole(v);
                if (v.size() == 1) return number(v[0]);
                auto list = Json::array();
                for (const auto x : v) list.push_back(number(x));
                return list;
            }
        },
        a.value);
}

std::optional<double> number_in(const Json &json) {
    if (json.is_number()) return json.get<double>();
    if (json == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (json == "Infinity") return std::numeric_limits<double>::infinity();
    if (json == "-Infinity") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

template <class T> Value cast(const std::vector<double> &numbers) {
    std::vector<T> all;
    for (const auto x : numbers) all.push_back(static_cast<T>(x));
    return all;
}

/// What does not fit the type stays as it is.
Value with_type(const std::vector<double> &numbers, const std::string &type) {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto fits = [](double x) { return x >= Limits::min() && x <= Limits::max(); };
    if (type == name_of(Type::f32)) return cast<float>(numbers);
    if (type == name_of(Type::i32) && std::ranges::all_of(numbers, fits)) return cast<std::int32_t>(numbers);
    return numbers;
}

bool fits_int32(const Json &json) {
    return json.is_number_integer() &&
           std::abs(json.get<double>()) <= std::numeric_limits<std::int32_t>::max();
}

std::string likely_type(const Json &json) {
    auto likely = Type::i32;
    for (const auto &item : json.is_array() ? json : Json::array({json})) {
        if (!item.is_number_integer()) return name_of(Type::f64);
        if (!fits_int32(item)) likely = Type::i64;
    }
    return name_of(likely);
}

/// Whole numbers that are more than others hold exactly; none where one of them is none.
std::optional<Value> whole_in(const Json &items) {
    std::vector<std::int64_t> all;
    for (const auto &item : items) {
        if (!item.is_number_integer()) return std::nullopt;
        if (item.is_number_unsigned() && item.get<std::uint64_t>() >> 63 != 0) return std::nullopt;
        all.push_back(item.get<std::int64_t>());
    }
    return all;
}

/// `type`: the hint, or "".
std::optional<Value> from_json(const std::string &name, const Json &json, Type field,
                               const std::string &type) {
    const auto as = type.empty() ? likely_type(json) : type;
    if (json.is_boolean()) return std::vector<std::int32_t>{json.get<bool>()};
    if (json.is_string() && name == fill_value && floating(field))
        if (const auto x = from_base64(json)) return with_type({*x}, as);
    if (json.is_string() && type.empty()) return json.get<std::string>();
    std::vector<double> numbers;
    const auto items = json.is_array() ? json : Json::array({json});
    if (as == name_of(Type::i64)) return whole_in(items);
    for (const auto &item : items) {
        const auto x = number_in(item);
        if (!x) return std::nullopt;
        numbers.push_back(*x);
    }
    return with_type(numbers, as);
}

std::string type_name(const Value &value) {
    return std::visit(
        [](const auto &v) { return name_of(type_of<typename std::decay_t<decltype(v)>::value_type>); },
        value);
}

} // namespace

Json to_json(const std::vector<Attribute> &attributes, Type field, Json &hints) {
    auto all = Json::object();
    for (const auto &a : attributes) {
        const auto json = to_json(a, field);
        const auto back = from_json(a.name, json, field, "");
        if (!back || back->index() != a.value.index()) hints[a.name] = type_name(a.value);
        all[a.name] = json;
    }
    return all;
}

std::vector<Attribute> from_json(const Json &attributes, Type field, const Json &hints,
                                 std::vector<std::string> *unheld) {
    std::vector<Attribute> all;
    for (const auto &[name, json] : attributes.items()) {
        const auto hint = hints.find(name);
        const auto type = hint != hints.end() && hint->is_string() ? hint->get<std::string>() : "";
        if (const auto value = from_json(name, json, field, type))
            all.push_back({name, *value});
        else if (unheld)
            unheld->push_back(name);
    }
    return all;
}

} // namespace squall::io::zarr
