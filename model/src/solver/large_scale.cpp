// What a flow too wide for the domain does to it: its pressure gradient and its sinking air.
#include <algorithm>

#include "core/constants.hpp"
#include "solver/coupled_rate.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// Rate at which air that sinks by `divergence` times its height above the ground changes a field in a layer:
/// one-sided, from the layer above, from which it comes; in the highest by the gradient below it.
template <class Field> auto carried_down(const GridView &g, ConstField3 ph, real divergence, Field field) {
    return [=](int i, int k, int j) {
        const auto height = [&](int n) { return (ph(i, n, j) + g.phb(i, n, j)) / constants::g; };
        const auto middle = [&](int n) { return real(0.5) * (height(n) + height(n + 1)); };
        const int above = std::min(k + 1, g.nz - 1);
        const real gradient =
            (field(i, above, j) - field(i, above - 1, j)) / (middle(above) - middle(above - 1));
        return divergence * (middle(k) - height(0)) * gradient;
    };
}

} // namespace

/// du/dt = -f v_g and dv/dt = f u_g, beside the Coriolis force on the whole wind; and what sinks carries, all
/// but mass.
void Solver::add_large_scale(Range tile, const State &reference) {
    const LargeScaleForcing &forcing = initial_.forcing;
    const GridView &g = grid_;
    Tendencies &held = *held_;
    const real *ug = forcing.geostrophic_u.data(), *vg = forcing.geostrophic_v.data();
    const auto carried = [&](ConstField3 field) {
        return carried_down(g, reference.ph.view(), forcing.divergence, field);
    };
    for_each(u_faces(tile).with_k(0, g.nz), [&, sunk = carried(reference.u.view()), tend = held.u.view(),
                                             mass = muu_.view()](int i, int k, int j) {
        const real f = real(0.5) * (g.f(i, j) + g.f(i - 1, j));
        tend(i, k, j) += (g.c1h[k] * mass(i, j) + g.c2h[k]) * (sunk(i, k, j) - f * vg[k]);
    });
    for_each(v_faces(tile).with_k(0, g.nz), [&, sunk = carried(reference.v.view()), tend = held.v.view(),
                                             mass = muv_.view()](int i, int k, int j) {
        const real f = real(0.5) * (g.f(i, j) + g.f(i, j - 1));
        tend(i, k, j) += (g.c1h[k] * mass(i, j) + g.c2h[k]) * (sunk(i, k, j) + f * ug[k]);
    });
    const auto sink = [&](ConstField3 field, Array3 &tend) {
        const auto rate = [sunk = carried(field)](int k, int j) {
            return [=](int i) { return sunk(i, k, j); };
        };
        add_coupled_rate(tile.with_k(0, g.nz), g, reference.mu.view(), rate, tend.view());
    };
    if (forcing.divergence == 0) return;
    sink(reference.theta.view(), held.theta);
    for (std::size_t n = 0; n < reference.scalars.size(); ++n)
        sink(reference.scalars[n].view(), held.scalars[n]);
}

} // namespace squall
