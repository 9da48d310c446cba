#include "nesting/level_remap.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/constants.hpp"

namespace squall {

bool same_levels(const VerticalGrid &a, const VerticalGrid &b) {
    const auto alike = [](std::span<const real> x, std::span<const real> y) {
        return std::ranges::equal(x, y, [](real p, real q) { return std::abs(p - q) <= real(1e-5); });
    };
    return a.p_top == b.p_top && alike(a.znw, b.znw) && alike(a.c3f, b.c3f);
}

namespace {

/// Where hybrid levels become pressure levels (VerticalGrid::make), found by how much of the surface's
/// pressure is in the interface where that tells most; 0 of sigma levels.
double etac_of(const VerticalGrid &v) {
    const std::vector<double> eta(v.znw.begin(), v.znw.end());
    std::size_t at = 0;
    for (std::size_t k = 0; k < eta.size(); ++k)
        if (std::abs(v.znw[k] - v.c3f[k]) > std::abs(v.znw[at] - v.c3f[at])) at = k;
    if (std::abs(v.znw[at] - v.c3f[at]) < real(1e-5)) return 0;
    double low = 0, high = 1;
    for (int n = 0; n < 40; ++n) {
        const double etac = (low + high) / 2;
        (VerticalGrid::make(eta, v.p_top, etac).c3f[at] > v.c3f[at] ? low : high) = etac;
    }
    return (low + high) / 2;
}

} // namespace

VerticalGrid levels_inside(const VerticalGrid &parent, const std::vector<double> &eta) {
    return VerticalGrid::make(eta, parent.p_top, etac_of(parent));
}

std::vector<double> divided(const std::vector<real> &parent, int layers) {
    const auto n = parent.size() - 1;
    const auto thickness = [&](std::size_t k) { return double(parent[k + 1]) - parent[k]; };
    // Harmonic means of neighbouring slopes keep it monotone.
    std::vector<double> slope(n + 1);
    slope.front() = thickness(0), slope.back() = thickness(n - 1);
    for (std::size_t k = 1; k < n; ++k)
        slope[k] = 2 * thickness(k - 1) * thickness(k) / (thickness(k - 1) + thickness(k));
    std::vector<double> eta{1};
    for (int l = 1; l < layers; ++l) {
        const double at = double(l) * double(n) / layers;
        const auto k = std::min(static_cast<std::size_t>(at), n - 1);
        const double t = at - double(k), u = 1 - t;
        eta.push_back(u * u * (1 + 2 * t) * parent[k] + t * t * (3 - 2 * t) * parent[k + 1] +
                      t * u * u * slope[k] - t * t * u * slope[k + 1]);
    }
    eta.push_back(0);
    return eta;
}

LevelRemap::LevelRemap(const VerticalGrid &from, const VerticalGrid &to) {
    if (same_levels(from, to)) return;
    target_ = to;
    from_nz_ = from.nz, to_nz_ = to.nz;
    const auto interfaces = [](const VerticalGrid &v) {
        std::vector<Interface> all;
        for (std::size_t k = 0; k < v.znw.size(); ++k) all.push_back({v.c3f[k], v.c4f[k]});
        return all;
    };
    from_ = interfaces(from), to_ = interfaces(to);
    const std::vector<real> &f = from.znw, &t = to.znw;
    std::size_t k = 0;
    for (std::size_t l = 0; l < t.size(); ++l) {
        while (k + 1 < f.size() - 1 && f[k + 1] >= t[l]) ++k;
        within_.push_back(int(k));
    }
    for (std::size_t l = 0; l + 1 < t.size(); ++l) {
        std::vector<Piece> pieces;
        for (std::size_t s = std::size_t(within_[l]); s + 1 < f.size() && f[s] > t[l + 1]; ++s)
            pieces.push_back(
                {int(s), f[s] < t[l] ? from_[s] : to_[l], f[s + 1] > t[l + 1] ? from_[s + 1] : to_[l + 1]});
        pieces_.push_back(std::move(pieces));
    }
}

/// Of a line through a layer, by the values of the layer and of those below and above it, in the mass below.
real LevelRemap::slope(const real (&value)[3], int k, real mu, bool limited) const {
    const bool lowest = k == 0, highest = k == from_nz_ - 1;
    if (limited && (lowest || highest)) return 0;
    const real middle_here = middle(k, mu);
    const real down = lowest ? real(0) : middle(k - 1, mu) - middle_here,
               up = highest ? real(0) : middle_here - middle(k + 1, mu);
    const real step_down = value[1] - value[0], step_up = value[2] - value[1];
    if (lowest) return step_up / up;
    if (highest) return step_down / down;
    const real s = (step_down / down * up + step_up / up * down) / (up + down);
    if (!limited) return s;
    if (step_down * step_up <= 0) return 0;
    const real thickness = from_[std::size_t(k)].above(mu) - from_[std::size_t(k) + 1].above(mu);
    const real most = 2 * std::min(std::abs(step_down), std::abs(step_up)) / thickness;
    return std::clamp(s, -most, most);
}

real LevelRemap::slope(int k, ConstField3 q, int i, int j, real mu, bool limited) const {
    const int below = std::max(k - 1, 0), above = std::min(k + 1, from_nz_ - 1);
    return slope({q(i, below, j), q(i, k, j), q(i, above, j)}, k, mu, limited);
}

/// The mean over a layer, as the value of its lowest piece and departures from that: constants stay.
real LevelRemap::layer(int to, ConstField3 q, int i, int j, real mu, bool limited) const {
    const std::vector<Piece> &pieces = pieces_[std::size_t(to)];
    const real first = q(i, pieces.front().from, j);
    real sum = 0;
    for (const Piece &piece : pieces) {
        const real below = piece.below.above(mu), above = piece.above.above(mu);
        const real there = middle(piece.from, mu) - real(0.5) * (below + above);
        sum +=
            (below - above) * (q(i, piece.from, j) - first + slope(piece.from, q, i, j, mu, limited) * there);
    }
    return first + sum / (to_[std::size_t(to)].above(mu) - to_[std::size_t(to) + 1].above(mu));
}

/// From the interface below, the integral of a line through the layer's mean gradient.
real LevelRemap::potential(int to, ConstField3 q, int i, int j, real mu) const {
    const int k = within_[std::size_t(to)];
    const real gone = from_[std::size_t(k)].above(mu) - to_[std::size_t(to)].above(mu);
    if (gone == 0) return q(i, k, j);
    const auto thickness = [&](int n) {
        return from_[std::size_t(n)].above(mu) - from_[std::size_t(n) + 1].above(mu);
    };
    const auto gradient = [&](int n) {
        const int m = std::clamp(n, 0, from_nz_ - 1);
        return (q(i, m + 1, j) - q(i, m, j)) / thickness(m);
    };
    const real here = gradient(k);
    const real s = slope({gradient(k - 1), here, gradient(k + 1)}, k, mu, false);
    return q(i, k, j) + gone * (here - s * real(0.5) * (thickness(k) - gone));
}

void LevelRemap::set(OnLevels kind, ConstField3 q, ConstField2 mass, const Range &columns, Field3 to) const {
    using enum OnLevels;
    const bool on_layers = kind == layers || kind == amounts;
    for_each(columns.with_k(0, on_layers ? to_nz_ : to_nz_ + 1), [&](int i, int l, int j) {
        const real mu = mass(i, j);
        if (on_layers) {
            to(i, l, j) = layer(l, q, i, j, mu, kind == amounts);
        } else if (l == to_nz_) {
            to(i, l, j) = q(i, from_nz_, j);
        } else if (kind == geopotential) {
            to(i, l, j) = potential(l, q, i, j, mu);
        } else {
            const int k = within_[std::size_t(l)];
            const real low = from_[std::size_t(k)].above(mu), high = from_[std::size_t(k) + 1].above(mu);
            const real part = (low - to_[std::size_t(l)].above(mu)) / (low - high);
            to(i, l, j) = q(i, k, j) + part * (q(i, k + 1, j) - q(i, k, j));
        }
    });
}

void LevelRemap::set_by_temperature(ConstField3 q, ConstField2 mass, const Range &columns, Field3 to) const {
    constexpr double kappa = double(constants::r_d) / constants::c_p, theta0 = constants::theta0;
    const auto log_p = [&](const std::vector<Interface> &levels, int k, real mu) { // of p / p0
        const double sum = double(levels[std::size_t(k)].above(mu)) + levels[std::size_t(k) + 1].above(mu);
        return std::log((0.5 * sum + target_.p_top) / constants::p0);
    };
    for_each_column(columns, [&](int i, int j) {
        const real mu = mass(i, j);
        for (int l = 0, k = 0; l < to_nz_; ++l) {
            const double x = log_p(to_, l, mu);
            while (k + 2 < from_nz_ && log_p(from_, k + 1, mu) > x) ++k;
            const double low = log_p(from_, k, mu), high = log_p(from_, k + 1, mu);
            const double cold = (theta0 + q(i, k, j)) * std::exp(kappa * low),
                         warm = (theta0 + q(i, k + 1, j)) * std::exp(kappa * high);
            const double temperature = cold + (warm - cold) * (x - low) / (high - low);
            to(i, l, j) = real(temperature * std::exp(-kappa * x) - theta0);
        }
    });
}

std::vector<real> LevelRemap::profile(const std::vector<real> &from) const {
    if (same() || from.empty()) return from;
    std::vector<real> to(std::size_t(to_nz_), 0);
    const real mass = constants::p0;
    set(OnLevels::layers, {from.data(), 1, 0}, {&mass, 0}, {0, 1, 0, 1, 0, 1}, {to.data(), 1, 0});
    return to;
}

void set_bend(const LevelRemap &down, ConstField3 parent, ConstField3 nest, ConstField2 mub,
              const Range &columns, Field3 bend) {
    down.set_by_temperature(parent, mub, columns, bend);
    for_each(columns.with_k(0, down.layers_to()),
             [&](int i, int k, int j) { bend(i, k, j) -= nest(i, k, j); });
}

void set_base_profiles(const LevelRemap &levels, const Grid &parent, Grid &nest) {
    for (const auto profile :
         {&Grid::u_base, &Grid::v_base, &Grid::theta_base, &Grid::z_base, &Grid::qv_base})
        nest.*profile = levels.profile(parent.*profile);
}

} // namespace squall
