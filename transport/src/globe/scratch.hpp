/// Memory for what is needed within a step only, kept for the next one.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <vector>

namespace squall::transport {

/// A thread's own: what it gives back it gets again, in blocks of up to 4 MB. Larger ones are the system's
/// each time.
inline std::pmr::memory_resource &kept_memory() {
    constexpr std::size_t largest = std::size_t(4) << 20;
    static thread_local std::pmr::unsynchronized_pool_resource memory({1, largest});
    return memory;
}

template <class T> struct KeptMemory {
    using value_type = T;

    KeptMemory() = default;
    template <class U> KeptMemory(const KeptMemory<U> &) {}

    T *allocate(std::size_t n) { return static_cast<T *>(kept_memory().allocate(n * sizeof(T), alignof(T))); }
    void deallocate(T *p, std::size_t n) { kept_memory().deallocate(p, n * sizeof(T), alignof(T)); }
    bool operator==(const KeptMemory &) const = default;
};

/// A vector that lives within a step, on one thread.
template <class T> using Scratch = std::vector<T, KeptMemory<T>>;

} // namespace squall::transport
