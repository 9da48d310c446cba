/// Global grids of longitude and latitude, and hybrid levels.
///
/// Cell (i, j) has its western face at longitude `lon_faces[i]` and its southern one at latitude
/// `lat_faces[j]`; index 0 is west, south and ground. Angles in radians, areas in m2.
#pragma once

#include <numbers>
#include <string>
#include <vector>

namespace squall::transport {

/// Radius of the sphere of the published tests [m], and gravity there [m s-2].
inline constexpr double radius = 6.37122e6;
inline constexpr double gravity = 9.80616;
inline constexpr double pi = std::numbers::pi;

struct GlobeGrid {
    std::string kind; ///< regular | gaussian
    int nlon = 0, nlat = 0;
    std::vector<double> lon, lon_faces; ///< nlon, nlon + 1: from 0 to 2 pi
    std::vector<double> lat, lat_faces; ///< nlat, nlat + 1: from -pi / 2 to pi / 2
    std::vector<double> area;           ///< of a cell of each row; all of them make 4 pi radius^2
};

/// "regular": rows of the same height, a cell's centre in its middle. "gaussian": centres at the roots of the
/// Legendre polynomial of degree nlat, and rows whose areas are its weights. Throws std::invalid_argument for
/// another kind, fewer than 4 cells in a direction, or an odd number of rows.
GlobeGrid make_globe(const std::string &kind, int nlon, int nlat);

/// Interfaces of layers at p = a + b p_surface, from the ground (a = 0, b = 1 where the lowest layer follows
/// it) to the top.
struct Levels {
    int nz = 0;
    std::vector<double> a, b; ///< nz + 1: [Pa], 1
    double reference = 1e5;   ///< surface pressure to which b belongs [Pa]

    double pressure(int interface, double surface) const {
        const auto k = static_cast<std::size_t>(interface);
        return a[k] + b[k] * surface;
    }
};

/// What a run file says of levels.
struct LevelSettings {
    int nz = 60;
    double top = 25494.4;                ///< [Pa]; that of the published tests, 12 km at 300 K
    std::string spacing = "height";      ///< height (even in the logarithm of pressure) | pressure (even)
    std::string coordinate = "pressure"; ///< pressure | sigma | hybrid | file
    double surface = 1e5;                ///< [Pa]
    std::vector<double> a{}, b{};        ///< of "file": those of the interfaces [Pa], 1
};

/// `pressure`: surfaces of constant pressure. `sigma`: all follow the ground. `hybrid`: b = ((eta - eta_top)
/// / (1 - eta_top))^2, which leaves the ground behind aloft. `file`: a and b as they are. Throws
/// std::invalid_argument for a top that is not above the ground, or an unknown word.
Levels make_levels(const LevelSettings &settings);

} // namespace squall::transport
