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

BestOfRanks::BestOfRanks(MPI_Comm comm) : comm_(comm) {
    MPI_Type_contiguous(sizeof(Placed), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
    MPI_Op_create(keep_best, 1, &op_);
}

BestOfRanks::~BestOfRanks() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized) return;
    MPI_Op_free(&op_);
    MPI_Type_free(&type_);
}

void BestOfRanks::find(std::span<Placed> entries) const {
    MPI_Allreduce(MPI_IN_PLACE, entries.data(), static_cast<int>(entries.size()), type_, op_, comm_);
}

} // namespace squall
