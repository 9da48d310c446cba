#include "engines/zarr/codec.hpp"

#include <algorithm>
#include <cstring>

#include <blosc.h>
#include <fmt/format.h>
#include <zstd.h>

#include "common/crc32c.hpp"
#include "common/document.hpp"

namespace squall::io::zarr {
namespace {

using Item = io::Item<Json>;

constexpr auto damaged = "the file is damaged, use another copy";
constexpr std::size_t most_codecs = 16;

// Where more level buys little; see docs/how-to/zarr.md.
int level_of(const Codec &codec) {
    if (codec.level >= 0) return codec.level;
    return codec.name == "zstd" ? 3 : codec.name == "blosc-zstd" ? 1 : 5;
}

/// Blosc's own name of a codec called "blosc-...".
std::string inside_blosc(const Codec &codec) { return codec.name.substr(codec.name.find('-') + 1); }

using View = std::span<const std::byte>;

View check_and_cut(View data) {
    std::uint32_t kept = 0;
    if (data.size() < sizeof kept) throw Error(fmt::format("a chunk is truncated; {}", damaged));
    const auto body = data.first(data.size() - sizeof kept);
    std::memcpy(&kept, body.data() + body.size(), sizeof kept);
    if (crc32c(body.data(), body.size()) != kept)
        throw Error(fmt::format("a checksum does not match (crc32c); {}", damaged));
    return body;
}

/// How many times larger than what is stored a chunk may become. Zstd makes at best a block of 128 KiB of
/// 4 bytes.
constexpr std::size_t largest_ratio = 1 << 16;

/// How many bytes there may be.
struct Sizes {
    std::size_t least = 0, most = largest_chunk;

