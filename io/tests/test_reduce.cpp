/// Fields that are made of others where the data lies.

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "zonal.hpp"

namespace squall::io::test {

TEST(Reductions, AreTheSameToTheBitHoweverTheDomainIsCutAndByEveryEngine) {
    for (const auto &engine : storing_engines())
        for (const auto cut : {Cut::rows, Cut::columns, Cut::bricks}) {
            const Scratch dir;
            write_zonal(zonal(dir / "x", engine, "inline"), cut, 2);
            SCOPED_TRACE(fmt::format("{}, cut {}", engine, static_cast<int>(cut)));
            expect_zonal(dir / "x", 2);
        }
}

TEST(Reductions, AreTheSameWhoeverWrites) {
    for (const int servers : {1, 2}) {
        if (servers >= ranks()) continue;
        for (const bool shared : {true, false}) {
            const Scratch dir;
            write_zonal(zonal(dir / "x.nc", "netcdf", "servers"), Cut::columns, 3,
                        {.servers = servers, .shared_memory = shared});
            expect_zonal(dir / "x.nc", 3);
        }
    }
    const Scratch dir;
    write_zonal(zonal(dir / "x.nc", "netcdf", "thread"), Cut::bricks, 3);
    expect_zonal(dir / "x.nc", 3);
}

TEST(Reductions, TellWhatTheyAreAsCfHasIt) {
    const Scratch dir;
    write_zonal(zonal(dir / "x.nc", "netcdf", "inline"), Cut::rows, 1);
    const Reader file(dir / "x.nc");
    const auto &field = file.field("zonal_mean");
    EXPECT_EQ(field.dimensions, (std::vector<std::string>{"z", "y"}));
    const auto methods = std::ranges::find(field.attributes, std::string("cell_methods"), &Attribute::name);
    ASSERT_NE(methods, field.attributes.end());
    EXPECT_EQ(std::get<std::string>(methods->value), "x: mean (weighted by area)");
    EXPECT_FALSE(file.has("T"));
    EXPECT_FALSE(file.has("area"));
}

TEST(Reductions, LeaveOutWhatIsMaskedOrMissingOrElsewhere) {
    const Scratch dir;
    auto s = stream_of("land", dir / "x.nc");
    s.dimensions = {{"y", 4}, {"x", 8 * ranks()}};
    s.fields = {{"T", Type::f32, {"y", "x"}, {}},
                made("land_mean", {.of = "T", .over = {"x"}, .mask = "land"}),
                made("land_points", {.of = "T", .method = "count", .over = {"x"}, .mask = "land"}, Type::i64),
                made("west", {.of = "T", .method = "sum", .over = {"x"}, .within = {{"x", 0, 3}}})};
    s.fields[0].fill = -1;
    s.sources = {{"land", Type::i8, {"y", "x"}, {}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    auto frame = stream.begin({});
    std::vector<std::int8_t> land;
    std::vector<float> t;
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 8; ++i) {
            land.push_back(j == 3 ? 0 : i % 2);
            t.push_back(j == 1 && i < 4 ? -1.0f : static_cast<float>(100 * j + i));
        }
    const Box box{{0, 8 * rank()}, {4, 8}};
    frame.put("land", box, land.data());
    frame.put("T", box, t.data());
    EXPECT_EQ(error_of([&] { frame.commit(); }), "");
    stream.close();
    session.close();
    const double missing = 9.9692099683868690e+36;
    EXPECT_EQ(all_of(dir / "x.nc", "land_mean"), (std::vector<double>{4, 106, 204, missing}));
    const double n = ranks();
    EXPECT_EQ(all_of(dir / "x.nc", "land_points"), (std::vector<double>{4 * n, 2 * n, 4 * n, 0}));
    EXPECT_EQ(all_of(dir / "x.nc", "west"), (std::vector<double>{3, missing, 603, 903}));
}

TEST(Reductions, OfQuantilesAreThoseOfTheBins) {
    const Scratch dir;
    auto s = stream_of("spread", dir / "x.nc");
    s.dimensions = {{"n", 1000}};
    s.sources = {{"T", Type::f64, {"n"}, {}}};
    for (const double q : {0.0, 0.1, 0.5, 1.0})
        s.fields.push_back(made(fmt::format("q{:.0f}", 100 * q), {.of = "T",
                                                                  .method = "quantile",
                                                                  .over = {"n"},
                                                                  .quantile = q,
                                                                  .low = 0,
                                                                  .high = 1000,
                                                                  .bins = 500}));
    s.sources.push_back({"share", Type::f64, {"n"}, {}});
    s.fields.push_back(made("weighted", {.of = "T",
                                         .method = "quantile",
                                         .over = {"n"},
                                         .weight = "share",
                                         .low = 0,
                                         .high = 1000,
                                         .bins = 500}));
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    auto frame = stream.begin({});
    const Part part(1000);
    std::vector<double> t;
    for (auto n = part.begin; n < part.begin + part.count; ++n)
        t.push_back(static_cast<double>(n * 389 % 1000) + 0.5);
    frame.put("share", part.box(), t.data()); // each value counts as much as it is
    frame.put("T", part.box(), t.data());
    frame.commit();
    stream.close();
    session.close();
    EXPECT_NEAR(all_of(dir / "x.nc", "q0")[0], 0, 2);
    EXPECT_NEAR(all_of(dir / "x.nc", "q10")[0], 100, 2);
    EXPECT_NEAR(all_of(dir / "x.nc", "q50")[0], 500, 2);
    EXPECT_NEAR(all_of(dir / "x.nc", "q100")[0], 1000, 2);
    EXPECT_NEAR(all_of(dir / "x.nc", "weighted")[0], 1000 / std::sqrt(2), 2);
}

TEST(Reductions, GoWithTheFieldItselfAndWithOnePutForAllStreams) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto both = zonal(dir / "both.nc", "netcdf", "thread");
    both.name = "both";
    both.fields.push_back(both.sources[0]);
    both.sources.erase(both.sources.begin());
    auto a = session.open(both), b = session.open(zonal(dir / "means.nc", "netcdf", "thread"));
    const auto boxes = boxes_of(Cut::columns, rank(), ranks());
    put_area(a, boxes), put_area(b, boxes);
    auto fa = a.begin({0.0}), fb = b.begin({0.0});
    for (const auto &box : boxes) {
        std::vector<float> t;
        for (std::int64_t k = 0; k < nz; ++k)
            for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
                for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i)
                    t.push_back(value_at(k, j, i, 0));
        EXPECT_EQ(session.put("T", box, t.data()), 2);
    }
    fa.commit(), fb.commit();
    a.close(), b.close();
    session.close();
    expect_zonal(dir / "both.nc", 1);
    expect_zonal(dir / "means.nc", 1);
    EXPECT_EQ(all_of(dir / "both.nc", "T")[5], value_at(0, 0, 5, 0));
}

