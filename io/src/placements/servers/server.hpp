/// The placement `servers`, on a server.
#pragma once

namespace squall::io {

struct SessionCore;

/// Takes frames from the computing ranks to files until all of them have said goodbye. Throws Error.
void run_server(SessionCore &session);

} // namespace squall::io
