// Run files with nests: what follows from them, and what is refused.
#include <algorithm>

#include <gtest/gtest.h>

#include "config/read.hpp"
#include "settings/config.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

const std::string storm = R"([run]
duration = "60 s"
time_step = "1 s"
[domain]
nx = 40
ny = 30
nz = 10
dx = "1 km"
[vertical]
top = "15 km"
[initial]
case = "supercell"
)";

Config read(const std::string &text) { return parse_config(text, "storm.toml", {}); }

/// The message that refuses `text`; "accepted" if none does.
std::string refusal(const std::string &text) {
    try {
        read(text);
    } catch (const ConfigError &error) {
        return error.what();
    }
    return "accepted";
}

/// `text` with the first `from` replaced.
std::string with(std::string text, const std::string &from, const std::string &to) {
    return text.replace(text.find(from), from.size(), to);
}

#define EXPECT_HAS(message, part)                                                                            \
    EXPECT_NE((message).find(part), std::string::npos) << "in: " << (message) << "\nmissing: " << (part)

constexpr const char *nest = R"([nest.inner]
i_parent_start = 10
j_parent_start = 5
nx = 30
ny = 30
)";

TEST(Nests, StreamsOfANestAreItsParentsButForWhatTheirTableSays) {
    const std::string text = storm + nest + R"([output.wind]
interval = "10 s"
fields = ["U"]
stride = 2
[output.wind_d02]
interval = "5 s"
)";
    const Config config = read(text);
    const Config inner = with_nests(config)[1];
    const auto of = [&](const Config &c, const std::string &name) {
        return *std::ranges::find(c.streams, name, &StreamConfig::name);
    };
    EXPECT_EQ(of(config, "wind").interval, 10);
    EXPECT_EQ(of(inner, "wind_d02").interval, 5);
    EXPECT_EQ(of(inner, "wind_d02").stride, 2);
    EXPECT_EQ(of(inner, "wind_d02").fields, std::vector<std::string>{"U"});
    EXPECT_EQ(of(inner, "wind_d02").path, "wind_d02_%Y-%m-%d_%H:%M:%S.nc");
    EXPECT_EQ(std::ranges::count(config.streams, "wind_d02", &StreamConfig::name), 0);
    EXPECT_HAS(refusal(with(text, "wind_d02", "wind_d03")), "output.wind_d03: there is no domain 3");
    EXPECT_HAS(refusal(storm + "[output.wind_d02]\ninterval = \"10 s\"\n"),
               "there is none; use another name");
}

TEST(Nests, ANestLivesWithinItsParentsTime) {
    const std::string text = storm + nest;
    EXPECT_EQ(read(text + "start = \"10 s\"\nend = \"20 s\"\n").nests[0].end, 20);
    EXPECT_HAS(refusal(text + "start = \"10 s\"\nend = \"5 s\"\n"), "before it starts after 10 s");
    EXPECT_HAS(refusal(text + "start = \"10.3 s\"\n"), "not a whole number of time steps");
    EXPECT_HAS(refusal(text + "end = \"20 s\"\n[nest.core]\nparent = \"inner\"\ni_parent_start = 5\n"
                              "j_parent_start = 5\nnx = 12\nny = 12\n"),
               "a nest must start and end within that time");
}

TEST(Nests, WhereANestLiesIsToldOnce) {
    const std::string text = storm + nest;
    EXPECT_HAS(refusal(with(text, "i_parent_start = 10\n", "")), "one is missing");
    EXPECT_HAS(refusal(text + "center_latitude = \"45 degrees\"\ncenter_longitude = \"5 degrees\"\n"),
               "its position is given twice");
    EXPECT_HAS(refusal(with(text, "i_parent_start = 10\nj_parent_start = 5\n",
                            "center_latitude = \"45 degrees\"\ncenter_longitude = \"5 degrees\"\n")),
               "need initial.file");
}

TEST(Nests, ANestThatResolvesCloudsNeedsNoCumulusScheme) {
    const std::string text =
        storm + "[physics]\nmicrophysics = \"wsm6\"\ncumulus = \"kain-fritsch\"\n" + nest;
    EXPECT_EQ(with_nests(read(text))[1].physics.cumulus, "kain-fritsch");
    EXPECT_EQ(with_nests(read(text + "cumulus = \"none\"\n"))[1].physics.cumulus, "none");
    EXPECT_EQ(read(text + "cumulus = \"none\"\n").physics.cumulus, "kain-fritsch");
    EXPECT_HAS(refusal(text + "cumulus = \"kain\"\n"), "kain-fritsch");
}

TEST(Nests, MountainsWithinCellsAreTheParentsOrOfAFileOfTheNests) {
    EXPECT_HAS(refusal(storm + nest + "gravity_wave_drag = \"kim-arakawa\"\n"),
               "nest.inner.gravity_wave_drag = \"kim-arakawa\" needs the nest's own initial_file");
    EXPECT_HAS(refusal(storm + "[physics]\ngravity_wave_drag = \"kim-arakawa\"\n" + nest),
               "needs initial.file, for the subgrid orography");
}

