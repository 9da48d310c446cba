#include "physics/kain_fritsch/closure.hpp"

#include <algorithm>
#include <cmath>

namespace squall::kain_fritsch {
namespace {

/// Lets a layer whose vapour is negative borrow from its neighbours.
void borrow(const Sounding &air, int top, int base, Profile &vapour) {
    constexpr real least = real(1e-9);
    for (int k = 1; k <= top; ++k) {
        if (vapour[at(k)] >= 0) continue;
        const std::size_t here = at(k), above = k == top ? at(base) : at(k + 1), below = at(k - 1);
        const real over = vapour[above] * air.mass[above], under = vapour[below] * air.mass[below];
        const real lack = (vapour[here] - least) * air.mass[here];
        const real b = -lack / (over * over / under + under), a = b * over / under;
        vapour[here] = least;
        vapour[above] = over * (1 - a) / air.mass[above];
        vapour[below] = under * (1 - b) / air.mass[below];
    }
    vapour[0] = std::max(vapour[0], least);
}

} // namespace

Adjusted::Adjusted(int layers) {
    for (Profile *p : {&theta, &vapour, &temperature, &liquid, &ice, &rain, &snow}) p->resize(at(layers));
}

Closure::Closure(int layers) {
    for (Profile *p : {&entrained_, &detrained_, &down_entrained_, &down_detrained_, &subsidence_,
                       &start_theta_, &up_theta_, &source_, &none_, &in_, &out_})
        p->resize(at(layers));
}

void Closure::scale(const Updraught &up, const Downdraught &down, int layers, real factor) {
    factor_ = factor;
    for (int k = 0; k < layers; ++k) {
        const std::size_t n = at(k);
        entrained_[n] = up.entrained[n] * factor;
        detrained_[n] = up.detrained[n] * factor;
        down_entrained_[n] = down.entrained[n] * factor;
        down_detrained_[n] = down.detrained[n] * factor;
    }
}

/// What mass conservation asks for between layers; how many steps keep it below three quarters of a layer.
int Closure::find_subsidence(const Sounding &air, int top, real time_scale) {
    real longest = time_scale;
    subsidence_[0] = 0;
    for (int k = 1; k <= top; ++k) {
        const std::size_t below = at(k - 1);
        subsidence_[at(k)] = subsidence_[below] + (entrained_[below] - down_entrained_[below] -
                                                   detrained_[below] - down_detrained_[below]);
        const real pressure = std::abs(subsidence_[at(k)]) * gravity / air.area; // [Pa s-1]
        const real most = real(0.75) * air.dp[below];
        if (pressure * time_scale > most) longest = std::min(longest, most / pressure);
    }
    return static_cast<int>(std::lround(time_scale / longest + 1));
}

/// One upstream step of `value`: what draughts bring (`source`), what they take of the air as it was
/// (`sink` of `sink_value`), and what moves between layers; `subsidence_` positive downward, as omega.
void Closure::advect(const Sounding &air, int top, real dt, const Profile &source, const Profile &sink,
                     const Profile &sink_value, Profile &value) {
    for (int k = 0; k <= top; ++k) in_[at(k)] = out_[at(k)] = 0;
    for (int k = 1; k <= top; ++k) {
        const std::size_t n = at(k), below = at(k - 1);
        if (subsidence_[n] <= 0) {
            in_[n] -= subsidence_[n] * value[below];
            out_[below] -= subsidence_[n] * value[below];
        } else {
            out_[n] += subsidence_[n] * value[n];
            in_[below] += subsidence_[n] * value[n];
        }
    }
    for (int k = 0; k <= top; ++k) {
        const std::size_t n = at(k);
        value[n] += (in_[n] - out_[n] + source[n] - sink[n] * sink_value[n]) * dt / air.mass[n];
    }
}

void Closure::move(const Sounding &air, const Updraught &up, const Downdraught &down, real time_scale,
                   int steps, Adjusted &after) {
    const real dt = time_scale / static_cast<real>(steps);
    for (int k = 0; k <= up.top; ++k) {
        const std::size_t n = at(k);
        after.theta[n] = start_theta_[n];
        after.vapour[n] = air.vapour[n];
        none_[n] = entrained_[n] - down_entrained_[n];
    }
    for (int step = 0; step < steps; ++step) {
        for (int k = 0; k <= up.top; ++k) {
            const std::size_t n = at(k);
            source_[n] = detrained_[n] * up_theta_[n] + down_detrained_[n] * down.theta[n];
        }
        advect(air, up.top, dt, source_, none_, start_theta_, after.theta);
        for (int k = 0; k <= up.top; ++k) {
            const std::size_t n = at(k);
            source_[n] = detrained_[n] * up.q_detrained[n] + down_detrained_[n] * down.q[n];
        }
        advect(air, up.top, dt, source_, none_, air.vapour, after.vapour);
    }
    borrow(air, up.top, up.base, after.vapour);
    for (int k = 0; k <= up.top; ++k)
        after.temperature[at(k)] =
            after.theta[at(k)] / theta_factor(air.pressure[at(k)], after.vapour[at(k)]);
}

/// Available energy of the source as it is afterwards, diluted as the updraught was.
real Closure::remaining(const Sounding &air, const Updraught &up, const Adjusted &after) const {
    real t = 0, q = 0;
    for (int k = up.first; k <= up.last; ++k) {
        t += air.dp[at(k)] * after.temperature[at(k)];
        q += air.dp[at(k)] * after.vapour[at(k)];
    }
    t /= up.source_depth;
    q /= up.source_depth;
    const real saturated = saturation(t, up.pressure);
    real lcl = t;
    if (q > saturated) {
        const real latent = vaporisation(t);
        const real excess = (q - saturated) / (1 + latent * saturated * saturation_growth(t) /
                                                       (heat_capacity * (1 + real(0.887) * q)));
        t += latent / heat_capacity * excess;
        q -= excess;
        lcl = t;
    } else
        lcl = std::min(saturation_temperature(up.pressure, t, std::max(q, real(0))), t);
    const real lcl_height = up.height + (t - lcl) * heat_capacity / gravity;
    int base = std::max(up.first, 1);
    while (base + 1 < air.nz && lcl_height > air.height[at(base)]) ++base;
    const auto value = [&](const Profile &inside, const Profile &outside, int k) {
        return k <= up.top ? inside[at(k)] : outside[at(k)];
    };
    const real share =
        (lcl_height - air.height[at(base - 1)]) / (air.height[at(base)] - air.height[at(base - 1)]);
    const auto between = [&](const Profile &inside, const Profile &outside) {
        const real low = value(inside, outside, base - 1);
        return low + (value(inside, outside, base) - low) * share;
    };
    real under =
        virtual_temperature(between(after.temperature, air.temperature), between(after.vapour, air.vapour));
    real inside_before = virtual_temperature(lcl, q), energy = 0;
    real theta_e = equivalent(up.pressure, t, q, lcl);
    for (int k = base; k <= up.top; ++k) {
        const std::size_t n = at(k);
        const Saturated s = saturated_air(air.pressure[n], theta_e);
        const real inside = virtual_temperature(s.temperature, s.vapour, up.liquid[n] + up.ice[n]);
        const real around = virtual_temperature(after.temperature[n], after.vapour[n]);
        const real thickness = air.height[n] - (k == base ? lcl_height : air.height[n - 1]);
        energy += std::max(((inside_before + inside) / (under + around) - 1) * thickness * gravity, real(0));
        const real kept = 1 / up.dilution[n];
        theta_e =
            theta_e * kept + equivalent(air.pressure[n], after.temperature[n], after.vapour[n]) * (1 - kept);
        under = around;
        inside_before = inside;
    }
    return energy;
}

void Closure::move_condensate(const Sounding &air, const Updraught &up, real time_scale, int steps,
                              Adjusted &after) {
    // Deep convection's precipitation reaches the ground; shallow convection's stays in its layers.
    const real made = up.precipitation * factor_;
    const real stays = up.shallow && made > 0 ? after.precipitation / made : real(0);
    const real dt = time_scale / static_cast<real>(steps);
    std::fill(none_.begin(), none_.end(), real(0));
    const auto carry = [&](const Profile &from, real share, Profile &value) {
        std::fill(value.begin(), value.end(), real(0));
        for (int k = 0; k <= up.top; ++k) source_[at(k)] = from[at(k)] * share;
        for (int step = 0; step < steps; ++step) advect(air, up.top, dt, source_, none_, none_, value);
    };
    carry(up.detrained_liquid, factor_, after.liquid);
    carry(up.detrained_ice, factor_, after.ice);
    carry(up.rain, factor_ * stays, after.rain);
    carry(up.snow, factor_ * stays, after.snow);
}

bool Closure::close(const Sounding &air, const Updraught &up, const Downdraught &down, real time_scale,
                    Adjusted &after) {
    constexpr real stabilised = real(0.95);
    constexpr int most = 10;
    for (int k = 0; k <= up.top; ++k) {
        const std::size_t n = at(k);
        start_theta_[n] = air.temperature[n] * theta_factor(air.pressure[n], air.vapour[n]);
        up_theta_[n] = up.t[n] * theta_factor(air.pressure[n], up.q_detrained[n]);
    }
    // No more than there is in a layer.
    real largest = 1000;
    for (int k = up.first; k <= std::max(up.base, down.start); ++k) {
        const real drawn = up.entrained[at(k)] - down.entrained[at(k)];
        if (drawn > real(1e-3)) largest = std::min(largest, air.mass[at(k)] / (drawn * time_scale));
    }
    const real per_factor = up.precipitation - down.evaporation;
    real factor = std::min(largest, real(1));
    if (up.shallow) { // a turbulent kinetic energy of 5 m2 s-2 below it
        constexpr real turbulence = real(0.5 * 5 * 0.1);
        factor = turbulence * up.source_depth * air.area / (up.base_flux * gravity * time_scale);
        scale(up, down, up.top + 1, factor);
    } else
        scale(up, down, up.top + 1, 1);
    int steps = 1;
    real before = 0, factor_before = 0;
    for (int n = 0; n < most; ++n) {
        if (n > 0) scale(up, down, up.top + 1, factor);
        steps = find_subsidence(air, up.top, time_scale);
        move(air, up, down, time_scale, steps, after);
        if (up.shallow) break;
        const real left = remaining(air, up, after);
        const real gone = std::max(up.cape - left, real(0.1) * up.cape), share = left / up.cape;
        if (share > 1) return false;
        if (n > 0 && (std::abs(factor - factor_before) < real(1e-4) ||
                      (share - before) / (factor - factor_before) > 0))
            break; // more of it takes no more away
        factor_before = factor;
        before = share;
        if (factor / largest > real(0.999) && share > real(1.05) - stabilised) break;
        if (share <= real(1.05) - stabilised && share >= real(0.95) - stabilised) break;
        if (n + 1 == most) break;
        factor = std::min(share == 0 ? factor / 2 : factor * stabilised * up.cape / gone, largest);
        if (factor < real(0.05)) return false;
    }
    after.precipitation = per_factor * factor_;
    move_condensate(air, up, time_scale, steps, after);
    return true;
}

} // namespace squall::kain_fritsch
