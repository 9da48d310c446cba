/// The checksum of a field does not depend on how it is cut, nor on what the points lie among; that of bytes
/// is Castagnoli's.

#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "common/crc32c.hpp"
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

TEST(Crc32c, is_castagnoli_for_every_length_and_alignment) {
    EXPECT_EQ(crc32c("123456789", 9), 0xE3069283u);
    EXPECT_EQ(crc32c("", 0), 0u);
    std::vector<unsigned char> data(60000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
    for (const std::size_t n : {1, 7, 8, 255, 767, 768, 800, 12287, 12288, 13000, 49999})
        for (const std::size_t at : {0, 1, 5}) {
            std::uint32_t c = ~0u; // bit by bit
            for (std::size_t i = 0; i < n; ++i) {
                c ^= data[at + i];
                for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
            }
            EXPECT_EQ(crc32c(data.data() + at, n), ~c) << n;
            EXPECT_EQ(crc32c(data.data() + at + n / 3, n - n / 3, crc32c(data.data() + at, n / 3)), ~c) << n;
        }
}

} // namespace
} // namespace squall::io::test
