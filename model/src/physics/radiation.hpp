/// Radiation of a patch: what surrounds the library in radiation/ (see docs/explanation/radiation.md).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid.hpp"
#include "grid/ground.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

class Radiation {
  public:
    static bool wanted(const PhysicsConfig &config) { return config.radiation != "none"; }

    /// `scalars`: those of the State it will be given. Throws std::runtime_error where the scheme's tables
    /// are missing or damaged, with what to do.
    Radiation(const Config &config, const ScalarSet &scalars, const Patch &patch);
    Radiation(Radiation &&) noexcept;
    ~Radiation();

    /// Looks at the terrain where sunlight depends on it (SunlitGround), before the first call. Collective
    /// over `comm`, the ranks of the domain; `grid` must outlive this object.
    void survey(const Config &config, const Grid &grid, MPI_Comm comm);

    /// Of the steps that follow [s].
    void set_time_step(double dt);

    /// Makes a call due in the next step, whenever it begins.
    void call_next();

    /// Whether a call is due in the step that begins so many seconds after run.start; then prepares it, with
    /// the sun as it is in the middle of the time that the call stands for.
    bool begin(double seconds);

    /// Sets the radiation of `physics` in `columns` from the state at the beginning of the step, and tells
    /// the surface, where it is there. `p`: perturbation pressure [Pa]. k0 and k1 of `columns` are not looked
    /// at. OpenMP threads may work on disjoint columns at once.
    void advance(Range columns, const Grid &grid, const State &state, ConstField3 p, const Ground &ground,
                 PhysicsState &physics);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace squall
