/// The placement `servers`, on a server.
#pragma once

namespace squall::io {

struct SessionRanks;

/// Takes frames from the computing ranks to files until all of them have said goodbye. Throws Error.
void run_server(SessionRanks &session_ranks);

} // namespace squall::io
