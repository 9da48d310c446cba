// Clouds smaller than the cell: those of plumes (Chaboureau and Bechtold 2005, J. Geophys. Res. 110, D24S13).
#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/saturation.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

/// Of what is known at the interfaces above layers k - 1 and k, the value in layer k.
real in_layer(const Column &c, const Profile &above, int k) {
    const real up = real(0.5) * (c.dz[k] + c.dz[k + 1]), down = real(0.5) * (c.dz[k - 1] + c.dz[k]);
    return (above[k] * down + above[k - 1] * up) / (down + up);
}

/// How much the slope of saturation leaves of a surplus of water.
real of_surplus(const Column &c, int k, real saturated) {
    const real t = c.temperature[k], latent = latent_heat(t);
    const real slope = latent * saturated / (constants::r_v * t * t);
    return 1 / (1 + latent * slope / (constants::c_p + c.water[k] * c_p_vapour));
}

} // namespace

void add_plume_clouds(Column &c, int top) {
    const Rising &r = c.rising;
    for (int k = 1; k < c.nz - 2 && k <= top; ++k) {
        const bool cloudy = r.cloud[k] + r.cloud[k - 1] > 0;
        if (!cloudy || c.cover[k] >= real(0.5)) continue; // of stratus there is more
        const real area = in_layer(c, r.area, k), water = in_layer(c, r.water, k);
        const bool through = r.cloud[k] > 0 && r.cloud[k - 1] > 0;
        const real cloud = through ? in_layer(c, r.cloud, k) : std::max(r.cloud[k], r.cloud[k - 1]);
        const real saturated = saturation(c.temperature[k], c.pressure[k]);
        const real spread =
            std::clamp(10 * area * (water - c.water[k]), real(0.02) * saturated, real(0.25) * saturated);
        const real deficit = of_surplus(c, k, saturated) * (c.water[k] - saturated) / spread;
        const real cover =
            std::clamp(real(0.5) + real(0.36) * std::atan(real(1.55) * deficit), real(0.01), real(0.8));
        const real mean = cloud * area;
        c.cover[k] = std::max(cover, (c.below.sea ? real(1.2) : real(1.8)) * area);
        c.cloud_water[k] = mean > real(5e-5) ? real(1.86) * mean - real(2.2e-5) : real(1.18) * mean;
    }
}

} // namespace squall::mynn_edmf
