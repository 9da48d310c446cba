/// How one stream's frames are stored, on each writer: whole or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drain/batches.hpp"
#include "drain/exchange.hpp"
#include "drain/outcome.hpp"
#include "publish/sink.hpp"
#include "reduce/evaluator.hpp"
#include "stage/staged.hpp"

namespace squall::io {

/// What a stream brings to its writers.
struct DrainStream {
    std::shared_ptr<const Layout> layout;
    /// A fresh copy of this writer's fields that are fixed in time.
    std::function<std::unique_ptr<Staged>()> fixed;
    /// Called once per frame, and for failures in closing, on the thread that drains.
    std::function<void(const Outcome &)> done;
    /// Who holds what of each field, where that is the same for every frame and checked before.
    std::vector<Shares> shares;
    bool successor = false; ///< its frames before these were given to writers that are lost
};

/// Every function is collective over the group.
class FrameStore {
  public:
    FrameStore(const RankGroup &group, DrainStream stream);

    /// Stores a frame. What goes wrong is in the outcome, the same everywhere. Throws Timeout only.
    void store(Staged &frame, Outcome &outcome);
    /// Publishes what is complete. Returns what went wrong, or "".
    std::string close();
    /// A file has come from the burst directory, or `fault` says why not. Returns what went wrong, or "".
    std::string arrive(const Departure &departure, const std::string &fault);

    const DrainStream &stream() const { return stream_; }
    const Layout &layout() const { return *stream_.layout; }
    Sink &sink() { return *sink_; }
    const Sink &sink() const { return *sink_; }
    /// "stream history, frame 2000-01-01_00:00:00".
    std::string describe(const Time &time) const;

  private:
    using Boxes = std::vector<std::pair<int, Box>>;
    /// What this writer has of a field.
    struct Taken {
        std::vector<Block> blocks;
        std::vector<const void *> points; ///< of each block
        Pages spare;                      ///< in place of blocks that could not be taken
    };
    /// Of fields that travel together.
    struct Batch final : InTransit {
        std::vector<Taken> fields;
    };

    void end_file(Outcome &outcome);
    void write(Staged &frame, Staged *fixed, Outcome &outcome);
    void review(const Staged &frame, const Staged *fixed);
    std::vector<std::vector<Box>> to_write(const Staged &frame, const Staged *fixed) const;
    std::unique_ptr<Staged> take_fixed(std::string &fault);
    std::string take(int field, Staged &frame, Taken &taken, std::uint64_t &sum);
    std::string write_fields(const std::vector<int> &fields, Staged &frame, Staged *fixed,
                             std::vector<std::uint64_t> &sums);

    const RankGroup &group_;
    DrainStream stream_;
    std::unique_ptr<Sink> sink_;
    Batches batches_;
    Scratch scratch_;
    std::vector<std::shared_ptr<const Plan>> plans_; ///< per field; null: it is written as it comes
    std::unique_ptr<Evaluator> evaluator_;           ///< of what servers make; null: nothing
    std::optional<Boxes> boxes_, fixed_boxes_;       ///< that these were made of
};

} // namespace squall::io
