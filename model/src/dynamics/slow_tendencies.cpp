// The slow tendencies of a Runge-Kutta stage, one function per prognostic variable.
#include <algorithm>

#include "dynamics/dynamics.hpp"
#include "dynamics/mass_flux.hpp"

namespace squall {

void Dynamics::slow_tendencies(const State &reference, bool first) {
    const FlowView flow = flow_view(reference);
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        if (first && held_) held_tendencies(tile, reference);
        // Slab by slab, so that the operators of one variable find their operands in cache.
        for (int j = tile.j0; j < tile.j1; ++j) {
            const Range slab = tile.with_j(j, j + 1);
            slow_u(slab, flow, scratch());
            slow_v(slab, flow, scratch());
            slow_w(slab, flow, scratch());
            slow_theta(slab, reference, scratch());
            slow_ph(slab, flow);
        }
        if (held_) add_held(tile);
    });
    const HaloField faces[] = {HaloField::of(tend_.u, grid_.nz, Stagger::x),
                               HaloField::of(tend_.v, grid_.nz, Stagger::y)};
    halo_.start(faces, 1);
    halo_.finish();
}

void Dynamics::slow_u(Range cells, const FlowView &flow, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = u_faces(cells).with_k(0, g.nz);
    const ConstField3 ru = flow.ru, rv = flow.rv, omega = flow.omega;
    const Field3 tend = tend_.u.view();
    const auto vx = [=](int i, int k, int j) { return real(0.5) * (ru(i, k, j) + ru(i - 1, k, j)); };
    const auto vy = [=](int i, int k, int j) { return real(0.5) * (rv(i, k, j) + rv(i - 1, k, j)); };
    const auto vz = [=](int i, int k, int j) { return real(0.5) * (omega(i, k, j) + omega(i - 1, k, j)); };
    real *low = scratch.row(0, range.i0), *high = scratch.row(1, range.i0);

    advect_horizontal(range, config_.momentum_order_horizontal, flow.u, vx, vy, g.msfux, g.rdx, g.rdy, x_u_,
                      y_cells_m_, tend);
    for (const OpenSide &side : open_sides_)
        if (!side.x) carry_out(range, side, true, flow.u, vy, g.msfux, g.rdy, tend);
    const Range inner = range.with_i(std::max(range.i0, u_range_.begin), std::min(range.i1, u_range_.end));
    advect_vertical(inner, flow.u, vz, layers_m_, g.rdnw, [](int, int) { return real(1); }, low, high, tend);
    pressure_gradient(inner, g, Direction::west_east(g), config_.top_lid, pressure_fields(flow), flow.muu, low, high,
                      [=](int i, int k, int j, real gradient) { tend(i, k, j) -= gradient; });
    if (rotating_) rotate_u(inner, g, flow, curvature_, tend);
    for (const OpenSide &side : open_sides_)
        if (side.x) radiate_normal_wind(range, g, side, g.rdx, flow.u, ru, flow.mu, tend);
}

void Dynamics::slow_v(Range cells, const FlowView &flow, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = v_faces(cells).with_k(0, g.nz);
    const ConstField3 ru = flow.ru, rv = flow.rv, omega = flow.omega;
    const Field3 tend = tend_.v.view();
    const auto vx = [=](int i, int k, int j) { return real(0.5) * (ru(i, k, j) + ru(i, k, j - 1)); };
    const auto vy = [=](int i, int k, int j) { return real(0.5) * (rv(i, k, j) + rv(i, k, j - 1)); };
    const auto vz = [=](int i, int k, int j) { return real(0.5) * (omega(i, k, j) + omega(i, k, j - 1)); };
    const ConstField2 my = g.msfvy, mx = g.msfvx;
    real *low = scratch.row(0, range.i0), *high = scratch.row(1, range.i0);

    advect_horizontal(range, config_.momentum_order_horizontal, flow.v, vx, vy, my, g.rdx, g.rdy, x_cells_m_, y_v_,
                      tend);
    for (const OpenSide &side : open_sides_)
        if (side.x) carry_out(range, side, true, flow.v, vx, my, g.rdx, tend);
    const Range inner = range.with_j(std::max(range.j0, v_range_.begin), std::min(range.j1, v_range_.end));
    advect_vertical(inner, flow.v, vz, layers_m_, g.rdnw, [=](int i, int j) { return my(i, j) / mx(i, j); }, low,
                    high, tend);
    pressure_gradient(inner, g, Direction::south_north(g), config_.top_lid, pressure_fields(flow), flow.muv, low, high,
                      [=](int i, int k, int j, real gradient) { tend(i, k, j) -= gradient; });
    if (rotating_) rotate_v(inner, g, flow, curvature_, tend);
    for (const OpenSide &side : open_sides_)
        if (!side.x) radiate_normal_wind(range, g, side, g.rdy, flow.v, rv, flow.mu, tend);
}

