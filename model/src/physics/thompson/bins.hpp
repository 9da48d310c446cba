/// Bins of diameter that tables are summed over.
#pragma once

#include <array>
#include <cmath>

namespace squall::thompson {

inline constexpr int bins = 100;

using Binned = std::array<double, bins>;

struct Bins {
    Binned diameter, width; ///< [m]
};

/// Widths grow by a factor, from `first` to `last` [m].
inline Bins growing_bins(double first, double last) {
    Bins b;
    const auto edge = [=](int n) { return first * std::pow(last / first, double(n) / bins); };
    for (int n = 0; n < bins; ++n) {
        b.diameter[n] = std::sqrt(edge(n) * edge(n + 1));
        b.width[n] = edge(n + 1) - edge(n);
    }
    return b;
}

/// One micrometre wide, from 1 to 100.
inline Bins droplet_bins() {
    Bins b;
    for (int n = 0; n < bins; ++n) {
        b.diameter[n] = (n + 1) * 1e-6;
        b.width[n] = 1e-6;
    }
    return b;
}

/// Numbers in them [m-3] of spheres, N(D) = n0 exp(-lambda D), of a content [kg m-3] and `mass` of one of 1 m
/// [kg].
inline Binned exponential_in_bins(const Bins &b, double content, double n0, double mass) {
    const double lambda = std::pow(n0 * mass * 6 / content, 0.25);
    Binned n{};
    for (int i = 0; i < bins; ++i) n[i] = n0 * std::exp(-lambda * b.diameter[i]) * b.width[i];
    return n;
}

inline Bins rain_bins() { return growing_bins(50e-6, 5e-3); }
inline Bins snow_bins() { return growing_bins(300e-6, 0.02); }
inline Bins graupel_bins() { return growing_bins(350e-6, 0.05); }

} // namespace squall::thompson
