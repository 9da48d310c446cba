/// What a library does by itself: its plain loop over the same values, to hold the engine against
/// that is made with it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include <mpi.h>

#include "patch.hpp"

namespace squall::bench {

struct BaselineJob {
    MPI_Comm comm;
    const Contents &contents;
    std::string codec; ///< "none", "deflate", "zstd", "lz4"
    int level;         ///< -1: the library's own
};

/// Called on all ranks of the communicator.
class Baseline {
  public:
    virtual ~Baseline() = default;
    /// Writes one frame at a path, onto the disk. The values have lain ready in the file's order.
    virtual void write(const std::string &path) = 0;
};

/// The baselines of this build by engine; each file baseline_*.cpp adds its own.
using MakeBaseline = std::function<std::unique_ptr<Baseline>(const BaselineJob &)>;
std::map<std::string, MakeBaseline> &baselines();

struct RegisterBaseline {
    RegisterBaseline(const std::string &engine, MakeBaseline make) { baselines()[engine] = std::move(make); }
};

} // namespace squall::bench
