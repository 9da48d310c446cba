#include "world.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "output/stream.hpp"
#include "placements/session_ranks.hpp"

namespace squall::planner {

std::vector<int> World::computing_on_node() const {
    std::vector<int> count(static_cast<std::size_t>(nodes()), 0);
    for (const auto *some : {&clients, &beside})
        for (const int rank : *some) ++count[static_cast<std::size_t>(node_of(rank))];
    return count;
}

/// On all nodes, as io chooses them, or the last of all.
static std::vector<int> servers_of(const io::SessionSpec &spec, const World &world, bool last) {
    if (spec.servers == 0 && spec.servers_per_node == 0) return {};
    std::vector<std::vector<int>> nodes(static_cast<std::size_t>(world.nodes()));
    for (int r = 0; r < world.ranks; ++r) nodes[static_cast<std::size_t>(world.node_of(r))].push_back(r);
    if (!last) return io::choose_servers(spec, nodes);
    const int count = spec.servers > 0 ? spec.servers : spec.servers_per_node * world.nodes();
    if (count >= world.ranks)
        throw std::invalid_argument(
            fmt::format("{} servers of {} ranks leave no rank to compute", count, world.ranks));
    std::vector<int> servers(static_cast<std::size_t>(count));
    std::iota(servers.begin(), servers.end(), world.ranks - count);
    return servers;
}

static void set_servers_aside(World &world, const Config &config, bool last) {
    const auto spec = session_spec(config);
    world.assignment = spec.assignment;
    const auto servers = servers_of(spec, world, last);
    for (int r = 0; r < world.ranks; ++r)
        if (!std::ranges::binary_search(servers, r)) world.clients.push_back(r);
    if (servers.empty()) return;
    const auto groups = static_cast<std::size_t>(spec.groups);
    world.groups.resize(std::min(groups, servers.size()));
    for (std::size_t s = 0; s < servers.size(); ++s)
        world.groups[s % world.groups.size()].push_back(servers[s]);
}

World make_world(const Config &config, const Machine &machine, int ranks, int threads, int per_node,
                 bool last) {
    World world;
    world.ranks = ranks, world.threads = threads,
    world.per_node = per_node > 0 ? per_node : machine.ranks_per_node(threads);
    if (world.nodes() > machine.nodes.count)
        throw std::invalid_argument(
            fmt::format("{} ranks of {} threads need {} nodes; {} has {} nodes of {} cores", ranks, threads,
                        world.nodes(), machine.name, machine.nodes.count, machine.nodes.cores));
    set_servers_aside(world, config, last);
    const DomainConfig &d = config.domain;
    const auto n = static_cast<int>(world.clients.size());
    const auto [px, py] =
        choose_process_grid(n, d.nx, d.ny, config.parallel.ranks_x, config.parallel.ranks_y);
    for (int r = 0; r < n; ++r)
        world.patches.push_back(make_patch(r, px, py, d.nx, d.ny, d.nz, d.boundaries));
    return world;
}

} // namespace squall::planner
