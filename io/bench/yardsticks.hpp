/// What the machine can do: the measures that output is held against.
#pragma once

#include <string>
#include <vector>

#include "patch.hpp"

namespace squall::bench {

/// Seconds on a clock that only goes forward.
double seconds();

/// Copies the bytes of a patch, field by field, into memory that has been used before.
class Copy {
  public:
    explicit Copy(const Patch &patch);
    double run(); ///< seconds

  private:
    const Patch &patch_;
    std::vector<std::vector<float>> room_;
};

/// Writes the bytes of a patch into a new file, which is removed; returns seconds.
double write_raw(const Patch &patch, const std::string &path, bool fsync);

/// What a model does between frames: streams arrays larger than a cache through the processor.
class Computing {
  public:
    Computing();
    /// Computes for so many seconds.
    void run(double duration);

  private:
    std::vector<float> a_, b_, c_;
};

/// Brings a file, or a directory with all that is in it, to disk.
void bring_to_disk(const std::string &path);

} // namespace squall::bench
