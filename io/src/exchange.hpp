/// Taking the points of a field from the writers that hold them to the writers that must.
#pragma once

#include <memory>
#include <vector>

#include "crew.hpp"
#include "engine.hpp"
#include "staged.hpp"

namespace squall::io {

/// Who holds which boxes of a field: the same list on every writer.
using Holdings = std::vector<Share>;

/// Points in memory of its own.
struct Parcel {
    Box box;
    std::unique_ptr<std::byte[]> points;
};

/// What must go from `from` to `to`, so that every writer has its boxes of `to` in one piece. Both
/// lists tile the field. `mine` are this writer's boxes of `from`, in that order, contiguous, in
/// f's type in the file. Returns this writer's boxes of `to` in their order. Collective over the crew.
std::vector<Parcel> exchange(const Crew &crew, const FieldLayout &f, const Holdings &from, const Holdings &to,
                             const std::vector<Piece> &mine);

/// The common part of two boxes; an empty count where there is none.
Box intersection(const Box &a, const Box &b);

/// Copies the points of `part` from the contiguous points of one box to those of another.
void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type);

} // namespace squall::io
