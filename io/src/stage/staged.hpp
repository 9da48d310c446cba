/// A frame on one of its writers, on its way from the stage to the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/encoded_chunk.hpp"
#include "declare/client_file.hpp"
#include "declare/layout.hpp"
#include "stage/memory.hpp"

namespace squall::io {

/// Points of one box of one field, contiguous, with their memory.
struct Block {
    int field = 0;
    Box box; ///< in the file's index space
    Memory memory;
    /// Chunks of it that ranks have compressed, in the order of their starts, in memory of the frame; and the
    /// sum of their checksums. Their points are not in `memory`, but those of `rest`, boxes that make up the
    /// others. Without chunks all are.
    std::vector<EncodedChunk> encoded = {};
    std::uint64_t encoded_sum = 0;
    std::vector<Box> rest = {};
};

class Staged {
  public:
    Staged() = default;
    Staged(Staged &&) = default;
    Staged &operator=(Staged &&) = default;
    virtual ~Staged() = default;

    Time time;
    std::int64_t number = 0; ///< of the frame in its stream: how many were committed before it
    std::string fault;       ///< what was wrong with the puts; empty if nothing
    bool skipped = false;    ///< there was no room, and the stream may skip
    /// The client's file that it belongs to; null: its number and time tell the file.
    std::shared_ptr<const ClientFile> file = {};
    std::int64_t in_file = 0; ///< of the frame in that, as it was committed
    bool ends_file = false;   ///< no frame, but the end of that file; then it is skipped, too

    /// What this writer holds, in the order of the blocks; the same before and after take().
    virtual std::vector<std::pair<int, Box>> boxes() const = 0;

    /// The blocks of a field, in its staged type, to be changed and dropped at will. At most once
    /// per field. Throws Error.
    virtual std::vector<Block> take(int field) = 0;
    /// What take() will give, to be read and let go of before. Throws Error.
    virtual std::vector<Block> look(int field) const = 0;
};

} // namespace squall::io
