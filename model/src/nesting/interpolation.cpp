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
    const real s = courant;
    return s / 12 * (7 * (c + b) - (d + a)) - s * s / 24 * (15 * (c - b) - (d - a)) -
           s * s * s / 12 * ((c + b) - (d + a)) + s * s * s * s / 24 * (3 * (c - b) - (d - a));
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

void Interpolator::set(Stagger kind, ConstField3 parent, const Range &points, Field3 nest) {
    if (points.empty()) return;
    switch (rule_) {
    case Interpolation::monotone:
        return sweep(Monotone{}, kind, parent, points, nest);
    case Interpolation::bilinear:
        return sweep(Bilinear{}, kind, parent, points, nest);
    case Interpolation::nearest:
        return sweep(Nearest{}, kind, parent, points, nest);
    }
}

/// West-east into the rows of the parent that are read, then south-north.
template <class Rule>
void Interpolator::sweep(Rule rule, Stagger kind, ConstField3 parent, const Range &points, Field3 nest) {
    const auto in_x = [&](int i) {
        return kind == Stagger::x ? place_of_face(i, place_.i0, place_.ratio)
                                  : place_of_cell(i, place_.i0, place_.ratio);
    };
    const auto in_y = [&](int j) {
        return kind == Stagger::y ? place_of_face(j, place_.j0, place_.ratio)
                                  : place_of_cell(j, place_.j0, place_.ratio);
    };
    const int first = in_y(points.j0).base - interpolation_reach,
              rows = in_y(points.j1 - 1).base + interpolation_reach + 1 - first,
              width = points.i1 - points.i0;
    between_.resize(std::size_t(rows) * std::size_t(width));
    base_.clear(), offset_.clear();
    for (int i = points.i0; i < points.i1; ++i) {
        const auto [base, offset] = in_x(i);
        base_.push_back(base), offset_.push_back(offset);
    }
    real *between = between_.data();
    for (int k = points.k0; k < points.k1; ++k) {
        for (int n = 0; n < rows; ++n) {
            const real *row = parent.row(k, first + n);
            for_each_i(0, width,
                       [=, y = between + std::ptrdiff_t(n) * width, base = base_.data(),
                        offset = offset_.data()](int i) {
                           const real *x = row + base[i];
                           y[i] = rule(x[-2], x[-1], x[0], x[1], x[2], offset[i]);
                       });
        }
        for (int j = points.j0; j < points.j1; ++j) {
            const auto [b, a] = in_y(j);
            const real *x = between + std::ptrdiff_t(b - first) * width - points.i0;
            real *y = nest.row(k, j);
            for_each_i(points.i0, points.i1, [=, w = std::ptrdiff_t(width), a = a](int i) {
                y[i] = rule(x[i - 2 * w], x[i - w], x[i], x[i + w], x[i + 2 * w], a);
            });
        }
    }
}

} // namespace squall
