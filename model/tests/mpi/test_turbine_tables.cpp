#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "initial/turbine_tables.hpp"

namespace squall {
namespace {

/// Four columns and three rows of 2 km around 55 N 7 E.
struct Site {
    Patch patch;
    Grid grid;
    Config config;

    Site() {
        patch.shape = {4, 3, 2};
        patch.nx_domain = 4, patch.ny_domain = 3;
        grid.dx = grid.dy = 2000;
        for (Array2 *plane : {&grid.msftx, &grid.msfty, &grid.lat, &grid.lon}) *plane = Array2(patch.shape);
        grid.msftx.fill(1), grid.msfty.fill(1);
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i)
                grid.lat(i, j) = real(55 + 0.018 * j), grid.lon(i, j) = real(7 + 0.0313 * i);
        config.domain.nx = 4, config.domain.ny = 3;
        config.initial.file = "wrfinput_d01";
        config.wind_farm = {"turbines.csv", {"a.csv", "b.csv"}, {75, 100}, {85, 120}, {0.13, 0.1}, 0.25};
        say("a.csv", "wind_speed,thrust,power\n4,0.8,50\n25,0.05,2000\n");
        say("b.csv", "wind_speed,thrust,power\n3,0.9,100\n25,0.05,5000\n");
    }
    void say(const std::string &file, const std::string &text) { config.files.keep(file, text); }
    std::vector<StandingTurbine> turbines() const {
        return find_turbines(config, patch, MPI_COMM_SELF, grid);
    }
    std::string refusal() const {
        try {
            read_turbine_types(config);
            turbines();
        } catch (const std::runtime_error &e) {
            return e.what();
        }
        return "";
    }
};

TEST(TurbineTables, TurbinesStandInTheNearestCells) {
    Site site;
    site.say("turbines.csv", "latitude,longitude,type\n55.019,7.06,1\n55.001,7.0005,0\n");
    const auto found = site.turbines();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].i, 2);
    EXPECT_EQ(found[0].j, 1);
    EXPECT_EQ(found[0].type, 1);
    EXPECT_EQ(found[1].i, 0);
    EXPECT_EQ(found[1].j, 0);
    EXPECT_EQ(found[1].type, 0);
    site.say("turbines.csv", "i,j,type\n3,2,0\n");
    EXPECT_EQ(site.turbines().at(0).i, 3);
    EXPECT_EQ(read_turbine_types(site.config).at(1).hub(), 100);
}

TEST(TurbineTables, ANestHasThoseThatStandInItByLatitudeAndLongitude) {
    Site site;
    site.config.identity.id = 2;
    site.config.identity.outermost_file = "wrfinput_d01";
    site.say("turbines.csv", "latitude,longitude,type\n55.019,7.06,1\n56,7,0\n");
    EXPECT_EQ(site.turbines().size(), 1u);
    site.say("turbines.csv", "i,j,type\n3,2,0\n");
    EXPECT_EQ(site.turbines().size(), 0u);
}

TEST(TurbineTables, WhatCannotBeSaysWhereAndWhy) {
    const std::pair<const char *, const char *> wrong[] = {
        {"latitude,longitude,type\n56,7,0\n", "is outside the domain, 107 km"},
        {"latitude,longitude,type\n55,7,2\n", "there is no type 2: they go from 0 to 1"},
        {"i,j,type\n4,0,0\n", "there is no column i 4: they go from 0 to 3"},
        {"i,j,kind\n1,0,0\n", "its columns must be"},
    };
    for (const auto &[table, message] : wrong) {
        Site site;
        site.say("turbines.csv", table);
        EXPECT_NE(site.refusal().find(message), std::string::npos) << site.refusal();
    }
    Site site;
    site.say("turbines.csv", "i,j,type\n1,0,0\n");
    EXPECT_EQ(site.refusal(), "");
    site.say("a.csv", "wind_speed,thrust,power\n4,3,50\n25,0.05,2000\n");
    EXPECT_NE(site.refusal().find("a.csv: a thrust coefficient of 3 is impossible"), std::string::npos);
}

} // namespace
} // namespace squall
