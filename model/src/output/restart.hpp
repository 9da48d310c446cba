/// The restart stream of a domain and all nests inside it: the prognostic state and what physics keeps, bit
/// for bit. Grid and base state are rebuilt from the run file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/account.hpp"
#include "grid/grid.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// What a frame holds of one domain. Of the halos, the face beyond the last cell of u and v is read;
/// `state` and what follows are null where it does not live now: zeros stand for it. `rest` puts what
/// histories keep (History::save).
struct RestartPart {
    const Config *config;
    const Patch *patch;
    const State *state;
    const PhysicsState *physics;
    const Grid *grid;
    Account account = {}; ///< of the whole domain
    std::function<void(io::Frame &)> rest = {};
};

class Restart {
  public:
    /// As History. The stream holds all of its fields, everywhere. `largest`: the shape of the largest patch
    /// of each domain that a frame holds, in the order of their numbers.
    Restart(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
            const Grid &grid, const std::vector<Shape> &largest);

    /// Writes the state after step number `step`, at `seconds` since run.start: of the domain that this was
    /// made for, which comes first, and of all nests inside it. `longest_step`: RestartFrame's. Throws as
    /// History::write.
    void write(double seconds, std::int64_t step, const std::vector<RestartPart> &parts,
               double longest_step = 0);

    /// As History::close.
    void close() { stream_.close(); }

    const StreamConfig &settings() const { return settings_; }
    std::int64_t last_step() const { return last_step_; } ///< that was written; -1: none
    const std::string &file() const { return file_; }     ///< of the last frame

  private:
    StreamConfig settings_;
    const Config &config_;
    const Patch &patch_;
    ScalarSet scalars_;
    io::Stream stream_;
    std::int64_t last_step_ = -1;
    std::int64_t frames_ = 0;
    std::string file_;
};

/// The settings of a restart stream for a run that has none but is to be continued: those of
/// [output.restart] where it is there with interval 0, else the defaults. Not written by a thread, for
/// which MPI may not have been prepared, and never refused for the memory it needs.
StreamConfig default_restart(const Config &config);

/// A state to go on from. Halos are not filled, but for the last faces at the domain's edges.
struct RestartFrame {
    State state;
    PhysicsState physics;    ///< empty in a dry run
    double seconds = 0;      ///< since run.start
    std::int64_t step = 0;   ///< of the outermost domain
    double written_with = 0; ///< the time step, of a run that adapts it its first [s]
    /// On the rank with the domain's first patch the sums, elsewhere only when it began; none in a frame of
    /// before accounts were kept.
    std::optional<Account> account;
    double longest_step = 0; ///< how long the next step may be [s], of a run that adapts it; else 0
};

/// When a frame is of, and where in its parent a domain lies then.
struct RestartPlace {
    double seconds;                     ///< since run.start
    int i_parent_start, j_parent_start; ///< as in NestConfig
};

/// Of the last frame of a file. Local. Throws io::Error.
RestartPlace read_restart_place(const std::string &file, const Config &config);

/// Reads this patch's part of the last frame of a file, whatever engine and decomposition wrote it;
/// every rank reads its own. Local.
/// Throws io::Error: the file, and in what it does not match the run (sizes, spacing, start, eta levels,
/// precision, scalars, kind of potential temperature).
RestartFrame read_restart(const std::string &file, const Config &config, const Patch &patch,
                          const Grid &grid);

/// The declaration of a restart of config.domain and its nests but for the attributes of its files; with what
/// histories keep.
io::StreamSpec restart_spec(const StreamConfig &stream, const Config &config);

} // namespace squall
