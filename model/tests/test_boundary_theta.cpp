// Which potential temperature a boundary file holds by its header, and that the run gets the one that it
// integrates.
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

#include "boundary/boundary_theta.hpp"
#include "boundary_case.hpp"

namespace squall {
namespace {

using testing_support::BegunBoundary;
using testing_support::BoundaryCase;
using testing_support::FakeBoundary;

constexpr const char *wrf_4 = " OUTPUT FROM REAL_EM V4.7.1 PREPROCESSOR";
constexpr const char *wrf_39 = " OUTPUT FROM REAL_EM V3.9.1.1 PREPROCESSOR";
constexpr const char *older_squall = " OUTPUT FROM SQUALL PREPARE, LIKE REAL_EM V4.7";
constexpr const char *either_kind =
    "bdy either 1) pert moist pot temp=(1+Rv/Rd Qv)*(theta)-T0, or 2) pert dry";

class BoundaryThetaTest : public testing::Test {
  protected:
    ~BoundaryThetaTest() override { std::remove(path().c_str()); }
    static std::string path() {
        return testing::TempDir() + "theta_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    }
    FakeBoundary headed(const char *title, int use_theta_m, const char *description = "") const {
        FakeBoundary file = c.file();
        if (*title) file.texts["TITLE"] = title;
        if (use_theta_m >= 0) file.numbers["USE_THETA_M"] = use_theta_m;
        file.description_of_theta = description;
        return file;
    }
    BoundaryTheta told(const FakeBoundary &file) const {
        const Config config = c.config(file.write(path()));
        return theta_of(BoundaryFile(config), config);
    }

    BoundaryCase c;
};

TEST_F(BoundaryThetaTest, TheHeaderTellsByVersionAndAttribute) {
    EXPECT_TRUE(told(headed(wrf_4, 1)).moist);
    EXPECT_FALSE(told(headed(wrf_4, 0)).moist);
    EXPECT_TRUE(told(headed(" OUTPUT FROM NDOWN_EM V4.0 PREPROCESSOR", 1)).moist);
    EXPECT_FALSE(told(headed(wrf_39, 1)).moist) << "converted by WRF 3 as it read it";
    EXPECT_FALSE(told(headed(" OUTPUT FROM REAL_EM V3.3 PREPROCESSOR", -1)).moist);
    for (const char *title : {wrf_4, wrf_39}) EXPECT_EQ(told(headed(title, 1)).note, "");
}

TEST_F(BoundaryThetaTest, WhatAVariableIsSaidToBeTellsWhereTheTitleIsLost) {
    EXPECT_TRUE(told(headed("", 1, either_kind)).moist);
    EXPECT_FALSE(told(headed("", 0, either_kind)).moist);
    EXPECT_FALSE(told(headed("", 1, "bdy perturbation potential temperature theta-t0")).moist);
}

TEST_F(BoundaryThetaTest, WithoutAWordItIsOfDryAirAndTheUserIsTold) {
    const BoundaryTheta theta = told(headed("", -1));
    EXPECT_FALSE(theta.moist);
    EXPECT_NE(theta.note.find("no header names"), std::string::npos) << theta.note;
}

TEST_F(BoundaryThetaTest, AnOlderSquallWroteDryThetaUnderAHeaderOfWrf4) {
    const BoundaryTheta theta =
        told(headed(older_squall, 1, "bdy perturbation potential temperature theta-t0"));
    EXPECT_FALSE(theta.moist);
    EXPECT_NE(theta.note.find("run `squall prepare` again"), std::string::npos) << theta.note;
    EXPECT_TRUE(told(headed(older_squall, 1, either_kind)).moist) << "as Squall writes it now";
    EXPECT_EQ(told(headed(older_squall, 1, either_kind)).note, "");
    EXPECT_EQ(told(headed(older_squall, 0)).note, "") << "a run of dry theta was right";
}

TEST_F(BoundaryThetaTest, MoistThetaIsTakenAsItIsOrDriedAtBothEndsOfARecord) {
    FakeBoundary file = headed(wrf_4, 1);
    file.variables["T"].tendency = [](int, int, int, int) { return 20.0; };
    file.variables["QVAPOR"].tendency = [](int, int, int, int) { return 0.02; };
    const Patch p = c.patch();
    for (const bool moist : {true, false})
        for (const double step : {1e-3, 3600.0}) {
            Config config = c.config(file.write(path()));
            config.dynamics.moist_theta = moist;
            config.run.time_step = step;
            const BegunBoundary b(c, config, p);
            State s(p.shape, 3);
            b.boundary.impose(Chain(BoundaryCase::whole(p)), s);
            for (int k = 0; k < c.nz; ++k) {
                const double mass = c.mass(k, 0, 4);
                const double theta = BoundaryCase::theta(k, 0, 4) + step * 20 / mass;
                const double q = BoundaryCase::vapour(k, 0, 4) + step * 0.02 / mass;
                const double wanted = moist ? theta : (theta + 300) / (1 + 461.6 / 287 * q) - 300;
                EXPECT_NEAR(s.theta(4, k, 0), wanted, 3e-4) << moist << step;
            }
        }
}

} // namespace
} // namespace squall
