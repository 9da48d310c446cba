/// How wet dead fuel is, from the weather near the ground.
///
/// Mandel et al. (2014), Nat. Hazards Earth Syst. Sci. 14, 2829-2845, section 3.1: each class of fuel is
/// drawn to its equilibrium with the air, which is one for drying and one for wetting (Van Wagner and Pickett
/// 1985, as Viney 1991 has it), and in rain to saturation.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/fire_state.hpp"

namespace squall::fire {

/// Weather near the ground, as kernels hold it; rain since the start [mm].
struct NearGround {
    ConstField2 temperature, vapour, pressure; ///< at 2 m [K], [kg kg-1]; at the ground [Pa]
    ConstField2 rain, convective_rain;         ///< null without
};

/// Equilibria of fuel with air of a relative humidity (0 to 1) and temperature [K].
struct Equilibrium {
    double drying, wetting;
};
Equilibrium equilibrium(double humidity, double temperature);

/// Relative humidity over water (Murphy and Koop 2005, eq. 10), at most 1.
double relative_humidity(double temperature, double vapour, double pressure);

/// Advances the water of `columns` by `elapsed` [s]; where there is no weather before, it begins in
/// equilibrium, living fuel with 0.3.
void advance_moisture(Range columns, const NearGround &air, double elapsed, FuelMoistureState &water);

} // namespace squall::fire
