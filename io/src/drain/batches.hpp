/// Which fields of a frame travel together: many small ones cost the messages of one.
#pragma once

#include <cstdint>
#include <vector>

#include "declare/engine.hpp"

namespace squall::io {

/// Bytes that a writer holds at most of fields that travel together; a field may be larger.
constexpr std::int64_t batch_bytes = 4 << 20;

/// What the engine wants of a field, where it does not take it as it comes.
Shares wanted(const Layout &layout, int field, int writers);

/// Puts fields that follow each other together, for an engine that does not take them as they come.
class Batches {
  public:
    Batches(const Layout &layout, int writers);

    /// The fields that are fixed in time and per frame, or the latter only, in the order of the layout.
    std::vector<std::vector<int>> of(bool with_fixed) const;

  private:
    const Layout &layout_;
    std::vector<std::int64_t> largest_; ///< per field: the bytes of the writer that must have most of it
};

} // namespace squall::io
