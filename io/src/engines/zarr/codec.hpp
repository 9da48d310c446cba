/// What is done to the bytes of an inner chunk, and how it is undone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "declare/layout.hpp"

struct ZSTD_CCtx_s;

namespace squall::io::zarr {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::byte>;

/// Of a chunk, before it is compressed [bytes]; Blosc's limit is 2 GiB.
constexpr std::size_t largest_chunk = std::size_t(1) << 30;

/// Compresses chunks of one type of element. Not for several threads at a time.
class Compressor {
  public:
    Compressor(const Codec &codec, Type type);

    bool compresses() const { return codec_.name != "none"; }
    /// Bytes that the result may need at most.
    std::size_t bound(std::size_t bytes) const;
    /// Returns the bytes of the result. Throws Error.
    std::size_t compress(const void *from, std::size_t bytes, std::byte *to, std::size_t room);

    /// As Zarr's metadata says it, from `bytes` to the closing `crc32c`.
    Json description() const;

  private:
    Codec codec_;
    std::size_t element_;
    std::shared_ptr<ZSTD_CCtx_s> zstd_;
};

/// What is wrong with a level, or "".
std::string level_fault(const Codec &codec);

/// Appends the checksum of what is in `data` from `from` on.
void append_crc32c(Bytes &data, std::size_t from);

/// A list of codecs in Zarr's metadata that begins with `bytes` (or, for text, `vlen-utf8`), to be undone.
class Chain {
  public:
    /// Throws Error on a codec that it does not know.
    explicit Chain(const Json &codecs);

    /// Undoes the chain; the result, of `bytes` bytes if that is known, lies in `data` or in `room`. Throws
    /// Error if a checksum does not hold or the data cannot be decoded; takes no more memory than `bytes`,
    /// and than is in proportion to the data.
    std::span<const std::byte> undo(std::span<const std::byte> data, std::optional<std::size_t> bytes,
                                    Bytes &room) const;
    /// Bytes that the chain adds. Throws Error if it compresses.
    std::size_t overhead() const;

  private:
    enum class Step { crc32c, zstd, blosc };
    std::vector<Step> steps_; ///< in the order in which they were done
};

} // namespace squall::io::zarr
