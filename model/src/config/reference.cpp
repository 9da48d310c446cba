#include "config/reference.hpp"

#include <fmt/format.h>

#include "config/schema.hpp"
#include "config/units.hpp"
#include "initial/initial.hpp"

namespace squall {
namespace {

constexpr const char *introduction = R"(# Run files

A run file is a [TOML](https://toml.io) file; `cases/` has examples. `squall run --set TABLE.KEY=VALUE`
replaces a value for one run.

A quantity with a dimension is a text with its unit: `"600 s"`, `"5 d"`, `"100 km"`, `"75 m2/s"`,
`"0.003 s-1"`, `"512 MB"`. A unit is a product of s, min, h, d, m, km, K, Pa, hPa, kg, degrees, B, kB, MB and
GB with whole exponents, written as in `"m2/s"` or `"m2 s-1"`. A quantity without a dimension is a bare number.

A key that is not on this page, a value or unit that does not fit, and keys that exclude each
other are refused before the first step.

This page is printed by `squall-model --keys`.
)";

/// The default of a key as a run file would write it.
struct ShowDefault {
    const Rule &rule;

    std::string operator()(const std::string *text) const { return code(quote(*text)); }
    std::string operator()(const int *number) const { return code(fmt::format("{}", *number)); }
    std::string operator()(const double *number) const {
        const std::string text = format_quantity(*number, rule.unit);
        return code(text.find(' ') == std::string::npos ? text : quote(text));
    }
    std::string operator()(const bool *flag) const { return code(*flag ? "true" : "false"); }
    std::string operator()(const Boundary *side) const {
        return code(quote(boundary_names()[static_cast<std::size_t>(*side)]));
    }
    template <class ListOrTable> std::string operator()(const ListOrTable *) const { return "none"; }

    static std::string quote(const std::string &text) { return fmt::format("\"{}\"", text); }
    static std::string code(const std::string &text) { return fmt::format("`{}`", text); }
};

std::string show_default(const Key &key, Config &defaults) {
    if (key.presence == Presence::required) return "required";
    if (key.presence == Presence::required_for_case) return "required with `case`";
    if (!key.default_text.empty()) return key.default_text;
    return std::visit(ShowDefault{key.rule}, key.slot(defaults));
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
    return fmt::format("\n## `[{}]`\n\n{}\n\n{}", table.name, table.meaning, show_keys(table.keys, defaults));
}

std::string show_case(const Case &built_in) {
    Config defaults;
    for (const CaseParameter &parameter : built_in.parameters)
        defaults.initial.parameters[parameter.key] = parameter.value;
    const std::string head = fmt::format("\n### `case = \"{}\"`\n\n{}\n", built_in.name, built_in.title);
    return built_in.parameters.empty() ? head : head + "\n" + show_keys(case_keys(built_in.name), defaults);
}

} // namespace

std::string run_file_reference() {
    Config defaults;
    defaults.streams.emplace_back();
    defaults.tracers.emplace_back();
    std::string text = introduction;
    for (const TableSchema &table : schema()) {
        text += show_table(table, defaults);
        if (table.name != "initial") continue;
        for (const auto &[name, built_in] : cases()) text += show_case(built_in);
        text += show_table(tracer_schema(), defaults);
    }
    return text + show_table(stream_schema(), defaults);
}

} // namespace squall
