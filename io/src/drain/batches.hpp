/// Which fields of a frame travel together: many small ones cost the messages of one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "declare/layout.hpp"
#include "engines/engine.hpp"

namespace squall::io {

/// Bytes that a writer holds at most of fields that travel together; a field may be larger. Where all goes to
/// one of many writers these are so many more that each of the others has enough for a message: then a frame
/// takes one of each, and one for every Grain::least bytes, however many fields there are. Up to 256 MiB,
/// half of a session's own staging_limit, and to the stream's.
std::int64_t batch_bytes(const Layout &layout, int writers);

/// What the engine wants of a field, where it does not take it as it comes.
Shares wanted(const Layout &layout, int field, int writers);

/// What a field puts upon its writers.
struct Burden {
    std::int64_t largest = 0; ///< bytes of the writer that must have most
    /// Writers and their bytes; empty: there are many, and each may have the largest.
    std::vector<std::pair<int, std::int64_t>> each = {};
};

/// Puts fields that follow each other together, for an engine that does not take them as they come. Fields of
/// different writers are better together: one alone has its writer write while the others wait for him.
class Batches {
  public:
    Batches(const Layout &layout, int writers);

    /// The fields that are fixed in time and per frame, or the latter only, in the order of the layout.
    std::vector<std::vector<int>> of(bool with_fixed) const;

  private:
    const Layout &layout_;
    std::int64_t most_;
    std::vector<Burden> burdens_; ///< per field
};

} // namespace squall::io
