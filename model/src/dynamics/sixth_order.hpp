/// The sixth-order filter of Knievel, Bryan and Hacker (2007): Explicit numerical diffusion in the WRF model.
/// Mon. Wea. Rev. 135, 3808-3824 (WRF's diff_6th_opt).
#pragma once

#include "core/loop.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"
#include "grid/state_view.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Takes noise of two grid lengths out of wind, theta and all scalars, along coordinate surfaces, and hardly
/// touches what is longer than six: a wave of n grid lengths loses `factor` sin^6(pi / n) of itself in two
/// time steps along each direction. Keeps mass times each quantity; may be told to let no flux go up a
/// gradient (their section 2b), so that no new extremes are made.
class SixthOrderFilter {
  public:
    SixthOrderFilter(const DiffusionConfig &config, const Boundaries &sides, const Patch &patch, real dt);

    /// Of the steps that follow [s].
    void set_time_step(real dt) { coefficient_ = factor_ / 64 / (2 * dt); }

    static bool wanted(const DiffusionConfig &config) { return config.sixth_order != "none"; }

    /// Adds to t on the cells of `tile` and on its faces: ranges of u and v. Three points around are read;
    /// not within three of an open or specified side. muu and muv: column mass on faces [Pa]. (Kernels hold
    /// the filter by value.)
    void add(Range tile, Range u_faces, Range v_faces, const GridView &grid, const StateView &s,
             ConstField2 muu, ConstField2 muv, const TendencyFields &t) const;

    /// The same of a scalar.
    void add_to_scalar(Range tile, const GridView &grid, ConstField2 mu, ConstField3 q, Field3 tend) const;

  private:
    real factor_;      ///< part of a wave of two cells that two steps take
    real coefficient_; ///< [s-1], of the sixth difference
    bool monotonic_;
    Range inner_; ///< cells (i and j) that are filtered
};

} // namespace squall
