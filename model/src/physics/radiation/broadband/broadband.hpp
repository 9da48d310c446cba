/// Radiation of all wavelengths together, which needs no tables: sunlight by Dudhia (1989), thermal radiation
/// by emissivities of Sasamori (1968).
#pragma once

#include "physics/radiation/scheme.hpp"

namespace squall::radiation {

SchemeEntry broadband_scheme();

} // namespace squall::radiation
