/// The schemes of the family whose classes each have a field of their own: what falls does so first, then all
/// that happens at a point.
#pragma once

#include "physics/wsm6/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall::wsm6 {

/// As kernels hold it (moist_kernel.hpp). `Reactions::at<as_wrf>(point, dt)`: all that happens at a point
/// where precipitation has fallen.
template <bool with_graupel, class Reactions> struct Scheme {
    static int scratch_rows(int nz) { return Sedimentation::scratch_rows(nz); }

    void advance(const MoistColumns &c, const Scratch &scratch) const {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        const auto row = [&c](int k) { return Row<true, with_graupel>(c, k); };
        Sedimentation sedimentation(c.nz, scratch);
        for (int k = 0; k < c.nz; ++k) row(k).fill_up(c.n);
        for (int n = 0; n < steps; ++n) {
            sedimentation.fall(c, dt);
            for (int k = 0; k < c.nz; ++k)
                c.as_wrf
                    ? react_layer(row(k), c.n, [dt](Point &x, int) { Reactions::template at<true>(x, dt); })
                    : react_layer(row(k), c.n, [dt](Point &x, int) { Reactions::template at<false>(x, dt); });
        }
    }
};

} // namespace squall::wsm6
