// The slow tendencies of a Runge-Kutta stage: those of the dynamics, and those that are held for a step.
#include <algorithm>

#include "parallel/chain.hpp"
#include "physics/prescribed_surface.hpp"
#include "solver/solver.hpp"

namespace squall {

// Tendencies that are held for a whole step, and all that finds them.
void Solver::find_held_tendencies(const State &reference) {
    if (initial_.forcing.on) {
        initial_.forcing.set_wind(seconds_);
        prescribe_surface(initial_.forcing, seconds_, initial_.ground, initial_.physics.surface);
    }
    if (sea_)
        for_each_tile(cell_tiles_, [&](const Range &tile) {
            sea_->set(tile, seconds_, initial_.ground, initial_.physics.surface);
        });
    if (radiation_) find_radiation(reference); // which the ground is told
    if (boundary_layer_) find_surface_exchange(reference);
    if (fire_) find_fire(reference);
    if (convection_) find_convection(reference);
    if (gravity_waves_) find_gravity_wave_drag(reference);
    if (nudging_ && nudging_->acts_at(seconds_)) find_nudging(reference);
    if (du_dt_.bytes() > 0) find_wind_rates();
    if (held_)
        for_each_chain(cell_tiles_, scratch_, [&](const Chain &chain) { held_tendencies(chain, reference); });
}

AirView Solver::air_of_diffusion() const {
    AirView air{alt_.view(), p_.view()};
    const SurfaceState &surface = initial_.physics.surface;
    if (!boundary_layer_ || !boundary_layer_->on_surface_layer()) return air;
    air.friction_velocity = surface.friction_velocity.view();
    air.sensible_heat = surface.sensible_heat.view();
    return air;
}

void Solver::clear_held(const Chain &chain) {
    const bool with_ph = boundary_ || long_waves_, with_mu = boundary_.has_value();
    const auto clear = [](Range range, Field3 field) {
        for_each(range, [=](int i, int k, int j) { field(i, k, j) = 0; });
    };
    chain.run(chain.tile(),
              [=, faces = faces_, nz = grid_.nz, held = held_->fields()](const Range &tile, const Scratch &) {
                  clear(faces.u_of(tile).with_k(0, nz), held.u);
                  clear(faces.v_of(tile).with_k(0, nz), held.v);
                  clear(tile.with_k(0, nz + 1), held.w);
                  clear(tile.with_k(0, nz), held.theta);
                  if (with_ph) clear(tile.with_k(0, nz + 1), held.ph);
                  if (with_mu) for_each_column(tile, [mu = held.mu](int i, int j) { mu(i, j) = 0; });
              });
    for (Array3 &scalar : held_->scalars)
        chain.run(chain.tile(), [=, nz = grid_.nz, q = scalar.view()](const Range &tile, const Scratch &) {
            clear(tile.with_k(0, nz), q);
        });
}

void Solver::held_tendencies(const Chain &chain, const State &reference) {
    Tendencies &held = *held_;
    clear_held(chain);
    if (boundary_) boundary_->add_relaxation(chain, reference, ru_.view(), rv_.view(), scalars_.waters, held);
    if (diffusion_ && diffusion_->active())
        diffusion_->add_tendencies(chain, reference, air_of_diffusion(), held);
    if (sixth_order_) add_sixth_order(chain, reference);
    add_held_physics(chain.tile(), reference);
    if (cooling_)
        chain.run(chain.tile(), [g = grid_, s = view_of(reference), base = *cooling_,
                                 theta = held.theta.view()](const Range &tile, const Scratch &) {
            add_newtonian_cooling(tile, g, s, base, theta);
        });
    if (rayleigh_)
        chain.run(chain.tile(), [faces = faces_, g = grid_, s = view_of(reference), base = *rayleigh_,
                                 depth = static_cast<real>(damping_.depth),
                                 coefficient = static_cast<real>(damping_.coefficient),
                                 tend = held.fields()](const Range &tile, const Scratch &) {
            add_rayleigh_damping(faces.u_of(tile), faces.v_of(tile), tile, g, s, base, depth, coefficient,
                                 tend);
        });
}

void Solver::add_sixth_order(const Chain &chain, const State &reference) {
    chain.run(chain.tile(),
              [faces = faces_, g = grid_, s = view_of(reference), filter = *sixth_order_, muu = muu_.view(),
               muv = muv_.view(), tend = held_->fields()](const Range &tile, const Scratch &) {
                  filter.add(tile, faces.u_of(tile), faces.v_of(tile), g, s, muu, muv, tend);
              });
    for (std::size_t n = 0; n < held_->scalars.size(); ++n)
        chain.run(chain.tile(), [g = grid_, filter = *sixth_order_, mu = reference.mu.view(),
                                 q = reference.scalars[n].view(),
                                 tend = held_->scalars[n].view()](const Range &tile, const Scratch &) {
            filter.add_to_scalar(tile, g, mu, q, tend);
        });
}

/// What has no kernels (on_device.cpp).
void Solver::add_held_physics(Range tile, const State &reference) {
    if (du_dt_.bytes() > 0) add_wind_rates(tile);
    if (boundary_layer_) add_surface_exchange(tile, reference);
    if (radiation_) add_dry_heating(tile, reference, initial_.physics.radiation.heating);
    if (gravity_waves_) add_dry_heating(tile, reference, initial_.physics.gravity_waves.heating);
    if (initial_.forcing.on) add_large_scale(tile, reference);
    if (convection_) add_convection(tile, reference);
    if (fire_) add_fire_heat(tile, reference);
    if (nudging_ && nudging_->acts_at(seconds_)) add_nudging(tile, reference);
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
