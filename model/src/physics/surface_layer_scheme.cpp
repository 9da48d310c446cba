#include "physics/surface_layer_scheme.hpp"

#include <algorithm>

#include "core/constants.hpp"

namespace squall {

void set_2m_values(const SurfaceColumns &c) {
    constexpr real least =
        real(1e-5); // conductance below which the air at 2 m is that at the surface [m s-1]
    for (int i = 0; i < c.n; ++i) {
        if (c.heat_exchange_2m[i] < 0) continue;
        const real ground = c.skin_temperature[i];
        const real density = c.surface_pressure[i] / (constants::r_d * ground);
        const real heat = c.heat_exchange_2m[i], vapour = c.vapour_exchange_2m[i];
        c.temperature_2m[i] =
            heat < least ? ground : ground - c.sensible_heat[i] / (density * constants::c_p * heat);
        const real q = vapour < least ? c.surface_vapour[i]
                                      : c.surface_vapour[i] - c.vapour_flux[i] / (density * vapour);
        const bool land = c.land[i] > real(0.5);
        c.vapour_2m[i] = land ? std::min(q, real(1.05) * c.vapour[i]) : q; // WRF's bound
    }
}

} // namespace squall
