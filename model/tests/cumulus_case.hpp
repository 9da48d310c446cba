/// What the tests of cumulus schemes keep of equal columns, over cells 25 km wide.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "physics/cumulus_scheme.hpp"

namespace squall::test {

/// Potential temperature [K] and vapour [kg kg-1].
struct TradeWind {
    double theta, vapour;
};

/// Trade winds as in BOMEX (Siebesma et al. 2003, appendix B), but mixed up to condensation at 600 m.
inline TradeWind trade_wind(double z) {
    constexpr std::array<double, 5> heights{0, 600, 1480, 2000, 4000};
    std::size_t n = 1;
    while (n < 4 && z > heights[n]) ++n;
    const double share = (z - heights[n - 1]) / (heights[n] - heights[n - 1]);
    const auto between = [&](const std::array<double, 5> &values) {
        return values[n - 1] + share * (values[n] - values[n - 1]);
    };
    return {between({298.7, 298.7, 302.4, 308.2, 315.5}),
            std::max(between({17.0, 16.6, 10.7, 4.2, 1.8}), 0.1) / 1000};
}

struct CumulusCase {
    enum Field { p, t, pi, q, rho, dz, u, v, w, heating, dq, dc, dr, di, ds, fields };
    int n, layers;
    ColumnStorage storage;
    std::vector<real> spacing, remaining, rate;

    /// `all`: how many fields, with what a scheme needs beside these.
    CumulusCase(int columns, int nz, int all = fields)
        : n(columns), layers(nz), storage(all, nz), spacing(static_cast<std::size_t>(n), real(25e3)),
          remaining(static_cast<std::size_t>(n)), rate(remaining) {}

    /// Sets the air of layer k in all columns, but its motion.
    void set_air(int k, double pressure, double temperature, double vapour, double depth) {
        for (int i = 0; i < n; ++i) {
            storage.field(p)(i, k) = real(pressure);
            storage.field(t)(i, k) = real(temperature);
            storage.field(pi)(i, k) = real(std::pow(pressure / 1e5, 2.0 / 7));
            storage.field(q)(i, k) = real(vapour);
            storage.field(rho)(i, k) = real(pressure / (287 * temperature));
            storage.field(dz)(i, k) = real(depth);
        }
    }

    ConvectiveColumns columns(real interval) {
        const auto at = [&](Field f) { return storage.field(f); };
        ConvectiveColumns c;
        c.n = n, c.nz = layers, c.dt = 60, c.interval = interval, c.has_ice = c.has_snow = true;
        c.pressure = at(p), c.temperature = at(t), c.exner = at(pi), c.vapour = at(q), c.density = at(rho);
        c.depth = at(dz), c.u = at(u), c.v = at(v), c.updraught = at(w), c.spacing = spacing.data();
        c.heating = at(heating), c.dvapour = at(dq), c.dcloud = at(dc), c.drain = at(dr), c.dice = at(di);
        c.w = at(w), c.dsnow = at(ds), c.remaining = remaining.data(), c.rate = rate.data();
        return c;
    }
};

} // namespace squall::test
