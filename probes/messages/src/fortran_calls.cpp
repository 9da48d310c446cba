// The same for programs in Fortran. What they call differs: mpi_send_ from mpif.h and `use mpi`,
// mpi_send_f08_ (Open MPI) or mpi_send_f08ts_ (MPICH) from `use mpi_f08`. All pass addresses: a wrapper looks
// at counts and types, and hands everything on as it came to the library's symbol of the same name.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "record.hpp"

namespace squall::messages {
namespace {

/// The next library's. The program calls what that has, so it is there.
template <class F> F *next(const char *symbol) {
    auto *found = reinterpret_cast<F *>(dlsym(RTLD_NEXT, symbol));
    if (!found) {
        std::fprintf(stderr, "squall: this program's MPI has no %s\n", symbol);
        std::abort();
    }
    return found;
}

double size_at(const void *count, const void *type) {
    const MPI_Datatype of = PMPI_Type_f2c(*static_cast<const MPI_Fint *>(type));
    return size_of(nullptr, static_cast<int>(*static_cast<const MPI_Fint *>(count)), of);
}

int ranks_of(const void *communicator) {
    int ranks = 1;
    PMPI_Comm_size(PMPI_Comm_f2c(*static_cast<const MPI_Fint *>(communicator)), &ranks);
    return ranks;
}

double all_sizes_at(const void *counts, const void *type, const void *communicator) {
    const MPI_Fint one = 1;
    return sum_of(static_cast<const int *>(counts),
                  PMPI_Comm_f2c(*static_cast<const MPI_Fint *>(communicator))) *
           size_at(&one, type);
}

} // namespace
} // namespace squall::messages

using namespace squall::messages;
using Address = void *;

#define TYPES_1 Address
#define TYPES_2 Address, TYPES_1
#define TYPES_3 Address, TYPES_2
#define TYPES_4 Address, TYPES_3
#define TYPES_5 Address, TYPES_4
#define TYPES_6 Address, TYPES_5
#define TYPES_7 Address, TYPES_6
#define TYPES_8 Address, TYPES_7
#define TYPES_9 Address, TYPES_8
#define TYPES_10 Address, TYPES_9
#define TYPES_13 Address, Address, Address, TYPES_10
#define NAMED_1 Address a1
#define NAMED_2 NAMED_1, Address a2
#define NAMED_3 NAMED_2, Address a3
#define NAMED_4 NAMED_3, Address a4
#define NAMED_5 NAMED_4, Address a5
#define NAMED_6 NAMED_5, Address a6
#define NAMED_7 NAMED_6, Address a7
#define NAMED_8 NAMED_7, Address a8
#define NAMED_9 NAMED_8, Address a9
#define NAMED_10 NAMED_9, Address a10
#define NAMED_13 NAMED_10, Address a11, Address a12, Address a13
#define PASSED_1 a1
#define PASSED_2 PASSED_1, a2
#define PASSED_3 PASSED_2, a3
#define PASSED_4 PASSED_3, a4
#define PASSED_5 PASSED_4, a5
#define PASSED_6 PASSED_5, a6
#define PASSED_7 PASSED_6, a7
#define PASSED_8 PASSED_7, a8
#define PASSED_9 PASSED_8, a9
#define PASSED_10 PASSED_9, a10
#define PASSED_13 PASSED_10, a11, a12, a13

#define ONE_SYMBOL(name, symbol, arguments, bytes)                                                           \
    void symbol(NAMED_##arguments) {                                                                         \
        static auto *const real = next<void(TYPES_##arguments)>(#symbol);                                    \
        const Counted counted(place_of(#name), bytes);                                                       \
        real(PASSED_##arguments);                                                                            \
    }
// A subroutine of so many arguments, the error among them, by all its symbols.
#define COUNTED(name, lower, arguments, bytes)                                                               \
    ONE_SYMBOL(name, mpi_##lower##_, arguments, bytes)                                                       \
    ONE_SYMBOL(name, mpi_##lower##_f08_, arguments, bytes)                                                   \
    ONE_SYMBOL(name, mpi_##lower##_f08ts_, arguments, bytes)
#define AROUND(symbol, arguments, before, after)                                                             \
    void symbol(NAMED_##arguments) {                                                                         \
        before;                                                                                              \
        next<void(TYPES_##arguments)>(#symbol)(PASSED_##arguments);                                          \
        after;                                                                                               \
    }

extern "C" {

AROUND(mpi_init_, 1, , Record::ours().begin())
AROUND(mpi_init_f08_, 1, , Record::ours().begin())
AROUND(mpi_init_thread_, 4, , Record::ours().begin())
AROUND(mpi_init_thread_f08_, 4, , Record::ours().begin())
AROUND(mpi_finalize_, 1, Record::ours().write(), )
AROUND(mpi_finalize_f08_, 1, Record::ours().write(), )

COUNTED(Send, send, 7, size_at(a2, a3))
COUNTED(Ssend, ssend, 7, size_at(a2, a3))
COUNTED(Rsend, rsend, 7, size_at(a2, a3))
COUNTED(Bsend, bsend, 7, size_at(a2, a3))
COUNTED(Isend, isend, 8, size_at(a2, a3))
COUNTED(Issend, issend, 8, size_at(a2, a3))
COUNTED(Irsend, irsend, 8, size_at(a2, a3))
COUNTED(Ibsend, ibsend, 8, size_at(a2, a3))
COUNTED(Sendrecv, sendrecv, 13, size_at(a2, a3))
COUNTED(Recv, recv, 8, size_at(a2, a3))
COUNTED(Irecv, irecv, 8, size_at(a2, a3))
COUNTED(Bcast, bcast, 6, size_at(a2, a3))
COUNTED(Reduce, reduce, 8, size_at(a3, a4))
COUNTED(Allreduce, allreduce, 7, size_at(a3, a4))
COUNTED(Scan, scan, 7, size_at(a3, a4))
COUNTED(Exscan, exscan, 7, size_at(a3, a4))
COUNTED(Gather, gather, 9, size_at(a2, a3))
COUNTED(Gatherv, gatherv, 10, size_at(a2, a3))
COUNTED(Allgather, allgather, 8, size_at(a2, a3))
COUNTED(Allgatherv, allgatherv, 9, size_at(a2, a3))
COUNTED(Scatter, scatter, 9, size_at(a5, a6))
COUNTED(Scatterv, scatterv, 10, size_at(a6, a7))
COUNTED(Alltoall, alltoall, 8, ranks_of(a7) * size_at(a2, a3))
COUNTED(Alltoallv, alltoallv, 10, all_sizes_at(a2, a4, a9))
COUNTED(Barrier, barrier, 2, 0)
COUNTED(Wait, wait, 3, 0)
COUNTED(Waitall, waitall, 4, 0)
COUNTED(Waitany, waitany, 5, 0)
COUNTED(Test, test, 4, 0)
COUNTED(Probe, probe, 5, 0)

} // extern "C"
