#include <fmt/format.h>

#include "config/units.hpp"
#include "runfile/keys.hpp"

namespace squall::transport {
namespace {

constexpr const char *introduction = R"(# Run files of squall-transport

A run file of `squall-transport` is a [TOML](https://toml.io) file, with quantities written as in
[those of squall-model](run-file.md); `run-files/transport` has examples. Streams of output have the keys of
squall-model's streams that mean something on a globe.

This page is printed by `squall-transport --keys`.
)";

/// A default as a run file would write it; empty for lists and tables, which have none.
struct ShowDefault {
    const Rule &rule;

    std::string operator()(const std::string *text) const { return text->empty() ? "" : quote(*text); }
    std::string operator()(const int *number) const { return fmt::format("{}", *number); }
    std::string operator()(const double *number) const {
        const std::string text = format_quantity(*number, rule.unit);
        return text.find(' ') == std::string::npos ? text : quote(text);
    }
    std::string operator()(const bool *flag) const { return *flag ? "true" : "false"; }
    template <class Other> std::string operator()(const Other *) const { return ""; }

    static std::string quote(const std::string &text) { return fmt::format("\"{}\"", text); }
};

std::string show_default(const TransportKey &key, Settings &defaults) {
    if (key.presence == Presence::required) return "required";
    if (!key.default_text.empty()) return key.default_text;
    const std::string value = std::visit(ShowDefault{key.rule}, key.slot(defaults));
    return value.empty() ? "none" : fmt::format("`{}`", value);
}

std::string show_table(const TransportTable &table, Settings &defaults) {
    std::string text =
        fmt::format("\n## `[{}]`\n\n{}\n\n| key | takes | default | meaning |\n| --- | --- | --- | --- |\n",
                    table.name, table.meaning);
    for (const TransportKey &key : table.keys)
        text +=
            fmt::format("| `{}` | {} | {} | {} |\n", key.name, describe_values(key.rule, key.slot(defaults)),
                        show_default(key, defaults), key.meaning);
    return text;
}

} // namespace

std::string key_reference() {
    Settings defaults;
    defaults.tracers.emplace_back();
    defaults.fields.emplace_back();
    defaults.common.streams.emplace_back();
    std::string text = introduction;
    for (const TransportTable &table : tables()) text += show_table(table, defaults);
    defaults.tracers.back().sources.releases.emplace_back();
    return text + show_table(tracer_keys(), defaults) + show_table(release_keys(), defaults) +
           show_table(field_keys(), defaults) + show_table(stream_keys(), defaults);
}

} // namespace squall::transport
