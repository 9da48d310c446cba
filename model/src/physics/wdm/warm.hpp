/// What droplets and drops do to each other in a step (CP00; LH10, appendix), by the names of LH10. Amounts
/// [kg kg-1], numbers [m-3].
#pragma once

#include "physics/wdm/drops.hpp"
#include "physics/wsm6/growth.hpp"

namespace squall::wdm {

using namespace wsm6; // the family's air, particles and processes of ice

/// A point whose liquid is counted: what floats and falls there. `others`: the same as processes of ice see
/// it.
struct Counted {
    const Point &x;
    Droplets cloud;
    Drops rain;
    Cloudy others;
};

/// What becomes of droplets and drops, beside what evaporates.
struct Numbers {
    real nraut = 0;  ///< droplets that become drops, as many of them
    real nccol = 0;  ///< droplets lost to each other
    real nracw = 0;  ///< droplets that rain collects
    real nsacw = 0;  ///< droplets that snow and graupel collect
    real nrcol = 0;  ///< drops lost to each other
    real iced = 0;   ///< drops that ice, snow and graupel collect in freezing air
    real molten = 0; ///< drops that collected water makes of snow and graupel
};

/// Long's kernels: of pairs with a large drop, and of small ones (CP00, equation 10).
inline constexpr real by_volume = real(3.03e3), by_square = real(2.59e15); // [s-1], [m-3 s-1]
/// Diameters [m] from which a drop counts as large, from which collisions break drops, and always do.
inline constexpr real large = real(1e-4), breaking = real(6e-4), broken = real(2e-3);

/// [L] What autoconversion makes at first (CP00, equation 14) [kg m-3].
inline real first_rain(const Counted &c) {
    const real l2 = c.cloud.length * c.cloud.length;
    return real(2.7e-2) * c.x.density * c.x.cloud * (real(1e20 / 16) * l2 * l2 - real(0.4));
}

/// [praut] CP00 equations 14 and 15: droplets of more than 15 micrometres become rain, in their time.
inline real autoconversion_by_size(const Counted &c, real dt) {
    constexpr real least = real(15e-6);
    const Point &x = c.x;
    const bool large_enough = c.cloud.length > least;
    const real size = large_enough ? c.cloud.length : 2 * least;
    const real time = real(3.7) / x.density / std::max(x.cloud, q_trace) / (real(0.5e6) * size - real(7.5));
    const real amount = first_rain(c) / (std::max(time, real(1e-12)) * x.density) * dt;
    return large_enough ? std::min(std::max(amount, real(0)), x.cloud) : real(0);
}

/// [praut] HDC04 equation 16 with the droplets there are, where more of them than `typical` [m-3] in a volume
/// would be wider than 8 micrometres.
inline real autoconversion_by_content(const Counted &c, real typical, real dt) {
    constexpr double radius = 0.8e-5, efficiency = 0.55, air_viscosity = 1.718e-5,
                     rho0_to_4_3 = 1.3897818196965920; // 1.28^(4/3)
    constexpr real mass = real(4.0 / 3 * 3.14159265358979 * 1000 * radius * radius * radius / 1.28);
    constexpr real rate = real(0.104 * 9.8 * efficiency / 10 / air_viscosity * rho0_to_4_3);
    const Point &x = c.x;
    const bool some = (x.cloud > mass * typical) & (x.droplets > few_droplets);
    const real number = some ? x.droplets : real(1), q = some ? x.cloud : real(1);
    return some ? std::min(rate * power(q, real(7.0 / 3)) / cube_root(number) * dt, x.cloud) : real(0);
}

/// [nraut] LH10 equation A6: drops of 41 micrometres radius, or as wide as those there are. [pracw, nracw]
/// CP00 equations 22 and 23. [nccol, nrcol] CP00 equations 24 and 25, with breakup: rain that collects,
/// `praut` being made. Returns what becomes rain, praut and pracw.
inline real collect_liquid(const Counted &c, real praut, Numbers &n, real dt) {
    const Point &x = c.x;
    const real c3 = c.cloud.l3, r3 = c.rain.l3, wide = c.rain.diameter();
    const real to_collect = std::max(real(1.2) * first_rain(c), q_least);
    const bool collects = x.rain >= to_collect, of_rain = x.rain > to_collect;
    const real nraut =
        of_rain ? x.drops / std::max(x.rain, q_least) * praut : real(3.5e9) * x.density * praut;
    n.nraut = std::min(nraut, x.droplets);

    // Kernels before numbers, which are large.
    const real met = wide >= large ? by_volume * (c3 + 24 * r3) : by_square * (2 * c3 * c3 + 5040 * r3 * r3);
    const real met_volume =
        wide >= large ? by_volume * c3 * (2 * c3 + 24 * r3) : by_square * c3 * (6 * c3 * c3 + 5040 * r3 * r3);
    const real pairs = x.droplets * x.drops * dt;
    const real pracw = pi / 6 * (rho_water / x.density) * met_volume * pairs;
    n.nracw = collects ? std::min(met * pairs, x.droplets) : real(0);

    const real of_droplets = c.cloud.length >= large ? by_volume * c3 : 2 * by_square * c3 * c3;
    n.nccol = of_droplets * x.droplets * x.droplets * dt;
    const real whole = exponential(real(-2.5e3) * std::max(std::min(wide, broken) - breaking, real(0)));
    const real of_drops = wide < large ? 5040 * by_square * r3 * r3 : 24 * whole * by_volume * r3;
    const real nrcol = of_drops * x.drops * x.drops * dt;
    n.nrcol = collects & (wide < broken) ? nrcol : real(0);
    return praut + (collects ? std::min(pracw, x.cloud) : real(0));
}

/// The surface of drops, for rain_from_vapour() (LH10, equation A13).
inline real ventilated_drops(const Counted &c, real ventilation) {
    const real moving = real(0.31) * std::sqrt(rain_a) * gamma_3_9;
    return 2 * pi * c.x.drops *
           (real(1.56) * c.rain.l1 + moving * ventilation * c.rain.l1 * std::sqrt(c.rain.l1 * c.rain.lb));
}

} // namespace squall::wdm
