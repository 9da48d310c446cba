/// From files of any engine to a file of any other.
#pragma once

#include <string>
#include <vector>

#include "agree/rank_group.hpp"
#include "inputs.hpp"

namespace squall::io::tools {

struct Conversion {
    std::vector<std::string> inputs; ///< their frames follow each other
    std::string output, engine = "netcdf", codec;
    FrameRange frames;
    std::vector<std::string> fields;             ///< none: all
    std::size_t memory = std::size_t(256) << 20; ///< bytes of fields on a rank, at most
    bool overwrite = false, verify = true;
};

/// What came of it.
struct Converted {
    std::int64_t frames = 0;
    std::size_t fields = 0;
    std::uint64_t bytes = 0, stored = 0; ///< of the fields, and on disk
};

/// Makes the output, all at once: until it is whole and checked it has the ending .part; after a
/// failure there is none. Collective. Throws the same Error on all ranks.
Converted convert(const RankGroup &group, const Conversion &job);

} // namespace squall::io::tools
