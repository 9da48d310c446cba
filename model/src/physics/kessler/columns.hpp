/// Kessler's scheme on some columns (kessler.hpp).
#pragma once

#include "physics/moist_columns.hpp"

namespace squall {

/// As kernels hold it (moist_kernel.hpp).
struct Kessler {
    static int scratch_rows(int nz);
    /// The rates are those of the rain before its fall, so the fallen rain is kept apart.
    void advance(const MoistColumns &columns, const Scratch &scratch) const;
};

} // namespace squall
