/// Taking the points of fields from the writers that hold them to the writers that must.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "common/box.hpp"
#include "drain/parcels.hpp"
#include "drain/plan.hpp"
#include "drain/scratch.hpp"
#include "publish/writer.hpp"

namespace squall::io {

/// This writer's boxes after an exchange, with their memory, which goes back to the scratch.
class Exchanged {
  public:
    explicit Exchanged(Scratch &scratch) : scratch_(&scratch) {}
    Exchanged(Exchanged &&) = default;
    ~Exchanged() {
        for (auto &[buffer, bytes] : buffers_) scratch_->give_back(std::move(buffer), bytes);
    }
    std::vector<Piece> pieces;
    std::string fault; ///< there was not enough memory; the points are not to be used

    void *make(std::size_t bytes) {
        try {
            buffers_.push_back(scratch_->take(bytes));
            return buffers_.back().first.get();
        } catch (const std::bad_alloc &) { // the others send all the same
            fault = "not enough memory to assemble the field";
            return spare_.emplace_back(zero_pages(bytes)).get();
        }
    }

  private:
    Scratch *scratch_;
    std::vector<Pages> spare_;
    std::vector<std::pair<Scratch::Buffer, std::size_t>> buffers_;
};

/// One field of an exchange.
struct Transfer {
    const FieldLayout &field;
    std::shared_ptr<const Plan> plan;
    std::vector<const void *> mine; ///< the points of plan->from, contiguous, in the field's type in the file
};

/// What travels between this writer and another at once: parts of one field or, if they are small, of
/// several. There are no more messages than one per pair of writers and Grain::least bytes.
struct Message {
    struct Part {
        std::size_t field; ///< index among the transfers
        const Leg *leg;
        Box parcel; ///< of the leg's part
    };
    int writer = 0;
    std::vector<Part> parts;
};

/// The messages that this writer sends (legs: &Plan::sends) or receives (&Plan::receives): of those
/// between the same two writers both have the same in the same order.
std::vector<Message> messages(const std::vector<Transfer> &fields, std::vector<Leg> Plan::*legs,
                              const Grain &grain);

/// Does what the plans say with fields that travel together. `owner` keeps the points of `mine`. With
/// `views` a box of plan.to that lies in one of plan.from stays there. Returns for each field plan.to with
/// points. Waits for those with whom the plans have legs. Throws Timeout, and keeps then what MPI may
/// still use.
std::vector<Exchanged> exchange(const RankGroup &group, const std::vector<Transfer> &fields,
                                std::shared_ptr<const InTransit> owner, bool views, Scratch &scratch);

} // namespace squall::io
