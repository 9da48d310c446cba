/// Numbers as the classic formats of netCDF store them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace squall::io::netcdf {

/// The number whose big-endian bytes begin at `bytes`.
template <class T> T big_endian(const std::byte *bytes) {
    using Bits = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    Bits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    if constexpr (std::endian::native == std::endian::little && sizeof(T) == 2)
        bits = __builtin_bswap16(bits);
    if constexpr (std::endian::native == std::endian::little && sizeof(T) == 4)
        bits = __builtin_bswap32(bits);
    if constexpr (std::endian::native == std::endian::little && sizeof(T) == 8)
        bits = __builtin_bswap64(bits);
    return std::bit_cast<T>(bits);
}

} // namespace squall::io::netcdf
