#include "core/subnormal.hpp"

#include <cstdint>

#if defined(__SSE3__)
#include <pmmintrin.h>
#include <xmmintrin.h>
#endif

namespace squall {
namespace {

void flush_in_this_thread() {
#if defined(__SSE3__)
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
#elif defined(__aarch64__)
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" : : "r"(control | std::uint64_t(1) << 24)); // FZ
#endif
}

} // namespace

void flush_subnormals() {
#pragma omp parallel
    flush_in_this_thread();
}

} // namespace squall
