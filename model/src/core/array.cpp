#include "core/array.hpp"

#include <atomic>
#include <mutex>
#include <new>

#include <sys/mman.h>

#include "core/device.hpp"

namespace squall {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t(2) << 20;

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// Elements before i = 0 in a row: what the halo needs. Rows that follow each other without gaps stream
/// from memory faster than rows that begin on a cache line (15 % of a time step on 40 cells a row).
constexpr int lead = halo_width;
/// Rows are a multiple of half a cache line, and the first i = 0 begins a whole one: so that most of a
/// kernel's vectors lie in one cache line.
constexpr std::size_t row_unit = 8;
constexpr int first = 16; ///< element of the first owned point of the first row
static_assert(first >= lead);

std::ptrdiff_t pitch(Shape s) {
    return static_cast<std::ptrdiff_t>(
        round_up(static_cast<std::size_t>(lead + s.nx + 1 + halo_width), row_unit));
}

/// Elements beyond the last row that whole vectors may read (for_each_i_ahead, loop.hpp).
constexpr std::size_t read_ahead = 16;

/// Memory in huge pages: a step walks over some hundred arrays at once, more than a processor remembers
/// the small pages of (6 % of a time step). A system without them gives small ones.
std::shared_ptr<std::byte> allocate_block(std::size_t bytes) {
    if (device::in_use())
        return {static_cast<std::byte *>(device::allocate(bytes)), [](std::byte *b) { device::release(b); }};
    constexpr std::align_val_t alignment{huge_page};
    auto *p = static_cast<std::byte *>(::operator new[](bytes, alignment));
    std::shared_ptr<std::byte> block(p, [](std::byte *b) { ::operator delete[](b, alignment); });
    madvise(p, bytes, MADV_HUGEPAGE);
    return block;
}

/// Cuts pieces from blocks, small ones from a block that they share. A block lives as long as its pieces.
class Pool {
  public:
    std::shared_ptr<std::byte> take(std::size_t bytes) {
        constexpr std::size_t shared_block = 8 * huge_page;
        // The same point of two arrays should not meet in one set of the cache.
        const std::lock_guard lock(mutex_);
        if (bytes > shared_block / 2) {
            const std::size_t shift = (large_++ % 64) * 21 * cache_line;
            const auto block = allocate_block(round_up(bytes + shift, huge_page));
            return {block, block.get() + shift};
        }
        if (!block_ || used_ + bytes > shared_block) {
            block_ = allocate_block(shared_block);
            used_ = 0;
        }
        std::shared_ptr<std::byte> piece(block_, block_.get() + used_);
        used_ += round_up(bytes, cache_line) + 5 * cache_line;
        return piece;
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<std::byte> block_;
    std::size_t used_ = 0, large_ = 0; ///< of the block; arrays with a block of their own
};

/// Zeros. Memory goes on from south to north, and so do tiles, which threads share out in equal parts
/// (for_each_tile): the thread that writes a part first is the one that will compute on it.
void clear(real *p, std::size_t n) {
    constexpr std::size_t part = huge_page / sizeof(real);
    const auto parts = static_cast<std::ptrdiff_t>((n + part - 1) / part);
#pragma omp parallel for schedule(static) if (parts > 1)
    for (std::ptrdiff_t i = 0; i < parts; ++i) {
        const auto begin = static_cast<std::size_t>(i) * part;
        std::fill_n(p + begin, std::min(part, n - begin), real(0));
    }
}

std::atomic<std::size_t> allocated = 0;

} // namespace

int row_end(Shape shape, int halo) { return static_cast<int>(pitch(shape)) - halo; }

namespace detail {
std::unique_ptr<real[], Release> allocate(std::size_t n) {
    static Pool pool;
    const std::size_t readable = n + read_ahead;
    const std::size_t bytes = readable * sizeof(real);
    const auto piece = pool.take(bytes);
    auto *p = reinterpret_cast<real *>(piece.get());
    clear(p, readable);
    allocated += bytes;
    return {p, Release{piece, bytes}};
}

void Release::operator()(real *) const { allocated -= bytes; }
} // namespace detail

std::size_t allocated_bytes() { return allocated; }

Array3::Array3(Shape s) {
    const std::ptrdiff_t sk = pitch(s);
    const std::ptrdiff_t sj = sk * (s.nz + 1);
    size_ = static_cast<std::size_t>(first - lead + sj * (s.ny + 1 + 2 * halo_width));
    data_ = detail::allocate(size_);
    view_ = {data_.get() + first + sj * halo_width, sk, sj};
}

Array2::Array2(Shape s) {
    const std::ptrdiff_t sj = pitch(s);
    size_ = static_cast<std::size_t>(first - lead + sj * (s.ny + 1 + 2 * halo_width));
    data_ = detail::allocate(size_);
    view_ = {data_.get() + first + sj * halo_width, sj};
}

} // namespace squall
