/// What floats in the air and is no cloud: how much of it there is, and what it does to sunlight (Ruiz-Arias,
/// Dudhia and Gueymard 2014, Geosci. Model Dev. 7, 1159-1174). It does nothing to thermal radiation.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "physics/radiation/aerosol_tables.hpp"

namespace squall::radiation {

struct Column;

/// What it is, and what is said of it otherwise than its type has, the same at all humidities.
struct AerosolOptics {
    AerosolType type = AerosolType::rural;
    /// Exponent: optical depth goes with wavelength to the power of less this.
    std::optional<double> angstrom{};
    std::optional<double> albedo{};    ///< part of what it takes from a beam that it scatters; of all bands
    std::optional<double> asymmetry{}; ///< of the directions of that; of all bands
    bool by_layer = false; ///< depth by wavelength follows each layer's humidity, not the lowest's
    friend bool operator==(const AerosolOptics &, const AerosolOptics &) = default;
};

/// By the names in run files.
const std::map<std::string, AerosolType> &aerosol_types();

/// Optical depth at wavenumbers from `low` to `high` [cm-1] over that at 550 nm: the mean by wavelength.
double aerosol_depth_in(double low, double high, double angstrom);

/// Puts `depth`, the optical depth of a column at 550 nm, into its layers: it falls with height above the
/// ground by e in 2.5 km.
void spread_aerosol(Column &column, double depth);

} // namespace squall::radiation
