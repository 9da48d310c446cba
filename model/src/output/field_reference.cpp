#include "output/field_reference.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnostics/table.hpp"
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
    config.physics.surface_layer = "revised-mm5";
    config.physics.boundary_layer = "mynn";
    config.physics.land = "noah";
    config.physics.sea_skin = "zeng-beljaars";
    config.physics.surface_temperature = 300;
    config.physics.radiation = "rrtmgp";
    config.physics.gravity_wave_drag = "kim-arakawa";
    config.physics.slope_radiation = true;
    config.diffusion.scheme = "tke";
    return config;
}

constexpr const char *of_derived = R"(
## Derived fields

Made of these for a stream whose `fields` names them (`fields = ["default", "cape"]`: with all of the table above that a
history has without `fields`), where the run has what they need. Computed on the ranks that hold the points, in single
precision, parcels in double; the bits depend neither on ranks nor on threads. `squall.diagnose` makes
[the same of a file](derived-fields.md); a test compares them. Where a field has no value stands its `_FillValue`.
Derivatives are centred differences, over periodic sides too, one-sided at the other sides of the domain.

| field | description | units | CF standard name | levels | how, and from where | needs |
| --- | --- | --- | --- | --- | --- | --- |
)";

constexpr const char *of_running = R"(
## Since the last frame

Followed step by step where a stream's `fields` names them, for each stream by itself, and through a restart. The first
frame of a run shows that moment alone.

| field | description | units | CF standard name | how | needs |
| --- | --- | --- | --- | --- | --- |
)";

std::string in_words(const std::vector<Need> &needs) { return lacking(needs, {}); }

std::string when(const HistoryField &field, const std::vector<HistoryField> &dry) {
    if (!field.by_default) return "where `fields` names it";
    const bool always = std::ranges::any_of(dry, [&](const HistoryField &other) {
        return other.name == field.name && !other.derived && !other.running;
    });
    return always ? "always" : "if the run has it";
}

} // namespace

std::string field_reference() {
    const auto dry = history_fields(Config{});
    std::string text = introduction;
    for (const HistoryField &field : history_fields(everything()))
        if (!field.derived && !field.running)
            text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name, field.description,
                                field.units, field.standard_name, fmt::join(dimensions_of(field.where), ", "),
                                when(field, dry));
    text += of_derived;
    for (const DerivedField &f : derived_fields())
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", f.name, f.description, f.units,
                            f.standard_name, f.layers ? "layers" : "", f.source, in_words(f.needs));
    text += of_running;
    for (const RunningField &f : running_fields())
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", f.name, f.description, f.units,
                            f.standard_name, f.source, in_words(f.needs));
    return text;
}

} // namespace squall
