#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/local_error.hpp"
#include "moments/far.hpp"

namespace squall::transport {
namespace {

/// A row of cells of second-order moments, filled with numbers that no formula of the scheme has.
struct Line {
    explicit Line(int cells) : n(cells), data(10, std::vector<double>(static_cast<std::size_t>(cells))) {
        for (std::size_t m = 0; m < 10; ++m)
            for (std::size_t i = 0; i < data[m].size(); ++i)
                data[m][i] = m == 0 ? 3 + std::sin(1.0 + static_cast<double>(i))
                                    : 0.4 * std::cos(static_cast<double>(7 * m + 3 * i));
    }
    Rows<double> rows() {
        Rows<double> r{};
        for (std::size_t m = 0; m < 10; ++m) r[m] = data[m].data();
        return r;
    }
    Rows<const double> from(int i) {
        Rows<const double> r{};
        for (std::size_t m = 0; m < 10; ++m) r[m] = data[m].data() + i;
        return r;
    }
    double total() const {
        double sum = 0;
        for (const double s : data[0]) sum += s;
        return sum;
    }
    int n;
    std::vector<std::vector<double>> data;
};

TEST(Moments, ACellThatIsCutAndJoinedAgainIsWhatItWas) {
    Line line(1);
    for (const double where : {0.1, 0.5, 0.83}) {
        std::array<double, 10> sum{};
        const Part west{where, where - 1}, east{1 - where, where};
        add_piece<Scheme::second_order>(line.from(0), 0, west, west, sum);
        add_piece<Scheme::second_order>(line.from(0), 0, east, east, sum);
        for (std::size_t m = 0; m < 10; ++m) EXPECT_NEAR(sum[m], line.data[m][0], 2e-15) << m;
    }
}

/// New cells of a row of `n` in a ring of as many cells with the same air, from which `through` passes each
/// face.
Line moved(Line &ring, double through, int reach) {
    const int n = ring.n;
    Line longer(n + 2 * reach + 2), out(n); // one more on either side
    for (std::size_t m = 0; m < 10; ++m)
        for (int i = 0; i < longer.n; ++i)
            longer.data[m][static_cast<std::size_t>(i)] =
                ring.data[m][static_cast<std::size_t>((i - 1 - reach + n) % n)];
    const std::vector<double> air(static_cast<std::size_t>(longer.n), 2.0),
        faces(static_cast<std::size_t>(n + 1), through);
    FarCuts far(n);
    far.cut(air.data(), faces.data(), reach);
    far.join<Scheme::second_order>(longer.from(1), out.rows());
    return out;
}

TEST(Moments, WholeCellsAreShiftedAsTheyAre) {
    Line ring(6);
    for (const int cells : {2, -2}) {
        const Line out = moved(ring, 2.0 * cells, 3);
        for (std::size_t m = 0; m < 10; ++m)
            for (int i = 0; i < 6; ++i)
                EXPECT_NEAR(out.data[m][static_cast<std::size_t>(i)],
                            ring.data[m][static_cast<std::size_t>((i - cells + 6) % 6)], 1e-15);
    }
}

TEST(Moments, NearAndFarCutsAreTheSameTransport) {
    Line ring(8);
    for (const double through : {0.7, -1.3}) {
        const Line far = moved(ring, through, 2);
        Line longer(10), near(8);
        for (std::size_t m = 0; m < 10; ++m)
            for (int i = 0; i < 10; ++i)
                longer.data[m][static_cast<std::size_t>(i)] =
                    ring.data[m][static_cast<std::size_t>((i + 7) % 8)];
        const std::vector<double> air(10, 2.0), faces(9, through);
        std::vector<double> scratch(7 * 8);
        const auto at = [&](int n) { return scratch.data() + 8 * n; };
        const Cuts cuts{at(0), at(1), at(2), at(3), at(4), at(5), at(6)};
        cut(air.data(), air.data() + 1, air.data() + 2, faces.data(), faces.data() + 1, cuts, 8);
        join<Scheme::second_order>(longer.from(0), longer.from(1), longer.from(2), cuts, near.rows(), 8);
        for (std::size_t m = 0; m < 10; ++m)
            for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(near.data[m][i], far.data[m][i], 1e-14);
        EXPECT_NEAR(near.total(), ring.total(), 1e-14 * ring.total());
    }
}

/// Moments of the cells of a row, each of a mass, whose mixing ratio is the square of the mass west of a
/// point: whatever the cuts, new cells have those of the same polynomial.
std::vector<std::array<double, 3>> of_square(const std::vector<double> &air, double west) {
    std::vector<std::array<double, 3>> cells;
    for (const double mass : air) {
        const double c = west + mass / 2, h = mass / 2;
        cells.push_back({mass * (c * c + h * h / 3), 2 * mass * c * h, mass * 2 * h * h / 3});
        west += mass;
    }
    return cells;
}

TEST(Moments, PiecesOfAnyNumberOfCellsKeepAParabola) {
    const int n = 6, reach = 5;
    const std::vector<double> air{1.0, 0.7, 1.1, 0.9, 0.6, 1.2, 0.8, 1.0,
                                  1.3, 0.9, 0.7, 1.1, 1.0, 0.8, 1.2, 0.9};
    // new cells of one, two, three and eight pieces: air comes from the west, then from both sides
    const std::vector<double> through{2.9, 2.3, 2.9, 2.4, -3.2, -2.6, -2.9};
    Line longer(n + 2 * reach + 2), out(n);
    const auto old = of_square(air, -1);
    for (std::size_t m = 0; m < 10; ++m) std::ranges::fill(longer.data[m], 0.0);
    for (std::size_t i = 0; i < air.size(); ++i)
        longer.data[0][i + 1] = old[i][0], longer.data[1][i + 1] = old[i][1],
                           longer.data[4][i + 1] = old[i][2];
    FarCuts far(n);
    far.cut(air.data(), through.data(), reach);
    far.join<Scheme::second_order>(longer.from(1), out.rows());
    double west = -1;
    for (int i = 0; i < reach; ++i) west += air[static_cast<std::size_t>(i)];
    const auto expected = of_square({far.mass(), far.mass() + n}, west - through[0]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(out.data[0][i], expected[i][0], 2e-13) << i;
        EXPECT_NEAR(out.data[1][i], expected[i][1], 2e-13) << i;
        EXPECT_NEAR(out.data[4][i], expected[i][2], 2e-13) << i;
    }
}

TEST(Moments, AirFromFartherThanTheCellsAtHandIsRefused) {
    Line ring(6);
    EXPECT_THROW(moved(ring, 7.0, 3), LocalError);
}

TEST(Moments, TheLimiterLeavesNoPartOfACellNegative) {
    for (int trial = 0; trial < 200; ++trial) {
        Line line(1);
        line.data[0][0] = 1, line.data[1][0] = 4 * std::sin(trial), line.data[4][0] = 4 * std::cos(3 * trial);
        keep_positive<Scheme::second_order>(line.from(0), line.rows(), 1);
        for (double x = -1; x <= 1; x += 0.05)
            EXPECT_GE(1 + line.data[1][0] * x + line.data[4][0] * 0.5 * (3 * x * x - 1), -1e-12);
    }
}

} // namespace
} // namespace squall::transport
