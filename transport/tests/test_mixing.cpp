#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <mpi.h>

#include "columns/boundary_layer.hpp"
#include "columns/convection.hpp"
#include "columns/mixing.hpp"
#include "compare.hpp"
#include "drive/world.hpp"
#include "runfile/read.hpp"
#include "tracers/processes.hpp"
#include "tracers/state.hpp"

namespace squall::transport {
namespace {

constexpr int nz = 24;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Air of layers that is no two the same.
double air_of(int k) { return 1 + 0.7 * std::sin(1.3 * k); }

/// Exchanges of any strength between any layers, in each lane others: as much leaves a layer as enters it.
MixingMatrices some_matrices() {
    MixingMatrices matrices(nz);
    for (int lane = 0; lane < lanes; ++lane)
        for (int n = 0; n < 3 * nz; ++n) {
            const int a = (7 * n + 3 * lane) % nz, b = (5 * n + 11) % nz, c = (n * n + lane) % nz;
            if (a == b || b == c || c == a) continue;
            const double flux = std::pow(10, (n + lane) % 7 - 3); // around a ring of three
            matrices.pass(lane, a, b, flux / air_of(a));
            matrices.pass(lane, b, c, flux / air_of(b));
            matrices.pass(lane, c, a, flux / air_of(c));
        }
    matrices.invert();
    return matrices;
}

TEST(MixingMatrices, KeepMassAndAirAndAreNowhereNegative) {
    const MixingMatrices m = some_matrices();
    ASSERT_EQ(m.depth(), nz);
    for (int lane = 0; lane < lanes; ++lane)
        for (int a = 0; a < nz; ++a) {
            double column = 0, row = 0;
            for (int b = 0; b < nz; ++b) {
                EXPECT_GE(m.element(b, a)[lane], 0);
                column += m.element(b, a)[lane];
                row += m.element(a, b)[lane] * air_of(b);
            }
            EXPECT_NEAR(column, 1, 1e-14);
            EXPECT_NEAR(row / air_of(a), 1, 1e-14);
            // what never left is part of what is there
            EXPECT_LE(m.stayed(a)[lane], m.element(a, a)[lane]);
        }
}

TEST(MixingMatrices, AProductIsTheSumOverLayersForAnyNumberOfFields) {
    const MixingMatrices m = some_matrices();
    for (const int count : {3, 6, 15}) {
        std::vector<Doubles> x(at(count * nz)), y(x.size());
        for (std::size_t n = 0; n < x.size(); ++n)
            for (int lane = 0; lane < lanes; ++lane) x[n][lane] = std::sin(static_cast<double>(n) + lane);
        m.multiply(x.data(), y.data(), count);
        for (int f = 0; f < count; ++f)
            for (int k = 0; k < nz; ++k)
                for (int lane = 0; lane < lanes; ++lane) {
                    double sum = 0;
                    for (int j = 0; j < nz; ++j) sum += m.element(k, j)[lane] * x[at(f * nz + j)][lane];
                    EXPECT_EQ(y[at(f * nz + k)][lane], sum);
                }
    }
}

/// By how much the wave cos(pi z) between impermeable walls is off exp(-pi^2 t) after the time 0.1.
double error_of_diffusion(int steps) {
    constexpr int layers = 60;
    MixingMatrices m(layers);
    const double dz = 1.0 / layers, share = 0.1 / steps / (dz * dz);
    for (int k = 1; k < layers; ++k) m.pass(0, k - 1, k, share), m.pass(0, k, k - 1, share);
    m.invert();
    std::vector<Doubles> x(at(fewer_fields * layers)), y(x.size());
    for (int k = 0; k < layers; ++k) x[at(k)][0] = std::cos(pi * (k + 0.5) * dz);
    for (int n = 0; n < steps; ++n) m.multiply(x.data(), y.data(), fewer_fields), std::swap(x, y);
    double most = 0;
    for (int k = 0; k < layers; ++k)
        most =
            std::max(most, std::abs(x[at(k)][0] - std::exp(-pi * pi * 0.1) * std::cos(pi * (k + 0.5) * dz)));
    return most;
}

TEST(MixingMatrices, ApproachDiffusionAsStepsBecomeShorter) {
    const double coarse = error_of_diffusion(20), fine = error_of_diffusion(40);
    EXPECT_LT(fine, 0.005);
    EXPECT_NEAR(coarse / fine, 2, 0.05);
}

TEST(BoundaryLayer, HasThePapersDiffusivities) {
    const GroundFluxes neutral{1000, 0.3, 0, 300};
    EXPECT_NEAR(diffusivity(neutral, 200), 0.4 * 0.3 * 200 * 0.64, 1e-12);
    EXPECT_EQ(diffusivity(neutral, 1000), 0);
    EXPECT_EQ(diffusivity(neutral, 1500), 0);
    const GroundFluxes stable{300, 0.2, -0.02, 290};
    const double length = 0.2 * 0.2 * 0.2 / (0.4 * gravity / 290 * 0.02), z = 20;
    EXPECT_NEAR(diffusivity(stable, z), 0.4 * 0.2 * z / (1 + 5 * z / length) * (280.0 * 280) / (300 * 300),
                1e-12);
    // free convection: w_m = (0.6)^(1/3) w*, and Pr = phi_h / phi_m + 7.2 k 0.1 w* / w_m
    const GroundFluxes convective{1500, 0.01, 0.2, 300};
    const double w = std::cbrt(gravity / 300 * 0.2 * 1500), wm = std::cbrt(0.6) * w;
    const double prandtl = std::sqrt(0.01 / wm) + 7.2 * 0.04 * w / wm;
    EXPECT_NEAR(diffusivity(convective, 500) / (0.4 * wm / prandtl * 500 * 4 / 9), 1, 1e-6);
    // both layers meet where the surface layer ends
    EXPECT_NEAR(diffusivity({1000, 0.3, 1e-12, 300}, 100.0001) / diffusivity(neutral, 100), 1, 1e-3);
}

TEST(BoundaryLayer, HasThePapersFluxAgainstTheGradient) {
    // free convection again: 7.2 w* / (w_m^2 h), above the surface layer and up to h
    const GroundFluxes convective{1500, 0.01, 0.2, 300};
    const double w = std::cbrt(gravity / 300 * 0.2 * 1500);
    EXPECT_NEAR(counter_gradient(convective, 500) * 1500 * w * std::pow(0.6, 2.0 / 3) / 7.2, 1, 1e-5);
    EXPECT_EQ(counter_gradient(convective, 149), 0);
    EXPECT_EQ(counter_gradient(convective, 1500), 0);
    EXPECT_EQ(counter_gradient({300, 0.2, -0.02, 290}, 100), 0);
    // Deardorff (1972), J. Geophys. Res. 77, 5900-5904: of heat about 0.7 K per km
    EXPECT_NEAR(counter_gradient({1000, 0.2, 0.1, 290}, 500) * 0.1, 0.7e-3, 0.1e-3);
}

Settings settings_of(const std::string &more, const std::string &scheme = "second-order-moments",
                     const std::vector<std::string> &overrides = {}) {
    return parse_settings(R"(
[run]
duration = "4 d"
time_step = "1 h"
[grid]
nlon = 28
nlat = 12
[vertical]
nz = 20
top = "100 hPa"
[weather]
kind = "zonal"
[mixing]
convection = "mass-flux"
boundary_layer = "holtslag-boville"
[advection]
scheme = ")" + scheme + "\"\n" +
                              more,
                          "test.toml", overrides);
}

/// Of the first cell's row, with the zonal weather of noon.
struct Column {
    explicit Column(const Settings &settings) : world(settings, MPI_COMM_SELF), weather(world.weather()) {
        set_zonal_weather(world.where(), 0, weather);
    }
    ColumnAir air(int j) const { return {world.block(), weather, world.where(), j}; }
    World world;
    Weather weather;
};

/// A tracer that the ground emits into warm air of one column; the others have no boundary layer.
struct EmittingColumn {
    EmittingColumn() : column(settings), block(column.world.block()) {
        processes.add_tracer(settings.tracers[0].sources, column.world.where(), {}, MPI_COMM_SELF);
        std::ranges::fill(column.weather.boundary_layer, 0.0);
        column.weather.boundary_layer[i] = height, column.weather.friction_velocity[i] = 0.1;
        column.weather.sensible_heat[i] = 300, column.weather.latent_heat[i] = 0;
    }
    void run(double step, int steps) {
        for (int n = 0; n < steps; ++n) processes.apply(block, column.world.where(), column.weather, 0, step);
    }
    ColumnAir air() const { return {block, column.weather, column.world.where(), 0}; }
    double mass(int k) const { return block.row(1, k, 0)[i]; }
    double ratio(int k) const { return mass(k) / block.row(0, k, 0)[i]; }

