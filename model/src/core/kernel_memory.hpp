/// Small tables and buffers where kernels can reach them, on whichever processor they run.
#pragma once

#include <list>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "core/device.hpp"

namespace squall {

template <class T> struct KernelAllocator {
    using value_type = T;
    KernelAllocator() = default;
    template <class U> KernelAllocator(const KernelAllocator<U> &) {}
    T *allocate(std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        return static_cast<T *>(device::in_use() ? device::allocate(bytes) : ::operator new(bytes));
    }
    void deallocate(T *p, std::size_t) { device::in_use() ? device::release(p) : ::operator delete(p); }
    bool operator==(const KernelAllocator &) const = default;
};

template <class T> using KernelVector = std::vector<T, KernelAllocator<T>>;

/// Keeps copies of tables for as long as itself.
class KernelMemory {
  public:
    template <class T> const T *keep(std::span<const T> table) {
        const auto copy = std::make_shared<KernelVector<T>>(table.begin(), table.end());
        tables_.push_back(copy);
        return copy->data();
    }

  private:
    std::list<std::shared_ptr<const void>> tables_;
};

} // namespace squall
