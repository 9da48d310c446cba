#include "diagnostics/vorticity.hpp"

#include "diagnostics/derived_field.hpp"

namespace squall {
namespace {

real divergence(const SeenAir &air, int i, int k, int j) {
    const real du = slope_x(air, i, [&](int n) { return air.wind_x(n, k, j) / air.map_factor_y(n, j); });
    const real dv = slope_y(air, j, [&](int n) { return air.wind_y(i, k, n) / air.map_factor_x(i, n); });
    return (du + dv) * air.map_factor_x(i, j) * air.map_factor_y(i, j);
}

real absolute_vorticity(const SeenAir &air, int i, int k, int j) {
    return relative_vorticity(air, i, k, j) + air.grid.f(i, j);
}

/// Difference of f from layer to layer, centred, one-sided at the ends.
template <class F> real upwards(int nz, int k, F f) {
    const int low = std::max(k - 1, 0), high = std::min(k + 1, nz - 1);
    return (f(high) - f(low)) / static_cast<real>(high - low);
}

/// Ertel's, in its hydrostatic form, which is the same in every vertical coordinate.
real potential_vorticity(const SeenAir &air, int i, int k, int j) {
    const int nz = air.grid.nz;
    const real theta_up = upwards(nz, k, [&](int n) { return air.theta(i, n, j); });
    const real theta_x = slope_x(air, i, [&](int n) { return air.theta(n, k, j); });
    const real theta_y = slope_y(air, j, [&](int n) { return air.theta(i, k, n); });
    const real u_up = upwards(nz, k, [&](int n) { return air.wind_x(i, n, j); });
    const real v_up = upwards(nz, k, [&](int n) { return air.wind_y(i, n, j); });
    const real p_up = upwards(nz, k, [&](int n) { return air.pressure(i, n, j); });
    const real turning = absolute_vorticity(air, i, k, j) * theta_up -
                         v_up * theta_x * air.map_factor_x(i, j) + u_up * theta_y * air.map_factor_y(i, j);
    return turning * -constants::g / p_up;
}

} // namespace

std::vector<DerivedField> vorticity_fields() {
    return {
        {"vorticity",
         "relative vorticity",
         "s-1",
         "atmosphere_upward_relative_vorticity",
         "mx my (d(v/my)/dx - d(u/mx)/dy), Haltiner and Williams (1980), section 1-9; mx, my the map factors",
         {},
         on_layers(relative_vorticity),
         {}},
        {"absolute_vorticity",
         "absolute vorticity",
         "s-1",
         "atmosphere_upward_absolute_vorticity",
         "relative vorticity + F",
         {},
         on_layers(absolute_vorticity),
         {}},
        {"divergence",
         "divergence of the wind",
         "s-1",
         "divergence_of_wind",
         "mx my (d(u/my)/dx + d(v/mx)/dy), Haltiner and Williams (1980), section 1-9",
         {},
         on_layers(divergence),
         {}},
        {"potential_vorticity",
         "Ertel's potential vorticity",
         "K m2 kg-1 s-1",
         "ertel_potential_vorticity",
         "-g (dp/ds)^-1 [(f + zeta) dtheta/ds - dv/ds dtheta/dx + du/ds dtheta/dy] along layers s, Hoskins, "
         "McIntyre and Robertson (1985), section 2a",
         {},
         on_layers(potential_vorticity),
         {}},
    };
}

} // namespace squall
