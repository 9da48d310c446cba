#include "runfile/check_tracers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace squall::transport {
namespace {

constexpr auto no_weather =
    ": the weather of winds by formula has no land, sea or rain; set weather.kind = \"zonal\", or wind.file";

/// The table of a tracer or a release, and what is wrong in it.
struct Table {
    squall::Reading &reading;
    std::string path; ///< ends with a point

    bool has(const std::string &key) const { return reading.has(path + key); }
    void refuse(const std::string &key, const std::string &what) {
        reading.problems.add(reading.place(path + key), path + key + what);
    }
    /// A key that means something with another one only.
    void check_needs(const std::string &key, const std::string &other, bool there) {
        if (has(key) && !there) refuse(key, " has no effect without " + other);
    }
};

void check_release(Table table, const ReleaseSettings &r) {
    if (r.region.empty() == r.longitude.empty())
        return table.refuse("region", ": a release is over a region, or where longitude and latitude say");
    if (r.longitude.size() != r.latitude.size())
        table.refuse("latitude", ": there are as many latitudes as longitudes");
    if (!r.region.empty() && r.region.size() != 4)
        return table.refuse("region", " has four numbers: west, east, south, north");
    if (!r.region.empty() && (r.region[1] <= r.region[0] || r.region[1] > r.region[0] + 360))
        table.refuse("region", ": its east must be east of its west, by 360 degrees at most");
    if (!r.region.empty() && (r.region[3] <= r.region[2] || r.region[2] < -90 || r.region[3] > 90))
        table.refuse("region", ": its north must be north of its south, both from -90 to 90");
    if (r.top < r.bottom) table.refuse("top", " must not be below bottom");
    if (!r.profile.empty() && !(std::accumulate(r.profile.begin(), r.profile.end(), 0.0) > 0))
        table.refuse("profile", ": some of its weights must be above 0");
    if (!r.profile.empty() && r.top == r.bottom) table.refuse("profile", " needs a top above bottom");
}

void check_eruption(Table &table, const SourceSettings &s) {
    if (s.eruption_mass > 0 && s.eruption_duration <= 0)
        table.refuse("eruption_duration", " must be above 0 s");
    if (s.eruption_mass > 0 && s.eruption_top <= s.eruption_bottom)
        table.refuse("eruption_top", " must be above eruption_bottom");
}

void check_amount(Table &table, const TracerSettings &tracer) {
    const SourceSettings &s = tracer.sources;
    if (tracer.amount != "mole") {
        if (!s.linoz.empty()) table.refuse("linoz", " is of mixing ratios by moles: set amount = \"mole\"");
        return;
    }
    for (const char *key : {"emission", "emission_file", "eruption_mass", "particle_diameter"})
        if (table.has(key)) table.refuse(key, " is in kg: set amount = \"mass\"");
    for (const ReleaseSettings &release : s.releases)
        table.refuse("release." + release.name, " is in kg: set amount = \"mass\"");
}

/// Surfaces and rain are the weather's.
void check_weather(Table &table, const SourceSettings &s, const Settings &settings) {
    if (settings.has_weather()) return;
    if (s.emission_surface != "all") table.refuse("emission_surface", no_weather);
    for (const char *key : {"deposition_velocity_land", "deposition_velocity_sea", "washout", "rainout"})
        if (table.has(key)) table.refuse(key, no_weather);
}

/// What no source fills and nothing was in at the start stays empty. Chlorine comes from the other chlorine.
void check_empty(Table &table, const TracerSettings &tracer, const ChemistrySettings &chemistry) {
    const bool reacts =
        chemistry.scheme != "none" && (tracer.name == chemistry.atoms || tracer.name == chemistry.molecules);
    if (tracer.scale == 0 && !reacts && !tracer.sources.any_source())
        table.refuse("scale",
                     " = 0 and no source: the tracer would be 0 to the end; give it a source, such as "
                     "emission, or a scale");
}

void check_family(Table &table, const TracerSettings &tracer, const Settings &settings) {
    const auto members = std::ranges::count(settings.tracers, tracer.family, &TracerSettings::family);
    if (!tracer.family.empty() && members == 1)
        table.refuse("family", " has no effect: no other tracer is of the family " + tracer.family);
}

void check_tracer(squall::Reading &reading, const TracerSettings &tracer, const Settings &settings) {
    const SourceSettings &s = tracer.sources;
    Table table{reading, "tracer." + tracer.name + "."};
    if (!std::isfinite(tracer.scale)) table.refuse("scale", " is not a number");
    if (s.emission_north <= s.emission_south)
        table.refuse("emission_north", " must be north of emission_south");
    if (s.clock && table.has("shape"))
        table.refuse("shape", " has no effect with clock = true; leave it out");
    table.check_needs("emission_surface", "emission", s.emission > 0);
    table.check_needs("emission_variable", "emission_file", !s.emission_file.empty());
    table.check_needs("particle_density", "particle_diameter", s.particle_diameter > 0);
    table.check_needs("washout_exponent", "washout or rainout", s.any_rain());
    check_eruption(table, s);
    check_amount(table, tracer);
    check_family(table, tracer, settings);
    check_weather(table, s, settings);
    check_empty(table, tracer, settings.chemistry);
    for (const ReleaseSettings &release : s.releases)
        check_release({reading, table.path + "release." + release.name + "."}, release);
}

} // namespace

void check_tracers(squall::Reading &r, const Settings &s) {
    if (s.tracers.empty())
        r.problems.add({}, "there is no tracer: add a table such as [tracer.q], with shape = \"constant\"");
    for (const TracerSettings &tracer : s.tracers) check_tracer(r, tracer, s);
    for (const auto &[key, scheme] :
         {std::pair("convection", s.mixing.convection), std::pair("boundary_layer", s.mixing.boundary_layer)})
        if (scheme != "none" && !s.has_weather())
            r.problems.add(
                r.place(std::string("mixing.") + key),
                fmt::format("mixing.{} has no effect in the weather of winds by formula, dry air of "
                            "300 K; set weather.kind = \"zonal\", or wind.file",
                            key));
}

void take_source_files(squall::Reading &r, Settings &s) {
    for (TracerSettings &tracer : s.tracers) {
        const std::string path = "tracer." + tracer.name + ".";
        if (!tracer.sources.emission_file.empty())
            take_file(r, path + "emission_file", tracer.sources.emission_file);
        if (!tracer.sources.linoz.empty()) take_file(r, path + "linoz", tracer.sources.linoz);
    }
    for (FieldSettings &field : s.fields)
        if (!field.kernel.empty()) take_file(r, "field." + field.name + ".kernel", field.kernel);
    for (auto &[stream, file] : s.footprints)
        if (!file.empty()) take_file(r, "output." + stream + ".footprints", file);
}

} // namespace squall::transport
