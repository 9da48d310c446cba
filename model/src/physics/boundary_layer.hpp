/// Surface fluxes and boundary layer of a patch: what surrounds a scheme.
#pragma once

#include <memory>
#include <vector>

#include "config/config.hpp"
#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "physics/boundary_layer_scheme.hpp"

namespace squall {

/// Rates of change over a time step, all at the middle of cells, to be set.
struct BoundaryLayerRates {
    Field3 u, v;   ///< wind [m s-2]
    Field3 theta;  ///< State::theta, moist where that is [K s-1]
    Field3 vapour; ///< [kg kg-1 s-1]; not touched in a run without vapour
};

/// What is below the air.
struct Surface {
    ConstField2 temperature; ///< [K]
    ConstField2 wetness;     ///< evaporation over that of open water: 1 on water, 0 on dry ground
};

class BoundaryLayer {
  public:
    static bool wanted(const PhysicsConfig &config) { return config.boundary_layer != "none"; }

    /// `scalars`: those of the State it will be given. Throws std::runtime_error if the scheme is
    /// unknown.
    BoundaryLayer(const Config &config, const ScalarSet &scalars, int nz);

    /// Sets the rates of `columns` from the state at the beginning of a step. `p` and `al`:
    /// perturbation pressure [Pa] and inverse density [m3 kg-1] of that state; of u and v the faces
    /// around the columns are read. k0 and k1 of `columns` are not looked at. OpenMP threads may work
    /// on disjoint columns at once.
    void rates(Range columns, const GridView &grid, const State &state, ConstField3 p, ConstField3 al,
               Surface surface, BoundaryLayerRates rates);

  private:
    /// What one thread works with.
    struct Worker {
        std::unique_ptr<BoundaryLayerScheme> scheme;
        ColumnStorage storage;
    };
    struct Batch;

    TurbulentColumns turbulent_columns(const Batch &batch, Worker &worker) const;
    void prepare(const Batch &batch, Worker &worker) const;
    void finish(const Batch &batch, Worker &worker) const;

    int vapour_; ///< index among the scalars; -1: none
    int nz_;
    real dt_;
    bool moist_theta_;
    std::vector<Worker> workers_; ///< one per thread
};

} // namespace squall
