/// The placement `servers`, on a computing rank: a frame stays in the stage until the servers have
/// it. Servers on the same node read it there; to the others it is sent.
#pragma once

#include "placement.hpp"

namespace squall::io {

struct SessionCore;

/// Throws Error if the session has no servers.
std::unique_ptr<Placement> place_on_servers(SessionCore &session, PlacedStream stream);

/// Lets the servers go. Called once, when all streams are closed.
void say_goodbye(SessionCore &session);

} // namespace squall::io