void Dynamics::slow_w(Range cells, const FlowView &flow, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = cells.with_k(1, g.nz + 1);
    const ConstField3 ru = flow.ru, rv = flow.rv, omega = flow.omega;
    const Field3 tend = tend_.w.view();
    const auto vx = [=](int i, int k, int j) {
        return InterfaceWeights(g, k)([=](int l) { return ru(i, l, j); });
    };
    const auto vy = [=](int i, int k, int j) {
        return InterfaceWeights(g, k)([=](int l) { return rv(i, l, j); });
    };
    const auto vz = [=](int i, int k, int j) { return real(0.5) * (omega(i, k, j) + omega(i, k - 1, j)); };

    advect_horizontal(range, config_.momentum_order_horizontal, flow.w, vx, vy, g.msftx, g.rdx, g.rdy, x_cells_m_,
                      y_cells_m_, tend);
    for (const OpenSide &side : open_sides_)
        carry_out(range, side, false, flow.w, [=](int i, int k, int j) { return side.x ? vx(i, k, j) : vy(i, k, j); },
                  g.msftx, side.x ? g.rdx : g.rdy, tend);
    advect_vertical(range, flow.w, vz, interfaces_, rd_interfaces_.data(), [](int, int) { return real(1); },
                    scratch.row(0, range.i0), scratch.row(1, range.i0), tend);
    vertical_pressure_gradient_and_buoyancy(range, g, p_.view(), flow.mu, tend);
    if (config_.w_damping) add_w_damping(cells, g, flow.w, omega, flow.mu, dt_, tend);
    if (rotating_) rotate_w(range.with_k(1, g.nz), g, flow, curvature_, tend);
}

void Dynamics::slow_theta(Range cells, const State &reference, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = cells.with_k(0, g.nz);
    const ConstField3 ru = ru_.view(), rv = rv_.view(), omega = omega_.view(), theta = reference.theta.view();
    const Field3 tend = tend_.theta.view();
    advect_horizontal(range, config_.scalar_order_horizontal, theta, ru, rv, g.msftx, g.rdx, g.rdy, x_cells_s_,
                      y_cells_s_, tend);
    for (const OpenSide &side : open_sides_)
        carry_out(range, side, false, theta, side.x ? ru : rv, g.msftx, side.x ? g.rdx : g.rdy, tend);
    advect_vertical(range, theta, omega, layers_s_, g.rdnw, [](int, int) { return real(1); },
                    scratch.row(0, range.i0), scratch.row(1, range.i0), tend);
}

void Dynamics::slow_ph(Range cells, const FlowView &flow) {
    const Range range = cells.with_k(1, grid_.nz + 1);
    lift_geopotential(range, grid_, flow, tend_.ph.view());
    advect_geopotential(range, grid_, flow, Direction::south_north(grid_), y_derivative_, tend_.ph.view());
    advect_geopotential(range, grid_, flow, Direction::west_east(grid_), x_derivative_, tend_.ph.view());
}

void Dynamics::held_tendencies(Range tile, const State &reference) {
    Tendencies &held = *held_;
    const auto clear = [](Range range, Field3 field) {
        for_each(range, [=](int i, int k, int j) { field(i, k, j) = 0; });
    };
    const int nz = grid_.nz;
    clear(u_faces(tile).with_k(0, nz), held.u.view());
    clear(v_faces(tile).with_k(0, nz), held.v.view());
    clear(tile.with_k(0, nz + 1), held.w.view());
    clear(tile.with_k(0, nz), held.theta.view());
    if (diffusion_ && diffusion_->active())
        diffusion_->add_tendencies(tile, reference, std::as_const(alt_).view(), held);
    if (damping_.scheme == "rayleigh")
        add_rayleigh_damping(u_faces(tile), v_faces(tile), tile, grid_, reference, RayleighBase(initial_.grid), static_cast<real>(damping_.depth),
                             static_cast<real>(damping_.coefficient), held);
}

void Dynamics::add_held(Range tile) {
    const auto add = [](Range range, ConstField3 held, Field3 tend) {
        for_each(range, [=](int i, int k, int j) { tend(i, k, j) += held(i, k, j); });
    };
    const int nz = grid_.nz;
    Tendencies &h = *held_;
    add(u_faces(tile).with_k(0, nz), h.u.view(), tend_.u.view());
    add(v_faces(tile).with_k(0, nz), h.v.view(), tend_.v.view());
    add(tile.with_k(1, nz + 1), h.w.view(), tend_.w.view());
    add(tile.with_k(0, nz), h.theta.view(), tend_.theta.view());
}

} // namespace squall
