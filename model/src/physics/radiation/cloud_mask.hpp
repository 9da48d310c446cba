/// Where in the spectrum a column's clouds are seen: one column of clouds for every g-point (McICA: Pincus,
/// Barker and Morcrette 2003, JGR 108, 4376).
#pragma once

#include <cstdint>

#include "physics/radiation/column.hpp"

namespace squall::radiation {

/// What the random numbers of a column are a function of, and of nothing else: so that the same column gets
/// the same clouds on any ranks, threads and tiles.
struct Seed {
    std::uint64_t place = 0; ///< of the column among all of the run
    std::uint64_t time = 0;  ///< number of the time step
    std::uint64_t part = 0;  ///< of the spectrum: longwave and shortwave are apart
};

/// Sets `mask` for `points` g-points: neighbouring cloudy layers overlap as far as they can, those with clear
/// air between at random (Geleyn and Hollingsworth 1979; drawn as Raisanen et al. 2004, QJRMS 130, 2047-2067,
/// equation 14).
void set_cloud_mask(const Column &column, int points, Seed seed, CloudMask &mask);

} // namespace squall::radiation
