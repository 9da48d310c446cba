#include "output/geolocation.hpp"

#include "grid/on_earth.hpp"
#include "output/location.hpp"

namespace squall {

namespace {

/// On the faces of a direction, of which one step is `di`, `dj`: between cells, by the polynomial through
/// four of them, or at a side of the domain through three. Of places on the sphere, not of degrees: the date
/// line or a pole may lie between two cells.
void set_faces(const Patch &p, const Grid &grid, bool x, Array2 &latitude, Array2 &longitude) {
    const int di = x, dj = !x, nx = p.shape.nx, ny = p.shape.ny;
    const bool low = x ? p.at_west() : p.at_south(), high = x ? p.at_east() : p.at_north();
    const int n = x ? nx : ny;
    for (int j = 0; j < ny + dj; ++j)
        for (int i = 0; i < nx + di; ++i) {
            // Of the cell so many beyond the face; -1 is the one before it.
            const auto cell = [&](int beyond) {
                const int a = i + beyond * di, b = j + beyond * dj;
                return PlaceOnEarth(double(grid.lat(a, b)), double(grid.lon(a, b))).up;
            };
            const auto three = [&](double p0, int c0, double p1, int c1, double p2, int c2) {
                return sum_of(1, sum_of(p0, cell(c0), p1, cell(c1)), p2, cell(c2));
            };
            const int at = x ? i : j;
            EarthVector face{};
            if (low && at == 0)
                face = three(1.875, 0, -1.25, 1, 0.375, 2);
            else if (low && at == 1)
                face = three(0.375, -1, 0.75, 0, -0.125, 1);
            else if (high && at == n)
                face = three(1.875, -1, -1.25, -2, 0.375, -3);
            else if (high && at == n - 1)
                face = three(0.375, 0, 0.75, -1, -0.125, -2);
            else
                face = sum_of(1, sum_of(0.5625, cell(-1), 0.5625, cell(0)), -0.0625,
                              sum_of(1, cell(-2), 1, cell(1)));
            const auto [phi, lambda] = place_of(face);
            latitude(i, j) = real(phi), longitude(i, j) = real(lambda);
        }
}

} // namespace

Geolocation Geolocation::make(const Config &config, const Patch &patch, const Grid &grid) {
    Geolocation g{Array2(patch.shape), Array2(patch.shape), Array2(patch.shape), Array2(patch.shape)};
    if (projection_file(config).empty()) return g;
    if (config.initial.file.empty()) { // a nest without a file of its own
        set_faces(patch, grid, true, g.lat_u, g.lon_u), set_faces(patch, grid, false, g.lat_v, g.lon_v);
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
