/// The placement of a stream, by its name in the declaration.

#include <fmt/format.h>

#include "placements/local.hpp"
#include "placements/servers/client.hpp"
#include "placements/session_ranks.hpp"

namespace squall::io {

Patience patience_for(const Layout &layout, const SessionRanks &session_ranks) {
    const auto &patience = session_ranks.patience;
    return layout.spec.placement == "servers" ? Patience(patience.watchdog(), 0, patience.rank()) : patience;
}

std::unique_ptr<Placement> place(SessionRanks &session_ranks, PlacedStream stream) {
    if (stream.layout->spec.placement != "servers") return place_here(std::move(stream));
    if (stream.members != session_ranks.everybody.get())
        throw Error(fmt::format("stream {}: placement servers needs streams of all computing ranks; for a "
                                "stream on some of them use inline or thread",
                                stream.layout->spec.name));
    const auto &spec = stream.layout->spec;
    if (spec.append && spec.frames_per_file != 0 && session_ranks.groups.size() > 1)
        throw Error(
            fmt::format("stream {}: append with several frames per file needs one group, but {} groups of "
                        "servers take files in turn; set groups to 1, or frames_per_file to 0",
                        spec.name, session_ranks.groups.size()));
    return place_on_servers(session_ranks, std::move(stream));
}

} // namespace squall::io