TEST(Nests, ANestHasNumbersOfItsOwnAndWhatLiesInItHasThemToo) {
    const std::string text = storm + R"([physics]
microphysics = "wsm6"
cumulus = "kain-fritsch"
cumulus_interval = "5 min"
[diffusion]
scheme = "smagorinsky-2d"
[damping]
scheme = "implicit-w"
depth = "5 km"
coefficient = "0.2 s-1"
)" + nest + R"(c_s = 0.18
cumulus_interval = "1 min"
sixth_order = "monotonic"
sixth_order_factor = 0.06
damping_depth = "4 km"
damping_coefficient = "0.1 s-1"
off_centring = 0.5
[nest.core]
parent = "inner"
i_parent_start = 5
j_parent_start = 5
nx = 12
ny = 12
c_s = 0.1
)";
    const std::vector<Config> all = with_nests(read(text));
    EXPECT_EQ(all[0].diffusion.c_s, 0.25);
    EXPECT_EQ(all[0].diffusion.sixth_order, "none");
    EXPECT_EQ(all[1].diffusion.c_s, 0.18);
    EXPECT_EQ(all[2].diffusion.c_s, 0.1);
    for (const int n : {1, 2}) {
        const Config &c = all[static_cast<std::size_t>(n)];
        EXPECT_EQ(c.physics.cumulus_interval, 60);
        EXPECT_EQ(c.diffusion.sixth_order, "monotonic");
        EXPECT_EQ(c.diffusion.sixth_order_factor, 0.06);
        EXPECT_EQ(c.damping.depth, 4000);
        EXPECT_EQ(c.damping.coefficient, 0.1);
        EXPECT_EQ(c.dynamics.off_centring, 0.5);
    }
}

TEST(Nests, NumbersOfSchemesThatANestHasNotAreRefused) {
    const std::string text = storm + nest;
    EXPECT_HAS(refusal(text + "c_s = 0.2\n"), "nest.inner.c_s has no effect without diffusion.scheme");
    EXPECT_HAS(refusal(text + "c_k = 0.2\n"), "without diffusion.scheme = \"tke\"");
    EXPECT_HAS(refusal(text + "horizontal_viscosity = \"10 m2/s\"\n"), "diffusion.scheme = \"constant\"");
    EXPECT_HAS(refusal(text + "radiation_interval = \"10 min\"\n"), "without physics.radiation");
    EXPECT_HAS(refusal(text + "cumulus_interval = \"1 min\"\n"), "without a cumulus scheme in the nest");
    EXPECT_HAS(refusal(text + "sixth_order_factor = 0.1\n"), "without sixth_order");
    EXPECT_HAS(refusal(text + "damping_depth = \"3 km\"\n"), "without damping.scheme");
    EXPECT_HAS(refusal(text + "off_centring = 2\n"), "nest.inner.off_centring");
    const std::string damped = storm +
                               "[damping]\nscheme = \"implicit-w\"\ndepth = \"5 km\"\n"
                               "coefficient = \"0.2 s-1\"\n" +
                               nest;
    EXPECT_HAS(refusal(damped + "damping_depth = \"15 km\"\n"),
               "reaches the ground; vertical.top is 15000 m");
}

TEST(Nests, ANestHasItsLayersAndWhatLiesInItHasThemToo) {
    const std::string core = "[nest.core]\nparent = \"inner\"\ni_parent_start = 5\nj_parent_start = 5\n"
                             "nx = 12\nny = 12\n";
    const std::string levels = "[output.low]\ninterval = \"10 s\"\nlevels = [0, 9]\n";
    const auto all = with_nests(read(storm + nest + "eta = [1, 0.9, 0.7, 0.4, 0]\n" + core + levels));
    EXPECT_EQ(all[0].domain.nz, 10);
    EXPECT_EQ(all[1].domain.nz, 4);
    EXPECT_EQ(all[2].domain.nz, 4);
    EXPECT_EQ(with_nests(read(storm + nest + "nz = 20\n"))[1].domain.nz, 20);
    EXPECT_FALSE(all[0].streams[0].levels.empty());
    EXPECT_TRUE(all[1].streams[0].levels.empty()) << "the parent's layers are others";
    const std::string own = "[output.low_d02]\nlevels = [0, 15]\n";
    EXPECT_EQ(with_nests(read(storm + nest + "nz = 20\n" + levels + own))[1].streams[0].levels[1], 15);
    EXPECT_HAS(refusal(storm + nest + "nz = 12\n" + levels + own), "output.low_d02.levels");
}

TEST(Nests, HaveRowsThatFollowTheirParentWhereNoSideOfThatIsSpecified) {
    const std::string rows = "[boundary]\nrelaxation_rows = 6\n";
    EXPECT_EQ(with_nests(read(storm + nest + rows))[1].boundary.relaxation_rows, 6);
    EXPECT_HAS(refusal(storm + rows), "boundary.relaxation_rows has no effect");
}

TEST(Nests, WhatHasNoEffectOnANestIsRefused) {
    const std::string text = storm + nest;
    EXPECT_HAS(refusal(text + "feedback = false\nsmoothing = \"1-2-1\"\n"), "no effect without feedback");
    EXPECT_HAS(refusal(text + "blend_rows = 3\n"), "no effect without initial_file");
    EXPECT_HAS(refusal(text + "lower_file = \"wrflowinp_d02\"\n"),
               "nest.inner.lower_file needs nest.inner.initial_file");
    EXPECT_HAS(refusal(text + "initial_file = \"wrfinput_d02\"\n"), "the outermost domain has none");
    const std::string carried = "moves = [\"30 s, 1, 0\"]\n[nest.core]\nparent = \"inner\"\n"
                                "i_parent_start = 5\nj_parent_start = 5\nnx = 12\nny = 12\n";
    EXPECT_HAS(refusal(text + carried + "lower_file = \"wrflowinp_d03\"\n"),
               "nest.core.lower_file: the file is for one place, but the nest moves");
}

} // namespace
} // namespace squall
