/// A layer of a batch of columns, as points.
#pragma once

#include "core/loop.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/morrison/air.hpp"

namespace squall::morrison {

/// What a step keeps of the air at its beginning, and of its large crystals, in rows of layers.
struct Kept {
    Columns density, l_v, heat_capacity, large;
};

struct Row {
    Row(const MoistColumns &c, const Kept &kept, int k)
        : exner(c.exner.row(k)), pressure(c.pressure.row(k)), theta(c.theta.row(k)), vapour(c.vapour.row(k)),
          cloud(c.cloud.row(k)), rain(c.rain.row(k)), ice(c.ice.row(k)), snow(c.snow.row(k)),
          graupel(c.graupel.row(k)), rain_number(c.rain_number.row(k)), ice_number(c.ice_number.row(k)),
          snow_number(c.snow_number.row(k)), graupel_number(c.graupel_number.row(k)),
          density(kept.density.row(k)), l_v(kept.l_v.row(k)), heat_capacity(kept.heat_capacity.row(k)),
          large(kept.large.row(k)) {}

    const real *exner, *pressure;
    real *theta, *vapour, *cloud, *rain, *ice, *snow, *graupel;
    real *rain_number, *ice_number, *snow_number, *graupel_number;
    real *density, *l_v, *heat_capacity, *large;

    /// Keeps what the air is like at the beginning of a step.
    void begin(int n) const {
        for_each_i(0, n, [*this](int i) {
            const real temperature = theta[i] * exner[i];
            density[i] = pressure[i] / (constants::r_d * temperature);
            l_v[i] = vaporisation(temperature);
            heat_capacity[i] = heat_capacity_of(vapour[i]);
            large[i] = 0;
        });
    }

    Point point(int i) const {
        return {theta[i] * exner[i],
                pressure[i],
                density[i],
                vapour[i],
                cloud[i],
                rain[i],
                ice[i],
                snow[i],
                graupel[i],
                rain_number[i],
                ice_number[i],
                snow_number[i],
                graupel_number[i],
                l_v[i],
                heat_capacity[i]};
    }

    /// theta changes by what the temperature does, so that where nothing happens it keeps its bits.
    void set(int i, const Point &x) const {
        theta[i] += (x.temperature - theta[i] * exner[i]) / exner[i];
        vapour[i] = x.vapour, cloud[i] = x.cloud, rain[i] = x.rain;
        ice[i] = x.ice, snow[i] = x.snow, graupel[i] = x.graupel;
        rain_number[i] = x.rain_number, ice_number[i] = x.ice_number;
        snow_number[i] = x.snow_number, graupel_number[i] = x.graupel_number;
    }
};

} // namespace squall::morrison
