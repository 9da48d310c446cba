/// What calls of MPI a process makes: how many of each, of what size, how long they take.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string_view>

#include <mpi.h>

namespace squall::messages {

/// What a call is for.
enum class Kind { sent, received, collective, waiting };

struct Call {
    std::string_view name; ///< without "MPI_"
    Kind kind;
};

/// All that are counted. Wrappers name them; their places here are those of their counts.
inline constexpr std::array calls{
    Call{"Send", Kind::sent},
    Call{"Ssend", Kind::sent},
    Call{"Rsend", Kind::sent},
    Call{"Bsend", Kind::sent},
    Call{"Isend", Kind::sent},
    Call{"Issend", Kind::sent},
    Call{"Irsend", Kind::sent},
    Call{"Ibsend", Kind::sent},
    Call{"Sendrecv", Kind::sent},
    Call{"Start", Kind::sent},
    Call{"Put", Kind::sent},
    Call{"Accumulate", Kind::sent},
    Call{"Recv", Kind::received},
    Call{"Irecv", Kind::received},
    Call{"Get", Kind::received},
    Call{"Bcast", Kind::collective},
    Call{"Reduce", Kind::collective},
    Call{"Allreduce", Kind::collective},
    Call{"Scan", Kind::collective},
    Call{"Exscan", Kind::collective},
    Call{"Gather", Kind::collective},
    Call{"Gatherv", Kind::collective},
    Call{"Allgather", Kind::collective},
    Call{"Allgatherv", Kind::collective},
    Call{"Scatter", Kind::collective},
    Call{"Scatterv", Kind::collective},
    Call{"Alltoall", Kind::collective},
    Call{"Alltoallv", Kind::collective},
    Call{"Ibcast", Kind::collective},
    Call{"Iallreduce", Kind::collective},
    Call{"Barrier", Kind::waiting},
    Call{"Wait", Kind::waiting},
    Call{"Waitall", Kind::waiting},
    Call{"Waitany", Kind::waiting},
    Call{"Waitsome", Kind::waiting},
    Call{"Test", Kind::waiting},
    Call{"Testall", Kind::waiting},
    Call{"Testany", Kind::waiting},
    Call{"Testsome", Kind::waiting},
    Call{"Probe", Kind::waiting},
    Call{"Iprobe", Kind::waiting},
};

/// The place of a call; of a name that is not there the program does not compile.
consteval std::size_t place_of(std::string_view name) {
    for (std::size_t c = 0; c < calls.size(); ++c)
        if (calls[c].name == name) return c;
    throw "no such call";
}

/// Calls whose bytes lie in [2^(n-1), 2^n); the first: of no bytes.
struct Bin {
    double count = 0, bytes = 0, seconds = 0;
};
inline constexpr std::size_t bins = 44; ///< the last: of 4 TiB and more
using Counts = std::array<std::array<Bin, bins>, calls.size()>;

/// Of this process; threads may count at once.
class Record {
  public:
    static Record &ours();
    void begin(); ///< MPI is there
    void count(std::size_t call, double bytes, double seconds);
    /// Once: adds up all ranks on the first, which writes the file that $SQUALL_MESSAGES names. Collective
    /// over MPI_COMM_WORLD; says on standard error what it could not do.
    void write();

  private:
    std::mutex mutex_;
    Counts counts_{};
    double begun_ = 0;     ///< [s]
    bool written_ = false; ///< Fortran's bindings may call C's
};

/// Counts one call of the program from here to the end of its life; what MPI's own library calls within it
/// (Fortran's bindings call C's) is none of the program's.
class Counted {
  public:
    Counted(std::size_t call, double bytes);
    ~Counted();
    Counted(const Counted &) = delete;
    Counted &operator=(const Counted &) = delete;

  private:
    std::size_t call_;
    double bytes_, begun_ = 0;
};

/// Bytes of so many elements; 0 of what has no type, as in MPI_IN_PLACE.
double size_of(const void *buffer, int count, MPI_Datatype type);
/// Sum of counts, one for each rank of a communicator (of the others, of one between two).
double sum_of(const int *counts, MPI_Comm comm);

} // namespace squall::messages
