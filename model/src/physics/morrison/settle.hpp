/// What temperature alone makes of water at the end of a step, and the bounds of numbers.
#pragma once

#include "physics/morrison/particles.hpp"

namespace squall::morrison {

/// Puts vapour in the place of water that transport, or rounding, left negative, with its latent heat.
inline void fill_up(Point &x) {
    const auto fill = [&x](real &q, real latent_heat) {
        const real debt = std::max(-q, real(0));
        q += debt;
        x.vapour -= debt;
        x.warm_by(latent_heat * debt);
    };
    fill(x.cloud, x.l_v);
    fill(x.rain, x.l_v);
    fill(x.ice, x.l_s());
    fill(x.snow, x.l_s());
    fill(x.graupel, x.l_s());
    x.vapour = std::max(x.vapour, real(0));
}

/// Above the melting point all ice is rain; 40 K below it all cloud is ice, and rain graupel. Numbers that no
/// size within bounds goes with are made to.
inline void settle(Point &x, const Kind &dense) {
    const auto pass = [&x](bool does, real &from, real &to, real heat) {
        const real amount = does ? from : real(0);
        from -= amount, to += amount;
        x.warm_by(heat * amount);
    };
    const bool thaws = x.temperature >= t0;
    pass(thaws, x.ice, x.rain, -l_f);
    pass(thaws, x.ice_number, x.rain_number, 0);
    const bool freezes = x.temperature <= t0 - 40;
    x.ice_number += freezes & (x.cloud >= q_least) ? droplets_m3 / x.density : real(0);
    pass(freezes, x.cloud, x.ice, l_f);
    const bool drops_freeze = x.temperature <= t0 - 40;
    pass(drops_freeze, x.rain, x.graupel, l_f);
    pass(drops_freeze, x.rain_number, x.graupel_number, 0);
    length_of(ice, x.ice, x.ice_number);
    length_of(rain, x.rain, x.rain_number);
    length_of(snow, x.snow, x.snow_number);
    length_of(dense, x.graupel, x.graupel_number);
    x.ice_number = std::min(x.ice_number, most_crystals / x.density);
}

} // namespace squall::morrison
