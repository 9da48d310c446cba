/// Carries files from a burst directory to where they belong, in the background.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "publish/sink.hpp"

namespace squall::io {

/// Copies a file and brings it to disk; then reads both back and compares their checksums. Throws
/// Error. Missing directories are made.
void copy_verified(const std::string &from, const std::string &to);

class BurstCopier {
  public:
    using Arrived = std::function<void(std::string fault)>;

    /// Copies the parts to the file's part name, then calls `arrived` on the copier's thread.
    void carry(Departure departure, Arrived arrived);
    ~BurstCopier(); ///< finishes what it has
    /// The file that it is copying to; "": none. From any thread.
    std::string at() const;

  private:
    struct CopyJob {
        Departure departure;
        Arrived arrived;
    };
    void work();

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<CopyJob> jobs_;
    std::string at_; ///< the file of the one that is done now
    bool stop_ = false;
    std::thread thread_;
};

} // namespace squall::io
