/// What an engine provides that can read a network stream: frames as they come. Local.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "read/source.hpp"

namespace squall::io {

class Feed {
  public:
    virtual ~Feed() = default; ///< leaves the stream

    enum class Step { frame, nothing, end };
    /// Waits so many seconds for the next frame, also for the stream to begin. What frame() returned before
    /// must not be read any more. Throws Error if the run that writes it is gone without an end.
    virtual Step next(double seconds) = 0;
    /// The frame that has come; reading it fails once it was released.
    virtual std::unique_ptr<Source> frame() = 0;
    virtual std::int64_t number() const = 0; ///< of that frame in its stream
    /// Lets its memory go where it was made.
    virtual void release() = 0;

    virtual const std::string &where() const = 0; ///< for messages
};

/// The frames of a network stream; throws Error if this build cannot read any.
std::unique_ptr<Feed> open_feed(const std::string &where);

} // namespace squall::io
