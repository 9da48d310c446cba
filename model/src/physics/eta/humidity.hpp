/// Humidity as the schemes of Janjic take it.
#pragma once

#include "core/constants.hpp"
#include "physics/saturation.hpp"
#include "physics/surface_columns.hpp"

namespace squall::eta {

inline constexpr real latent_heat = real(2.72e6); // of condensate, between that of water and of ice [J kg-1]

inline real specific(real mixing_ratio) { return mixing_ratio / (1 + mixing_ratio); }
inline real mixing_ratio(real specific) { return specific / (1 - specific); }

/// Of its saturation, what the sea's salt leaves.
inline constexpr real salt = real(0.98);
inline real saturation_at_sea(const SurfaceColumns &c, int i) {
    return salt * saturated_humidity_of_janjic(c.skin_temperature[i], c.surface_pressure[i]);
}

} // namespace squall::eta
