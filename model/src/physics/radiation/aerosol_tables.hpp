/// What aerosol does in the bands of RRTMG's sunlight at eight humidities: Shettle and Fenn's (1979,
/// AFGL-TR-79-0214) as Ruiz-Arias, Dudhia and Gueymard (2014, Geosci. Model Dev. 7, 1159-1174) averaged it,
/// the numbers of WRF's aer_opt = 2.
#pragma once

#include <array>

namespace squall::radiation {

enum class AerosolType { rural, urban, maritime };

inline constexpr std::array<double, 8> aerosol_humidities{0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99};

/// Wavelengths at which bands begin and end [um], longest first; RRTMGP's differ from them in the first only.
inline constexpr std::array<double, 15> aerosol_band_ends{
    12.195, 3.846, 3.077, 2.5, 2.15, 1.942, 1.626, 1.299, 1.242, 0.7782, 0.625, 0.4415, 0.3448, 0.2632, 0.2};
inline constexpr std::size_t aerosol_bands = aerosol_band_ends.size() - 1;

/// By type, humidity and band.
using AerosolOfType = std::array<std::array<double, aerosol_bands>, aerosol_humidities.size()>;
using AerosolTable = std::array<AerosolOfType, 3>;

extern const AerosolTable aerosol_depths;  ///< over that at 550 nm
extern const AerosolTable aerosol_albedos; ///< for single scattering
extern const AerosolTable aerosol_asymmetries;

} // namespace squall::radiation
