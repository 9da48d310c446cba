/// The checksum of a field does not depend on how it is cut, nor on what the points lie among.

#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "declare/encode.hpp"

namespace squall::io::test {
namespace {

template <class T> std::vector<T> numbers(std::size_t n) {
    std::vector<T> all(n);
    std::iota(all.begin(), all.end(), T(1));
    return all;
}

template <class T> void cut_in_four(Type type) {
    const std::vector<std::int64_t> shape{3, 10, 7};
    const Box whole{{0, 0, 0}, shape};
    auto points = numbers<T>(210);
    const auto sum = checksum(whole, shape, points.data(), type);
    std::uint64_t parts = 0;
    for (const auto &part : {Box{{0, 0, 0}, {3, 4, 7}}, Box{{0, 4, 0}, {3, 6, 2}}, Box{{0, 4, 2}, {2, 6, 5}},
                             Box{{2, 4, 2}, {1, 6, 5}}})
        parts += checksum(part, whole, shape, points.data(), type);
    EXPECT_EQ(parts, sum);
    EXPECT_EQ(checksum(Box{{1, 2, 3}, {0, 2, 2}}, whole, shape, points.data(), type), 0u);
    points[100] = T(0);
    EXPECT_NE(checksum(whole, shape, points.data(), type), sum);
}

TEST(Checksum, OfPartsAddsUpToThatOfTheWhole) {
    cut_in_four<float>(Type::f32);
    cut_in_four<double>(Type::f64);
    cut_in_four<std::int16_t>(Type::i16);
    cut_in_four<std::uint8_t>(Type::u8);
}

TEST(Checksum, OfAPartIsThatOfItsPointsByThemselves) {
    const std::vector<std::int64_t> shape{8, 9};
    const Box box{{2, 1}, {4, 6}}, part{{3, 2}, {2, 3}};
    const auto points = numbers<float>(24);
    const std::vector<float> alone{8, 9, 10, 14, 15, 16};
    EXPECT_EQ(checksum(part, box, shape, points.data(), Type::f32),
              checksum(part, shape, alone.data(), Type::f32));
}

TEST(Checksum, OfANumberWithoutDimensionsIsThere) {
    const double value = 3;
    EXPECT_NE(checksum({}, {}, &value, Type::f64), 0u);
}

} // namespace
} // namespace squall::io::test
