/// What happens to tracers beside transport: sources, decay, convective mixing.
#pragma once

#include <optional>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/fire_state.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "physics/tracers/convective_matrix.hpp"
#include "physics/tracers/plume.hpp"
#include "physics/tracers/point_source.hpp"
#include "settings/config.hpp"

namespace squall {

class Tracers {
  public:
    static bool wanted(const Config &config);

    /// `scalars`: those of the State it will be given. Collective over the ranks of the domain; throws
    /// std::runtime_error on all alike for a source that is not in the domain's air (PointSource).
    Tracers(const Config &config, const ScalarSet &scalars, const Patch &patch, MPI_Comm comm,
            const Grid &grid);

    /// Whether advance() reads pressure.
    bool mixes() const { return !mixed_.empty(); }

    /// Advances the tracers of `columns` by the time step that begins `seconds` after run.start: what is
    /// there decays by exp(-dt ln 2 / half_life), sources and the fire give off, updraughts mix. `p`:
    /// perturbation pressure [Pa] of this state; `fire`: of a run that has one. k0 and k1 of `columns` are
    /// not looked at. OpenMP threads may work on disjoint columns at once.
    void advance(Range columns, const GridView &grid, State &state, ConstField3 p, double seconds,
                 const FireState &fire = {});

    /// Of the steps that follow [s].
    void set_time_step(double dt);

  private:
    struct Process {
        std::size_t scalar; ///< index into State::scalars
        double half_life;   ///< [s]; 0: no decay
        real kept;          ///< share that a step leaves
        std::optional<PointSource> source;
        double smoke; ///< per mass of fuel that burns
    };
    /// What one thread works with.
    struct Worker {
        AirColumn air;
        ConvectiveMatrix matrix;
    };

    void mix(Range columns, const GridView &grid, State &state, ConstField3 p);
    void take_air(int i, int j, const GridView &grid, const State &state, ConstField3 p,
                  AirColumn &air) const;

    int vapour_; ///< index among the scalars; -1: none
    bool moist_theta_;
    double dt_;
    std::vector<Process> processes_;
    std::vector<std::size_t> mixed_; ///< scalars
    std::vector<Worker> workers_;    ///< one per thread; none where nothing is mixed
};

} // namespace squall
