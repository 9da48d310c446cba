#include <gtest/gtest.h>

#include "declare/declaration.hpp"
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
    for (const auto *name : {"../history", "/tmp/history", "..", "a/b", "a\nb"})
        EXPECT_NE(with([&](auto &s) { s.name = name; }).find("must be a valid file name"), std::string::npos)
            << name;
}

TEST(Declaration, TwoStreamsCannotShareAPath) {
    Session session(MPI_COMM_WORLD);
    auto first = session.open(weather("x.nc"));
    EXPECT_NE(error_of([&] {
                  session.open(weather("x.nc"));
              }).find("another stream of the session is called history and writes x.nc"),
              std::string::npos);
}

TEST(Declaration, OptionsAreOfTheEngineAndOfTheirKind) {
    const auto with = [](const std::string &option, const std::string &value) {
        auto spec = weather("x.nc");
        spec.engine = option == "latency" || option == "bandwidth" ? "null" : "netcdf";
        spec.options = {{option, value}};
        return refusal(spec);
    };
    EXPECT_EQ(with("format", "netcdf4"), "");
    EXPECT_EQ(with("bandwidth", "1.5G"), "");
    EXPECT_EQ(with("formt", "netcdf4"), "stream history: engine netcdf has no option \"formt\"; did you mean "
                                        "\"format\"? (choose one of: format)");
    EXPECT_EQ(with("format", "netcdf"),
              "stream history: option format is \"netcdf\"; did you mean \"netcdf4\"? "
              "(choose one of: classic, cdf1, cdf2, cdf5, netcdf4)");
    EXPECT_NE(with("latency", "long").find("it must be a number"), std::string::npos);
    EXPECT_NE(with("latency", "-1").find("it must be 0 or more"), std::string::npos);
    for (const auto &engine : engine_infos())
        for (const auto &o : engine.options) EXPECT_FALSE(o.about.empty()) << engine.name << " " << o.name;
}

TEST(Declaration, AnUnknownOptionOfAnyEngineNamesTheNearest) {
    for (const auto &engine : engine_infos()) {
        if (!engine.missing.empty()) continue;
        for (const auto &o : engine.options) {
            auto spec = weather("x.nc");
            spec.engine = engine.name;
            const auto misspelt = o.name + "s";
            spec.options = {{misspelt, "1"}};
            const auto said = refusal(spec);
            EXPECT_NE(said.find(fmt::format("engine {} has no option \"{}\"; did you mean \"{}\"?",
                                            engine.name, misspelt, o.name)),
                      std::string::npos)
                << said;
        }
    }
}

/// Every member away from its default.
StreamSpec peculiar() {
    auto s = weather("p_%H.nc");
    s.engine = "zarr";
    s.placement = "servers";
    s.codec = "zstd:3";
    s.options = {{"chunk", "1M"}, {"align", "4k"}};
    s.frames_per_file = 3;
    s.replace = true;
    s.burst_dir = "/burst";
    s.staging_limit = 12345;
    s.when_full = "spill";
    s.spill_dir = "/spill";
    s.on_error = "continue";
    s.record_dimension = "t";
    s.subset = {{"west_east", 1, 9, 2}};
    s.fields[3].precision = {Precision::Kind::packed, 0, -100, 9000};
    s.fields[2].attributes = {{"a", 1.5f}, {"b", 0.1}, {"c", 7}, {"d", ""}};
    return s;
}

TEST(Declaration, ComesBackFromBytesAsItWas) {
    const auto spec = peculiar(), same = unpack_spec(pack(spec));
    EXPECT_EQ(pack(same), pack(spec));
    EXPECT_EQ(same.options, spec.options);
    EXPECT_EQ(same.fields[2].attributes[1].value, Value(std::vector{0.1}));
    EXPECT_EQ(same.fields[2].attributes[0].value, Value(std::vector{1.5f}));
    EXPECT_EQ(same.fields[3].precision.high, 9000);
    EXPECT_EQ(same.subset[0].stop, 9);
    EXPECT_NE(error_of([] { unpack_spec({1, 2, 3}); }), "");
}

TEST(Declaration, EachDifferenceIsToldByTheHash) {
    const auto changed = [](auto change) {
        auto spec = peculiar();
        change(spec);
        return hash(spec);
    };
    const auto same = changed([](auto &) {});
    EXPECT_EQ(same, hash(peculiar()));
    EXPECT_NE(same, changed([](auto &s) { s.fields[2].type = Type::f64; }));
    EXPECT_NE(same, changed([](auto &s) { s.fields[2].attributes[0] = {"a", 1.5}; })); // double for float
    EXPECT_NE(same, changed([](auto &s) { s.fields[3].precision.low = -101; }));
    EXPECT_NE(same, changed([](auto &s) { std::swap(s.fields[0], s.fields[1]); }));
    EXPECT_NE(same, changed([](auto &s) { s.dimensions[0].size += 1; }));
    EXPECT_NE(same, changed([](auto &s) { s.options["align"] = "8k"; }));
}

} // namespace squall::io::test
