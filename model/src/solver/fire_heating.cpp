// What a fire on the ground does to the air.
#include <utility>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "physics/fire/burning.hpp"
#include "solver/coupled_rate.hpp"
#include "solver/solver.hpp"

namespace squall {

void Solver::find_fire(const State &reference) {
    const SurfaceState &surface = std::as_const(initial_.physics.surface);
    const auto seen = [](const Array2 &a) { return a.bytes() > 0 ? a.view() : ConstField2{}; };
    if (ground_pressure_.bytes() > 0)
        for_each_column({0, grid_.nx, 0, grid_.ny, 0, 1}, [&](int i, int j) {
            const auto layer = [&](int k) { return p_(i, k, j) + grid_.pb(i, k, j); };
            ground_pressure_(i, j) = real(1.5) * layer(0) - real(0.5) * layer(1);
        });
    const FireAir air{reference,
                      seen(surface.roughness),
                      {seen(surface.temperature_2m), seen(surface.vapour_2m), seen(ground_pressure_),
                       seen(initial_.physics.rain), seen(initial_.physics.convection.accumulated)}};
    fire_->advance(grid_, initial_.grid.fire, air, seconds_, dt_, initial_.physics.fire);
}

/// Its fluxes fall exponentially with height and go into the air where they do, in all but the highest layer
/// and the outermost cells (Mandel, Beezley and Kochanski 2011, section 2.4).
void Solver::add_fire_heat(Range tile, const State &reference) {
    const FireState &fire = initial_.physics.fire;
    const GridView &g = grid_;
    const int vapour = scalars_.vapour;
    const ConstField3 water = vapour_of(reference);
    const Range heated = tile.within(heated_by_fire_);
    for (int j = heated.j0; j < heated.j1; ++j)
        for (int i = heated.i0; i < heated.i1; ++i) {
            const real heat = fire.mean_heat_flux(i, j) / constants::c_p,
                       moist = fire.mean_vapour_flux(i, j) / real(fire::latent_heat);
            if (heat == 0 && moist == 0) continue;
            const auto height = [&](int k) {
                return (reference.ph(i, k, j) + g.phb(i, k, j)) / constants::g - g.terrain(i, j);
            };
            for (int k = 0; k < g.nz - 1; ++k) {
                const real q = water.origin ? water(i, k, j) : real(0);
                const real bottom = height(k), top = height(k + 1);
                const real kept = exponential(-bottom / fire_depth_) - exponential(-top / fire_depth_);
                const real share = kept * alt_(i, k, j) / ((1 + q) * (top - bottom)); // [m2 kg-1]
                const real mass = (g.c1h[k] * (g.mub(i, j) + reference.mu(i, j)) + g.c2h[k]) / g.msfty(i, j);
                const real theta = reference.theta(i, k, j);
                const bool of_moist = config_.moist_theta && water.origin;
                held_->theta(i, k, j) +=
                    mass *
                    (of_moist ? moist_theta_rate(share * heat, share * moist, theta, q) : share * heat);
                if (vapour >= 0)
                    held_->scalars[static_cast<std::size_t>(vapour)](i, k, j) += mass * share * moist;
            }
        }
}

} // namespace squall
