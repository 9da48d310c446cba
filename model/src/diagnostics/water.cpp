// Water of columns: vapour, cloud, and how much of the sky it covers.
#include <cmath>

#include "diagnostics/column_values.hpp"

namespace squall {
namespace {

/// A species of water in a column [kg m-2].
OfColumns path(ConstField3 SeenAir::*species) {
    return on_columns([species](const SeenAir &air, int i, int j) {
        real sum = 0;
        for (int k = 0; k < air.grid.nz; ++k) sum += (air.*species)(i, k, j) * air.dry_mass(i, k, j);
        return sum;
    });
}

/// Xu and Randall (1996, J. Atmos. Sci. 53, 3084-3102), equation 1.
real cloud_fraction(const SeenAir &air, int i, int k, int j) {
    const real ice = air.ice.origin ? air.ice(i, k, j) : 0;
    const real cloud = std::max(air.cloud(i, k, j) + ice, real(0));
    if (!(cloud > real(1e-12))) return 0;
    const real saturated = saturation_mixing_ratio(air.temperature(i, k, j), air.pressure(i, k, j));
    const real dryness = std::max(saturated - air.mixing_ratio(i, k, j), real(0)); // (1 - RH) q_s
    const real humidity = 1 - dryness / saturated;
    const real depth = -100 * cloud / std::pow(dryness + real(1e-30), real(0.49));
    return -std::expm1(depth) * std::pow(humidity, real(0.25));
}

/// Layers that touch overlap most, others by chance (Geleyn and Hollingsworth 1979, Contrib. Atmos. Phys. 52,
/// 1-16).
real cloud_cover(const SeenAir &air, int i, int j) {
    real below = cloud_fraction(air, i, 0, j), clear = 1 - below;
    bool closed = below >= 1;
    for (int k = 1; k < air.grid.nz; ++k) {
        const real here = cloud_fraction(air, i, k, j);
        clear *= (1 - std::max(below, here)) / std::max(1 - below, real(1e-6));
        closed = closed || here >= 1;
        below = here;
    }
    return closed ? 1 : 1 - clear;
}

real freezing_level(const SeenAir &air, int i, int j) {
    return where_falling(
        air.grid.nz, [&](int k) { return air.temperature(i, k, j); },
        [&](int k) { return air.height(i, k, j); }, real(273.15));
}

} // namespace

std::vector<DerivedField> water_fields() {
    return {
        {"precipitable_water",
         "precipitable water",
         "kg m-2",
         "atmosphere_mass_content_of_water_vapor",
         "sum of QVAPOR times the dry mass of layers, -DNW (C1H (MU + MUB) + C2H) / g",
         {Need::vapour},
         {},
         path(&SeenAir::vapour)},
        {"cloud_water_path",
         "cloud water path",
         "kg m-2",
         "atmosphere_mass_content_of_cloud_liquid_water",
         "sum of QCLOUD times the dry mass of layers",
         {Need::cloud},
         {},
         path(&SeenAir::cloud)},
        {"cloud_ice_path",
         "cloud ice path",
         "kg m-2",
         "atmosphere_mass_content_of_cloud_ice",
         "sum of QICE times the dry mass of layers",
         {Need::ice},
         {},
         path(&SeenAir::ice)},
        {"CLDFRA",
         "cloud fraction",
         "1",
         "cloud_area_fraction_in_atmosphere_layer",
         "Xu and Randall (1996), equation 1, from cloud water and ice",
         {Need::vapour, Need::cloud},
         on_layers(cloud_fraction),
         {}},
        {"cloud_cover",
         "cloud cover",
         "1",
         "cloud_area_fraction",
         "from CLDFRA, with maximum-random overlap (Geleyn and Hollingsworth 1979)",
         {Need::vapour, Need::cloud},
         {},
         on_columns(cloud_cover)},
        {"FZLEV",
         "freezing level",
         "m",
         "freezing_level_altitude",
         "height of 0 °C, the highest crossing",
         {},
         {},
         on_columns(freezing_level),
         {},
         0,
         true},
    };
}

} // namespace squall
