#include "physics/tiedtke_1989/draughts.hpp"

namespace squall::tiedtke_1989 {

Downdraught::Downdraught(int layers)
    : flux(layers + 1), t(layers + 1), q(layers + 1), u(layers + 1), v(layers + 1), evaporated(layers) {}

void Downdraught::clear() {
    for (Profile *f : {&flux, &evaporated}) f->clear();
    start = 0;
}

void Downdraught::scale(real factor) {
    for (int k = 0; k <= start && start > 0; ++k) {
        flux[k] *= factor;
        evaporated[k] *= factor;
    }
}

void Downdraught::sink(const Air &air, const Cloud &cloud, const Updraught &up) {
    clear();
    real falling = 0;
    for (int k = 0; k < air.nz; ++k) falling += up.forms[k];
    if (falling <= 0 || !begin(air, cloud, up, falling)) return;
    for (int k = start - 1; k >= 1 && pass(air, k, falling); --k) {
    }
}

/// Finds where it starts; `falling` is the precipitation that is left.
bool Downdraught::begin(const Air &air, const Cloud &cloud, const Updraught &up, real &falling) {
    const real first = of_updraught * cloud.flux;
    for (int k = std::min(up.top - 1, air.nz - 2); k > std::max(cloud.base, air.spread_below); --k) {
        Moist wet{air.t[k], air.q[k]};
        saturate(air.p[k], Change::evaporation, wet);
        const Moist mixed{(up.t[k] + wet.t) / 2, (up.q[k] + wet.q) / 2};
        const real evaporates = first * (wet.q - air.q[k]);
        if (buoyancy(air, k, mixed, 0) >= 0 || falling <= 10 * evaporates) continue;
        start = k;
        flux[k] = first;
        t[k] = mixed.t, q[k] = mixed.q;
        u[k] = (up.u[k] + air.u[k]) / 2, v[k] = (up.v[k] + air.v[k]) / 2;
        evaporated[k] = evaporates / 2;
        falling -= evaporated[k];
        return true;
    }
    return false;
}

/// From the top of layer k to its bottom; false where it ends.
bool Downdraught::pass(const Air &air, int k, real &falling) {
    constexpr real mixing = real(2e-4); // [m-1]
    const int from = k + 1;
    real in = 0, out = 0;
    if (k < air.spread_below)
        out = flux[air.spread_below] * air.mass[k] * gravity / (air.p[0] - air.p[air.spread_below]);
    else
        in = out = mixing * flux[from] * constants::r_d * air.t[from] / air.p[from] * air.mass[k];
    const real now = flux[from] + in - out;
    if (now <= 0) return false;
    const real rest = (flux[from] - out) / now, fresh = in / now;
    const real s = rest * (heat_capacity * t[from] + gravity * air.z[from]) + fresh * air.dry_at(from);
    Moist parcel{std::clamp((s - gravity * air.z[k]) / heat_capacity, real(100), real(400)),
                 rest * q[from] + fresh * air.q[from]};
    const real before = parcel.q;
    saturate(air.p[k], Change::evaporation, parcel);
    const real evaporates = now * (parcel.q - before);
    if (buoyancy(air, k, parcel, 0) >= 0 || falling <= evaporates) return false;
    flux[k] = now;
    t[k] = parcel.t, q[k] = parcel.q;
    u[k] = rest * u[from] + fresh * air.u[k];
    v[k] = rest * v[from] + fresh * air.v[k];
    evaporated[k] = evaporates;
    falling -= evaporates;
    return true;
}

} // namespace squall::tiedtke_1989
