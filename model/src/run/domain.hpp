/// One domain of a run on this rank: its dynamics, its output, and the nests inside it.
///
/// All ranks have all domains, since streams are opened and frames written by all; but only those of its
/// share (shares.hpp) have cells of it and compute.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nesting/nest_link.hpp"
#include "output/diagnosed.hpp"
#include "output/histories.hpp"
#include "output/restart.hpp"
#include "parallel/decomposition.hpp"
#include "run/adaptive_step.hpp"
#include "run/budget.hpp"
#include "run/digital_filter.hpp"
#include "run/monitor.hpp"
#include "run/shares.hpp"
#include "run/status_file.hpp"
#include "run/step_costs.hpp"
#include "settings/config.hpp"
#include "solver/solver.hpp"
#include "squall/io.hpp"

namespace squall {

/// A node of the tree of domains. Nothing here knows whether it is the root.
class Domain {
  public:
    /// The outermost domain with all nests: builds the initial state, or continues from run.restart_from.
    /// `config` must outlive this object; so must `session`, whose comm() computes. Collective over it;
    /// throws AgreedError and ConfigError on all ranks alike, all else perhaps on this rank alone, while
    /// others wait for it.
    Domain(const Config &config, io::Session &session);

    /// One time step of this domain and, in steps of their own, of the nests inside it. Collective.
    void step();

    /// Starts the run from a digital filter, as [digital_filter] says. `notice`: what this rank has for the
    /// others, as in Monitor::check; returns the largest that is not 0, and then has not got to the end.
    /// Collective; throws Violation.
    int filter_start(const std::function<int()> &notice);

    /// Whether the run is at its end.
    bool finished() const { return reached(config_.run.duration); }
    double last_step() const { return last_step_; } ///< how long it was [s]
    /// How long steps were before the frame that the run goes on from, where they are others now [s].
    std::optional<double> earlier_step() const { return earlier_step_; }
    /// What the user should know of how the boundary file is read, on the first rank; else "".
    const std::string &boundary_note() const { return boundary_note_; }

    /// Diagnoses of now what the frames that are due hold, which the next step then need not. Frames that are
    /// written find it done: whoever times them calls this before, since it is no cost of theirs. Collective.
    void diagnose_for_output(bool cold_start);

    /// Writes the frames that are due now. `cold_start`: the histories' first frames are due too.
    /// Throws io::Error, perhaps on this rank alone.
    void write_due_frames(bool cold_start);

    /// Writes a restart frame of now, into the restart stream or, where the run has none, into one with
    /// the defaults of its keys, written by servers or the computing ranks. Returns its file. Only after
    /// write_due_frames(); collective; throws io::Error, perhaps on this rank alone.
    std::string write_restart();

    /// Waits for frames on their way and publishes files that are not full. Collective; throws
    /// io::Error, perhaps on this rank alone.
    void close_streams();

    /// The health of this domain and its nests, the worst of each; throws Violation. `notice` as in
    /// Monitor::check.
    Health check(int notice);

    /// Whether budgets are to be closed now: after the step that fills an hour since run.start, and before a
    /// nest ends.
    bool budgets_due() const;
    /// The budgets of this domain and its nests since they were closed last, of those that have stepped.
    /// Collective.
    std::vector<Budget> close_budgets();

    std::int64_t steps_done() const { return step_; }
    double seconds() const { return seconds_; } ///< since run.start
    const Patch &patch() const { return patch_; }
    /// Cells of the whole domain that a step of now advances, those of nests once for each of their steps.
    std::int64_t cells() const;
    /// Adds what streams have cost this rank: of this domain as config.streams, then of the nests, in the
    /// order of with_nests().
    void gather(std::vector<StreamCost> &costs) const;
    double waited() const; ///< for other ranks, nests included, so far [s]
    /// What steps have cost, of this domain and its nests in the order of with_nests(). Collective.
    StepCosts step_costs() const;

  private:
    /// A domain inside this one.
    struct Nest {
        const NestConfig *settings;
        int id;
        double first, last; ///< when it begins and ends [s since run.start]
        NestPlace place{};  ///< where it is now
        std::unique_ptr<Config> config{};
        VerticalGrid levels{};
        std::unique_ptr<NestLink> link{}; ///< none on ranks without cells of the parent
        std::unique_ptr<Domain> domain{}; ///< goes before what it refers to
        std::optional<Diagnosed> air{};   ///< in which it looks for its storm, since it first did
        std::unique_ptr<RimSource> rim() { return link ? link->rim() : nullptr; }
    };

    /// What a rank without cells of it has of a domain: arrays of no points.
    struct Elsewhere {
        InitialState state;
        Array3 p, al;
    };
    using Shares = std::shared_ptr<const std::vector<Share>>;

