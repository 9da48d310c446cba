#include "physics/tiedtke_1989/air.hpp"

#include <cmath>

#include "core/elementary.hpp"
#include "core/loop.hpp"

namespace squall::tiedtke_1989 {
namespace {

struct Curve {
    real a, b;
};

constexpr Curve over_water{real(17.269), real(35.86)}, over_ice{real(21.875), real(7.66)};

inline Curve curve(real temperature) {
    const bool warm = temperature > freezing;
    return {warm ? over_water.a : over_ice.a, warm ? over_water.b : over_ice.b};
}

/// Specific humidity of saturated air, and the share of vapour in its derivative by vapour pressure.
struct Saturated {
    real q, steeper;
};

inline Saturated saturated(real temperature, real pressure) {
    const Curve c = curve(temperature);
    const real e = real(610.78) * exponential(c.a * (temperature - freezing) / (temperature - c.b));
    const real x = std::min(constants::r_d / constants::r_v * e / pressure, real(0.5));
    const real steeper = 1 / (1 - constants::virtual_factor * x);
    return {x * steeper, steeper};
}

/// What condenses until air is saturated, in one step of Newton's method.
inline real excess(real pressure, const Moist &air) {
    const Saturated s = saturated(air.t, pressure);
    const Curve c = curve(air.t);
    const real colder = air.t - c.b;
    const real growth = c.a * (freezing - c.b) / (colder * colder);
    return (air.q - s.q) / (1 + s.q * s.steeper * growth * latent_heat(air.t) / heat_capacity);
}

inline void condense(real amount, Moist &air) {
    air.t += latent_heat(air.t) / heat_capacity * amount;
    air.q -= amount;
}

/// By a change of phase either way, without branches.
inline Moist brought_to_saturation(real pressure, Moist air) {
    condense(excess(pressure, air), air);
    condense(excess(pressure, air), air);
    return air;
}

} // namespace

real saturation(real temperature, real pressure) { return saturated(temperature, pressure).q; }

void saturate(real pressure, Change allowed, Moist &air) {
    if (allowed == Change::either) {
        air = brought_to_saturation(pressure, air);
        return;
    }
    const real amount = excess(pressure, air);
    if (allowed == Change::condensation ? amount <= 0 : amount >= 0) return;
    condense(amount, air);
    condense(excess(pressure, air), air);
}

Air::Air(int layers)
    : nz(layers), temperature(layers), vapour(layers), saturated(layers), pressure(layers), height(layers),
      depth(layers), mass(layers), u(layers), v(layers), lifted(layers), moistening(layers), p(layers + 1),
      z(layers + 1), t(layers + 1), q(layers + 1), q_s(layers + 1) {}

void Air::complete() {
    real bottom = 0;
    p[0] = pressure[0] + mass[0] * gravity / 2;
    for (int k = 0; k < nz; ++k) {
        height[k] = bottom + depth[k] / 2;
        bottom += depth[k];
        p[k + 1] = p[k] - mass[k] * gravity;
    }
    for_each_i(0, nz, [out = &saturated[0], warm = &temperature[0], at = &pressure[0]](int k) {
        out[k] = saturation(warm[k], at[k]);
    });
    set_interfaces();
    set_limits();
}

void Air::set_interfaces() {
    z[0] = 0;
    z[nz] = height[nz - 1];
    for_each_i(1, nz,
               [to_z = &z[0], to_t = &t[0], to_q = &q[0], to_saturated = &q_s[0], p_ = &p[0],
                warm = &temperature[0], high = &height[0], moist = &vapour[0], full = &saturated[0]](int k) {
                   const auto dry_of = [=](int n) { return heat_capacity * warm[n] + gravity * high[n]; };
                   const real middle = (high[k - 1] + high[k]) / 2;
                   const real warmest = std::max(dry_of(k), dry_of(k - 1));
                   const Moist air =
                       brought_to_saturation(p_[k], {(warmest - gravity * middle) / heat_capacity, full[k]});
                   to_z[k] = middle;
                   to_t[k] = air.t;
                   to_saturated[k] = air.q;
                   to_q[k] = std::max(std::min(moist[k], full[k]) + air.q - full[k], real(0));
               });
    t[1] = (dry(0) - gravity * z[1]) / heat_capacity;
    q[1] = vapour[0];
    for (int k = 2; k < nz; ++k) t[k] = (std::max(dry_at(k), dry_at(k - 1)) - gravity * z[k]) / heat_capacity;
}

/// By numbers of layers in WRF, whatever their depth; by pressure and height otherwise.
void Air::set_limits() {
    constexpr real spread = 6000, from = 500, up_to = 10000; // [Pa], [m], [m]
    constexpr real upper_troposphere = 30000, cloud_end = 40000;
    const auto interface_above = [&](auto below) {
        int k = 1;
        while (k + 1 < nz && below(k)) ++k;
        return k;
    };
    middle_clouds_end = interface_above([&](int k) { return p[k] >= cloud_end; });
    if (as_wrf) {
        spread_below = 3;
        lowest_source = 2;
        highest_source = std::min(12, nz - 3);
        humid_below = nz - 11;
    } else {
        spread_below = interface_above([&](int k) { return p[0] - p[k] < spread; });
        lowest_source = interface_above([&](int k) { return height[k] <= from; });
        highest_source = std::min(interface_above([&](int k) { return height[k] < up_to; }), nz - 3);
        humid_below = interface_above([&](int k) { return p[k] >= upper_troposphere; });
    }
}

real Air::density_growth(int k) const {
    return -std::log(temperature[k] / temperature[k - 1]) / (height[k] - height[k - 1]) -
           gravity / (constants::r_d * t[k]);
}

real Air::neutral_energy(int k) const {
    const Curve c = over_water;
    const real gamma = c.a * (freezing - c.b) / ((t[k] - c.b) * (t[k] - c.b)) * vaporisation / heat_capacity *
                       q_s[k] / (1 - constants::virtual_factor * q_s[k]);
    const real heavier = heat_capacity * t[k] * constants::virtual_factor;
    return dry_at(k) + vaporisation * q_s[k] -
           heavier * (1 + gamma) / (1 + gamma * heavier / vaporisation) * std::max(q_s[k] - q[k], real(0));
}

} // namespace squall::tiedtke_1989
