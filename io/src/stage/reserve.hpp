/// Room in the staging memory that is kept for what is still to come.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "stage/pool.hpp"

namespace squall::io {

/// Counts against the pool's limit from the beginning, so that its blocks are never refused: for who takes
/// them where waiting for room would hold up the frames whose room it waits for. Safe to use from several
/// threads.
class Reserve {
  public:
    /// Null if there is no room now.
    static std::shared_ptr<Reserve> of(std::shared_ptr<Pool> pool, std::size_t bytes);
    ~Reserve();
    Reserve(const Reserve &) = delete;
    Reserve &operator=(const Reserve &) = delete;

    /// A block, or null if others have what was kept.
    std::byte *take(std::size_t bytes);
    void give_back(std::byte *block, std::size_t bytes);

    /// As Memory::pin.
    void pin();
    void unpin();

  private:
    Reserve(std::shared_ptr<Pool> pool, std::size_t bytes);

    std::shared_ptr<Pool> pool_;
    std::mutex mutex_;
    std::size_t bytes_, left_;
    int pins_ = 0;
};

} // namespace squall::io
