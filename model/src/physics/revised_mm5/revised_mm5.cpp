#include "physics/revised_mm5/revised_mm5.hpp"

#include <algorithm>
#include <cmath>

#include "physics/revised_mm5/exchange.hpp"
#include "physics/revised_mm5/stability.hpp"

namespace squall {
namespace {

using namespace revised_mm5;

void find_stability(const SurfaceColumns &c, int i, Column &a) {
    const real richardson = bulk_richardson(c, i, a);
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
    return std::log(karman * c.friction_velocity[i] * z / molecular_diffusivity + z / viscous_sublayer) -
           correction;
}

ScalarProfiles scalar_profiles(const SurfaceColumns &c, int i, const Column &a, Sea sea) {
    if (a.water) {
        const auto [heat, vapour] = scalar_roughness(c, i, sea);
        const real lowest = profile(a, a.z, heat, psi_heat, false),
                   low = profile(a, 2, heat, psi_heat, false);
        if (heat == vapour) return {lowest, low, lowest, low};
        return {lowest, low, profile(a, a.z, vapour, psi_heat, false),
                profile(a, 2, vapour, psi_heat, false)};
    }
    const real z0 = c.roughness[i];
    return {profile(a, a.z, z0, psi_heat, true), profile(a, 2, z0, psi_heat, true),
            vapour_profile(c, i, a, a.z), vapour_profile(c, i, a, 2)};
}

class RevisedMm5 final : public SurfaceLayerScheme {
  public:
    explicit RevisedMm5(Sea sea) : sea_(sea) {}

    void exchange(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i) {
            Column a = look(c, i);
            find_stability(c, i, a);
            const real z0 = c.roughness[i];
            const real momentum = profile(a, a.z, z0, psi_momentum, true);
            const real to_10m = profile(a, 10, z0, psi_momentum, true) / momentum;
            finish(c, i, a, {momentum, to_10m}, scalar_profiles(c, i, a, sea_), real(0.001), sea_);
        }
    }

  private:
    Sea sea_;
};

SurfaceLayerEntry entry(Sea sea, const std::string &of_the_sea) {
    return {"Monin-Obukhov similarity, the revised MM5 scheme of Jimenez et al. (2012)" + of_the_sea,
            [sea] { return std::make_unique<RevisedMm5>(sea); }};
}

} // namespace

SurfaceLayerEntry revised_mm5_scheme() { return entry(Sea::coare, ""); }

SurfaceLayerEntry revised_mm5_donelan_scheme() {
    return entry(Sea::donelan, ", with the sea of Donelan et al. (2004) under storms");
}

SurfaceLayerEntry revised_mm5_garratt_scheme() {
    return entry(Sea::garratt, ", with the sea of Donelan et al. (2004) and Garratt (1992) under storms");
}

} // namespace squall
