// How large particles are to radiation: rules by content and temperature, and sizes beyond the tables'.
#include <vector>

#include "physics/radiation/clouds.hpp"
#include "radiation_case.hpp"

namespace squall::radiation {
namespace {

TEST(CloudSizes, OfCrystalsByTemperatureAreThoseOfTheTableAndLinearBetween) {
    EXPECT_NEAR(crystal_radius_at(180), 5.92779, 1e-9);
    EXPECT_NEAR(crystal_radius_at(150), 5.92779, 1e-9) << "the smallest";
    EXPECT_NEAR(crystal_radius_at(250), 88.8833, 1e-9);
    EXPECT_NEAR(crystal_radius_at(250.5), (88.8833 + 93.6658) / 2, 1e-9);
    EXPECT_NEAR(crystal_radius_at(280), 250.639, 1e-9) << "the largest";
}

TEST(CloudSizes, OfDropsByTemperatureGrowWithColdAndSnowOnLandAlone) {
    EXPECT_EQ(drop_radius_at(290, true, 0), 8);
    EXPECT_NEAR(drop_radius_at(263.15, true, 0), 11, 1e-9);
    EXPECT_EQ(drop_radius_at(240, true, 0), 14);
    EXPECT_NEAR(drop_radius_at(290, true, 50), 11, 1e-9);
    EXPECT_EQ(drop_radius_at(290, false, 0), 14);
}

TEST(CloudSizes, OfCountedDropsGiveTheirContent) {
    constexpr double number = 1e8, breadth = 0.8; // r_v^3 = breadth r^3
    const double r = counted_drop_radius(3e-4, number, breadth) * 1e-6;
    EXPECT_NEAR(4 * 3.14159265 / 3 * 1000 * number * breadth * r * r * r, 3e-4, 1e-10);
}

class SizesBeyondTheTables : public WithTables {};

TEST_F(SizesBeyondTheTables, AreSeenByTheirCrossSection) {
    const CloudTables &tables = tables_here()->clouds_shortwave;
    const auto optics = [&](double radius) {
        Layer layer{};
        layer.cloud[snow] = {100, radius};
        std::vector<CloudOptics> bands(14);
        tables.set(layer, false, bands.data());
        return bands;
    };
    const auto at_most = optics(90), twice = optics(180), four_times = optics(360);
    for (std::size_t b = 0; b < at_most.size(); ++b) {
        ASSERT_GT(at_most[b].scattered, 0);
        EXPECT_NEAR(twice[b].scattered / at_most[b].scattered, 0.5, 1e-5) << b;
        EXPECT_NEAR(four_times[b].absorbed, 0.25 * at_most[b].absorbed, 1e-5 * at_most[b].scattered) << b;
    }
}

} // namespace
} // namespace squall::radiation
