/// Memory of large arrays in huge pages: a sweep walks over all fields of a row at once, more than a
/// processor remembers the small pages of. A system without them gives small ones.
#pragma once

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace squall::transport {

template <class T> struct HugePages {
    using value_type = T;
    static constexpr std::align_val_t huge_page{std::size_t(2) << 20};

    HugePages() = default;
    template <class U> HugePages(const HugePages<U> &) {}

    T *allocate(std::size_t n) {
        void *p = ::operator new(n * sizeof(T), huge_page);
        madvise(p, n * sizeof(T), MADV_HUGEPAGE);
        return static_cast<T *>(p);
    }
    void deallocate(T *p, std::size_t) { ::operator delete(p, huge_page); }
    bool operator==(const HugePages &) const = default;
};

} // namespace squall::transport
