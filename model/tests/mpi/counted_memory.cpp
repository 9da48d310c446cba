#include "../counted_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> blocks, bytes;

/// `how(n)`: memory of n bytes, or none.
template <class How> void *counted(std::size_t n, How how) {
    blocks.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(std::int64_t(n), std::memory_order_relaxed);
    void *place = how(std::max<std::size_t>(n, 1));
    if (!place) throw std::bad_alloc();
    return place;
}

} // namespace

squall::test::CountedMemory squall::test::counted_memory() { return {blocks, bytes}; }

// All others of the standard library go by these.
void *operator new(std::size_t n) {
    return counted(n, [](std::size_t size) { return std::malloc(size); });
}
void *operator new(std::size_t n, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(
        n, [=](std::size_t size) { return std::aligned_alloc(unit, (size + unit - 1) / unit * unit); });
}
void operator delete(void *place) noexcept { std::free(place); }
void operator delete(void *place, std::size_t) noexcept { std::free(place); }
void operator delete(void *place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void *place, std::size_t, std::align_val_t) noexcept { std::free(place); }
