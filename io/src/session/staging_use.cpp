#include "squall/io_staging.hpp"

#include "session/open_stream.hpp"
#include "session/session.hpp"

namespace squall::io {
namespace {

/// Where a session keeps itself on its communicator. Made once, and kept until MPI ends.
int key() {
    static const int made = [] {
        int value = MPI_KEYVAL_INVALID;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &value, nullptr);
        return value;
    }();
    return made;
}

} // namespace

void attach(SessionCore &core) { MPI_Comm_set_attr(core.comm, key(), &core); }

StagingUse staging_use(MPI_Comm comm) {
    void *core = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, key(), static_cast<void *>(&core), &found);
    if (!found) return {};
    const auto &session = *static_cast<SessionCore *>(core);
    StagingUse use{session.arena ? session.arena->used() : 0, 0, session.spec.staging_limit};
    for (const auto &stream : session.streams)
        if (stream->room.pool) use.peak += stream->room.pool->most_used();
    return use;
}

} // namespace squall::io
