/// The schemes of the family whose classes each have a field of their own: what falls does so first, then all
/// that happens at a point.
#pragma once

#include "physics/wsm6/row.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall::wsm6 {

/// `Reactions::at<as_wrf>(point, dt)`: all that happens at a point where precipitation has fallen.
template <bool with_graupel, class Reactions> class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz) {}

    void advance(const MoistColumns &c) override {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        const auto row = [&c](int k) { return Row<true, with_graupel>(c, k); };
        for (int k = 0; k < c.nz; ++k) row(k).fill_up(c.n);
        for (int n = 0; n < steps; ++n) {
            sedimentation_.fall(c, dt);
            for (int k = 0; k < c.nz; ++k)
                c.as_wrf
                    ? react_layer(row(k), c.n, [dt](Point &x, int) { Reactions::template at<true>(x, dt); })
                    : react_layer(row(k), c.n, [dt](Point &x, int) { Reactions::template at<false>(x, dt); });
        }
    }

  private:
    Sedimentation sedimentation_;
};

} // namespace squall::wsm6
