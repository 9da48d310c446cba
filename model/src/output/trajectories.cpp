#include "output/trajectories.hpp"

#include <algorithm>
#include <cmath>

namespace squall {
namespace {

constexpr double missing = 9.969209968386869e36; ///< netCDF's own

} // namespace

void declare_trajectories(io::StreamSpec &spec, const Tracks &tracks, bool profiles) {
    io::Places places{.name = "trajectory",
                      .dimensions = {"south_north", "west_east"},
                      .count = tracks.count(),
                      .staggers = {{"south_north_stag", "south_north"}, {"west_east_stag", "west_east"}}};
    if (tracks.have_altitudes()) places.dimensions.insert(places.dimensions.begin(), "bottom_top");
    spec.dimensions.push_back({"trajectory", places.count});
    spec.places.push_back(std::move(places));
    std::size_t letters = 1;
    for (const auto &name : tracks.names()) letters = std::max(letters, name.size());
    io::Field name{"trajectory_name",
                   io::Type::text,
                   {"trajectory"},
                   {{"cf_role", "trajectory_id"}, {"long_name", "what moves"}},
                   false};
    name.letters = static_cast<int>(letters);
    std::vector<io::Field> about{name};
    const auto add = [&](const char *coordinate, std::vector<io::Attribute> attributes) {
        io::Field field{coordinate, io::Type::f64, {"trajectory"}, std::move(attributes)};
        field.fill = missing;
        about.push_back(std::move(field));
    };
    add("longitude", {{"standard_name", "longitude"}, {"units", "degrees_east"}});
    add("latitude", {{"standard_name", "latitude"}, {"units", "degrees_north"}});
    add("x", {{"long_name", "distance from the western side of the domain"}, {"units", "m"}});
    add("y", {{"long_name", "distance from the southern side of the domain"}, {"units", "m"}});
    if (tracks.have_altitudes())
        add("altitude", {{"standard_name", "altitude"}, {"units", "m"}, {"positive", "up"}, {"axis", "Z"}});
    spec.fields.insert(spec.fields.begin(), about.begin(), about.end());
    spec.attributes.emplace_back("featureType", profiles ? "trajectoryProfile" : "trajectory");
    const auto step = std::ranges::find(spec.fields, std::string("ITIMESTEP"), &io::Field::name);
    if (profiles && step != spec.fields.end()) step->attributes.emplace_back("cf_role", "profile_id");
}

void put_trajectories(io::Frame &frame, double seconds, const Tracks &tracks, const State &state,
                      const Grid &grid, const Patch &patch, MPI_Comm comm) {
    const auto places = tracks.at(seconds, grid, patch, comm);
    std::vector<double> layers, positions;
    if (tracks.have_altitudes()) layers = layers_at(places, state, grid, patch, comm);
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (!layers.empty()) positions.push_back(layers[p]);
        positions.insert(positions.end(), {places[p].j, places[p].i});
    }
    frame.places("trajectory", positions);
    if (patch.cx != 0 || patch.cy != 0) return;
    const auto put = [&](const char *coordinate, auto of) {
        std::vector<double> values;
        for (const auto &place : places) {
            const double value = of(place);
            values.push_back(std::isnan(value) ? missing : value);
        }
        frame.put(coordinate, {{0}, {std::ssize(values)}}, values.data());
    };
    put("longitude", [](const Place &p) { return p.longitude; });
    put("latitude", [](const Place &p) { return p.latitude; });
    put("x", [&](const Place &p) { return (p.i + 0.5) * static_cast<double>(grid.dx); });
    put("y", [&](const Place &p) { return (p.j + 0.5) * static_cast<double>(grid.dy); });
    if (!layers.empty()) put("altitude", [](const Place &p) { return p.altitude; });
}

} // namespace squall
