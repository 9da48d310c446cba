/// Who owns which points, declared once.

#include <random>

#include <gtest/gtest.h>

#include "declared.hpp"

namespace squall::io::test {

/// Points of a 1-D grid dealt to the ranks at random, those of each in random order.
std::vector<std::int64_t> dealt(std::int64_t n, unsigned seed) {
    std::mt19937 random(seed); // the same on every rank
    std::vector<std::int64_t> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), random);
    const Part part(n);
    return {all.begin() + part.begin, all.begin() + part.begin + part.count};
}

TEST(Decomposition, AListOfScatteredPointsComesOutInOrder) {
    constexpr std::int64_t n = 600, levels = 3;
    for (const std::string placement : {"inline", "thread"})
        for (const std::string engine : {"netcdf", "zarr"}) {
            const auto built = storing_engines();
            if (std::ranges::find(built, engine) == built.end()) continue;
            const Scratch dir;
            auto spec = stream_of("cells", dir / "x", engine);
            spec.placement = placement;
            spec.dimensions = {{"lev", levels}, {"cell", n}};
            spec.decompositions = {
                {.name = "cells", .dimensions = {"cell"}, .boxes = {}, .indices = dealt(n, 3)}};
            spec.fields = {{"T", Type::f32, {"lev", "cell"}, {}}, {"P", Type::i32, {"cell"}, {}}};
            for (auto &f : spec.fields) f.decomposition = "cells";
            const auto indices = spec.decompositions[0].indices;
            Session session(MPI_COMM_WORLD);
            auto stream = session.open(spec);
            std::vector<double> t;
            std::vector<std::int32_t> p;
            for (std::int64_t l = 0; l < levels; ++l)
                for (const auto i : indices) t.push_back(static_cast<double>(1000 * l + i));
            for (const auto i : indices) p.push_back(static_cast<std::int32_t>(i));
            auto frame = stream.begin({});
            frame.put("T", t.data());
            frame.put("P", p.data());
            EXPECT_EQ(error_of([&] { frame.commit(); }), "");
            stream.close();
            const auto whole = all_of(dir / "x", "T");
            for (std::int64_t l = 0; l < levels; ++l)
                for (std::int64_t i = 0; i < n; ++i)
                    ASSERT_EQ(whole[static_cast<std::size_t>(l * n + i)], 1000 * l + i)
                        << engine << placement;
            EXPECT_EQ(all_of(dir / "x", "P")[77], 77);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST(Decomposition, AListCutToASubsetKeepsTheRightPoints) {
    const Scratch dir;
    auto spec = stream_of("cells", dir / "x.nc");
    spec.dimensions = {{"lev", 4}, {"cell", 100}};
    spec.subset = {{"cell", 10, 90, 3}, {"lev", 1, 4, 2}};
    spec.decompositions = {{.name = "cells", .dimensions = {"cell"}, .boxes = {}, .indices = dealt(100, 5)}};
    spec.fields = {{"T", Type::f64, {"lev", "cell"}, {}}};
    spec.fields[0].decomposition = "cells";
    std::vector<double> t;
    for (int l = 0; l < 4; ++l)
        for (const auto i : spec.decompositions[0].indices) t.push_back(static_cast<double>(100 * l + i));
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    auto frame = stream.begin({});
    frame.put("T", t.data());
    frame.commit();
    const auto whole = all_of(dir / "x.nc", "T");
    ASSERT_EQ(whole.size(), 2u * 27);
    for (int l = 0; l < 2; ++l)
        for (int i = 0; i < 27; ++i)
            EXPECT_EQ(whole[static_cast<std::size_t>(27 * l + i)], 100 * (1 + 2 * l) + 10 + 3 * i);
}

/// A grid of 4 x 10 blocks of one column each, of which the rank has some, and nobody has the last two.
StreamSpec ocean(const std::string &path) {
    auto spec = stream_of("ocean", path);
    spec.dimensions = {{"z", 2}, {"y", 4}, {"x", 10}};
    Decomposition d{.name = "tracers", .dimensions = {"y", "x"}, .boxes = {}};
    for (std::int64_t x = 0; x < 8; ++x)
        if (x % ranks() == rank()) d.boxes.push_back({{0, x}, {4, 1}});
    if (rank() == ranks() - 1) d.unowned = {{{0, 8}, {4, 2}}};
    spec.decompositions = {d};
    spec.fields = {{"T", Type::f32, {"z", "y", "x"}, {}},
                   {"mask", Type::i8, {"y", "x"}, {}, false},
                   {"S", Type::f32, {"z", "y", "x"}, {}}};
    for (auto &f : spec.fields) f.decomposition = "tracers";
    spec.fields[2].fill = -999;
    return spec;
}

TEST(Decomposition, BoxesOfEachRankAndTheFillValueWhereNobodyIs) {
    const Scratch dir;
    const auto spec = ocean(dir / "x.nc");
    const auto columns = spec.decompositions[0].boxes;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    std::vector<float> t;
    for (const auto &box : columns)
        for (int z = 0; z < 2; ++z)
            for (int y = 0; y < 4; ++y) t.push_back(static_cast<float>(100 * z + 10 * y + box.start[1]));
    stream.put("mask", std::vector<std::int8_t>(4 * columns.size(), 1).data());
    auto frame = stream.begin({});
    frame.put("T", t.data());
    frame.put("S", t.data());
    frame.commit();
    const auto back = all_of(dir / "x.nc", "T"), s = all_of(dir / "x.nc", "S"),
               mask = all_of(dir / "x.nc", "mask");
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 10; ++x) {
                const auto at = static_cast<std::size_t>((z * 4 + y) * 10 + x);
                EXPECT_EQ(back[at], x < 8 ? 100 * z + 10 * y + x : 9.9692099683868690e+36);
                EXPECT_EQ(s[at], x < 8 ? 100 * z + 10 * y + x : -999);
                EXPECT_EQ(mask[at % 40], x < 8 ? 1 : -127);
            }
    const Reader file(dir / "x.nc");
    const auto &attributes = file.field("S").attributes;
    EXPECT_TRUE(std::ranges::any_of(attributes, [](const Attribute &a) {
        return a.name == "_FillValue" && a.value == Value(std::vector{-999.0f});
    }));
}

TEST(Decomposition, AHoleThatIsNotDeclaredStillFailsTheFrame) {
    const Scratch dir;
    auto spec = ocean(dir / "x.nc");
    spec.fields.erase(spec.fields.begin() + 1); // none is fixed in time
    for (auto &box : spec.decompositions[0].unowned) box.count[1] = 1;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    const std::vector<float> t(8 * spec.decompositions[0].boxes.size(), 1);
    auto frame = stream.begin({});
    frame.put("T", t.data());
    frame.put("S", t.data());
    const auto text = error_of([&] { frame.commit(); });
    EXPECT_NE(text.find("8 of 80 points were not put"), std::string::npos) << text;
}

TEST(Decomposition, RefusesWhatCannotBe) {
    const auto with = [](auto change) {
        auto spec = ocean("x.nc");
        change(spec, spec.decompositions[0]);
        Session session(MPI_COMM_WORLD);
        return error_of([&] { session.open(spec); });
    };
    EXPECT_EQ(with([](auto &, auto &) {}), "");
    EXPECT_NE(with([](auto &, auto &d) { d.name = "u"; }).find("decomposition tracers is not declared"),
              std::string::npos);
    EXPECT_NE(with([](auto &, auto &d) {
                  d.boxes = {{{0, 9}, {4, 2}}};
              }).find("reaches outside"),
              std::string::npos);
    EXPECT_NE(with([](auto &s, auto &) {
                  s.fields[0].dimensions = {"z", "x", "y"};
              }).find("its last dimensions"),
              std::string::npos);
    EXPECT_NE(with([](auto &, auto &d) {
                  d.boxes.clear();
                  d.indices = {1};
              }).find("must be one"),
              std::string::npos);
}

} // namespace squall::io::test
