/// The schemes of the family whose classes each have a field of their own: what falls does so first, then all
/// that happens at a point.
#pragma once

#include "physics/wsm6/packed.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall::wsm6 {

/// As kernels hold it (moist_kernel.hpp). `Reactions::at<as_wrf, kind>(point, dt)`: all that happens at
/// a point where precipitation has fallen, of a kind that kind_of(point) says; the first is any.
template <bool with_graupel, class Reactions> struct Scheme {
    static int scratch_rows(int nz) { return Sedimentation::scratch_rows(nz); }

    void advance(const MoistColumns &c, const Scratch &scratch) const {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        Sedimentation sedimentation(c.nz, scratch);
        for (int k = 0; k < c.nz; ++k) Layer(c, k).fill_up(c.n);
        for (int n = 0; n < steps; ++n) {
            sedimentation.fall(c, dt);
            c.as_wrf ? react<true>(c, dt) : react<false>(c, dt);
        }
    }

  private:
    using Layer = Row<true, with_graupel>;

    template <bool as_wrf> static void react(const MoistColumns &c, real dt) {
        if constexpr (overrun > 0) // on vectors
            PackedReactions<Layer, Reactions, as_wrf>(c, dt).run();
        else
            for (int k = 0; k < c.nz; ++k)
                react_layer(Layer(c, k), c.n, [dt](Point &x, int) { Reactions::template at<as_wrf>(x, dt); });
    }
};

} // namespace squall::wsm6
