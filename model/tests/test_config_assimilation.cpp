// Run files that let analyses in or change the time step: what is refused, and what would work.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_file_case.hpp"

namespace squall {
namespace {

using run_file_case::read;
using run_file_case::refusal;
using run_file_case::valid;

TEST(AdaptiveStepInARunFile, TakesOutputThatIsNoMultipleOfTheStep) {
    EXPECT_HAS(refusal(valid, {"output.history.interval=\"5.5 s\""}), "is not a whole number of time steps");
    const Config c = read(valid, {"output.history.interval=\"5.5 s\"", "run.adaptive_time_step=true"});
    EXPECT_EQ(c.run.target_courant_horizontal, 0.84);
    EXPECT_EQ(c.run.target_courant_vertical, 1.2);
    EXPECT_EQ(c.run.max_step_increase, 0.05);
}

TEST(AdaptiveStepInARunFile, RefusesBoundsThatExcludeTheFirstStepAndKeysWithoutEffect) {
    EXPECT_HAS(refusal(valid, {"run.adaptive_time_step=true", "run.min_time_step=\"2 s\""}),
               "run.min_time_step: 2 s is longer than run.time_step = 1 s");
    EXPECT_HAS(refusal(valid, {"run.adaptive_time_step=true", "run.max_time_step=\"0.5 s\""}),
               "run.max_time_step: 0.5 s is shorter than run.time_step = 1 s");
    EXPECT_HAS(refusal(valid, {"run.max_time_step=\"2 s\""}),
               "run.max_time_step has no effect without run.adaptive_time_step = true");
    EXPECT_HAS(refusal(valid, {"run.adaptive_time_step=true", "output.history.over_time={ T = \"mean\" }"}),
               "set `sample`, the time between samples");
    const std::string nest = "\n[nest.inner]\ni_parent_start = 5\nj_parent_start = 5\nnx = 12\nny = 12\n";
    EXPECT_HAS(refusal(valid + nest,
                       {"run.adaptive_time_step=true", "output.history_d02.over_time={ T = \"mean\" }"}),
               "output.history_d02.over_time: adaptive time steps");
}

TEST(NudgingInARunFile, NeedsAnInitialFileAndItsOwn) {
    const std::string said = refusal(valid, {"nudging.file=\"wrffdda_d01\""});
    EXPECT_HAS(said, "nudging.file needs initial.file");
    EXPECT_HAS(said, "nudging.file: there is no file \"wrffdda_d01\"");
    EXPECT_HAS(refusal(valid, {"nudging.wind=\"1e-3 s-1\""}),
               "nudging.wind has no effect without nudging.file");
}

TEST(SeaInARunFile, NeedsASurfaceLayerAndSunlight) {
    EXPECT_HAS(refusal(valid, {"boundary.lower_file=\"wrflowinp_d01\""}),
               "boundary.lower_file needs initial.file");
    const std::string said = refusal(valid, {"physics.sea_skin=\"zeng-beljaars\""});
    EXPECT_HAS(said, "physics.sea_skin needs the fluxes of physics.surface_layer");
    EXPECT_HAS(said, "physics.sea_skin needs the shortwave flux of physics.radiation");
}

TEST(DigitalFilterInARunFile, HasAnEvenNumberOfStepsWithinTheRun) {
    const std::string on = "digital_filter.scheme=\"launch\"",
                      short_cutoff = "digital_filter.cutoff=\"60 s\"";
    EXPECT_EQ(refusal(valid, {on, short_cutoff, "digital_filter.span=\"120 s\""}), "accepted");
    EXPECT_HAS(refusal(valid, {on, short_cutoff, "digital_filter.span=\"121 s\""}),
               "121 s is not an even number of time steps of 1 s; the nearest that is: \"122 s\"");
    EXPECT_HAS(refusal(valid, {on}), "3600 s is as long as the run, 900 s");
    EXPECT_HAS(refusal(valid, {on, "digital_filter.span=\"120 s\"", "digital_filter.cutoff=\"3 s\""}),
               "3 s holds too few steps of 1 s to resolve a wave");
    EXPECT_HAS(refusal(valid, {short_cutoff}),
               "digital_filter.cutoff has no effect without digital_filter.scheme, such as \"launch\"");
}

TEST(DigitalFilterInARunFile, GoesBackWhereNothingHasLeftAndNestsWait) {
    const std::vector<std::string> back{"digital_filter.scheme=\"diabatic\"",
                                        "digital_filter.cutoff=\"60 s\"", "digital_filter.span=\"120 s\""};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), back.begin(), back.end());
        return more;
    };
    EXPECT_EQ(refusal(valid, back), "accepted");
    EXPECT_HAS(refusal(valid, with({"domain.boundary_west=\"open\"", "domain.boundary_east=\"open\""})),
               "\"diabatic\" integrates backward, but what has left through an open side does not come back "
               "(domain.boundary_west)");
    const std::string nest = "\n[nest.inner]\ni_parent_start = 5\nj_parent_start = 5\nnx = 12\nny = 12\n";
    EXPECT_HAS(refusal(valid + nest, back), "start it later, [nest.inner] start = \"1 s\"");
    EXPECT_EQ(refusal(valid + nest + "start = \"1 s\"\n", back).find("start it later"), std::string::npos);
}

} // namespace
} // namespace squall
