// Aerosol that the air carries, in sunlight: physics.aerosol_type = "carried".
#include <gtest/gtest.h>

#include <array>

#include "grid/scalar_named.hpp"
#include "physics/radiation.hpp"
#include "physics/radiation/carried_aerosol.hpp"
#include "radiated_storm.hpp"
#include "radiation/radiation_case.hpp"

namespace squall {
namespace {

constexpr int steps = 5, hours = 24, layers = 30, hazy_layers = 4;
constexpr double each_step = 6e9; ///< particles that droplets form on [kg-1]

/// Dry air without cloud on the day of the summer solstice at 35.5 N: columns of `steps` amounts of aerosol
/// in the lowest layers, from none on, at each hour of the day.
struct Skies {
    std::array<std::array<double, hours>, steps> sunlight{}; ///< at the ground [W m-2]
    std::array<double, steps> depth{};                       ///< of the aerosol at 550 nm

    double of_day(int step) const {
        double sum = 0;
        for (const double x : sunlight[std::size_t(step)]) sum += x / hours;
        return sum;
    }
};

/// Of the layer in the first column [kg m-2].
double dry_mass(const InitialState &s, int k) {
    const VerticalGrid &v = s.grid.vertical;
    const auto n = std::size_t(k);
    const double column = double(s.grid.mub(0, 0)) + double(s.state.mu(0, 0));
    return -double(v.dnw[n]) * (double(v.c1h[n]) * column + double(v.c2h[n])) / double(constants::g);
}

void fill(InitialState &s, Skies &skies) {
    const auto set = [&](const char *name, int i, int k, int j, double value) {
        s.state.scalars[std::size_t(scalar_named(name, s.scalars))](i, k, j) = real(value);
    };
    for (int j = 0; j < hours; ++j)
        for (int i = 0; i < steps; ++i) {
            s.grid.lat(i, j) = real(35.5), s.grid.lon(i, j) = real(15 * j - 180);
            for (int k = 0; k < layers; ++k) {
                set("QVAPOR", i, k, j, 1e-5), set("QCLOUD", i, k, j, 0), set("QNIFA", i, k, j, 0);
                set("QNWFA", i, k, j, k < hazy_layers ? i * each_step : 0);
            }
        }
    for (int i = 0; i < steps; ++i) // of the least humid air
        for (int k = 0; k < hazy_layers; ++k)
            skies.depth[std::size_t(i)] +=
                dry_mass(s, k) * i * each_step * radiation::extinction_of_carried(0, 290).water_friendly;
}

Skies skies_of_a_day() {
    Config c = test::radiated_storm("rrtmgp", {steps, hours, layers});
    c.run.start = "2005-06-21 12:00:00";
    c.physics.microphysics = "thompson-aerosol";
    c.physics.aerosol_type = radiation::carried_aerosol;
    const Patch patch = make_patch(0, 1, 1, steps, hours, layers, c.domain.boundaries);
    InitialState s = make_initial_state(c, patch);
    Skies skies;
    fill(s, skies);
    const Array3 p = test::pressure_of(s);
    Radiation radiation(c, s.scalars, patch);
    radiation.begin(0);
    radiation.advance({s.grid, s.state, p.view(), s.ground, s.physics});
    for (int i = 0; i < steps; ++i)
        for (int j = 0; j < hours; ++j)
            skies.sunlight[std::size_t(i)][std::size_t(j)] = double(s.physics.radiation.shortwave_down(i, j));
    return skies;
}

class CarriedAerosol : public radiation::WithTables {};

TEST_F(CarriedAerosol, DimsTheSunAsMuchAsIsMeasured) {
    const Skies s = skies_of_a_day();
    ASSERT_GT(s.sunlight[0][12], 900);
    for (std::size_t i = 1; i < steps; ++i)
        for (std::size_t j = 0; j < hours; ++j) {
            if (s.sunlight[0][j] <= 0) continue;
            EXPECT_LT(s.sunlight[i][j], s.sunlight[i - 1][j]) << i << " at hour " << j;
        }
    // On Lampedusa, 35.5 N, a depth of 1 takes 70.5 (smoke, industry) to 94 W m-2 (all) of the mean of this
    // day (di Sarra et al. 2008, GRL 35, L02714).
    EXPECT_NEAR(s.depth[1], 0.1, 0.01);
    for (int i = 1; i < steps; ++i) {
        const double efficiency = (s.of_day(0) - s.of_day(i)) / s.depth[std::size_t(i)];
        EXPECT_GT(efficiency, 70.5) << s.depth[std::size_t(i)];
        EXPECT_LT(efficiency, 94) << s.depth[std::size_t(i)];
    }
}

} // namespace
} // namespace squall
