/// Microphysics of a patch: what surrounds a scheme (WRF: moist_physics_prep_em,
/// microphysics_driver, moist_physics_finish_em; Skamarock et al. 2019, section 3.1.4).
#pragma once

#include <memory>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"
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

    /// Advances theta and the waters of `columns` by a time step, adds to the precipitation, and
    /// sets the heating, the rate of change of State::theta [K s-1]. Other columns keep theirs.
    /// `p` and `al`: perturbation pressure [Pa] and inverse density [m3 kg-1] of this state. k0 and
    /// k1 of `columns` are not looked at. OpenMP threads may work on disjoint columns at once.
    void advance(Range columns, const GridView &grid, State &state, ConstField3 p, ConstField3 al,
                 PhysicsState &physics);

    /// Of the steps that follow [s].
    void set_time_step(real dt) { dt_ = dt; }

  private:
    /// What one thread works with.
    struct Worker {
        std::unique_ptr<MicrophysicsScheme> scheme;
        ColumnStorage storage, fallen;
    };
    struct Batch;

    MoistColumns moist_columns(const Batch &batch, Worker &worker) const;
    void prepare(const Batch &batch, Worker &worker) const;
    void finish(const Batch &batch, Worker &worker) const;
    void add_fallen(const Batch &batch, Worker &worker) const;

    std::vector<int> waters_;  ///< index among the scalars by Water; -1: not of this scheme
    std::vector<int> numbers_; ///< the same by Number; -1: not counted
    int nz_;
    real dt_;
    bool moist_theta_, as_wrf_;
    std::vector<Worker> workers_; ///< one per thread
};

} // namespace squall
