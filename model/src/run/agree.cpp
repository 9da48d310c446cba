#include "run/agree.hpp"

#include <exception>
#include <new>
#include <string>

#include "core/local_error.hpp"

namespace squall {

void agree(MPI_Comm comm, const std::function<void()> &work) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::string message;
    bool failed = false;
    try {
        work();
    } catch (const std::bad_alloc &) {
        failed = true;
        message = out_of_memory(rank);
    } catch (const std::exception &e) {
        failed = true;
        message = e.what();
    }
    int first = failed ? rank : size;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == size) return;
    int length = static_cast<int>(message.size());
    MPI_Bcast(&length, 1, MPI_INT, first, comm);
    message.resize(static_cast<std::size_t>(length));
    MPI_Bcast(message.data(), length, MPI_CHAR, first, comm);
    throw AgreedError(message);
}

} // namespace squall
