#include "physics/tiedtke_1989/cloud.hpp"

#include <cmath>

namespace squall::tiedtke_1989 {
namespace {

/// False: air from the ground does not condense before it is too heavy.
bool find_base(const Air &air, Cloud &cloud) {
    Moist parcel{air.t[1], air.q[1]};
    cloud.u = air.u[0] * air.mass[0], cloud.v = air.v[0] * air.mass[0];
    for (int k = 2; k + 1 < air.nz; ++k) {
        cloud.u += air.u[k - 1] * air.mass[k - 1], cloud.v += air.v[k - 1] * air.mass[k - 1];
        parcel.t += gravity / heat_capacity * (air.z[k - 1] - air.z[k]);
        const real before = parcel.q;
        saturate(air.p[k], Change::condensation, parcel);
        if (buoyancy(air, k, parcel, 0) + kick <= 0) return false;
        if (parcel.q != before) {
            const real mass = (air.p[0] - air.p[k]) / gravity;
            cloud.base = k;
            cloud.air = parcel;
            cloud.liquid = before - parcel.q;
            cloud.u /= mass, cloud.v /= mass;
            return true;
        }
        cloud.work += lift(air, k, parcel, 0) * (air.height[k] - air.height[k - 1]);
    }
    return false;
}

real vapour_supply(const Air &air, int below) {
    real sum = 0;
    for (int k = 0; k < below; ++k) sum += air.moistening[k] * air.mass[k];
    return sum;
}

/// Uppermost interface at which air from the base that does not mix is lighter than around.
int highest_of(const Air &air, const Cloud &cloud) {
    const real energy =
        heat_capacity * cloud.air.t + gravity * air.z[cloud.base] + vaporisation * cloud.air.q;
    int highest = cloud.base + 1;
    for (int k = highest + 1; k < air.nz - 1; ++k)
        if (energy > air.neutral_energy(k)) highest = k;
    return highest;
}

int organised_detrainment_from(const Air &air, const Cloud &cloud) {
    constexpr real scale = 25; // [m]
    real energy = 0;
    for (int k = cloud.base + 1; k <= cloud.highest; ++k) {
        const real depth = constants::r_d * air.t[k] / air.p[k] * air.mass[k];
        const real growth =
            (air.dry(k) - air.dry(k - 1) + vaporisation * (air.vapour[k] - air.vapour[k - 1])) /
            (air.height[k] - air.height[k - 1]);
        const real wider = std::sqrt(1 + (air.z[k] - air.z[cloud.base]) / scale);
        energy += growth * wider * depth;
        if (energy > -vaporisation * (air.q_s[k] - air.q[k]) * wider) return k;
    }
    return cloud.base;
}

} // namespace

void Cloud::become(Kind now, bool over_land) {
    constexpr real deep = real(1e-4), shallow = real(1.2e-3), middle = real(1e-4);
    constexpr real more_over_land = real(1.1);
    kind = now;
    entrainment = now == Kind::middle ? middle
                  : over_land         ? more_over_land * (now == Kind::deep ? deep : shallow)
                  : now == Kind::deep ? deep
                                      : shallow;
}

real most_flux(const Air &air, int base) { return air.mass[base] / air.interval; }

real flux_for_supply(const Air &air, const Cloud &cloud, real share, real returning) {
    const real around = air.q[cloud.base], least = std::max(real(0.01) * around, real(1e-10));
    const real excess = cloud.air.q + cloud.liquid - share * returning - (1 - share) * around;
    return cloud.supply > 0 && excess > least ? cloud.supply / excess : real(0);
}

Cloud find_cloud(const Air &air) {
    Cloud cloud;
    cloud.highest = air.middle_clouds_end;
    if (!find_base(air, cloud)) return cloud;
    cloud.supply = vapour_supply(air, cloud.base);
    const real flux = flux_for_supply(air, cloud, 0, 0);
    if (flux <= 0) return cloud;
    constexpr real more_than_the_surface = real(1.1);
    const bool converging =
        vapour_supply(air, air.nz) > std::max(more_than_the_surface * air.vapour_flux, real(0));
    cloud.become(converging ? Kind::deep : Kind::shallow, air.land);
    cloud.flux = std::min(flux, most_flux(air, cloud.base));
    cloud.highest = highest_of(air, cloud);
    cloud.detrains_from = std::min(organised_detrainment_from(air, cloud), cloud.highest);
    return cloud;
}

} // namespace squall::tiedtke_1989
