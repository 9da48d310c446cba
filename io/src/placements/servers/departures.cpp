#include "placements/servers/departures.hpp"

#include <fmt/format.h>

#include "agree/rank_group.hpp"
#include "placements/servers/messages.hpp"
#include "placements/session_ranks.hpp"

namespace squall::io::servers {

bool Departures::has_gone(int rank) const {
    const auto process = session_ranks_.neighbours.find(rank);
    return !closed_.contains(rank) && process != session_ranks_.neighbours.end() && process->second.ended();
}

void Departures::look(double time, double deadline, bool draining) {
    const int all = static_cast<int>(session_ranks_.clients.size());
    for (int n = first_at_home(group_.rank(), all, group_.size());
         gone_ < 0 && n < first_at_home(group_.rank() + 1, all, group_.size()); ++n) {
        const int rank = session_ranks_.clients[static_cast<std::size_t>(n)];
        if (!has_gone(rank)) continue;
        gone_ = rank;
        gone_since_ = time;
    }
    if (gone_ < 0) return;
    if (closed_.contains(gone_)) // it was under way
        gone_ = -1;
    else if (time - gone_since_ > deadline && !draining)
        throw Error(fmt::format("computing rank {} ended without closing its session, and the run cannot "
                                "continue; see its last message",
                                gone_));
}

} // namespace squall::io::servers
