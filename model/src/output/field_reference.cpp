#include "output/field_reference.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/history_fields.hpp"

namespace squall {
namespace {

constexpr const char *introduction = R"(# Fields of a history

Names are WRF's; descriptions and units are the attributes in the files. Every frame has `Times`, `XTIME` (the CF time
coordinate) and `ITIMESTEP` besides, and in a run from an `initial.file` the fields of it on columns or soil layers that
the model does not make. Dimensions lie in this order after `Time`. How to leave fields out:
[Set what is written](../how-to/output.md). What is in a restart: [Output files](output-files.md).

This page is printed by `squall-model --fields`.

| field | description | units | CF standard name | dimensions | in a history |
| --- | --- | --- | --- | --- | --- |
)";

/// A run that makes every field.
Config everything() {
    Config config;
    config.physics.microphysics = "wsm6";
    config.diffusion.scheme = "tke";
    return config;
}

std::string when(const HistoryField &field, const std::vector<HistoryField> &dry) {
    if (!field.by_default) return "where `fields` names it";
    const bool always = std::ranges::find(dry, field.name, &HistoryField::name) != dry.end();
    return always ? "always" : "if the run has it";
}

} // namespace

std::string field_reference() {
    const auto dry = history_fields(Config{});
    std::string text = introduction;
    for (const HistoryField &field : history_fields(everything()))
        text +=
            fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name, field.description, field.units,
                        field.standard_name, fmt::join(dimensions_of(field.where), ", "), when(field, dry));
    return text;
}

} // namespace squall
