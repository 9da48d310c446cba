// wrfinput files of moist air: water, and which of the two potential temperatures is whose.
#include <cmath>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "input_file_test.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

class MoistInput : public testing_support::InputFileTest {
  protected:
    /// Theta dry (T) and moist (THM) of the file below, on every level: 300 + 5 k and more.
    static constexpr double qv = 0.01;
    static FakeInput moist_input() {
        FakeInput f;
        f.numbers["USE_THETA_M"] = 1;
        f.volume("T", [](int k, int, int) { return 5.0 * k; });
        f.volume("THM", [](int k, int, int) { return (300 + 5.0 * k) * (1 + 461.6 / 287 * qv) - 300; });
        f.volume("QVAPOR", [](int, int, int) { return qv; });
        return f;
    }
    InitialState read_moist(const FakeInput &input, bool moist_theta = true,
                            const std::string &microphysics = "kessler") const {
        Config c = config_for(input.write(path()));
        c.physics.microphysics = microphysics;
        c.dynamics.moist_theta = moist_theta;
        return make_initial_state(c, whole());
    }
};

TEST_F(MoistInput, WaterIsRead) {
    FakeInput input = moist_input();
    input.volume("QRAIN", [](int k, int j, int i) { return 1e-4 * (k + 0.1 * j + 0.01 * i); });
    const InitialState s = read_moist(input);
    ASSERT_EQ(s.state.scalars.size(), 3u);
    EXPECT_EQ(s.state.scalars[s.scalars.vapour](3, 2, 1), float(qv));
    EXPECT_EQ(s.state.scalars[s.scalars.rain](3, 2, 1), float(1e-4 * (2 + 0.1 + 0.03)));
    EXPECT_EQ(s.state.scalars[s.scalars.cloud](3, 2, 1), 0) << "what the file lacks is zero";
    EXPECT_EQ(s.physics.rain(3, 1), 0);
}

TEST_F(MoistInput, NucleiAreTheRunsWhateverTheFileHasAndDropletsTheFiles) {
    FakeInput input = moist_input();
    for (const char *name : {"QNCCN", "QNCLOUD"}) input.volume(name, [](int, int, int) { return 2e6; });
    const InitialState s = read_moist(input, true, "wdm6");
    EXPECT_EQ(s.state.scalars[s.scalars.nuclei](3, 2, 1), real(1e8));
    EXPECT_EQ(s.state.scalars[s.scalars.droplet_number](3, 2, 1), real(2e6));
    EXPECT_EQ(s.state.scalars[s.scalars.rain_number](3, 2, 1), 0);
}

TEST_F(MoistInput, AerosolFromTheGroundIsTheFilesWhereItHasAerosolInTheAir) {
    FakeInput input = moist_input();
    EXPECT_EQ(read_moist(input, true, "thompson-aerosol").ground.aerosol_source(1, 2), -1) << "as usual";
    input.volume("QNWFA", [](int, int, int i) { return i == 1 ? 3e8 : 0.0; });
    input.plane("QNWFA2D", [](int, int, int) { return 1234.0; });
    const InitialState s = read_moist(input, true, "thompson-aerosol");
    EXPECT_EQ(s.ground.aerosol_source(1, 2), 1234);
    EXPECT_EQ(s.ground.aerosol_source(0, 2), -1);
    EXPECT_EQ(read_moist(input).ground.aerosol_source.bytes(), 0u);
}

TEST_F(MoistInput, ThetaIsWhatTheRunIntegratesWhateverTheFileHolds) {
    const float dry = 10, moist = float(310 * (1 + 461.6 / 287 * qv) - 300);
    EXPECT_EQ(read_moist(moist_input()).state.theta(1, 2, 1), moist) << "THM as it is";
    EXPECT_EQ(read_moist(moist_input(), false).state.theta(1, 2, 1), dry);
    FakeInput made_dry = moist_input();
    made_dry.numbers["USE_THETA_M"] = 0;
    made_dry.variables["THM"] = made_dry.variables["T"];
    EXPECT_NEAR(read_moist(made_dry).state.theta(1, 2, 1), moist, 3e-5);
    EXPECT_EQ(read_moist(made_dry, false).state.theta(1, 2, 1), dry);
    made_dry.variables.erase("THM");
    EXPECT_NEAR(read_moist(made_dry).state.theta(1, 2, 1), moist, 3e-5) << "files before WRF 4";
}

TEST_F(MoistInput, WhereProgramsOfWrfChangedThmAloneTIsOfBefore) {
    FakeInput input = moist_input(); // as of ndown, which balances THM and leaves T
    input.volume("T", [](int k, int, int) { return 5.0 * k + (k == 1 ? 3 : 0); });
    EXPECT_NEAR(read_moist(input, false).state.theta(1, 1, 1), 5, 5e-5);
    EXPECT_EQ(read_moist(input, false).state.theta(1, 2, 1), 10);
    input.numbers["USE_THETA_M"] = 0;
    input.volume("THM", [](int k, int, int) { return 5.0 * k; });
    EXPECT_EQ(read_moist(input, false).state.theta(1, 1, 1), 5);
    EXPECT_NEAR(read_moist(input).state.theta(1, 1, 1), 305 * (1 + 461.6 / 287 * qv) - 300, 5e-5);
}

TEST_F(MoistInput, MissingVapourIsRefusedUnlessTheFileWasMadeDry) {
    FakeInput input;
    EXPECT_THROW(read_moist(input), std::runtime_error);
    input.numbers["MP_PHYSICS"] = 0;
    EXPECT_EQ(read_moist(input).state.scalars[0](2, 2, 2), 0);
}

TEST_F(MoistInput, ADryRunFromMoistAirIsRefused) {
    EXPECT_SAYS(complaint(moist_input()), "set physics.microphysics = \"vapour\"");
}

TEST_F(MoistInput, MixingRatiosThatCannotBeAreRefusedAndRoundingIsCleared) {
    FakeInput input = moist_input();
    input.volume("QCLOUD", [](int, int, int) { return -1e-9; });
    EXPECT_EQ(read_moist(input).state.scalars[1](2, 2, 2), 0);
    for (double impossible : {-0.01, 14.0}) {
        input.volume("QVAPOR", [=](int k, int, int) { return k == 1 ? impossible : qv; });
        try {
            read_moist(input);
            FAIL() << impossible;
        } catch (const std::runtime_error &e) {
            EXPECT_SAYS(std::string(e.what()), "QVAPOR is ");
            EXPECT_SAYS(std::string(e.what()), "at 0-based index (1, 0, 0): it must be from -1e-06 to 0.5");
        }
    }
}

} // namespace
} // namespace squall
