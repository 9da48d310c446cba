/// Radiation of a patch: what surrounds the library in radiation/ (see docs/explanation/radiation.md).
#pragma once

#include <cstdint>
#include <memory>

#include <mpi.h>

#include "grid/grid.hpp"
#include "grid/scalars.hpp"
#include "parallel/decomposition.hpp"
#include "physics/radiation_record.hpp"
#include "settings/config.hpp"

namespace squall {

/// What ranks did for each other in a call, in a unit of the scheme's own.
struct SharedRadiation {
    double work = 0;  ///< of the patch's columns
    double done = 0;  ///< by this rank
    int messages = 0; ///< that this rank sent and received
};

class Radiation {
  public:
    static bool wanted(const PhysicsConfig &config) { return config.radiation != "none"; }

    /// How many steps lie between calls.
    static std::int64_t steps_between(const Config &config);

    /// `scalars`: those of the State it will be given. Throws std::runtime_error where the scheme's tables
    /// are missing or damaged, with what to do.
    Radiation(const Config &config, const ScalarSet &scalars, const Patch &patch);
    Radiation(Radiation &&) noexcept;
    ~Radiation();

    /// Before the first call: meets the ranks that it shares work with (WorkTeam), where the scheme is worth
    /// it, and looks at the terrain where sunlight depends on it (SunlitGround). Collective over `comm`, the
    /// ranks of the domain; `grid` must outlive this object. Without it a rank works alone.
    void survey(const Config &config, const Grid &grid, MPI_Comm comm);

    /// Of the steps that follow [s].
    void set_time_step(double dt);

    /// Makes a call due in the next step, whenever it begins.
    void call_next();

    /// Whether a call is due in the step that begins so many seconds after run.start; then prepares it, with
    /// the sun as it is in the middle of the time that the call stands for.
    bool begin(double seconds);

    /// Sets the radiation of `patch.physics` from the state at the beginning of the step, and tells the
    /// surface, where it is there. Ranks that have more to do than others hand columns to those, who find the
    /// same bits. Collective over the domain's ranks, on the thread that starts parallel regions.
    void advance(const RadiatedPatch &patch);

    /// Of the last call.
    const SharedRadiation &shared() const;
    double waited() const; ///< for other ranks, so far [s]

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace squall
