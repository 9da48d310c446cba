/// Where the points of a patch are in arrays of any order.

#include <gtest/gtest.h>

#include "squall/io_memory_order.hpp"

namespace squall::io::test {
namespace {

struct Bounds {
    std::vector<int> first, last;
    operator IndexBounds() const { return {first.data(), last.data()}; }
};

ArrayPart part(const char *order, const std::vector<int> &domain, const Bounds &memory, const Bounds &patch) {
    return part_of(*MemoryOrder::from(order), domain.data(), memory, patch);
}

TEST(MemoryOrder, TellsBoxStridesAndFirstPointOfAPatchInAHalo) {
    const auto p = part(" xzy", {1, 1, 1}, {{-4, 1, -3}, {10, 5, 12}}, {{1, 1, 2}, {7, 5, 9}});
    EXPECT_EQ(p.box, (Box{{0, 1, 0}, {5, 8, 7}})); // z, y, x
    EXPECT_EQ(p.strides, (Strides{15, 75, 1}));
    EXPECT_EQ(p.first, 5 + 5 * 75);
}

TEST(MemoryOrder, KnowsPlanesColumnsListsScalarsAndStrips) {
    EXPECT_EQ(part("YX", {1, 1}, {{1, 1}, {4, 6}}, {{2, 3}, {4, 6}}).box, (Box{{1, 2}, {3, 4}}));
    EXPECT_EQ(part("YX", {1, 1}, {{1, 1}, {4, 6}}, {{2, 3}, {4, 6}}).strides, (Strides{1, 4}));
    const auto strip = part("YEZ", {1, 1, 1}, {{1, 1, 1}, {8, 3, 5}}, {{2, 1, 1}, {6, 3, 5}});
    EXPECT_EQ(strip.box, (Box{{0, 0, 1}, {5, 3, 5}}));
    EXPECT_EQ(strip.strides, (Strides{24, 8, 1}));
    for (const auto *order : {"Z", "C", "0"}) EXPECT_TRUE(MemoryOrder::from(order)->replicated());
    EXPECT_FALSE(MemoryOrder::from("X")->replicated());
    EXPECT_EQ(part("0", {}, {}, {}).box, (Box{}));
    EXPECT_EQ(MemoryOrder::from("zxy")->of_field(), "XYZ");
    EXPECT_EQ(MemoryOrder::from("XS")->of_field(), "XS");
    for (const auto *wrong : {"", "XX", "XYZT", "XSY", "S"}) EXPECT_FALSE(MemoryOrder::from(wrong)) << wrong;
}

TEST(MemoryOrder, OfAnEmptyPatchIsAnEmptyBoxWhereverItIs) {
    const auto p = part("XY", {1, 1}, {{5, 5}, {9, 9}}, {{20, 20}, {19, 25}});
    EXPECT_EQ(p.box, (Box{{0, 0}, {0, 0}}));
    EXPECT_EQ(p.first, 0);
}

TEST(MemoryOrder, RefusesAPatchThatIsNotInTheMemory) {
    EXPECT_THROW(part("XY", {1, 1}, {{1, 1}, {4, 4}}, {{1, 0}, {4, 4}}), Error);
    EXPECT_THROW(part("XY", {1, 1}, {{1, 1}, {4, 4}}, {{1, 1}, {5, 4}}), Error);
}

} // namespace
} // namespace squall::io::test
