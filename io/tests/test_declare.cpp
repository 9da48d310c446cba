#include <gtest/gtest.h>

#include "support.hpp"

namespace squall::io::test {

std::string refusal(const StreamSpec &spec) {
    Session session(MPI_COMM_WORLD);
    return error_of([&] { session.open(spec); });
}

TEST(Declaration, NamesTheEnginesAndPlacementsThatWork) {
    auto spec = weather("x.nc");
    EXPECT_EQ(refusal(spec), "");
    spec.engine = "grib";
    EXPECT_NE(refusal(spec).find("stream history: there is no engine \"grib\"; choose one of: "),
              std::string::npos);
    spec.engine = "netcdf";
    spec.placement = "moon";
    EXPECT_EQ(refusal(spec),
              "stream history: there is no placement \"moon\"; choose one of: inline, thread, servers");
    spec.placement = "servers";
    EXPECT_NE(refusal(spec).find("the session has no servers"), std::string::npos);
}

TEST(Declaration, RefusesNamesAndSizesThatCannotWork) {
    const auto with = [](auto change) {
        auto spec = weather("x.nc");
        change(spec);
        return refusal(spec);
    };
    EXPECT_NE(
        with([](auto &s) { s.fields[2].dimensions[0] = "bottom"; }).find("dimension bottom is not declared"),
        std::string::npos);
    EXPECT_NE(with([](auto &s) { s.fields.push_back(s.fields[0]); }).find("\"Times\" is declared twice"),
              std::string::npos);
    EXPECT_NE(with([](auto &s) {
                  s.dimensions.push_back({"Time", 3});
              }).find("\"Time\" is declared twice"),
              std::string::npos);
    EXPECT_NE(with([](auto &s) { s.dimensions[0].size = 0; }).find("must be at least 1"), std::string::npos);
    EXPECT_NE(with([](auto &s) { s.frames_per_file = -1; }), "");
    EXPECT_NE(with([](auto &s) { s.path = "x_%Q.nc"; }), "");
    EXPECT_NE(with([](auto &s) { s.path = ""; }), "");
    EXPECT_NE(with([](auto &s) { s.fields.clear(); }), "");
}

TEST(Declaration, TwoStreamsCannotShareAPath) {
    Session session(MPI_COMM_WORLD);
    auto first = session.open(weather("x.nc"));
    EXPECT_NE(error_of([&] {
                  session.open(weather("x.nc"));
              }).find("another stream of the session is called history and writes x.nc"),
              std::string::npos);
}

} // namespace squall::io::test
