#include "nesting/nest_link.hpp"

#include <algorithm>
#include <utility>

#include "initial/base_rule.hpp"
#include "initial/blank.hpp"
#include "nesting/nest_ground.hpp"
#include "nesting/nest_map.hpp"
#include "parallel/tasks.hpp"

namespace squall {
namespace {

Field3 one_level(Field2 v) { return {v.origin, 0, v.sj}; }
ConstField3 one_level(ConstField2 v) { return {v.origin, 0, v.sj}; }

/// A patch's columns of a parent, in local indices, that windows of a nest hold.
Range around(const NestPlace &place, const Patch &p) {
    const Region c = place.covered();
    const int reach = cells_around_nest + 1;
    const Region r = meet({c.i0 - reach, c.i1 + reach, c.j0 - reach, c.j1 + reach},
                          {p.x0, p.x0 + p.shape.nx, p.y0, p.y0 + p.shape.ny});
    return {r.i0 - p.x0, r.i1 - p.x0, r.j0 - p.y0, r.j1 - p.y0, 0, 1};
}

} // namespace

/// Lets a boundary ask the link.
class NestLink::Rim : public RimSource {
  public:
    explicit Rim(NestLink &link) : link_(link) {}
    bool knows_w() const override { return true; }
    bool knows_scalar(int n) const override { return n < link_.shared_; }
    bool changes_at(double) const override { return link_.looked_at_ != link_.filled_at_; }
    bool needs_halo() const override { return true; }
    double fill(double seconds, const GridView &grid, const State &state, RimFields &into) override {
        return link_.fill(seconds, grid, state, into);
    }

