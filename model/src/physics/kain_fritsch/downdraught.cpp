#include <algorithm>
#include <cmath>

#include "physics/kain_fritsch/draughts.hpp"

namespace squall::kain_fritsch {
namespace {

constexpr real above_source = 15000; // where it starts [Pa]
constexpr real least_depth = 5000;   // [Pa]

/// What evaporation leaves in a layer: drier by 20 % of relative humidity each km below the start, but not
/// drier than what comes down.
Saturated below(real pressure, real theta_e, real depth, real coming) {
    Saturated s = saturated_air(pressure, theta_e);
    const real humidity = 1 - real(2e-4) * depth;
    if (humidity >= 1) return s;
    const real latent = vaporisation(s.temperature), growth = saturation_growth(s.temperature);
    real t = s.temperature +
             latent * s.vapour * (1 - humidity) / (heat_capacity + latent * humidity * s.vapour * growth);
    const real e = humidity * saturation_pressure(t);
    real q = real(0.622) * e / (pressure - e);
    if (q < coming) {
        q = coming;
        t = s.temperature + (s.vapour - q) * latent / heat_capacity;
    }
    return {t, q};
}

} // namespace

Downdraught::Downdraught(int layers) {
    for (Profile *p : {&flux, &entrained, &detrained, &theta, &q}) p->resize(at(layers));
}

void Downdraught::clear() {
    for (Profile *p : {&flux, &entrained, &detrained, &theta, &q}) std::fill(p->begin(), p->end(), real(0));
    start = base = 0;
    evaporation = 0;
}

void sink(const Sounding &air, const Updraught &up, real efficiency, Downdraught &d) {
    d.clear();
    if (up.shallow) return;
    const int neck = up.last + 1; // below it all is detrained
    d.start = up.balance - 1;
    for (int k = neck + 1; k < air.nz; ++k)
        if (air.pressure[at(neck)] - air.pressure[at(k)] > above_source) {
            d.start = std::min(k, up.balance - 1);
            break;
        }
    d.base = d.start;
    if (d.start <= neck || air.pressure[at(neck)] - air.pressure[at(d.start)] <= least_depth) return;
    const std::size_t top = at(d.start);
    const Saturated wet = saturated_air(air.pressure[top], air.theta_e[top]);
    d.theta[top] = wet.temperature * theta_factor(air.pressure[top], wet.vapour);
    const real first = -(1 - efficiency) * real(0.01) * air.area * air.pressure[top] /
                       (gas_constant * virtual_temperature(wet.temperature, wet.vapour));
    d.flux[top] = d.entrained[top] = first;
    real theta_e = air.theta_e[top], q = air.vapour[top];
    d.q[top] = q;
    real humidity = air.vapour[top] / air.saturated[top] * air.dp[top], depth = air.dp[top];
    for (int k = d.start - 1; k >= neck; --k) { // entrains from all layers alike
        const std::size_t n = at(k), above = at(k + 1);
        d.entrained[n] = first * air.mass[n] / air.mass[top];
        d.flux[n] = d.flux[above] + d.entrained[n];
        theta_e = (theta_e * d.flux[above] + air.theta_e[n] * d.entrained[n]) / d.flux[n];
        q = (q * d.flux[above] + air.vapour[n] * d.entrained[n]) / d.flux[n];
        d.q[n] = q;
        depth += air.dp[n];
        humidity += air.vapour[n] / air.saturated[n] * air.dp[n];
    }
    const real of_updraught = 2 * (1 - humidity / depth); // equation 11 of Kain (2004)
    // Snow that melts cools it, as if its flux were the updraught's.
    real frozen = 0;
    for (int k = up.base; k <= up.top; ++k) frozen += up.snow[at(k)];
    const std::size_t at_neck = at(neck);
    const Saturated there = saturated_air(air.pressure[at_neck], theta_e);
    const bool melts = air.temperature[at(up.first)] > melting;
    const real t =
        there.temperature - (melts ? fusion * frozen / (heat_capacity * up.flux[at(up.base)]) : real(0));
    theta_e = equivalent(air.pressure[at_neck], t, saturation(t, air.pressure[at_neck]), t);
    const int from = std::min(d.start - 1, neck - 1);
    real layers = 0;
    Profile &vapour = d.q; // below the neck: after evaporation
    int k = from;
    for (; k >= 0; --k) {
        const std::size_t n = at(k);
        layers += air.dp[n];
        const Saturated s = below(air.pressure[n], theta_e, air.height[at_neck] - air.height[n], q);
        vapour[n] = s.vapour;
        d.theta[n] = s.temperature * theta_factor(air.pressure[n], s.vapour);
        if (virtual_temperature(s.temperature, s.vapour) > air.density_temperature[n] || k == 0) break;
    }
    d.base = std::max(k, 0);
    real evaporated = 0;
    if (air.pressure[at(d.base)] - air.pressure[top] > least_depth)
        for (int m = from; m >= d.base; --m) {
            const std::size_t n = at(m);
            d.detrained[n] = -d.flux[at_neck] * air.dp[n] / layers;
            d.flux[n] = d.flux[n + 1] + d.detrained[n];
            evaporated += (vapour[n] - q) * d.detrained[n];
        }
    if (evaporated < 1) return d.clear();
    real scale = -of_updraught * up.flux[at(up.base)] / d.flux[at_neck];
    if (evaporated * scale > up.precipitation) scale = up.precipitation / evaporated;
    d.evaporation = evaporated * scale;
    for (Profile *p : {&d.flux, &d.entrained, &d.detrained})
        for (real &x : *p) x *= scale;
}

} // namespace squall::kain_fritsch
