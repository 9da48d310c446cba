/// Fields that are made where their source is put: onto levels, and over time.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "declared.hpp"

namespace squall::io::test {
namespace {

constexpr double fill = 9.9692099683868690e+36;

Field onto(const std::string &name, const std::string &of, const std::string &outside = "missing",
           const std::string &scale = "log") {
    Field f{name, Type::f64, {}, {}};
    f.reduction = Reduction{.of = of,
                            .method = "interpolate",
                            .over = {"z"},
                            .onto = "level",
                            .coordinate = "P",
                            .levels = {95000, 70000, 20000, 101000},
                            .scale = scale,
                            .outside = outside};
    return f;
}

Field over_time(const std::string &name, const std::string &of, const std::string &method,
                Type type = Type::f64) {
    Field f{name, type, {}, {}};
    f.reduction = Reduction{.of = of, .method = method, .over = {"Time"}};
    return f;
}

/// Pressure in a column whose ground rises from west to east.
double pressure(std::int64_t k, std::int64_t i) {
    return (100000 - 1000.0 * static_cast<double>(i)) * std::pow(0.75, static_cast<double>(k));
}

StreamSpec levels(const std::string &path) {
    auto s = stream_of("levels", path);
    s.dimensions = {{"z", nz}, {"y", ny}, {"x", nx}, {"level", 4}};
    s.sources = {{"T", Type::f64, {"z", "y", "x"}, {}}, {"P", Type::f64, {"z", "y", "x"}, {}}};
    s.fields = {onto("t", "T"), onto("t_near", "T", "nearest"), onto("t_on", "T", "extrapolate"),
                onto("p", "P", "missing", "linear")};
    return s;
}

/// Rows of the domain, this rank's.
Box my_rows() {
    const Part part(ny);
    return {{0, part.begin, 0}, {nz, part.count, nx}};
}

template <class F> void put(Frame &frame, const std::string &field, F f) {
    const auto box = my_rows();
    std::vector<double> all;
    for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
        for (std::int64_t k = 0; k < nz; ++k)
            for (std::int64_t i = 0; i < nx; ++i) all.push_back(f(k, j, i));
    frame.put(field, box, all.data(), {nx, nz * nx, 1});
}

/// A temperature that is linear in the logarithm of pressure.
double temperature(double p) { return 300 + 40 * std::log(p / 1e5); }

void put_levels(Frame &frame) {
    put(frame, "P", [](auto k, auto, auto i) { return pressure(k, i); });
    put(frame, "T", [](auto k, auto, auto i) { return temperature(pressure(k, i)); });
}

} // namespace

TEST(Levels, AreInterpolatedInTheLogarithmOfPressureAndMissingBelowGround) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(levels(dir / "x.nc"));
    auto frame = stream.begin({0});
    put_levels(frame);
    frame.commit();
    stream.close();
    session.close();
    const auto t = all_of(dir / "x.nc", "t"), near = all_of(dir / "x.nc", "t_near"),
               on = all_of(dir / "x.nc", "t_on"), p = all_of(dir / "x.nc", "p");
    const std::vector<double> wanted{95000, 70000, 20000, 101000};
    std::size_t n = 0;
    for (const double level : wanted)
        for (std::int64_t j = 0; j < ny; ++j)
            for (std::int64_t i = 0; i < nx; ++i, ++n) {
                const double ground = pressure(0, i), top = pressure(nz - 1, i);
                const bool inside = level <= ground && level >= top;
                EXPECT_NEAR(t[n], inside ? temperature(level) : fill, inside ? 1e-9 : 0);
                EXPECT_NEAR(near[n], temperature(std::clamp(level, top, ground)), 1e-9);
                EXPECT_NEAR(on[n], temperature(level), 1e-9);
                EXPECT_NEAR(p[n], inside ? level : fill, inside ? 1e-6 : 0);
            }
    EXPECT_EQ(Reader(dir / "x.nc").field("t").dimensions, (std::vector<std::string>{"level", "y", "x"}));
}

TEST(Levels, NeedTheCoordinateFirstAndWholeColumns) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(levels(dir / "x.nc"));
    const auto failed = [&](auto f) {
        auto frame = stream.begin({0});
        f(frame);
        return error_of([&] { frame.commit(); });
    };
    const auto late = failed([](Frame &frame) { put(frame, "T", [](auto, auto, auto) { return 1.0; }); });
    EXPECT_NE(late.find("field T: P, its weight, mask or coordinate, was not put for all of box"),
              std::string::npos)
        << late;
    const auto half = failed([](Frame &frame) {
        put(frame, "P", [](auto k, auto, auto i) { return pressure(k, i); });
        auto box = my_rows();
        box.count[0] = 2;
        frame.put("T", box, std::vector<double>(2 * ny * nx).data());
    });
    EXPECT_NE(half.find("needs whole columns"), std::string::npos) << half;
    stream.close();
    session.close();
}

