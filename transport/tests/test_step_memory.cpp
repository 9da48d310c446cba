// A step takes no memory of the system beyond that of the first ones.
#include <gtest/gtest.h>
#include <mpi.h>

#include "counted_memory.hpp"
#include "drive/world.hpp"
#include "runfile/read.hpp"

namespace squall::transport {
namespace {

/// All that may happen in a step but what files bring.
Settings settings_with(const std::string &scheme) {
    return parse_settings(R"(
[run]
duration = "4 d"
time_step = "2 h"
[grid]
kind = "gaussian"
nlon = 24
nlat = 12
[vertical]
nz = 12
top = "100 Pa"
coordinate = "hybrid"
[wind]
flow = "solid-body"
angle = 80
[weather]
kind = "zonal"
[mixing]
convection = "mass-flux"
boundary_layer = "holtslag-boville"
[chemistry]
scheme = "terminator"
[tracer.cl]
shape = "terminator-cl"
family = "chlorine"
[tracer.cl2]
shape = "terminator-cl2"
family = "chlorine"
[tracer.radon]
scale = 0
emission = "3.69e-21 kg m-2 s-1"
lifetime = "5.517 d"
[tracer.age]
clock = true
[tracer.ash]
scale = 0
particle_diameter = "10e-6 m"
particle_density = "2500 kg m-3"
deposition_velocity = "0.002 m/s"
washout = "8.4e-5 s-1"
[tracer.ash.release.first]
mass = "1e9 kg"
longitude = [14.99]
latitude = [37.75]
bottom = "3 km"
top = "9 km"
duration = "3 d"
[advection]
scheme = ")" + scheme + "\"\n",
                          "test.toml", {});
}

std::int64_t blocks_of_two_steps(const Settings &settings, MPI_Comm comm) {
    World world(settings, comm);
    const auto steps = [&] {
        for (int n = 0; n < 2; ++n) world.advance();
    };
    steps();
    const test::CountedMemory before = test::counted_memory();
    steps();
    return test::counted_memory().since(before).blocks;
}

class StepMemory : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Schemes, StepMemory, testing::Values("second-order-moments", "slopes"),
                         [](const auto &made) { return made.index == 0 ? "SecondOrder" : "Slopes"; });

TEST_P(StepMemory, IsThatOfTheFirstSteps) {
    const Settings settings = settings_with(GetParam());
    EXPECT_EQ(blocks_of_two_steps(settings, MPI_COMM_SELF), 0) << "on one rank";
    EXPECT_EQ(blocks_of_two_steps(settings, MPI_COMM_WORLD), 0) << "on all ranks";
}

} // namespace
} // namespace squall::transport
