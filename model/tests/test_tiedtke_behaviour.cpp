// What is known of convection in the tropics, in Tiedtke's scheme; and what it must keep in any air.
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tiedtke_case.hpp"

namespace squall {
namespace {

using namespace tiedtke;
using test::air_of;
using test::Tropics;

/// The air above 1.5 km with so much of its vapour, over a sea that gives 8e-3 K m s-1 and 5.2e-5 m s-1 to
/// the lowest 500 m (BOMEX: Siebesma et al. 2003).
Tropics drier(double share) {
    Tropics c;
    for (int k = 0; k < 2; ++k) {
        c.storage.field(Tropics::warming)(0, k) = real(8e-3 / 500);
        c.storage.field(Tropics::moistening)(0, k) = real(5.2e-5 / 500);
    }
    for (int k = 6; k < c.nz; ++k) c.storage.field(Tropics::q)(0, k) *= real(share);
    return c;
}

/// Derbyshire et al. (2004, QJRMS 130, 3055): convection is lower and weaker the drier the air around it, in
/// which updraughts are diluted. Bechtold et al. (2008, QJRMS 134, 1337) have entrainment grow with dryness.
TEST(TiedtkeBehaviour, IsLowerAndRainsLessInDrierAir) {
    std::vector<double> tops, rains;
    for (const double share : {1.0, 0.95, 0.9, 0.85, 0.8, 0.7}) {
        Tropics c = drier(share);
        Air air = air_of(c);
        Cloud cloud = find_cloud(air);
        Updraught up(air.nz);
        up.rise(air, cloud);
        ASSERT_NE(cloud.kind, Kind::none) << share;
        c.convect();
        tops.push_back(double(air.z[cloud.top]));
        rains.push_back(double(c.rate[0]));
        const double heat = c.integral([&](int k) { return std::abs(c.warming_of(k)); });
        EXPECT_GT(heat, 1);
        EXPECT_NEAR(c.energy(), 0, 3e-6 * heat) << share;
        EXPECT_NEAR(c.water() * double(vaporisation), 0, 3e-6 * heat) << share;
    }
    EXPECT_TRUE(std::is_sorted(tops.rbegin(), tops.rend()));
    EXPECT_TRUE(std::is_sorted(rains.rbegin() + 2, rains.rend())) << testing::PrintToString(rains);
    for (std::size_t n = 3; n < rains.size(); ++n) EXPECT_LT(rains[n], 0.06 * rains[0]); // shallow clouds
    EXPECT_GT(tops.front(), 12000);
    EXPECT_LT(tops.back(), 6000); // congestus and shallow cumulus
}

/// Yanai, Esbensen and Chu (1973, JAS 30, 611, figure 7): in tropical cloud clusters the apparent heat source
/// is largest in the upper troposphere, near 475 hPa, the moisture sink below it, near 775 hPa.
TEST(TiedtkeBehaviour, HeatsAboveWhereItDries) {
    Tropics c;
    c.convect();
    int warmest = 0, driest = 0;
    const auto drying = [&](int k) { return -c.at(Tropics::dq, k); };
    for (int k = 4; k < c.nz; ++k) {
        if (c.at(Tropics::heating, k) > c.at(Tropics::heating, warmest)) warmest = k;
        if (drying(k) > drying(driest)) driest = k;
    }
    EXPECT_LT(c.at(Tropics::p, warmest), c.at(Tropics::p, driest));
    EXPECT_NEAR(c.at(Tropics::p, warmest), 47500, 15000);
    EXPECT_NEAR(c.at(Tropics::p, driest), 77500, 15000);
}

/// What is left in the air is ice where it is cold, drops where it is warm.
TEST(TiedtkeBehaviour, LeavesIceAloftAndDropsBelow) {
    Tropics c;
    c.convect();
    for (int k = 0; k < c.nz; ++k) {
        if (c.at(Tropics::t, k) > 274) {
            EXPECT_EQ(c.at(Tropics::di, k), 0) << k;
        }
        if (c.at(Tropics::t, k) < 235) {
            EXPECT_EQ(c.at(Tropics::dc, k), 0) << k;
        }
    }
    EXPECT_GT(c.integral([&](int k) { return c.at(Tropics::di, k); }), 0);
}

/// Of air of any humidity and stability, over warm ground and cold, rising and sinking, in cells of any size:
/// energy with latent and kinetic, water, momentum, and no more rain than vapour.
TEST(TiedtkeBehaviour, KeepsEnergyWaterAndMomentumInAnyAir) {
    std::mt19937 random(7);
    const auto from = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    int convecting = 0, dry = 0, raining = 0;
    for (int n = 0; n < 400; ++n) {
        Tropics c(1, from(0.6, 1.0), from(-0.3, 0.6));
        c.spacing[0] = real(std::exp(from(std::log(1e3), std::log(5e4))));
        c.heat[0] = real(from(-20, 400)), c.vapour[0] = real(from(-1e-5, 2e-4));
        const double share = from(0.6, 1.2); // of the vapour above the boundary layer
        for (int k = 0; k < c.nz; ++k) {
            if (k >= 6) c.storage.field(Tropics::q)(0, k) *= real(std::min(share, 1.0));
            c.storage.field(Tropics::w)(0, k) = real(from(-0.05, 0.1));
            c.storage.field(Tropics::t)(0, k) += real(from(-0.1, 0.1));
            c.storage.field(Tropics::q)(0, k) *= real(from(0.95, 1.03));
            c.storage.field(Tropics::u)(0, k) += real(from(-5, 5));
        }
        c.convect();
        const double heat = c.integral([&](int k) { return std::abs(c.warming_of(k)); });
        dry += heat == 0, convecting += heat > 0, raining += c.rate[0] > 0;
        EXPECT_GE(c.rate[0], 0);
        EXPECT_NEAR(c.energy(), 0, 3e-6 * heat + 1e-4) << n;
        EXPECT_NEAR(c.water() * double(vaporisation), 0, 3e-6 * heat + 1e-4) << n;
        const double stress = c.integral([&](int k) { return std::abs(c.at(Tropics::du, k)); });
        EXPECT_NEAR(c.integral([&](int k) { return c.at(Tropics::du, k); }), 0, 1e-4 * stress + 1e-9) << n;
        for (int k = 0; k < c.nz; ++k) {
            EXPECT_GE(c.at(Tropics::dc, k), 0);
            EXPECT_GE(c.at(Tropics::di, k), 0);
        }
    }
    EXPECT_GT(convecting, 100);
    EXPECT_GT(dry, 20);
    EXPECT_GT(raining, 50);
}

} // namespace
} // namespace squall
