#include "config/values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "config/precision.hpp"
#include "config/units.hpp"
#include "settings/calendar.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

[[noreturn]] void refuse(const std::string &what, const Rule &rule, const Slot &slot) {
    throw std::invalid_argument(fmt::format("{}; expected {}", what, describe_values(rule, slot)));
}

std::size_t find_choice(const std::string &text, const std::vector<std::string> &choices) {
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found == choices.end())
        throw std::invalid_argument(
            fmt::format("unknown value \"{}\"; {}", text, io::near_and_all(text, choices)));
    return static_cast<std::size_t>(found - choices.begin());
}

/// Bounds beyond this are rarely met: only who goes beyond one hears of it.
constexpr double untold = 1e4;

void check_range(double number, const Value &value, const Rule &rule, const Slot &slot) {
    const bool low = rule.above ? number <= rule.min : number < rule.min;
    const bool high = rule.below ? number >= rule.max : number > rule.max;
    if (high && rule.max >= untold)
        refuse(fmt::format("{} is out of range, the maximum is {}", value.describe(),
                           format_quantity(rule.max, rule.unit)),
               rule, slot);
    if (low || high) refuse(value.describe() + " is out of range", rule, slot);
}

/// A number as TOML writes it, whole or not, if `value` is one.
std::optional<double> number_of(const Value &value) {
    if (const auto *whole = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*whole);
    if (const auto *number = std::get_if<double>(&value.data))
        if (std::isfinite(*number)) return *number;
    return {};
}

/// A value as engines take their options: text, number, or true and false.
std::string option_text(const Value &value, const Rule &rule, const Slot &slot) {
    if (const auto *text = std::get_if<std::string>(&value.data)) return *text;
    const bool plain = std::holds_alternative<std::int64_t>(value.data) ||
                       std::holds_alternative<double>(value.data) || std::holds_alternative<bool>(value.data);
    if (!plain) refuse(value.describe() + " is neither a string nor a number", rule, slot);
    return value.describe();
}

/// Stores a value in a slot of each type.
struct Assign {
    const Value &value;
    const Rule &rule;

    void operator()(std::string *slot) const {
        const auto *date = std::get_if<DateTime>(&value.data);
        const auto *text = rule.calendar && date ? &date->text : std::get_if<std::string>(&value.data);
        if (!text) refuse(value.describe() + " is not a string", rule, slot);
        if (!rule.choices.empty()) find_choice(*text, rule.choices);
        *slot = rule.calendar ? format_iso(parse_time(*text)) : *text;
    }

    void operator()(int *slot) const {
        const auto *number = std::get_if<std::int64_t>(&value.data);
        if (!number) refuse(value.describe() + " is not a whole number", rule, slot);
        check_range(static_cast<double>(*number), value, rule, slot);
        if (rule.even && *number % 2 != 0) refuse(value.describe() + " is odd", rule, slot);
        *slot = static_cast<int>(*number);
    }

    void operator()(double *slot) const {
        const bool pure = parse_unit(rule.unit).dimension == Dimension{};
        const auto *text = std::get_if<std::string>(&value.data);
        const std::optional<double> number = number_of(value);
        if (number && !pure) refuse(value.describe() + " has no unit", rule, slot);
        if (!number && (pure || !text)) refuse(value.describe() + " is not a number", rule, slot);
        const double quantity = pure ? *number : parse_quantity(*text, rule.unit);
        check_range(quantity, value, rule, slot);
        *slot = quantity;
    }

    void operator()(bool *slot) const {
        const auto *flag = std::get_if<bool>(&value.data);
        if (!flag) refuse(value.describe() + " is neither true nor false", rule, slot);
        *slot = *flag;
    }

    void operator()(Boundary *slot) const {
        const auto *text = std::get_if<std::string>(&value.data);
        if (!text) refuse(value.describe() + " is not a string", rule, slot);
        *slot = static_cast<Boundary>(find_choice(*text, boundary_names()));
    }

    void operator()(std::vector<double> *slot) const {
        slot->clear();
        for (const Value &element : elements(slot)) {
            double number = 0;
            Assign{element, rule}(&number);
            slot->push_back(number);
        }
    }

