/// When a run begins, or goes on.
#pragma once

#include <string>

#include "settings/config.hpp"

namespace squall {

/// Of the last frame of a restart file [s since run.start]. Local. Throws io::Error.
double seconds_of_restart(const std::string &file);

/// When the first step of a run begins now [s since run.start]: 0, or when run.restart_from is of. Local.
/// Throws io::Error.
double beginning_of(const Config &config);

/// The same in the calendar (ISO 8601).
std::string calendar_beginning_of(const Config &config);

} // namespace squall
