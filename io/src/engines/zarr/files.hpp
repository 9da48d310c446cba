/// Files that must not be believed in before they are on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/uio.h>

namespace squall::io::zarr {

/// Throws Error for errno: what was being done, to what, and what to do about it.
[[noreturn]] void fail(const std::string &doing, const std::string &path);

/// A file being written from its beginning.
class NewFile {
  public:
    explicit NewFile(const std::string &path); ///< replaces what is there
    ~NewFile();
    NewFile(NewFile &&) noexcept;
    NewFile &operator=(NewFile &&) noexcept;

    /// Appends the pieces, in few calls. They are used up. Throws Error.
    void append(std::vector<iovec> &pieces);
    /// The system begins to write it out, if that are so many bytes at least.
    void start_to_disk(std::size_t least = 0);
    void to_disk() const;
    std::size_t size() const { return size_; }
    const std::string &path() const { return path_; }

  private:
    std::string path_;
    int fd_ = -1;
    std::size_t size_ = 0, started_ = 0;
};

/// Files and directory entries that are not on disk yet. A few are brought there one by one, side by side;
/// many with one call for their file system, so that a frame of a thousand files costs a few calls, where
/// that is known to bring them there and to tell of losses. Elsewhere no more than some stay open: who opens
/// a file after bytes of it were lost is not told.
class Unsynced {
  public:
    /// All files will be in `directory` or below it.
    explicit Unsynced(std::string directory) : directory_(std::move(directory)) {}
    ~Unsynced();
    Unsynced(const Unsynced &) = delete;
    Unsynced &operator=(const Unsynced &) = delete;

    /// Before anything is written, if the directory is there by then: of losses since then it is told.
    void begin();
    /// Throws Error.
    void add(NewFile file, std::int64_t frame);
    void add_entry_in(const std::string &directory) { directories_.insert(directory); }
    /// Files of frames from this one on, which are not worth it any more.
    void forget_from(std::int64_t frame);
    /// Throws Error.
    void to_disk();
    void moved(std::string directory) { directory_ = std::move(directory); }

  private:
    struct Entry {
        std::int64_t frame;
        std::optional<NewFile> open; ///< none: what the file system tells counts
    };
    bool trusts_file_system();
    void open_to_disk();

    std::string directory_;
    std::vector<Entry> files_;
    std::set<std::string> directories_;
    std::optional<bool> trusts_; ///< whether syncfs can be relied upon; none: not asked yet
    int fd_ = -1; ///< of the directory: open since before anything was written, so that it is told of losses
};

/// Texts that replace files, so that a reader sees the old or the new one.
class Replacement {
  public:
    Replacement() = default;
    Replacement(Replacement &&) = default;
    ~Replacement(); ///< removes what was not put in place

    /// Writes `text` beside `path`. The file that is returned must be brought to disk before commit.
    [[nodiscard]] NewFile prepare(const std::string &path, const std::string &text);
    /// Puts all texts in place in the order of their preparation, and brings that to disk. Throws Error.
    void commit();

  private:
    std::vector<std::string> paths_;
};

/// Creates a directory if it is not there. Throws Error.
void make_directory(const std::string &path);

} // namespace squall::io::zarr
