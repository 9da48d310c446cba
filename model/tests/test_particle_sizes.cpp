// Which sizes radiation takes for the particles of each microphysics.
#include <gtest/gtest.h>

#include "physics/particle_sizes.hpp"
#include "physics/radiation/clouds.hpp"
#include "physics/radiation/column.hpp"
#include "physics/thompson/radii.hpp"

namespace squall {
namespace {

using namespace radiation;

ParticleSizes sizes(const std::string &scheme, const std::string &compatibility = "none") {
    Config c;
    c.physics.microphysics = scheme;
    c.run.compatibility = compatibility;
    return ParticleSizes(c);
}

/// In air of about 1.1 kg m-3, over land without snow.
Particles of(std::size_t kind, double number) { return {kind, 3e-4, 2e-4, number, 250, 8e4, 1e-3, true, 0}; }

TEST(ParticleSizes, AreThoseOfTheSchemeWhereItKnowsThem) {
    const double content = 2e-4 * 8e4 / (287 * 250);
    EXPECT_NEAR(sizes("thompson").seen(of(liquid, -1)).radius, thompson::droplet_radius(content, 1e8), 0.1);
    EXPECT_NEAR(sizes("thompson").seen(of(snow, -1)).radius, thompson::snow_radius(content, -23.15), 1);
    EXPECT_GT(sizes("thompson-aerosol").seen(of(liquid, 1e7)).radius,
              1.5 * sizes("thompson-aerosol").seen(of(liquid, 1e8)).radius);
    EXPECT_NEAR(sizes("wdm6").seen(of(liquid, 1e7)).radius / sizes("wdm6").seen(of(liquid, 8e7)).radius, 2,
                1e-6);
    EXPECT_NEAR(sizes("morrison").seen(of(snow, 1e3)).radius / sizes("morrison").seen(of(snow, 8e3)).radius,
                2, 1e-4);
    EXPECT_EQ(sizes("wsm6").seen(of(liquid, -1)).radius, drop_radius(3e-4, true));
    EXPECT_EQ(sizes("wdm6").seen(of(snow, -1)).radius, flake_radius(3e-4, 250));
}

TEST(ParticleSizes, FollowFromTemperatureWhereWrfsSchemeDoesNotTell) {
    for (const char *scheme : {"morrison", "lin"}) {
        const ParticleSizes as_wrf = sizes(scheme, "wrf");
        EXPECT_EQ(as_wrf.seen(of(liquid, -1)).radius, 14) << scheme;
        for (const std::size_t kind : {ice, snow}) {
            const SeenParticles seen = as_wrf.seen(of(kind, 1e4));
            EXPECT_NEAR(seen.radius, 88.8833 * 1.0315 / 1.5396, 1e-3) << scheme;
            EXPECT_EQ(seen.share, 1);
        }
        EXPECT_NE(sizes(scheme).seen(of(snow, 1e4)).radius, as_wrf.seen(of(snow, 1e4)).radius);
    }
}

TEST(ParticleSizes, AreTakenForFusAsInWrfAndLargeFlakesForFewer) {
    const double found = sizes("thompson").seen(of(snow, -1)).radius;
    const SeenParticles seen = sizes("thompson", "wrf").seen(of(snow, -1));
    ASSERT_GT(found, 130);
    EXPECT_NEAR(seen.radius, 130 / 1.5396, 1e-9);
    EXPECT_NEAR(seen.share, 130 * 130 / found / found, 1e-9);
    EXPECT_NEAR(sizes("thompson", "wrf").seen(of(ice, 1e4)).radius * 1.5396,
                sizes("thompson").seen(of(ice, 1e4)).radius, 1e-9);
}

} // namespace
} // namespace squall
