// Sunlight on slopes and in the shadow of terrain, against closed forms; shadows reach across patches, with
// the same bits on any ranks.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../relief_case.hpp"

namespace squall {
namespace {

using radiation::Direction;
using test::degree;
using test::Relief;
using test::sun_in;

/// Of the beam on a plane that faces the sun, on one inclined by `slope` downward towards `aspect` (clockwise
/// from north): equation 5 of Garnier and Ohmura (1968), as it is printed, in degrees.
double garnier_and_ohmura(double latitude, double hour, double declination, double slope, double aspect) {
    const double phi = latitude * degree, h = hour * degree, d = declination * degree, z = slope * degree,
                 a = aspect * degree;
    return ((std::sin(phi) * std::cos(h)) * (-std::cos(a) * std::sin(z)) -
            std::sin(h) * (std::sin(a) * std::sin(z)) + (std::cos(phi) * std::cos(h)) * std::cos(z)) *
               std::cos(d) +
           (std::cos(phi) * (std::cos(a) * std::sin(z)) + std::sin(phi) * std::cos(z)) * std::sin(d);
}

TEST(SunlitGround, OnAPlaneIsGarnierAndOhmuras) {
    const double turned = 25 * degree, metric = 1.2; // the grid's north against the Earth's; its map factor
    for (const double latitude : {-35.0, 10.0, 62.0})
        for (const double hour : {-60.0, -10.0, 45.0})
            for (const double declination : {-20.0, 5.0, 23.0})
                for (const double slope : {3.0, 20.0, 45.0})
                    for (const double aspect : {0.0, 75.0, 180.0, 310.0}) {
                        const radiation::Sun sun{declination * degree, hour * degree, 1361};
                        const Direction to_sun = sun.direction(latitude, 0);
                        if (to_sun.up < 0.05) continue;
                        EXPECT_NEAR(to_sun.up, sun.cosine(latitude, 0), 1e-15);
                        EXPECT_NEAR(std::hypot(to_sun.up, std::hypot(to_sun.east, to_sun.north)), 1, 1e-12);
                        const double east = -std::tan(slope * degree) * std::sin(aspect * degree),
                                     north = -std::tan(slope * degree) * std::cos(aspect * degree);
                        const double x = (east * std::cos(turned) + north * std::sin(turned)) * 500 / metric,
                                     y = (north * std::cos(turned) - east * std::sin(turned)) * 400 / metric;
                        Relief plane(7, 6, Boundary::open, [&](int i, int j) { return x * i + y * j; });
                        plane.config.physics.topographic_shading = false;
                        Grid &g = plane.grid;
                        for (Array2 *a : {&g.msftx, &g.msfty}) a->fill(real(metric));
                        g.sina.fill(real(std::sin(turned))), g.cosa.fill(real(std::cos(turned)));
                        const double takes = garnier_and_ohmura(latitude, hour, declination, slope, aspect);
                        const double of_slope = std::max(takes, 0.0) / to_sun.up;
                        const SunlitGround ground = plane.sunlit();
                        plane.config.run.compatibility = "wrf";
                        const SunlitGround as_wrf = plane.sunlit();
                        for (const int i : {0, 3, 6})
                            for (const int j : {0, 2, 5}) { // sides, where only one neighbour is known, too
                                EXPECT_NEAR(ground.share(i, j, to_sun), of_slope / std::cos(slope * degree),
                                            2e-5);
                                EXPECT_NEAR(as_wrf.share(i, j, to_sun), of_slope, 2e-5);
                            }
                    }
}

TEST(SunlitGround, OfAllTerrainTakesWhatTheSunSends) {
    const auto hills = [](int i, int j) {
        return 150 * std::sin(i * std::numbers::pi / 8) * std::cos(j * std::numbers::pi / 6);
    };
    const Relief relief(32, 24, Boundary::periodic, hills);
    const SunlitGround ground = relief.sunlit();
    for (const double azimuth : {10.0, 135.0, 250.0}) {
        double sum = 0, least = 2;
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 32; ++i) {
                const double share = ground.share(i, j, sun_in(azimuth, 40));
                sum += share, least = std::min(least, share);
            }
        EXPECT_NEAR(sum / (32 * 24), 1, 1e-12); // everywhere lit: rises cancel
        EXPECT_LT(least, 0.9);
    }
}

/// A ridge `high` at column 30 of a plain of 60 x 9 cells.
SunlitGround ridge(double high, double length = 25e3) {
    static std::vector<std::unique_ptr<Relief>> kept; // what SunlitGround refers to
    kept.push_back(
        std::make_unique<Relief>(60, 9, Boundary::open, [=](int i, int) { return i == 30 ? high : 0; }));
    kept.back()->config.physics.shadow_length = length;
    return kept.back()->sunlit();
}

TEST(SunlitGround, LiesInTheShadowOfARidgeAsFarAsItsHeightReaches) {
    const double high = 800;
    const SunlitGround ground = ridge(high);
    for (const double azimuth : {90.0, 70.0, 120.0}) // the ridge is met after so much more way
        for (const double elevation : {5.0, 12.0, 30.0}) {
            const double slant = 1 / std::sin(azimuth * degree);
            for (int i = 0; i < 60; ++i) {
                const double way = (30 - i) * 500 * slant, aside = way * std::cos(azimuth * degree) / 400;
                if (std::abs(aside) > 4) continue; // it leaves the domain first
                const double ray = way * std::tan(elevation * degree) + way * way / (2 * 6.37e6);
                if (std::abs(ray - high) < 1) continue;
                EXPECT_EQ(ground.in_shadow(i, 4, sun_in(azimuth, elevation)), i < 30 && ray < high)
                    << azimuth << ' ' << elevation << ' ' << i;
                if (i < 29) {
                    EXPECT_EQ(ground.share(i, 4, sun_in(azimuth, elevation)), ray < high ? 0.0 : 1.0);
                }
            }
        }
    EXPECT_FALSE(ground.in_shadow(29, 4, sun_in(270, 5))); // behind it
    EXPECT_FALSE(ground.in_shadow(10, 4, sun_in(90, 90)));
}

TEST(SunlitGround, SeesNoFurtherThanItIsTold) {
    const SunlitGround ground = ridge(3000, 5e3);
    EXPECT_TRUE(ground.in_shadow(20, 4, sun_in(90, 5)));
    EXPECT_FALSE(ground.in_shadow(19, 4, sun_in(90, 5)));
}

TEST(SunlitGround, AValleyLiesInShadowUntilTheSunIsOverItsSide) {
    const auto valley = [](int i, int) { return 1000 * std::abs(std::cos(i * std::numbers::pi / 20)); };
    const Relief relief(40, 12, Boundary::periodic, valley); // bottoms at 10 and 30, 5 km below the crests
    const SunlitGround ground = relief.sunlit();
    const double over = std::atan2(1000, 10 * 500.0) / degree;
    for (const double east_or_west : {90.0, 270.0}) {
        EXPECT_TRUE(ground.in_shadow(30, 5, sun_in(east_or_west, 0.9 * over)));
        EXPECT_FALSE(ground.in_shadow(20, 5, sun_in(east_or_west, 1.0)));
        EXPECT_FALSE(ground.in_shadow(30, 5, sun_in(east_or_west, 1.7 * over)));
        EXPECT_FALSE(ground.in_shadow(30, 5, sun_in(0, 3))); // along it
    }
    EXPECT_TRUE(ground.in_shadow(10, 5, sun_in(270, 0.9 * over))); // by the crest on the other side
}

TEST(SunlitGround, APlaneShadesItselfWhereItTakesNoBeam) {
    const Relief relief(30, 30, Boundary::open, [](int i, int j) { return 90.0 * i + 50.0 * j; });
    const SunlitGround ground = relief.sunlit();
    Relief lit = Relief(30, 30, Boundary::open, [](int i, int j) { return 90.0 * i + 50.0 * j; });
    lit.config.physics.topographic_shading = false;
    const SunlitGround unshaded = lit.sunlit();
    for (double azimuth = 2; azimuth < 360; azimuth += 5)
        for (const double elevation : {4.0, 9.0, 13.0})
            EXPECT_EQ(ground.in_shadow(15, 15, sun_in(azimuth, elevation)),
                      unshaded.share(15, 15, sun_in(azimuth, elevation)) <= 0)
                << azimuth << ' ' << elevation;
}

TEST(SunlitGroundOnRanks, HasTheBitsOfOneRank) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int nx = 23, ny = 19;
    const auto [px, py] = choose_process_grid(ranks, nx, ny);
    for (const Boundary sides : {Boundary::periodic, Boundary::open}) {
        const Relief whole(nx, ny, sides, test::rough), part(nx, ny, sides, test::rough, rank, px, py);
        const SunlitGround all = whole.sunlit(), mine = part.sunlit(MPI_COMM_WORLD);
        int shaded = 0, different = 0;
        for (double azimuth = 1; azimuth < 360; azimuth += 13)
            for (const double elevation : {2.0, 8.0, 20.0, 50.0})
                for (int j = 0; j < part.patch.shape.ny; ++j)
                    for (int i = 0; i < part.patch.shape.nx; ++i) {
                        const auto sun = sun_in(azimuth, elevation);
                        different +=
                            mine.share(i, j, sun) != all.share(part.patch.x0 + i, part.patch.y0 + j, sun);
                        shaded += mine.in_shadow(i, j, sun);
                    }
        EXPECT_EQ(different, 0);
        EXPECT_GT(shaded, 100);
    }
}

} // namespace
} // namespace squall