    void operator()(std::vector<int> *slot) const {
        slot->clear();
        for (const Value &element : elements(slot)) {
            const auto *number = std::get_if<std::int64_t>(&element.data);
            if (!number) refuse(element.describe() + " is not a whole number", rule, slot);
            check_range(static_cast<double>(*number), element, rule, slot);
            slot->push_back(static_cast<int>(*number));
        }
    }

    void operator()(std::map<std::string, std::string> *slot) const {
        for (const Entry &entry : entries(slot)) (*slot)[entry.key] = option_text(entry.value, rule, slot);
    }

    void operator()(std::map<std::string, io::Precision> *slot) const {
        for (const Entry &entry : entries(slot)) {
            const auto *text = std::get_if<std::string>(&entry.value.data);
            if (!text)
                refuse(fmt::format("{} = {} is not a string", entry.key, entry.value.describe()), rule, slot);
            (*slot)[entry.key] = parse_precision(*text);
        }
    }

    void operator()(std::vector<std::string> *slot) const {
        slot->clear();
        for (const Value &element : elements(slot)) {
            const auto *text = std::get_if<std::string>(&element.data);
            if (!text) refuse(element.describe() + " is not a string", rule, slot);
            slot->push_back(*text);
        }
    }

    const Value::Array &elements(const Slot &slot) const {
        const auto *array = std::get_if<Value::Array>(&value.data);
        if (!array) refuse(value.describe() + " is not a list", rule, slot);
        return *array;
    }

    const Value::Table &entries(const Slot &slot) const {
        const auto *table = std::get_if<Value::Table>(&value.data);
        if (!table) refuse(value.describe() + " is not a table", rule, slot);
        return *table;
    }
};

/// `, from 2 to 6`, `, above 0 m`.
std::string describe_range(const Rule &rule) {
    const auto show = [&](double bound) { return format_quantity(bound, rule.unit); };
    const bool low = std::isfinite(rule.min), high = std::isfinite(rule.max) && rule.max < untold;
    if (low && high && !rule.above) return fmt::format(", from {} to {}", show(rule.min), show(rule.max));
    std::string text;
    if (low) text += fmt::format(", {} {}", rule.above ? "above" : "at least", show(rule.min));
    if (high) text += fmt::format(", {} {}", rule.below ? "below" : "at most", show(rule.max));
    return text;
}

} // namespace

void assign(const Value &value, const Rule &rule, const Slot &slot) { std::visit(Assign{value, rule}, slot); }

std::string describe_values(const Rule &rule, const Slot &slot) {
    struct Describe {
        const Rule &rule;
        std::string such_as() const {
            return rule.example.empty() ? "" : fmt::format(", such as `{}`", rule.example);
        }
        std::string operator()(std::string *) const {
            if (rule.calendar) return "a calendar time, such as \"2000-01-01T00:00:00\"";
            return rule.choices.empty() ? "a string" : quote(rule.choices);
        }
        std::string operator()(int *) const {
            return (rule.even ? "an even whole number" : "a whole number") + describe_range(rule);
        }
        std::string operator()(double *) const { return describe_quantity(rule.unit) + describe_range(rule); }
        std::string operator()(bool *) const { return "true or false"; }
        std::string operator()(Boundary *) const { return quote(boundary_names()); }
        std::string operator()(std::vector<double> *) const {
            return (rule.unit.empty() ? "a list of numbers" : "a list of quantities in " + rule.unit) +
                   describe_range(rule) + such_as();
        }
        std::string operator()(std::vector<std::string> *) const { return "a list of strings" + such_as(); }
        std::string operator()(std::vector<int> *) const { return "a list of whole numbers" + such_as(); }
        std::string operator()(std::map<std::string, std::string> *) const {
            return "a table of strings and numbers" + such_as();
        }
        std::string operator()(std::map<std::string, io::Precision> *) const {
            return "a table of strings" + such_as();
        }
        static std::string quote(const std::vector<std::string> &choices) {
            return fmt::format("\"{}\"", fmt::join(choices, "\", \""));
        }
    };
    return std::visit(Describe{rule}, slot);
}

} // namespace squall
