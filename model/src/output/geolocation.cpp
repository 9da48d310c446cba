#include "output/geolocation.hpp"

#include <cmath>

#include "output/location.hpp"

namespace squall {

namespace {

/// On the faces of a direction, of which one step is `di`, `dj`: the mean of the cells beside them, at the
/// sides of the domain by the slope inside.
void set_faces(const Patch &p, const Array2 &cells, bool x, Array2 &faces) {
    const int di = x, dj = !x, nx = p.shape.nx, ny = p.shape.ny;
    const bool low = x ? p.at_west() : p.at_south(), high = x ? p.at_east() : p.at_north();
    const int n = x ? nx : ny;
    for (int j = 0; j < ny + dj; ++j)
        for (int i = 0; i < nx + di; ++i) {
            const int at = x ? i : j;
            const real here = cells(i, j);
            // Across the date line, too.
            const auto near = [&](real degrees) {
                return degrees + 360 * std::round((here - degrees) / 360);
            };
            const real before = near(cells(i - di, j - dj));
            if (low && at == 0)
                faces(i, j) = real(1.5) * here - real(0.5) * near(cells(i + di, j + dj));
            else if (high && at == n)
                faces(i, j) = real(1.5) * before - real(0.5) * near(cells(i - 2 * di, j - 2 * dj));
            else
                faces(i, j) = real(0.5) * (here + before);
        }
}

} // namespace

Geolocation Geolocation::make(const Config &config, const Patch &patch, const Grid &grid) {
    Geolocation g{Array2(patch.shape), Array2(patch.shape), Array2(patch.shape), Array2(patch.shape)};
    if (projection_file(config).empty()) return g;
    if (config.initial.file.empty()) { // a nest without a file of its own
        set_faces(patch, grid.lat, true, g.lat_u), set_faces(patch, grid.lon, true, g.lon_u);
        set_faces(patch, grid.lat, false, g.lat_v), set_faces(patch, grid.lon, false, g.lon_v);
        return g;
    }
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
    if (projection_file(config).empty()) return plane;
    const io::Reader file(projection_file(config));
    std::vector<io::Attribute> attributes;
    for (const auto &a : plane) // older files lack some: then the attribute is left out here too
        if (const auto value = file.attribute(a.name)) attributes.emplace_back(a.name, *value);
    for (const char *name : land)
        if (const auto value = file.attribute(name)) attributes.emplace_back(name, *value);
    if (const auto value = file.attribute(origin)) attributes.emplace_back(origin, *value);
    if (config.identity.id == 1) return attributes;
    for (auto &a : attributes) {
        if (a.name == "CEN_LAT") a = {"CEN_LAT", static_cast<float>(config.identity.centre[0])};
        if (a.name == "CEN_LON") a = {"CEN_LON", static_cast<float>(config.identity.centre[1])};
    }
    return attributes;
}

} // namespace squall
