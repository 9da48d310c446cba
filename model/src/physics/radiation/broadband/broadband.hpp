/// Radiation of all wavelengths together, which needs no tables: sunlight by Dudhia (1989), thermal radiation
/// by emissivities of Sasamori (1968).
#pragma once

#include <string>

#include "physics/radiation/scheme.hpp"

namespace squall::radiation {

SchemeEntry broadband_scheme();

/// The longwave of another scheme with the sunlight of this one.
SchemeEntry with_dudhia(const SchemeEntry &longwave, const std::string &description);

} // namespace squall::radiation
