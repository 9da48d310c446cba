/// A run file as a tree of values that know where they stand; nothing here knows the keys.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "config/problems.hpp"

namespace squall {

struct Entry;

/// A date or time written without quotes, as ISO 8601.
struct DateTime {
    std::string text;
};

struct Value {
    using Array = std::vector<Value>;
    using Table = std::vector<Entry>; ///< in the order of keys
    TextPlace place;
    std::variant<std::string, std::int64_t, double, bool, DateTime, Array, Table> data;

    /// As messages show it: `600`, `"600 m"`, `a list`.
    std::string describe() const;
};

struct Entry {
    std::string key;
    TextPlace place;
    Value value;
};

/// Parses the text of a TOML file; notes the first error of syntax in `problems`.
Value parse_document(const std::string &text, Problems &problems);

/// Sets one value of `root` from "table.key=value", where value is TOML or else bare text.
void apply_override(Value &root, const std::string &text, Problems &problems);

} // namespace squall
