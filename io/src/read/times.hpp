/// When the frames of a file are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "read/source.hpp"

namespace squall::io {

/// The file's time coordinate. Throws Error: there is none, or none that is the one.
class TimeCoordinate {
  public:
    explicit TimeCoordinate(const Source &source);

    /// Of a frame. Throws Error.
    Time operator[](std::int64_t frame) const;
    const std::string &name() const;

  private:
    const Source &source_;
    int field_;
    double unit_; ///< seconds
    std::string epoch_, calendar_;
};

/// Of all frames, see Reader::times. Throws Error, also if they would take much more memory than the file
/// has bytes: a file may have a frame in each of its bytes.
std::vector<Time> times_of(const Source &source);

} // namespace squall::io
