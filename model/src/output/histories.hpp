/// The histories of a domain at one moment.
#pragma once

#include <cstdint>
#include <vector>

#include "output/history.hpp"

namespace squall {

/// Writes the frame of a time [s since run.start], which follows step number `step`, of each of these, in
/// this order. What several have is made and put once. Returns what each took [s]; what was put for several
/// counts for the first of them. Throws io::Error: as History::begin and finish.
std::vector<double> write_together(io::Session &session, const std::vector<History *> &histories,
                                   double seconds, std::int64_t step, const Snapshot &now);

} // namespace squall
