/// The ranks that WRF sees: all, or all but the servers.
#pragma once

#include <memory>

#include "squall/io.hpp"

namespace squall::wrf {

/// The session whose servers write while the others compute, begun when WRF started MPI; null without
/// servers.
std::shared_ptr<io::Session> served_session();

} // namespace squall::wrf
