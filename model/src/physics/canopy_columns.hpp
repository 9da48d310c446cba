/// What land with leaves carries, as its columns see it.
#pragma once

#include "grid/surface_state.hpp"
#include "physics/surface_columns.hpp"

namespace squall {

/// The columns from i0 on in row j; place and sun are left to the caller.
inline CanopyColumns columns_of(CanopyState &s, int i0, int j) {
    const auto of = [&](Array2 &plane) { return plane.view().row(j) + i0; };
    CanopyColumns c;
    c.snow_count = of(s.snow_count);
    c.leaf_temperature = of(s.leaf_temperature), c.ground_temperature = of(s.ground_temperature);
    c.vapour_pressure = of(s.vapour_pressure);
    c.liquid = of(s.liquid), c.ice = of(s.ice);
    c.snow_albedo = of(s.snow_albedo), c.snowfall = of(s.snowfall);
    if (s.leaf_area.bytes() > 0) c.leaf_area = of(s.leaf_area);
    if (s.has_aquifer()) {
        c.water_table = of(s.below.depth);
        c.aquifer = of(s.below.water);
        c.groundwater = of(s.below.water_above);
    }
    c.snow_temperature = columns_at(s.snow_temperature.view(), i0, j);
    c.snow_ice = columns_at(s.snow_ice.view(), i0, j);
    c.snow_liquid = columns_at(s.snow_liquid.view(), i0, j);
    c.snow_thickness = columns_at(s.snow_thickness.view(), i0, j);
    return c;
}

} // namespace squall
