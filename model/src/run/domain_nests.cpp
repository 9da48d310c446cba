// A domain and the nests inside it: how they begin, step, move and end.
#include "run/domain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/interval.hpp"
#include "core/local_error.hpp"
#include "core/profile.hpp"
#include "grid/on_earth.hpp"
#include "initial/aerosol_file.hpp"
#include "nesting/own_ground.hpp"
#include "physics/declared_state.hpp"
#include "run/agree.hpp"
#include "run/domain_start.hpp"
#include "run/overlap.hpp"
#include "run/storm.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

/// Latitude and longitude of a domain's middle cell, or of the middle of those around its middle, which may
/// lie across the date line or a pole. Collective.
std::array<double, 2> centre_of(const Grid &grid, const Patch &p, MPI_Comm comm) {
    EarthVector sum{};
    for (const int x : {(p.nx_domain - 1) / 2, p.nx_domain / 2})
        for (const int y : {(p.ny_domain - 1) / 2, p.ny_domain / 2}) {
            const int i = x - p.x0, j = y - p.y0;
            if (i < 0 || i >= p.shape.nx || j < 0 || j >= p.shape.ny) continue;
            sum = sum_of(1, sum, 1, PlaceOnEarth(double(grid.lat(i, j)), double(grid.lon(i, j))).up);
        }
    MPI_Allreduce(MPI_IN_PLACE, sum.data(), 3, MPI_DOUBLE, MPI_SUM, comm);
    return place_of(sum);
}

NestPlace place_of(const NestConfig &settings) {
    return {settings.i_parent_start - 1, settings.j_parent_start - 1, settings.parent_grid_ratio, settings.nx,
            settings.ny};
}

bool same(const NestPlace &a, const NestPlace &b) { return a.i0 == b.i0 && a.j0 == b.j0; }

} // namespace

Domain::Nest Domain::lay_out(const NestConfig &settings, int id) {
    Nest nest{.settings = &settings,
              .id = id,
              .first = settings.start,
              .last = settings.end > 0 ? settings.end : std::numeric_limits<double>::infinity(),
              .place = place_of(settings)};
    nest.config = std::make_unique<Config>(nest_config(config_, settings, id));
    const Share &inner = (*shares_)[static_cast<std::size_t>(id - 1)];
    int rank = 0;
    MPI_Comm_rank(session_.comm(), &rank);
    nest.domain.reset(
        new Domain(*nest.config, session_, shares_,
                   inner == share() ? ShareComm(comm_.get()) : ShareComm(comm_, inner.has(rank))));
    return nest;
}

/// Says what it is, and how it talks with this domain, whose grid is `parent`, from where it is now.
void Domain::configure(Nest &nest, const Grid &parent) {
    NestConfig here = *nest.settings;
    here.i_parent_start = nest.place.i0 + 1, here.j_parent_start = nest.place.j0 + 1;
    *nest.config = nest_config(config_, here, nest.id); // in place: others refer to it
    if (!has_cells()) return;
    if (nest.link) nest.domain->waited_before_ += nest.link->waited();
    const ScalarSet scalars = scalars_of(config_);
    nest.link = std::make_unique<NestLink>(
        comm_.get(), nest.place, patch_, nest.domain->patch_, scalars,
        scalars.shared_with(scalars_of(*nest.config)), config_.run.time_step,
        LevelPair{parent.vertical, nest.levels},
        LinkRules{interpolation_of(here.interpolation), smoothing_of(here.smoothing), !config_.run.as_wrf(),
                  nest.config->identity.moves, config_.dynamics.moist_theta, config_.dynamics.hypsometric,
                  nest.domain->share().first - share().first});
}

/// What a nest begins with, from this domain's state and from a file of its own, if it has one; `comm`: of
/// all ranks that call this.
InitialState Domain::begin(Nest &nest, const InitialState &initial, MPI_Comm comm) {
    Domain &inner = *nest.domain;
    const Config &config = *nest.config;
    InitialState begun = nest.link ? nest.link->begin(config, initial)
                                   : initial_elsewhere(config, inner.patch_, initial, nest.levels);
    const NestConfig &settings = *nest.settings;
    if (!settings.initial_file.empty())
        inner.on_share([&] {
            InitialState own = read_initial(config, inner.patch_, inner.comm_.get());
            const StateOf state = settings.start > 0 ? StateOf::parent : StateOf::file;
            agree(inner.comm_.get(), [&] {
                check_levels(config, own.grid.vertical, initial.grid.vertical);
                lay_on_own_ground(config, inner.patch_, settings.blend_rows, std::move(own), state, begun);
            });
        });
    if (!settings.aerosol_file.empty())
        inner.on_share([&] {
            agree(inner.comm_.get(), [&] { begun.ground.aerosol = read_aerosol(config, inner.patch_); });
        });
    nest.config->identity.centre = centre_of(begun.grid, inner.patch_, comm);
    return begun;
}

