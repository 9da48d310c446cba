#include "physics/revised_mm5/mm5.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/revised_mm5/exchange.hpp"

namespace squall {
namespace {

using namespace revised_mm5;

constexpr real least_correction = -10, most_unstable = real(-9.9999), least_profile = 2;

real paulson_momentum(real zeta) {
    const real x = std::sqrt(std::sqrt(1 - 16 * zeta));
    return 2 * std::log((1 + x) / 2) + std::log((1 + x * x) / 2) - 2 * std::atan(x) +
           std::numbers::pi_v<real> / 2;
}

real paulson_heat(real zeta) { return 2 * std::log((1 + std::sqrt(1 - 16 * zeta)) / 2); }

/// The corrections of a column at any height.
struct Corrections {
    real z, z0;
    real at_top = 0; ///< of momentum and heat at z, where it is stable
    real zeta = 0;   ///< of z, where it is not

    template <class Psi> real operator()(Psi psi, real height) const {
        if (zeta == 0) return std::max(height / z * at_top, least_correction);
        const real of = std::clamp(height / z * zeta, most_unstable, real(0));
        return std::min(psi(of), real(0.9) * std::log(height / z0));
    }
};

Corrections corrections(const SurfaceColumns &c, int i, const Column &a) {
    const real richardson = bulk_richardson(c, i, a), neutral = std::log(a.z / c.roughness[i]);
    Corrections found{a.z, c.roughness[i]};
    if (richardson >= real(0.2))
        found.at_top = std::max(-10 * neutral, least_correction);
    else if (richardson > 0)
        found.at_top = std::max(-5 * richardson * neutral / (real(1.1) - 5 * richardson), least_correction);
    else if (richardson < 0) {
        const real ust = c.friction_velocity[i];
        found.zeta = ust < real(0.01)
                         ? richardson * neutral
                         : karman * constants::g / a.theta * a.z * c.temperature_scale[i] / (ust * ust);
        found.zeta = std::min(found.zeta, real(0));
    }
    return found;
}

ScalarProfiles scalar_profiles(const SurfaceColumns &c, int i, const Column &a, const Corrections &psi) {
    const real at_top = psi(paulson_heat, a.z), at_2m = psi(paulson_heat, 2), z0 = c.roughness[i];
    if (a.water) {
        const real of_scalars = scalar_roughness(c, i, Sea::coare).heat;
        const auto profile = [&](real z, real correction) {
            return std::max(std::log((z + of_scalars) / of_scalars) - correction, least_profile);
        };
        const real lowest = profile(a.z, at_top), low = profile(2, at_2m);
        return {lowest, low, lowest, low};
    }
    const auto vapour = [&](real z, real correction) {
        return std::log(karman * c.friction_velocity[i] * z / molecular_diffusivity + z / viscous_sublayer) -
               correction;
    };
    return {std::max(std::log(a.z / z0) - at_top, least_profile), std::log(2 / z0) - at_2m,
            vapour(a.z, at_top), vapour(2, at_2m)};
}

class Mm5 final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            const Column a = look(c, i);
            const Corrections psi = corrections(c, i, a);
            const real z0 = c.roughness[i];
            const real momentum = std::log(a.z / z0) - psi(paulson_momentum, a.z);
            const real to_10m = (std::log(10 / z0) - psi(paulson_momentum, 10)) / momentum;
            finish(c, i, a, {momentum, to_10m}, scalar_profiles(c, i, a, psi), real(0.1), Sea::coare);
        }
    }
};

} // namespace

SurfaceLayerEntry mm5_scheme() {
    return {"four classes of stability, the MM5 scheme of Zhang and Anthes (1982)",
            [] { return std::make_unique<Mm5>(); }};
}

} // namespace squall
