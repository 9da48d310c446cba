#include "output/geolocation.hpp"

#include "output/location.hpp"

namespace squall {

Geolocation Geolocation::make(const Config &config, const Patch &patch) {
    Geolocation g{Array2(patch.shape), Array2(patch.shape), Array2(patch.shape), Array2(patch.shape)};
    if (config.initial.file.empty()) return g;
    const io::Reader file(config.initial.file);
    const auto read = [&](const char *name, Location where, Array2 &a) {
        file.read(name, 0, box_of(patch, where), a.view().origin, strides_of(a.view()));
    };
    read("XLAT_U", at::plane_x_faces, g.lat_u);
    read("XLONG_U", at::plane_x_faces, g.lon_u);
    read("XLAT_V", at::plane_y_faces, g.lat_v);
    read("XLONG_V", at::plane_y_faces, g.lon_v);
    return g;
}

namespace {

const std::vector<io::Attribute> plane = {
    {"CEN_LAT", 0.0f},
    {"CEN_LON", 0.0f},
    {"TRUELAT1", 0.0f},
    {"TRUELAT2", 0.0f},
    {"MOAD_CEN_LAT", 0.0f},
    {"STAND_LON", 0.0f},
    {"POLE_LAT", 0.0f},
    {"POLE_LON", 0.0f},
    {"MAP_PROJ", 0},
    {"MAP_PROJ_CHAR", "Cartesian"},
    {"SIMULATION_INITIALIZATION_TYPE", "IDEALIZED DATA"},
};

/// What the numbers in land use and soil fields mean: of files that have such fields.
const char *const land[] = {"MMINLU", "NUM_LAND_CAT", "ISWATER", "ISLAKE", "ISICE", "ISURBAN", "ISOILWATER"};

/// Whose weather the file was made from.
const char *const origin = "ANALYSIS";

} // namespace

std::vector<io::Attribute> projection_attributes(const Config &config) {
    if (config.initial.file.empty()) return plane;
    const io::Reader file(config.initial.file);
    std::vector<io::Attribute> attributes;
    for (const auto &a : plane) // older files lack some: then the attribute is left out here too
        if (const auto value = file.attribute(a.name)) attributes.emplace_back(a.name, *value);
    for (const char *name : land)
        if (const auto value = file.attribute(name)) attributes.emplace_back(name, *value);
    if (const auto value = file.attribute(origin)) attributes.emplace_back(origin, *value);
    return attributes;
}

} // namespace squall
