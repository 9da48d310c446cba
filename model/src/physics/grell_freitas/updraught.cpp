#include <cmath>

#include "physics/grell_freitas/draughts.hpp"

namespace squall::grell_freitas {
namespace {

constexpr real leaves_behind = real(1e-3), shallow_raining_rate = real(1e-3); // [m-1]

/// Share of condensate that becomes rain over a height [m-1].
real raining_rate(real kelvin) {
    constexpr real freezing = real(273.15);
    const real warm = real(4e-3);
    return kelvin < freezing ? warm * std::exp(real(0.07) * (kelvin - freezing)) : warm;
}

} // namespace

Draught::Draught(int layers)
    : flux(layers), entrained(layers), detrained(layers), h(layers), q(layers), u(layers), v(layers) {}

void Draught::clear() {
    for (Profile *f : {&flux, &entrained, &detrained}) f->clear();
}

Updraught::Updraught(int layers)
    : Draught(layers), condensate(layers), forms(layers), left(layers), energy_(layers) {}

bool Updraught::rise(const Air &air, Cloud &cloud) {
    clear();
    shape(air, cloud);
    exchange(air, cloud);
    if (!ascend(air.forced, cloud, h) || !end(air, cloud)) return false;
    for (int k = cloud.top + 1; k < air.nz; ++k) {
        flux[k] = entrained[k] = detrained[k] = 0;
        h[k] = air.forced.h_saturated[k];
    }
    carry(air.u, air.east, cloud, u);
    carry(air.v, air.north, cloud, v);
    condense(air, cloud);
    leave_behind(air, cloud);
    return true;
}

void Updraught::shape(const Air &air, const Cloud &cloud) {
    constexpr real first = real(0.1);
    const Shape beta(air.p[cloud.source], air.p[cloud.top], cloud.largest, cloud.beta);
    const real norm = beta.norm();
    real most = 0;
    for (int k = cloud.source; k <= cloud.top; ++k) {
        flux[k] = first + norm * beta.at(air.p[k]);
        most = std::max(most, flux[k]);
    }
    for (int k = cloud.source; k <= cloud.top; ++k) flux[k] /= most;
}

void Updraught::exchange(const Air &air, const Cloud &cloud) {
    int peak = cloud.source;
    for (int k = cloud.source; k <= cloud.top; ++k)
        if (flux[k] > flux[peak]) peak = k;
    for (int k = cloud.source; k < cloud.top; ++k) {
        const real thick = air.z[k + 1] - air.z[k], grows = flux[k + 1] - flux[k];
        if (k < peak && cloud.shallow)
            entrained[k] = std::max(grows + entrainment(air, cloud, k) * thick * flux[k], real(0));
        else if (k < peak)
            entrained[k] = std::max(grows, real(0));
        else
            entrained[k] = std::max(entrainment(air, cloud, k) * thick * flux[k], grows);
        detrained[k] = entrained[k] - grows;
    }
    detrained[cloud.top] = flux[cloud.top];
}

/// Energy at interfaces. False: nothing is left of it.
bool Updraught::ascend(const Sounding &sounding, const Cloud &cloud, Profile &energy) const {
    for (int k = 0; k < cloud.source; ++k) energy[k] = sounding.h[k];
    energy[cloud.source] = source_energy(sounding, cloud, cloud.source);
    for (int k = cloud.source; k < cloud.top; ++k) {
        const real rest = flux[k] - real(0.5) * detrained[k], mass = rest + entrained[k];
        if (mass < least_mass) return false;
        energy[k + 1] = (energy[k] * rest + entrained[k] * sounding.energy[k]) / mass;
    }
    return true;
}

/// Lowers the top to the first interface above buoyant air; of shallow ones, to that above which buoyancy has
/// worked most. False: the cloud is too shallow.
bool Updraught::end(const Air &air, Cloud &cloud) {
    if (cloud.shallow) {
        real buoyancy = 0, most = 0;
        int highest = 0;
        for (int k = cloud.source + 1; k <= cloud.top; ++k) {
            buoyancy += (h[k] - air.forced.h_saturated[k]) * (air.z[k + 1] - air.z[k]);
            if (buoyancy > most) most = buoyancy, highest = k;
        }
        cloud.top = std::min(cloud.top, highest + 1);
        entrained[cloud.top] = 0;
        detrained[cloud.top] = flux[cloud.top];
        return cloud.top > cloud.base && cloud.top + 2 < air.nz;
    }
    for (int k = cloud.top - 1; k >= cloud.base; --k)
        if (h[k] > air.forced.h_saturated[k]) {
            cloud.top = k + 1;
            break;
        }
    return cloud.top >= cloud.base + 2;
}

real Updraught::work_in(const Air &air, const Sounding &sounding, const Cloud &cloud) {
    if (!ascend(sounding, cloud, energy_)) return 0;
    real work = 0;
    for (int k = cloud.base; k <= cloud.top; ++k) {
        if (k - 1 <= cloud.source) continue;
        const real buoyancy = energy_[k - 1] - sounding.h_saturated[k - 1];
        work += std::max(real(0), flux[k] * (air.height[k] - air.height[k - 1]) *
                                      (gravity / (heat_capacity * sounding.t[k])) * buoyancy /
                                      (1 + sounding.gamma[k]));
    }
    return work;
}

real Updraught::energy_in(const Sounding &sounding, const Cloud &cloud) {
    return ascend(sounding, cloud, energy_) ? energy_[cloud.base] : sounding.h[cloud.base];
}

void Updraught::carry(const Profile &layers, const Profile &between, const Cloud &cloud,
                      Profile &wind) const {
    constexpr real more = 2; // of what is detrained, that comes and goes besides
    for (int k = 0; k < between.size(); ++k) wind[k] = between[k];
    for (int k = cloud.source; k < cloud.top; ++k) {
        const real in = entrained[k] + more * detrained[k], out = (1 + more) * detrained[k];
        const real rest = flux[k] - real(0.5) * out;
        wind[k + 1] = (wind[k] * rest + in * layers[k]) / (rest + in);
    }
}

/// Vapour, condensate and rain at interfaces.
void Updraught::condense(const Air &air, const Cloud &cloud) {
    const Sounding &around = air.forced;
    condensate.clear(), forms.clear();
    raining = all = 0;
    for (int k = 0; k < air.nz; ++k) q[k] = around.q[k];
    real water = cloud.shallow ? cloud.excess.vapour : real(0);
    const int mixed = std::min(cloud.source + 1, 3);
    for (int k = cloud.source; k > cloud.source - mixed; --k) water += around.q[k] / real(mixed);
    q[cloud.source] = water;
    for (int k = cloud.source + 1; k <= cloud.top; ++k) {
        const real rest = flux[k - 1] - real(0.5) * detrained[k - 1];
        water = (water * rest + entrained[k - 1] * around.vapour[k - 1]) / (rest + entrained[k - 1]);
        q[k] = water;
        if (k < cloud.base && !cloud.shallow) continue;
        const real saturated = around.saturated_with(h[k] - around.h_saturated[k], k);
        if ((k == cloud.base || cloud.shallow) && water <= saturated) continue;
        const real thick = air.z[k] - air.z[k - 1];
        const real rains = cloud.shallow ? shallow_raining_rate : raining_rate(around.t[k]);
        const real stays = cloud.shallow || k == cloud.base || k == cloud.top ? real(0) : leaves_behind;
        condensate[k] = std::max(water - saturated, real(0)) / (1 + (stays + rains) * thick);
        forms[k] = rains * thick * condensate[k] * flux[k];
        q[k] = saturated;
        water = saturated + condensate[k];
        all += forms[k];
        if (k > cloud.base) raining += forms[k];
    }
}

void Updraught::leave_behind(const Air &air, const Cloud &cloud) {
    left.clear();
    left[cloud.top] = detrained[cloud.top] * condensate[cloud.top];
    if (cloud.shallow) return;
    for (int k = cloud.base + 1; k < cloud.top; ++k)
        left[k] = flux[k] * leaves_behind * condensate[k] * (air.z[k] - air.z[k - 1]);
    left[cloud.top] *= real(0.5);
}

} // namespace squall::grell_freitas