TEST(Reductions, AreNotPutWithFieldsOfTheirNameInOtherStreams) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto whole = stream_of("whole", dir / "whole.nc", "netcdf");
    whole.dimensions = {{"x", nx}};
    whole.fields = {{"T", Type::f64, {"x"}, {}}};
    auto mean = whole;
    mean.name = "mean", mean.path = dir / "mean.nc";
    mean.sources = {{"all of T", Type::f64, {"x"}, {}}};
    mean.fields = {made("T", {.of = "all of T", .over = {"x"}})};
    auto a = session.open(whole), b = session.open(mean);
    auto fa = a.begin({0.0}), fb = b.begin({0.0});
    const std::vector<double> t(rank() == 0 ? nx : 0, 3.0);
    const Box box{{0}, {std::ssize(t)}};
    EXPECT_EQ(session.put("T", box, t.data()), 1);
    EXPECT_EQ(session.put("all of T", box, t.data()), 1);
    fa.commit(), fb.commit();
    a.close(), b.close();
    session.close();
    EXPECT_EQ(all_of(dir / "whole.nc", "T"), std::vector<double>(nx, 3.0));
    EXPECT_EQ(all_of(dir / "mean.nc", "T"), std::vector<double>{3.0});
}

TEST(Reductions, OfAFieldWithAHoleFailTheFrameByName) {
    for (const auto *placement : {"inline", "thread"}) {
        const Scratch dir;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(zonal(dir / "x.nc", "netcdf", placement));
        auto boxes = boxes_of(Cut::columns, rank(), ranks());
        put_area(stream, boxes);
        auto frame = stream.begin({});
        if (rank() == ranks() - 1) --boxes[0].count[2]; // the last column is missing
        put_t(frame, boxes, 0);
        auto error = error_of([&] { frame.commit(); });
        error += error_of([&] { stream.close(); });
        EXPECT_NE(error.find("points of its source T are missing or were put twice"), std::string::npos)
            << error;
        error_of([&] { session.close(); });
    }
}

TEST(Reductions, OfPointsThatWerePutTwiceFailTheFrame) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(zonal(dir / "x.nc", "netcdf", "inline"));
    auto boxes = boxes_of(Cut::columns, rank(), ranks());
    put_area(stream, boxes);
    auto frame = stream.begin({});
    if (rank() == 0) { // one point less, another twice: the number of points is right
        boxes = {{{0, 0, 0}, {nz, ny, boxes[0].count[2] - 1}}, {{0, 0, 0}, {nz, ny, 1}}};
    }
    put_t(frame, boxes, 0);
    const auto error = error_of([&] { frame.commit(); });
    EXPECT_NE(error.find("put twice"), std::string::npos) << error;
    stream.close();
}

TEST(Reductions, NameTheWeightThatIsNotThere) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(zonal(dir / "x.nc", "netcdf", "inline"));
    auto frame = stream.begin({});
    put_t(frame, boxes_of(Cut::rows, rank(), ranks()), 0);
    const auto error = error_of([&] { frame.commit(); });
    EXPECT_NE(error.find("field T: area, its weight, mask or coordinate, was not put"), std::string::npos)
        << error;
    EXPECT_NE(error.find("put it with Stream::put, before the first frame"), std::string::npos) << error;
}

