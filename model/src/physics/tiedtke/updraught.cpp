#include <cmath>

#include "physics/tiedtke/draughts.hpp"

namespace squall::tiedtke {
namespace {

constexpr real fastest = 15; // for precipitation [m s-1]
constexpr real most_condensate = real(5e-3);

real cube(real x) { return x * x * x; }

/// What is left of `old` and of `fresh`, which came evenly, after a loss of `lost` e-foldings.
real after_loss(real old, real fresh, real lost) {
    if (lost < real(1e-4)) return old + fresh;
    const real left = std::exp(-lost);
    return old * left + fresh / lost * (1 - left);
}

real speed_of(real kinetic) { return std::min(std::sqrt(2 * std::max(kinetic, real(0.1))), fastest); }

} // namespace

/// What changes from layer to layer beside the parcel.
struct Updraught::Motion {
    real kinetic;           ///< K [m2 s-2]
    real buoyancy;          ///< warmer than around, at the lower interface [K]
    real carried = 0;       ///< precipitation in the updraught [kg kg-1]
    real diluted = 0;       ///< condensate that came from below, after dilution
    real sum = 0, over = 0; ///< of K over pressure
};

Updraught::Updraught(int layers)
    : flux(layers + 1), parcel(static_cast<std::size_t>(layers + 1)), entrained(layers), detrained(layers),
      rain(layers), snow(layers) {}

void Updraught::clear() {
    for (Profile *f : {&flux, &entrained, &detrained, &rain, &snow}) f->clear();
}

/// Below the base as much comes in from each layer as it weighs.
void Updraught::draw_in(const Air &air, const Cloud &cloud) {
    const real all = air.p[cloud.foot] - air.p[cloud.base];
    for (int k = cloud.foot; k < cloud.base; ++k) {
        flux[k] = first_flux * (air.p[cloud.foot] - air.p[k]) / all;
        entrained[k] = first_flux * (air.p[k] - air.p[k + 1]) / all;
    }
    flux[cloud.base] = first_flux;
}

void Updraught::rise(const Air &air, Cloud &cloud) {
    clear();
    draw_in(air, cloud);
    parcel[static_cast<std::size_t>(cloud.base)] = cloud.parcel;
    Motion motion{cloud.kinetic, 0}; // as in WRF, the base is neither warm nor cold
    top = cloud.base;
    for (int k = cloud.base; k + 1 < air.nz; ++k) {
        top = k + 1;
        if (!pass(air, cloud, k, motion)) break;
        precipitate(air, k, motion);
    }
    if (flux[top] > 0) { // at the model's top
        const int k = top - 1;
        detrained[k] += flux[top];
        flux[top] = rain[k] = snow[k] = 0;
    }
    cloud.top = top;
    if (top < cloud.base + 2) // it did not leave the layer of its base
        cloud.kind = Kind::none;
    else if (cloud.kind != Kind::middle)
        cloud.kind = air.p[cloud.base] - air.p[top] < deep_from ? Kind::shallow : Kind::deep;
    speed = std::sqrt(2 * std::max(motion.sum / std::max(motion.over, real(1)), real(5e-5)));
}

/// Through layer k to the interface above; false where it ends, all of it detrained.
bool Updraught::pass(const Air &air, const Cloud &cloud, int k, Motion &m) {
    const auto lower = static_cast<std::size_t>(k), upper = lower + 1;
    const Parcel &was = parcel[lower];
    Parcel &now = parcel[upper];
    const real from_below = flux[k], humidity = air.humidity(k), depth = air.depth[k];
    const bool deep = cloud.kind == Kind::deep;
    const real rate = m.buoyancy > real(-0.2)
                          ? real(1.75e-3) * (real(1.3) - humidity) *
                                cube(std::min(air.saturated[k] / air.saturated[cloud.base], real(1)))
                          : real(0);
    const real in = from_below * std::min((deep ? 1 : 2) * rate * depth, real(0.4));
    real out = (real(1.6) - humidity) * (deep ? from_below * real(0.75e-4) * depth : in);
    out = std::min(out, real(0.75) * from_below);
    const auto finish = [&](real leaving) {
        mix(from_below - leaving, was, in, air.moist(k), air.vapour[k], now);
        saturate(air.p[k + 1], air.z[k + 1], was.temperature - real(0.006) * depth, now);
        flux[k + 1] = from_below + in - leaving;
        m.diluted = (from_below - leaving) * was.condensate() / flux[k + 1];
    };
    finish(out);
    const real carried = m.carried * (from_below - out) / flux[k + 1];
    const real around = air.virtual_temperature(k + 1);
    const real buoyancy = now.density_temperature() - now.temperature * carried - around;
    const real work = gravity * depth / 3 * (buoyancy / around + m.buoyancy / air.virtual_temperature(k)) / 2;
    const real drag = std::min(real(1.949) * (in > 0 ? in : out) / from_below, real(1));
    const real kinetic = (m.kinetic * (1 - drag) + work) / (1 + drag);
    m.sum += m.kinetic * (air.p[k] - air.p[k + 1]);
    m.over += air.p[k] - air.p[k + 1];
    if (kinetic <= 0 || now.condensate() <= 0) {
        entrained[k] = flux[k + 1] = 0;
        detrained[k] = from_below;
        return false;
    }
    if (buoyancy < 0) {
        const real slower = std::sqrt(std::min(kinetic / m.kinetic, real(1)));
        if (from_below * (1 - slower) > out) finish(out = from_below * (1 - slower));
    }
    entrained[k] = in;
    detrained[k] = out;
    m.carried = carried;
    m.buoyancy = buoyancy;
    m.kinetic = kinetic;
    return true;
}

/// What falls out of the parcel that has come through layer k.
void Updraught::precipitate(const Air &air, int k, Motion &m) {
    Parcel &now = parcel[static_cast<std::size_t>(k + 1)];
    const real held = now.condensate(), critical = air.land ? real(5e-4) : real(3e-4);
    real left = std::min(held, most_condensate);
    if (held > critical) {
        constexpr real ice_begins = real(268.16);
        const real colder = std::clamp(ice_begins - now.temperature, real(0), ice_begins - no_liquid);
        const real faster = 1 + real(0.5) * std::sqrt(colder);
        const real x = held * faster / critical;
        const real lost = real(1.4e-3) / (real(0.75) * speed_of(m.kinetic)) * faster *
                          (1 - std::exp(-x * x)) * air.depth[k];
        left = std::min(left, std::max(after_loss(m.diluted, held - m.diluted, lost), real(0)));
    }
    const real amount = held - left, frozen = held > 0 ? now.ice / held : real(0);
    rain[k] = flux[k + 1] * amount * (1 - frozen);
    snow[k] = flux[k + 1] * amount * frozen;
    take_out(amount, now);
    const real all = m.carried + amount;
    if (all <= 0) return;
    const real share = liquid_share(now.temperature);
    const real falls = real(21.18) * std::pow(all, real(0.2)) * (share + real(0.5) * (1 - share));
    m.carried = std::min(after_loss(m.carried, amount, falls / speed_of(m.kinetic)), all);
}

} // namespace squall::tiedtke
