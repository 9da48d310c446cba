/// What a cell-step costs by its schemes, held to what can be added up by hand.

#include <fstream>

#include <gtest/gtest.h>

#include "physics_cost.hpp"

namespace squall::planner {
namespace {

SchemeCosts known() {
    SchemeCosts costs;
    costs.schemes["microphysics"] = {{"none", -0.3}, {"kessler", 0.2}, {"wsm6", 0.7}};
    costs.schemes["diffusion"] = {{"tke", 0.25}, {"smagorinsky-2d", 0.05}};
    costs.schemes["radiation"] = {{"rrtmgp", 12}};
    costs.schemes["cumulus"] = {{"tiedtke", 0.6}};
    costs.calibrated = {{"microphysics", "kessler"}, {"diffusion", "tke"}};
    costs.acoustic_substeps = 6, costs.acoustic_substep = 0.02, costs.tracer = 0.1, costs.initial_file = 0.4;
    return costs;
}

/// As calibrated.
Config a_storm() {
    Config config;
    config.run.time_step = 12, config.run.acoustic_substeps = 6, config.domain.dx = 2000;
    config.physics.microphysics = "kessler", config.diffusion.scheme = "tke";
    return config;
}

double factor(const Config &config) { return cell_step_cost(known(), config).factor; }

TEST(CellStepCost, IsOneOfTheCaseThatIsCalibratedWith) { EXPECT_NEAR(factor(a_storm()), 1, 1e-12); }

TEST(CellStepCost, IsWhatSchemesSubstepsAndTracersTakeMore) {
    Config config = a_storm();
    config.physics.microphysics = "wsm6", config.diffusion.scheme = "none"; // of which "none" costs nothing
    EXPECT_NEAR(factor(config), 1 + 0.5 - 0.25, 1e-12);
    config.physics.microphysics = "none";
    EXPECT_NEAR(factor(config), 1 - 0.5 - 0.25, 1e-12);
    config = a_storm(), config.run.acoustic_substeps = 4; // 1 + 2 + 4 in place of 1 + 3 + 6
    EXPECT_NEAR(factor(config), 1 - 3 * 0.02, 1e-12);
    config = a_storm(), config.tracers.resize(3);
    EXPECT_NEAR(factor(config), 1 + 3 * 0.1, 1e-12);
    config = a_storm(), config.initial.file = "wrfinput_d01";
    EXPECT_NEAR(factor(config), 1.4, 1e-12);
    config = a_storm(), config.identity.outermost_file = "wrfinput_d01"; // a nest in weather
    EXPECT_NEAR(factor(config), 1.4, 1e-12);
}

TEST(CellStepCost, HasOfRadiationAndCumulusAPartOfACall) {
    Config config = a_storm();
    config.physics.radiation = "rrtmgp"; // each minute for a kilometre: ten steps
    EXPECT_NEAR(factor(config), 1 + 12. / 10, 1e-12);
    config.physics.radiation_interval = 36;
    EXPECT_NEAR(factor(config), 1 + 12. / 3, 1e-12);
    config = a_storm(), config.physics.cumulus = "tiedtke";
    EXPECT_NEAR(factor(config), 1.6, 1e-12);
    config.physics.cumulus_interval = 60;
    EXPECT_NEAR(factor(config), 1 + 0.6 / 5, 1e-12);
}

TEST(CellStepCost, HasOfWsm6WhatEachPartOfALongStepTakes) {
    Config config = a_storm();
    config.physics.microphysics = "wsm6";
    EXPECT_NEAR(factor(config), 1 + 0.7 - 0.2, 1e-12);
    config.run.time_step = 360; // three parts of two minutes
    EXPECT_NEAR(factor(config), 1 + 3 * 0.7 - 0.2, 1e-12);
    auto costs = known();
    costs.part["microphysics"]["wsm6"] = 0.3;
    EXPECT_NEAR(cell_step_cost(costs, config).factor, 1 + 0.7 + 2 * 0.3 - 0.2, 1e-12);
    EXPECT_EQ(cell_step_cost(costs, config).parts, 3);
    config.physics.microphysics = "kessler"; // at once
    EXPECT_NEAR(factor(config), 1, 1e-12);
}

TEST(CellStepCost, NamesWhatIsNotKnown) {
    Config config = a_storm();
    config.physics.land = "noah", config.physics.cumulus = "kain-fritsch";
    const auto cost = cell_step_cost(known(), config);
    EXPECT_EQ(cost.unknown, (std::vector<std::string>{"cumulus kain-fritsch", "land noah"}));
    EXPECT_NEAR(cost.factor, 1, 1e-12);
}

TEST(CellStepCost, AFileWithoutThemIsRefusedByName) {
    const std::string file = testing::TempDir() + "schemes.json";
    std::ofstream(file) << R"({"source": "here"})";
    try {
        read_scheme_costs(file);
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_NE(std::string(e.what()).find(file), std::string::npos) << e.what();
    }
    EXPECT_THROW(read_scheme_costs(file + ".missing"), std::runtime_error);
}

} // namespace
} // namespace squall::planner
