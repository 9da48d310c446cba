/// Finishing what a run that was ended has left.
#pragma once

#include <string>
#include <vector>

#include "agree/rank_group.hpp"

namespace squall::io::tools {

struct Recovery {
    std::vector<std::string> runs;       ///< directories or manifests
    std::vector<std::string> burst_dirs; ///< to look in, beside those in the manifests
    std::size_t memory = std::size_t(256) << 20;
    bool dry_run = false;
    bool no_locks = false; ///< the user has made sure that no run is writing, where that cannot be seen
};

/// Publishes the whole frames of every file that was stored and not published, and prints what it
/// did. What is whole is never touched. Returns whether something of every such file could be
/// published. Collective. Throws the same Error on all ranks.
bool recover(const RankGroup &group, const Recovery &job);

} // namespace squall::io::tools
