#include "physics/sea_ice.hpp"

#include <algorithm>

namespace squall {
namespace {

using Row = real *SurfaceColumns::*;
using SublayerRow = real *SublayerColumns::*;

constexpr real sea_roughness = real(1e-4); // that a step begins with [m]

/// Of which a cell has the mean.
constexpr Row blended[] = {&SurfaceColumns::skin_temperature,  &SurfaceColumns::sensible_heat,
                           &SurfaceColumns::vapour_flux,       &SurfaceColumns::latent_heat,
                           &SurfaceColumns::friction_velocity, &SurfaceColumns::temperature_scale,
                           &SurfaceColumns::surface_vapour,    &SurfaceColumns::conductance,
                           &SurfaceColumns::heat_exchange,     &SurfaceColumns::vapour_exchange,
                           &SurfaceColumns::heat_exchange_2m,  &SurfaceColumns::vapour_exchange_2m,
                           &SurfaceColumns::wind_speed,        &SurfaceColumns::richardson,
                           &SurfaceColumns::momentum_profile,  &SurfaceColumns::heat_profile,
                           &SurfaceColumns::wind_u_10m,        &SurfaceColumns::wind_v_10m};
constexpr SublayerRow blended_sublayer[] = {&SublayerColumns::heat_conductance,
                                            &SublayerColumns::momentum_conductance,
                                            &SublayerColumns::u,
                                            &SublayerColumns::v,
                                            &SublayerColumns::theta,
                                            &SublayerColumns::humidity};
/// That water has of its own too, but ice alone counts.
constexpr Row of_ice[] = {&SurfaceColumns::roughness, &SurfaceColumns::temperature_2m,
                          &SurfaceColumns::vapour_2m, &SurfaceColumns::air_saturation};

template <class F> void for_each_partial(const SurfaceColumns &c, F f) {
    for (int i = 0; i < c.n; ++i)
        if (SeaIce::is_partial(c, i)) f(i);
}

/// Whether WRF takes the cell's mean where it should take the ice, and of ice what should be water's.
bool takes_means(const SurfaceColumns &c) { return c.as_wrf && !c.sublayer.heat_conductance; }

} // namespace

bool SeaIce::any(const SurfaceColumns &c) {
    for (int i = 0; i < c.n; ++i)
        if (is_partial(c, i)) return true;
    return false;
}

/// Water has rows of its own of all that the surface layer sets, and of what differs from ice.
void SeaIce::copy(const SurfaceColumns &c) {
    water_ = c;
    int next = 0;
    const auto own = [&](auto *&row) {
        if (!row) return;
        real *mine = storage_.field(next++).row(0);
        std::copy_n(row, c.n, mine);
        row = mine;
    };
    for (const Row row : blended) own(water_.*row);
    for (const Row row : of_ice) own(water_.*row);
    for (const SublayerRow row : blended_sublayer) own(water_.sublayer.*row);
    own(water_.sublayer.bare_roughness);
    real *land = storage_.field(next++).row(0), *availability = storage_.field(next++).row(0);
    std::copy_n(c.land, c.n, land), std::copy_n(c.availability, c.n, availability);
    for_each_partial(c, [&](int i) {
        land[i] = 0, availability[i] = 1;
        if (!takes_means(c)) water_.roughness[i] = sea_roughness;
        water_.skin_temperature[i] = c.ice.water_temperature[i];
    });
    water_.land = land, water_.availability = availability;
}

void SeaIce::exchange(SurfaceLayerScheme &scheme, const SurfaceColumns &c) {
    copy(c);
    std::copy_n(c.skin_temperature, c.n, skin_);
    for_each_partial(c, [&](int i) {
        c.skin_temperature[i] = c.ice.temperature[i];
        if (!takes_means(c) || c.ice.vapour[i] <= 0) c.surface_vapour[i] = c.ice.vapour[i];
        c.land_water.albedo[i] = c.ice.albedo[i];
        c.land_water.emissivity[i] = c.ice.emissivity[i];
    });
    scheme.exchange(c);
    scheme.exchange(water_);
}

void SeaIce::tell_land(const SurfaceColumns &c) const {
    if (takes_means(c)) for_each_partial(c, [&](int i) { c.skin_temperature[i] = skin_[i]; });
}

void SeaIce::blend(const SurfaceColumns &c) const {
    for_each_partial(c, [&](int i) {
        c.ice.temperature[i] = c.skin_temperature[i];
        c.ice.vapour[i] = c.surface_vapour[i];
        c.ice.albedo[i] = c.land_water.albedo[i];
        c.ice.emissivity[i] = c.land_water.emissivity[i];
        const real share = c.ice.share[i];
        for (const Row row : blended) (c.*row)[i] = sea_ice::mean(share, (c.*row)[i], (water_.*row)[i]);
        c.land_water.albedo[i] = sea_ice::mean(share, c.ice.albedo[i], sea_ice::water_albedo);
        c.land_water.emissivity[i] = sea_ice::mean(share, c.ice.emissivity[i], sea_ice::water_emissivity);
        if (!c.sublayer.heat_conductance) return;
        for (const SublayerRow row : blended_sublayer) {
            real &of_cell = (c.sublayer.*row)[i];
            of_cell = sea_ice::mean(share, of_cell, (water_.sublayer.*row)[i]);
        }
    });
}

} // namespace squall
