// MPI's functions, as the standard lets a profiler replace them: each counts and calls its PMPI_ name.
#include <map>
#include <mutex>
#include <vector>

#include "record.hpp"

using squall::messages::Counted;
using squall::messages::place_of;
using squall::messages::Record;
using squall::messages::size_of;
using squall::messages::sum_of;

namespace {

/// Bytes of what persistent requests send each time they start.
class Persistent {
  public:
    static Persistent &all() {
        static Persistent requests;
        return requests;
    }
    void keep(MPI_Request request, double bytes) {
        const std::lock_guard lock(mutex_);
        bytes_[request] = bytes;
    }
    double of(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        const auto found = bytes_.find(request);
        return found == bytes_.end() ? 0 : found->second;
    }
    void forget(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        bytes_.erase(request);
    }

  private:
    std::mutex mutex_;
    std::map<MPI_Request, double> bytes_;
};

} // namespace

// A call of this name, of so many bytes, made of what follows.
#define COUNTED(name, bytes, ...)                                                                            \
    const Counted counted(place_of(#name), bytes);                                                           \
    return PMPI_##name(__VA_ARGS__)

#define SENDS(name)                                                                                          \
    int MPI_##name(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {                      \
        COUNTED(name, size_of(b, n, t), b, n, t, to, tag, c);                                                \
    }
#define STARTS_TO_SEND(name)                                                                                 \
    int MPI_##name(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) {      \
        COUNTED(name, size_of(b, n, t), b, n, t, to, tag, c, r);                                             \
    }
#define PREPARES_TO_SEND(name)                                                                               \
    int MPI_##name(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) {      \
        const int error = PMPI_##name(b, n, t, to, tag, c, r);                                               \
        Persistent::all().keep(*r, size_of(b, n, t));                                                        \
        return error;                                                                                        \
    }
#define REDUCES(name)                                                                                        \
    int MPI_##name(const void *b, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {                 \
        COUNTED(name, size_of(out, n, t), b, out, n, t, op, c);                                              \
    }

extern "C" {

int MPI_Init(int *argc, char ***argv) {
    const int error = PMPI_Init(argc, argv);
    Record::ours().begin();
    return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    const int error = PMPI_Init_thread(argc, argv, required, provided);
    Record::ours().begin();
    return error;
}

int MPI_Finalize() {
    Record::ours().write();
    return PMPI_Finalize();
}

SENDS(Send)
SENDS(Ssend)
SENDS(Rsend)
SENDS(Bsend)
STARTS_TO_SEND(Isend)
STARTS_TO_SEND(Issend)
STARTS_TO_SEND(Irsend)
STARTS_TO_SEND(Ibsend)
PREPARES_TO_SEND(Send_init)
PREPARES_TO_SEND(Ssend_init)
PREPARES_TO_SEND(Rsend_init)
PREPARES_TO_SEND(Bsend_init)

int MPI_Sendrecv(const void *b, int n, MPI_Datatype t, int to, int tag, void *out, int m, MPI_Datatype u,
                 int from, int other_tag, MPI_Comm c, MPI_Status *s) {
    COUNTED(Sendrecv, size_of(b, n, t), b, n, t, to, tag, out, m, u, from, other_tag, c, s);
}

int MPI_Start(MPI_Request *r) { COUNTED(Start, Persistent::all().of(*r), r); }

int MPI_Startall(int n, MPI_Request *r) {
    std::vector<double> bytes;
    for (int i = 0; i < n; ++i) bytes.push_back(Persistent::all().of(r[i]));
    const int error = PMPI_Startall(n, r);
    for (const double each : bytes) Record::ours().count(place_of("Start"), each, 0);
    return error;
}

int MPI_Request_free(MPI_Request *r) {
    Persistent::all().forget(*r);
    return PMPI_Request_free(r);
}

int MPI_Put(const void *b, int n, MPI_Datatype t, int to, MPI_Aint at, int m, MPI_Datatype u, MPI_Win w) {
    COUNTED(Put, size_of(b, n, t), b, n, t, to, at, m, u, w);
}

int MPI_Accumulate(const void *b, int n, MPI_Datatype t, int to, MPI_Aint at, int m, MPI_Datatype u,
                   MPI_Op op, MPI_Win w) {
    COUNTED(Accumulate, size_of(b, n, t), b, n, t, to, at, m, u, op, w);
}

int MPI_Get(void *b, int n, MPI_Datatype t, int from, MPI_Aint at, int m, MPI_Datatype u, MPI_Win w) {
    COUNTED(Get, size_of(b, n, t), b, n, t, from, at, m, u, w);
}

int MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s) {
    COUNTED(Recv, size_of(b, n, t), b, n, t, from, tag, c, s);
}