TEST(Levels, ThatCannotBeAreRefusedByName) {
    Session session(MPI_COMM_WORLD);
    const auto refused = [&](auto change) {
        auto s = levels("never.nc");
        change(*s.fields[0].reduction);
        return error_of([&] { session.open(s); });
    };
    EXPECT_NE(refused([](auto &r) { r.levels.pop_back(); }).find("3 levels for dimension level of size 4"),
              std::string::npos);
    EXPECT_NE(refused([](auto &r) { r.levels[0] = -1; }).find("which has no logarithm"), std::string::npos);
    EXPECT_NE(refused([](auto &r) { r.coordinate = "Q"; }).find("its coordinate is Q, which is neither"),
              std::string::npos);
    EXPECT_NE(refused([](auto &r) { r.outside = "cold"; }).find(R"(it must be "missing", "nearest")"),
              std::string::npos);
    session.close();
}

namespace {

/// Wind and rain at a step.
double wind(int step, std::int64_t i) { return std::sin(1.0 + step * 0.7 + static_cast<double>(i)) * 10; }
double rain(int step, std::int64_t i) { return step * (0.25 + static_cast<double>(i)); }

StreamSpec intervals(const std::string &path) {
    auto s = stream_of("surface", path);
    s.frames_per_file = 0;
    s.dimensions = {{"x", 8 * ranks()}};
    s.sources = {{"WIND", Type::f64, {"x"}, {}}, {"RAIN", Type::f64, {"x"}, {}}};
    s.fields = {over_time("mean", "WIND", "mean"),
                over_time("gust", "WIND", "max"),
                over_time("calm", "WIND", "min"),
                over_time("sum", "WIND", "sum"),
                over_time("sd", "WIND", "standard_deviation"),
                over_time("last", "WIND", "last"),
                over_time("fell", "RAIN", "accumulation"),
                over_time("rate", "RAIN", "rate")};
    return s;
}

void put_step(Frame &frame, int step) {
    const Part part(8 * ranks());
    std::vector<double> w, r;
    for (auto i = part.begin; i < part.begin + part.count; ++i)
        w.push_back(wind(step, i)), r.push_back(rain(step, i));
    frame.put("WIND", part.box(), w.data());
    frame.put("RAIN", part.box(), r.data());
    frame.commit();
}

/// Steps from first to last, of which every third is a frame.
void steps(Stream &stream, int first, int last) {
    for (int step = first; step <= last; ++step) {
        auto frame = step % 3 == 0 ? stream.begin({10.0 * step}) : stream.sample({10.0 * step});
        put_step(frame, step);
    }
}

const std::vector<std::string> made{"mean", "gust", "calm", "sum", "sd", "last", "fell", "rate"};

} // namespace

TEST(OverTime, AreMadeOfAllSamplesSinceTheFrameBefore) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(intervals(dir / "x.nc"));
    steps(stream, 0, 6);
    stream.close();
    session.close();
    for (std::int64_t i = 0; i < 8 * ranks(); ++i) {
        const auto at = [&](const std::string &name, int frame) {
            return test::all_of(dir / "x.nc", name, frame)[static_cast<std::size_t>(i)];
        };
        EXPECT_EQ(at("mean", 0), wind(0, i));
        EXPECT_EQ(at("fell", 0), fill); // there is nothing before it
        const double a = wind(4, i), b = wind(5, i), c = wind(6, i), mean = (a + b + c) / 3;
        EXPECT_EQ(at("sum", 2), a + b + c);
        EXPECT_EQ(at("mean", 2), (a + b + c) / 3);
        EXPECT_EQ(at("gust", 2), std::max({a, b, c}));
        EXPECT_EQ(at("calm", 2), std::min({a, b, c}));
        EXPECT_EQ(at("last", 2), c);
        const double squares = (a - mean) * (a - mean) + (b - mean) * (b - mean) + (c - mean) * (c - mean);
        EXPECT_NEAR(at("sd", 2), std::sqrt(squares / 3), 1e-12);
        EXPECT_EQ(at("fell", 2), rain(6, i) - rain(3, i));
        EXPECT_EQ(at("rate", 2), (rain(6, i) - rain(3, i)) / 30);
    }
    const Reader file(dir / "x.nc");
    const auto &gust = file.field("gust");
    const auto words = std::ranges::find(gust.attributes, std::string("cell_methods"), &Attribute::name);
    ASSERT_NE(words, gust.attributes.end());
    EXPECT_EQ(std::get<std::string>(words->value), "Time: maximum");
}

