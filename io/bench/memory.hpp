/// Memory that this process has in use.
#pragma once

#include <cstdint>

namespace squall::bench {

/// The most that is in use beyond what was in use when it was made [bytes].
class MemoryGrowth {
  public:
    MemoryGrowth();
    std::int64_t most() const;

  private:
    std::int64_t start_;
};

} // namespace squall::bench
