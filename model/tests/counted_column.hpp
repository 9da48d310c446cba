/// Columns of air with numbers of particles, for tests of Thompson's schemes.
#pragma once

#include <cmath>

#include "moist_column.hpp"
#include "physics/thompson/aerosol.hpp"
#include "physics/thompson/air.hpp"

namespace squall::test {

/// MoistCase with all that the scheme counts, and the wind.
struct Counted {
    test::MoistCase air;
    ColumnStorage more;

    Counted(int columns, int layers, double depth) : air(columns, layers, depth), more(6, layers + 1) {}

    /// Of air that is at rest at first.
    Columns updraught() { return more.field(2); }

    MoistColumns columns(double dt) {
        MoistColumns c = air.columns(dt);
        c.rain_number = more.field(0);
        c.ice_number = more.field(1);
        c.updraught = more.field(2);
        c.droplet_number = more.field(3);
        c.water_friendly = more.field(4);
        c.ice_friendly = more.field(5);
        return c;
    }
};

/// A deep storm: rain below 4 km, ice, snow and graupel above, cloud between, in the usual aerosol.
inline Counted storm(int columns) {
    Counted a(columns, 40, 300);
    const MoistColumns c = a.columns(0);
    const auto bump = [](double z, double centre, double width) {
        return std::exp(-std::pow((z - centre) / width, 2));
    };
    for (int k = 0; k < 40; ++k)
        for (int i = 0; i < columns; ++i) {
            const double z = a.air.z(k), saturated = thompson::saturation_over_water(a.air.temperature(i, k),
                                                                                     c.pressure(i, k));
            c.vapour(i, k) = real(saturated * (z > 1500 ? 1.02 : 0.7));
            c.cloud(i, k) = real(1e-3 * bump(z, 4500, 2000));
            c.rain(i, k) = real(2e-3 * bump(z, 2500, 1500));
            c.ice(i, k) = real(3e-4 * bump(z, 8500, 1500));
            c.snow(i, k) = real(1e-3 * bump(z, 6500, 1500));
            c.graupel(i, k) = real(2e-3 * bump(z, 5000, 1500));
            c.rain_number(i, k) = real(1e3 * bump(z, 2500, 1500));
            c.ice_number(i, k) = real(1e5 * bump(z, 8500, 1500));
            c.droplet_number(i, k) = real(1e8 * bump(z, 4500, 2000));
            c.water_friendly(i, k) = real(thompson::usual_water_friendly(z, 0));
            c.ice_friendly(i, k) = real(thompson::usual_ice_friendly(z, 0));
        }
    return a;
}

} // namespace squall::test
