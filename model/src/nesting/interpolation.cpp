#include "nesting/interpolation.hpp"

#include <algorithm>
#include <cmath>

namespace squall {
namespace {

/// Flux of the upstream scheme through the face between `low` and `high` for the Courant number a.
inline real upstream(real low, real high, real a) {
    return std::max(real(0), a) * low + std::min(real(0), a) * high;
}

/// The same of the fourth-order scheme; `a` and `d` are the neighbours beyond (Tremback et al. 1987, ORD4).
inline real fourth_order(real a, real b, real c, real d, real courant) {
    constexpr real twelfth = real(1) / 12, half = real(0.5);
    const real s = courant, t = s * twelfth, sum = c + b, beyond = d + a, step = c - b, wide = d - a;
    return t * ((7 * sum - beyond) -
                s * (half * (15 * step - wide) + s * ((sum - beyond) - s * half * (3 * step - wide))));
}

/// The value at x[2] of five points in a row after advection by the Courant number a.
inline real advect(real x0, real x1, real x2, real x3, real x4, real a) {
    constexpr real tiny = real(1e-10);
    const real low = upstream(x1, x2, a), high = upstream(x2, x3, a);
    const real w = x2 - (high - low);
    const real most = std::max(std::max(x1, x2), std::max(x3, w));
    const real least = std::min(std::min(x1, x2), std::min(x3, w));
    const real f0 = fourth_order(x0, x1, x2, x3, a) - low, f1 = fourth_order(x1, x2, x3, x4, a) - high;
    const real zero = 0, one = 1;
    const real in = std::max(zero, f0) - std::min(zero, f1), out = std::max(zero, f1) - std::min(zero, f0);
    const real up = std::min(one, (most - w) / (in + tiny)), down = std::min(one, (w - least) / (out + tiny));
    const real g0 = std::max(zero, f0) * up + std::min(zero, f0) * down;
    const real g1 = std::max(zero, f1) * down + std::min(zero, f1) * up;
    return w - (g1 - g0);
}

struct Monotone {
    real operator()(real a, real b, real c, real d, real e, real offset) const {
        return advect(a, b, c, d, e, offset);
    }
};

struct Bilinear {
    real operator()(real, real b, real c, real d, real, real offset) const {
        return c + std::max(offset, real(0)) * (b - c) - std::min(offset, real(0)) * (d - c);
    }
};

struct Nearest {
    real operator()(real, real, real c, real, real, real) const { return c; }
};

} // namespace

Interpolation interpolation_of(const std::string &word) {
    using enum Interpolation;
    return word == "bilinear" ? bilinear : word == "nearest" ? nearest : monotone;
}

void Interpolator::set(Points kind, ConstField3 parent, const Range &points, Field3 nest) {
    if (points.empty()) return;
    switch (rule_) {
    case Interpolation::monotone:
        return sweep<Monotone>(kind, parent, points, nest);
    case Interpolation::bilinear:
        return sweep<Bilinear>(kind, parent, points, nest);
    case Interpolation::nearest:
        return sweep<Nearest>(kind, parent, points, nest);
    }
}

/// West-east into the rows of the parent that are read, then south-north.
template <class Rule>
void Interpolator::sweep(Points kind, ConstField3 parent, const Range &points, Field3 nest) {
    const auto in_x = [&](int i) {
        return kind == Points::x_faces ? place_of_face(i, place_.i0, place_.ratio)
                                       : place_of_cell(i, place_.i0, place_.ratio);
    };
    const auto in_y = [&](int j) {
        return kind == Points::y_faces ? place_of_face(j, place_.j0, place_.ratio)
                                       : place_of_cell(j, place_.j0, place_.ratio);
    };
    const int first = in_y(points.j0).base - interpolation_reach,
              rows = in_y(points.j1 - 1).base + interpolation_reach + 1 - first,
              width = points.i1 - points.i0, whole = (width + overrun) & ~overrun;
    between_.resize(std::size_t(rows) * std::size_t(whole));
    around_.resize(std::size_t(2 * interpolation_reach + 1) * std::size_t(whole));
    row_.resize(std::size_t(whole));
    base_.clear(), offset_.clear();
    for (int n = 0; n < whole; ++n) {
        const auto [base, offset] = in_x(std::min(points.i0 + n, points.i1 - 1));
        base_.push_back(base), offset_.push_back(offset);
    }
    real *const between = between_.data();
    for (int k = points.k0; k < points.k1; ++k) {
        for (int n = 0; n < rows; ++n) {
            const real *row = parent.row(k, first + n);
            real *around[2 * interpolation_reach + 1]; // gathered first: the rule then runs in vectors
            for (int m = 0; m <= 2 * interpolation_reach; ++m) {
                around[m] = around_.data() + std::ptrdiff_t(m) * whole;
                for (int i = 0; i < whole; ++i)
                    around[m][i] = row[base_[std::size_t(i)] + m - interpolation_reach];
            }
            for_each_i(0, whole,
                       [y = between + std::ptrdiff_t(n) * whole, p = around[0], q = around[1], r = around[2],
                        s = around[3], t = around[4], offset = offset_.data()](int i) {
                           y[i] = Rule{}(p[i], q[i], r[i], s[i], t[i], offset[i]);
                       });
        }
        for (int j = points.j0; j < points.j1; ++j) {
            const auto [b, a] = in_y(j);
            const real *x = between + std::ptrdiff_t(b - first) * whole;
            for_each_i(0, whole, [=, y = row_.data(), w = std::ptrdiff_t(whole), a = a](int i) {
                y[i] = Rule{}(x[i - 2 * w], x[i - w], x[i], x[i + w], x[i + 2 * w], a);
            });
            std::copy_n(row_.data(), width, nest.row(k, j) + points.i0);
        }
    }
}

} // namespace squall
