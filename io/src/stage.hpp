/// The stage: the one copy that the model waits for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout.hpp"
#include "patience.hpp"
#include "pool.hpp"
#include "staged.hpp"

namespace squall::io {

/// A frame, or the fields fixed in time, as this rank has put them.
class StagedHere final : public Staged {
  public:
    std::vector<Block> blocks;

    std::vector<std::pair<int, Box>> boxes() const override { return boxes_; }
    std::vector<Block> take(int field) override;
    /// No block comes any more.
    void seal();
    /// The same with memory of its own. Blocks must not have been taken.
    std::unique_ptr<StagedHere> copy();

  private:
    std::vector<std::pair<int, Box>> boxes_;
};

/// Where the memory of a stream's frames comes from, and what happens when there is none.
struct Room {
    std::shared_ptr<Pool> pool;
    Patience patience;
    std::function<void()> progress;        ///< does what may make room come free; throws Error
    std::function<std::string()> awaiting; ///< whom it takes
    std::uint64_t kept = 0;                ///< bytes of fields fixed in time, which stay
    std::uint64_t waits = 0;               ///< how often there was no room at first
    double waited = 0;                     ///< seconds
    std::uint64_t spilled = 0;             ///< bytes
};

/// Copies this rank's boxes in, cut to the stream's subset, in the field's staged type.
class Stage {
  public:
    Stage(const Layout &layout, bool per_frame, Room &room)
        : layout_(layout), per_frame_(per_frame), room_(room) {}

    /// Does not throw: the first mistake is kept for the frame.
    void put(const std::string &field, const Box &box, const void *data, Type memory,
             const Strides &strides) noexcept;

    /// What was put since the last call.
    std::unique_ptr<StagedHere> finish();
    void clear();

  private:
    void copy_in(int field, const Box &box, const void *data, Type memory, const Strides &strides);
    std::string mistake(int field, const std::string &name, const Box &box, const void *data, Type memory,
                        const Strides &strides) const;
    std::optional<Memory> find_room(std::size_t bytes);
    std::byte *wait_for_room(std::size_t bytes);

    const Layout &layout_;
    bool per_frame_; ///< takes per-frame fields, or those fixed in time
    Room &room_;
    std::uint64_t staged_ = 0; ///< bytes of the pool in this frame
    std::unique_ptr<StagedHere> frame_ = std::make_unique<StagedHere>();
};

} // namespace squall::io
