/// Potential temperature of WRF's files: of moist air, theta (1 + r_v / r_d q_v), or of dry. Both less 300 K.
#pragma once

#include <string>

#include "core/constants.hpp"
#include "initial/input_file.hpp"

namespace squall {

/// theta of moist air less 300 K, from that of dry air and the mixing ratio of vapour.
inline real moistened(real dry, real vapour) {
    constexpr real ratio = constants::rv_over_rd, theta0 = constants::theta0;
    return (dry + theta0) * (1 + ratio * vapour) - theta0;
}
inline real dried(real moist, real vapour) {
    constexpr real ratio = constants::rv_over_rd, theta0 = constants::theta0;
    return (moist + theta0) / (1 + ratio * vapour) - theta0;
}

/// Reads T or THM on the owned points of a patch.
void read_theta_of(const std::string &variable, const InputFile &file, const Patch &patch, Array3 &into);

/// Whether the file's THM is there and filled; files before WRF 4 lack it or hold zeros.
bool has_thm(const InputFile &file, const Patch &patch);

/// Whether the file says that WRF integrates moist theta from it (USE_THETA_M).
bool made_with_moist_theta(const InputFile &file);

/// Reads theta of dry air on the owned points of a patch, on which `vapour` is there. It is T. But WRF 4
/// integrates THM, and some of its programs (ndown, data assimilation) change that alone: where the two
/// differ, THM counts.
void read_dry_theta(const InputFile &file, const Patch &patch, const Array3 &vapour, Array3 &into);

} // namespace squall
