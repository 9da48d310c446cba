// The slow tendencies of a Runge-Kutta stage, one function per prognostic variable.
#include <algorithm>

#include <omp.h>

#include "dynamics/buoyancy.hpp"
#include "dynamics/rotation.hpp"
#include "physics/prescribed_surface.hpp"
#include "solver/solver.hpp"

namespace squall {

void Solver::slow_tendencies(const State &reference, bool first) {
    const FlowView flow = flow_view(reference);
    if (first && initial_.forcing.on) {
        initial_.forcing.set_wind(seconds_);
        prescribe_surface(initial_.forcing, seconds_, initial_.ground, initial_.physics.surface);
    }
    if (first && sea_)
        for_each_tile(cell_tiles_, [&](const Range &tile) {
            sea_->set(tile, seconds_, initial_.ground, initial_.physics.surface);
        });
    if (first && radiation_) find_radiation(reference); // which the ground is told
    if (first && boundary_layer_) find_surface_exchange(reference);
    if (first && convection_) find_convection(reference);
    if (first && gravity_waves_) find_gravity_wave_drag(reference);
    if (first && nudging_ && nudging_->acts_at(seconds_) && nudging_->spares_boundary_layer()) {
        const HaloField height[] = {HaloField::of(initial_.physics.surface.boundary_layer_height)};
        halo_.fill(height, 1);
    }
    if (first && du_dt_.bytes() > 0) find_wind_rates();
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        if (first && held_) held_tendencies(tile, reference);
        // Slab by slab, so that the operators of one variable find their operands in cache.
        for (int j = tile.j0; j < tile.j1; ++j) {
            const Range slab = tile.with_j(j, j + 1);
            const bool lowest = j == tile.j0;
            slow_u(slab, lowest, flow, scratch());
            slow_v(slab, lowest, flow, scratch());
            slow_w(slab, lowest, flow, scratch());
            slow_theta(slab, lowest, reference, scratch());
            slow_ph(slab, flow);
        }
        if (held_) add_held(tile);
        if (microphysics_) add_heating(tile, reference);
    });
    const HaloField faces[] = {HaloField::of(tend_.u, grid_.nz, Points::x_faces),
                               HaloField::of(tend_.v, grid_.nz, Points::y_faces)};
    halo_.start(faces, 1); // finished in acoustic_substeps, before the first use
}

namespace {

/// The mean of a flux at a point and at the point `back` elements before it, as velocity(k, j)(i).
auto mean_with_neighbour(ConstField3 flux, std::ptrdiff_t back) {
    return [=](int k, int j) {
        return [f = flux.row(k, j), back](int i) { return real(0.5) * (f[i] + f[i + back]); };
    };
}

/// A flux of layers brought to interfaces: interpolated inside, extrapolated at the top.
auto at_interfaces(const GridView &g, ConstField3 flux) {
    return [=](int k, int j) {
        const bool top = k == g.nz;
        const int upper = top ? k - 1 : k;
        return [above = flux.row(upper, j), below = flux.row(upper - 1, j),
                wa = top ? 2 - g.fnm[k - 1] : g.fnm[k],
                wb = top ? -g.fnp[k - 1] : g.fnp[k]](int i) { return wa * above[i] + wb * below[i]; };
    };
}

/// A flux at its own points.
auto at_points(ConstField3 flux) {
    return [=](int k, int j) { return [f = flux.row(k, j)](int i) { return f[i]; }; };
}

/// tend -= gradient, as it acts on dry mass.
template <class Moist> auto subtract_from(Field3 tend, Moist moist) {
    return [=](int k, int j) {
        return [t = tend.row(k, j), m = moist(k, j)](int i, real gradient) { t[i] -= m(i) * gradient; };
    };
}

} // namespace

int slow_tendency_scratch_rows(int nz) { return pressure_gradient_rows + 4 * 2 * (nz + 1); }

