// What the boundary layer does to the flow: rates of columns become tendencies of the C grid.
#include <algorithm>
#include <utility>

#include "solver/coupled_rate.hpp"
#include "solver/solver.hpp"

namespace squall {

BoundaryLayer::Surroundings Solver::surroundings() {
    const RadiationState &radiation = initial_.physics.radiation;
    BoundaryLayer::Surroundings around{initial_.ground, initial_.physics.surface, {}};
    around.latitude = std::as_const(initial_.grid.lat).view();
    around.seconds = seconds_;
    if (radiation.heating.bytes() == 0) return around;
    around.radiative_heating = radiation.heating.view();
    around.sun = radiation.cosine.view();
    return around;
}

void Solver::find_surface_exchange(const State &reference) {
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        boundary_layer_->rates(tile, grid_, reference, p_.view(), al_.view(), surroundings(),
                               {du_dt_.view(), dv_dt_.view(), dtheta_dt_.view(), dvapour_dt_.view(),
                                dcloud_dt_.view(), dice_dt_.view(), dqke_dt_.view(), dice_number_dt_.view()});
    });
}

/// What columns do to wind at the middle of cells, all together, and in halos, for the winds between cells.
void Solver::find_wind_rates() {
    if (!boundary_layer_) {
        du_dt_.fill(0);
        dv_dt_.fill(0);
    }
    const auto add = [&](const Array3 &u, const Array3 &v) {
        if (u.bytes() == 0) return;
        for_each_tile(cell_tiles_, [&](const Range &tile) { add_to_wind_rates(tile, u.view(), v.view()); });
    };
    add(initial_.physics.convection.u, initial_.physics.convection.v);
    add(initial_.physics.gravity_waves.u, initial_.physics.gravity_waves.v);
    const HaloField rates[] = {HaloField::of(du_dt_, grid_.nz), HaloField::of(dv_dt_, grid_.nz)};
    halo_.fill(rates, 1);
}

/// Rates of wind that other columns' physics has found.
void Solver::add_to_wind_rates(Range tile, ConstField3 u, ConstField3 v) {
    for_each(inner_cells(tile).with_k(0, grid_.nz),
             [du = du_dt_.view(), dv = dv_dt_.view(), u, v](int i, int k, int j) {
                 du(i, k, j) += u(i, k, j);
                 dv(i, k, j) += v(i, k, j);
             });
}

/// What a surface layer diagnoses is there from the first frame on.
void Solver::begin_surface() {
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        pressure_of(now_).diagnose(tile, grid_);
        boundary_layer_->begin(tile, grid_, now_, p_.view(), al_.view(), surroundings());
    });
}

namespace {

/// tend += (c1 mass + c2) / metric x the mean rate of a point and of that `back` elements before it.
void add_coupled(Range range, const GridView &g, ConstField2 mass, ConstField2 metric, ConstField3 rate,
                 std::ptrdiff_t back, Field3 tend) {
    for_each_row(range, [&](int k, int j) {
        return [t = tend.row(k, j), r = rate.row(k, j), m = mass.row(j), s = metric.row(j), c1 = g.c1h[k],
                c2 = g.c2h[k],
                back](int i) { t[i] += (c1 * m[i] + c2) / s[i] * (real(0.5) * (r[i] + r[i + back])); };
    });
}

} // namespace

void Solver::add_wind_rates(Range tile) {
    Tendencies &held = *held_;
    const GridView &g = grid_;
    const Range u = u_faces(tile).with_k(0, g.nz), v = v_faces(tile).with_k(0, g.nz);
    add_coupled(u.with_i(std::max(u.i0, faces_.u.begin), std::min(u.i1, faces_.u.end)), g, muu_.view(),
                g.msfuy, du_dt_.view(), -1, held.u.view());
    add_coupled(v.with_j(std::max(v.j0, faces_.v.begin), std::min(v.j1, faces_.v.end)), g, muv_.view(),
                g.msfvx, dv_dt_.view(), -dv_dt_.view().sj, held.v.view());
}

void Solver::add_surface_exchange(Range tile, const State &reference) {
    Tendencies &held = *held_;
    const GridView &g = grid_;
    const auto add_to_cells = [&](ConstField3 rate, Field3 tend) {
        add_coupled_rate(inner_cells(tile).with_k(0, g.nz), g, reference.mu.view(), rate, tend);
    };
    add_to_cells(dtheta_dt_.view(), held.theta.view());
    const auto add_to_scalar = [&](const Array3 &rate, int n) {
        if (n >= 0 && rate.bytes() > 0)
            add_to_cells(rate.view(), held.scalars[static_cast<std::size_t>(n)].view());
    };
    add_to_scalar(dvapour_dt_, scalars_.vapour);
    add_to_scalar(dcloud_dt_, scalars_.cloud);
    add_to_scalar(dice_dt_, scalars_.ice);
    add_to_scalar(dqke_dt_, scalars_.qke);
    add_to_scalar(dice_number_dt_, scalars_.ice_number);
}

} // namespace squall
