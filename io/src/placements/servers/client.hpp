/// The placement `servers`, on a computing rank.
///
/// A stream has a channel to each group of servers, which take its files in turn. When a group is lost the
/// stream's on_lost_server says what follows: it stops, or others take over: the next group that lives, or
/// the computing ranks themselves.
#pragma once

#include "placements/placement.hpp"

namespace squall::io {

struct SessionRanks;

/// Throws Error if the session has no servers.
std::unique_ptr<Placement> place_on_servers(SessionRanks &session_ranks, PlacedStream stream);

/// Waits until all computing ranks have closed their streams: until then each may be asked what it
/// knows of frames that were lost. Collective over them.
void settle(SessionRanks &session_ranks);

/// Lets the servers go. Called once, when all streams are closed.
void say_goodbye(SessionRanks &session_ranks);

} // namespace squall::io
