/// Amounts of substance.
#pragma once

namespace squall::transport {

/// Dobson units in a mole of molecules per m2.
inline constexpr double dobson_per_mole = 6.02214076e23 / 2.6867e20;
inline constexpr double molar_mass_of_air = 0.0289644; ///< [kg mol-1]

} // namespace squall::transport
