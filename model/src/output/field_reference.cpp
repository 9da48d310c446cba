#include "output/field_reference.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnostics/table.hpp"
#include "output/history_fields.hpp"

namespace squall {
namespace {

constexpr const char *introduction = R"(# Fields of a history

Names are WRF's; descriptions and units are the attributes in the files. Every frame also has `Times`, `XTIME` (the CF
time coordinate) and `ITIMESTEP`, and in a run from an `initial.file` those of its fields on columns or soil layers that
the model does not compute. Dimensions are listed in this order after `Time`. How to leave fields out:
[Set what is written](../how-to/output.md). Contents of a restart: [Output files](output-files.md).

This page is printed by `squall-model --fields`.

| field | description | units | CF standard name | dimensions | in a history |
| --- | --- | --- | --- | --- | --- |
)";

/// A run that makes every field.
Config everything() {
    Config config;
    config.physics.microphysics = "wsm6";
    config.physics.surface_layer = "revised-mm5";
    config.physics.boundary_layer = "mynn-edmf-advected";
    config.physics.land = "noah-mp";
    config.land.leaf_area = "file";
    config.land.runoff = "groundwater";
    config.physics.sea_skin = "zeng-beljaars";
    config.physics.ocean = "mixed-layer";
    config.physics.surface_temperature = 300;
    config.physics.radiation = "rrtmgp";
    config.physics.gravity_wave_drag = "kim-arakawa";
    config.physics.slope_radiation = true;
    config.diffusion.scheme = "tke";
    config.fire.on = true;
    return config;
}

constexpr const char *of_derived = R"(
## Derived fields

Computed from the fields above for a stream whose `fields` names them (`fields = ["default", "cape"]` adds to what a
history has without `fields`), if the run has what they need. The ranks that hold the points compute them in single
precision, parcels in double; the bits depend neither on ranks nor on threads. `squall.diagnose` computes
[the same fields from a file](derived-fields.md); a test compares the two. Missing values are the field's `_FillValue`.
Derivatives are centred differences, also across periodic sides, and one-sided at the other sides of the domain.

| field | description | units | CF standard name | levels | method and source | needs |
| --- | --- | --- | --- | --- | --- | --- |
)";

constexpr const char *of_running = R"(
## Since the last frame

Accumulated at every step for a stream whose `fields` names them, for each stream separately, and across restarts. The
first frame of a run holds instantaneous values.

| field | description | units | CF standard name | method | needs |
| --- | --- | --- | --- | --- | --- |
)";

std::string in_words(const std::vector<Need> &needs) { return lacking(needs, {}); }

std::string when(const HistoryField &field, const std::vector<HistoryField> &dry) {
    if (!field.by_default) return "if `fields` names it";
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
