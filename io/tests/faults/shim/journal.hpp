/// The order in which files below the directory were changed and brought to disk, of all ranks, in the
/// file SQUALL_FAULTS_JOURNAL. While one is kept, one change happens after the other.
///
/// An entry is a line of words with tabs between them, the first the kind:
///
///     create    INODE PATH        a file that was not there before
///     write     INODE OFFSET N    and after the line N bytes
///     truncate  INODE SIZE        to any size
///     fsync     INODE             it succeeded
///     failed    INODE             it failed: what it should have brought to disk never gets there
///     syncdir   PATH              fsync of a directory
///     syncfs                      all there is
///     mkdir     PATH
///     rename    FROM TO
///     unlink    PATH              a file or an empty directory
///
/// PATH is relative to the directory. replay.hpp makes of it what a power cut would leave.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <sys/uio.h>

namespace squall::faults {

/// Keeps all other changes, of all ranks, out while it lives; does nothing without a journal.
class Turn {
  public:
    Turn();
    ~Turn();
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

    static bool kept(); ///< whether there is a journal
    void enter(std::initializer_list<std::string> words) const;
    /// The first `bytes` bytes of the pieces were written at the offset.
    void enter_write(ino_t inode, std::uint64_t offset, const iovec *pieces, int n, std::size_t bytes) const;
};

} // namespace squall::faults
