#include "core/subnormal.hpp"

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace squall {
namespace {

void flush_in_this_thread() {
#if defined(__x86_64__)
    constexpr unsigned flush_results = 0x8000, operands_are_zero = 0x0040; // of MXCSR
    _mm_setcsr(_mm_getcsr() | flush_results | operands_are_zero);
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
