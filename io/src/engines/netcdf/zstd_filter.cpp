#include "engines/netcdf/zstd_filter.hpp"

#include <memory>

#include <hdf5.h>
#include <zstd.h>

namespace squall::io::netcdf {
namespace {

using Memory = std::unique_ptr<void, decltype(&H5free_memory)>;

Memory allocate(std::size_t bytes) { return {H5allocate_memory(bytes, false), H5free_memory}; }

/// Hands over `bytes` bytes in memory of `size` for the buffer that HDF5 gave.
std::size_t replace(Memory memory, std::size_t bytes, std::size_t capacity, std::size_t *size,
                    void **buffer) {
    H5free_memory(*buffer);
    *buffer = memory.release();
    *size = capacity;
    return bytes;
}

std::size_t compress(int level, std::size_t bytes, std::size_t *size, void **buffer) {
    const std::size_t capacity = ZSTD_compressBound(bytes);
    auto to = allocate(capacity);
    if (!to) return 0;
    const auto length = ZSTD_compress(to.get(), capacity, *buffer, bytes, level);
    if (ZSTD_isError(length)) return 0;
    return replace(std::move(to), length, capacity, size, buffer);
}

std::size_t expand(std::size_t bytes, std::size_t *size, void **buffer) {
    const auto length = ZSTD_getFrameContentSize(*buffer, bytes);
    if (length == ZSTD_CONTENTSIZE_UNKNOWN || length == ZSTD_CONTENTSIZE_ERROR) return 0;
    auto to = allocate(length);
    if (!to || ZSTD_decompress(to.get(), length, *buffer, bytes) != length) return 0;
    return replace(std::move(to), length, length, size, buffer);
}

/// HDF5's H5Z_func_t: the number of bytes in *buffer afterwards, or 0 on failure.
std::size_t filter(unsigned flags, std::size_t parameters, const unsigned values[], std::size_t bytes,
                   std::size_t *size, void **buffer) {
    if (flags & H5Z_FLAG_REVERSE) return expand(bytes, size, buffer);
    return compress(parameters > 0 ? static_cast<int>(values[0]) : ZSTD_CLEVEL_DEFAULT, bytes, size, buffer);
}

} // namespace

bool register_zstd_filter() {
    static constexpr H5Z_class2_t description = {H5Z_CLASS_T_VERS, zstd_filter, 1,       1,
                                                 "zstd",           nullptr,     nullptr, filter};
    return H5Zfilter_avail(zstd_filter) > 0 || H5Zregister(&description) >= 0;
}

} // namespace squall::io::netcdf
