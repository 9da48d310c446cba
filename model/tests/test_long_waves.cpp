// The filter that leaves the long waves of a field: a projection, and sums that know no order.
#include <numbers>

#include <gtest/gtest.h>

#include "solver/long_waves.hpp"

namespace squall {
namespace {

constexpr int nx = 20, ny = 14, nz = 2;
constexpr double turn = 2 * std::numbers::pi;

Patch whole_domain() {
    Patch patch;
    patch.shape = {nx, ny, nz};
    patch.nx_domain = nx, patch.ny_domain = ny;
    return patch;
}

/// By the sum of its formula.
double filtered(auto value, int i, int k, int j, int waves_x, int waves_y) {
    const auto kernel = [](int distance, int points, int waves) {
        double sum = 1;
        for (int m = 1; m <= waves; ++m) sum += 2 * std::cos(turn * m * distance / points);
        return sum / points;
    };
    double sum = 0;
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
            sum += kernel(i - x, nx + 1, waves_x) * kernel(j - y, ny + 1, waves_y) * value(x, k, y);
    return sum;
}

TEST(LongWaves, AreTheFirstFourierComponentsOfWidthAndLength) {
    const auto value = [](int i, int k, int j) {
        return std::sin(0.3 * i * i + 0.1 * j) * 20 + 7 + 3 * k + 5 * std::cos(turn * j / (ny + 1));
    };
    LongWaves waves(whole_domain(), MPI_COMM_NULL, 3, 2, 2, nz);
    waves.take(1, 256, value);
    waves.gather();
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                EXPECT_NEAR(waves.at(1, i, k, j), filtered(value, i, k, j, 3, 2), 1e-4);
}

TEST(LongWaves, LeaveNothingOfAShorterWaveAndCountALargerValueAsTheLargest) {
    const auto both = [](int i, int, int j) {
        return 300 * std::cos(turn * 5 * i / (nx + 1)) * std::cos(turn * 5 * j / (ny + 1));
    };
    LongWaves waves(whole_domain(), MPI_COMM_NULL, 0, 0, 1, nz);
    waves.take(0, 512, both);
    waves.gather();
    // Of the whole wave the mean is 0; of it without the points that count as 0 it is this.
    EXPECT_NEAR(waves.at(0, 3, 1, 4), filtered(both, 3, 1, 4, 0, 0), 1e-4);
    EXPECT_LT(std::abs(waves.at(0, 3, 1, 4)), 3);
    waves.take(0, 2, [](int, int, int) { return 1e9; });
    waves.gather();
    EXPECT_NEAR(waves.at(0, 0, 0, 0), 2.0 * nx * ny / ((nx + 1) * (ny + 1)), 1e-5);
}

} // namespace
} // namespace squall
