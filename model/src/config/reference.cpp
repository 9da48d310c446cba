#include "config/reference.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/schema.hpp"
#include "config/units.hpp"
#include "initial/initial.hpp"
#include "physics/fire/fuel.hpp"

namespace squall {
namespace {

constexpr const char *introduction = R"(# Run files

A run file is a [TOML](https://toml.io) file; `run-files/` has examples. `squall run --set TABLE.KEY=VALUE`
replaces a value for one run.

A quantity with a dimension is a string with its unit: `"600 s"`, `"5 d"`, `"100 km"`, `"75 m2/s"`,
`"0.003 s-1"`, `"512 MB"`. A unit is a product of s, min, h, d, m, km, K, Pa, hPa, kg, degrees, B, kB, MB and
GB with integer exponents, written as in `"m2/s"` or `"m2 s-1"`. A dimensionless quantity is a bare number.

A key that is not on this page, an invalid value or unit, and keys that exclude each other are refused before the
first step.

This page is printed by `squall-model --keys`.
)";

/// The default of a key as a run file would write it; empty for lists and tables, which have none.
struct ShowDefault {
    const Rule &rule;

    std::string operator()(const std::string *text) const { return quote(*text); }
    std::string operator()(const int *number) const { return fmt::format("{}", *number); }
    std::string operator()(const double *number) const {
        const std::string text = format_quantity(*number, rule.unit);
        return text.find(' ') == std::string::npos ? text : quote(text);
    }
    std::string operator()(const bool *flag) const { return *flag ? "true" : "false"; }
    std::string operator()(const Boundary *side) const {
        return quote(boundary_names()[static_cast<std::size_t>(*side)]);
    }
    template <class ListOrTable> std::string operator()(const ListOrTable *) const { return ""; }

    static std::string quote(const std::string &text) { return fmt::format("\"{}\"", text); }
};

std::string show_default(const Key &key, Config &defaults) {
    if (key.presence == Presence::required) return "required";
    if (key.presence == Presence::required_for_case) return "required with `case`";
    if (!key.default_text.empty()) return key.default_text;
    const std::string value = std::visit(ShowDefault{key.rule}, key.slot(defaults));
    return value.empty() ? "none" : fmt::format("`{}`", value);
}

std::string show_keys(const std::vector<Key> &keys, Config &defaults) {
    std::string text = "| key | takes | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const Key &key : keys)
        text +=
            fmt::format("| `{}` | {} | {} | {} |\n", key.name, describe_values(key.rule, key.slot(defaults)),
                        show_default(key, defaults), key.meaning);
    return text;
}

std::string show_table(const TableSchema &table, Config &defaults) {
    const std::string name = table.repeated ? "[" + table.name + "]" : table.name;
    return fmt::format("\n## `[{}]`\n\n{}\n\n{}", name, table.meaning, show_keys(table.keys, defaults));
}

Config make_defaults() {
    Config defaults;
    defaults.streams.emplace_back();
    defaults.tracers.emplace_back();
    defaults.ignitions.emplace_back();
    defaults.nests.emplace_back();
    return defaults;
}

/// With the parameters of a case.
Config make_defaults(const Case &built_in) {
    Config defaults;
    for (const CaseParameter &parameter : built_in.parameters)
        defaults.initial.parameters[parameter.key] = parameter.value;
    return defaults;
}

std::string show_case(const Case &built_in) {
    Config defaults = make_defaults(built_in);
    const std::string head = fmt::format("\n### `case = \"{}\"`\n\n{}\n", built_in.name, built_in.title);
    return built_in.parameters.empty() ? head : head + "\n" + show_keys(case_keys(built_in.name), defaults);
}

using Json = nlohmann::ordered_json;

const char *when_required(Presence presence) {
    return presence == Presence::required            ? "always"
           : presence == Presence::required_for_case ? "with a case"
                                                     : "no";
}

Json keys_json(const std::vector<Key> &keys, Config &defaults) {
    Json list = Json::array();
    for (const Key &key : keys) {
        Json j = {{"name", key.name},       {"takes", describe_values(key.rule, key.slot(defaults))},
                  {"meaning", key.meaning}, {"required", when_required(key.presence)},
                  {"unit", key.rule.unit},  {"choices", key.rule.choices}};
        const std::string value = std::visit(ShowDefault{key.rule}, key.slot(defaults));
        if (!key.default_text.empty())
            j["default_text"] = key.default_text;
        else if (key.presence == Presence::optional && !value.empty())
            j["default"] = value;
        list.push_back(std::move(j));
    }
    return list;
}

Json table_json(const TableSchema &table, Config &defaults) {
    return {{"name", table.name}, {"meaning", table.meaning}, {"keys", keys_json(table.keys, defaults)}};
}

/// Anderson's categories, from the first to the last one that burns.
Json fuels_json() {
    Json all = Json::array();
    for (int category = 1; category < fire::no_fuel; ++category) {
        const fire::Fuel &f = fire::fuel(category);
        all.push_back({{"load", f.load},
                       {"depth", f.depth},
                       {"surface_to_volume", f.surface_to_volume},
                       {"extinction", f.extinction},
                       {"weight", f.weight},
                       {"chaparral", f.chaparral},
                       {"classes", f.classes}});
    }
    return all;
}

} // namespace

std::string run_file_schema() {
    Config defaults = make_defaults();
    Json tables = Json::array(), with_case = Json::array();
    for (const TableSchema &table : schema()) tables.push_back(table_json(table, defaults));
    tables.push_back(table_json(nest_schema(), defaults));
    tables.push_back(table_json(tracer_schema(), defaults));
    tables.push_back(table_json(ignition_schema(), defaults));
    tables.push_back(table_json(stream_schema(), defaults));
    for (const auto &[name, built_in] : cases()) {
        Config of_case = make_defaults(built_in);
        with_case.push_back(
            {{"name", name}, {"title", built_in.title}, {"keys", keys_json(case_keys(name), of_case)}});
    }
    return Json{{"tables", tables}, {"cases", with_case}, {"fuels", fuels_json()}}.dump(1) + "\n";
}

std::string run_file_reference() {
    Config defaults = make_defaults();
    std::string text = introduction;
    for (const TableSchema &table : schema()) {
        text += show_table(table, defaults);
        if (table.name != "initial") continue;
        for (const auto &[name, built_in] : cases()) text += show_case(built_in);
        text += show_table(tracer_schema(), defaults);
        text += show_table(ignition_schema(), defaults);
        text += show_table(nest_schema(), defaults);
    }
    return text + show_table(stream_schema(), defaults);
}

} // namespace squall
