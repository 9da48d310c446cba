// Hills within cells: factors of the drag by their height and the terrain's form, and what YSU makes of them.
#include <cmath>

#include <gtest/gtest.h>

#include "physics/terrain_wind.hpp"
#include "turbulent_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;
using test::Turbulent;

/// A row of cells on a plain, but for one that is higher; hills of `deviation` in each.
struct Summit {
    Patch patch = make_patch(0, 1, 1, 5, 5, 4, {});
    Grid grid;
    Ground ground{Shape{5, 5, 4}};

    Summit(const std::string &scheme, double height, double deviation, bool land = true) {
        grid.shape = patch.shape;
        grid.terrain = Array2(patch.shape);
        grid.terrain(2, 2) = real(height);
        ground.terrain_wind = TerrainWind(patch.shape);
        ground.land.fill(land ? 1 : 0);
        ground.terrain_wind.hills.fill(real(scheme == "mass-ovens" ? deviation : deviation * deviation));
        PhysicsConfig config;
        config.terrain_wind = scheme;
        set_terrain_wind(config, patch, grid, ground);
    }
    double drag(int i = 2, int j = 2) const { return double(ground.terrain_wind.drag(i, j)); }
    double shelter(int i = 2, int j = 2) const { return double(ground.terrain_wind.shelter(i, j)); }
};

TEST(TerrainWind, DragGrowsWithTheLogarithmOfTheHills) {
    EXPECT_NEAR(Summit("jimenez-dudhia", 0, 100).drag(), std::log(100.0), 1e-5);
    EXPECT_EQ(Summit("jimenez-dudhia", 0, 2.7).drag(), 1);
    EXPECT_EQ(Summit("jimenez-dudhia", 0, 100, false).drag(), 1); // at sea
    EXPECT_EQ(Summit("jimenez-dudhia", 0, 100).shelter(), 1);
}

TEST(TerrainWind, SummitsHaveLessDragAndTheWindOfTheLowestLayer) {
    const double hills = std::log(100.0); // the Laplacian of a single summit is its height, negative
    EXPECT_NEAR(Summit("jimenez-dudhia", 9, 100).drag(), hills, 1e-5);
    EXPECT_NEAR(Summit("jimenez-dudhia", 15, 100).drag(), 0.5 * hills + 0.5, 1e-5);
    EXPECT_EQ(Summit("jimenez-dudhia", 15, 100).shelter(), 1);
    EXPECT_NEAR(Summit("jimenez-dudhia", 25, 100).drag(), 0.5, 1e-5);
    EXPECT_NEAR(Summit("jimenez-dudhia", 25, 100).shelter(), 0.5, 1e-5);
    EXPECT_EQ(Summit("jimenez-dudhia", 40, 100).drag(), 0);
    EXPECT_EQ(Summit("jimenez-dudhia", 40, 100).shelter(), 0);
    EXPECT_NEAR(Summit("jimenez-dudhia", 40, 100).drag(1, 2), hills, 1e-5); // beside it
}

TEST(TerrainWind, OfMassAndOvensGrowsWithTheHillsUpTo200m) {
    EXPECT_NEAR(Summit("mass-ovens", 40, 100).drag(), 1.375 * 1.375, 1e-5);
    EXPECT_NEAR(Summit("mass-ovens", 0, 500).drag(), 1.575 * 1.575, 1e-5);
    EXPECT_EQ(Summit("mass-ovens", 0, 100, false).drag(), 1);
    EXPECT_EQ(Summit("mass-ovens", 40, 100).shelter(), 1);
}

/// What a column's wind is with a factor, over a ground of some temperature.
struct Column : Turbulent {
    Column(double skin, real drag, real shelter = 1) : Turbulent(SurfaceCase(), "ysu") {
        c.set(SurfaceCase::skin, skin);
        for (int n = 0; n < 5; ++n) find_fluxes();
        found_u10 = double(c.at(SurfaceCase::u10));
        const SurfaceColumns s = c.surface();
        TurbulentColumns columns = c.columns(s);
        columns.terrain_drag = &drag;
        columns.shelter = &shelter;
        scheme->mix(columns);
    }
    double found_u10;
    double stress() { return -c.integral(SurfaceCase::du); }
};

TEST(TerrainWind, DragActsInFullOnCalmAirAndNotOnAirThatConvects) {
    const double calm = Column(294, 1).stress(), with_hills = Column(294, 3).stress();
    EXPECT_GT(with_hills / calm, 2.5); // a little less than 3: the wind is less, too
    EXPECT_LT(with_hills / calm, 3);
    EXPECT_LT(Column(294, 0).stress(), 1e-3 * calm);
    EXPECT_NEAR(Column(315, 3).stress() / Column(315, 1).stress(), 1, 1e-5);
}

TEST(TerrainWind, WindAt10mIsThatOfTheLowestLayerOnSummits) {
    const Column open(294, 0, 0), half(294, 1, real(0.5));
    EXPECT_EQ(open.c.at(SurfaceCase::u10), 8);
    EXPECT_NEAR(double(half.c.at(SurfaceCase::u10)), 0.5 * half.found_u10 + 4, 1e-5);
}

} // namespace
} // namespace squall
