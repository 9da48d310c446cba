/// One domain of a run on this rank: its dynamics, its output, and the nests inside it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "config/config.hpp"
#include "dynamics/dynamics.hpp"
#include "output/history.hpp"
#include "output/restart.hpp"
#include "parallel/decomposition.hpp"
#include "run/monitor.hpp"
#include "run/status_file.hpp"
#include "squall/io.hpp"

namespace squall {

/// A node of the tree of domains. Nothing here knows whether it is the root.
class Domain {
  public:
    /// Builds the initial state, or continues from run.restart_from. `config` must outlive this
    /// object; so must `session`, whose comm() computes. Collective over it; throws on all ranks alike.
    Domain(const Config &config, io::Session &session);

    /// One time step of this domain and, in steps of their own, of the nests inside it.
    void step();

    /// Writes the frames that are due now. `cold_start`: the histories' first frames are due too.
    /// Throws io::Error, perhaps on this rank alone.
    void write_due_frames(bool cold_start);

    /// Writes a restart frame of now, into the restart stream or, where the run has none, into one with
    /// the defaults of its keys, written by servers or the computing ranks. Returns its file. Only after
    /// write_due_frames(); collective; throws io::Error, perhaps on this rank alone.
    std::string write_restart(io::Session &session);

    /// Waits for frames on their way and publishes files that are not full. Collective; throws
    /// io::Error, perhaps on this rank alone.
    void close_streams();

    /// The health of the state; throws Violation. `notice` as in Monitor::check.
    Health check(int notice) { return monitor_->check(dynamics_->state(), seconds(), notice); }

    std::int64_t steps_done() const { return step_; }
    double seconds() const { return static_cast<double>(step_) * config_.run.time_step; } ///< since run.start
    const Patch &patch() const { return patch_; }
    std::int64_t cells() const;                                     ///< of the whole domain
    const std::vector<StreamCost> &costs() const { return costs_; } ///< as config.streams

  private:
    bool due(const StreamConfig &stream) const;
    template <class F> void count(const std::string &stream, F write);
    void write_restart_frame();
    void open_streams(io::Session &session);
    void restore_streams();

    const Config &config_;
    MPI_Comm comm_;
    Patch patch_;
    std::int64_t step_ = 0;
    std::vector<StreamCost> costs_;
    std::unique_ptr<Dynamics> dynamics_;
    std::optional<Monitor> monitor_;
    std::vector<std::unique_ptr<History>> histories_;
    std::optional<Restart> restart_;
    std::vector<std::unique_ptr<Domain>> nests_;
};

} // namespace squall
