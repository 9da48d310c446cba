/// What a process has written to files since they were last brought to disk: an fsync or a close that fails
/// loses it. And which descriptors tell of what a close has lost.
#pragma once

#include <cstdint>

#include <sys/stat.h>

namespace squall::faults {

void written(const struct stat &file, std::uint64_t offset, std::uint64_t bytes);
void brought_to_disk(const struct stat &file);
bool has_unsynced(const struct stat &file);
/// Puts zeros where the process wrote since then: as Linux does it, the kernel holds such pages for
/// clean and drops them, and what the disk has in their place is anything.
void lose(int fd);

/// All that the process has open now, but `fd`, shall tell once of what was lost of its file.
void let_others_tell(int fd, int error);
/// The error that an fsync, or a syncfs, of the descriptor has to tell of, which it does not again; 0: none.
int told_by_fsync(int fd);
int told_by_syncfs(int fd);
/// It is closed, or another file's by now.
void is_new(int fd);

} // namespace squall::faults
