/// What output has cost, as a run says at its end.
#pragma once

#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall {

/// An aligned table with a line per stream; "" without streams. `run_seconds`: wall time of the whole
/// run, of which `finishing` [s] after the last step, until everything was stored.
std::string format_output_summary(const std::vector<io::StreamReport> &streams, double run_seconds,
                                  double finishing);

} // namespace squall
