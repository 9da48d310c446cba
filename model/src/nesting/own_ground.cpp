#include "nesting/own_ground.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "nesting/level_remap.hpp"
#include "parallel/halo.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

/// How much of the file's is in a point, 0 to 1, by its distance from the nest's sides.
class Weight {
  public:
    Weight(int rim_rows, int blend_rows, const Patch &patch, Points kind)
        : rim_rows_(rim_rows), width_(blend_rows + 1), x0_(patch.x0), y0_(patch.y0),
          last_x_(patch.nx_domain - (kind == Points::x_faces ? 0 : 1)),
          last_y_(patch.ny_domain - (kind == Points::y_faces ? 0 : 1)) {}

    real operator()(int i, int j) const {
        const int x = i + x0_, y = j + y0_;
        const int rows = std::min(std::min(x, last_x_ - x), std::min(y, last_y_ - y)) - rim_rows_ + 1;
        return std::clamp(real(rows) / real(width_), real(0), real(1));
    }

  private:
    int rim_rows_, width_, x0_, y0_, last_x_, last_y_;
};

/// to = own where the weight is 1, to where it is 0; exactly so.
void blend(const Weight &weight, Range points, ConstField3 own, Field3 to) {
    for_each(points, [&](int i, int k, int j) {
        const real w = weight(i, j);
        to(i, k, j) = w == 1 ? own(i, k, j) : w * own(i, k, j) + (1 - w) * to(i, k, j);
    });
}

/// What lies between two base states in balance is in none: the gradient of its geopotential along the ground
/// is not that of its pressure, which would move the air.
void balance_where_blended(const Weight &weight, const Range &columns, int hypsometric, Grid &grid) {
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i)
            if (weight(i, j) < 1) balance(grid, {i, i + 1, j, j + 1, 0, 1}, hypsometric);
}

Field3 one_level(Field2 v) { return {v.origin, 0, v.sj}; }
ConstField3 one_level(ConstField2 v) { return {v.origin, 0, v.sj}; }

/// Potential temperature of dry air [K] over that of State::theta at full value.
real dry_share(const Config &config, real vapour) {
    return config.dynamics.moist_theta ? 1 / (1 + constants::rv_over_rd * vapour) : real(1);
}

/// What the air of a column lies on, as far as moving it needs to know.
struct Base {
    explicit Base(const Grid &g) : pb(g.shape), theta_init(g.shape) {
        pb.copy_from(g.pb), theta_init.copy_from(g.theta_init);
    }
    Array3 pb, theta_init;
};

/// Moves air from one ground to another.
void move_air(const Config &config, const Base &from, const Grid &to, int vapour, State &s) {
    const Shape n = to.shape;
    for_each({0, n.nx, 0, n.ny, 0, n.nz}, [&](int i, int k, int j) {
        const real shift = to.theta_init(i, k, j) - from.theta_init(i, k, j);
        const real theta = s.theta(i, k, j);
        if (vapour < 0) {
            s.theta(i, k, j) = theta + shift;
            return;
        }
        // Moist theta moves by the dry one's shift; its vapour by what saturates the air here and there.
        real &q = s.scalars[std::size_t(vapour)](i, k, j);
        const real dry = (constants::theta0 + theta) * dry_share(config, q);
        const auto saturated = [](real potential, real pressure) {
            const real t = potential * std::pow(pressure / constants::p0, constants::r_d / constants::c_p);
            return saturation_over_water(t, pressure);
        };
        if (to.pb(i, k, j) != from.pb(i, k, j))
            q *= saturated(dry + shift, to.pb(i, k, j)) / saturated(dry, from.pb(i, k, j));
        if (shift != 0) s.theta(i, k, j) = (dry + shift) / dry_share(config, q) - constants::theta0;
    });
}

} // namespace

void check_levels(const Config &config, const VerticalGrid &own, const VerticalGrid &parent) {
    const auto refuse = [&](const std::string &what) {
        throw std::runtime_error(fmt::format("{} {}; write both with one run of `squall prepare` or real.exe",
                                             config.initial.file, what));
    };
    if (std::abs(own.p_top - parent.p_top) > real(1e-5) * parent.p_top)
        refuse(fmt::format(
            "has its top at {} Pa, but the nest's parent at {} Pa: all domains of a run have the same top",
            own.p_top, parent.p_top));
    if (same_levels(own, parent)) return;
    const VerticalGrid wanted = levels_inside(parent, {own.znw.begin(), own.znw.end()});
    for (std::size_t k = 0; k < own.c3f.size(); ++k)
        if (std::abs(own.c3f[k] - wanted.c3f[k]) > real(1e-3))
            refuse(fmt::format(
                "has another transition from terrain-following to pressure levels than the parent "
                "(HYBRID_OPT, ETAC): at eta = {} the terrain-following weight is {}, but the parent's is {}",
                own.znw[k], own.c3f[k], wanted.c3f[k]));
}

void lay_on_own_ground(const Config &config, const Patch &patch, int blend_rows, InitialState own,
                       StateOf state, InitialState &nest) {
    const Shape n = patch.shape;
    const int vapour = nest.scalars.vapour;
    const Range cells{0, n.nx, 0, n.ny, 0, n.nz}, plane = cells.with_k(0, 1),
                                                  interfaces = cells.with_k(0, n.nz + 1);
    // All rows that are drawn to the parent have its ground: masses of both are compared there.
    const int rim_rows = config.boundary.specified_rows + config.boundary.relaxation_rows;
    const auto weight = [&](Points kind = Points::cells) {
        return Weight(rim_rows, blend_rows, patch, kind);
    };
    const auto blend_plane = [&](const Array2 &from, Array2 &to) {
        blend(weight(), plane, one_level(from.view()), one_level(to.view()));
    };
    const Base from_parent(nest.grid), from_file(own.grid);
    blend_plane(own.grid.terrain, nest.grid.terrain), blend_plane(own.grid.mub, nest.grid.mub);
    blend(weight(), interfaces, own.grid.phb.view(), nest.grid.phb.view());
    std::swap(own.grid.terrain, nest.grid.terrain), std::swap(own.grid.mub, nest.grid.mub);
    std::swap(own.grid.phb, nest.grid.phb), std::swap(own.grid, nest.grid);
    nest.base_rule = own.base_rule;
    apply(nest.base_rule, nest.grid, config.dynamics.hypsometric);
    if (!config.run.as_wrf() && nest.base_rule.from == BaseRule::From::atmosphere)
        balance_where_blended(weight(), plane, config.dynamics.hypsometric, nest.grid);
    std::swap(own.ground.aerosol, nest.ground.aerosol); // the file knows nothing of it
    nest.ground = std::move(own.ground);
    nest.physics.surface = std::move(own.physics.surface);

    move_air(config, from_parent, nest.grid, vapour, nest.state);
    if (state == StateOf::parent) return;
    State &a = own.state, &b = nest.state;
    move_air(config, from_file, nest.grid, vapour, a);
    blend(weight(Points::x_faces), {0, n.nx + 1, 0, n.ny, 0, n.nz}, a.u.view(), b.u.view());
    blend(weight(Points::y_faces), {0, n.nx, 0, n.ny + 1, 0, n.nz}, a.v.view(), b.v.view());
    blend(weight(), cells, a.theta.view(), b.theta.view());
    blend(weight(), interfaces, a.ph.view(), b.ph.view());
    blend(weight(), interfaces, a.w.view(), b.w.view());
    blend_plane(a.mu, b.mu);
    for (std::size_t q = 0; q < b.scalars.size(); ++q)
        blend(weight(), cells, a.scalars[q].view(), b.scalars[q].view());
}

} // namespace squall
