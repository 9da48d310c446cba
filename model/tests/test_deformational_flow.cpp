// The limiters in the deformational flow of Blossey, P. N. and D. R. Durran (2008): Selective monotonicity
// preservation in scalar advection. J. Comput. Phys. 227, 5160-5183: a bell is drawn out by a vortex whose
// angular speed changes with radius, which then turns back; at t = T all air is where it was, so that the
// exact solution is the initial one. Their errors are for other schemes and are not compared with; what
// is, is what the limiters promise, and that the error falls with the grid as it should.

#include <gtest/gtest.h>

#include "transport_case.hpp"

namespace squall::test {
namespace {

/// 0 to 1 over a square of 1 m, T = 1 s.
double bell(double x, double y) {
    const double r = 5 * std::hypot(x - 0.3, y - 0.5);
    return r < 1 ? std::pow((1 + std::cos(pi * r)) / 2, 2) : 0;
}

/// Integral of r (1 - (4 r)^6) / (1 + (4 r)^6) from the middle, by Simpson's rule.
double turning(double radius) {
    constexpr int panels = 64;
    const auto f = [](double r) {
        const double s = std::pow(4 * r, 6);
        return r * (1 - s) / (1 + s);
    };
    double sum = f(0) + f(radius);
    for (int n = 1; n < panels; ++n) sum += (n % 2 ? 4 : 2) * f(radius * n / panels);
    return sum * radius / panels / 3;
}

struct DeformationalFlow : TransportCase {
    int n;
    std::vector<double> steady, turned; ///< the stream function's parts on cell corners

    DeformationalFlow(int cells_across, Limiter limiter)
        : TransportCase({cells_across, cells_across, 3}, 1.0 / cells_across, 1, {limiter}), n(cells_across) {
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i) {
                const double r = std::hypot(double(i) / n - 0.5, double(j) / n - 0.5);
                steady.push_back(4 * pi * r * r / 2);
                turned.push_back(4 * pi * turning(r));
            }
        set(now[0], [this](int i, int, int j) { return bell((i + 0.5) / n, (j + 0.5) / n); });
    }

    double stream(int i, int j, double time) const {
        const auto corner = std::size_t(j * (n + 1) + i);
        return steady[corner] - std::cos(2 * pi * time) * turned[corner];
    }

    /// Mass fluxes whose divergence is nothing but rounding.
    void set_fluxes(double time) {
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i) {
                for (int k = 0; k < shape.nz; ++k) {
                    if (j < n)
                        departure_u(i, k, j) =
                            real(-mass() * n * (stream(i, j + 1, time) - stream(i, j, time)));
                    if (i < n)
                        departure_v(i, k, j) =
                            real(mass() * n * (stream(i + 1, j, time) - stream(i, j, time)));
                }
            }
    }

    /// From 0 to T. Air turns at most 25 times the side of the square in that time.
    void run() {
        const int steps = 25 * n;
        for (int step_number = 0; step_number < steps; ++step_number) {
            set_fluxes((step_number + 0.5) / steps);
            step(1.0 / steps);
        }
    }

    /// RMS error over the RMS of the solution.
    double error() const {
        double wrong = 0, all = 0;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const double q = bell((i + 0.5) / n, (j + 0.5) / n);
                wrong += std::pow(now[0](i, 0, j) - q, 2);
                all += q * q;
            }
        return std::sqrt(wrong / all);
    }
};

struct Outcome {
    double error, least, most, change;
};

Outcome outcome(int n, Limiter limiter) {
    DeformationalFlow c(n, limiter);
    const double before = c.total(c.now[0]);
    c.run();
    const auto [least, most] = c.extremes(c.now[0]);
    return {c.error(), least, most, c.total(c.now[0]) / before - 1};
}

// The numbers are this scheme's own, to hold it to what it does.
TEST(DeformationalFlow, BringsTheBellBack) {
    const double coarse = outcome(40, Limiter::none).error, fine = outcome(80, Limiter::none).error;
    EXPECT_NEAR(coarse, 0.50, 0.01);
    EXPECT_NEAR(fine, 0.24, 0.01);
}

TEST(DeformationalFlow, LimitersKeepTheirPromisesAndTheAccuracy) {
    const Outcome plain = outcome(80, Limiter::none), positive = outcome(80, Limiter::positive_definite),
                  monotonic = outcome(80, Limiter::monotonic);
    EXPECT_LT(plain.least, -0.04) << "the test has to be hard";
    EXPECT_GE(positive.least, -1e-9);
    EXPECT_LT(positive.error, plain.error);
    EXPECT_GE(monotonic.least, -1e-9);
    EXPECT_LE(monotonic.most, 1);
    EXPECT_LT(monotonic.error, 1.15 * plain.error);
    for (const Outcome &o : {plain, positive, monotonic}) EXPECT_NEAR(o.change, 0, 1e-6);
}

} // namespace
} // namespace squall::test
