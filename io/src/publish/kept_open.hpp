/// A file that is written through somebody else's descriptors, of which one's own tells whether it got to
/// disk.
#pragma once

#include <string>
#include <utility>

#include <fcntl.h>

namespace squall::io {

/// The system tells of bytes that it could not bring to disk once, to each descriptor that was open by then:
/// to the close of a library that does not listen, for one. Whoever opens the file after that is told that
/// all is well. So the file is opened when it is made, before anything is written to it, and brought to disk
/// through that descriptor, before or after the library closes its own.
class KeptOpen {
  public:
    KeptOpen() = default;
    /// The file must be there. Throws Error.
    explicit KeptOpen(std::string path);
    ~KeptOpen();
    KeptOpen(KeptOpen &&other) noexcept
        : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), lost_(std::move(other.lost_)) {}
    KeptOpen &operator=(KeptOpen &&other) noexcept {
        std::swap(path_, other.path_);
        std::swap(fd_, other.fd_);
        std::swap(lost_, other.lost_);
        return *this;
    }

    /// Throws Error; then the file is not trusted any more, and it throws each time.
    void bring_to_disk();

    /// Runs `close`, which closes others' descriptors, or looks at what they left. If it throws and bytes are
    /// lost, bring_to_disk() is who tells: a file that could not be closed is for `squall recover`, and one
    /// that is not on disk is not.
    template <class F> void around_close(F close) {
        try {
            close();
        } catch (const std::exception &e) {
            if (!loses(e.what())) throw;
        }
    }
    bool is_lost() const { return !lost_.empty(); }

  private:
    friend KeptOpen write_new(const std::string &path, const std::string &text);
    KeptOpen(std::string path, int descriptor) : path_(std::move(path)), fd_(descriptor) {}
    bool loses(const std::string &fault);

    std::string path_;
    int fd_ = -1;
    std::string lost_; ///< what was said when bytes were lost
};

/// Opens a file that this process makes; what was there, a link or a file, is removed and not written to: in
/// a directory of many users anybody may have put it there. `flags`: at least how it is accessed. -1 and
/// errno as open(2).
int open_new(const std::string &path, int flags = O_WRONLY);

/// Writes a file that this process makes, not yet to disk. Throws Error.
KeptOpen write_new(const std::string &path, const std::string &text);

} // namespace squall::io
