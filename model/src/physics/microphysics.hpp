/// Microphysics of a patch (WRF: microphysics_driver; Skamarock et al. 2019, section 3.1.4).
#pragma once

#include <memory>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"
#include "grid/ground.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "physics/microphysics_scheme.hpp"
#include "settings/config.hpp"

namespace squall {

class Microphysics {
  public:
    /// Whether the run has microphysics, as opposed to dry air or vapour that is only carried.
    static bool wanted(const PhysicsConfig &config);

    /// `scalars`: those of the State it will be given. Throws std::runtime_error if the scheme is
    /// unknown or the run lacks a species of it.
    Microphysics(const Config &config, const ScalarSet &scalars, int nz);

    /// Advances theta and the waters of the columns of `tiles` (whose k0 and k1 are not looked at) by a time
    /// step, adds to the precipitation, and sets the heating, the rate of change of State::theta [K s-1].
    /// Other columns keep theirs. `p` and `al`: perturbation pressure [Pa] and inverse density [m3 kg-1] of
    /// this state.
    void advance(const std::vector<Range> &tiles, const GridView &grid, State &state, ConstField3 p,
                 ConstField3 al, PhysicsState &physics, const Ground &ground);

    /// Whether a device has the scheme too.
    bool has_kernel() const { return launch_ != nullptr; }

    /// Of the steps that follow [s].
    void set_time_step(real dt) { dt_ = dt; }

  private:
    MoistPatch view(const GridView &grid, State &state, ConstField3 p, ConstField3 al, PhysicsState &physics,
                    const Ground &ground) const;

    std::vector<int> waters_;  ///< index among the scalars by Water; -1: not of this scheme
    std::vector<int> numbers_; ///< the same by Number; -1: not counted
    real dt_;
    bool moist_theta_, as_wrf_;
    MoistLaunch launch_;
    std::vector<ScratchMemory> memory_;                        ///< one per thread
    std::vector<std::unique_ptr<MicrophysicsScheme>> workers_; ///< likewise, of a scheme without a kernel
};

} // namespace squall
