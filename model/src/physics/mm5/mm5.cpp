#include "physics/mm5/mm5.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "physics/mm5/similarity.hpp"

namespace squall {
namespace {

using namespace mm5;

constexpr real most_damped = -10;

struct Corrections {
    real momentum = 0, heat = 0;
};

Corrections paulson(real zeta) {
    const real x = std::sqrt(std::sqrt(1 - 16 * zeta));
    return {2 * std::log((1 + x) / 2) + std::log((1 + x * x) / 2) - 2 * std::atan(x) +
                std::numbers::pi_v<real> / 2,
            2 * std::log((1 + x * x) / 2)};
}

/// At the middle of the lowest layer and at so many metres.
struct Stability {
    Corrections lowest, at_2m, at_10m;
};

Stability damped(real psi, real z) {
    const auto at = [&](real height) {
        const real share = std::max(height / z * psi, most_damped);
        return Corrections{share, share};
    };
    return {{psi, psi}, at(2), at(10)};
}

/// Unstable: of what the last step found, or of Ri where hardly any wind blew.
Stability convective(const SurfaceColumns &c, int i, const Column &a, real neutral) {
    constexpr real calm = real(0.01), most = real(-9.9999);
    const real ust = c.friction_velocity[i];
    const real zeta = ust < calm
                          ? c.richardson[i] * neutral
                          : karman * constants::g / a.theta * a.z * c.temperature_scale[i] / (ust * ust);
    const auto at = [&](real height) {
        Corrections psi = paulson(std::clamp(height / a.z * zeta, most, real(0)));
        const real bound = real(0.9) * std::log(height / c.roughness[i]);
        psi.momentum = std::min(psi.momentum, bound);
        psi.heat = std::min(psi.heat, bound);
        return psi;
    };
    return {at(a.z), at(2), at(10)};
}

Stability stability_of(const SurfaceColumns &c, int i, const Column &a, real neutral) {
    constexpr real critical = real(0.2);
    const real richardson = c.richardson[i];
    if (richardson >= critical) return damped(std::max(-10 * neutral, most_damped), a.z);
    if (richardson > 0)
        return damped(std::max(-5 * richardson * neutral / (real(1.1) - 5 * richardson), most_damped), a.z);
    return richardson < 0 ? convective(c, i, a, neutral) : Stability{};
}

Profiles profiles(const SurfaceColumns &c, int i, const Column &a) {
    constexpr real least = 2;
    const real z0 = c.roughness[i], neutral = std::log(a.z / z0);
    const Stability psi = stability_of(c, i, a, neutral);
    Profiles p{};
    p.momentum = neutral - psi.lowest.momentum;
    p.momentum_10m = std::log(10 / z0) - psi.at_10m.momentum;
    if (a.water) {
        const real z0_scalar = scalar_roughness(c, i);
        const auto scalar = [&](real z, real correction) {
            return std::max(std::log((z + z0_scalar) / z0_scalar) - correction, least);
        };
        p.heat = p.vapour = scalar(a.z, psi.lowest.heat);
        p.heat_2m = p.vapour_2m = scalar(2, psi.at_2m.heat);
    } else {
        p.heat = std::max(neutral - psi.lowest.heat, least);
        p.heat_2m = std::log(2 / z0) - psi.at_2m.heat;
        p.vapour = through_sublayer(c, i, a.z) - psi.lowest.heat;
        p.vapour_2m = through_sublayer(c, i, 2) - psi.at_2m.heat;
    }
    return p;
}

class Mm5 final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            const Column a = look(c, i);
            find_richardson(c, i, a);
            finish(c, i, a, profiles(c, i, a), real(0.1));
        }
    }
};

} // namespace

SurfaceLayerEntry mm5_scheme() {
    return {"Monin-Obukhov similarity, the older MM5 scheme of Zhang and Anthes (1982)",
            [] { return std::make_unique<Mm5>(); }};
}

} // namespace squall
