// The advection operators converge at the order that they are named for (Wicker and Skamarock
// 2002, Mon. Wea. Rev. 130, 2088-2097): carried by a uniform wind, a sine wave's tendency is wrong
// by an amount that falls by 2^order when the spacing is halved. Spacings are coarse because
// single precision hides the error of the high orders on finer ones.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "dynamics/advection.hpp"

namespace {

using namespace squall;

constexpr double two_pi = 2 * std::numbers::pi;

enum class Direction { x, y, vertical };

/// A value at each point; spacing is 1 / (points per unit length).
using Profile = std::function<double(int)>;

/// Advects q on all cells of a shape with uniform velocities, 1 / spacing being rd along all axes.
void advect_all(const Shape &shape, int order, ConstField3 q, real wind_x, real wind_y, real eta_velocity,
                const std::vector<real> &rd_eta, real rd, Field3 tend) {
    Array2 metric(shape);
    metric.fill(1);
    const auto uniform = [](real wind) { return [wind](int, int) { return [wind](int) { return wind; }; }; };
    const AxisStencils x = make_axis_stencils({0, shape.nx}, order),
                       y = make_axis_stencils({0, shape.ny}, order);
    const std::vector<real> half(static_cast<std::size_t>(shape.nz) + 1, real(0.5));
    const VerticalStencils z = make_vertical_stencils(shape.nz, order, half, half);
    ScratchMemory scratch(FluxRows::shared + 2 * shape.nz, shape.nx + 1 + overrun);
    for (int j = 0; j < shape.ny; ++j)
        advect({0, shape.nx, j, j + 1, 0, shape.nz}, j == 0, q,
               MassFluxes{uniform(wind_x), uniform(wind_y), uniform(eta_velocity)},
               {x, y, z, metric.view(), rd, rd, rd_eta.data()}, unit_metric,
               FluxRows(scratch.rows(), FluxRows::shared, shape.nz, 0), tend);
}

/// dq/dt on n points of a row that goes on beyond both ends.
std::vector<double> along_row(bool along_x, int order, real velocity, int n, const Profile &profile) {
    const Shape shape = along_x ? Shape{n, 1, 1} : Shape{1, n, 1};
    Array3 q(shape), tend(shape);
    for (int p = -halo_width; p < n + halo_width; ++p)
        (along_x ? q(p, 0, 0) : q(0, 0, p)) = static_cast<real>(profile(p));
    advect_all(shape, order, q.view(), along_x ? velocity : 0, along_x ? 0 : velocity, 0, {0},
               static_cast<real>(n), tend.view());
    std::vector<double> result;
    for (int p = 0; p < n; ++p) result.push_back(along_x ? tend(p, 0, 0) : tend(0, 0, p));
    return result;
}

/// dq/dt on n points of an evenly spaced column that goes on beyond both ends: at its ends the
/// order falls. Eta falls upward, so a positive `velocity` is an upward wind.
std::vector<double> along_column(int order, real velocity, int n, const Profile &profile) {
    constexpr int ends = 4;
    const int levels = n + 2 * ends;
    const Shape shape{1, 1, levels};
    Array3 q(shape), tend(shape);
    for (int k = 0; k < levels; ++k) q(0, k, 0) = static_cast<real>(profile(k - ends));
    advect_all(shape, order, q.view(), 0, 0, -velocity, std::vector<real>(levels, static_cast<real>(-n)), 0,
               tend.view());
    std::vector<double> result;
    for (int k = ends; k < ends + n; ++k) result.push_back(tend(0, k, 0));
    return result;
}

std::vector<double> tendency(Direction direction, int order, real velocity, int n, const Profile &profile) {
    return direction == Direction::vertical
               ? along_column(order, velocity, n, profile)
               : along_row(direction == Direction::x, order, velocity, n, profile);
}

/// Largest error of the tendency of one wave on n points, relative to its largest slope.
double error(Direction direction, int order, real velocity, int n) {
    const auto ours =
        tendency(direction, order, velocity, n, [n](int p) { return std::sin(two_pi * p / n); });
    double worst = 0;
    for (int p = 0; p < n; ++p)
        worst = std::max(worst, std::abs(ours[p] / two_pi + velocity * std::cos(two_pi * p / n)));
    return worst;
}

class Advection : public testing::TestWithParam<std::tuple<Direction, int, int>> {};

TEST_P(Advection, convergesAtItsNominalOrder) {
    const auto [direction, order, sign] = GetParam();
    const real velocity = static_cast<real>(sign);
    const int n = order > 4 ? 10 : order > 2 ? 20 : 32;
    const double observed =
        std::log2(error(direction, order, velocity, n) / error(direction, order, velocity, 2 * n));
    EXPECT_NEAR(observed, order, 0.1);
    RecordProperty("observed_order", std::to_string(observed));
}

TEST_P(Advection, dampsTheShortestWaveWhereItsOrderIsOdd) {
    const auto [direction, order, sign] = GetParam();
    const auto alternating = [](int p) { return p % 2 == 0 ? 1.0 : -1.0; };
    const auto ours = tendency(direction, order, static_cast<real>(sign), 8, alternating);
    for (int p = 0; p < 8; ++p) {
        if (order % 2 == 0)
            EXPECT_NEAR(ours[p], 0, 1e-5);
        else
            EXPECT_LT(ours[p] * alternating(p), -1);
    }
}

std::string name_of(const testing::TestParamInfo<Advection::ParamType> &test) {
    const auto [direction, order, sign] = test.param;
    const std::string axis = direction == Direction::x ? "x" : direction == Direction::y ? "y" : "vertical";
    return axis + "_order" + std::to_string(order) + (sign > 0 ? "_forward" : "_backward");
}

INSTANTIATE_TEST_SUITE_P(EveryOrder, Advection,
                         testing::Combine(testing::Values(Direction::x, Direction::y, Direction::vertical),
                                          testing::Range(2, 7), testing::Values(-1, 1)),
                         name_of);

} // namespace
