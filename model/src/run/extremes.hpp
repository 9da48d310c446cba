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

/// Finds the best of all ranks of a communicator: what MPI has to know for that is told it once.
class BestOfRanks {
  public:
    explicit BestOfRanks(MPI_Comm comm);
    ~BestOfRanks();
    BestOfRanks(const BestOfRanks &) = delete;
    BestOfRanks &operator=(const BestOfRanks &) = delete;

    /// Replaces each entry by the best. Collective.
    void find(std::span<Placed> entries) const;

  private:
    MPI_Comm comm_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op op_ = MPI_OP_NULL;
};

} // namespace squall
