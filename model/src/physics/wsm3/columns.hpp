/// Microphysics with three classes of water on some columns (wsm3.hpp).
#pragma once

#include "physics/moist_columns.hpp"

namespace squall::wsm3 {

/// As kernels hold it (moist_kernel.hpp).
struct Scheme {
    static int scratch_rows(int nz);
    void advance(const MoistColumns &columns, const Scratch &scratch) const;
};

} // namespace squall::wsm3
