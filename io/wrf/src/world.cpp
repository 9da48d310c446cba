/// WRF's calls of MPI that begin and end it, and those that name a communicator, are answered here and passed
/// on.
///
/// WRF starts MPI without asking for threads that call it, which placement `thread` needs on several ranks:
/// it gets them. Where ranks are set aside to write, they serve from here on and never return to WRF; for all
/// others MPI_COMM_WORLD stands for the ranks that compute. WRF calls MPI by its Fortran names, where every
/// argument is an address; those of C that it calls have communicators that it made before.

#include "world.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <mpi.h>

#include <fmt/format.h>

#include "calls.hpp"
#include "model.hpp"
#include "settings.hpp"

namespace squall::wrf {
namespace {

struct World {
    std::shared_ptr<io::Session> session;
    MPI_Fint all = 0, computing = 0; ///< as Fortran names them
};
World &world() {
    static World world;
    return world;
}

/// The same call of the MPI library.
template <class Call> Call *next(const char *name) {
    auto *call = reinterpret_cast<Call *>(dlsym(RTLD_NEXT, name));
    if (!call) fail(fmt::format("the MPI library has no {}; link WRF with a shared MPI library", name));
    return call;
}

void *seen_by_wrf(void *communicator) {
    auto &now = world();
    return now.session && *static_cast<MPI_Fint *>(communicator) == now.all ? &now.computing : communicator;
}
MPI_Comm seen_by_wrf(MPI_Comm communicator) {
    const auto &session = world().session;
    return session && communicator == MPI_COMM_WORLD ? session->comm() : communicator;
}

/// Sets the servers aside, if the user asked for any.
void divide() {
    if (!settings(MPI_COMM_WORLD).servers()) return;
    auto session = std::make_shared<io::Session>(MPI_COMM_WORLD, settings(MPI_COMM_WORLD).session());
    if (!session->computes()) {
        session->serve();
        session.reset();
        MPI_Finalize();
        std::exit(EXIT_SUCCESS);
    }
    world() = {session, MPI_Comm_c2f(MPI_COMM_WORLD), MPI_Comm_c2f(session->comm())};
}

} // namespace

std::shared_ptr<io::Session> served_session() { return world().session; }

} // namespace squall::wrf

using namespace squall::wrf;