/// Nests begin as their parent does, and may change it: its terrain is then theirs, from the run's beginning
/// on, also of those that begin later: a parent's ground never changes. Those that move give it none, and
/// look at it when all others have.
void Domain::open_nests(InitialState &initial) {
    for (const auto &[settings, id] : nests_inside(config_)) nests_.push_back(lay_out(*settings, id));
    for (const bool move : {false, true})
        for (Nest &nest : nests_)
            if (nest.config->identity.moves == move) open_nest(nest, initial);
    for (Nest &nest : nests_)
        if (nest.link) nest.link->look_at_ground(initial.grid);
}

void Domain::open_nest(Nest &nest, InitialState &initial) {
    agree(session_.comm(), [&] { nest.levels = levels_of(*nest.settings, initial.grid.vertical); });
    configure(nest, initial.grid);
    Domain &inner = *nest.domain;
    InitialState begun = begin(nest, initial, session_.comm());
    inner.open_nests(begun);
    const bool lives = nest.first == 0;
    if (lives) inner.set_up(std::move(begun), nest.rim());
    if (!nest.settings->feedback || !nest.link) return;
    const InitialState &now = lives ? inner.present() : begun;
    nest.link->feed_back_beginning(config_, now.grid, now.state, now.physics, initial);
}

/// Makes its state of this domain's as that is now, where it is now. Collective over the ranks of this domain
/// for a nest that exists, else over all.
void Domain::renew(Nest &nest) {
    Domain &inner = *nest.domain;
    InitialState begun = begin(nest, present(), inner.exists() ? comm_.get() : session_.comm());
    Array3 w(inner.patch_.shape);
    w.copy_from(begun.state.w);
    inner.step_ = step_ * nest.settings->time_step_ratio(), inner.seconds_ = seconds_;
    inner.set_up(std::move(begun), nest.rim());
    std::swap(inner.change_state().w, w); // the parent's knows more than the wind at the ground
    if (nest.settings->initial_file.empty() && nest.link) nest.link->tell_surface(physics(), inner.physics());
}

/// Goes on in the place of a frame, a nest in its parent's. Equal steps end at multiples of run.time_step,
/// whatever it was before: from a time that is none, the first is shorter.
void Domain::take_place(const RestartFrame &frame) {
    const bool adapts = config_.run.adaptive_time_step, outermost = config_.identity.id == 1;
    const double dt = config_.run.time_step;
    if (outermost && (frame.written_with != dt || (frame.longest_step > 0) != adapts))
        earlier_step_ = frame.longest_step > 0 ? frame.longest_step : frame.written_with;
    if (earlier_step_) dynamics_->call_radiation(); // whose interval is a whole number of steps
    seconds_ = frame.seconds;
    if (adapts) {
        if (!outermost) return;
        step_ = frame.step;
        if (!earlier_step_) length_->set_longest(frame.longest_step);
        return;
    }
    if (outermost) step_ = static_cast<std::int64_t>(std::floor((seconds_ + slack()) / dt));
    const double whole = static_cast<double>(step_) * dt;
    if (reached(whole) && !passed(whole)) seconds_ = whole;
}

/// Takes the state of run.restart_from.
void Domain::go_on() {
    account_ = {}; // those without its cells have nothing to say, of when it began neither
    on_share([&] {
        agree(comm_.get(), [&] {
            RestartFrame frame = read_restart(config_.run.restart_from, config_, patch_, grid());
            change_state() = std::move(frame.state);
            physics() = std::move(frame.physics);
            take_place(frame);
            dynamics_->set_time(seconds());
            if (frame.account)
                account_ = *frame.account;
            else
                account_.open(seconds(), holdings());
        });
    });
    for (Nest &nest : nests_) {
        nest.domain->step_ = step_ * nest.settings->time_step_ratio();
        nest.domain->seconds_ = seconds_;
        nest.domain->earlier_step_ = earlier_step_;
        if (!lives(nest) || reached(nest.last)) { // the frame of its end was its last
            nest.domain->let_go();
            continue;
        }
        const bool moves = nest.config->identity.moves;
        if (moves) {
            on_share([&] {
                agree(comm_.get(), [&] {
                    const auto place = read_restart_place(config_.run.restart_from, *nest.config);
                    nest.place.i0 = place.i_parent_start - 1, nest.place.j0 = place.j_parent_start - 1;
                });
            });
            configure(nest, grid());
        }
        if ((moves && has_cells()) || !nest.domain->exists()) renew(nest);
        nest.domain->go_on();
    }
}

