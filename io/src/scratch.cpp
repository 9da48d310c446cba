#include "scratch.hpp"

#include <algorithm>
#include <new>

#include <sys/mman.h>

namespace squall::io {

std::shared_ptr<void> zero_pages(std::size_t bytes) {
    bytes = std::max<std::size_t>(bytes, 1);
    void *at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return {at, [bytes](void *p) { munmap(p, bytes); }};
}

} // namespace squall::io
