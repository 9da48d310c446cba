#include "crc32c.hpp"

#include <array>

namespace squall::io {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t c = n;
        for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
        table[n] = c;
    }
    return table;
}

} // namespace

std::uint32_t crc32c(const void *data, std::size_t bytes, std::uint32_t seed) {
    static constexpr auto table = make_table();
    const auto *at = static_cast<const std::uint8_t *>(data);
    std::uint32_t c = ~seed;
    for (std::size_t n = 0; n < bytes; ++n) c = c >> 8 ^ table[(c ^ at[n]) & 0xff];
    return ~c;
}

} // namespace squall::io
