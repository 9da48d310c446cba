/// What floats in the air and is no cloud: how much of it there is, and what it does to sunlight (Ruiz-Arias,
/// Dudhia and Gueymard 2014, Geosci. Model Dev. 7, 1159-1174). It does nothing to thermal radiation.
#pragma once

#include <map>
#include <string>

namespace squall::radiation {

struct Column;

/// The same at all heights and, but for the depth, all wavelengths.
struct AerosolOptics {
    double angstrom = 0;  ///< exponent: optical depth goes with wavelength to the power of less this
    double albedo = 1;    ///< part of what it takes from a beam that it scatters
    double asymmetry = 0; ///< of the directions of that
    friend bool operator==(const AerosolOptics &, const AerosolOptics &) = default;
};

/// By the names in run files: Shettle and Fenn's (1979, AFGL-TR-79-0214) at a humidity of 80 %, means over
/// 0.44 to 0.78 um, the exponent over 0.34 to 1.24 um, from the tables of Ruiz-Arias et al.
const std::map<std::string, AerosolOptics> &aerosol_types();

/// Optical depth at wavenumbers from `low` to `high` [cm-1] over that at 550 nm: the mean by wavelength.
double aerosol_depth_in(double low, double high, double angstrom);

/// Puts `depth`, the optical depth of a column at 550 nm, into its layers: it falls with height above the
/// ground by e in 2.5 km.
void spread_aerosol(Column &column, double depth);

} // namespace squall::radiation
