/// What of a rank's frames goes to which server: made once for the boxes that the rank puts, and used
/// as long as it puts the same ones.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "placements/servers/shares.hpp"

namespace squall::io::servers {

/// A part of a rank's box that belongs to a server.
struct Part {
    std::size_t share = 0; ///< number in the map of the field
    Box box;
};

/// A box, the same for several fields that are cut among the servers in the same way.
struct Region {
    int map = 0; ///< number in ShareMaps::maps
    Box box;
    std::vector<int> fields;
    std::int64_t first =
        0; ///< place of the first field's block in the rank's table of blocks; the others follow
    std::vector<Part>
        parts; ///< what belongs to the server, in the order in which both ends send and receive it
};

/// What a server has to expect of a rank's frames.
struct ServerPlan {
    std::vector<Region> regions;
};

/// A rank's plan for all servers of a group.
struct FramePlan {
    std::vector<std::size_t> table; ///< the block of each place in the table, by its number in `boxes`
    std::map<int, ServerPlan>
        for_servers; ///< by number in the group; those that receive no point are not there
};

/// A plan for these boxes (of fields, by number).
FramePlan make_plan(const std::vector<std::pair<int, Box>> &boxes, const ShareMaps &maps);

/// Finds the parts of a plan for a server, from its regions' boxes.
void find_parts(ServerPlan &plan, const ShareMaps &maps, int server);

} // namespace squall::io::servers
