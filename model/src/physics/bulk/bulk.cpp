#include "physics/bulk/bulk.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "physics/implicit_mixing.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

constexpr real exchange_coefficient = real(0.0011); ///< of heat and vapour
constexpr real mixed_to = 85000;                    ///< full mixing below this pressure level [Pa]
constexpr real decay = 10000;                       ///< of mixing above it [Pa]

/// Equation 6: grows with the wind [m s-1] up to 20 m/s.
real drag_coefficient(real speed) { return real(0.7e-3) + real(6.5e-5) * std::min(speed, real(20)); }

class Bulk final : public BoundaryLayerScheme {
  public:
    explicit Bulk(int nz) : storage_(3, nz), rows_(6, 1), mixing_(nz) {}

    void mix(const TurbulentColumns &c) override {
        set_surface(c);
        set_profile(c);
        set_conductance(c, row(drag));
        mixing_.factor(c.n, c.dt, mass(), conductance(), row(drag));
        mixing_.increments(c.u, row(zero), c.du);
        mixing_.increments(c.v, row(zero), c.dv);
        set_conductance(c, row(exchange));
        mixing_.factor(c.n, c.dt, mass(), conductance(), row(exchange));
        mixing_.increments(c.theta, row(theta_surface), c.dtheta);
        if (!c.vapour.origin) return;
        mixing_.factor(c.n, c.dt, mass(), conductance(), row(evaporation));
        mixing_.increments(c.vapour, row(vapour_surface), c.dvapour);
    }

  private:
    enum Row { drag, exchange, evaporation, theta_surface, vapour_surface, zero };
    real *row(Row r) { return rows_.field(r).row(0); }
    Columns conductance() { return storage_.field(0); }
    Columns mass() { return storage_.field(2); }

    void set_surface(const TurbulentColumns &c);
    void set_profile(const TurbulentColumns &c);
    void set_conductance(const TurbulentColumns &c, const real *surface);

    ColumnStorage storage_, rows_;
    ImplicitMixing mixing_;
};

/// Conductances of the surface, density x coefficient x wind [kg m-2 s-1], and what lies below it.
void Bulk::set_surface(const TurbulentColumns &c) {
    for (int i = 0; i < c.n; ++i) {
        const real speed = std::sqrt(c.u(i, 0) * c.u(i, 0) + c.v(i, 0) * c.v(i, 0));
        const real rho = c.density(i, 0);
        const real pressure = c.pressure(i, 0) + constants::g * rho * real(0.5) * c.depth(i, 0);
        row(drag)[i] = rho * drag_coefficient(speed) * speed;
        row(exchange)[i] = rho * exchange_coefficient * speed;
        row(evaporation)[i] = c.wetness[i] * row(exchange)[i];
        row(theta_surface)[i] =
            c.surface_temperature[i] * std::pow(constants::p0 / pressure, constants::kappa);
        row(vapour_surface)[i] = saturation_over_water(c.surface_temperature[i], pressure);
    }
}

/// Equations 13 and 15 without the wind: the share of full mixing at interfaces, times density and
/// over the distance of the layers [kg m-4].
void Bulk::set_profile(const TurbulentColumns &c) {
    const Columns profile = storage_.field(1);
    for (int k = 0; k < c.nz; ++k)
        for_each_i(0, c.n, [m = mass().row(k), rho = c.density.row(k), dz = c.depth.row(k)](int i) {
            m[i] = rho[i] * dz[i];
        });
    for (int k = 1; k < c.nz; ++k)
        for_each_i(0, c.n,
                   [=, out = profile.row(k), p = c.pressure.row(k), p_below = c.pressure.row(k - 1),
                    rho = c.density.row(k), rho_below = c.density.row(k - 1), dz = c.depth.row(k),
                    dz_below = c.depth.row(k - 1)](int i) {
                       const real above =
                           std::max(mixed_to - real(0.5) * (p[i] + p_below[i]), real(0)) / decay;
                       out[i] = std::exp(-above * above) * (rho[i] + rho_below[i]) / (dz[i] + dz_below[i]);
                   });
}

/// K rho / distance at interfaces with K = coefficient x wind x height of the lowest layer's middle.
void Bulk::set_conductance(const TurbulentColumns &c, const real *surface) {
    const Columns profile = storage_.field(1), out = conductance();
    for (int k = 1; k < c.nz; ++k)
        for_each_i(0, c.n,
                   [=, out = out.row(k), profile = profile.row(k), rho = c.density.row(0),
                    dz = c.depth.row(0)](int i) {
                       out[i] = surface[i] / rho[i] * (real(0.5) * dz[i]) * profile[i];
                   });
}

} // namespace

BoundaryLayerEntry bulk_scheme() {
    return {"bulk fluxes and implicit mixing, Reed and Jablonowski (2012)",
            [](int nz) { return std::make_unique<Bulk>(nz); }};
}

} // namespace squall
