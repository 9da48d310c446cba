/// CRC-32C (Castagnoli), as Zarr's crc32c codec wants it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace squall::io {

/// Of `bytes` bytes, continuing from the checksum `seed` of what came before.
std::uint32_t crc32c(const void *data, std::size_t bytes, std::uint32_t seed = 0);

} // namespace squall::io
