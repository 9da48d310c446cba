#include "run/domain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "boundary/file_rim.hpp"
#include "run/agree.hpp"
#include "run/domain_start.hpp"
#include "run/map_stability.hpp"
#include "run/open_boundary_file.hpp"

namespace squall {
namespace {

const Extreme &worse(const Extreme &a, const Extreme &b) { return b.value > a.value ? b : a; }

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    return size;
}

} // namespace

Domain::Domain(const Config &config, io::Session &session)
    : Domain(config, session,
             std::make_shared<const std::vector<Share>>(choose_shares(config, size_of(session.comm()))),
             ShareComm(session.comm())) {
    if (config.run.adaptive_time_step) length_.emplace(config);
    InitialState initial = read_initial(config, patch_, comm_.get());
    open_nests(initial);
    auto rim = file_rim(config, initial.scalars);
    set_up(std::move(initial), std::move(rim));
    if (config.run.restart_from.empty()) return;
    go_on();
    agree(session_.comm(), [&] { restore_streams(io::Reader(config.run.restart_from)); });
    if (earlier_step_) check_means();
}

Domain::Domain(const Config &config, io::Session &session, Shares shares, ShareComm comm)
    : config_(config), session_(session), shares_(std::move(shares)), comm_(std::move(comm)),
      patch_(patch_of(config, share(), rank_of(session.comm()))), last_step_(config.run.time_step),
      costs_(config.streams.size()), step_cost_{.name = config.identity.name} {}

/// Runs what is collective over the ranks that have cells of this domain; what it throws there, all ranks of
/// the run throw. Collective over these.
void Domain::on_share(const std::function<void()> &work) {
    if (is_everywhere()) return work();
    std::exception_ptr failure;
    try {
        if (has_cells()) work();
    } catch (const AgreedError &) { // any other perhaps on this rank alone, while others are in `work`
        failure = std::current_exception();
    } catch (const ConfigError &) {
        failure = std::current_exception();
    }
    agree(session_.comm(), [&] {
        if (failure) std::rethrow_exception(failure);
    });
}

/// Opens what specified sides follow, for a solver of `config`; null where the sides are of another kind.
/// Collective; throws AgreedError.
std::unique_ptr<RimSource> Domain::file_rim(const Config &config, const ScalarSet &scalars) {
    if (config.domain.boundaries.west != Boundary::specified) return nullptr;
    auto [file, theta, aerosol] = open_boundary_file(config_, comm_.get());
    boundary_note_ = theta.note;
    return std::make_unique<FileRim>(std::move(file), FileRim::Holds{theta.moist, aerosol}, config, patch_,
                                     scalars);
}

/// Makes what computes, of a state; the first time, streams too.
void Domain::set_up(InitialState initial, std::unique_ptr<RimSource> rim) {
    const bool begins = !exists();
    if (!has_cells()) {
        elsewhere_ = Elsewhere{std::move(initial), Array3(patch_.shape), Array3(patch_.shape)};
    } else if (!begins)
        forget_solver();
    const auto make = [&] {
        dynamics_.emplace(config_, patch_, comm_.get(), std::move(initial), std::move(rim));
        const Stepping stepping = on_earth(make_stepping(config_), dynamics_->grid(), comm_.get());
        refuse_narrow_cells(config_, stepping);
        if (length_) length_->bound_by_sound(stepping);
        std::vector<std::string> carried;
        for (const Scalar &scalar : dynamics_->scalars().all) carried.push_back(scalar.name);
        monitor_.emplace(comm_.get(), patch_, config_.domain.boundaries, dynamics_->grid(), stepping,
                         dynamics_->tiles(), std::move(carried));
        if (config_.run.adaptive_time_step) monitor_->watch_flow_through_surfaces();
        if (begins && config_.run.restart_from.empty())
            agree(comm_.get(), [&] { dynamics_->set_time(seconds()); });
    };
    if (begins)
        on_share(make);
    else if (has_cells())
        make(); // of a nest that moves, of which its parent's ranks alone know
    if (!begins) return;
    account_.open(seconds(), holdings());
    open_streams();
}

/// Keeps what is asked of it later.
void Domain::forget_solver() {
    waited_before_ += dynamics_->waited() + monitor_->waited();
    account_.crossed += dynamics_->take_crossing();
}

/// Gives back what it computes with, and its files to their readers: of a nest that has ended.
void Domain::let_go() {
    for (Nest &nest : nests_) nest.domain->let_go();
    if (!exists()) return;
    close_streams();
    histories_.clear();
    elsewhere_.reset();
    if (!dynamics_) return;
    forget_solver();
    monitor_.reset();
    dynamics_.reset();
}

/// Tells the solver the time, and its rim what is new there.
void Domain::begin_step() {
    if (dynamics_->reads_at(seconds())) {
        dynamics_->prepare_rim();
        agree(comm_.get(), [&] { dynamics_->set_time(seconds()); });
    } else
        dynamics_->set_time(seconds());
}

void Domain::step() {
    // All ranks have cells of the outermost domain.
    step_to(length_ ? length_->end_of_step(seconds_, dynamics_->next_change(seconds_))
                    : static_cast<double>(step_ + 1) * config_.run.time_step);
}

/// `end`: of the step [s since run.start].
void Domain::step_to(double end) {
    advance(end);
    step_nests();
}

