#include "physics/revised_mm5/revised_mm5.hpp"

#include <algorithm>
#include <cmath>

#include "physics/mm5/similarity.hpp"
#include "physics/revised_mm5/stability.hpp"

namespace squall {
namespace {

using namespace mm5;
using namespace revised_mm5;

/// Sets zeta.
void find_stability(const SurfaceColumns &c, int i, Column &a) {
    find_richardson(c, i, a);
    const real richardson = c.richardson[i];
    const real bounded = std::clamp(richardson, real(-250), real(250));
    if (richardson < 0 && c.friction_velocity[i] < real(0.001))
        a.zeta = richardson * std::log((a.z + c.roughness[i]) / c.roughness[i]);
    else if (richardson != 0)
        a.zeta = stability_of(bounded, a.z, c.roughness[i]);
}

/// ln((z + z0)/z0) less what stability takes from it between z0 and z + z0.
template <class Psi> real profile(const Column &a, real z, real z0, Psi psi, bool bounded) {
    const real neutral = std::log((z + z0) / z0), per_metre = a.zeta / a.z;
    real correction = a.zeta == 0 ? real(0) : psi(per_metre * (z + z0)) - psi(per_metre * z0);
    if (bounded && a.zeta < 0) correction = std::min(correction, real(0.9) * neutral);
    return neutral - correction;
}

/// Of vapour over land, through the molecular sublayer.
real vapour_profile(const SurfaceColumns &c, int i, const Column &a, real z) {
    const real per_metre = a.zeta / a.z;
    const real correction =
        a.zeta == 0 ? real(0) : psi_heat(per_metre * z) - psi_heat(per_metre * viscous_sublayer);
    return through_sublayer(c, i, z) - correction;
}

Profiles profiles(const SurfaceColumns &c, int i, const Column &a) {
    const real z0 = c.roughness[i];
    Profiles p{};
    p.momentum = profile(a, a.z, z0, psi_momentum, true);
    p.momentum_10m = profile(a, 10, z0, psi_momentum, true);
    if (a.water) {
        const real z0_scalar = scalar_roughness(c, i);
        p.heat = p.vapour = profile(a, a.z, z0_scalar, psi_heat, false);
        p.heat_2m = p.vapour_2m = profile(a, 2, z0_scalar, psi_heat, false);
    } else {
        p.heat = profile(a, a.z, z0, psi_heat, true);
        p.heat_2m = profile(a, 2, z0, psi_heat, true);
        p.vapour = vapour_profile(c, i, a, a.z);
        p.vapour_2m = vapour_profile(c, i, a, 2);
    }
    return p;
}

class RevisedMm5 final : public SurfaceLayerScheme {
  public:
    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            Column a = look(c, i);
            find_stability(c, i, a);
            finish(c, i, a, profiles(c, i, a), real(0.001));
        }
    }
};

} // namespace

SurfaceLayerEntry revised_mm5_scheme() {
    return {"Monin-Obukhov similarity, the revised MM5 scheme of Jimenez et al. (2012)",
            [] { return std::make_unique<RevisedMm5>(); }};
}

} // namespace squall
