/// Drag by mountains that the grid does not resolve, on a patch: what surrounds its schemes.
#pragma once

#include <memory>
#include <vector>

#include "core/loop.hpp"
#include "grid/gravity_wave_state.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "grid/subgrid_orography.hpp"
#include "physics/gravity_wave_drag_scheme.hpp"
#include "settings/config.hpp"

namespace squall {

class GravityWaveDrag {
  public:
    static bool wanted(const PhysicsConfig &config) { return config.gravity_wave_drag != "none"; }

    /// `scalars`: those of the State it will be given. Throws std::runtime_error: an unknown scheme.
    GravityWaveDrag(const Config &config, const ScalarSet &scalars, int nz);

    /// Of the steps that follow [s].
    void set_time_step(real dt) { dt_ = dt; }

    /// Sets what the mountains do to the air in `columns`, owned ones, from the state at the beginning of a
    /// step. `p` and `al`: perturbation pressure [Pa] and inverse density [m3 kg-1] of that state; of u and v
    /// the faces around the columns are read. k0 and k1 of `columns` are not looked at. OpenMP threads may
    /// work on disjoint columns at once.
    void advance(Range columns, const GridView &grid, const State &state, ConstField3 p, ConstField3 al,
                 const SubgridOrography &orography, GravityWaveState &result);

  private:
    struct Worker {
        std::unique_ptr<GravityWaveDragScheme> scheme;
        ColumnStorage storage;
    };
    struct Batch;
    void prepare(const Batch &batch, Worker &worker) const;
    OrographicColumns columns_of(const Batch &batch, Worker &worker) const;

    ScalarSet scalars_;
    int nz_;
    real dt_;
    bool moist_theta_;
    std::vector<Worker> workers_; ///< one per thread
};

} // namespace squall