/// Siblings see the same state of their parent, which then takes what each has made of it. On ranks of their
/// own they step side by side: nobody waits for a nest of which he has no cells but for what it gives back.
void Domain::step_nests() {
    const auto stepping = [&](const Nest &nest) { return lives(nest) && passed(nest.first); };
    Laps laps;
    for (Nest &nest : nests_)
        if (nest.link && stepping(nest)) {
            const Span span("look at the parent", Profile::Kind::exchanging);
            nest.link->look(grid(), state(), seconds(), last_step_);
        }
    laps.add_to(step_cost_.nesting);
    for (Nest &nest : nests_)
        if (stepping(nest)) step_nest(nest);
    laps.skip();
    for (Nest &nest : nests_) {
        if (!nest.link || !stepping(nest) || !nest.settings->feedback) continue;
        Domain &inner = *nest.domain;
        const Span span("feed back to the parent", Profile::Kind::exchanging);
        const Content before = covered_by(nest);
        nest.link->feed_back(inner.grid(), inner.state(), inner.physics(), grid(), change_state(), physics());
        account_.fed_back += covered_by(nest) - before;
    }
    if (has_cells()) move_nests();
    begin_nests();
    laps.add_to(step_cost_.nesting);
}

/// In steps of its own until it has caught up.
void Domain::step_nest(Nest &nest) try {
    Domain &inner = *nest.domain;
    const int ratio = nest.settings->time_step_ratio();
    const double begin = seconds_ - last_step_;
    for (int n = 1; n <= ratio; ++n) {
        if (n > 1) inner.sample();
        if (!was_equal())
            inner.step_to(n == ratio ? seconds_ : begin + n * last_step_ / ratio);
        else
            inner.step_to(static_cast<double>(inner.step_ + 1) * inner.config_.run.time_step);
    }
} catch (const AgreedError &e) {
    if (nest.domain->is_everywhere()) throw;
    throw LocalError(e.what()); // others know nothing of it
}

/// Those whose time has come take their parent's state. Nests inside them come after.
void Domain::begin_nests() {
    for (Nest &nest : nests_) {
        if (nest.first == 0 || !reached(nest.first) || passed(nest.first)) continue;
        renew(nest);
        nest.domain->begin_nests();
    }
}

void Domain::end_nests() {
    for (Nest &nest : nests_) {
        if (lives(nest)) nest.domain->end_nests();
        if (reached(nest.last)) nest.domain->let_go();
    }
}

/// Those that are not where they should be.
void Domain::move_nests() {
    for (Nest &nest : nests_) {
        if (!nest.settings->moves_itself() || !passed(nest.first) || reached(nest.last)) continue;
        const NestPlace to = wanted_place(nest), from = nest.place;
        if (same(from, to)) continue;
        nest.place = to;
        shift(nest, (to.i0 - from.i0) * to.ratio, (to.j0 - from.j0) * to.ratio);
    }
}

/// Where its plan or its storm wants it. It does not go where another nest is.
NestPlace Domain::wanted_place(Nest &nest) {
    const NestConfig &s = *nest.settings;
    NestPlace to = nest.place;
    // A step that adapts ends where something is due; of equal ones, it is that of the nearest.
    const double near = config_.run.adaptive_time_step ? slack() : config_.run.time_step / 2;
    for (const NestMove &move : s.plan)
        if (move.seconds < seconds() + near) to.i0 = move.i_parent_start - 1, to.j0 = move.j_parent_start - 1;
    if (!s.follows()) return to;
    if (!is_multiple(seconds_, s.follow_interval, slack())) return to;
    if (seconds() < s.follow_start - near) return to;
    Domain &inner = *nest.domain;
    if (inner.dynamics_) inner.dynamics_->diagnose();
    const auto [nx, ny, nz] = inner.patch_.shape;
    if (!nest.air)
        nest.air.emplace(inner.config_, inner.patch_, inner.grid(), Diagnosed::DryTheta::all_at_once, false,
                         make_tiles({-1, nx + 1, -1, ny + 1, 0, nz}, nx + 2, 8));
    const BoundaryConfig &rows = config_.boundary;
    const Snapshot now = inner.now();
    nest.air->begin(now);
    const auto storm = find_storm(s, nest.place, inner.patch_, nest.air->air(),
                                  rows.specified_rows + rows.relaxation_rows, config_.domain.dx, comm_.get());
    if (!storm) return to;
    to = place_around(s, to, *storm, config_.domain.nx, config_.domain.ny);
    for (const Nest &other : nests_)
        if (&other != &nest && !meet(to.covered(), other.place.covered()).empty()) return nest.place;
    return to;
}

/// Makes a nest anew where it is now, of this domain's state and, where it was before, of its own, bit for
/// bit. It was moved over the ground by so many of its cells; what is inside it moves along.
void Domain::shift(Nest &nest, int east, int north) {
    Domain &inner = *nest.domain;
    const Holdings before = inner.holdings();
    State state = std::move(inner.change_state());
    PhysicsState physics = std::move(inner.physics());
    configure(nest, grid());
    renew(nest);
    if (!inner.has_cells()) return;
    keep_overlap(inner.comm_.get(), *nest.config, inner.patch_, east, north, {state, physics},
                 {inner.change_state(), inner.physics()});
    const Holdings after = inner.holdings();
    inner.account_.move({after.all - before.all, after.rim - before.rim});
    for (const auto &history : inner.histories_) history->follow_domain();
    for (Nest &further : inner.nests_)
        if (inner.lives(further))
            inner.shift(further, east * further.place.ratio, north * further.place.ratio);
}

} // namespace squall