int MPI_Irecv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r) {
    COUNTED(Irecv, size_of(b, n, t), b, n, t, from, tag, c, r);
}

int MPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c) {
    COUNTED(Bcast, size_of(b, n, t), b, n, t, root, c);
}

int MPI_Ibcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request *r) {
    COUNTED(Ibcast, size_of(b, n, t), b, n, t, root, c, r);
}

REDUCES(Allreduce)
REDUCES(Scan)
REDUCES(Exscan)

int MPI_Reduce(const void *b, void *out, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
    COUNTED(Reduce, size_of(nullptr, n, t), b, out, n, t, op, root, c);
}

int MPI_Iallreduce(const void *b, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request *r) {
    COUNTED(Iallreduce, size_of(out, n, t), b, out, n, t, op, c, r);
}

int MPI_Gather(const void *b, int n, MPI_Datatype t, void *out, int m, MPI_Datatype u, int root, MPI_Comm c) {
    COUNTED(Gather, size_of(b, n, t), b, n, t, out, m, u, root, c);
}

int MPI_Gatherv(const void *b, int n, MPI_Datatype t, void *out, const int *m, const int *at, MPI_Datatype u,
                int root, MPI_Comm c) {
    COUNTED(Gatherv, size_of(b, n, t), b, n, t, out, m, at, u, root, c);
}

int MPI_Allgather(const void *b, int n, MPI_Datatype t, void *out, int m, MPI_Datatype u, MPI_Comm c) {
    COUNTED(Allgather, size_of(b, n, t), b, n, t, out, m, u, c);
}

int MPI_Allgatherv(const void *b, int n, MPI_Datatype t, void *out, const int *m, const int *at,
                   MPI_Datatype u, MPI_Comm c) {
    COUNTED(Allgatherv, size_of(b, n, t), b, n, t, out, m, at, u, c);
}

int MPI_Scatter(const void *b, int n, MPI_Datatype t, void *out, int m, MPI_Datatype u, int root,
                MPI_Comm c) {
    COUNTED(Scatter, size_of(out, m, u), b, n, t, out, m, u, root, c);
}

int MPI_Scatterv(const void *b, const int *n, const int *at, MPI_Datatype t, void *out, int m, MPI_Datatype u,
                 int root, MPI_Comm c) {
    COUNTED(Scatterv, size_of(out, m, u), b, n, at, t, out, m, u, root, c);
}

int MPI_Alltoall(const void *b, int n, MPI_Datatype t, void *out, int m, MPI_Datatype u, MPI_Comm c) {
    int ranks = 1;
    PMPI_Comm_size(c, &ranks);
    COUNTED(Alltoall, ranks * size_of(b, n, t), b, n, t, out, m, u, c);
}

int MPI_Alltoallv(const void *b, const int *n, const int *at, MPI_Datatype t, void *out, const int *m,
                  const int *there, MPI_Datatype u, MPI_Comm c) {
    const double bytes = b == MPI_IN_PLACE ? 0 : sum_of(n, c) * size_of(b, 1, t);
    COUNTED(Alltoallv, bytes, b, n, at, t, out, m, there, u, c);
}

int MPI_Barrier(MPI_Comm c) { COUNTED(Barrier, 0, c); }
int MPI_Wait(MPI_Request *r, MPI_Status *s) { COUNTED(Wait, 0, r, s); }
int MPI_Waitall(int n, MPI_Request *r, MPI_Status *s) { COUNTED(Waitall, 0, n, r, s); }
int MPI_Waitany(int n, MPI_Request *r, int *which, MPI_Status *s) { COUNTED(Waitany, 0, n, r, which, s); }
int MPI_Waitsome(int n, MPI_Request *r, int *done, int *which, MPI_Status *s) {
    COUNTED(Waitsome, 0, n, r, done, which, s);
}
int MPI_Test(MPI_Request *r, int *done, MPI_Status *s) { COUNTED(Test, 0, r, done, s); }
int MPI_Testall(int n, MPI_Request *r, int *done, MPI_Status *s) { COUNTED(Testall, 0, n, r, done, s); }
int MPI_Testany(int n, MPI_Request *r, int *which, int *done, MPI_Status *s) {
    COUNTED(Testany, 0, n, r, which, done, s);
}
int MPI_Testsome(int n, MPI_Request *r, int *done, int *which, MPI_Status *s) {
    COUNTED(Testsome, 0, n, r, done, which, s);
}
int MPI_Probe(int from, int tag, MPI_Comm c, MPI_Status *s) { COUNTED(Probe, 0, from, tag, c, s); }
int MPI_Iprobe(int from, int tag, MPI_Comm c, int *there, MPI_Status *s) {
    COUNTED(Iprobe, 0, from, tag, c, there, s);
}

} // extern "C"
