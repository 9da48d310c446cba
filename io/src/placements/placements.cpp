/// The registry of placements.

#include <fmt/format.h>

#include "placements/local.hpp"
#include "placements/servers/client.hpp"
#include "session.hpp"

namespace squall::io {

std::vector<std::string> placements() { return {"inline", "thread", "servers"}; }

std::shared_ptr<Pool> make_pool(const Layout &layout, const SessionCore &) {
    return std::make_shared<Pool>(layout.spec.staging_limit, layout.spec.placement == "servers");
}

Patience patience_for(const Layout &layout, const SessionCore &session) {
    const auto &patience = session.patience;
    return layout.spec.placement == "servers" ? Patience(patience.watchdog(), 0, patience.rank()) : patience;
}

std::unique_ptr<Placement> place(SessionCore &session, PlacedStream stream) {
    if (stream.layout->spec.placement == "servers") return place_on_servers(session, std::move(stream));
    return place_here(session, std::move(stream));
}

} // namespace squall::io
