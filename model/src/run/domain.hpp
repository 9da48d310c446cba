/// One domain of a run on this rank: its dynamics, its output, and the nests inside it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nesting/nest_link.hpp"
#include "output/history.hpp"
#include "output/restart.hpp"
#include "parallel/decomposition.hpp"
#include "run/monitor.hpp"
#include "run/status_file.hpp"
#include "settings/config.hpp"
#include "solver/solver.hpp"
#include "squall/io.hpp"

namespace squall {

/// A node of the tree of domains. Nothing here knows whether it is the root.
class Domain {
  public:
    /// The outermost domain with all nests: builds the initial state, or continues from run.restart_from.
    /// `config` must outlive this object; so must `session`, whose comm() computes. Collective over it;
    /// throws on all ranks alike.
    Domain(const Config &config, io::Session &session);

    /// One time step of this domain and, in steps of their own, of the nests inside it. Collective.
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

    /// The health of this domain and its nests, the worst of each; throws Violation. `notice` as in
    /// Monitor::check.
    Health check(int notice);

    std::int64_t steps_done() const { return step_; }
    double seconds() const { return static_cast<double>(step_) * config_.run.time_step; } ///< since run.start
    const Patch &patch() const { return patch_; }
    /// Cells of the whole domain that a step of now advances, those of nests once for each of their steps.
    std::int64_t cells() const;
    /// What streams have cost this rank: of this domain as config.streams, then of the nests, in the order of
    /// with_nests().
    std::vector<StreamCost> costs() const;
    double waited() const; ///< for other ranks, nests included, so far [s]

  private:
    /// A domain inside this one.
    struct Nest {
        const NestConfig *settings;
        std::int64_t first, last; ///< the steps of this domain after which it begins, and ends
        std::unique_ptr<Config> config;
        std::unique_ptr<NestLink> link;
        std::unique_ptr<Domain> domain; ///< goes before what it refers to
    };

    Domain(const Config &config, const Patch &patch, io::Session &session, InitialState initial,
           std::unique_ptr<RimSource> rim);
    void open_nests(io::Session &session, InitialState &initial);
    /// Whether its state is one of now.
    bool lives(const Nest &nest) const { return nest.first <= step_ && step_ <= nest.last; }
    void step_nests();
    void begin_nests();
    void sample();
    void go_on();
    void gather(std::vector<RestartPart> &parts);
    bool due(const StreamConfig &stream) const;
    template <class F> void count(const std::string &stream, F write);
    void write_restart_frame();
    void diagnose();
    void open_streams(io::Session &session);
    void restore_streams(const io::Reader &file);

    const Config &config_;
    MPI_Comm comm_;
    Patch patch_;
    std::int64_t step_ = 0;
    std::vector<StreamCost> costs_;
    std::unique_ptr<Solver> dynamics_;
    std::optional<Monitor> monitor_;
    std::vector<std::unique_ptr<History>> histories_;
    std::optional<Restart> restart_;
    std::vector<Nest> nests_;
};

} // namespace squall
