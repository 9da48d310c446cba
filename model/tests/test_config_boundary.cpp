// Run files with specified boundaries: what follows from boundary.file, and what is refused.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "config/read.hpp"
#include "fake_wrfinput.hpp"
#include "settings/config.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;

class SpecifiedSides : public testing::Test {
  protected:
    SpecifiedSides() {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) / (std::string("sides_") + test->name());
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "wrfbdy_d01") << "looked at when the run starts";
        FakeInput input;
        input.dimensions["west_east"] = 12, input.dimensions["west_east_stag"] = 13;
        input.dimensions["south_north"] = 10, input.dimensions["south_north_stag"] = 11;
        input.write(folder_ / "ideal");
        input.scalar("THIS_IS_AN_IDEAL_RUN", 0);
        input.write(folder_ / "real");
    }
    ~SpecifiedSides() override { std::filesystem::remove_all(folder_); }

    Config read(const std::string &domain, const std::string &boundary, const std::string &initial) const {
        const std::string text = "[run]\nduration = \"1 h\"\ntime_step = \"60 s\"\n[domain]\n" + domain +
                                 "[boundary]\n" + boundary + "[initial]\nfile = \"" + initial + "\"\n";
        return parse_config(text, (folder_ / "run.toml").string(), {});
    }
    std::string refusal(const std::string &domain, const std::string &boundary,
                        const std::string &initial) const {
        try {
            read(domain, boundary, initial);
        } catch (const ConfigError &e) {
            return e.what();
        }
        return "accepted";
    }

    std::filesystem::path folder_;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

const std::string file = "file = \"wrfbdy_d01\"\n";

TEST_F(SpecifiedSides, FollowFromTheBoundaryFile) {
    const Config c = read("", file, "real");
    for (const Boundary side : {c.domain.boundaries.west, c.domain.boundaries.east, c.domain.boundaries.south,
                                c.domain.boundaries.north})
        EXPECT_EQ(side, Boundary::specified);
    EXPECT_EQ(c.boundary.file, (folder_ / "wrfbdy_d01").string());
    EXPECT_EQ(c.boundary.specified_rows, 1);
    EXPECT_EQ(c.boundary.relaxation_rows, 4);
}

TEST_F(SpecifiedSides, MustBeAllFour) {
    const std::string text = refusal("boundary_west = \"specified\"\nboundary_east = \"open\"\n"
                                     "boundary_south = \"specified\"\nboundary_north = \"specified\"\n",
                                     file, "real");
    EXPECT_SAYS(text, "domain.boundary_west = \"specified\" but domain.boundary_east is not");
}

TEST_F(SpecifiedSides, NeedTheirFile) {
    const std::string all = "boundary_west = \"specified\"\nboundary_east = \"specified\"\n"
                            "boundary_south = \"specified\"\nboundary_north = \"specified\"\n";
    EXPECT_SAYS(refusal(all, "", "real"), "needs boundary.file, the wrfbdy_d01 that belongs to initial.file");
    EXPECT_EQ(refusal(all, file, "real"), "accepted");
    EXPECT_SAYS(refusal("", "file = \"elsewhere\"\n", "real"), "boundary.file: there is no file");
}

TEST_F(SpecifiedSides, VerticalWindOfAFileNeedsIt) {
    const auto refused = [&](const std::string &text) {
        try {
            parse_config(text, (folder_ / "run.toml").string(), {});
        } catch (const ConfigError &e) {
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    const std::string head = "[run]\nduration = \"1 h\"\ntime_step = \"60 s\"\n";
    const std::string of_file = head + "[initial]\nvertical_wind = \"file\"\nfile = \"ideal\"\n";
    EXPECT_SAYS(refused(of_file), "has no variable W, which initial.vertical_wind = \"file\" needs");
    EXPECT_SAYS(refused(head +
                        "[domain]\nnx = 20\nny = 8\nnz = 10\ndx = \"1 km\"\n[vertical]\ntop = \"9 km\"\n"
                        "[initial]\nvertical_wind = \"file\"\ncase = \"warm-bubble\"\n"),
                "initial.vertical_wind = \"file\" needs initial.file");
    FakeInput input;
    input.volume(
        "W", [](int, int, int) { return 1.0; }, "bottom_top_stag");
    input.write(folder_ / "ideal");
    EXPECT_EQ(refused(of_file), "accepted");
}

TEST_F(SpecifiedSides, NeedRoomForTheirRows) {
    EXPECT_SAYS(refusal("", file + "relaxation_rows = 5\n", "real"),
                "= 6 rows on every side need a domain of at least 12 x 12 cells; it has 12 x 10");
}

TEST_F(SpecifiedSides, AreNotImpliedWhereTheRunFileSaysOtherwise) {
    const std::string open = "boundary_west = \"open\"\nboundary_east = \"open\"\n"
                             "boundary_south = \"open\"\nboundary_north = \"open\"\n";
    EXPECT_SAYS(refusal(open, file, "real"),
                "boundary.file has no effect: no side of the domain is specified");
    EXPECT_SAYS(refusal(open, "specified_rows = 2\n", "ideal"), "boundary.specified_rows has no effect");
    EXPECT_EQ(refusal(open, "", "real"), "accepted");
}

TEST_F(SpecifiedSides, ARealCaseIsNotTakenForAPeriodicOne) {
    EXPECT_SAYS(refusal("", "", "real"), "initial.file is a real case: set boundary.file to the wrfbdy_d01");
    EXPECT_EQ(refusal("", "", "ideal"), "accepted");
}

} // namespace
} // namespace squall
