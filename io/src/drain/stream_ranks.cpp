#include "drain/stream_ranks.hpp"

namespace squall::io {

StreamRanks::StreamRanks(MPI_Comm comm, Patience patience) : drain_(comm, patience) {}

bool StreamRanks::are(MPI_Comm comm) const {
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(comm, this->comm(), &same);
    return same == MPI_IDENT || same == MPI_CONGRUENT;
}

} // namespace squall::io
