/// Which fields of a frame travel together.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "drain/batches.hpp"

namespace squall::io::test {
namespace {

/// Fields of 2.3 MB, each a single shard of a store.
Layout fields(const std::string &engine, int number) {
    StreamSpec s;
    s.name = "batches", s.path = "unused", s.engine = engine;
    s.dimensions = {{"z", 40}, {"y", 120}, {"x", 120}};
    for (int f = 0; f < number; ++f)
        s.fields.push_back({fmt::format("F{}", f), Type::f32, {"z", "y", "x"}, {}});
    return Layout(s);
}

using Numbers = std::vector<std::vector<int>>;

TEST(Batches, FieldsOfDifferentWritersTravelTogetherSoThatBothWrite) {
    const Layout layout = fields("zarr", 5);
    EXPECT_EQ(Batches(layout, 2).of(true), (Numbers{{0, 1}, {2, 3}, {4}}));
    EXPECT_EQ(Batches(layout, 4).of(true), (Numbers{{0, 1, 2, 3}, {4}})); // the first has a second one
}

TEST(Batches, AWriterHoldsNoMoreThanHeMayOfFieldsThatTravelTogether) {
    const Layout layout = fields("netcdf", 3); // all to the first
    EXPECT_EQ(Batches(layout, 4).of(true), (Numbers{{0}, {1}, {2}}));
}

TEST(Batches, ManyWritersSendOneAsMuchAsMakesAMessageOfEachWithinTheLimitOfTheStream) {
    Layout layout = fields("netcdf", 7);
    EXPECT_EQ(Batches(layout, 20).of(true), (Numbers{{0, 1}, {2, 3}, {4, 5}, {6}})); // 5 MiB
    EXPECT_EQ(Batches(layout, 40).of(true), (Numbers{{0, 1, 2, 3}, {4, 5, 6}}));     // 10 MiB
    EXPECT_EQ(Batches(layout, 4000).of(true), (Numbers{{0, 1, 2, 3, 4, 5, 6}}));     // 256 MiB
    layout.spec.staging_limit = 5 << 20;
    EXPECT_EQ(Batches(layout, 4000).of(true), (Numbers{{0, 1}, {2, 3}, {4, 5}, {6}}));
}

} // namespace
} // namespace squall::io::test
