/// Taking the points of a field from the writers that hold them to the writers that must.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "crew.hpp"
#include "engine.hpp"
#include "staged.hpp"

namespace squall::io {

/// Who holds which boxes of a field: the same list on every writer.
using Holdings = std::vector<Share>;

/// Memory that is used again from one exchange to the next.
class Scratch {
  public:
    using Buffer = std::unique_ptr<std::byte[]>;
    /// A buffer of at least so many bytes, and how many it has.
    std::pair<Buffer, std::size_t> take(std::size_t bytes);
    void give_back(Buffer buffer, std::size_t bytes) { free_.emplace(bytes, std::move(buffer)); }

  private:
    std::multimap<std::size_t, Buffer> free_;
};

/// This writer's boxes after an exchange, with their memory, which goes back to the scratch.
class Exchanged {
  public:
    explicit Exchanged(Scratch &scratch) : scratch_(&scratch) {}
    Exchanged(Exchanged &&) = default;
    ~Exchanged() {
        for (auto &[buffer, bytes] : buffers_) scratch_->give_back(std::move(buffer), bytes);
    }
    std::vector<Piece> pieces;

    std::byte *make(std::size_t bytes) {
        buffers_.push_back(scratch_->take(bytes));
        return buffers_.back().first.get();
    }

  private:
    Scratch *scratch_;
    std::vector<std::pair<Scratch::Buffer, std::size_t>> buffers_;
};

/// Takes what must go from `from` to `to`, so that every writer has its boxes of `to` in one piece.
/// Both lists tile the field. `mine` are this writer's boxes of `from`, in that order, contiguous,
/// in f's type in the file; with `views` a box of `to` that lies in one of them stays there.
/// Returns this writer's boxes of `to` in their order. Collective over the crew.
Exchanged exchange(const Crew &crew, const FieldLayout &f, const Holdings &from, const Holdings &to,
                   const std::vector<Piece> &mine, bool views, Scratch &scratch);

/// The common part of two boxes; an empty count where there is none.
Box intersection(const Box &a, const Box &b);

/// Copies the points of `part` from the contiguous points of one box to those of another.
void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type);

} // namespace squall::io
