/// How a field is cut so that no rank ever holds more than a few bytes of it, however large it is.
#pragma once

#include <vector>

#include "declare/layout.hpp"
#include "engines/engine.hpp"

namespace squall::io::tools {

/// What each rank reads, and hands to the engine's writer, at the same time. Rounds follow each
/// other; together they tile the field. The same on every rank.
struct Round {
    std::vector<Share> read;
    std::vector<Share> written; ///< empty: as read
};

/// Boxes that tile `box`, each contiguous in it and, unless a single point is larger, of at most
/// `bytes` bytes.
std::vector<Box> slabs(const Box &box, Type type, std::size_t bytes);

/// The whole of a field of this shape.
Box whole(const std::vector<std::int64_t> &shape);

/// The rounds in which `ranks` ranks take a field of a layout to its engine, of about `bytes` bytes
/// on a rank; more where the engine cannot write less at once (a shard).
std::vector<Round> rounds(const Layout &layout, int field, int ranks, std::size_t bytes);

} // namespace squall::io::tools
