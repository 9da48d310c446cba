#include "physics/fire/level_set.hpp"

#include <limits>
#include <map>

namespace squall::fire {
namespace {

struct Slope {
    real x, y;
};

/// Sees psi around a cell along both axes.
class Around {
  public:
    Around(ConstField2 psi, const FrontRules &rules, int i, int j)
        : at_(psi.row(j) + i), sj_(psi.sj), dx_(rules.dx), dy_(rules.dy) {}

    real here() const { return *at_; }
    Slope left() const { return {(at_[0] - at_[-1]) / dx_, (at_[0] - at_[-sj_]) / dy_}; }
    Slope right() const { return {(at_[1] - at_[0]) / dx_, (at_[sj_] - at_[0]) / dy_}; }
    Stencil along_x() const { return along(1, dx_); }
    Stencil along_y() const { return along(sj_, dy_); }

  private:
    Stencil along(std::ptrdiff_t s, real size) const {
        return {at_[-3 * s], at_[-2 * s], at_[-s], at_[0], at_[s], at_[2 * s], at_[3 * s], size};
    }

    const real *at_;
    std::ptrdiff_t sj_;
    real dx_, dy_;
};

Slope first_order(const Around &psi, Differences scheme) {
    const Slope l = psi.left(), r = psi.right();
    switch (scheme) {
    case Differences::upwind:
        return {upwind_difference(l.x, r.x), upwind_difference(l.y, r.y)};
    case Differences::godunov:
        return {godunov_difference(l.x, r.x), godunov_difference(l.y, r.y)};
    case Differences::central:
        return {real(0.5) * (l.x + r.x), real(0.5) * (l.y + r.y)};
    default:
        return {eno_difference(l.x, r.x), eno_difference(l.y, r.y)};
    }
}

/// `flow(slope)`: of a slope of fourth order, which way information travels along each axis.
template <class Flow> Slope weno(const Around &psi, Differences scheme, Flow flow) {
    const Stencil x = psi.along_x(), y = psi.along_y();
    const Slope to = flow(Slope{central_difference4(x), central_difference4(y)});
    if (scheme == Differences::weno3) return {weno3_difference(x, to.x), weno3_difference(y, to.y)};
    return {weno5_difference(x, to.x), weno5_difference(y, to.y)};
}

bool is_weno(Differences scheme) { return scheme == Differences::weno3 || scheme == Differences::weno5; }

/// Artificial viscosity, in units of the rate of spread times the size of a cell.
real viscosity(const FrontRules &rules, real distance, int from_side) {
    if (from_side <= edge_cells || distance >= rules.viscous_near + rules.viscous_transition)
        return rules.viscosity;
    if (distance < rules.viscous_near) return rules.front_viscosity;
    const real far = (distance - rules.viscous_near) / rules.viscous_transition;
    return std::min(rules.front_viscosity + (rules.viscosity - rules.front_viscosity) * far, rules.viscosity);
}

Slope slope_at(const Around &psi, const FrontRules &rules, const SpreadFields &fields, int i, int j) {
    const Upwinding &how = rules.upwinding;
    if (rules.from_side(i, j) < edge_cells) return first_order(psi, Differences::eno);
    if (!is_weno(how.scheme)) return first_order(psi, how.scheme);
    if (how.front_only && std::abs(psi.here()) >= rules.near) return first_order(psi, Differences::eno);
    return weno(psi, how.scheme, [&](Slope s) -> Slope {
        const real across = s.x * fields.u(i, j) + s.y * fields.v(i, j);
        return {across * s.x, across * s.y};
    });
}

} // namespace

Upwinding upwinding_of(const std::string &name) {
    static const std::map<std::string, Upwinding> all{
        {"upwind", {Differences::upwind, false}},    {"godunov", {Differences::godunov, false}},
        {"eno", {Differences::eno, false}},          {"central", {Differences::central, false}},
        {"weno3", {Differences::weno3, false}},      {"weno5", {Differences::weno5, false}},
        {"weno3-front", {Differences::weno3, true}}, {"weno5-front", {Differences::weno5, true}}};
    return all.at(name);
}

FrontRules::FrontRules(const FireConfig &config, const Patch &fire_patch, const FireGrid &grid)
    : dx(grid.dx), dy(grid.dy), x0(fire_patch.x0), y0(fire_patch.y0), nx(fire_patch.nx_domain),
      ny(fire_patch.ny_domain), upwinding(upwinding_of(config.upwinding)),
      reinitialisation(upwinding_of(config.reinitialisation)), spread{config.wind_projection == "rate",
                                                                      real(config.slope_factor)},
      near(real(config.front_cells) * grid.dx), viscosity(real(config.viscosity)),
      front_viscosity(real(config.front_viscosity)),
      viscous_near(real(config.front_viscosity_cells) * grid.dx),
      viscous_transition(real(config.viscosity_transition) * viscous_near) {}

void front_tendency(Range cells, const FrontRules &rules, const SpreadFields &fields, ConstField2 psi,
                    Field2 change, Field2 rate) {
    constexpr real least = std::numeric_limits<real>::epsilon();
    for (int j = cells.j0; j < cells.j1; ++j)
        for (int i = cells.i0; i < cells.i1; ++i) {
            const Around around(psi, rules, i, j);
            const Slope s = slope_at(around, rules, fields, i, j);
            const real steepness = std::sqrt(s.x * s.x + s.y * s.y),
                       scale = std::sqrt(steepness * steepness + least);
            const real r = rate_of_spread(fields, rules.spread, s.x / scale, s.y / scale, i, j);
            const Slope left = around.left(), right = around.right();
            const real curved = (right.x - left.x) + (right.y - left.y);
            rate(i, j) = r;
            change(i, j) = -r * steepness +
                           viscosity(rules, std::abs(around.here()), rules.from_side(i, j)) * r * curved;
        }
}

void draw_to_distance(Range cells, const FrontRules &rules, ConstField2 sign, ConstField2 begin,
                      ConstField2 now, real step, Field2 result) {
    const Upwinding &how = rules.reinitialisation;
    for (int j = cells.j0; j < cells.j1; ++j)
        for (int i = cells.i0; i < cells.i1; ++i) {
            const Around around(now, rules, i, j);
            const real s = sign(i, j);
            const bool plain = rules.from_side(i, j) < edge_cells || !is_weno(how.scheme) ||
                               (how.front_only && around.here() >= rules.near);
            const Slope slope = plain ? first_order(around, Differences::eno)
                                      : weno(around, how.scheme, [s](Slope c) -> Slope {
                                            return {s * c.x, s * c.y};
                                        });
            result(i, j) = begin(i, j) + step * s * (1 - std::sqrt(slope.x * slope.x + slope.y * slope.y));
        }
}

void continue_beyond(const Patch &patch, real bias, Field2 plane) {
    const int nx = patch.shape.nx, ny = patch.shape.ny;
    const auto beyond = [bias](real edge, real inside) {
        const real line = 2 * edge - inside;
        return (1 - bias) * line + bias * std::max(line, std::max(edge, inside));
    };
    for (int j = -1; j <= ny; ++j) {
        if (patch.at_west()) plane(-1, j) = beyond(plane(0, j), plane(1, j));
        if (patch.at_east()) plane(nx, j) = beyond(plane(nx - 1, j), plane(nx - 2, j));
    }
    for (int i = -1; i <= nx; ++i) {
        if (patch.at_south()) plane(i, -1) = beyond(plane(i, 0), plane(i, 1));
        if (patch.at_north()) plane(i, ny) = beyond(plane(i, ny - 1), plane(i, ny - 2));
    }
}

} // namespace squall::fire