namespace {

/// The flux rows of the n-th variable, n = 0 ... 3. The pressure gradient's rows may be shared.
FluxRows flux_rows(Scratch &scratch, int n, int nz, int i0) {
    static_assert(FluxRows::shared <= pressure_gradient_rows);
    return {scratch, pressure_gradient_rows + n * 2 * (nz + 1), nz + 1, i0};
}

bool turns_departure(const DynamicsConfig &config) { return config.coriolis == "file-departure"; }

BaseWind base_wind(const Grid &g) {
    return {g.u_base.data(), g.v_base.data(), g.z_base.data(), g.vertical.nz};
}

} // namespace

/// f(turning), by the kind of map.
template <class F> void Solver::with_turning(const FlowView &flow, F f) {
    const GridView &g = grid_;
    if (tan_u_.bytes() == 0) return f(ConformalTurning{turning_.view()});
    f(LatLonTurning{flow.u, tan_u_.view(), tan_v_.view(), g.msfux, g.msfuy, g.msfvx, g.msfvy});
}

void Solver::slow_u(Range cells, bool lowest, const FlowView &flow, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = u_faces(cells).with_k(0, g.nz);
    const Range inner = range.with_i(std::max(range.i0, u_range_.begin), std::min(range.i1, u_range_.end));
    const Field3 tend = tend_.u.view();
    const MassFluxes mass{mean_with_neighbour(flow.ru, -1), mean_with_neighbour(flow.rv, -1),
                          mean_with_neighbour(flow.omega, -1)};

    advect(inner, lowest, flow.u, mass, {x_u_, y_cells_m_, layers_m_, g.msfux, g.rdx, g.rdy, g.rdnw},
           unit_metric, flux_rows(scratch, 0, g.nz, range.i0), tend);
    if (boundary_) boundary_->correct_outflow_u(range, flow.u, flow.ru, tend);
    for (const OpenSide &side : open_sides_)
        if (!side.is_x()) carry_out(inner, side, true, flow.u, flow.u, mass.y, g.msfux, g.rdy, tend);
    with_factor(moisture_factors().u, [&](auto moist) {
        pressure_gradient(inner, g, FaceMetrics::of_x(g), config_.top_lid, pressure_fields(flow), flow.muu,
                          scratch, subtract_from(tend, moist));
    });
    if (rotating_) add_coriolis_u(inner, g, flow, tend);
    if (turns_departure(config_)) subtract_base_coriolis_u(inner, g, flow, base_wind(initial_.grid), tend);
    if (curvature_)
        with_turning(flow, [&](auto turning) { add_curvature_u(inner, g, flow, rw_.view(), turning, tend); });
    for (const OpenSide &side : open_sides_)
        if (side.is_x()) radiate_normal_wind(range, g, side, g.rdx, flow.u, flow.ru, flow.mu, tend);
    for (const OpenSide &side : open_sides_)
        if (side.lifts)
            lift_normal_wind(range, g, side, flow.u, flow.omega, layers_m_,
                             flux_rows(scratch, 0, g.nz, range.i0), tend);
}

