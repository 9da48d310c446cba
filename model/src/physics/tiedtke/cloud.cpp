#include "physics/tiedtke/cloud.hpp"

#include <cmath>

namespace squall::tiedtke {
namespace {

constexpr real mixed_below = 6000, mixed_over = 5000; // above the ground [Pa]
constexpr real sources_below = 35000;                 // [Pa]

real buoyancy(const Air &air, int interface, const Parcel &parcel) {
    const real around = air.virtual_temperature(interface);
    return (parcel.density_temperature() - around) / around;
}

/// Whether what condenses on the way through layer k does so in its lower half: what it lacks at the bottom
/// is less than what it has too much of at the top, latent heat apart.
bool saturates_low(const Air &air, int k, const Parcel &below, real condensed) {
    const real q = saturation(below.temperature, air.p[k]);
    const real growth = vaporisation / (constants::r_v * below.temperature * below.temperature);
    return q - below.vapour < condensed * (1 + vaporisation / heat_capacity * q * growth);
}

/// Follows a parcel from the interface `start` until it comes to rest. `entrainment(layer)` [m-1]; `kept`:
/// share of condensate after each layer. False: it does not condense, or comes to rest before.
template <class Entrainment>
bool follow(const Air &air, int start, Parcel parcel, real kinetic, real kept, Entrainment entrainment,
            Cloud &cloud) {
    real under = buoyancy(air, start, parcel);
    cloud.base = 0;
    for (int k = start; k + 1 < air.nz; ++k) {
        const real x = real(0.5) * entrainment(k) * air.depth[k];
        const Parcel was = parcel;
        mix(1 - std::min(x, real(1)), was, 2 * x, air.moist(k), air.vapour[k], parcel);
        saturate(air.p[k + 1], air.z[k + 1], was.temperature - real(0.006) * air.depth[k], parcel);
        take_out((1 - kept) * parcel.condensate(), parcel);
        const real here = buoyancy(air, k + 1, parcel);
        const real work = air.depth[k] * gravity * (under + here);
        const real slow = kinetic;
        kinetic = ((1 - 2 * x) * kinetic + work) / (1 + 2 * x);
        if (cloud.base == 0 && parcel.condensate() > 0) {
            const bool lower = slow > 0 && k > start && saturates_low(air, k, was, parcel.condensate());
            if (!lower && kinetic <= 0) return false;
            cloud.base = lower ? k : k + 1;
            cloud.parcel = lower ? was : parcel;
            cloud.kinetic = lower ? slow : kinetic;
        }
        cloud.top = k + 1;
        if (kinetic <= 0) break;
        under = here;
    }
    return cloud.base > 0 && cloud.top > cloud.base;
}

/// Of this dry static energy and vapour at an interface.
Parcel parcel_of(const Air &air, int interface, real dry, real vapour) {
    Parcel parcel;
    parcel.h = dry + vaporisation * vapour;
    parcel.water = vapour;
    saturate(air.p[interface], air.z[interface], air.t[interface], parcel);
    return parcel;
}

bool find_shallow(const Air &air, Cloud &cloud) {
    constexpr real karman = real(0.4);
    const real t = air.temperature[0];
    const real density = air.mass[0] / air.depth[0];
    const real flux = air.heat_flux / heat_capacity + constants::virtual_factor * t * air.vapour_flux;
    if (flux <= 0) return false;
    const real speed = real(1.2) * std::cbrt(real(1e-3) + real(1.5) * karman * gravity * air.height[0] /
                                                              (density * t) * flux);
    const real warmer = std::max(real(1.5) * air.heat_flux / (density * heat_capacity * speed), real(0));
    const real moister = std::max(real(1.5) * air.vapour_flux / (density * speed), real(0));
    const Parcel parcel = parcel_of(air, 1, air.dry(0) + heat_capacity * warmer, air.vapour[0] + moister);
    const auto entrainment = [&](int k) { return real(0.8) / air.height[k] + real(2e-4); };
    return follow(air, 1, parcel, speed * speed / 2, 1, entrainment, cloud) &&
           air.p[cloud.base] - air.p[cloud.top] <= deep_from;
}

/// Dry static energy and vapour of a source: a layer, or near the ground the mean of it and those above.
void mixed_source(const Air &air, int source, real &dry, real &vapour) {
    dry = air.dry(source);
    vapour = air.vapour[source];
    if (air.p[0] - air.pressure[source] > mixed_below) return;
    real mass = 0;
    dry = vapour = 0;
    for (int k = source; k + 1 < air.nz && air.p[source] - air.p[k] < mixed_over; ++k) {
        dry += air.mass[k] * air.dry(k);
        vapour += air.mass[k] * air.vapour[k];
        mass += air.mass[k];
    }
    dry /= mass;
    vapour /= mass;
}

bool find_deep(const Air &air, Cloud &cloud) {
    constexpr real warmer = real(0.2), moister = real(1e-4);
    for (int n = 0; n + 2 < air.nz && air.p[0] - air.pressure[n] < sources_below; ++n) {
        real dry = 0, vapour = 0;
        mixed_source(air, n, dry, vapour);
        const Parcel parcel = parcel_of(air, n + 1, dry + heat_capacity * warmer, vapour + moister);
        const auto entrainment = [&](int k) {
            const real drier = std::min(air.saturated[k] / air.saturated[n], real(1));
            return real(1.75e-3) * drier * drier * drier;
        };
        if (!follow(air, n + 1, parcel, real(0.5), real(0.5), entrainment, cloud)) continue;
        if (air.p[cloud.base] - air.p[cloud.top] < deep_from) continue;
        cloud.source = n;
        cloud.foot = air.p[0] - air.pressure[n] < mixed_below ? 0 : n;
        return true;
    }
    return false;
}

bool find_middle(const Air &air, Cloud &cloud) {
    constexpr real lowest = 500, highest = 10000, moist = real(0.8), cooler = real(-0.5);
    for (int k = 1; k + 2 < air.nz && air.height[k] < highest; ++k) {
        if (air.height[k] <= lowest || air.humidity(k) <= moist || air.updraught[k] <= 0) continue;
        Parcel parcel = parcel_of(air, k + 1, air.dry(k), air.vapour[k]);
        if (parcel.condensate() <= 0) continue;
        if (parcel.density_temperature() - air.virtual_temperature(k + 1) <= cooler) continue;
        cloud.parcel = parcel;
        cloud.kinetic = real(0.5);
        cloud.source = cloud.foot = k;
        cloud.base = cloud.top = k + 1;
        return true;
    }
    return false;
}

} // namespace

Cloud find_cloud(const Air &air) {
    Cloud cloud;
    if (find_deep(air, cloud))
        cloud.kind = Kind::deep;
    else if (find_shallow(air, cloud)) {
        cloud.kind = Kind::shallow;
        cloud.source = cloud.foot = 0;
    } else if (find_middle(air, cloud))
        cloud.kind = Kind::middle;
    return cloud;
}

} // namespace squall::tiedtke
