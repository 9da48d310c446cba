/// What of a stream computing ranks can compress before they send it to servers, for plans.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "squall/io_declare.hpp"

namespace squall::io {

struct Encodable {
    std::string
        by; ///< the engine's option `encode`: auto, ranks or servers; "": this stream has no such choice
    double share = 0; ///< of a frame's bytes, in chunks that a patch holds whole
};

/// `starts`: per dimension that is cut into patches the index at which each begins, ascending from 0, in the
/// domain. Patches are all combinations. Throws Error as opening the stream does.
Encodable encodable(const StreamSpec &spec, const std::map<std::string, std::vector<std::int64_t>> &starts);

} // namespace squall::io