void Solver::slow_v(Range cells, bool lowest, const FlowView &flow, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = v_faces(cells).with_k(0, g.nz);
    const Range inner = range.with_j(std::max(range.j0, v_range_.begin), std::min(range.j1, v_range_.end));
    const Field3 tend = tend_.v.view();
    const std::ptrdiff_t south = -tend.sj;
    const MassFluxes mass{mean_with_neighbour(flow.ru, south), mean_with_neighbour(flow.rv, south),
                          mean_with_neighbour(flow.omega, south)};
    const auto metric = [&g](int j) {
        return [my = g.msfvy.row(j), mx = g.msfvx.row(j)](int i) { return my[i] / mx[i]; };
    };

    for (int j = inner.j0; j < inner.j1; ++j)
        advect(inner.with_j(j, j + 1), lowest || j == v_range_.begin, flow.v, mass,
               {x_cells_m_, y_v_, layers_m_, g.msfvy, g.rdx, g.rdy, g.rdnw}, metric,
               flux_rows(scratch, 1, g.nz, range.i0), tend);
    if (boundary_) boundary_->correct_outflow_v(range, flow.v, flow.rv, tend);
    for (const OpenSide &side : open_sides_)
        if (side.is_x()) carry_out(inner, side, true, flow.v, flow.v, mass.x, g.msfvy, g.rdx, tend);
    with_factor(moisture_factors().v, [&](auto moist) {
        pressure_gradient(inner, g, FaceMetrics::of_y(g), config_.top_lid, pressure_fields(flow), flow.muv,
                          scratch, subtract_from(tend, moist));
    });
    if (rotating_) add_coriolis_v(inner, g, flow, tend);
    if (turns_departure(config_)) subtract_base_coriolis_v(inner, g, flow, base_wind(initial_.grid), tend);
    if (curvature_)
        with_turning(flow, [&](auto turning) { add_curvature_v(inner, g, flow, rw_.view(), turning, tend); });
    for (const OpenSide &side : open_sides_)
        if (!side.is_x()) radiate_normal_wind(range, g, side, g.rdy, flow.v, flow.rv, flow.mu, tend);
}

void Solver::slow_w(Range cells, bool lowest, const FlowView &flow, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = cells.with_k(1, g.nz + 1);
    const Field3 tend = tend_.w.view();
    const MassFluxes mass{at_interfaces(g, flow.ru), at_interfaces(g, flow.rv),
                          mean_with_neighbour(flow.omega, -flow.omega.sk)};

    advect(range, lowest, flow.w, mass,
           {x_cells_m_, y_cells_m_, interfaces_, g.msftx, g.rdx, g.rdy, rd_interfaces_.data()}, unit_metric,
           flux_rows(scratch, 2, g.nz, range.i0), tend);
    for (const OpenSide &side : open_sides_)
        carry_out(range, side, false, flow.w, flow.w, side.is_x() ? mass.x : mass.y, g.msftx,
                  side.is_x() ? g.rdx : g.rdy, tend);
    add_buoyancy(range, g, p_.view(), flow.mu, moisture_factors().w, tend);
    if (config_.w_damping) add_w_damping(cells, g, flow.w, flow.omega, flow.mu, dt_, tend);
    if (curvature_) add_curvature_w(range.with_k(1, g.nz), g, flow, tend);
}

void Solver::slow_theta(Range cells, bool lowest, const State &reference, Scratch &scratch) {
    const GridView &g = grid_;
    const Range range = cells.with_k(0, g.nz);
    const ConstField3 theta = reference.theta.view();
    const Field3 tend = tend_.theta.view();
    const MassFluxes mass{at_points(ru_.view()), at_points(rv_.view()), at_points(omega_.view())};
    advect(range, lowest, theta, mass, {x_cells_s_, y_cells_s_, layers_s_, g.msftx, g.rdx, g.rdy, g.rdnw},
           unit_metric, flux_rows(scratch, 3, g.nz, range.i0), tend);
    for (const OpenSide &side : open_sides_)
        carry_out(range, side, false, theta, theta, side.is_x() ? mass.x : mass.y, g.msftx,
                  side.is_x() ? g.rdx : g.rdy, tend);
}

void Solver::slow_ph(Range cells, const FlowView &flow) {
    const Range range = cells.with_k(1, grid_.nz + 1);
    lift_geopotential(range, grid_, flow, tend_.ph.view());
    advect_geopotential(range, grid_, flow, FaceMetrics::of_y(grid_), y_derivative_, tend_.ph.view());
    advect_geopotential(range, grid_, flow, FaceMetrics::of_x(grid_), x_derivative_, tend_.ph.view());
    for (const OpenSide &side : open_sides_)
        carry_geopotential_out(range, grid_, side, side.is_x() ? grid_.rdx : grid_.rdy,
                               side.is_x() ? flow.u : flow.v, flow.ph, flow.mu, tend_.ph.view());
}

