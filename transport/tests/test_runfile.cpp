#include <gtest/gtest.h>

#include "runfile/keys.hpp"
#include "runfile/read.hpp"

namespace squall::transport {
namespace {

const std::string good = R"([run]
duration = "1 d"
time_step = "1 h"
[grid]
nlon = 24
nlat = 12
[tracer.q]
shape = "constant"
[output.history]
interval = "6 h"
)";

std::string fault(const std::string &more) {
    try {
        parse_settings(good + more, "a.toml", {});
    } catch (const ConfigError &error) {
        return error.what();
    }
    return "";
}

TEST(RunFile, UnknownWordsAreRefusedWithTheNearestKnownOne) {
    EXPECT_EQ(fault(""), "");
    EXPECT_NE(fault("engin = \"zarr\"\n")
                  .find("unknown key \"engin\" in [output.history]; did you mean \"engine\""),
              std::string::npos);
    EXPECT_NE(fault("[winds]\nflow = \"solid-body\"\n").find("did you mean \"wind\""), std::string::npos);
    EXPECT_NE(fault("[wind]\nflow = \"solid-bodies\"\n").find("solid-body"), std::string::npos);
}

TEST(RunFile, WhatCannotBeIsRefusedByName) {
    EXPECT_NE(fault("stations = \"nowhere.csv\"\n").find("there is no file"), std::string::npos);
    EXPECT_NE(fault("average = \"meridional\"\n").find("zonal"), std::string::npos);
    EXPECT_NE(fault("placement = \"servers\"\n").find("no ranks are set aside"), std::string::npos);
    EXPECT_NE(fault("[chemistry]\nscheme = \"terminator\"\n").find("there is no tracer \"cl\""),
              std::string::npos);
    EXPECT_NE(fault("[vertical]\ntop = \"2000 hPa\"\n").find("top"), std::string::npos);
}

TEST(RunFile, TheReferenceHasEveryTable) {
    for (const TransportTable &table : tables())
        EXPECT_NE(key_reference().find("## `[" + table.name + "]`"), std::string::npos);
}

} // namespace
} // namespace squall::transport
