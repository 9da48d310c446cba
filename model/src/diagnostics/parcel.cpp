#include "diagnostics/parcel.hpp"

#include <algorithm>
#include <cmath>

#include "diagnostics/vapour.hpp"

namespace squall {
namespace {

// Of the model's schemes, in double precision.
constexpr double gas_constant = 287.0, heat_capacity = 7 * gas_constant / 2,
                 kappa = gas_constant / heat_capacity;
constexpr double latent_heat = 2.5e6, epsilon = vapour_epsilon, p0 = 1e5;
constexpr double mixed_depth = 100e2, searched_depth = 300e2; ///< [Pa]
constexpr int substeps = 2; ///< of the ascent of saturated air from layer to layer

/// Temperature and pressure at which air is saturated (Bolton 1980, Mon. Wea. Rev. 108, 1046-1053, equation
/// 15, to 0.1 K; and Poisson's equation).
struct Condensation {
    double temperature, pressure;
};
Condensation condensation(double t, double q, double p) {
    const double cold = std::min(dew_point(q, p), t);
    const double at = 1 / (1 / (cold - 56.0) + std::log(t / cold) / 800.0) + 56.0;
    return {at, p * std::pow(at / t, 1 / kappa)};
}

/// Bolton (1980), equation 39 [K].
double equivalent_potential_temperature(double t, double q, double p) {
    const double at = condensation(t, q, p).temperature;
    const double dry = t * std::pow(p0 / (p - vapour_pressure(q, p)), kappa) * std::pow(t / at, 0.28 * q);
    return dry * std::exp((3036.0 / at - 1.78) * q * (1 + 0.448 * q));
}

/// dT / d ln p of saturated air that rises (AMS Glossary, moist-adiabatic lapse rate; Bakhshaii and Stull
/// 2013, J. Appl. Meteor. Climatol. 52, 5-15, equation 5).
double moist_slope(double ln_p, double t) {
    const double r = saturation_mixing_ratio(t, std::exp(ln_p));
    return (gas_constant * t + latent_heat * r) /
           (heat_capacity + latent_heat * latent_heat * r * epsilon / (gas_constant * t * t));
}

/// Temperature of saturated air after its way from one pressure to another, by the classical Runge-Kutta
/// method.
double saturated_ascent(double t, double from, double to) {
    const double h = (to - from) / substeps;
    double x = from;
    for (int n = 0; n < substeps; ++n, x += h) {
        const double a = moist_slope(x, t);
        const double b = moist_slope(x + 0.5 * h, t + 0.5 * h * a);
        const double c = moist_slope(x + 0.5 * h, t + 0.5 * h * b);
        const double d = moist_slope(x + h, t + h * c);
        t += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return t;
}

/// Where a parcel starts, and the layer from which on it rises.
struct Parcel {
    double pressure, temperature, vapour;
    int layer;
};

/// The lowest air mixed, by the trapezium rule over pressure.
Parcel mixed(const ParcelColumn &c) {
    const auto clipped = [&](int k) { return std::max(c.pressure[k], c.pressure[0] - mixed_depth); };
    double theta = 0, vapour = 0;
    for (int k = 0; k < c.layers(); ++k) {
        const double below = k > 0 ? 0.5 * (clipped(k - 1) - clipped(k)) : 0;
        const double above = k + 1 < c.layers() ? 0.5 * (clipped(k) - clipped(k + 1)) : 0;
        const double weight = (below + above) / mixed_depth;
        if (weight == 0) break;
        theta += c.temperature[k] * std::pow(p0 / c.pressure[k], kappa) * weight;
        vapour += c.vapour[k] * weight;
    }
    return {c.pressure[0], theta * std::pow(c.pressure[0] / p0, kappa), vapour, 0};
}

Parcel most_unstable(const ParcelColumn &c) {
    int layer = 0;
    double most = 0;
    for (int k = 0; k < c.layers() && c.pressure[k] >= c.pressure[0] - searched_depth; ++k) {
        const double theta_e = equivalent_potential_temperature(c.temperature[k], c.vapour[k], c.pressure[k]);
        if (theta_e > most) most = theta_e, layer = k;
    }
    return {c.pressure[layer], c.temperature[layer], c.vapour[layer], layer};
}

Parcel parcel_of(const ParcelColumn &c, ParcelStart start) {
    if (start == ParcelStart::mixed_layer) return mixed(c);
    if (start == ParcelStart::most_unstable) return most_unstable(c);
    return {c.pressure[0], c.temperature[0], c.vapour[0], 0};
}

/// Above and below zero of a straight line over a unit, and where it crosses zero.
struct Areas {
    double up, down, share;
};
Areas areas(double b0, double b1) {
    const double mean = 0.5 * (b0 + b1);
    if ((b0 < 0) == (b1 < 0)) return {std::max(mean, 0.0), -std::min(mean, 0.0), 0};
    const double share = b0 / (b0 - b1);
    if (b0 > 0) return {0.5 * b0 * share, -0.5 * b1 * (1 - share), share};
    return {0.5 * b1 * (1 - share), -0.5 * b0 * share, share};
}

/// The sums over the way of a parcel.
struct Sums {
    double cape = 0, cin = 0, lfc = 0; ///< lfc: ln p
    bool free = false;

    /// From ln p = x0 to x1 with buoyancies b0 and b1 [K of virtual temperature], linear between.
    void pass(double x0, double x1, double b0, double b1, bool wet) {
        const double h = x0 - x1;
        const Areas area = areas(b0, b1);
        const bool begins = wet && h > 0 && !free && std::max(b0, b1) > 0;
        if (!free && !(begins && b0 > 0)) cin += gas_constant * h * area.down;
        if (begins) {
            lfc = x0 + (x1 - x0) * (b0 > 0 ? 0.0 : area.share);
            free = true;
        }
        if (free) cape += gas_constant * h * area.up;
    }
};

/// Height where ln p, which falls from layer to layer, has a value; beyond the layers that of the nearest.
double height_at(const ParcelColumn &c, double ln_p) {
    int below = 0;
    for (int k = 1; k < c.layers() - 1; ++k)
        if (c.ln_p[k] > ln_p) below = k;
    const double x0 = c.ln_p[below], x1 = c.ln_p[below + 1];
    const double share = std::clamp((ln_p - x0) / (x1 - x0), 0.0, 1.0);
    return c.height[below] + share * (c.height[below + 1] - c.height[below]);
}

} // namespace

ParcelColumn::ParcelColumn(int nz) {
    for (auto *values : {&pressure, &ln_p, &temperature, &virtual_temperature, &vapour, &height})
        values->resize(static_cast<std::size_t>(nz));
}

Ascent rise(const ParcelColumn &c, ParcelStart start) {
    const Parcel parcel = parcel_of(c, start);
    const Condensation lcl = condensation(parcel.temperature, parcel.vapour, parcel.pressure);
    const double x_lcl = std::log(lcl.pressure), x_start = std::log(parcel.pressure);
    const auto dry_at = [&](double x) { return parcel.temperature * std::exp(kappa * (x - x_start)); };
    double rising = parcel.temperature;
    double buoyancy = virtual_temperature(rising, parcel.vapour) - c.virtual_temperature[parcel.layer];
    Sums sums;
    for (int k = parcel.layer; k + 1 < c.layers(); ++k) {
        const double x0 = c.ln_p[k], x1 = c.ln_p[k + 1];
        const double middle = std::clamp(x_lcl, x1, x0); // where it is saturated, or an end
        const double share = (x0 - middle) / (x0 - x1);
        const double outside =
            c.virtual_temperature[k] + share * (c.virtual_temperature[k + 1] - c.virtual_temperature[k]);
        const double between =
            middle < x0 ? virtual_temperature(dry_at(middle), parcel.vapour) - outside : buoyancy;
        sums.pass(x0, middle, buoyancy, between, false);
        const bool wet = x_lcl > x1;
        double holds = parcel.vapour;
        if (wet) {
            rising = saturated_ascent(x_lcl >= x0 ? rising : lcl.temperature, middle, x1);
            holds = saturation_mixing_ratio(rising, c.pressure[k + 1]);
        } else {
            rising = dry_at(x1);
        }
        buoyancy = virtual_temperature(rising, holds) - c.virtual_temperature[k + 1];
        if (wet) sums.pass(middle, x1, between, buoyancy, true);
    }
    return {sums.cape, sums.cin, height_at(c, x_lcl), sums.free ? height_at(c, sums.lfc) : 0, sums.free};
}

} // namespace squall