void Solver::held_tendencies(Range tile, const State &reference) {
    Tendencies &held = *held_;
    const auto clear = [](Range range, Field3 field) {
        for_each(range, [=](int i, int k, int j) { field(i, k, j) = 0; });
    };
    const int nz = grid_.nz;
    clear(u_faces(tile).with_k(0, nz), held.u.view());
    clear(v_faces(tile).with_k(0, nz), held.v.view());
    clear(tile.with_k(0, nz + 1), held.w.view());
    clear(tile.with_k(0, nz), held.theta.view());
    for (Array3 &q : held.scalars) clear(tile.with_k(0, nz), q.view());
    if (boundary_) {
        clear(tile.with_k(0, nz + 1), held.ph.view());
        for_each_column(tile, [mu = held.mu.view()](int i, int j) { mu(i, j) = 0; });
        boundary_->add_relaxation(tile, reference, ru_.view(), rv_.view(), held);
        relaxed_[static_cast<std::size_t>(omp_get_thread_num())] +=
            boundary_->relaxed_water(tile, held, scalars_.waters);
    }
    if (diffusion_ && diffusion_->active())
        diffusion_->add_tendencies(tile, reference, {alt_.view(), p_.view()}, held);
    if (sixth_order_)
        sixth_order_->add(tile, u_faces(tile), v_faces(tile), grid_, reference, muu_.view(), muv_.view(),
                          held);
    if (du_dt_.bytes() > 0) add_wind_rates(tile);
    if (boundary_layer_) add_surface_exchange(tile, reference);
    if (radiation_) add_dry_heating(tile, reference, initial_.physics.radiation.heating);
    if (gravity_waves_) add_dry_heating(tile, reference, initial_.physics.gravity_waves.heating);
    if (initial_.forcing.on) add_large_scale(tile, reference);
    if (convection_) add_convection(tile, reference);
    if (nudging_ && nudging_->acts_at(seconds_)) add_nudging(tile, reference);
    if (rayleigh_)
        add_rayleigh_damping(u_faces(tile), v_faces(tile), tile, grid_, reference, *rayleigh_,
                             static_cast<real>(damping_.depth), static_cast<real>(damping_.coefficient),
                             held);
}

void Solver::add_held(Range tile) {
    const auto add = [](Range range, ConstField3 held, Field3 tend) {
        for_each_row(range, [=](int k, int j) {
            return [t = tend.row(k, j), h = held.row(k, j)](int i) { t[i] += h[i]; };
        });
    };
    const int nz = grid_.nz;
    Tendencies &h = *held_;
    add(u_faces(tile).with_k(0, nz), h.u.view(), tend_.u.view());
    add(v_faces(tile).with_k(0, nz), h.v.view(), tend_.v.view());
    add(tile.with_k(1, nz + 1), h.w.view(), tend_.w.view());
    add(tile.with_k(0, nz), h.theta.view(), tend_.theta.view());
    if (boundary_) add(tile.with_k(1, nz + 1), h.ph.view(), tend_.ph.view());
}

/// The heating of the last microphysics, so that the dynamics of the step meets it from the start.
void Solver::add_heating(Range tile, const State &reference) {
    const GridView &g = grid_;
    for_each_row(tile.with_k(0, g.nz), [&](int k, int j) {
        return
            [t = tend_.theta.view().row(k, j), h = std::as_const(initial_.physics.heating).view().row(k, j),
             mub = g.mub.row(j), mu = reference.mu.view().row(j), my = g.msfty.row(j), c1 = g.c1h[k],
             c2 = g.c2h[k]](int i) { t[i] += (c1 * (mub[i] + mu[i]) + c2) * h[i] / my[i]; };
    });
}

} // namespace squall
