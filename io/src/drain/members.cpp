#include "drain/members.hpp"

namespace squall::io {

Members::Members(MPI_Comm comm, Patience patience) : drain_(comm, patience) {}

bool Members::are(MPI_Comm comm) const {
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(comm, this->comm(), &same);
    return same == MPI_IDENT || same == MPI_CONGRUENT;
}

} // namespace squall::io
