#include "physics/tiedtke/air.hpp"

#include <cmath>

#include "physics/saturation.hpp"

namespace squall::tiedtke {

Air::Air(int layers)
    : nz(layers), temperature(layers), vapour(layers), saturated(layers), pressure(layers), height(layers),
      depth(layers), mass(layers), u(layers), v(layers), updraught(layers), warming(layers),
      moistening(layers), p(layers + 1), z(layers + 1), t(layers + 1), q(layers + 1) {}

void Air::complete() {
    z[0] = 0;
    p[0] = pressure[0] + mass[0] * (1 + vapour[0]) * gravity / 2;
    for (int k = 0; k < nz; ++k) {
        height[k] = z[k] + depth[k] / 2;
        z[k + 1] = z[k] + depth[k];
        p[k + 1] = p[k] - mass[k] * (1 + vapour[k]) * gravity;
        saturated[k] = saturation(temperature[k], pressure[k]);
    }
    p[nz] = std::max(p[nz], real(1));
    t[0] = temperature[0] + gravity / heat_capacity * height[0];
    q[0] = vapour[0];
    for (int k = 1; k < nz; ++k) {
        const real share = depth[k - 1] / (depth[k - 1] + depth[k]);
        t[k] = temperature[k - 1] + share * (temperature[k] - temperature[k - 1]);
        q[k] = vapour[k - 1] + share * (vapour[k] - vapour[k - 1]);
    }
    t[nz] = temperature[nz - 1];
    q[nz] = vapour[nz - 1];
}

real liquid_share(real temperature) {
    const real x = std::clamp((temperature - no_liquid) / (melting - no_liquid), real(0), real(1));
    return x * x;
}

real saturation(real temperature, real pressure) {
    const real share = liquid_share(temperature);
    real mixing_ratio = 0;
    if (share > 0) mixing_ratio += share * saturation_over_water(temperature, pressure);
    if (share < 1) mixing_ratio += (1 - share) * saturation_over_ice(temperature, pressure);
    return mixing_ratio;
}

namespace {

/// h - g z of saturated air less what it should be, and its derivative by temperature.
struct Excess {
    real value, slope, saturated, ice;
};

Excess excess(real pressure, real enthalpy, real water, real t) {
    const real share = liquid_share(t), q = saturation(t, pressure), ice = (1 - share) * (water - q);
    const real latent = vaporisation + (1 - share) * fusion;
    const real growth = q * (1 + constants::rv_over_rd * q) * latent / (constants::r_v * t * t);
    const real thaw = 2 * std::sqrt(share) / (melting - no_liquid);
    const real thawing = share > 0 && share < 1 ? fusion * thaw * (water - q) : real(0);
    return {heat_capacity * t + vaporisation * q - fusion * ice - enthalpy,
            heat_capacity + latent * growth + thawing, q, ice};
}

} // namespace

void saturate(real pressure, real height, real guess, Parcel &parcel) {
    const real enthalpy = parcel.h - gravity * height;
    const real dry = (enthalpy - vaporisation * parcel.water) / heat_capacity;
    parcel.temperature = dry;
    parcel.vapour = parcel.water;
    parcel.ice = parcel.liquid = 0;
    if (saturation(dry, pressure) >= parcel.water) return;
    constexpr int most = 12;
    real t = std::max(guess, dry);
    Excess e{};
    for (int n = 0; n < most; ++n) {
        e = excess(pressure, enthalpy, parcel.water, t);
        const real step = std::clamp(e.value / e.slope, real(-20), real(20));
        t -= step;
        if (std::abs(step) < real(2e-3)) break;
    }
    // The last step's values, so that h is kept to rounding.
    parcel.vapour = std::min(e.saturated, parcel.water);
    parcel.ice = std::max(e.ice, real(0));
    parcel.liquid = std::max(parcel.water - parcel.vapour - parcel.ice, real(0));
    parcel.temperature = (enthalpy - vaporisation * parcel.vapour + fusion * parcel.ice) / heat_capacity;
}

void take_out(real amount, Parcel &parcel) {
    const real all = parcel.condensate();
    if (all <= 0) return;
    const real share = std::min(amount / all, real(1));
    parcel.h += fusion * share * parcel.ice;
    parcel.water -= share * all;
    parcel.ice -= share * parcel.ice;
    parcel.liquid -= share * parcel.liquid;
}

void mix(real rest, const Parcel &was, real entrained, real h, real water, Parcel &parcel) {
    const real sum = rest + entrained;
    parcel.h = (rest * was.h + entrained * h) / sum;
    parcel.water = (rest * was.water + entrained * water) / sum;
}

} // namespace squall::tiedtke
