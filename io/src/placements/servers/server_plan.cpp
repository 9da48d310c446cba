#include "placements/servers/server_plan.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "common/box.hpp"
#include "drain/exchange.hpp"

namespace squall::io::servers {

FramePlan make_plan(const std::vector<std::pair<int, Box>> &boxes, const ShareMaps &maps) {
    FramePlan plan;
    auto &table = plan.table;
    for (std::size_t b = 0; b < boxes.size(); ++b)
        if (volume(boxes[b].second) > 0) table.push_back(b);
    const auto key = [&](std::size_t b) {
        const auto &[field, box] = boxes[b];
        return std::tie(maps.map_of[field], box.start, box.count, field);
    };
    std::ranges::stable_sort(table, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t first = 0, last = 0; first < table.size(); first = last) {
        const auto &box = boxes[table[first]].second;
        Region region{maps.map_of[boxes[table[first]].first], box, {}, static_cast<std::int64_t>(first), {}};
        for (; last < table.size() && maps.map_of[boxes[table[last]].first] == region.map &&
               boxes[table[last]].second == box;
             ++last)
            region.fields.push_back(boxes[table[last]].first);
        std::map<int, std::vector<Part>> parts; // by server
        const auto &map = maps.maps[static_cast<std::size_t>(region.map)];
        for (const auto s : map.touched(box))
            parts[map.shares()[s].writer].push_back({s, intersection(box, map.shares()[s].box)});
        for (auto &[server, mine] : parts) {
            region.parts = std::move(mine);
            plan.for_servers[server].regions.push_back(region);
        }
    }
    return plan;
}

void find_parts(ServerPlan &plan, const ShareMaps &maps, int server) {
    for (auto &region : plan.regions) {
        const auto &map = maps.maps.at(static_cast<std::size_t>(region.map));
        region.parts.clear();
        for (const auto s : map.touched(region.box))
            if (map.shares()[s].writer == server)
                region.parts.push_back({s, intersection(region.box, map.shares()[s].box)});
    }
}

} // namespace squall::io::servers
