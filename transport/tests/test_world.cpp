// On any number of ranks: what each computes is compared with the whole globe, which it computes too.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <mpi.h>

#include "compare.hpp"
#include "drive/world.hpp"
#include "runfile/read.hpp"

namespace squall::transport {
namespace {

Settings settings_of(const std::string &flow, const std::string &more = "") {
    return parse_settings(R"(
[run]
duration = "4 d"
time_step = "2 h"
[grid]
kind = "gaussian"
nlon = 24
nlat = 12
[vertical]
nz = 8
[tracer.q]
shape = "slotted-cylinders"
[tracer.one]
shape = "constant"
[wind]
flow = ")" + flow + "\"\n" + more,
                          "test.toml", {});
}

void run(World &world, int steps) {
    for (int n = 0; n < steps; ++n) world.advance();
}

class EveryFlow : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Flows, EveryFlow, testing::ValuesIn(flow_names()),
                         [](const auto &flow) { return "flow" + std::to_string(flow.index); });

TEST_P(EveryFlow, AsMuchAirEntersACellAsLeavesIt) {
    const Settings settings = settings_of(GetParam());
    const World world(settings, MPI_COMM_WORLD);
    const Shape s = world.block().shape();
    MassFluxes f(s);
    find_fluxes(*world.flow(), world.where(), 5e4, 7200, f);
    double most = 0;
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) {
                const double gain = f.east_row(k, j)[i] - f.east_row(k, j)[i + 1] + f.north_row(k, j)[i] -
                                    f.north_row(k, j + 1)[i] + f.up_row(k, j)[i] - f.up_row(k + 1, j)[i];
                most = std::max(most, std::abs(gain) / world.block().row(0, k, j)[i]);
            }
    EXPECT_LT(most, 1e-13);
}

TEST_P(EveryFlow, AConstantStaysConstantAndNothingIsNegative) {
    const Settings settings = settings_of(GetParam(), "angle = 80\n");
    World world(settings, MPI_COMM_WORLD);
    run(world, 20);
    const Shape s = world.block().shape();
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) {
                const double air = world.block().row(0, k, j)[i];
                EXPECT_NEAR(world.block().row(field_of(Scheme::second_order, 1, 0), k, j)[i] / air, 1, 1e-12);
                EXPECT_GE(world.block().row(field_of(Scheme::second_order, 0, 0), k, j)[i], 0);
            }
}

TEST_P(EveryFlow, RanksAndThreadsGiveTheSameBits) {
    for (const char *scheme : {"second-order-moments", "slopes"}) {
        const Settings settings =
            settings_of(GetParam(), std::string("angle = 80\n[advection]\nscheme = \"") + scheme + "\"\n");
        World mine(settings, MPI_COMM_WORLD), whole(settings, MPI_COMM_SELF);
        run(mine, 6), run(whole, 6);
        EXPECT_EQ(differing(mine, whole), 0) << scheme;
    }
}

TEST(World, MassIsKeptToRounding) {
    const Settings settings = settings_of("dcmip-1-1");
    World world(settings, MPI_COMM_WORLD);
    const auto mass = [&](int field) {
        double sum = 0, all = 0;
        const Shape s = world.block().shape();
        for (int j = 0; j < s.ny; ++j)
            for (int k = 0; k < s.nz; ++k)
                for (int i = 0; i < s.nx; ++i) sum += world.block().row(field, k, j)[i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        return all;
    };
    const double before = mass(1), air = mass(0);
    run(world, 48);
    EXPECT_NEAR(mass(1) / before, 1, 2e-14);
    EXPECT_NEAR(mass(0) / air, 1, 2e-14);
}

/// By how much Cl + 2 Cl2 differs from 4e-6 at most, of that, after some steps of the terminator's chemistry.
double error_of_sum(const std::string &family) {
    const std::string table = "[tracer.cl]\nshape = \"terminator-cl\"\n" + family +
                              "[tracer.cl2]\nshape = \"terminator-cl2\"\n" + family;
    const Settings settings = settings_of("deformation", "[chemistry]\nscheme = \"terminator\"\n" + table);
    const auto number = [&](const std::string &name) {
        const auto names = settings.tracer_names();
        return field_of(Scheme::second_order,
                        static_cast<int>(std::ranges::find(names, name) - names.begin()), 0);
    };
    World world(settings, MPI_COMM_WORLD);
    run(world, 30);
    const Shape s = world.block().shape();
    double most = 0;
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) {
                const double air = world.block().row(0, k, j)[i];
                const double cl = world.block().row(number("cl"), k, j)[i] / air;
                const double cl2 = world.block().row(number("cl2"), k, j)[i] / air;
                EXPECT_GE(std::min(cl, cl2), 0);
                most = std::max(most, std::abs(cl + 2 * cl2 - 4e-6) / 4e-6);
            }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

TEST(World, TheLimiterKeepsSumsOfTracersOfAFamily) {
    EXPECT_LT(error_of_sum("family = \"chlorine\"\n"), 1e-12);
    EXPECT_GT(error_of_sum(""), 1e-4) << "the limiter has nothing to do: the test shows nothing";
}

TEST(World, AStepInWhichACellWouldLoseItsAirManyTimesIsRefusedByAll) {
    Settings settings = settings_of("solid-body", "angle = 90\nperiod = \"1 s\"\n");
    World world(settings, MPI_COMM_WORLD);
    EXPECT_ANY_THROW(world.advance());
}

} // namespace
} // namespace squall::transport