TEST(OverTime, GoOnThroughARestartToTheSameBits) {
    const Scratch dir;
    {
        Session session(MPI_COMM_WORLD);
        auto whole = session.open(intervals(dir / "whole.nc"));
        steps(whole, 0, 9);
        whole.close();
        session.close();
    }
    for (const int cut : {4, 5, 6}) { // in the middle of an interval, and at its end
        Session session(MPI_COMM_WORLD);
        const auto part = [&](int n) { return dir / fmt::format("part{}_{}.nc", n, cut); };
        const auto saved = dir / fmt::format("restart{}.nc", cut);
        auto first = session.open(intervals(part(1)));
        steps(first, 0, cut);
        auto s = stream_of("restart", saved);
        s.dimensions = {{"x", 8 * ranks()}};
        s.fields = accumulators(intervals(part(1)));
        auto restart = session.open(s);
        auto frame = restart.begin({10.0 * cut});
        first.save(frame);
        frame.commit();
        restart.close();
        first.close();
        auto second = session.open(intervals(part(2)));
        MPI_Barrier(session.comm());
        second.restore(saved, 0);
        steps(second, cut + 1, 9);
        second.close();
        session.close();
        const auto frames = Reader(part(2)).frames();
        EXPECT_EQ(Reader(part(1)).frames() + frames, 4);
        for (const auto &name : made)
            for (std::int64_t f = 0; f < frames; ++f)
                EXPECT_EQ(all_of(part(2), name, f), all_of(dir / "whole.nc", name, 4 - frames + f))
                    << name << cut;
    }
}

TEST(OverTime, MayBeSavedBeforeAnythingWasPutAndAgainRightAfterARestart) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    const auto save = [&](const Stream &stream, const std::string &file) {
        auto s = stream_of("restart", file);
        s.dimensions = {{"x", 8 * ranks()}};
        s.fields = accumulators(intervals("never.nc"));
        auto restart = session.open(s);
        auto frame = restart.begin({0});
        stream.save(frame);
        frame.commit();
        restart.close();
        MPI_Barrier(session.comm());
    };
    auto first = session.open(intervals(dir / "first.nc"));
    save(first, dir / "before.nc");
    steps(first, 0, 4);
    save(first, dir / "between.nc");
    first.close();
    auto second = session.open(intervals(dir / "second.nc"));
    second.restore(dir / "between.nc", 0);
    save(second, dir / "again.nc");
    second.close();
    session.close();
    const Reader between(dir / "between.nc");
    for (const auto &field : between.fields())
        EXPECT_EQ(all_of(dir / "again.nc", field.name), all_of(dir / "between.nc", field.name)) << field.name;
    EXPECT_EQ(all_of(dir / "before.nc", "surface_samples"), std::vector<double>{0});
}

TEST(OverTime, IgnoreInSamplesWhatBelongsToFrames) {
    const Scratch dir;
    auto s = intervals(dir / "x.nc");
    s.fields.push_back({"cfl", Type::f64, {}, {}});
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    for (int step = 1; step <= 3; ++step) {
        auto frame = step == 3 ? stream.begin({10.0 * step}) : stream.sample({10.0 * step});
        frame.set("cfl", 0.1 * step);
        put_step(frame, step);
    }
    stream.close();
    session.close();
    EXPECT_EQ(all_of(dir / "x.nc", "cfl"), std::vector<double>{0.1 * 3});
}

TEST(OverTime, LeaveOutWhatIsMissing) {
    const Scratch dir;
    auto s = stream_of("surface", dir / "x.nc");
    s.dimensions = {{"x", 2 * ranks()}};
    s.sources = {{"DBZ", Type::f32, {"x"}, {}}};
    s.sources[0].fill = -99;
    s.fields = {over_time("mean", "DBZ", "mean", Type::f32), over_time("most", "DBZ", "max", Type::f32)};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    for (int step = 0; step < 3; ++step) {
        auto frame = step == 2 ? stream.begin({20}) : stream.sample({10.0 * step});
        const std::vector<float> dbz{step == 1 ? -99.0f : 10.0f * static_cast<float>(step), -99.0f};
        frame.put("DBZ", {{2 * rank()}, {2}}, dbz.data());
        frame.commit();
    }
    stream.close();
    session.close();
    const auto mean = all_of(dir / "x.nc", "mean"), most = all_of(dir / "x.nc", "most");
    EXPECT_EQ(mean[0], 10);
    EXPECT_EQ(most[0], 20);
    EXPECT_EQ(mean[1], fill);
    EXPECT_EQ(most[1], fill);
}

