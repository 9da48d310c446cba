#include <cmath>

#include "physics/tiedtke/draughts.hpp"

namespace squall::tiedtke {
namespace {

constexpr real of_updraught = real(0.3), turbulent = real(2e-4), spread_below = 6000;

/// Evaporates what saturates air without a change of c_p T + L_v q.
void to_wet_bulb(real pressure, real &t, real &q) {
    constexpr int most = 10;
    const real enthalpy = heat_capacity * t + vaporisation * q;
    real x = t;
    if (saturation(t, pressure) <= q) return;
    for (int n = 0; n < most; ++n) {
        const real s = saturation(x, pressure);
        const real slope = heat_capacity + vaporisation * vaporisation * s / (constants::r_v * x * x);
        const real step = (heat_capacity * x + vaporisation * s - enthalpy) / slope;
        x -= step;
        if (std::abs(step) < real(2e-3)) break;
    }
    q = std::max(saturation(x, pressure), q);
    t = (enthalpy - vaporisation * q) / heat_capacity;
}

real density_temperature(real t, real q) { return t * (1 + constants::virtual_factor * q); }

/// Interface at and below which saturated moist static energy has passed its least.
int below_least(const Air &air) {
    int least = 1;
    real smallest = air.dry(1) + vaporisation * air.saturated[1];
    for (int k = 2; k + 2 < air.nz; ++k) {
        const real h = air.dry(k) + vaporisation * air.saturated[k];
        if (h < smallest) smallest = h, least = k;
    }
    return least + 1;
}

} // namespace

Downdraught::Downdraught(int layers)
    : flux(layers + 1), temperature(layers + 1), vapour(layers + 1), entrained(layers), detrained(layers),
      evaporated(layers) {}

void Downdraught::clear() {
    for (Profile *f : {&flux, &temperature, &vapour, &entrained, &detrained, &evaporated}) f->clear();
    start = 0;
}

/// Finds where it starts.
bool Downdraught::begin(const Air &air, const Cloud &cloud, const Updraught &up) {
    const real first = of_updraught * first_flux;
    const int highest = std::min(up.top - 1, below_least(air));
    real falling = 0;
    for (int k = air.nz - 1; k > highest; --k) falling += up.rain[k] + up.snow[k];
    for (int k = highest; k > cloud.base; --k) {
        falling += up.rain[k] + up.snow[k];
        real t = air.t[k], q = air.q[k];
        to_wet_bulb(air.p[k], t, q);
        const Parcel &with = up.parcel[static_cast<std::size_t>(k)];
        const real evaporates = first * (q - air.q[k]);
        const real mixed_t = (t + with.temperature) / 2, mixed_q = (q + with.vapour) / 2;
        if (density_temperature(mixed_t, mixed_q) >= air.virtual_temperature(k) || falling <= 10 * evaporates)
            continue;
        start = k;
        flux[k] = entrained[k] = first;
        temperature[k] = mixed_t;
        vapour[k] = mixed_q;
        evaporated[k] = evaporates / 2;
        return true;
    }
    return false;
}

void Downdraught::sink(const Air &air, const Cloud &cloud, const Updraught &up) {
    clear();
    if (!begin(air, cloud, up)) return;
    real falling = -evaporated[start], sunk = 0, organized = 0, spread = 0;
    for (int k = start; k < air.nz; ++k) falling += up.rain[k] + up.snow[k];
    int spread_from = 0;
    while (spread_from + 1 < air.nz && air.p[0] - air.p[spread_from + 1] < spread_below) ++spread_from;
    for (int k = start - 1; k >= 0; --k) { // from interface k + 1 through layer k
        falling += up.rain[k] + up.snow[k];
        const real above = flux[k + 1], depth = air.depth[k];
        real in = 0, out = above;
        if (k < spread_from) {
            if (spread == 0) spread = above / (air.p[0] - air.p[k + 1]);
            out = k == 0 ? above : std::min(spread * (air.p[k] - air.p[k + 1]), above);
        } else {
            in = std::min((turbulent + organized) * depth, real(0.3)) * above;
            out = turbulent * depth * above;
            out += std::max(above + in - out - real(0.75) * up.flux[k], real(0));
            if (out > above) out = above, in = 0;
        }
        const real now = above - out + in;
        detrained[k] = out;
        if (now <= real(1e-3) * first_flux) {
            detrained[k] = above;
            return;
        }
        const real dry = ((above - out) * (heat_capacity * temperature[k + 1] + gravity * air.z[k + 1]) +
                          in * air.dry(k)) /
                         now;
        real t = (dry - gravity * air.z[k]) / heat_capacity;
        real q = ((above - out) * vapour[k + 1] + in * air.vapour[k]) / now;
        const real before = q;
        to_wet_bulb(air.p[k], t, q);
        const real evaporates = now * (q - before), around = air.virtual_temperature(k);
        const real load = up.flux[k] > 0 ? std::max(falling, real(0)) / up.flux[k] : real(0);
        const real buoyancy = (density_temperature(t, q) - t * load) / around - 1;
        if (buoyancy >= 0 || evaporates > falling) {
            detrained[k] = above;
            return;
        }
        flux[k] = now;
        entrained[k] = in;
        temperature[k] = t;
        vapour[k] = q;
        evaporated[k] = evaporates;
        falling -= evaporates;
        sunk -= gravity * buoyancy * depth;
        organized = real(-0.5) * gravity * buoyancy / (1 + sunk);
    }
}

} // namespace squall::tiedtke
