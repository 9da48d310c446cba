/// Whether there is room for what is about to be written.
///
/// ADIOS2 writes together: a writer that fails alone leaves the others waiting. So the failures
/// that happen, a full disk, a quota or a limit, are found out before.
#pragma once

#include <cstdint>
#include <string>

namespace squall::io::adios {

/// Reserves so many bytes in a directory for a moment. 0, or the errno of the failure. Bytes that
/// cannot be reserved on this file system count as there.
int lacks_room(const std::string &directory, std::uint64_t bytes);

} // namespace squall::io::adios