TEST(OverTime, FailTheFrameWhenASampleLackedTheSource) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto s = intervals(dir / "x_%M%S.nc");
    s.frames_per_file = 1;
    auto stream = session.open(s);
    steps(stream, 0, 1);
    auto lacking = stream.sample({20});
    lacking.commit();
    auto frame = stream.begin({30});
    const auto fault = error_of([&] { put_step(frame, 3); });
    EXPECT_NE(fault.find("put in 1 of 2 samples since the last frame; put it in each"), std::string::npos)
        << fault;
    EXPECT_NO_THROW(steps(stream, 4, 6)); // and all is well again
    stream.close();
    session.close();
}

/// The largest wind on a level since the last frame, averaged over the domain.
TEST(Made, MayBeMadeOfWhatIsMade) {
    const Scratch dir;
    auto s = levels(dir / "x.nc");
    s.sources.push_back(onto("t_on_level", "T", "nearest"));
    s.sources.push_back(over_time("t_most", "t_on_level", "max"));
    Field mean{"mean", Type::f64, {}, {}};
    mean.reduction = Reduction{.of = "t_most", .over = {"y", "x"}};
    Field station{"station", Type::f64, {}, {}};
    station.reduction = Reduction{.of = "t_most", .method = "linear", .over = {}, .at = "tower"};
    s.fields = {mean, station};
    s.places = {{.name = "tower", .dimensions = {"y", "x"}, .count = 1, .positions = {ny / 2 + 0.5, 0}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    for (const double warmer : {0.0, 5.0, 2.0}) {
        auto frame = warmer == 2 ? stream.begin({2}) : stream.sample({warmer});
        put(frame, "P", [](auto k, auto, auto i) { return pressure(k, i); });
        put(frame, "T", [&](auto, auto, auto) { return 280 + warmer; });
        frame.commit();
    }
    stream.close();
    session.close();
    EXPECT_EQ(all_of(dir / "x.nc", "mean"), std::vector<double>(4, 285));
    EXPECT_EQ(all_of(dir / "x.nc", "station"), std::vector<double>(4, 285));
}

TEST(Made, OfItselfOrPutByTheProgramIsRefused) {
    Session session(MPI_COMM_WORLD);
    auto s = intervals("never.nc");
    s.sources.push_back(over_time("a", "b", "max"));
    s.sources.push_back(over_time("b", "a", "max"));
    EXPECT_NE(error_of([&] { session.open(s); }).find("field a is made from b, which is made from it"),
              std::string::npos);
    const Scratch dir;
    auto t = intervals(dir / "x.nc");
    t.sources.push_back(over_time("a", "WIND", "max"));
    auto stream = session.open(t);
    auto frame = stream.begin({0});
    frame.put("a", Part(8 * ranks()).box(), std::vector<double>(8).data());
    EXPECT_NE(error_of([&] { frame.commit(); }).find("field a"), std::string::npos);
    stream.close();
    session.close();
}

TEST(OverTimeAndLevels, AreTheSameInFilesOfEveryEngine) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        for (const std::string &name : {std::string("netcdf"), engine}) {
            Session session(MPI_COMM_WORLD);
            auto profiles = levels(dir / name + ".levels"), surface = intervals(dir / name + ".time");
            profiles.engine = surface.engine = name;
            profiles.replace = surface.replace = true;
            auto stream = session.open(profiles);
            auto frame = stream.begin({0});
            put_levels(frame);
            frame.commit();
            stream.close();
            stream = session.open(surface);
            steps(stream, 0, 6);
            stream.close();
            session.close();
        }
        for (const char *name : {"t", "t_near", "t_on", "p"})
            EXPECT_EQ(test::all_of(dir / engine + ".levels", name), test::all_of(dir / "netcdf.levels", name))
                << engine << " " << name;
        for (const auto &name : made)
            for (int f = 0; f < 3; ++f)
                EXPECT_EQ(test::all_of(dir / engine + ".time", name, f),
                          test::all_of(dir / "netcdf.time", name, f))
                    << engine << " " << name;
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

} // namespace squall::io::test
