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

/// Makes the system give up what it holds in memory of the files of a directory that are on disk. Whoever
/// writes next gets that memory, be it a yardstick, whose file is removed, or a frame, whose file stays:
/// memory that was never used is slow to come by, on a virtual machine above all.
void give_pages_back(const std::string &directory);

} // namespace squall::bench
