/// Largest values with their places, agreed over ranks.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <mpi.h>

namespace squall {

/// A value and its place in some order of the domain's points; the earlier place wins a tie, so
/// that the result does not depend on the decomposition.
struct Placed {
    double value = 0;
    std::int64_t place = std::numeric_limits<std::int64_t>::max();
    bool beats(const Placed &other) const {
        return value > other.value || (value == other.value && place < other.place);
    }
};

/// Replaces each entry by the best of all ranks. Collective over `comm`.
void best_of_ranks(MPI_Comm comm, std::span<Placed> entries);

} // namespace squall
