/// The engine `sst`: frames go over the network, through ADIOS2's engine SST, to whoever has joined.
///
/// The stream's first writer has the whole frame, in memory that it shares with a relay (relay.hpp), the
/// process that talks to consumers. So consumers cost the model a copy of the frame, and no more.
#pragma once

#include <memory>
#include <string>

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "read/feed.hpp"

namespace squall::io::sst {

std::unique_ptr<Sink> connect(const Layout &layout, const RankGroup &group);
std::unique_ptr<Feed> subscribe(const std::string &where);

} // namespace squall::io::sst
