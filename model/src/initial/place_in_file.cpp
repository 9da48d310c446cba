#include "initial/place_in_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "core/array.hpp"
#include "initial/input_file.hpp"

namespace squall {
namespace {

constexpr double radian = std::numbers::pi / 180;

/// East and north of a point, on the plane that touches the Earth there [radians], and whether what lies
/// there is on the other half of the Earth.
struct Offset {
    double east, north;
    bool behind;
};

Offset offset(double latitude, double longitude, double of_latitude, double of_longitude) {
    const double turn = std::remainder(of_longitude - longitude, 360) * radian;
    const double a = latitude * radian, b = of_latitude * radian;
    return {std::cos(b) * std::sin(turn),
            std::cos(a) * std::sin(b) - std::sin(a) * std::cos(b) * std::cos(turn),
            std::sin(a) * std::sin(b) + std::cos(a) * std::cos(b) * std::cos(turn) < 0};
}

} // namespace

std::array<double, 2> place_in_file(const std::string &path, double latitude, double longitude) {
    const InputFile file(path, "a wrfinput file has it");
    Patch all;
    all.shape = {file.dimension("west_east"), file.dimension("south_north"), 1};
    all.nx_domain = all.shape.nx, all.ny_domain = all.shape.ny;
    Array2 lat(all.shape), lon(all.shape);
    file.plane("XLAT", Points::cells, all, lat);
    file.plane("XLONG", Points::cells, all, lon);
    const auto from_here = [&](int i, int j) { return offset(latitude, longitude, lat(i, j), lon(i, j)); };
    const int nx = all.shape.nx, ny = all.shape.ny;
    int i = 0, j = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int b = 0; b < ny; ++b)
        for (int a = 0; a < nx; ++a) {
            const Offset o = from_here(a, b);
            const double distance = std::hypot(o.east, o.north);
            if (!o.behind && distance < least) least = distance, i = a, j = b;
        }
    // One step of Newton's from the nearest middle: positions bend little over a cell.
    const int i0 = std::clamp(i, 1, nx - 2), j0 = std::clamp(j, 1, ny - 2);
    const Offset here = from_here(i, j), west = from_here(i0 - 1, j), east = from_here(i0 + 1, j),
                 south = from_here(i, j0 - 1), north = from_here(i, j0 + 1);
    const double xe = (east.east - west.east) / 2, xn = (east.north - west.north) / 2;
    const double ye = (north.east - south.east) / 2, yn = (north.north - south.north) / 2;
    const double area = xe * yn - xn * ye;
    const double x = i + 0.5 - (here.east * yn - here.north * ye) / area;
    const double y = j + 0.5 - (xe * here.north - xn * here.east) / area;
    if (!(std::abs(x - i - 0.5) < 1.5 && std::abs(y - j - 0.5) < 1.5) || x < 0 || y < 0 || x > nx || y > ny)
        throw std::runtime_error(fmt::format("latitude {}, longitude {} lies outside the domain of {}",
                                             latitude, longitude, path));
    return {x, y};
}

} // namespace squall