    static constexpr double flux = 1e-6, height = 1500; // [kg m-2 s-1], [m]
    static constexpr int i = 3;
    const Settings settings = settings_of("[tracer.q]\nscale = 0\nemission = \"1e-6 kg m-2 s-1\"\n", "slopes",
                                          {"grid.nlon=8", "vertical.nz=160", "mixing.convection=\"none\""});
    Column column;
    Block block;
    ColumnProcesses processes{settings.mixing, Scheme::slopes, true, 1};
};

/// Once the profile keeps its shape, the flux falls with the mass of air above, to 0 at the highest layer
/// that mixes, and w'c' = -K (dc/dz - gamma) gives the gradient.
TEST(BoundaryLayer, ATracerFromTheGroundHasTheGradientOfThePapersFlux) {
    EmittingColumn c;
    c.run(600, 1000);
    const ColumnAir air = c.air();
    const GroundFluxes ground = ground_fluxes(air, c.column.weather, c.i, 0);
    int layers = 1;
    while (air.height(c.i, layers) < c.height) ++layers;
    ASSERT_GT(layers, 10);
    const double below = air.pressure(c.i, 0), depth = below - air.pressure(c.i, layers);
    int uphill = 0;
    for (int k = 1; k < layers; ++k) {
        const double z = air.height(c.i, k), dz = air.middle(c.i, k) - air.middle(c.i, k - 1);
        const double density =
            air.pressure(c.i, k) / (test_gas_constant * (air.warmth(c.i, k - 1) + air.warmth(c.i, k)) / 2);
        const double flux = c.flux * (1 - (below - air.pressure(c.i, k)) / depth);
        const double gamma = counter_gradient(ground, z) * c.flux / air.density(c.i, 0);
        const double gradient = gamma - flux / (density * diffusivity(ground, z));
        EXPECT_NEAR((c.ratio(k) - c.ratio(k - 1)) / dz / gradient, 1, 0.01) << z;
        uphill += gradient > 0;
    }
    EXPECT_GE(uphill, layers / 2);
}

TEST(BoundaryLayer, TheFluxAgainstTheGradientKeepsMassAndMakesNothingNegative) {
    for (const double step : {60.0, 3600.0}) {
        EmittingColumn c;
        const int steps = step > 60 ? 3 : 20;
        for (int n = 1; n <= steps; ++n) {
            c.run(step, 1);
            double all = 0;
            for (int k = 0; k < c.air().nz(); ++k) {
                EXPECT_GE(c.mass(k), 0);
                all += c.mass(k);
            }
            EXPECT_NEAR(all / (c.flux * n * step * c.column.world.where().area(0)), 1, 1e-13);
        }
    }
}

TEST(Convection, WarmHumidAirRisesAndDryAirDoesNot) {
    const Settings settings = settings_of("[tracer.q]\n");
    Column tropics(settings);
    const ColumnAir humid = tropics.air(6);
    const Draughts deep = find_draughts(humid, 3, 4e-5);
    EXPECT_EQ(deep.up.front(), 0);
    EXPECT_EQ(deep.up.back(), 0);
    const double most = *std::ranges::max_element(deep.up);
    EXPECT_GT(most, 1e-3); // [kg m-2 s-1]
    EXPECT_LT(most, 0.2);
    int top = 0;
    for (int k = 0; k <= humid.nz(); ++k)
        if (deep.up[at(k)] > 0) top = k;
    EXPECT_LT(humid.pressure(3, top), 5e4); // deep
    std::ranges::fill(tropics.weather.humidity, 0.0);
    const ColumnAir dry = tropics.air(6);
    const Draughts none = find_draughts(dry, 3, 4e-5);
    EXPECT_EQ(std::accumulate(none.up.begin(), none.up.end(), 0.0), 0);
}

TEST(Convection, GivenDraughtsCarryTheirMassFromTheGroundToTheirTop) {
    const Settings settings = settings_of("[tracer.q]\n");
    const Column column(settings);
    const ColumnAir air = column.air(6);
    Draughts draughts{Scratch<double>(21), Scratch<double>(21), 0};
    for (int k = 1; k <= 15; ++k) draughts.up[at(k)] = 0.01; // out of layer 0, into layer 15
    MixingMatrices m(20);
    Exchange exchange(m, 0, air, 0, 60);
    mix_draughts(draughts, exchange);
    m.invert();
    const double share = 0.01 * 60 / air.mass(0, 0);
    EXPECT_NEAR(m.element(15, 0)[0] / share, 1, 0.01);
    EXPECT_NEAR(m.element(0, 1)[0] / (0.01 * 60 / air.mass(0, 1)), 1, 0.01); // sinking between
    EXPECT_LT(m.element(10, 0)[0], 0.01 * share);
}

void run(World &world, int steps) {
    for (int n = 0; n < steps; ++n) world.advance();
}

TEST(Mixing, AConstantStaysConstantMassIsKeptAndNothingIsNegative) {
    for (const char *scheme : {"second-order-moments", "slopes"}) {
        const Settings settings =
            settings_of("[tracer.one]\n[tracer.q]\nshape = \"slotted-cylinders\"\n[tracer.low]\nscale = 0\n"
                        "emission = \"1e-9 kg m-2 s-1\"\n",
                        scheme);
        const Scheme moments = settings.advection.moments();
        World world(settings, MPI_COMM_WORLD);
        const double before = total_mass(world.block(), field_of(moments, 1, 0), MPI_COMM_WORLD);
        run(world, 24);
        EXPECT_NEAR(total_mass(world.block(), field_of(moments, 1, 0), MPI_COMM_WORLD) / before, 1, 2e-14);
        const Shape s = world.block().shape();
        double lifted = 0;
        for (int j = 0; j < s.ny; ++j)
            for (int k = 0; k < s.nz; ++k)
                for (int i = 0; i < s.nx; ++i) {
                    const auto mass = [&](int t) {
                        return world.block().row(field_of(moments, t, 0), k, j)[i];
                    };
                    EXPECT_NEAR(mass(0) / world.block().row(0, k, j)[i], 1, 1e-13);
                    EXPECT_GE(mass(1), 0);
                    EXPECT_GE(mass(2), 0);
                    if (k > 4) lifted += mass(2);
                }
        MPI_Allreduce(MPI_IN_PLACE, &lifted, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_GT(lifted, 0);
    }
}

TEST(Mixing, LimitsOfMomentsHoldAfterItAsBefore) {
    const Settings settings = settings_of("[tracer.q]\nshape = \"slotted-cylinders\"\n");
    Column column(settings);
    Block block = column.world.block();
    const Shape s = block.shape();
    const auto moment = [&](int m, int i, int k, int j) -> double & { return block.row(1 + m, k, j)[i]; };
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) { // as steep and as bent as may be
                const double m = moment(0, i, k, j), up = (i + j + k) % 2 ? 1.5 : -1.5;
                moment(1, i, k, j) = moment(3, i, k, j) = up * m,
                                moment(4, i, k, j) = moment(6, i, k, j) = 0.5 * m;
                moment(8, i, k, j) = up / 1.5 * m;
            }
    const Mixing mixing(settings.mixing, Scheme::second_order, 1);
    for (int j = 0; j < s.ny; ++j) {
        const ColumnAir air = column.air(j);
        const BoundaryLayer eddies(air, column.weather, j, false);
        mixing.apply(block, air, column.weather, &eddies, j, 3600);
    }
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) {
                const double m = moment(0, i, k, j) * (1 + 1e-14);
                for (const int along : {1, 3}) {
                    const double steep = std::abs(moment(along, i, k, j)), bent = moment(along + 3, i, k, j);
                    EXPECT_LE(steep, 1.5 * m);
                    EXPECT_GE(bent, steep - m);
                    EXPECT_LE(bent, 2 * m - steep / 3);
                }
                EXPECT_LE(std::abs(moment(8, i, k, j)), m);
            }
}

TEST(Mixing, RanksAndThreadsGiveTheSameBits) {
    const std::string tracers = R"([tracer.radon]
scale = 0
emission = "3.69e-21 kg m-2 s-1"
emission_surface = "unfrozen-land"
lifetime = "5.517 d"
[tracer.ash]
shape = "slotted-cylinders"
particle_diameter = "2e-5 m"
particle_density = "2500 kg m-3"
washout = "8e-5 s-1"
rainout = "3e-4 s-1"
washout_exponent = 0.8
deposition_velocity_land = "0.01 m/s"
[tracer.ash.release.line]
mass = "1e9 kg"
longitude = [10, 200, 350]
latitude = [-70, 20, 80]
bottom = "2 km"
top = "9 km"
profile = [1, 3]
duration = "3 h"
)";
    for (const char *scheme : {"second-order-moments", "slopes"}) {
        const Settings settings = settings_of(tracers, scheme);
        World mine(settings, MPI_COMM_WORLD), whole(settings, MPI_COMM_SELF);
        run(mine, 5), run(whole, 5);
        EXPECT_EQ(differing(mine, whole), 0) << scheme;
    }
}

