#include "physics/noah_mp/turbulence.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah_mp {
namespace {

/// The air's buoyancy flux over the cube of a Monin-Obukhov length's friction velocity [s-1 m-2 ...]: not 0.
real away_from_zero(real x) { return std::abs(x) <= tiny ? tiny : x; }

struct Corrections {
    real momentum, heat;
};

/// Paulson (1970) where unstable, -5 zeta where stable.
Corrections corrections(real zeta) {
    if (zeta >= 0) return {-5 * zeta, -5 * zeta};
    const real x = std::sqrt(std::sqrt(1 - 16 * zeta));
    const real of_square = std::log((1 + x * x) / 2);
    return {2 * std::log((1 + x) / 2) + of_square - 2 * std::atan(x) + real(1.5707963), 2 * of_square};
}

real profile(real neutral, real psi) {
    const real p = neutral - psi;
    return std::abs(p) <= tiny ? tiny : p;
}

} // namespace

Similarity::Similarity(const Air &air, real height, real displacement, real z0)
    : air_(air), height_(height - displacement), z0_(z0) {}

void Similarity::find_stability(real heat) {
    const real former = stability_;
    const real virtual_temperature = (1 + real(0.61) * air_.humidity) * air_.temperature;
    const real buoyancy =
        away_from_zero(karman * gravity / virtual_temperature * heat / (air_.density * heat_of_air));
    const real length = -friction_velocity_ * friction_velocity_ * friction_velocity_ / buoyancy;
    stability_ = std::min(height_ / length, real(1));
    stability_2m_ = std::min((2 + z0_) / length, real(1));
    if (former * stability_ < 0) ++turns_;
    if (turns_ >= 2) {
        stability_ = stability_2m_ = 0;
        psi_momentum_ = psi_heat_ = psi_heat_2m_ = 0;
    }
}

void Similarity::iterate(real heat) {
    if (!first_) find_stability(heat);
    const Corrections here = corrections(stability_), low = corrections(stability_2m_);
    const real of_last = first_ ? real(0) : real(0.5); // so that it does not flip from one to the next
    psi_momentum_ = of_last * psi_momentum_ + (1 - of_last) * here.momentum;
    psi_heat_ = of_last * psi_heat_ + (1 - of_last) * here.heat;
    psi_heat_2m_ = of_last * psi_heat_2m_ + (1 - of_last) * low.heat;
    first_ = false;
    const real neutral = std::log(height_ / z0_), neutral_2m = std::log((2 + z0_) / z0_);
    psi_momentum_ = std::min(psi_momentum_, real(0.9) * neutral);
    psi_heat_ = std::min(psi_heat_, real(0.9) * neutral);
    psi_heat_2m_ = std::min(psi_heat_2m_, real(0.9) * neutral_2m);
    const real momentum = profile(neutral, psi_momentum_);
    heat_ = karman * karman / (momentum * profile(neutral, psi_heat_));
    friction_velocity_ = air_.stirred() * karman / std::abs(momentum);
}

real Similarity::conductance_2m() const {
    return friction_velocity_ * karman / (std::log((2 + z0_) / z0_) - psi_heat_2m_);
}

CanopyResistances BelowCanopy::iterate(real friction_velocity, real density, real heat, real temperature) {
    const CanopyAir &c = canopy_;
    real zeta = 0;
    if (!first_) {
        const real buoyancy = away_from_zero(karman * gravity / temperature * heat / (density * heat_of_air));
        const real length = -friction_velocity * friction_velocity * friction_velocity / buoyancy;
        zeta = std::min((c.displacement - c.z0_ground) / length, real(1));
    }
    const real now = zeta < 0 ? 1 / std::sqrt(std::sqrt(1 - 15 * zeta)) : 1 + real(4.7) * zeta;
    correction_ = first_ ? now : (correction_ + now) / 2;
    first_ = false;
    const real absorbed = std::sqrt(c.wind_absorption * c.area * c.top * correction_);
    const real from = std::exp(-absorbed * c.z0_ground / c.top),
               to = std::exp(-absorbed * (c.z0 + c.displacement) / c.top);
    const real diffusivity = std::max(karman * friction_velocity * (c.top - c.displacement), tiny);
    constexpr real leaf_width = real(0.04); // [m]
    const real around = absorbed * 50 / (1 - std::exp(-absorbed / 2)) * std::sqrt(leaf_width / c.wind);
    return {c.top * std::exp(absorbed) / absorbed * (from - to) / diffusivity,
            std::clamp(around, real(5), real(50))};
}

} // namespace squall::noah_mp
