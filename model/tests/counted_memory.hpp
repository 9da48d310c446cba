/// How much memory a test program asks for by operator new, of any kind: every object, list and array of the
/// model, and nothing that MPI, OpenMP or the C library keep for themselves.
#pragma once

#include <cstdint>

namespace squall::test {

/// Since the program began, by all threads.
struct CountedMemory {
    std::int64_t blocks = 0, bytes = 0;
    CountedMemory since(const CountedMemory &before) const {
        return {blocks - before.blocks, bytes - before.bytes};
    }
};

CountedMemory counted_memory();

} // namespace squall::test
