/// Where the ranks of a run sit: on which nodes, and which of them serve.
#pragma once

#include <string>
#include <vector>

#include "machine.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall::planner {

/// Ranks fill one node after the other, as launchers do.
struct World {
    int ranks = 1, threads = 1, per_node = 1;
    std::string assignment = "consecutive"; ///< of slabs to servers; or round-robin
    std::vector<int> clients;               ///< ranks that compute, in the order of their patches
    std::vector<int> beside;                ///< ranks that compute another domain meanwhile
    std::vector<std::vector<int>> groups;   ///< of ranks that serve
    std::vector<Patch> patches;             ///< of the computing ranks

    int nodes() const { return (ranks + per_node - 1) / per_node; }
    int node_of(int rank) const { return rank / per_node; }
    int node_of_patch(int patch) const { return node_of(clients[static_cast<std::size_t>(patch)]); }
    int servers() const { return ranks - static_cast<int>(clients.size()); }
    /// Ranks on a node that compute, this domain or another.
    std::vector<int> computing_on_node() const;
};

/// As many ranks as asked for, of which some serve, as the run file says. Throws std::invalid_argument or
/// io::Error where that cannot be. `per_node`: ranks on a node, also more than it has cores for; 0: as many
/// as fit. `last`: the last ranks serve, whatever nodes they are on, as other programs have it.
World make_world(const Config &config, const Machine &machine, int ranks, int threads, int per_node = 0,
                 bool last = false);

} // namespace squall::planner
