#include "config/document.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace squall {
namespace {

TextPlace to_place(const toml::source_region &region) {
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), ""};
}

std::string to_iso(const toml::node &node) {
    std::ostringstream stream;
    node.visit([&](const auto &value) {
        if constexpr (toml::is_date<decltype(value)> || toml::is_time<decltype(value)> ||
                      toml::is_date_time<decltype(value)>)
            stream << value;
    });
    return stream.str();
}

Value to_value(const toml::node &node) {
    Value value{to_place(node.source()), {}};
    if (const auto *table = node.as_table()) {
        Value::Table entries;
        for (const auto &[key, child] : *table)
            entries.push_back({std::string(key.str()), to_place(key.source()), to_value(child)});
        value.data = std::move(entries);
    } else if (const auto *array = node.as_array()) {
        Value::Array elements;
        for (const toml::node &element : *array) elements.push_back(to_value(element));
        value.data = std::move(elements);
    } else if (const auto *text = node.as_string()) {
        value.data = text->get();
    } else if (const auto *integer = node.as_integer()) {
        value.data = integer->get();
    } else if (const auto *number = node.as_floating_point()) {
        value.data = number->get();
    } else if (const auto *flag = node.as_boolean()) {
        value.data = flag->get();
    } else {
        value.data = DateTime{to_iso(node)};
    }
    return value;
}

/// The value of an override: TOML if it is exactly one TOML value, else the text itself.
Value parse_value(const std::string &text) {
    try {
        const toml::table table = toml::parse("value = " + text);
        if (table.size() == 1) return to_value(*table.get("value"));
    } catch (const toml::parse_error &) { // then it is bare text
    }
    return {{}, text};
}

void set_place(Value &value, const TextPlace &place) {
    value.place = place;
    if (auto *elements = std::get_if<Value::Array>(&value.data))
        for (Value &element : *elements) set_place(element, place);
    if (auto *entries = std::get_if<Value::Table>(&value.data))
        for (Entry &entry : *entries) {
            entry.place = place;
            set_place(entry.value, place);
        }
}

/// The entry of this key, made where it is missing.
Entry &entry_of(Value::Table &table, const std::string &key, const TextPlace &place) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Entry &e) { return e.key == key; });
    if (found != table.end()) return *found;
    table.push_back({key, place, {place, Value::Table{}}});
    return table.back();
}

std::string trim(const std::string &text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

} // namespace

std::string Value::describe() const {
    struct {
        std::string operator()(const std::string &text) const { return fmt::format("\"{}\"", text); }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(double number) const { return fmt::format("{}", number); }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(const DateTime &time) const { return time.text; }
        std::string operator()(const Array &) const { return "a list"; }
        std::string operator()(const Table &) const { return "a table"; }
    } describe;
    return std::visit(describe, data);
}

Value parse_document(const std::string &text, Problems &problems) {
    try {
        return to_value(toml::parse(text));
    } catch (const toml::parse_error &error) {
        problems.add(to_place(error.source()), std::string(error.description()));
        return {{}, Value::Table{}};
    }
}

void apply_override(Value &root, const std::string &text, Problems &problems) {
    const TextPlace place{0, 0, text};
    const auto equals = text.find('=');
    const std::string path = trim(text.substr(0, equals));
    if (equals == std::string::npos || path.empty()) {
        problems.add(place, "is not of the form table.key=value, such as \"run.time_step=300 s\"");
        return;
    }
    Value *value = &root;
    Entry *entry = nullptr;
    std::istringstream keys(path);
    for (std::string key; std::getline(keys, key, '.');) {
        auto *table = std::get_if<Value::Table>(&value->data);
        if (!table) {
            problems.add(place, fmt::format("{} is not a table and has no key \"{}\"", entry->key, key));
            return;
        }
        entry = &entry_of(*table, trim(key), place);
        value = &entry->value;
    }
    *value = parse_value(trim(text.substr(equals + 1)));
    entry->place = place;
    set_place(*value, place);
}

} // namespace squall
