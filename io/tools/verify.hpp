/// Whether everything that was published is there and whole.
#pragma once

#include <string>
#include <vector>

#include "agree/rank_group.hpp"

namespace squall::io::tools {

/// Checks the files of all manifests that the arguments mean, prints a table and what is wrong.
/// Returns whether nothing is. Collective. Throws the same Error on all ranks.
bool verify(const RankGroup &group, const std::vector<std::string> &arguments, std::size_t memory);

} // namespace squall::io::tools
