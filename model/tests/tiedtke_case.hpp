/// Columns of tropical air for the tests of Tiedtke's scheme.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cumulus_case.hpp"
#include "physics/tiedtke/closure.hpp"

namespace squall::test {

using namespace tiedtke;

/// Of the tropics with convection: well mixed up to 600 m, close to the moist adiabat above, stratosphere
/// from 16 km [m], [K].
inline double tropical(double z) {
    constexpr std::array<std::array<double, 2>, 7> table{{{0, 302.0},
                                                          {600, 296.1},
                                                          {5000, 272.5},
                                                          {9000, 249.8},
                                                          {13000, 219.8},
                                                          {16000, 203.0},
                                                          {20000, 210.0}}};
    std::size_t n = 1;
    while (n + 1 < table.size() && table[n][0] < z) ++n;
    return table[n - 1][1] +
           (z - table[n - 1][0]) / (table[n][0] - table[n - 1][0]) * (table[n][1] - table[n - 1][1]);
}

/// Equal columns of 70 layers of 250 m over sea, 25 km wide, with wind that grows upwards.
struct Tropics : CumulusCase {
    static constexpr int nz = 70;
    static constexpr double thickness = 250;
    enum Forced { warming = fields, moistening, du, dv, all_fields };
    std::vector<real> heat, vapour;
    std::string scheme = "tiedtke";
    double latent = double(vaporisation), frozen = double(fusion); ///< as the scheme has them [J kg-1]

    explicit Tropics(int columns = 1, double humidity = 0.85, double warmer_aloft = 0)
        : CumulusCase(columns, nz, all_fields), heat(static_cast<std::size_t>(n), real(10)),
          vapour(static_cast<std::size_t>(n), real(5e-5)) {
        double pressure = 101500;
        for (int k = 0; k < nz; ++k) {
            const double z = thickness * (k + 0.5);
            const double middle = pressure * std::exp(-9.81 * thickness / 2 / (287 * tropical(z)));
            const double kelvin = tropical(z) + warmer_aloft * z / 1000;
            const double moist = humidity * (z < 5000 ? 1 : std::max(1 - (z - 5000) / 10000, 0.05));
            set_air(k, middle, kelvin,
                    z < 600 ? humidity / 0.85 * 0.0185
                            : double(real(moist) * saturation(real(kelvin), real(middle))),
                    thickness);
            for (int i = 0; i < n; ++i) {
                storage.field(u)(i, k) = real(5 + z / 1000);
                storage.field(v)(i, k) = real(z / 2000);
            }
            pressure = middle * std::exp(-9.81 * thickness / 2 / (287 * tropical(z)));
        }
    }

    double at(int f, int k, int i = 0) { return double(storage.field(f)(i, k)); }

    void convect(bool as_wrf = false) {
        ConvectiveColumns c = columns(60);
        c.as_wrf = as_wrf;
        c.forced_theta = storage.field(warming), c.forced_vapour = storage.field(moistening);
        c.heat_flux = heat.data(), c.vapour_flux = vapour.data();
        c.du = storage.field(du), c.dv = storage.field(dv);
        cumulus_scheme(scheme).make(nz)->convect(c);
    }

    /// Over column 0, of values that `of` gives for each layer, by dry mass.
    template <class Of> double integral(Of of) {
        double sum = 0;
        for (int k = 0; k < nz; ++k) sum += at(rho, k) / (1 + at(q, k)) * thickness * of(k);
        return sum;
    }

    double warming_of(int k) { return double(heat_capacity) * at(pi, k) * at(heating, k); }

    /// What is left over [W m-2], [kg m-2 s-1], [N m-2]; energy with the kinetic.
    double energy() {
        return integral([&](int k) {
            return warming_of(k) + latent * at(dq, k) - frozen * at(di, k) + at(u, k) * at(du, k) +
                   at(v, k) * at(dv, k);
        });
    }
    double water() {
        return integral([&](int k) { return at(dq, k) + at(dc, k) + at(di, k); }) + double(rate[0]);
    }
};

/// Over a sea from which 5e-5 kg m-2 s-1 of vapour come, which turbulence spreads over 500 m, with as much
/// [kg kg-1 s-1] brought to each layer between there and 6 km as `converging`; for the older scheme.
struct SuppliedTropics : Tropics {
    explicit SuppliedTropics(double humidity = 0.85, double converging = 1e-8, double warmer_aloft = 0,
                             int columns = 1)
        : Tropics(columns, humidity, warmer_aloft) {
        scheme = "tiedtke-1989";
        latent = 2.5e6, frozen = 3.5e5;
        for (int k = 0; k < 24; ++k)
            for (int i = 0; i < n; ++i)
                storage.field(moistening)(i, k) =
                    k < 2 ? real(5e-5 / (2 * thickness * at(rho, k))) : real(converging);
    }
};

/// Cooled aloft by as much [K s-1] and lifted; for the scheme of Grell and Freitas.
struct ForcedTropics : Tropics {
    explicit ForcedTropics(double humidity = 0.95, double cooling = 2e-5, double warmer_aloft = 0,
                           int columns = 1)
        : Tropics(columns, humidity, warmer_aloft) {
        scheme = "grell-freitas";
        latent = 2.5e6, frozen = 3.5e5;
        for (int k = 4; k < 50; ++k)
            for (int i = 0; i < columns; ++i) {
                storage.field(warming)(i, k) = real(-cooling);
                storage.field(w)(i, k) = real(0.01);
            }
    }
};

/// Column 0 for the parts of the newer scheme.
inline Air air_of(Tropics &c) {
    Air air(c.nz);
    air.spacing = c.spacing[0], air.interval = 60, air.heat_flux = c.heat[0], air.vapour_flux = c.vapour[0];
    const auto take = [&](Profile &to, int f) {
        for (int k = 0; k < c.nz; ++k) to[k] = c.storage.field(f)(0, k);
    };
    take(air.pressure, Tropics::p), take(air.temperature, Tropics::t), take(air.vapour, Tropics::q);
    take(air.depth, Tropics::dz), take(air.u, Tropics::u), take(air.v, Tropics::v);
    for (int k = 0; k < c.nz; ++k)
        air.mass[k] = real(c.at(Tropics::rho, k) / (1 + c.at(Tropics::q, k)) * c.thickness);
    air.complete();
    return air;
}

/// Column 17 of `many`, 32 whose neighbours are drier near the ground, is `one`, which is alone: to the bit.
template <class Case> void expect_no_dependence_on_neighbours(Case &one, Case &many) {
    for (int i = 0; i < 32; ++i)
        if (i != 17)
            for (int k = 0; k < 5; ++k)
                many.storage.field(Tropics::q)(i, k) *= real(0.7) + real(0.01) * real(i);
    one.convect();
    many.convect();
    EXPECT_GT(one.rate[0], 0);
    EXPECT_EQ(one.rate[0], many.rate[17]);
    for (int k = 0; k < one.nz; ++k) {
        EXPECT_EQ(one.at(Tropics::heating, k), many.at(Tropics::heating, k, 17));
        EXPECT_EQ(one.at(Tropics::du, k), many.at(Tropics::du, k, 17));
    }
}

} // namespace squall::test
