/// Before MPI's messages, through its profiling layer: late, never complete, or an exception in their place.

#include <stdexcept>

#include <unistd.h>

#include <mpi.h>

#include "calls.hpp"

namespace squall::faults {
namespace {

/// A message that is never there.
struct Never {
    MPI_Request request = MPI_REQUEST_NULL;
    bool cancelled = false;
};

int query(void *state, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, static_cast<Never *>(state)->cancelled);
    return MPI_SUCCESS;
}
int free_state(void *state) {
    delete static_cast<Never *>(state);
    return MPI_SUCCESS;
}
/// Whoever gives it up is free of it, as of a message to which no other has come.
int cancel(void *state, int complete) {
    auto &never = *static_cast<Never *>(state);
    if (complete) return MPI_SUCCESS;
    never.cancelled = true;
    return PMPI_Grequest_complete(never.request);
}

std::size_t bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

bool dropped(Call call, std::size_t bytes, const void *caller) {
    if (!watched(call)) return false;
    const auto deed = meet(call, "", bytes, caller).deed;
    if (deed == Deed::raise) throw std::runtime_error("a message was met by SQUALL_FAULTS");
    return deed == Deed::drop;
}

/// A request that is never complete; nobody else hears of the message.
int never(MPI_Request *request) {
    auto *state = new Never;
    const int code = PMPI_Grequest_start(query, free_state, cancel, state, request);
    state->request = *request;
    return code;
}

/// A call that does not come back.
[[noreturn]] void hang() {
    for (;;) ::pause();
}

} // namespace
} // namespace squall::faults

using namespace squall::faults;

#define SQUALL_BLOCKING(name, call, bytes, parameters, arguments)                                            \
    int name parameters {                                                                                    \
        if (dropped(Call::call, bytes, SQUALL_CALLER)) hang();                                               \
        return P##name arguments;                                                                            \
    }
#define SQUALL_STARTING(name, call, bytes, parameters, arguments)                                            \
    int name parameters {                                                                                    \
        if (dropped(Call::call, bytes, SQUALL_CALLER)) return never(request);                                \
        return P##name arguments;                                                                            \
    }

extern "C" {

// One to one.
SQUALL_BLOCKING(MPI_Send, send, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
                (data, n, type, to, tag, comm))
SQUALL_BLOCKING(MPI_Recv, receive, bytes_of(n, type),
                (void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),
                (data, n, type, from, tag, comm, status))
SQUALL_STARTING(MPI_Isend, send, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                 MPI_Request *request),
                (data, n, type, to, tag, comm, request))
SQUALL_STARTING(MPI_Issend, send, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                 MPI_Request *request),
                (data, n, type, to, tag, comm, request))
SQUALL_STARTING(MPI_Irecv, receive, bytes_of(n, type),
                (void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Request *request),
                (data, n, type, from, tag, comm, request))

// All together.
SQUALL_BLOCKING(MPI_Barrier, collective, 0, (MPI_Comm comm), (comm))
SQUALL_BLOCKING(MPI_Bcast, collective, bytes_of(n, type),
                (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm), (data, n, type, root, comm))
SQUALL_BLOCKING(MPI_Reduce, collective, bytes_of(n, type),
                (const void *data, void *sum, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
                (data, sum, n, type, op, root, comm))
SQUALL_BLOCKING(MPI_Allreduce, collective, bytes_of(n, type),
                (const void *data, void *sum, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                (data, sum, n, type, op, comm))
SQUALL_BLOCKING(MPI_Gather, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, int each, MPI_Datatype their,
                 int root, MPI_Comm comm),
                (data, n, type, all, each, their, root, comm))
SQUALL_BLOCKING(MPI_Gatherv, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, const int *each, const int *starts,
                 MPI_Datatype their, int root, MPI_Comm comm),
                (data, n, type, all, each, starts, their, root, comm))
SQUALL_BLOCKING(MPI_Allgather, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, int each, MPI_Datatype their,
                 MPI_Comm comm),
                (data, n, type, all, each, their, comm))
SQUALL_BLOCKING(MPI_Alltoall, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, int each, MPI_Datatype their,
                 MPI_Comm comm),
                (data, n, type, all, each, their, comm))
SQUALL_BLOCKING(MPI_Comm_dup, collective, 0, (MPI_Comm comm, MPI_Comm *made), (comm, made))
SQUALL_BLOCKING(MPI_Comm_split, collective, 0, (MPI_Comm comm, int color, int key, MPI_Comm *made),
                (comm, color, key, made))
SQUALL_STARTING(MPI_Ibarrier, collective, 0, (MPI_Comm comm, MPI_Request *request), (comm, request))
SQUALL_STARTING(MPI_Ibcast, collective, bytes_of(n, type),
                (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
                (data, n, type, root, comm, request))
SQUALL_STARTING(MPI_Ireduce, collective, bytes_of(n, type),
                (const void *data, void *sum, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                 MPI_Request *request),
                (data, sum, n, type, op, root, comm, request))
SQUALL_STARTING(MPI_Iallreduce, collective, bytes_of(n, type),
                (const void *data, void *sum, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request),
                (data, sum, n, type, op, comm, request))
SQUALL_STARTING(MPI_Igather, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, int each, MPI_Datatype their,
                 int root, MPI_Comm comm, MPI_Request *request),
                (data, n, type, all, each, their, root, comm, request))
SQUALL_STARTING(MPI_Igatherv, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, const int *each, const int *starts,
                 MPI_Datatype their, int root, MPI_Comm comm, MPI_Request *request),
                (data, n, type, all, each, starts, their, root, comm, request))
SQUALL_STARTING(MPI_Iallgather, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, int each, MPI_Datatype their,
                 MPI_Comm comm, MPI_Request *request),
                (data, n, type, all, each, their, comm, request))
SQUALL_STARTING(MPI_Iallgatherv, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, const int *each, const int *starts,
                 MPI_Datatype their, MPI_Comm comm, MPI_Request *request),
                (data, n, type, all, each, starts, their, comm, request))
SQUALL_STARTING(MPI_Ialltoall, collective, bytes_of(n, type),
                (const void *data, int n, MPI_Datatype type, void *all, int each, MPI_Datatype their,
                 MPI_Comm comm, MPI_Request *request),
                (data, n, type, all, each, their, comm, request))
}
