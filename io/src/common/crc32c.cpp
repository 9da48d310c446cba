#include "common/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <nmmintrin.h>
#define SQUALL_CRC32_INSTRUCTION
#endif

namespace squall::io {
namespace {

using Table = std::array<std::uint32_t, 256>;

/// tables[n][b]: what byte b has become after n more bytes of zeros.
constexpr std::array<Table, 8> make_tables() {
    std::array<Table, 8> tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t c = b;
        for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
        tables[0][b] = c;
    }
    for (std::size_t n = 1; n < 8; ++n)
        for (std::uint32_t b = 0; b < 256; ++b)
            tables[n][b] = tables[n - 1][b] >> 8 ^ tables[0][tables[n - 1][b] & 0xff];
    return tables;
}
constexpr auto tables = make_tables();

std::uint32_t by_bytes(std::uint32_t c, const std::uint8_t *at, std::size_t bytes) {
    for (std::size_t n = 0; n < bytes; ++n) c = c >> 8 ^ tables[0][(c ^ at[n]) & 0xff];
    return c;
}

/// Eight bytes at a time, on any processor.
[[maybe_unused]] std::uint32_t by_tables(std::uint32_t c, const std::uint8_t *at, std::size_t bytes) {
    for (; bytes >= 8; at += 8, bytes -= 8) {
        std::uint32_t next = 0;
        for (std::size_t n = 0; n < 8; ++n)
            next ^= tables[7 - n][(n < 4 ? c >> (8 * n) ^ at[n] : at[n]) & 0xff];
        c = next;
    }
    return by_bytes(c, at, bytes);
}

#ifdef SQUALL_CRC32_INSTRUCTION

/// What a checksum becomes when `length` zero bytes follow. Linear, hence a table per byte of it.
class Zeros {
  public:
    explicit Zeros(std::size_t length) {
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
            std::uint32_t c = 1u << bit;
            for (std::size_t n = 0; n < length; ++n) c = c >> 8 ^ tables[0][c & 0xff];
            const std::uint32_t low = 1u << bit % 8;
            for (std::uint32_t b = 0; b < 256; ++b)
                if (b & low) tables_[bit / 8][b] ^= c;
        }
    }
    std::uint32_t after(std::uint32_t c) const {
        return tables_[0][c & 0xff] ^ tables_[1][c >> 8 & 0xff] ^ tables_[2][c >> 16 & 0xff] ^
               tables_[3][c >> 24];
    }

  private:
    std::array<Table, 4> tables_{};
};

std::uint64_t word(const std::uint8_t *at) {
    std::uint64_t w = 0;
    std::memcpy(&w, at, sizeof w);
    return w;
}

/// The instruction gives a result per cycle, but each takes three: three stretches go side by side.
template <std::size_t stretch>
__attribute__((target("sse4.2"))) void by_three(std::uint64_t &c, const std::uint8_t *&at,
                                                std::size_t &bytes) {
    static const Zeros zeros(stretch);
    for (; bytes >= 3 * stretch; at += 3 * stretch, bytes -= 3 * stretch) {
        std::uint64_t second = 0, third = 0;
        for (std::size_t n = 0; n < stretch; n += 8) {
            c = _mm_crc32_u64(c, word(at + n));
            second = _mm_crc32_u64(second, word(at + stretch + n));
            third = _mm_crc32_u64(third, word(at + 2 * stretch + n));
        }
        c = zeros.after(static_cast<std::uint32_t>(c)) ^ second;
        c = zeros.after(static_cast<std::uint32_t>(c)) ^ third;
    }
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t start, const std::uint8_t *at,
                                                               std::size_t bytes) {
    std::uint64_t c = start;
    by_three<4096>(c, at, bytes);
    by_three<256>(c, at, bytes);
    for (; bytes >= 8; at += 8, bytes -= 8) c = _mm_crc32_u64(c, word(at));
    return by_bytes(static_cast<std::uint32_t>(c), at, bytes);
}

#endif

} // namespace

std::uint32_t crc32c(const void *data, std::size_t bytes, std::uint32_t seed) {
    const auto *at = static_cast<const std::uint8_t *>(data);
#ifdef SQUALL_CRC32_INSTRUCTION
    if (__builtin_cpu_supports("sse4.2")) return ~by_instruction(~seed, at, bytes);
#endif
    return ~by_tables(~seed, at, bytes);
}

} // namespace squall::io
