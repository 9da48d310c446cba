// The slow tendencies of a Runge-Kutta stage: those of the dynamics, and those that are held for a step.
#include <algorithm>

#include <omp.h>

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
    if (first && fire_) find_fire(reference);
    if (first && convection_) find_convection(reference);
    if (first && gravity_waves_) find_gravity_wave_drag(reference);
    if (first && nudging_ && nudging_->acts_at(seconds_)) find_nudging(reference);
    if (first && du_dt_.bytes() > 0) find_wind_rates();
    if (first && held_)
        for_each_tile(cell_tiles_, [&](const Range &tile) { held_tendencies(tile, reference); });
    launch(cell_tiles_,
           [slow = *slow_, flow, theta = ConstField3(reference.theta.view()), dt = dt_, held = held_fields(),
            heating = heating()](const Range &tile, const Scratch &scratch) {
               slow.find(tile, flow, theta, dt, scratch);
               slow.add_held(tile, held);
               if (heating.origin) slow.add_heating(tile, flow.mu, heating);
           });
    const HaloField faces[] = {HaloField::of(tend_.u, grid_.nz, Points::x_faces),
                               HaloField::of(tend_.v, grid_.nz, Points::y_faces)};
    halo_.start(faces, 1); // finished in acoustic_substeps, before the first use
}

AirView Solver::air_of_diffusion() const {
    AirView air{alt_.view(), p_.view()};
    const SurfaceState &surface = initial_.physics.surface;
    if (!boundary_layer_ || !boundary_layer_->on_surface_layer()) return air;
    air.friction_velocity = surface.friction_velocity.view();
    air.sensible_heat = surface.sensible_heat.view();
    return air;
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
    if (boundary_ || long_waves_) clear(tile.with_k(0, nz + 1), held.ph.view());
    if (boundary_) {
        for_each_column(tile, [mu = held.mu.view()](int i, int j) { mu(i, j) = 0; });
        boundary_->add_relaxation(tile, reference, ru_.view(), rv_.view(), held);
        relaxed_[static_cast<std::size_t>(omp_get_thread_num())] +=
            boundary_->relaxed_water(tile, held, scalars_.waters);
    }
    if (diffusion_ && diffusion_->active())
        diffusion_->add_tendencies(tile, reference, air_of_diffusion(), held);
    if (sixth_order_)
        sixth_order_->add(tile, u_faces(tile), v_faces(tile), grid_, reference, muu_.view(), muv_.view(),
                          held);
    if (du_dt_.bytes() > 0) add_wind_rates(tile);
    if (boundary_layer_) add_surface_exchange(tile, reference);
    if (radiation_) add_dry_heating(tile, reference, initial_.physics.radiation.heating);
    if (gravity_waves_) add_dry_heating(tile, reference, initial_.physics.gravity_waves.heating);
    if (initial_.forcing.on) add_large_scale(tile, reference);
    if (convection_) add_convection(tile, reference);
    if (fire_) add_fire_heat(tile, reference);
    if (nudging_ && nudging_->acts_at(seconds_)) add_nudging(tile, reference);
    if (cooling_) add_newtonian_cooling(tile, grid_, reference, *cooling_, held.theta.view());
    if (rayleigh_)
        add_rayleigh_damping(u_faces(tile), v_faces(tile), tile, grid_, reference, *rayleigh_,
                             static_cast<real>(damping_.depth), static_cast<real>(damping_.coefficient),
                             held);
}

HeldFields Solver::held_fields() {
    if (!held_) return {};
    const auto seen = [](const Array3 &a) { return a.view(); };
    return {seen(held_->u), seen(held_->v), seen(held_->w), seen(held_->theta),
            boundary_ || long_waves_ ? seen(held_->ph) : ConstField3{}};
}

/// Of the last microphysics.
ConstField3 Solver::heating() const {
    return microphysics_ ? initial_.physics.heating.view() : ConstField3{};
}

} // namespace squall