TEST(Reductions, OfPointsWithoutWeightAreMissing) {
    const Scratch dir;
    auto s = stream_of("land", dir / "x.nc");
    s.dimensions = {{"y", 2}, {"x", 3 * ranks()}};
    s.sources = {{"T", Type::f32, {"y", "x"}, {}}, {"share", Type::f32, {"y", "x"}, {}}};
    s.fields = {made("mean", {.of = "T", .over = {"x"}, .weight = "share"}),
                made("median", {.of = "T",
                                .method = "quantile",
                                .over = {"x"},
                                .weight = "share",
                                .low = 0,
                                .high = 10,
                                .bins = 10})};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    auto frame = stream.begin({});
    const Box box{{0, 3 * rank()}, {2, 3}};
    const float share[] = {0, 0, 0, 1, 0, 3}, t[] = {1, 2, 3, 4, 5, 8};
    frame.put("share", box, share);
    frame.put("T", box, t);
    frame.commit();
    stream.close();
    const double missing = 9.9692099683868690e+36;
    EXPECT_EQ(all_of(dir / "x.nc", "mean"), (std::vector<double>{missing, 7}));
    EXPECT_EQ(all_of(dir / "x.nc", "median"), (std::vector<double>{missing, 8 + 1. / 3})); // 8 has 3 of 4
}

TEST(Reductions, WantSourcesThatArePutWhereTheyWereDeclared) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(zonal(dir / "x.nc", "netcdf", "inline"));
    const auto boxes = boxes_of(Cut::rows, rank(), ranks());
    const std::vector<float> zeros(static_cast<std::size_t>(nz * ny * nx));
    stream.put("T", boxes[0], zeros.data());
    auto frame = stream.begin({});
    const auto error = error_of([&] { frame.commit(); });
    EXPECT_NE(error.find("field T: it is per frame; put it with Frame::put"), std::string::npos) << error;
}

TEST(Reductions, OfARankThatMeansAnotherFrameAreNamed) {
    if (ranks() < 2) GTEST_SKIP() << "one rank means what it means";
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(zonal(dir / "x.nc", "netcdf", "thread"));
    const auto boxes = boxes_of(Cut::columns, rank(), ranks());
    put_area(stream, boxes);
    std::string error;
    error += error_of([&] { // the frame may have failed before this commit returns
        auto frame = stream.begin({0.0});
        put_t(frame, boxes, 0);
        if (rank() == 1)
            frame.abandon();
        else
            frame.commit();
    });
    error += error_of([&] {
        auto frame = stream.begin({60.0});
        put_t(frame, boxes, 1);
        frame.commit();
    });
    error += error_of([&] { stream.close(); });
    const bool named =
        error.find("rank 1 ") != std::string::npos; // where frames meet first: here or in the drain
    EXPECT_TRUE(rank() != 0 || named) << error;
    EXPECT_FALSE(error.empty());
    error_of([&] { session.close(); });
}

TEST(Reductions, ThatCannotWorkAreRefusedWhenDeclared) {
    Session session(MPI_COMM_WORLD);
    const auto refusal = [&](const std::function<void(StreamSpec &)> &spoil) {
        auto spec = zonal("x.nc", "netcdf", "inline");
        spoil(spec);
        return error_of([&] { session.open(spec); });
    };
    const auto of = [&](auto change) {
        return refusal([&](StreamSpec &s) { change(*s.fields[0].reduction); });
    };
    EXPECT_EQ(of([](Reduction &r) { r.of = "TT"; }), "stream zonal: field zonal_mean: its source is TT, "
                                                     "which is neither a field that is put nor a "
                                                     "source; did you mean \"T\"? (choose one of: T, area)");
    EXPECT_NE(of([](Reduction &r) { r.method = "median"; }).find("there is no method \"median\""),
              std::string::npos);
    EXPECT_NE(of([](Reduction &r) {
                  r.over = {"w"};
              }).find("`over` names dimension w, but T has the dimensions: z, y, x"),
              std::string::npos);
    EXPECT_NE(of([](Reduction &r) { r.over = {}; }).find("`over` names no dimension"), std::string::npos);
    EXPECT_NE(of([](Reduction &r) { r.weight = "mass"; }).find("its weight is mass, which is neither"),
              std::string::npos);
    EXPECT_NE(of([](Reduction &r) { r.method = "max"; }).find("method max cannot be weighted"),
              std::string::npos);
    EXPECT_NE(of([](Reduction &r) {
                  r.within = {{"y", 0, 3}};
              }).find("which is not reduced"),
              std::string::npos);
    EXPECT_NE(of([](Reduction &r) { r.within = {{"x", 9, 99}}; }).find("indices 9 to 99"), std::string::npos);
    EXPECT_NE(
        of([](Reduction &r) { r = {.of = "T", .method = "quantile", .over = {"x"}}; }).find("needs bins"),
        std::string::npos);
    EXPECT_NE(refusal([](StreamSpec &s) { s.fields[0].dimensions = {"z"}; }).find("T leaves: z, y"),
              std::string::npos);
    EXPECT_NE(refusal([](StreamSpec &s) { s.sources.push_back(s.sources[0]); }).find("declared twice"),
              std::string::npos);
}

} // namespace squall::io::test