    void require(std::size_t size) const {
        if (least == most && size != most)
            throw Error(fmt::format("a chunk has {} bytes instead of {}; {}", size, most, damaged));
        if (size > most)
            throw Error(fmt::format("a chunk claims to decompress to {} bytes; {}", size, damaged));
    }
};

/// Room for what is decoded to `size` bytes out of `stored` ones.
Bytes room_for(std::size_t size, std::size_t stored, const Sizes &sizes) {
    sizes.require(size);
    if (size / largest_ratio > stored + 16)
        throw Error(fmt::format("a chunk of {} bytes claims to decompress to {}; {}", stored, size, damaged));
    return Bytes(size);
}

Bytes undo_zstd(View data, std::size_t stored, const Sizes &sizes) {
    const auto size = ZSTD_getFrameContentSize(data.data(), data.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        throw Error(fmt::format("a chunk is not a zstd frame of known size; {}", damaged));
    auto out = room_for(size, stored, sizes);
    const auto n = ZSTD_decompress(out.data(), out.size(), data.data(), data.size());
    if (ZSTD_isError(n) || n != size) throw Error(fmt::format("zstd cannot decode a chunk; {}", damaged));
    return out;
}

Bytes undo_blosc(View data, std::size_t stored, const Sizes &sizes) {
    std::size_t size = 0;
    if (blosc_cbuffer_validate(data.data(), data.size(), &size) != 0)
        throw Error(fmt::format("a chunk is not a Blosc buffer; {}", damaged));
    auto out = room_for(size, stored, sizes);
    if (blosc_decompress_ctx(data.data(), out.data(), out.size(), 1) != static_cast<int>(size))
        throw Error(fmt::format("Blosc cannot decode a chunk; {}", damaged));
    return out;
}

bool little_endian(const Item &bytes) {
    if (!bytes.has("configuration") || !bytes["configuration"].has("endian")) return true;
    return bytes["configuration"]["endian"].text() == "little";
}

} // namespace

Compressor::Compressor(const Codec &codec, Type type)
    : codec_{codec.name, level_of(codec)}, element_(size_of(type)) {
    if (codec.name == "zstd") zstd_.reset(ZSTD_createCCtx(), ZSTD_freeCCtx);
}

std::size_t Compressor::bound(std::size_t bytes) const {
    return zstd_ ? ZSTD_compressBound(bytes) : bytes + BLOSC_MAX_OVERHEAD;
}

std::size_t Compressor::compress(const void *from, std::size_t bytes, std::byte *to, std::size_t room) {
    if (zstd_) {
        const auto n = ZSTD_compressCCtx(zstd_.get(), to, room, from, bytes, codec_.level);
        if (ZSTD_isError(n)) throw Error(fmt::format("zstd failed: {}", ZSTD_getErrorName(n)));
        return n;
    }
    const int n = blosc_compress_ctx(codec_.level, BLOSC_SHUFFLE, element_, bytes, from, to, room,
                                     inside_blosc(codec_).c_str(), 0, 1);
    if (n <= 0)
        throw Error(fmt::format("Blosc failed with code {}; does it have {}?", n, inside_blosc(codec_)));
    return static_cast<std::size_t>(n);
}

Json Compressor::description() const {
    Json bytes = {{"name", "bytes"}};
    if (element_ > 1) bytes["configuration"] = {{"endian", "little"}};
    Json chain = Json::array({bytes});
    if (zstd_)
        chain.push_back(
            {{"name", "zstd"}, {"configuration", {{"level", codec_.level}, {"checksum", false}}}});
    else if (compresses())
        chain.push_back({{"name", "blosc"},
                         {"configuration",
                          {{"typesize", element_},
                           {"cname", inside_blosc(codec_)},
                           {"clevel", codec_.level},
                           {"shuffle", "shuffle"},
                           {"blocksize", 0}}}});
    chain.push_back({{"name", "crc32c"}});
    return chain;
}

std::string level_fault(const Codec &codec) {
    if (codec.level > 9 && codec.name.starts_with("blosc"))
        return fmt::format("codec {}:{}: Blosc has levels 0 to 9", codec.name, codec.level);
    return "";
}

void append_crc32c(Bytes &data, std::size_t from) {
    const auto sum = crc32c(data.data() + from, data.size() - from);
    data.resize(data.size() + sizeof sum);
    std::memcpy(data.data() + data.size() - sizeof sum, &sum, sizeof sum);
}

Chain::Chain(const Json &codecs) {
    const auto all = Item(codecs, "codecs").items();
    if (all.empty()) throw Error("an array without codecs; the metadata is damaged");
    if (all.size() > most_codecs) throw Error(fmt::format("{} codecs; the metadata is damaged", all.size()));
    for (std::size_t n = 0; n < all.size(); ++n) {
        const auto name = all[n]["name"].text();
        if (n > 0 && name == "crc32c")
            steps_.push_back(Step::crc32c);
        else if (n > 0 && (name == "zstd" || name == "blosc"))
            steps_.push_back(name == "zstd" ? Step::zstd : Step::blosc);
        else if (n > 0 || (name != "vlen-utf8" && (name != "bytes" || !little_endian(all[n]))))
            throw Error(fmt::format("Squall cannot read codec {}; it reads: bytes (little endian), zstd, "
                                    "blosc, crc32c, sharding_indexed",
                                    all[n].json().dump()));
    }
}

View Chain::undo(View data, std::optional<std::size_t> bytes, Bytes &room) const {
    const auto stored = data.size();
    for (auto n = steps_.size(); n-- > 0;) {
        // What checksums alone were added to before has a size that is known.
        const bool known =
            bytes && std::all_of(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(n),
                                 [](Step s) { return s == Step::crc32c; });
        Sizes sizes;
        if (known) sizes.least = sizes.most = *bytes + n * sizeof(std::uint32_t);
        if (steps_[n] == Step::crc32c) {
            data = check_and_cut(data);
        } else {
            room = steps_[n] == Step::zstd ? undo_zstd(data, stored, sizes) : undo_blosc(data, stored, sizes);
            data = room;
        }
    }
    if (bytes && data.size() != *bytes)
        throw Error(fmt::format("a chunk has {} bytes instead of {}; {}", data.size(), *bytes, damaged));
    return data;
}

std::size_t Chain::overhead() const {
    for (const auto step : steps_)
        if (step != Step::crc32c) throw Error("the index of a shard is compressed, which Squall cannot read");
    return steps_.size() * sizeof(std::uint32_t);
}

} // namespace squall::io::zarr
