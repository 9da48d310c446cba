/// Columns of air for the tests of Kain and Fritsch's scheme.
#pragma once

#include <cmath>

#include "cumulus_case.hpp"
#include "physics/kain_fritsch/parcel.hpp"

namespace squall::test {

/// What both have: a call of the scheme, and sums over column 0.
struct PlumeCase : CumulusCase {
    bool as_wrf = false, has_snow = true;

    using CumulusCase::CumulusCase;

    void convect() {
        ConvectiveColumns c = columns(300);
        c.as_wrf = as_wrf;
        c.has_ice = c.has_snow = has_snow;
        cumulus_scheme("kain-fritsch").make(layers)->convect(c);
    }

    double at(Field f, int k) { return double(storage.field(f)(0, k)); }
    double dry_mass(int k) { return at(dz, k) * at(rho, k) / (1 + at(q, k)); }

    /// Mass of dry air times field, summed up.
    double integral(Field f) {
        double sum = 0;
        for (int k = 0; k < layers; ++k) sum += dry_mass(k) * at(f, k);
        return sum;
    }

    double warming(int k) { return 1004.5 * dry_mass(k) * at(pi, k) * at(heating, k); }

    /// c_p T + L_v q_v - L_f q_frozen with the heats of 0 degrees, and what of it changes its form or place
    /// [W m-2].
    double energy() {
        double sum = 2.50261e6 * integral(dq);
        if (has_snow) sum -= 3.339e5 * (integral(di) + integral(ds));
        for (int k = 0; k < layers; ++k) sum += warming(k);
        return sum;
    }
    double turned_over() {
        double sum = 0;
        for (int k = 0; k < layers; ++k) sum += std::abs(warming(k));
        return sum;
    }
};

/// Equal columns of 40 layers of 400 m, 25 km wide: moist and close to neutral below 1 km, conditionally
/// unstable above, and rising air.
struct UnstableAir : PlumeCase {
    static constexpr int nz = 40;

    explicit UnstableAir(int columns = 1, double humidity = 0.85, double updraught = 0.05)
        : PlumeCase(columns, nz) {
        double pressure = 1e5;
        for (int k = 0; k < nz; ++k) {
            const double z = 400 * k + 200, lapse = z < 12000 ? 0.0068 * z : 0.0068 * 12000;
            const double temperature = 301 - lapse;
            const double middle = pressure * std::exp(-9.81 * 200 / (287 * temperature));
            const double moist = humidity * std::exp(-z / 6000);
            const real saturated = kain_fritsch::saturation(real(temperature), real(middle));
            set_air(k, middle, temperature, double(real(moist) * saturated), 400);
            for (int i = 0; i < n; ++i) {
                storage.field(u)(i, k) = real(5 + z / 1000);
                storage.field(w)(i, k) = real(updraught);
            }
            pressure *= std::exp(-9.81 * 400 / (287 * temperature));
        }
    }
};

/// Of trade winds under an inversion 3 K stronger than theirs: clouds are shallow.
struct TradeWinds : PlumeCase {
    static constexpr double thick = 150;

    TradeWinds() : PlumeCase(1, 80) {
        double pressure = 101500;
        for (int k = 0; k < layers; ++k) {
            auto [theta, vapour] = trade_wind(thick * (k + 0.5));
            if (thick * k > 2000) theta += 3;
            const double kelvin = theta * std::pow(pressure / 1e5, 2.0 / 7);
            const double middle = pressure * std::exp(-9.81 * thick / 2 / (287 * kelvin));
            set_air(k, middle, theta * std::pow(middle / 1e5, 2.0 / 7), vapour, thick);
            storage.field(u)(0, k) = real(-8.75);
            storage.field(w)(0, k) = real(0.02);
            pressure *= std::exp(-9.81 * thick / (287 * kelvin));
        }
    }
};

} // namespace squall::test
