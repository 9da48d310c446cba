// The table of running fields.
#include "diagnostics/radar.hpp"
#include "diagnostics/storms.hpp"
#include "diagnostics/surface.hpp"
#include "diagnostics/table.hpp"

namespace squall {
namespace {

/// Pressure above which WRF does not look for up- and downdraughts [Pa].
constexpr real lid = 40000;

/// f(a, b) of the vertical wind on all interfaces below 400 hPa.
template <class F> real of_column(const SeenAir &air, int i, int j, F f) {
    real most = air.w(i, 0, j);
    for (int k = 1; k < air.grid.nz; ++k) {
        const real p = air.grid.fnm[k] * air.pressure(i, k, j) + air.grid.fnp[k] * air.pressure(i, k - 1, j);
        if (p > lid) most = f(most, air.w(i, k, j));
    }
    return most;
}

real updraught(const SeenAir &air, int i, int j) {
    return of_column(air, i, j, [](real a, real b) { return std::max(a, b); });
}
real downdraught(const SeenAir &air, int i, int j) {
    return of_column(air, i, j, [](real a, real b) { return std::min(a, b); });
}
real fallen(const SeenAir &air, int i, int j) { return air.rain_sum(i, j); }

} // namespace

const std::vector<RunningField> &running_fields() {
    const std::string at_steps = " at the ends of steps since the previous frame";
    const std::string most = "Time: maximum", least = "Time: minimum", mean = "Time: mean";
    static const std::vector<RunningField> all{
        {"W_UP_MAX",
         "strongest updraught",
         "m s-1",
         "",
         "maximum of W below 400 hPa" + at_steps,
         {},
         Keep::largest,
         updraught,
         most},
        {"W_DN_MAX",
         "strongest downdraught",
         "m s-1",
         "",
         "minimum of W below 400 hPa" + at_steps,
         {},
         Keep::smallest,
         downdraught,
         least},
        {"WSPD10MAX",
         "highest wind speed at 10 m",
         "m s-1",
         "wind_speed",
         "maximum of wind_speed_10m" + at_steps,
         {},
         Keep::largest,
         wind_speed_10m,
         most},
        {"UP_HELI_MAX",
         "highest updraught helicity, 2 to 5 km above the ground",
         "m2 s-2",
         "",
         "maximum of UH" + at_steps,
         {},
         Keep::largest,
         updraft_helicity,
         most},
        {"REFD_MAX",
         "highest radar reflectivity 1 km above the ground",
         "dBZ",
         "equivalent_reflectivity_factor",
         "maximum of reflectivity_1km" + at_steps,
         {Need::echoes},
         Keep::largest,
         reflectivity_1km,
         most},
        {"precipitation_rate",
         "precipitation rate",
         "mm h-1",
         "lwe_precipitation_rate",
         "change of precipitation since the previous frame, divided by the time between them",
         {Need::rain},
         Keep::change,
         fallen,
         mean},
    };
    return all;
}

} // namespace squall
