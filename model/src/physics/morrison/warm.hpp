/// What happens in a step above the melting point.
#pragma once

#include "physics/morrison/change.hpp"

namespace squall::morrison {

/// What melts, negative: into rain, and into vapour where that is not saturated (Rutledge and Hobbs 1984).
struct Melt {
    real rain = 0, vapour = 0;
    real all() const { return rain + vapour; }
};

/// `surface`: ventilated(). `hit`: rain that meets it, whose heat melts more [kg kg-1]. At most what there
/// is.
inline Melt melt(const Point &x, const Transfer &air, real q, real surface, real hit, real dt) {
    const real conducted = surface * air.conductivity * x.cold() / l_f * dt;
    const real molten = conducted + c_liquid / l_f * x.cold() * hit;
    const real dried =
        surface * x.density * air.diffusivity * (x.vapour - air.saturation.water) / air.water * dt;
    Melt m;
    m.vapour = when(x.vapour < air.saturation.water, std::max(dried, molten));
    m.rain = molten - m.vapour;
    const real factor = q >= q_few ? bound(-m.all(), 0, q) : real(0);
    return {m.rain * factor, m.vapour * factor};
}

/// Little snow and graupel melts at once.
inline void melt_remnants(Point &x) {
    constexpr real remnant = real(1e-6);
    const auto melt = [&x](real &q, real &number) {
        const bool gone = q < remnant;
        const real molten = when(gone, q), drops = when(gone, number);
        q -= molten, number -= drops;
        x.rain += molten, x.rain_number += drops;
        x.warm_by(-l_f * molten);
    };
    melt(x.snow, x.snow_number);
    melt(x.graupel, x.graupel_number);
}

/// Rain that frozen particles collect is shed: graupel's in drops of 1 mm.
template <class Dense> inline void grow_warm(Point &x, Saturation qs, real thinness, Dense dense, real dt) {
    constexpr real shed_drop = real(5.2e-7); // [kg]
    melt_remnants(x);
    const real rho = x.density;
    real droplets = droplets_m3 / rho;
    droplet_length(x, droplets);
    const Particles drops = particles(rain, x.rain, x.rain_number, thinness),
                    flakes = particles(snow, x.snow, x.snow_number, thinness),
                    stones = particles(dense.kind, x.graupel, x.graupel_number, thinness);
    const Transfer air = transfer_of(x, qs);
    const bool wet = x.rain >= q_few;
    const real on_snow =
        when(wet & (x.snow >= q_few), collided(rain, drops, flakes, of_approach(drops, flakes), rho) * dt);
    const real on_stones =
        when(wet & (x.graupel >= q_few), collided(rain, drops, stones, of_approach(drops, stones), rho) * dt);
    const real fewer =
        when(wet & (x.graupel >= q_few), meetings(drops, stones, rho) * dt - on_stones / shed_drop);
    const Melt of_snow = melt(x, air, x.snow, ventilated(snow, flakes, air, rho), on_snow, dt);
    const Melt of_stones = melt(x, air, x.graupel, ventilated(dense.kind, stones, air, rho), on_stones, dt);

    NewRain made = new_rain(x, droplets, dt);
    const real factor = bound(made.itself + made.collected, 0, x.cloud);
    made.itself *= factor, made.collected *= factor;
    const real gained = made.itself + made.collected - of_snow.rain - of_stones.rain;
    const real dried = rain_evaporated(x, drops, air, dt);
    const real evaporated = dried * bound(-dried, gained, x.rain);

    Change c;
    c.vapour = -(evaporated + of_snow.vapour + of_stones.vapour);
    c.heat = evaporated * x.l_v + (of_snow.vapour + of_stones.vapour) * x.l_s() +
             (of_snow.rain + of_stones.rain) * l_f;
    c.cloud = -(made.itself + made.collected);
    c.rain = evaporated + gained;
    c.snow = of_snow.all();
    c.graupel = of_stones.all();
    c.snow_number = number_with(of_snow.all(), x.snow, x.snow_number);
    c.graupel_number = number_with(of_stones.all(), x.graupel, x.graupel_number);
    c.rain_number = made.number + rain_number_change(x, drops, dt) - fewer +
                    number_with(evaporated, x.rain, x.rain_number) -
                    number_with(of_snow.rain, x.snow, x.snow_number) -
                    number_with(of_stones.rain, x.graupel, x.graupel_number);
    c.apply(x);
    condense(x);
}

} // namespace squall::morrison
