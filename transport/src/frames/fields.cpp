#include "frames/fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "settings/nearest.hpp"

namespace squall::transport {

std::vector<GlobeField> fields_of_run(const Settings &settings) {
    using Kind = GlobeField::Kind;
    std::vector<GlobeField> fields;
    for (int t = 0; t < static_cast<int>(settings.tracers.size()); ++t) {
        const TracerSettings &tracer = settings.tracers[static_cast<std::size_t>(t)];
        const bool moles = tracer.amount == "mole";
        const std::string &name = tracer.name, ratio = tracer.sources.clock ? "s"
                                                       : moles              ? "mol mol-1"
                                                                            : "kg kg-1";
        fields.push_back({name, Kind::mixing_ratio, t,
                          tracer.sources.clock ? "age of air" : "mixing ratio of " + name, ratio});
        if (tracer.sources.clock) continue;
        if (settings.wind.file.empty())
            fields.push_back(
                {name + "_exact", Kind::exact, t, "exact solution of " + name, ratio, "", false});
        fields.push_back({name + "_column", Kind::column, t, "column of " + name, moles ? "DU" : "kg m-2"});
        fields.push_back({name + "_mass", Kind::mass, t,
                          moles ? "mixing ratio of " + name + " times mass of air" : "mass of " + name,
                          "kg"});
    }
    fields.push_back({"ps", Kind::surface_pressure, -1, "surface pressure", "Pa", "surface_air_pressure"});
    fields.push_back({"air_mass", Kind::air_mass, -1, "mass of air", "kg"});
    return fields;
}

std::vector<GlobeField> fields_of_stream(const StreamConfig &stream, const Settings &settings) {
    std::vector<GlobeField> fields = fields_of_run(settings), chosen;
    if (stream.fields.empty()) {
        std::erase_if(fields, [](const GlobeField &f) { return !f.by_default; });
        return fields;
    }
    std::vector<std::string> names;
    for (const GlobeField &field : fields) names.push_back(field.name);
    for (const std::string &name : stream.fields) {
        const auto found = std::ranges::find(fields, name, &GlobeField::name);
        if (found == fields.end())
            throw ConfigError(
                fmt::format("{}:{}: output.{}.fields: there is no field \"{}\"; did you mean \"{}\"? There "
                            "are {}",
                            settings.common.file, stream.line, stream.name, name, nearest(name, names),
                            fmt::join(names, ", ")));
        chosen.push_back(*found);
    }
    return chosen;
}

} // namespace squall::transport