/// Liu, S. C., J. R. McAfee and R. J. Cicerone (1984): Radon 222 and tropospheric vertical transport. J.
/// Geophys. Res. 89, 7291-7297, from profiles over continents in summer: 55 % above the boundary layer, 20 %
/// above 500 hPa. The weather by formula is none of theirs, so that only the kind of profile is theirs.
TEST(Mixing, RadonOverWarmLandHasAProfileLikeThoseThatWereMeasured) {
    const Settings settings = settings_of("[wind]\nperiod = \"4000 d\"\n[tracer.radon]\nscale = 0\n"
                                          "emission = \"3.69e-21 kg m-2 s-1\"\nlifetime = \"5.517 d\"\n",
                                          "slopes", {"grid.nlon=8"});
    World world(settings, MPI_COMM_SELF);
    run(world, 24 * 20);
    double all = 0, above_layer = 0, above_500 = 0;
    const int i = 2, j = 6; // 112 E, the row north of the equator
    const ColumnAir air(world.block(), world.weather(), world.where(), j);
    for (int k = 0; k < 20; ++k) {
        const double mass = world.block().row(1, k, j)[i];
        all += mass;
        if (air.middle(i, k) > 1800) above_layer += mass;
        if (air.middle_pressure(i, k) < 5e4) above_500 += mass;
    }
    EXPECT_NEAR(above_layer / all, 0.55, 0.2);
    EXPECT_NEAR(above_500 / all, 0.20, 0.12);
}

} // namespace
} // namespace squall::transport
