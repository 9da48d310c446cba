#include "frames/fields.hpp"
#include "squall/io_words.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace squall::transport {
namespace {

using Kind = GlobeField::Kind;

std::vector<std::string> names_of(const std::vector<GlobeField> &fields) {
    std::vector<std::string> names;
    for (const GlobeField &field : fields) names.push_back(field.name);
    return names;
}

/// A field of [field.<name>], of those that there are. Throws std::invalid_argument.
GlobeField derived(const FieldSettings &wanted, const std::vector<GlobeField> &known,
                   const SmallFiles &files) {
    if (std::ranges::find(known, wanted.name, &GlobeField::name) != known.end())
        throw std::invalid_argument("there is a field of that name already");
    GlobeField made{wanted.name, Kind::derived, -1,
                    wanted.long_name.empty() ? wanted.expression : wanted.long_name, wanted.units};
    made.expression = Expression(wanted.expression);
    for (const std::string &name : made.expression.names()) {
        const auto term = std::ranges::find(known, name, &GlobeField::name);
        if (term == known.end())
            throw std::invalid_argument(
                fmt::format("there is no field \"{}\"; {}", name, io::near_or_all(name, names_of(known))));
        if (term->is_number())
            throw std::invalid_argument(fmt::format("{} is one number of the whole globe", name));
        made.terms.push_back(*term);
    }
    if (made.terms.empty()) throw std::invalid_argument("it is a number: it has no field");
    if (wanted.kernel.empty()) return made;
    if (!made.has_layers()) throw std::invalid_argument("a kernel is for what has layers");
    made.kernel = AveragingKernel(files, wanted.kernel);
    return made;
}

} // namespace

std::vector<GlobeField> fields_of_run(const Settings &settings) {
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
    fields.push_back(
        {"air", Kind::air, -1, "mass of air in a layer", "kg m-2", "atmosphere_mass_per_unit_area", false});
    fields.push_back({"pressure", Kind::pressure, -1, "pressure", "Pa", "air_pressure", false});
    for (const FieldSettings &wanted : settings.fields) try {
            fields.push_back(derived(wanted, fields, settings.common.files));
        } catch (const std::invalid_argument &problem) {
            throw ConfigError(fmt::format("{}:{}: field.{}.expression: {}", settings.common.file, wanted.line,
                                          wanted.name, problem.what()));
        }
    return fields;
}

std::vector<GlobeField> fields_of_stream(const StreamConfig &stream, const Settings &settings) {
    std::vector<GlobeField> fields = fields_of_run(settings), chosen;
    if (stream.fields.empty()) {
        std::erase_if(fields, [](const GlobeField &f) { return !f.by_default; });
        return fields;
    }
    const std::vector<std::string> names = names_of(fields);
    for (const std::string &name : stream.fields) {
        const auto found = std::ranges::find(fields, name, &GlobeField::name);
        if (found == fields.end())
            throw ConfigError(fmt::format("{}:{}: output.{}.fields: there is no field \"{}\"; {}",
                                          settings.common.file, stream.line, stream.name, name,
                                          io::near_and_all(name, names)));
        chosen.push_back(*found);
    }
    return chosen;
}

} // namespace squall::transport
