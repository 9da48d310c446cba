/// A disk that is full, for one rank.
#pragma once

#include <csignal>

#include <sys/resource.h>

#include "support.hpp"

namespace squall::io::test {

/// Limits the size of files written by rank 0 until it goes out of scope. As with a full disk the
/// write that goes beyond fails.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit limited{bytes, old_.rlim_max};
        if (rank() == 0) setrlimit(RLIMIT_FSIZE, &limited);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, signal_);
    }

  private:
    void (*signal_)(int);
    rlimit old_{};
};

} // namespace squall::io::test
