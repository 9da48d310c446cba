#include "output/grid_mapping.hpp"

#include <cmath>
#include <numbers>

#include "core/constants.hpp"

namespace squall {
namespace {

constexpr double radius = 6.37e6; ///< of WRF's Earth [m]
constexpr double degree = std::numbers::pi / 180;

/// Distance from the pole on a cone that touches the equator, per radius: cot of half the angle from it.
double conic(double latitude) { return std::tan((45 + latitude / 2) * degree); }

/// The cone of Lambert's projection (Snyder 1987, USGS Professional Paper 1395, equation 15-3).
double cone(double first, double second) {
    if (std::abs(first - second) < 0.1) return std::sin(first * degree);
    return std::log(std::cos(first * degree) / std::cos(second * degree)) /
           std::log(conic(second) / conic(first));
}

double within_half_turn(double degrees) { return degrees - 360 * std::round(degrees / 360); }

/// CF wants one of each standard name for a mapping: that of cells. No axis is named, since checkers ask of a
/// dimension with one that all that are like it have it.
io::Field axis(const char *name, const char *what, const char *of_cf) {
    io::Field field{name, io::Type::f64, {name}, {{"units", "m"}, {"long_name", what}}};
    if (*of_cf) field.attributes.emplace_back("standard_name", of_cf);
    field.per_frame = false;
    return field;
}

} // namespace

std::optional<GridMapping> GridMapping::make(const Config &config) {
    if (projection_file(config).empty()) return {};
    if (config.identity.moves) return {}; // its coordinates would be those of one time
    const io::Reader file(projection_file(config));
    const auto number = [&](const char *name, double otherwise) {
        return file.attribute(name) ? file.number(name) : otherwise;
    };
    GridMapping m;
    const auto map = static_cast<int>(number("MAP_PROJ", 0));
    if (map < 1 || (map > 3 && map != 6)) return {};
    if (map == 6 && number("POLE_LAT", 90) != 90) return {};
    m.kind_ = map == 1   ? Kind::lambert
              : map == 2 ? Kind::polar
              : map == 3 ? Kind::mercator
                         : Kind::latitude_longitude;
    m.true_1_ = number("TRUELAT1", 0);
    m.true_2_ = number("TRUELAT2", m.true_1_);
    m.standard_longitude_ = number("STAND_LON", 0);
    m.origin_latitude_ = number("MOAD_CEN_LAT", number("CEN_LAT", 0));
    return m;
}

std::vector<io::Field> GridMapping::fields() const {
    using Numbers = std::vector<double>;
    std::vector<io::Attribute> a;
    switch (kind_) {
    case Kind::lambert:
        a = {{"grid_mapping_name", "lambert_conformal_conic"},
             {"standard_parallel",
              io::Value(std::abs(true_1_ - true_2_) < 0.1 ? Numbers{true_1_} : Numbers{true_1_, true_2_})},
             {"longitude_of_central_meridian", standard_longitude_},
             {"latitude_of_projection_origin", origin_latitude_}};
        break;
    case Kind::polar:
        a = {{"grid_mapping_name", "polar_stereographic"},
             {"straight_vertical_longitude_from_pole", standard_longitude_},
             {"latitude_of_projection_origin", true_1_ < 0 ? -90.0 : 90.0},
             {"standard_parallel", true_1_}};
        break;
    case Kind::mercator:
        a = {{"grid_mapping_name", "mercator"},
             {"longitude_of_projection_origin", standard_longitude_},
             {"standard_parallel", true_1_}};
        break;
    case Kind::latitude_longitude:
        a = {{"grid_mapping_name", "latitude_longitude"}};
        break;
    }
    a.emplace_back("earth_radius", radius);
    if (kind_ != Kind::latitude_longitude) {
        a.emplace_back("false_easting", 0.0);
        a.emplace_back("false_northing", 0.0);
    }
    io::Field mapping{name, io::Type::i32, {}, a};
    mapping.per_frame = false;
    if (kind_ == Kind::latitude_longitude) return {mapping};
    return {mapping, axis("west_east", "x on the map", "projection_x_coordinate"),
            axis("west_east_stag", "x on the map, of faces", ""),
            axis("south_north", "y on the map", "projection_y_coordinate"),
            axis("south_north_stag", "y on the map, of faces", "")};
}

GridMapping::Point GridMapping::project(double latitude, double longitude) const {
    const double turned = within_half_turn(longitude - standard_longitude_) * degree;
    if (kind_ == Kind::mercator) {
        const double scale = radius * std::cos(true_1_ * degree);
        return {scale * turned, scale * std::log(conic(latitude))};
    }
    if (kind_ == Kind::polar) { // Snyder (1987), equations 21-5 to 21-7
        const double side = true_1_ < 0 ? -1 : 1;
        const double rho = radius * (1 + std::sin(side * true_1_ * degree)) / conic(side * latitude);
        return {rho * std::sin(turned), -side * rho * std::cos(turned)};
    }
    // Lambert's: Snyder (1987), equations 14-1, 14-2, 15-1, 15-2.
    const double n = cone(true_1_, true_2_);
    const double scale = radius * std::cos(true_1_ * degree) * std::pow(conic(true_1_), n) / n;
    const double rho = scale / std::pow(conic(latitude), n);
    return {rho * std::sin(n * turned),
            scale / std::pow(conic(origin_latitude_), n) - rho * std::cos(n * turned)};
}

void GridMapping::put(io::Stream &stream, const Patch &patch, const Grid &grid) const {
    if (patch.cx != 0 || patch.cy != 0) return;
    const std::int32_t nothing = 0;
    stream.put(name, {}, &nothing);
    if (kind_ == Kind::latitude_longitude) return;
    const Point first = project(grid.lat(0, 0), grid.lon(0, 0));
    const auto line = [&](const char *field, double start, double spacing, int points) {
        std::vector<double> at(static_cast<std::size_t>(points));
        for (int n = 0; n < points; ++n) at[static_cast<std::size_t>(n)] = start + spacing * n;
        stream.put(field, {{0}, {points}}, at.data());
    };
    line("west_east", first.x, grid.dx, patch.nx_domain);
    line("west_east_stag", first.x - grid.dx / 2, grid.dx, patch.nx_domain + 1);
    line("south_north", first.y, grid.dy, patch.ny_domain);
    line("south_north_stag", first.y - grid.dy / 2, grid.dy, patch.ny_domain + 1);
}

} // namespace squall
