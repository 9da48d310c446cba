#include "output/place_declaration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace squall {
namespace {

constexpr double missing = 9.969209968386869e36; ///< netCDF's own

/// CF gives each sample of a trajectory a time of its own, as it gives it a longitude; that all have it in
/// common (`Time`) says nothing of where one is missing. Not `time`, which differs from that by case alone.
constexpr auto sample_time = "sample_time";

/// A variable that says where places are.
struct Coordinate {
    std::string name;
    std::vector<io::Attribute> attributes;
    bool on_the_map = true; ///< or another way to say the same
    std::function<double(const Place &, const Grid &)> of;
};

Coordinate altitude_of(const PlaceSet &set) {
    const auto of = [](const Place &p, const Grid &) { return p.altitude; };
    if (set.move)
        return {"altitude",
                {{"standard_name", "altitude"}, {"units", "m"}, {"positive", "up"}, {"axis", "Z"}},
                true,
                of};
    return {"altitude",
            {{"standard_name", "surface_altitude"}, {"long_name", "the model's ground"}, {"units", "m"}},
            true,
            of};
}

std::vector<Coordinate> coordinates(const PlaceSet &set) {
    const auto distance = [](const char *side) {
        return std::vector<io::Attribute>{
            {"long_name", std::string("distance from the ") + side + " side of the domain"}, {"units", "m"}};
    };
    std::vector<Coordinate> all{
        {"longitude",
         {{"standard_name", "longitude"}, {"units", "degrees_east"}},
         true,
         [](const Place &p, const Grid &) { return p.longitude; }},
        {"latitude",
         {{"standard_name", "latitude"}, {"units", "degrees_north"}},
         true,
         [](const Place &p, const Grid &) { return p.latitude; }},
        {"x", distance("western"), false,
         [](const Place &p, const Grid &g) { return (p.i + 0.5) * static_cast<double>(g.dx); }},
        {"y", distance("southern"), false,
         [](const Place &p, const Grid &g) { return (p.j + 0.5) * static_cast<double>(g.dy); }}};
    if (!set.move || set.between_layers) all.push_back(altitude_of(set));
    if (set.own_altitudes)
        all.push_back({"station_altitude",
                       {{"standard_name", "altitude"}, {"long_name", "the station's own"}, {"units", "m"}},
                       false,
                       [](const Place &p, const Grid &) { return p.own_altitude; }});
    return all;
}

std::string name_variable(const PlaceSet &set) { return set.dimension() + "_name"; }

io::Field declare_sample_time(const io::StreamSpec &spec, const PlaceSet &set) {
    io::Field field{
        sample_time, io::Type::f64, {set.dimension()}, {{"standard_name", "time"}, {"axis", "T"}}};
    field.attributes.emplace_back("units", spec.time->units);
    field.attributes.emplace_back("calendar", spec.calendar.empty() ? "proleptic_gregorian" : spec.calendar);
    field.fill = missing;
    return field;
}

io::Field declare_names(const PlaceSet &set) {
    io::Field name{name_variable(set),
                   io::Type::text,
                   {set.dimension()},
                   {{"cf_role", set.move ? "trajectory_id" : "timeseries_id"},
                    {"long_name", set.move ? "what moves" : "station"}},
                   false};
    std::size_t letters = 1;
    for (const auto &one : set.names) letters = std::max(letters, one.size());
    name.letters = static_cast<int>(letters);
    return name;
}

/// Target: io::Frame or io::Stream.
template <class Target>
void put(Target &target, const PlaceSet &set, const std::vector<Place> &places, const Grid &grid) {
    for (const auto &coordinate : coordinates(set)) {
        std::vector<double> values;
        for (const auto &place : places) {
            const double value = coordinate.of(place, grid);
            values.push_back(std::isnan(value) ? missing : value);
        }
        target.put(coordinate.name, {{0}, {std::ssize(values)}}, values.data());
    }
}

/// CF's word for what all fields at places are of, or "": a file that has it has features of one type alone
/// (CF-1.8, section 9.4), so that values at the surface beside columns are plain fields with coordinates. Of
/// what moves, columns along several dimensions too: the type is known by the one vertical coordinate.
std::string feature_type(const PlaceSet &set, const std::set<std::string> &columns) {
    const bool series = columns.contains(""), profiles = columns.size() > (series ? 1U : 0U);
    if (profiles && (series || (set.move && columns.size() > 1))) return "";
    return std::string(set.move ? "trajectory" : "timeSeries") + (profiles ? "Profile" : "");
}

} // namespace

void declare_places(io::StreamSpec &spec, const PlaceSet &set, const std::set<std::string> &columns) {
    const auto count = std::ssize(set.names);
    io::Places places{.name = set.dimension(),
                      .dimensions = {"south_north", "west_east"},
                      .count = count,
                      .positions = set.positions,
                      .staggers = {{"south_north_stag", "south_north"}, {"west_east_stag", "west_east"}}};
    if (set.between_layers) places.dimensions.insert(places.dimensions.begin(), "bottom_top");
    spec.places.push_back(std::move(places));
    spec.dimensions.push_back({set.dimension(), count});
    const auto feature = feature_type(set, columns);
    std::vector<io::Field> about{declare_names(set)};
    if (set.move) about.push_back(declare_sample_time(spec, set));
    for (const auto &coordinate : coordinates(set)) {
        about.push_back({coordinate.name, io::Type::f64, {set.dimension()}, coordinate.attributes, set.move});
        if (set.move) about.back().fill = missing;
    }
    spec.fields.insert(spec.fields.begin(), about.begin(), about.end());
    if (!feature.empty()) spec.attributes.emplace_back("featureType", feature);
    const auto step = std::ranges::find(spec.fields, std::string("ITIMESTEP"), &io::Field::name);
    if (feature.ends_with("Profile") && step != spec.fields.end())
        step->attributes.emplace_back("cf_role", "profile_id");
}

std::string coordinates_of(const PlaceSet &set) {
    std::string words = set.move ? std::string(sample_time) + " " : "";
    for (const auto &coordinate : coordinates(set))
        if (coordinate.on_the_map || set.move) words += coordinate.name + " ";
    return words + name_variable(set);
}

void put_names(io::Stream &stream, const PlaceSet &set) {
    stream.put(name_variable(set), {{0}, {std::ssize(set.names)}}, set.names.data());
}

void put_where(io::Stream &stream, const PlaceSet &set, const std::vector<Place> &places, const Grid &grid) {
    put(stream, set, places, grid);
}

void put_where(io::Frame &frame, const PlaceSet &set, const std::vector<Place> &places, const Grid &grid,
               double seconds) {
    std::vector<double> times;
    for (const auto &place : places)
        times.push_back(std::isnan(place.longitude) ? missing : seconds / 60); // as time_units
    frame.put(sample_time, {{0}, {std::ssize(times)}}, times.data());
    put(frame, set, places, grid);
}

} // namespace squall
