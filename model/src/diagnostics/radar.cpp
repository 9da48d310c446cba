// Rain, snow and graupel have N(D) = N0 exp(-D / l), of which 1 / l = (pi rho_x N0 / (rho q))^(1/4); their
// reflectivity is the sixth moment, 720 N0 l^7. Snow and graupel are seen by their mass: as drops of it they
// have (rho_x / rho_water)^2 of that, and dry ice 0.224 of what water has (Smith 1984, J. Clim. Appl. Meteor.
// 23, 1258-1260); what melts shines as water does. Cloud and cloud ice are too small to be seen. Of thompson,
// N0 of rain follows from its number, that of graupel from its content; snow has the fourth moment of Field
// et al. (2005, QJRMS 131, 1997-2017), because its mass goes by D^2. Of morrison, N0 of all follow from
// numbers, and so does the length l of wdm's drops, of which there are N / l^2 D exp(-D / l).
#include "diagnostics/radar.hpp"

#include <cmath>

#include "diagnostics/column_values.hpp"
#include "physics/lin/constants.hpp"
#include "physics/morrison/particles.hpp"
#include "physics/thompson/distributions.hpp"
#include "physics/wdm/drops.hpp"
#include "physics/wsm6/constants.hpp"

namespace squall {
namespace {

constexpr real least = -35; ///< dBZ, of air without precipitation, as WRF writes it
constexpr real echo_top_at = 18;
constexpr real dielectric = real(0.224); ///< |K|^2 of ice over that of water

/// One kind of precipitation: intercept N0 [m-4], density [kg m-3], and the least mean diameter l [m].
struct Particles {
    real intercept, density, least;
};

// Kessler's rain is Marshall and Palmer's (1948, J. Meteor. 5, 165-166), on which its fall speed rests.
constexpr Particles kessler_rain{real(8e6), 1000, 0};
constexpr Particles lin_rain{lin::rain.n0, lin::rain.density, 0};
constexpr Particles lin_snow{lin::snow.n0, lin::snow.density, 0};
constexpr Particles lin_graupel{lin::graupel.n0, lin::graupel.density, 0};
constexpr Particles wsm6_rain{wsm6::rain_n0, wsm6::rho_water, real(1 / 8e4)};
constexpr Particles wsm6_snow{wsm6::snow_n0, wsm6::snow_density, real(1e-5)};
constexpr Particles wsm6_graupel{wsm6::graupel_n0, wsm6::graupel_density, real(1 / 6e4)};

/// Equivalent reflectivity factor of a mixing ratio [mm6 m-3], of water.
real moment(const Particles &kind, real intercept, real q, real density) {
    if (!(q > wsm6::q_least)) return 0;
    const real mean = std::sqrt(std::sqrt(density * q / (wsm6::pi * kind.density * intercept)));
    const real d = real(1e3) * std::max(mean, kind.least), d3 = d * d * d; // mm
    const real compact = kind.density / wsm6::rho_water;
    return real(720e-3) * intercept * (d3 * d3 * d) * (compact * compact);
}

real frozen(real of_water, real temperature) {
    return temperature >= wsm6::t0 ? of_water : dielectric * of_water;
}

/// Of spheres whose mass is `compact` times that of drops [mm6 m-3].
real moment(const thompson::Exponential &kind, double compact) {
    return real(720e18 * kind.n0 / std::pow(kind.lambda, 7) * compact * compact);
}

real thompsons(const SeenAir &air, int i, int k, int j) {
    using namespace thompson;
    const double density = air.dry_density(i, k, j);
    const auto content = [&](ConstField3 q) {
        return q(i, k, j) > wsm6::q_least ? density * q(i, k, j) : 0.0;
    };
    const real t = air.temperature(i, k, j);
    const double rain = content(air.rain), snow = content(air.snow), graupel = content(air.graupel);
    real sum = 0;
    if (rain > 0) {
        const double number = density * std::max(air.rain_number(i, k, j), real(0));
        sum += moment(rain_of(rain, number), 1);
    }
    if (snow > 0) {
        constexpr double of_mass = 6 * snow_mass / (pi * rho_water);
        sum += frozen(real(1e18 * of_mass * of_mass * snow_moment(4, t - t0, snow / snow_mass)), t);
    }
    if (graupel > 0) sum += frozen(moment(graupel_of(graupel), rho_graupel / rho_water), t);
    return sum;
}

/// Of as many particles as there are.
real morrisons(const SeenAir &air, int i, int k, int j) {
    using namespace morrison;
    const double density = air.dry_density(i, k, j);
    const auto echo = [&](const Kind &kind, ConstField3 q, ConstField3 counted) {
        if (!(q(i, k, j) > wsm6::q_least)) return real(0);
        real number = counted(i, k, j);
        const double l = length_of(kind, q(i, k, j), number);
        return moment({1 / l, density * number / l, density * number}, kind.density / rho_water);
    };
    const Kind &dense = air.echoes == Echoes::morrison ? hail : graupel;
    const real t = air.temperature(i, k, j);
    return echo(rain, air.rain, air.rain_number) +
           frozen(echo(snow, air.snow, air.snow_number) + echo(dense, air.graupel, air.graupel_number), t);
}

/// Of counted drops: 7! N l^6.
real drops(const SeenAir &air, int i, int k, int j) {
    const real q = air.rain(i, k, j), density = air.dry_density(i, k, j);
    if (!(q > wsm6::q_least)) return 0;
    const real number = density * std::max(air.rain_number(i, k, j), real(0));
    const real l = real(1e3) * wdm::drops_of(q, density, number, 1).l1; // mm
    return 5040 * number * (l * l * l) * (l * l * l);
}

real factor(const SeenAir &air, int i, int k, int j) {
    if (air.echoes == Echoes::morrison || air.echoes == Echoes::morrison_graupel)
        return morrisons(air, i, k, j);
    if (air.echoes == Echoes::thompson) return thompsons(air, i, k, j);
    const real density = air.dry_density(i, k, j);
    if (air.echoes == Echoes::kessler)
        return moment(kessler_rain, kessler_rain.intercept, air.rain(i, k, j), density);
    const real t = air.temperature(i, k, j);
    if (air.echoes == Echoes::lin) {
        const auto echo = [&](const Particles &kind, ConstField3 q) {
            return moment(kind, kind.intercept, q(i, k, j), density);
        };
        return echo(lin_rain, air.rain) +
               frozen(echo(lin_snow, air.snow) + echo(lin_graupel, air.graupel), t);
    }
    const real growth = exponential(wsm6::snow_n0_rate * std::max(wsm6::t0 - t, real(0)));
    const real snow_n0 = std::min(wsm6_snow.intercept * growth, wsm6::snow_n0_most);
    const auto rain = [&] {
        return air.echoes == Echoes::wdm ? drops(air, i, k, j)
                                         : moment(wsm6_rain, wsm6_rain.intercept, air.rain(i, k, j), density);
    };
    const auto snow = [&](ConstField3 q) {
        return frozen(moment(wsm6_snow, snow_n0, q(i, k, j), density), t);
    };
    if (air.echoes == Echoes::wsm3) return t < wsm6::t0 ? snow(air.rain) : rain();
    const real without_graupel = rain() + snow(air.snow);
    if (!air.graupel.origin) return without_graupel;
    return without_graupel +
           frozen(moment(wsm6_graupel, wsm6_graupel.intercept, air.graupel(i, k, j), density), t);
}

real composite(const SeenAir &air, int i, int j) {
    real most = least;
    for (int k = 0; k < air.grid.nz; ++k) most = std::max(most, reflectivity(air, i, k, j));
    return most;
}

real reflectivity_minus10(const SeenAir &air, int i, int j) {
    return where_falling(
        air.grid.nz, [&](int k) { return air.temperature(i, k, j); },
        [&](int k) { return reflectivity(air, i, k, j); }, wsm6::t0 - 10);
}

real echo_top(const SeenAir &air, int i, int j) {
    return where_falling(
        air.grid.nz, [&](int k) { return reflectivity(air, i, k, j); },
        [&](int k) { return air.height(i, k, j); }, echo_top_at);
}

} // namespace

real reflectivity(const SeenAir &air, int i, int k, int j) {
    constexpr real smallest = real(3.1622776601683795e-4); // of -35 dBZ
    return 10 * std::log10(std::max(factor(air, i, k, j), smallest));
}

real reflectivity_1km(const SeenAir &air, int i, int j) {
    return at_height_above_ground(air, i, j, 1000, [&](int k) { return reflectivity(air, i, k, j); });
}

std::vector<DerivedField> radar_fields() {
    const std::string echoes = "equivalent_reflectivity_factor";
    return {
        {"REFL_10CM",
         "radar reflectivity",
         "dBZ",
         echoes,
         "the sixth moment of the size distributions of kessler (Marshall and Palmer 1948), lin (Lin et al. "
         "1983), wsm6 (Hong and Lim 2006), wdm6 (Lim and Hong 2010), thompson (Thompson et al. 2008) or "
         "morrison (Morrison et al. 2009), ice by Smith (1984), wet above 0 °C",
         {Need::echoes},
         on_layers(reflectivity),
         {}},
        {"REFD_COM",
         "highest radar reflectivity of the column",
         "dBZ",
         echoes,
         "maximum of REFL_10CM",
         {Need::echoes},
         {},
         on_columns(composite)},
        {"reflectivity_1km",
         "radar reflectivity 1 km above the ground",
         "dBZ",
         echoes,
         "REFL_10CM, linear between layers",
         {Need::echoes},
         {},
         on_columns(reflectivity_1km),
         {},
         0,
         true},
        {"reflectivity_minus10",
         "radar reflectivity at −10 °C",
         "dBZ",
         echoes,
         "REFL_10CM, linear between layers, at the highest such level",
         {Need::echoes},
         {},
         on_columns(reflectivity_minus10),
         {},
         0,
         true},
        {"ECHOTOP",
         "echo top",
         "m",
         "",
         "height of 18 dBZ, the highest crossing",
         {Need::echoes},
         {},
         on_columns(echo_top),
         {},
         0,
         true},
    };
}

} // namespace squall
