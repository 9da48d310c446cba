/// Taking the points of a field from the writers that hold them to the writers that must.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "box.hpp"
#include "plan.hpp"
#include "scratch.hpp"

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
    std::vector<std::shared_ptr<void>> spare_;
    std::vector<std::pair<Scratch::Buffer, std::size_t>> buffers_;
};

/// Does what the plan says with one field. `mine`: the points of plan.from, contiguous, in f's type in
/// the file; `owner` keeps them. With `views` a box of plan.to that lies in one of plan.from stays there.
/// Returns plan.to with points. Waits for those with whom the plan has legs. Throws Timeout, and keeps
/// then what MPI may still use.
Exchanged exchange(const Crew &crew, const FieldLayout &f, const Plan &plan,
                   const std::vector<const void *> &mine, std::shared_ptr<void> owner, bool views,
                   Scratch &scratch);

/// Copies the points of `part` from the contiguous points of one box to those of another.
void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type);

} // namespace squall::io