    Domain(const Config &config, io::Session &session, Shares shares, ShareComm comm);
    std::unique_ptr<RimSource> file_rim(const Config &config, const ScalarSet &scalars);
    void set_up(InitialState initial, std::unique_ptr<RimSource> rim);
    void forget_solver();
    void let_go();
    /// Whether it has a state of now; on a rank without its cells: an empty one.
    bool exists() const { return dynamics_ || elsewhere_; }
    const InitialState &present() const { return dynamics_ ? dynamics_->present() : elsewhere_->state; }
    const Grid &grid() const { return present().grid; }
    const State &state() const { return present().state; }
    State &change_state() { return dynamics_ ? dynamics_->change_state() : elsewhere_->state.state; }
    PhysicsState &physics() { return dynamics_ ? dynamics_->physics() : elsewhere_->state.physics; }
    const Share &share() const { return (*shares_)[static_cast<std::size_t>(config_.identity.id - 1)]; }
    bool is_everywhere() const { return share() == shares_->front(); }
    bool has_cells() const { return comm_.get() != MPI_COMM_NULL; }
    void on_share(const std::function<void()> &work);
    void check(int notice, Health &worst, std::optional<Violation> &first);
    void share_out(Health &worst, std::optional<Violation> &first) const;
    void gather(std::vector<DomainCost> &costs) const;
    void step_to(double end);
    int go_back(int half, const std::vector<double> &weights, FilteredStart &start,
                const std::function<int()> &notice);
    void advance(double end);
    /// Whether the last step was one of those that are all equal.
    bool was_equal() const { return !config_.run.adaptive_time_step && last_step_ == config_.run.time_step; }
    void begin_step();
    void diagnose();
    Snapshot now() const;

    // domain_output.cpp
    void open_streams();
    void restore_streams(const io::Reader &file);
    void check_means() const;
    bool due(const StreamConfig &stream) const;
    void count(const std::string &stream, double took);
    bool restart_due(bool cold_start) const;
    void diagnose_for_histories();
    void write_histories();
    void take_histories();
    void sample();
    void write_restart_frame();
    void gather(std::vector<RestartPart> &parts);
    void gather(std::vector<Shape> &largest) const;
    std::vector<Shape> largest_patches() const; ///< of all domains, in the order of their numbers

    // domain_budgets.cpp
    bool some_nest_ends() const;
    Holdings holdings() const { return dynamics_ ? dynamics_->holdings() : Holdings{}; }
    Content covered_by(const Nest &nest) const;
    std::vector<Account> accounts(bool close);
    void collect(std::vector<Account> &accounts, bool close);
    void tell(std::span<const Account> accounts, std::size_t &next, std::vector<Budget> &budgets) const;

    // domain_nests.cpp
    Nest lay_out(const NestConfig &settings, int id);
    void configure(Nest &nest, const Grid &parent);
    InitialState begin(Nest &nest, const InitialState &initial, MPI_Comm comm);
    void open_nests(InitialState &initial);
    void open_nest(Nest &nest, InitialState &initial);
    void renew(Nest &nest);
    void go_on();
    void take_place(const RestartFrame &frame);
    /// Whether a time is now or was, or was before now; up to rounding.
    bool reached(double time) const { return seconds_ > time - slack(); }
    bool passed(double time) const { return seconds_ > time + slack(); }
    double slack() const { return 1e-3 * config_.run.time_step; }
    /// Whether its state is one of now.
    bool lives(const Nest &nest) const { return reached(nest.first) && !passed(nest.last); }
    void step_nests();
    void step_nest(Nest &nest);
    void begin_nests();
    void end_nests();
    void move_nests();
    NestPlace wanted_place(Nest &nest);
    void shift(Nest &nest, int east, int north);

    const Config &config_;
    io::Session &session_;
    Shares shares_; ///< of all domains of the run
    ShareComm comm_;
    Patch patch_;
    std::int64_t step_ = 0;
    double seconds_ = 0, last_step_;     ///< since run.start; how long the last step was [s]
    std::optional<double> earlier_step_; ///< before the restart, where it was another [s]
    std::optional<AdaptiveStep> length_; ///< of the outermost domain's steps, where they are not all equal
    std::string boundary_note_;
    std::vector<StreamCost> costs_;
    DomainCost step_cost_;
    Account account_;
    double waited_before_ = 0; ///< for other ranks, in what is no more [s]
    // None of a nest that has not begun yet, or has ended.
    std::optional<Solver> dynamics_; ///< made anew in its place where a nest moves: its grid stays there
    std::optional<Monitor> monitor_;
    std::optional<Elsewhere> elsewhere_; ///< instead of these on ranks without its cells
    std::vector<std::unique_ptr<History>> histories_;
    std::optional<Restart> restart_;
    std::vector<Nest> nests_;
};

} // namespace squall
