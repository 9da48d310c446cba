/// What is known about the frames of a stream on one rank: for errors that come later, and the report.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "drain/outcome.hpp"

namespace squall::io {

/// What a frame cost the model on this rank: [s since the epoch of the system's clock], [s].
struct Perceived {
    std::int64_t number = 0; ///< of the frame in its stream
    double begun = 0, seconds = 0;
};

/// Safe to use from several threads.
class Tally {
  public:
    /// `speaks`: whether this rank says on standard error what the stream survives (on_error
    /// "continue").
    Tally(std::string on_error, bool speaks) : continues_(on_error == "continue"), speaks_(speaks) {}

    void done(const Outcome &outcome);
    /// As done(), of which the caller tells.
    void count(const Outcome &outcome) {
        const std::lock_guard lock(mutex_);
        outcomes_.push_back(outcome);
    }
    /// Bytes that computing ranks have compressed before they were sent to servers.
    void travelled_encoded(std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        encoded_ += bytes;
    }
    std::uint64_t encoded() const {
        const std::lock_guard lock(mutex_);
        return encoded_;
    }
    void perceived(const Perceived &p) {
        const std::lock_guard lock(mutex_);
        perceived_.push_back(p);
    }

    /// What the end of a file cost counts with its last frame.
    void perceived_more(double seconds) {
        const std::lock_guard lock(mutex_);
        if (!perceived_.empty()) perceived_.back().seconds += seconds;
    }

    /// Throws Error with the failures that nobody was told of yet, a line each, if failures abort.
    void throw_if_failed();

    std::vector<Outcome> outcomes() const {
        const std::lock_guard lock(mutex_);
        return outcomes_;
    }
    std::vector<Perceived> perceived() const {
        const std::lock_guard lock(mutex_);
        return perceived_;
    }

  private:
    mutable std::mutex mutex_;
    bool continues_, speaks_;
    std::string failure_;
    std::uint64_t encoded_ = 0;
    std::vector<Outcome> outcomes_;
    std::vector<Perceived> perceived_;
};

} // namespace squall::io