extern "C" {

void mpi_init_thread_(const MPI_Fint *, MPI_Fint *provided, MPI_Fint *error) {
    const MPI_Fint required = MPI_THREAD_MULTIPLE;
    // The library's own call in Fortran prepares its constants too.
    next<void(const MPI_Fint *, MPI_Fint *, MPI_Fint *)>("mpi_init_thread_")(&required, provided, error);
    try {
        divide();
    } catch (const std::exception &e) {
        fail(e.what());
    }
}

void mpi_init_(MPI_Fint *error) {
    MPI_Fint provided = 0;
    mpi_init_thread_(nullptr, &provided, error);
}

void mpi_finalize_(MPI_Fint *error) {
    try {
        end_layers();
        if (const auto session = std::exchange(world().session, nullptr)) session->close();
    } catch (const std::exception &e) {
        fail(e.what());
    }
    next<void(MPI_Fint *)>("mpi_finalize_")(error);
}

// NAME(arguments), of which `comm` is the communicator.
#define PASSED_ON(name, parameters, arguments)                                                               \
    void name parameters {                                                                                   \
        comm = seen_by_wrf(comm);                                                                            \
        static auto *const call = next<void parameters>(#name);                                              \
        call arguments;                                                                                      \
    }
PASSED_ON(mpi_comm_rank_, (void *comm, void *b, void *c), (comm, b, c))
PASSED_ON(mpi_comm_size_, (void *comm, void *b, void *c), (comm, b, c))
PASSED_ON(mpi_comm_dup_, (void *comm, void *b, void *c), (comm, b, c))
PASSED_ON(mpi_comm_split_, (void *comm, void *b, void *c, void *d, void *e), (comm, b, c, d, e))
PASSED_ON(mpi_cart_create_, (void *comm, void *b, void *c, void *d, void *e, void *f, void *g),
          (comm, b, c, d, e, f, g))
PASSED_ON(mpi_barrier_, (void *comm, void *b), (comm, b))
PASSED_ON(mpi_bcast_, (void *a, void *b, void *c, void *d, void *comm, void *f), (a, b, c, d, comm, f))
PASSED_ON(mpi_reduce_, (void *a, void *b, void *c, void *d, void *e, void *f, void *comm, void *h),
          (a, b, c, d, e, f, comm, h))
PASSED_ON(mpi_allreduce_, (void *a, void *b, void *c, void *d, void *e, void *comm, void *g),
          (a, b, c, d, e, comm, g))
PASSED_ON(mpi_gather_, (void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *comm, void *i),
          (a, b, c, d, e, f, g, comm, i))
PASSED_ON(mpi_gatherv_,
          (void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *comm, void *j),
          (a, b, c, d, e, f, g, h, comm, j))
PASSED_ON(mpi_scatterv_,
          (void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *comm, void *j),
          (a, b, c, d, e, f, g, h, comm, j))
PASSED_ON(mpi_allgather_, (void *a, void *b, void *c, void *d, void *e, void *f, void *comm, void *h),
          (a, b, c, d, e, f, comm, h))
PASSED_ON(mpi_allgatherv_,
          (void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *comm, void *i),
          (a, b, c, d, e, f, g, comm, i))
PASSED_ON(mpi_alltoallv_,
          (void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *comm, void *j),
          (a, b, c, d, e, f, g, h, comm, j))
PASSED_ON(mpi_send_, (void *a, void *b, void *c, void *d, void *e, void *comm, void *g),
          (a, b, c, d, e, comm, g))
PASSED_ON(mpi_ssend_, (void *a, void *b, void *c, void *d, void *e, void *comm, void *g),
          (a, b, c, d, e, comm, g))
PASSED_ON(mpi_recv_, (void *a, void *b, void *c, void *d, void *e, void *comm, void *g, void *h),
          (a, b, c, d, e, comm, g, h))
PASSED_ON(mpi_isend_, (void *a, void *b, void *c, void *d, void *e, void *comm, void *g, void *h),
          (a, b, c, d, e, comm, g, h))
PASSED_ON(mpi_irecv_, (void *a, void *b, void *c, void *d, void *e, void *comm, void *g, void *h),
          (a, b, c, d, e, comm, g, h))
#undef PASSED_ON

#ifndef MPI_Comm_f2c // a function
MPI_Comm MPI_Comm_f2c(MPI_Fint comm) { return seen_by_wrf(PMPI_Comm_f2c(comm)); }
#else // the same number in C
int MPI_Comm_rank(MPI_Comm comm, int *rank) { return PMPI_Comm_rank(seen_by_wrf(comm), rank); }
int MPI_Comm_size(MPI_Comm comm, int *size) { return PMPI_Comm_size(seen_by_wrf(comm), size); }
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return PMPI_Bcast(data, count, type, root, seen_by_wrf(comm));
}
int MPI_Gather(const void *send, int count, MPI_Datatype type, void *receive, int counts, MPI_Datatype types,
               int root, MPI_Comm comm) {
    return PMPI_Gather(send, count, type, receive, counts, types, root, seen_by_wrf(comm));
}
int MPI_Gatherv(const void *send, int count, MPI_Datatype type, void *receive, const int counts[],
                const int displacements[], MPI_Datatype types, int root, MPI_Comm comm) {
    return PMPI_Gatherv(send, count, type, receive, counts, displacements, types, root, seen_by_wrf(comm));
}
int MPI_Scatterv(const void *send, const int counts[], const int displacements[], MPI_Datatype types,
                 void *receive, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return PMPI_Scatterv(send, counts, displacements, types, receive, count, type, root, seen_by_wrf(comm));
}
#endif
}
