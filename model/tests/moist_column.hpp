/// A batch of like columns of moist air in hydrostatic balance, for tests of microphysics schemes.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "physics/microphysics_scheme.hpp"

namespace squall::test {

/// Layers of `dz` [m]; theta 300 K at the ground, rising by 4 K/km; all water zero.
struct MoistCase {
    static constexpr int fields = 14;
    int n, nz;
    double dz;
    ColumnStorage storage;
    std::vector<real> rain, snow, graupel;

    MoistCase(int columns, int layers, double depth)
        : n(columns), nz(layers), dz(depth), storage(fields, layers), rain(std::size_t(columns)),
          snow(std::size_t(columns)), graupel(std::size_t(columns)) {
        for (int k = 0; k < nz; ++k)
            for (int i = 0; i < n; ++i) set_air(i, k, 300 + 0.004 * z(k));
    }

    double z(int k) const { return (k + 0.5) * dz; }

    /// Pressure is that of the standard column, whatever theta of this point.
    void set_air(int i, int k, double theta) {
        const double exner = 1 - 9.81 / (1004.5 * 0.004) * std::log((300 + 0.004 * z(k)) / 300);
        const double p = 1e5 * std::pow(exner, 3.5);
        storage.field(0)(i, k) = real(exner);
        storage.field(1)(i, k) = real(p);
        storage.field(2)(i, k) = real(p / (287 * exner * theta));
        storage.field(3)(i, k) = real(dz);
        storage.field(12)(i, k) = storage.field(2)(i, k) * real(dz);
        storage.field(4)(i, k) = real(z(k));
        storage.field(5)(i, k) = real(theta);
    }

    MoistColumns columns(double dt) {
        return {.n = n,
                .nz = nz,
                .dt = real(dt),
                .exner = storage.field(0),
                .pressure = storage.field(1),
                .density = storage.field(2),
                .mass = storage.field(12),
                .depth = storage.field(3),
                .height = storage.field(4),
                .theta = storage.field(5),
                .vapour = storage.field(6),
                .cloud = storage.field(7),
                .rain = storage.field(8),
                .ice = storage.field(9),
                .snow = storage.field(10),
                .graupel = storage.field(11),
                .rain_sum = rain.data(),
                .snow_sum = snow.data(),
                .graupel_sum = graupel.data()};
    }

    /// Air that neither rises nor sinks.
    ConstColumns still() { return storage.field(13); }

    double temperature(int i, int k) { return double(storage.field(5)(i, k)) * storage.field(0)(i, k); }

    /// Mass of all water in column i [kg m-2].
    double water(int i) {
        double sum = 0;
        for (int k = 0; k < nz; ++k)
            for (int f = 6; f < 12; ++f) sum += double(storage.field(12)(i, k)) * storage.field(f)(i, k);
        return sum;
    }

    /// Least value of any species.
    double least() {
        double least = 0;
        for (int f = 6; f < 12; ++f)
            for (int k = 0; k < nz; ++k)
                for (int i = 0; i < n; ++i) least = std::min(least, double(storage.field(f)(i, k)));
        return least;
    }
};

} // namespace squall::test
