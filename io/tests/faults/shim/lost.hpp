/// What a process has written to files since they were last brought to disk: an fsync that fails loses it.
#pragma once

#include <cstdint>

#include <sys/stat.h>

namespace squall::faults {

void written(const struct stat &file, std::uint64_t offset, std::uint64_t bytes);
void brought_to_disk(const struct stat &file);
/// Puts zeros where the process wrote since then: as Linux does it, the kernel holds such pages for
/// clean and drops them, and what the disk has in their place is anything.
void lose(int fd);

} // namespace squall::faults
