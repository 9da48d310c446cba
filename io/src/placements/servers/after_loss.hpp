/// The end of a program that has lost servers. MPI_Finalize waits for all ranks of the job, for those too
/// that are killed, stopped, or stuck in a disk call that does not return: with these the program would never
/// end.
#pragma once

namespace squall::io {
struct SessionRanks;

/// On computing ranks, collective, when all of them have closed the session after a loss: in MPI_Finalize
/// they wait for the lost servers for the session's timeout. If one has ended, or has not come by then, the
/// job ends: with a message that names it and exit code 1.
void outlive_lost_servers(SessionRanks &session_ranks);

/// On a server that others count as lost: from MPI_Finalize it tells them that it is there all the same.
void return_from_loss(const SessionRanks &session_ranks);

} // namespace squall::io
