// Water in the soil of Noah-MP and below it, against numbers of WRF 4.7.1's own subroutines.
#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "noah_mp_case.hpp"
#include "physics/noah_mp/soil_water.hpp"
#include "physics/noah_mp/stomata.hpp"

namespace squall {
namespace {

using namespace noah_mp;
using test::place;
using test::usgs_grassland;

struct Soaked {
    const char *name;
    bool groundwater = true, koren = false, frozen = false, high_table = false;
    std::array<double, 4> liquid; ///< [m3 m-3]
    double table, aquifer, all;   ///< [m], [kg m-2]
    double surface, base;         ///< runoff [kg m-2]
};

// clang-format off
const Soaked days[] = {
    {.name = "an_aquifer",
     .liquid = {0.393645, 0.383016, 0.370463, 0.356131},
     .table = 2.49127, .aquifer = 4901.7456, .all = 4901.7456, .surface = 3.69480, .base = 0.09744},
    {.name = "an_aquifer_under_frost", .frozen = true,
     .liquid = {0.247595, 0.310369, 0.369027, 0.380353},
     .table = 2.44912, .aquifer = 4910.1763, .all = 4910.1763, .surface = 8.23761, .base = 0.16024},
    {.name = "an_aquifer_under_frost_as_koren", .koren = true, .frozen = true,
     .liquid = {0.289000, 0.359000, 0.380551, 0.361953},
     .table = 2.48490, .aquifer = 4903.0205, .all = 4903.0205, .surface = 8.20976, .base = 0.10280},
    {.name = "a_table_within_the_soil", .koren = true, .high_table = true,
     .liquid = {0.398752, 0.392949, 0.399431, 0.438684},
     .table = 1.72273, .aquifer = 5000, .all = 5121.7212, .surface = 6.97093, .base = 1.14292},
    {.name = "frost_that_drains", .groundwater = false, .frozen = true,
     .liquid = {0.235537, 0.301461, 0.359789, 0.378010},
     .table = 2.5, .aquifer = 4900, .all = 4900, .surface = 28.12619, .base = 2.21550},
    {.name = "frost_that_drains_as_koren", .groundwater = false, .koren = true, .frozen = true,
     .liquid = {0.289000, 0.359000, 0.359756, 0.356145},
     .table = 2.5, .aquifer = 4900, .all = 4900, .surface = 28.15401, .base = 1.46582},
};
// clang-format on

/// A day of loam in steps of ten minutes with showers, evaporation and roots: what WRF 4.7.1's Noah-MP makes
/// of it (its subroutines SOILWATER and GROUNDWATER, opt_run 1 and 3, opt_inf 1 and 2).
class NoahMpWater : public testing::TestWithParam<Soaked> {};

TEST_P(NoahMpWater, MovesAndRunsOffAsInWrf) {
    const Soaked &w = GetParam();
    Site site = place(usgs_grassland);
    site.soil = noah::soil(6);
    site.options.groundwater = w.groundwater, site.options.koren = w.koren;
    Column c{};
    c.below = {real(2.5), 4900, 4900};
    c.liquid = {real(0.25), real(0.30), real(0.32), real(0.35)};
    if (w.high_table) {
        c.below = {real(1.8), 5000, real(5087.8)};
        c.liquid[2] = real(0.38), c.liquid[3] = real(0.42);
    }
    const Layers ice = w.frozen ? Layers{real(0.15), real(0.08), real(0.02), 0} : Layers{};
    for (std::size_t k = 0; k < 4; ++k) c.moisture[k] = c.liquid[k] + ice[k];
    double surface = 0, base = 0;
    for (int n = 1; n <= 144; ++n) {
        const SoilFluxes f{
            n % 12 < 3 ? real(4e-6) : real(0), real(2e-8), {real(1e-8), real(1e-8), real(1e-8), real(1e-8)}};
        const Runoff off = move_water(site, f, ice, 600, c);
        surface += 600 * double(off.surface), base += 600 * double(off.base);
    }
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(c.liquid[k], w.liquid[k], 2e-5) << k;
    EXPECT_NEAR(c.below.depth, w.table, 2e-4);
    EXPECT_NEAR(c.below.aquifer, w.aquifer, 0.03);
    EXPECT_NEAR(c.below.all, w.all, 0.03);
    EXPECT_NEAR(surface, w.surface, 2e-3 * w.surface);
    EXPECT_NEAR(base, w.base, 2e-3 * w.base);
}

INSTANTIATE_TEST_SUITE_P(Of, NoahMpWater, testing::ValuesIn(days),
                         [](const auto &test) { return std::string(test.param.name); });

struct Met {
    double liquid, potential, ssib;
};

TEST(NoahMpRoots, LackWaterByItsPotentialAsInWrf) { // opt_btr 2 and 3
    using Stress = LandOptions::Stress;
    const noah::Soil loam = noah::soil(6);
    for (const Met &met : {Met{0.1, 0, 0},
                           {0.14, 0.0453265756, 0.235387981},
                           {0.15, 0.336139858, 0.906446338},
                           {0.2, 0.855243564, 0.999985337}}) {
        EXPECT_NEAR(met_by_soil(Stress::potential, loam, real(met.liquid)), met.potential, 1e-5)
            << met.liquid;
        EXPECT_NEAR(met_by_soil(Stress::ssib, loam, real(met.liquid)), met.ssib, 2e-5) << met.liquid;
    }
}

} // namespace
} // namespace squall
