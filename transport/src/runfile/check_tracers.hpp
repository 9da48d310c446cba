/// Checks of tracers, their sources and sinks, that look at more than one key.
#pragma once

#include "config/checks.hpp"
#include "runfile/settings.hpp"

namespace squall::transport {

/// Notes what cannot be, and what would have no effect.
void check_tracers(squall::Reading &reading, const Settings &settings);

/// Makes the paths of files that tracers name paths from here; notes where there is none.
void take_source_files(squall::Reading &reading, Settings &settings);

} // namespace squall::transport
