// Horizontal wind on mass points.
#include "diagnostics/wind.hpp"

#include "diagnostics/derived_field.hpp"

namespace squall {
namespace {

EarthWind earth_wind(const SeenAir &air, int i, int k, int j) {
    return to_earth(air, i, j, air.wind_x(i, k, j), air.wind_y(i, k, j));
}

real speed(const SeenAir &air, int i, int k, int j) {
    const real x = air.wind_x(i, k, j), y = air.wind_y(i, k, j);
    return std::sqrt(x * x + y * y);
}

} // namespace

std::vector<DerivedField> wind_fields() {
    return {
        {"wind_speed",
         "wind speed",
         "m s-1",
         "wind_speed",
         "from U and V on mass points",
         {},
         on_layers(speed),
         {}},
        {"wind_direction",
         "wind direction",
         "degree",
         "wind_from_direction",
         "where the wind comes from, clockwise from true north",
         {},
         on_layers([](const SeenAir &air, int i, int k, int j) {
             return wind_direction(earth_wind(air, i, k, j));
         }),
         {}},
        {"wind_east",
         "wind towards the east",
         "m s-1",
         "eastward_wind",
         "u COSALPHA - v SINALPHA",
         {},
         on_layers([](const SeenAir &air, int i, int k, int j) { return earth_wind(air, i, k, j).east; }),
         {}},
        {"wind_north",
         "wind towards the north",
         "m s-1",
         "northward_wind",
         "v COSALPHA + u SINALPHA",
         {},
         on_layers([](const SeenAir &air, int i, int k, int j) { return earth_wind(air, i, k, j).north; }),
         {}},
    };
}

} // namespace squall
