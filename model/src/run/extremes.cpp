#include "run/extremes.hpp"

namespace squall {
namespace {

void keep_best(void *in, void *inout, int *count, MPI_Datatype *) {
    const auto *a = static_cast<const Placed *>(in);
    auto *b = static_cast<Placed *>(inout);
    for (int n = 0; n < *count; ++n)
        if (a[n].beats(b[n])) b[n] = a[n];
}

} // namespace

void best_of_ranks(MPI_Comm comm, std::span<Placed> entries) {
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_contiguous(sizeof(Placed), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(keep_best, 1, &op);
    MPI_Allreduce(MPI_IN_PLACE, entries.data(), static_cast<int>(entries.size()), type, op, comm);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

} // namespace squall
