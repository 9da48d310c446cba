/// Winds by formula, of published tests, as potentials of the flow of mass.
///
/// Differences of potentials between the edges of faces are the mass that passes the faces, so that what
/// enters a cell and what leaves it are the same but for rounding, on any grid (a discrete curl has no
/// divergence). u = -dpsi / (R dlat) and v = dpsi / (R cos lat dlon) at all heights; circulations in planes
/// of height and longitude, and of height and latitude, come on top.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace squall::transport {

/// From the middle of the sphere, of length 1: x to longitude 0, z to the north pole.
using Direction3 = std::array<double, 3>;
Direction3 to_direction(double lon, double lat);
double dot(const Direction3 &a, const Direction3 &b);
/// `r` turned around `axis` by an angle, anticlockwise seen from the axis' end.
Direction3 turned(const Direction3 &r, const Direction3 &axis, double angle);

/// Of the published tests: temperature [K], gas constant [J kg-1 K-1], surface pressure [Pa].
inline constexpr double test_temperature = 300, test_gas_constant = 287, test_surface = 1e5;
/// Height at a pressure, and the other way round, in air of that temperature at rest [m], [Pa].
double height_of(double pressure);
double pressure_at(double height);

class Flow {
  public:
    virtual ~Flow() = default;

    /// [m2 s-1] at a longitude and latitude, so many seconds after the start.
    virtual double stream(double lon, double lat, double time) const = 0;

    /// Whether there are circulations in the vertical.
    virtual bool overturns() const { return false; }
    /// Mass that sinks [kg s-1] west of `lon` between the latitudes, where profile_zonal() is 1.
    virtual double zonal(double, double, double, double) const { return 0; }
    virtual double profile_zonal(double) const { return 0; }
    /// Mass that rises [kg s-1] south of `lat` in a radian of longitude, where profile_meridional() is 1.
    virtual double meridional(double, double) const { return 0; }
    virtual double profile_meridional(double) const { return 0; }

    /// Height of the ground [m].
    virtual double terrain(double, double) const { return 0; }

    /// Where the air was at the start that is at a place after some time; nothing where that has no formula.
    virtual std::optional<Direction3> origin(const Direction3 &there, double time) const = 0;
};

/// [wind]
struct WindSettings {
    std::string flow = "solid-body";
    double period = 12 * 86400; ///< [s]
    double angle = 0;           ///< [degrees] between the axis of solid-body rotation and that of the globe
    std::string file;           ///< of winds of analyses, in place of a flow
    std::string read = "rows";  ///< rows | one: who reads it
};

const std::vector<std::string> &flow_names();
/// Throws std::invalid_argument for a flow that there is not.
std::unique_ptr<Flow> make_flow(const WindSettings &settings);

} // namespace squall::transport