  private:
    NestLink &link_;
};

NestLink::NestLink(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest,
                   const ScalarSet &scalars, int shared, double parent_step, const LevelPair &levels,
                   const LinkRules &rules)
    : place_(place), parent_(parent), nest_(nest), scalars_(scalars), shared_(shared),
      balanced_part_(rules.hypsometric), moist_theta_(rules.moist_theta),
      window_(comm, place, parent, nest, shared, rules.first_rank, LevelRemap(levels.parent, levels.nest)),
      feedback_(comm, place, parent, nest, rules.smoothing, rules.first_rank,
                LevelRemap(levels.nest, levels.parent), LevelRemap(levels.parent, levels.nest)),
      interpolator_(place, rules.interpolation),
      // Two base states on other levels are never one the other's interpolation.
      base_apart_(rules.base_apart || !window_.levels().same()), moves_(rules.moves),
      balances_(scalars.moist() && !window_.levels().same()),
      rim_(place, nest, rules.interpolation, parent_step, base_apart_) {
    if (!balances_) return;
    rest_of_parent_ = Array3(parent.shape);
    rest_of_nest_ = Array3(nest.shape);
}

NestLink::~NestLink() = default;

std::unique_ptr<RimSource> NestLink::rim() { return std::make_unique<Rim>(*this); }

/// Of geopotential what is not in balance, in columns of a domain; all of it where levels are the same.
const Array3 &NestLink::unbalanced(const Range &columns, const Grid &grid, const State &state, Array3 &kept) {
    if (!balances_) return state.ph;
    for_each(columns.with_k(0, grid.shape.nz + 1),
             [&](int i, int k, int j) { kept(i, k, j) = state.ph(i, k, j); });
    balanced_part_.add(columns, GridView(grid), air_of(state, scalars_, moist_theta_), -1, kept.view());
    return kept;
}

/// Back from that, by the air that is there now.
void NestLink::add_balanced(const Range &columns, const Grid &grid, State &state, double times) {
    if (balances_)
        balanced_part_.add(columns, GridView(grid), air_of(state, scalars_, moist_theta_), times,
                           state.ph.view());
}

/// Sets the nest's points from the window's.
void NestLink::take(ConstField3 from, Field3 to, int levels, Points kind) {
    const Range points{nest_.x0, nest_.x0 + nest_.shape.nx + (kind == Points::x_faces),
                       nest_.y0, nest_.y0 + nest_.shape.ny + (kind == Points::y_faces),
                       0,        levels};
    interpolator_.set(kind, window_.in_parent(from), points, in_domain(to, nest_.x0, nest_.y0));
}

void NestLink::take(const Array3 &from, Array3 &to, int levels, Points kind) {
    take(from.view(), to.view(), levels, kind);
}

void NestLink::take(const Array2 &from, Array2 &to, Points kind) {
    take(one_level(from.view()), one_level(to.view()), 1, kind);
}

InitialState NestLink::begin(const Config &config, const InitialState &parent) {
    base_of_parent_ = parent.base_rule;
    window_.fetch(parent.grid, base_of_parent_);
    if (moves_) tell_base(parent.grid); // to which it gives no ground
    window_.fetch(parent.state,
                  unbalanced(around(place_, parent_), parent.grid, parent.state, rest_of_parent_));
    if (scalars_.moist()) window_.fetch(parent.physics);
    InitialState s = blank_state(config, nest_.shape, config.domain.dx, config.domain.dy);
    begin_grid(parent.grid, s.grid);
    s.base_rule = base_rule(parent.base_rule);
    apply(s.base_rule, s.grid, config.dynamics.hypsometric);
    begin_state(s);
    add_balanced({0, nest_.shape.nx, 0, nest_.shape.ny, 0, 1}, s.grid, s.state);
    lay_ground(window_, place_, nest_, parent, s);
    return s;
}

void NestLink::tell_surface(const PhysicsState &parent, PhysicsState &nest) {
    lay_surface(window_, place_, nest_, parent, nest);
}

/// A nest has a base state in balance, where that is made of an analytic atmosphere and where its levels are
/// its own: of this atmosphere, or of its parent's theta. WRF takes the parent's, interpolated.
BaseRule NestLink::base_rule(const BaseRule &parent) const {
    BaseRule rule = parent;
    if (rule.from == BaseRule::From::atmosphere && base_apart_) rule.balanced = true;
    if (window_.levels().same()) return rule;
    if (rule.from == BaseRule::From::geopotential) rule.from = BaseRule::From::theta;
    rule.balanced = true;
    return rule;
}

/// To what the parent is given: its base state, now that it will not change.
void NestLink::tell_base(const Grid &parent) {
    if (!window_.levels().same() && base_of_parent_.from == BaseRule::From::atmosphere)
        feedback_.know_base(base_of_parent_.atmosphere, parent.theta_init.view(), parent.mub.view());
}

/// All but what the base rule makes.
void NestLink::begin_grid(const Grid &parent, Grid &g) {
    const Grid &w = window_.grid();
    const int nz = nest_.shape.nz;
    g.vertical = w.vertical;
    set_base_profiles(window_.levels(), parent, g);
    lay_map(window_, place_, nest_, g);
    take(w.terrain, g.terrain), take(w.mub, g.mub);
    take(w.phb, g.phb, nz + 1), take(w.theta_init, g.theta_init, nz);
}

/// What the parent does not share begins at nothing.
void NestLink::begin_state(InitialState &s) {
    const State &from = window_.state();
    const int nz = nest_.shape.nz;
    take(from.u, s.state.u, nz, Points::x_faces), take(from.v, s.state.v, nz, Points::y_faces);
    take(from.w, s.state.w, nz + 1), take(from.theta, s.state.theta, nz);
    take(from.ph, s.state.ph, nz + 1), take(from.mu, s.state.mu);
    for (std::size_t n = 0; n < from.scalars.size(); ++n) take(from.scalars[n], s.state.scalars[n], nz);
    if (!scalars_.moist()) return;
    const PhysicsState &p = window_.physics();
    take(p.heating, s.physics.heating, nz);
    take(p.rain, s.physics.rain), take(p.snow, s.physics.snow), take(p.graupel, s.physics.graupel);
}

void NestLink::feed_back_beginning(const Config &config, const Grid &n, const State &nest,
                                   const PhysicsState &nest_physics, InitialState &parent) {
    Grid &p = parent.grid;
    if (moves_) return feed_back(n, nest, nest_physics, p, parent.state, parent.physics);
    using enum OnLevels;
    const FedBack base[] = {
        {one_level(n.terrain.view()), one_level(p.terrain.view())},
        {one_level(n.mub.view()), one_level(p.mub.view())},
        {.nest = n.phb.view(), .parent = p.phb.view(), .levels = n.shape.nz + 1, .column = geopotential}};
    feedback_.give(base, p.mub.view());
    if (parent.base_rule.from == BaseRule::From::theta) {
        const FedBack theta[] = {{.nest = n.theta_init.view(),
                                  .parent = p.theta_init.view(),
                                  .levels = n.shape.nz,
                                  .column = layers}};
        feedback_.give(theta, p.mub.view());
    }
    apply(parent.base_rule, p, config.dynamics.hypsometric);
    if (base_apart_ && parent.base_rule.from != BaseRule::From::geopotential) // a mean of such is in none
        balance(p, feedback_.given(), config.dynamics.hypsometric);
    tell_base(p);
    feed_back(n, nest, nest_physics, p, parent.state, parent.physics);
}

void NestLink::feed_back(const Grid &nest_grid, const State &nest, const PhysicsState &nest_physics,
                         const Grid &parent_grid, State &parent, PhysicsState &parent_physics) {
    using enum OnLevels;
    const int nz = nest_.shape.nz;
    std::vector<FedBack> &v = fed_back_;
    v.clear();
    const auto add = [&](const Array3 &from, Array3 &to, OnLevels column, Points kind = Points::cells) {
        const bool on_layers = column == layers || column == amounts;
        v.push_back({.nest = from.view(),
                     .parent = to.view(),
                     .levels = on_layers ? nz : nz + 1,
                     .kind = kind,
                     .column = column});
    };
    add(nest.u, parent.u, layers, Points::x_faces), add(nest.v, parent.v, layers, Points::y_faces);
    const Range cells{0, nest_.shape.nx, 0, nest_.shape.ny, 0, 1};
    add(nest.w, parent.w, interfaces);
    add(unbalanced(cells, nest_grid, nest, rest_of_nest_), parent.ph, geopotential);
    add(nest.theta, parent.theta, layers);
    if (base_apart_)
        v.back().nest_base = nest_grid.theta_init.view(),
        v.back().parent_base = parent_grid.theta_init.view();
    v.push_back({one_level(nest.mu.view()), one_level(parent.mu.view())});
    for (std::size_t n = 0; n < std::size_t(shared_); ++n) add(nest.scalars[n], parent.scalars[n], amounts);
    if (scalars_.moist()) {
        const PhysicsState &a = nest_physics;
        PhysicsState &b = parent_physics;
        add(a.heating, b.heating, amounts), v.back().smoothed = false;
        const auto fallen = [&](const Array2 &from, Array2 &to) {
            v.push_back({one_level(from.view()), one_level(to.view()), 1, Points::cells, false});
        };
        fallen(a.rain, b.rain), fallen(a.snow, b.snow), fallen(a.graupel, b.graupel);
    }
    add_balanced(feedback_.given(), parent_grid, parent, -1);
    feedback_.give(v, parent_grid.mub.view(), parent.mu.view());
    add_balanced(feedback_.given(), parent_grid, parent);
}

void NestLink::look(const Grid &grid, const State &parent, double seconds, double step) {
    rim_.set_parent_step(step);
    window_.look(parent, unbalanced(around(place_, parent_), grid, parent, rest_of_parent_));
    looked_at_ = seconds;
}

/// Turns the window's state into coupled values in some columns, where the masses of faces are known.
void NestLink::couple_window(std::span<const Range> columns) {
    State &s = window_.state();
    const GridView g(window_.grid());
    const ConstField2 mu = s.mu.view();
    coupled_ = {{&s.u, g.nz, Coupling::u},
                {&s.v, g.nz, Coupling::v},
                {&s.w, g.nz + 1, Coupling::w},
                {&s.theta, g.nz, Coupling::layers},
                {&s.ph, g.nz + 1, Coupling::interfaces}};
    for (Array3 &scalar : s.scalars) coupled_.push_back({&scalar, g.nz, Coupling::layers});
    const auto variables = coupled_.size();
    for_each_task(int(variables * columns.size()), [&](int n) {
        const auto &[field, levels, kind] = coupled_[std::size_t(n) % variables];
        const Range part = columns[std::size_t(n) / variables].with_k(0, levels);
        const Field3 v = field->view();
        if (base_apart_ && field == &s.theta)
            for_each(part, [&](int i, int k, int j) { v(i, k, j) -= g.theta_init(i, k, j); });
        const Range with_mass = part.with_i(std::max(part.i0, kind == Coupling::u ? 1 : 0), part.i1)
                                    .with_j(std::max(part.j0, kind == Coupling::v ? 1 : 0), part.j1);
        for_each(with_mass, [&, kind = kind](int i, int k, int j) {
            v(i, k, j) = coupled(kind, g, mu, i, k, j, v(i, k, j));
        });
    });
}

double NestLink::fill(double seconds, const GridView &grid, const State &state, RimFields &into) {
    if (looked_at_ != filled_at_) { // what was fetched is coupled once
        if (!read_by_rim_) read_by_rim_ = rim_.columns(window_, into);
        const std::vector<Range> &read = *read_by_rim_;
        window_.map_state(read);
        for (const Range &columns : read) add_balanced(columns, window_.grid(), window_.state());
        couple_window(read);
    }
    rim_.fill(window_, grid, state, into);
    filled_at_ = looked_at_;
    return seconds;
}

} // namespace squall
