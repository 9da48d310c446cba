/// Weather by formula, for tests of what happens in columns where winds are by formula too.
#pragma once

#include <string>

#include "winds/fluxes.hpp"
#include "winds/weather.hpp"

namespace squall::transport {

/// [weather]
struct WeatherSettings {
    std::string kind = "isothermal"; ///< isothermal: that of the published tests, dry | zonal
};

/// Weather that depends on latitude, and at the ground on the time of day. At the ground air has 300 K at the
/// equator and 255 K at the poles; it is colder by 6.5 K in each km, to 210 K, and its relative humidity
/// falls from 0.85 at the ground with the scale of 6 km. Longitudes 0 to 180 are land, frozen where it is
/// colder than 273.15 K. Over land the boundary layer is 300 m high at night and grows by day to 1800 m, as
/// the fluxes of heat do with the sun of an equinox; over sea nothing changes with time. It rains between 20
/// degrees south and north, half of it from convection. `time`: seconds after noon at 0 degrees.
void set_zonal_weather(const PatchOfGlobe &where, double time, Weather &weather);

} // namespace squall::transport
