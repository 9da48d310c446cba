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
    const auto add = [&](const char *coordinate, const char *standard_name, const char *units,
                         std::vector<io::Attribute> more = {}) {
        io::Field field{coordinate, io::Type::f64, {"trajectory"}, std::move(more)};
        field.attributes.insert(field.attributes.begin(),
                                {{"standard_name", standard_name}, {"units", units}});
        field.fill = missing;
        about.push_back(std::move(field));
    };
    add("longitude", "longitude", "degrees_east");
    add("latitude", "latitude", "degrees_north");
    if (tracks.have_altitudes()) add("altitude", "altitude", "m", {{"positive", "up"}, {"axis", "Z"}});
    spec.fields.insert(spec.fields.begin(), about.begin(), about.end());
    spec.attributes.emplace_back("featureType", profiles ? "trajectoryProfile" : "trajectory");
    const auto step = std::ranges::find(spec.fields, std::string("ITIMESTEP"), &io::Field::name);
    if (profiles && step != spec.fields.end()) step->attributes.emplace_back("cf_role", "profile_id");
}

void put_trajectories(io::Frame &frame, double seconds, const Tracks &tracks, const State &state,
                      const Grid &grid, const Patch &patch, MPI_Comm comm) {
    const auto places = tracks.at(seconds, grid, patch, comm);
    std::vector<double> layers, positions, longitude, latitude, altitude;
    if (tracks.have_altitudes()) layers = layers_at(places, state, grid, patch, comm);
    const auto or_missing = [](double x) { return std::isnan(x) ? missing : x; };
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (!layers.empty()) positions.push_back(layers[p]);
        positions.insert(positions.end(), {places[p].j, places[p].i});
        longitude.push_back(or_missing(places[p].longitude));
        latitude.push_back(or_missing(places[p].latitude));
        altitude.push_back(or_missing(places[p].altitude));
    }
    frame.places("trajectory", positions);
    if (patch.cx != 0 || patch.cy != 0) return;
    const io::Box all{{0}, {std::ssize(places)}};
    frame.put("longitude", all, longitude.data());
    frame.put("latitude", all, latitude.data());
    if (!layers.empty()) frame.put("altitude", all, altitude.data());
}

} // namespace squall
