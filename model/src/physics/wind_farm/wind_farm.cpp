#include "physics/wind_farm/wind_farm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace squall {
namespace {

/// A layer of column i, from the ground up.
struct Layer {
    const TurbulentColumns &c;
    int i;
    int k = 0;
    real lower = 0; ///< its lower face above the ground [m]
    real upper() const { return lower + c.depth(i, k); }
    bool next() {
        lower = upper();
        return ++k < c.nz;
    }
};

real speed_of(const TurbulentColumns &c, int i, int k) {
    return std::sqrt(c.u(i, k) * c.u(i, k) + c.v(i, k) * c.v(i, k));
}

/// At a height above the ground, linear between the middles of layers, and from the lowest to 0 at the
/// ground.
real speed_at(const TurbulentColumns &c, int i, real height) {
    real below = 0, speed_below = 0;
    for (Layer f{c, i};;) {
        const real middle = f.lower + real(0.5) * c.depth(i, f.k), speed = speed_of(c, i, f.k);
        if (height < middle || f.k + 1 == c.nz)
            return speed_below + (speed - speed_below) / (middle - below) * (height - below);
        below = middle, speed_below = speed;
        f.next();
    }
}

} // namespace

WindFarm::WindFarm(std::vector<TurbineType> types, const std::vector<StandingTurbine> &turbines,
                   double tke_factor, const Patch &patch, const Grid &grid)
    : types_(std::move(types)), grid_cell_(grid.dx * grid.dy), tke_factor_(real(tke_factor)) {
    for (const StandingTurbine &t : turbines) {
        const int i = t.i - patch.x0, j = t.j - patch.y0;
        if (i >= 0 && i < patch.shape.nx && j >= 0 && j < patch.shape.ny)
            turbines_.push_back({i, j, t.type, grid_cell_ / (grid.msftx(i, j) * grid.msfty(i, j))});
    }
    std::ranges::stable_sort(turbines_, {}, [](const Turbine &t) { return std::pair(t.j, t.i); });
}

void WindFarm::act(const TurbulentColumns &c, int i0, int j, Field2 power) const {
    std::fill_n(power.row(j) + i0, c.n, real(0));
    const auto place = [](const Turbine &t) { return std::pair(t.j, t.i); };
    for (auto t = std::ranges::lower_bound(turbines_, std::pair(j, i0), {}, place);
         t != turbines_.end() && t->j == j && t->i < i0 + c.n; ++t)
        act(c, t->i - i0, *t, power(t->i, j));
}

/// d V / dt = -1/2 C_T V |V| A / (cell dz), d TKE / dt = 1/2 (C_T - C_P) |V|^3 A / (cell dz) in a layer of
/// which the rotor has the area A (equations 8 and 10). The wind becomes slower by what takes just that
/// energy in a step; in WRF's form by the rate at its beginning, which takes a little less.
void WindFarm::act(const TurbulentColumns &c, int i, const Turbine &turbine, real &power) const {
    const TurbineType &type = types_[static_cast<std::size_t>(turbine.type)];
    const real cell = c.as_wrf ? grid_cell_ : turbine.cell;
    const real hub_speed = speed_at(c, i, type.hub());
    const TurbineCoefficients share = type.coefficients(hub_speed);
    const real flow = real(0.5) * TurbineType::air_density * share.power;
    const real produced = flow * hub_speed * hub_speed * hub_speed * type.area();
    power += produced;
    const auto for_each_layer = [&](auto f) {
        Layer layer{c, i};
        do {
            const real lower = std::max(layer.lower, type.lowest()),
                       upper = std::min(layer.upper(), type.highest());
            if (lower < upper) f(layer.k, type.area_between(lower, upper), speed_of(c, i, layer.k));
        } while (layer.next() && layer.lower < type.highest());
    };
    real by_layers = 0;
    for_each_layer([&](int, real area, real speed) { by_layers += flow * speed * speed * speed * area; });
    const real scale = produced > 0 && by_layers > 0 ? produced / by_layers : real(1);
    const real turbulent = tke_factor_ * std::max(share.thrust - share.power, real(0));
    for_each_layer([&](int k, real area, real speed) {
        const real met = scale * speed * area / (cell * c.depth(i, k)) * c.dt;
        const real rate = real(0.5) * share.thrust * met; // of |V|^2, what is lost
        const real slower = c.as_wrf ? rate : 2 * rate / (1 + std::sqrt(std::max(1 - 2 * rate, real(0))));
        c.du(i, k) -= slower * c.u(i, k);
        c.dv(i, k) -= slower * c.v(i, k);
        c.dqke(i, k) += turbulent * met * speed * speed; // twice the energy
    });
}

} // namespace squall