/// A step without nests.
void Domain::advance(double end) {
    last_step_ = end - seconds_;
    // Up to rounding; the first after a restart may be shorter.
    if (!config_.run.adaptive_time_step && std::abs(last_step_ - config_.run.time_step) <= slack())
        last_step_ = config_.run.time_step;
    if (dynamics_) {
        Laps laps;
        dynamics_->set_time_step(last_step_);
        monitor_->set_time_step(last_step_);
        begin_step();
        laps.add_to(config_.identity.id > 1 ? step_cost_.nesting : step_cost_.own);
        dynamics_->step();
        laps.add_to(step_cost_.own);
    }
    ++step_, ++step_cost_.steps;
    seconds_ = end;
}

Health Domain::check(int notice) {
    Health worst;
    std::optional<Violation> first;
    check(notice, worst, first);
    if (std::ranges::any_of(*shares_, [&](const Share &s) { return s != shares_->front(); }))
        share_out(worst, first);
    if (first) throw *first;
    if (length_) length_->adapt(worst, last_step_);
    return worst;
}

/// Goes on after a violation: others wait for this rank in the checks of further domains.
void Domain::check(int notice, Health &worst, std::optional<Violation> &first) {
    if (monitor_) try {
            Laps laps;
            const Health here = monitor_->check(dynamics_->change_state(), seconds(), notice);
            worst.courant_horizontal = worse(worst.courant_horizontal, here.courant_horizontal);
            worst.courant_vertical = worse(worst.courant_vertical, here.courant_vertical);
            worst.w = worse(worst.w, here.w);
            worst.notice = std::max(worst.notice, here.notice);
            laps.add_to(step_cost_.own);
        } catch (const Violation &v) {
            const std::string &name = config_.identity.name;
            if (!first)
                first.emplace(name.empty() ? v.what() : fmt::format("nest {}: {}", name, v.what()),
                              v.variable, v.at);
        }
    for (Nest &nest : nests_)
        if (lives(nest)) nest.domain->check(notice, worst, first);
}

/// Tells all ranks what those of some domain's share alone have seen. Collective.
void Domain::share_out(Health &worst, std::optional<Violation> &first) const {
    const MPI_Comm comm = session_.comm();
    Extreme *extremes[] = {&worst.courant_horizontal, &worst.courant_vertical, &worst.w};
    struct Candidate {
        double value;
        int rank;
    } best[4];
    for (int n = 0; n < 3; ++n) best[n] = {extremes[n]->value, rank_of(comm)};
    best[3] = {first ? 1.0 : 0.0, rank_of(comm)};
    MPI_Allreduce(MPI_IN_PLACE, best, 4, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    for (int n = 0; n < 3; ++n) MPI_Bcast(extremes[n], sizeof(Extreme), MPI_BYTE, best[n].rank, comm);
    if (best[3].value == 0) return;
    std::string what = first ? first->what() : "", variable = first ? first->variable : "";
    GridPoint at = first ? first->at : GridPoint{};
    for (std::string *text : {&what, &variable}) {
        int length = static_cast<int>(text->size());
        MPI_Bcast(&length, 1, MPI_INT, best[3].rank, comm);
        text->resize(static_cast<std::size_t>(length));
        MPI_Bcast(text->data(), length, MPI_CHAR, best[3].rank, comm);
    }
    MPI_Bcast(&at, sizeof at, MPI_BYTE, best[3].rank, comm);
    first.emplace(what, variable, at);
}

void Domain::gather(std::vector<StreamCost> &costs) const {
    costs.insert(costs.end(), costs_.begin(), costs_.end());
    for (const Nest &nest : nests_) nest.domain->gather(costs);
}

void Domain::gather(std::vector<DomainCost> &costs) const {
    costs.push_back(step_cost_);
    for (const Nest &nest : nests_) nest.domain->gather(costs);
}

StepCosts Domain::step_costs() const {
    StepCosts all;
    gather(all.domains);
    const int ranks = size_of(session_.comm());
    for (DomainCost &d : all.domains) {
        double sums[] = {d.own, d.nesting};
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, session_.comm());
        d.own = sums[0] / ranks, d.nesting = sums[1] / ranks;
    }
    return all;
}

double Domain::waited() const {
    double seconds = waited_before_;
    if (dynamics_) seconds += dynamics_->waited() + monitor_->waited();
    for (const Nest &nest : nests_) seconds += (nest.link ? nest.link->waited() : 0) + nest.domain->waited();
    return seconds;
}

/// Fills halos, and what histories read of pressure, in this domain and its nests: a restart frame has their
/// last faces.
void Domain::diagnose() {
    if (dynamics_) dynamics_->diagnose();
    for (Nest &nest : nests_) nest.domain->diagnose();
}

Snapshot Domain::now() const {
    if (!dynamics_)
        return {elsewhere_->state.state, elsewhere_->state.physics, elsewhere_->p, elsewhere_->al};
    return {dynamics_->state(), dynamics_->physics(), dynamics_->p(), dynamics_->al()};
}

std::int64_t Domain::cells() const {
    std::int64_t cells = std::int64_t(patch_.nx_domain) * patch_.ny_domain * patch_.shape.nz;
    for (const Nest &nest : nests_)
        if (lives(nest) && !reached(nest.last))
            cells += nest.settings->time_step_ratio() * nest.domain->cells();
    return cells;
}

} // namespace squall
