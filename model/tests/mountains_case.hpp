/// Columns over mountains within cells for the tests of gravity-wave drag.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "physics/gravity_wave_drag_scheme.hpp"

namespace squall::test {

/// Columns of 60 layers of 200 m over the same mountains in cells of 30 km: N = 0.01 s-1, a wind of 10 m/s
/// from the west, to be changed at will before drag().
struct Mountains {
    static constexpr int nz = 60;
    /// As OrographicAir has them, and what the scheme sets.
    enum Field { weight, density, depth, theta, exner, u, v, du, dv, heating, fields };
    int n;
    real dt = 60;
    ColumnStorage storage{fields, nz + 1};
    std::vector<real> spacing, deviation, convexity, stress_u, stress_v;
    std::array<std::vector<real>, SubgridOrography::directions> asymmetry, length;

    explicit Mountains(int columns = 1, double stability = 1e-4, double thickness = 200) : n(columns) {
        const auto all = [&](double value) { return std::vector<real>(std::size_t(n), real(value)); };
        spacing = all(30e3), deviation = all(100), convexity = all(3), stress_u = all(0), stress_v = all(0);
        for (auto &x : asymmetry) x = all(0);
        for (auto &x : length) x = all(0.3);
        for (int i = 0; i < n; ++i) {
            double pressure = 1e5;
            (*this)(weight, i, 0) = real(pressure);
            for (int k = 0; k < nz; ++k) {
                const double z = thickness * (k + 0.5), kelvin = 300 * std::exp(stability * z / 9.81);
                const double pi = std::pow(pressure / 1e5, 2.0 / 7);
                const double air = pressure / (287 * kelvin * pi);
                pressure -= air * 9.81 * thickness;
                (*this)(weight, i, k + 1) = real(pressure), (*this)(density, i, k) = real(air);
                (*this)(depth, i, k) = real(thickness), (*this)(theta, i, k) = real(kelvin);
                (*this)(exner, i, k) = real(pi), (*this)(u, i, k) = 10, (*this)(v, i, k) = 0;
            }
        }
    }

    real &operator()(Field f, int i, int k) { return storage.field(f)(i, k); }
    void blow(int i, double east, double north) {
        for (int k = 0; k < nz; ++k) (*this)(u, i, k) = real(east), (*this)(v, i, k) = real(north);
    }
    double mass(int i, int k) {
        return (double((*this)(weight, i, k)) - double((*this)(weight, i, k + 1))) / constants::g;
    }

    void drag() {
        OrographicColumns c;
        c.n = n, c.nz = nz, c.dt = dt;
        take_air(c, storage);
        c.spacing = spacing.data(), c.deviation = deviation.data(), c.convexity = convexity.data();
        c.du = storage.field(du), c.dv = storage.field(dv), c.heating = storage.field(heating);
        c.stress_u = stress_u.data(), c.stress_v = stress_v.data();
        for (std::size_t d = 0; d < asymmetry.size(); ++d)
            c.asymmetry[d] = asymmetry[d].data(), c.length[d] = length[d].data();
        gravity_wave_drag_scheme("kim-arakawa").make(nz)->drag(c);
    }

    /// What the wind loses in column i [N m-2].
    double lost(int i, Field rate) {
        double sum = 0;
        for (int k = 0; k < nz; ++k) sum -= mass(i, k) * double((*this)(rate, i, k));
        return sum;
    }
    /// What column i's wind loses of its energy over a step, and what warms its air [W m-2].
    double slowed(int i) {
        double sum = 0;
        for (int k = 0; k < nz; ++k)
            for (const auto &[wind, rate] : {std::pair{u, du}, {v, dv}}) {
                const double change = double(dt) * double((*this)(rate, i, k));
                sum -= mass(i, k) * change * (double((*this)(wind, i, k)) + change / 2) / double(dt);
            }
        return sum;
    }
    double warmed(int i) {
        double sum = 0;
        for (int k = 0; k < nz; ++k)
            sum += mass(i, k) * double(constants::c_p) * double((*this)(exner, i, k)) *
                   double((*this)(heating, i, k));
        return sum;
    }
    bool is_still(int i) {
        for (int k = 0; k < nz; ++k)
            if ((*this)(du, i, k) != 0 || (*this)(dv, i, k) != 0 || (*this)(heating, i, k) != 0) return false;
        return stress_u[std::size_t(i)] == 0 && stress_v[std::size_t(i)] == 0;
    }
};

/// Winds, mountains and steps of all kinds.
struct WindyMountains : Mountains {
    explicit WindyMountains(int columns) : Mountains(columns) {
        std::mt19937 random(7);
        const auto between = [&](double a, double b) {
            return real(std::uniform_real_distribution<double>(a, b)(random));
        };
        dt = 180;
        for (int i = 0; i < n; ++i) {
            const auto at = std::size_t(i);
            deviation[at] = between(0, 900), convexity[at] = between(1, 8), spacing[at] = between(5e3, 60e3);
            for (auto &x : asymmetry) x[at] = between(-1, 1);
            for (auto &x : length) x[at] = between(0, 1);
            const real east = between(-15, 15), north = between(-15, 15), shear = between(-1, 1);
            for (int k = 0; k < nz; ++k) {
                (*this)(u, i, k) = east + shear * real(k) + between(-1, 1);
                (*this)(v, i, k) = north + between(-1, 1);
            }
        }
    }
};

} // namespace squall::test
