#include <cmath>

#include "physics/tiedtke_1989/draughts.hpp"

namespace squall::tiedtke_1989 {
namespace {

constexpr real most_organised = real(1e-3); // [m-1]
constexpr real most_given_off = real(0.75); // of what is there
constexpr real half_pi = real(1.5707963);

/// Air as heavy as that around an interface, with condensate, just saturated.
Moist neutral(const Air &air, int k, real liquid) {
    const real growth = vaporisation * air.q_s[k] / (constants::r_v * air.t[k] * air.t[k]);
    const real warmer = (liquid - constants::virtual_factor * (air.q_s[k] - air.q[k])) /
                        (1 / air.t[k] + constants::virtual_factor * growth);
    return {air.t[k] + warmer, air.q_s[k] + growth * warmer};
}

/// Layer in which the grid's own ascent is strongest, below the uppermost two; the lowest, if there is none.
int strongest_ascent(const Air &air) {
    int strongest = 0;
    for (int k = 0; k + 2 < air.nz; ++k)
        if (air.lifted[k] > std::max(air.lifted[strongest], real(0))) strongest = k;
    return strongest;
}

/// Whether air is taken in by turbulence in this layer.
bool mixes(const Air &air, const Cloud &cloud, int k) {
    const real middle = (air.p[cloud.base] + air.p[cloud.highest]) / 2;
    switch (cloud.kind) {
    case Kind::deep:
        return true;
    case Kind::shallow:
        return air.p[cloud.base] - air.p[k + 1] < shallow_below || air.p[k + 1] > middle;
    default:
        return k <= std::min(strongest_ascent(air), cloud.highest - 3) || air.pressure[k] > middle;
    }
}

} // namespace

/// What a layer and the updraught exchange [kg m-2 s-1]: by turbulence and organised.
struct Updraught::Step {
    real in = 0, out = 0, drawn = 0, sorted = 0;
    real change() const { return in + drawn - out - sorted; }
};

Updraught::Updraught(int layers)
    : flux(layers + 1), t(layers + 1), q(layers + 1), liquid(layers + 1), u(layers + 1), v(layers + 1),
      detrained_liquid(layers), forms(layers) {}

void Updraught::clear() {
    for (Profile *f : {&flux, &liquid, &detrained_liquid, &forms}) f->clear();
    top = 0;
}

bool Updraught::rise(const Air &air, Cloud &cloud) {
    clear();
    if (cloud.from_below() && begin(air, cloud)) {
        work_ = cloud.work;
        climb(air, cloud);
        return top > 2;
    }
    return rise_from_aloft(air, cloud);
}

/// Whether what has condensed at the base is lighter than around.
bool Updraught::begin(const Air &air, const Cloud &cloud) {
    return cloud.base <= cloud.highest && buoyancy(air, cloud.base, cloud.air, cloud.liquid) + kick > 0;
}

/// The lowest layer that can, above a base from which nothing rises. `flux` of the cloud is the grid's own.
bool Updraught::rise_from_aloft(const Air &air, Cloud &cloud) {
    constexpr real humid = real(0.8), most = 1;
    const int lowest = cloud.from_below() ? std::max(cloud.base, air.lowest_source) : air.lowest_source;
    for (int k = lowest; k <= air.highest_source; ++k) {
        if (air.vapour[k] <= humid * air.saturated[k]) continue;
        if (air.lifted[k] <= 0 && !air.as_wrf) continue;
        Moist parcel{(air.dry(k) - gravity * air.z[k + 1]) / heat_capacity, air.vapour[k]};
        saturate(air.p[k + 1], Change::condensation, parcel);
        if (parcel.q == air.vapour[k]) continue;
        Cloud aloft = cloud;
        aloft.become(Kind::middle, air.land);
        aloft.base = k + 1;
        aloft.air = parcel;
        aloft.liquid = air.vapour[k] - parcel.q;
        aloft.u = air.u[k], aloft.v = air.v[k];
        aloft.flux = std::min(std::clamp(air.lifted[k], least_flux, most), most_flux(air, k + 1));
        if (!begin(air, aloft)) continue;
        cloud = aloft;
        work_ = 0;
        climb(air, cloud);
        return true;
    }
    return false;
}

void Updraught::climb(const Air &air, const Cloud &cloud) {
    top = cloud.base;
    flux[top] = cloud.flux;
    t[top] = cloud.air.t;
    q[top] = cloud.air.q;
    liquid[top] = cloud.liquid;
    u[top] = cloud.u;
    v[top] = cloud.v;
    draw_in_above(air, cloud, top);
    for (int k = cloud.base; k + 1 < air.nz && pass(air, cloud, k); ++k) {
        top = k + 1;
        draw_in_above(air, cloud, top);
    }
    end();
}

/// Of the layer above an interface.
void Updraught::draw_in_above(const Air &air, const Cloud &cloud, int k) {
    drawn_ = 0;
    if (cloud.kind != Kind::deep) return;
    const real b = lift(air, k, {t[k], q[k]}, liquid[k]);
    work_ += b * (air.height[k] - air.height[k - 1]);
    drawn_ = std::clamp(b / (2 * (1 + work_)) + air.density_growth(k), real(0), most_organised);
}

Updraught::Step Updraught::exchange(const Air &air, const Cloud &cloud, int k) const {
    Step step;
    const real from = flux[k], most = air.mass[k + 1] / air.interval;
    const real thick = air.mass[k] * constants::r_d * air.t[k] / air.p[k], depth = air.z[k + 1] - air.z[k];
    step.out = cloud.entrainment * from * thick;
    if (mixes(air, cloud, k)) step.in = step.out;
    step.in = std::max(step.in - std::max(from + step.change() - most, real(0)), real(0));
    step.out = std::min(step.out, most_given_off * from);
    if (cloud.kind != Kind::deep) return step;

    const real base_energy =
        heat_capacity * cloud.air.t + gravity * air.z[cloud.base] + vaporisation * cloud.air.q;
    const int above = k + 1;
    if (above >= cloud.detrains_from && above <= cloud.highest && cloud.highest > cloud.detrains_from) {
        const real height = air.z[cloud.highest] - air.z[cloud.detrains_from];
        const real share = (air.z[above] - air.z[cloud.detrains_from]) / height;
        const real rate = share < 1 ? std::tan(half_pi * share) * half_pi / height : most_organised;
        step.sorted = std::min(rate, most_organised) * from * thick;
    }
    step.drawn = drawn_ * depth * from;
    step.drawn = std::max(step.drawn - std::max(from + step.change() - most, real(0)), real(0));
    // No more than lets it come as high as air from the base does that does not mix.
    const real energy = heat_capacity * t[k] + vaporisation * q[k] + gravity * air.z[k];
    real span = (air.z[cloud.highest] - air.z[k]) * (energy - air.neutral_energy(k));
    if (span <= 0) span = 1;
    step.sorted = std::min(step.sorted, std::max((base_energy - energy) / span * depth * from, real(0)));
    step.sorted = std::min(step.sorted, most_given_off * (from + step.in - step.out));
    return step;
}

/// Through layer k; false where it is heavy above, and carries nothing further.
bool Updraught::pass(const Air &air, const Cloud &cloud, int k) {
    const int above = k + 1;
    const Step step = exchange(air, cloud, k);
    const real from = flux[k], now = from + step.change();
    const real in = step.in + step.drawn;
    const Moist given = neutral(air, k, liquid[k]);
    const real s = heat_capacity * t[k] + gravity * air.z[k];
    const real s_given = heat_capacity * given.t + gravity * air.z[k];
    detrained_liquid[k] = liquid[k] * (step.out + step.sorted);
    liquid[above] = (from * liquid[k] - detrained_liquid[k]) / now;
    Moist parcel{((from - step.out) * s + in * air.dry_at(k) - step.sorted * s_given) / now,
                 ((from - step.out) * q[k] + in * air.q[k] - step.sorted * given.q) / now};
    parcel.t = std::clamp((parcel.t - gravity * air.z[above]) / heat_capacity, real(100), real(400));
    const real before = parcel.q;
    saturate(air.p[above], Change::condensation, parcel);
    liquid[above] += before - parcel.q;
    t[above] = parcel.t;
    q[above] = parcel.q;
    move_wind(air, cloud, k, in, step.out + step.sorted);
    constexpr real least = real(0.01); // of that at the base
    if (parcel.q == before || buoyancy(air, above, parcel, liquid[above]) <= 0 || now <= least * cloud.flux ||
        above > cloud.highest || above + 1 >= air.nz)
        return false;
    flux[above] = now;
    if (air.p[cloud.base] - air.p[above] >= shallow_below) {
        const real left = liquid[above] / (1 + real(1.1e-3) * (air.z[above] - air.z[k]));
        forms[k] = (liquid[above] - left) * now;
        liquid[above] = left;
    }
    return true;
}

void Updraught::move_wind(const Air &air, const Cloud &cloud, int k, real in, real out) {
    const real times = (cloud.kind == Kind::shallow ? 0 : 2) + (in > 0 ? 0 : 1);
    const real more = std::min(times * out, std::max(most_given_off * flux[k] - out, real(0)));
    const real now = flux[k] + in - out;
    const auto move = [&](Profile &inside, const Profile &wind) {
        inside[k + 1] = ((flux[k] - out - more) * inside[k] + (in + more) * wind[k]) / now;
    };
    move(u, air.u);
    move(v, air.v);
}

/// What goes on through one more layer.
void Updraught::end() {
    constexpr real share = real(0.3);
    const int next = top + 1;
    flux[next] = share * flux[top];
    detrained_liquid[top] = (1 - share) * flux[top] * liquid[top];
    detrained_liquid[next] = flux[next] * liquid[next];
    u[next] = u[top];
    v[next] = v[top];
}

} // namespace squall::tiedtke_1989
