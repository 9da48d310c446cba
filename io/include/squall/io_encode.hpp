/// What of a stream computing ranks send to servers, what of it they can compress before, and what they keep
/// of bins, for plans.
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

/// What ranks stage and send to servers beside the fields that are written, only to have others made of it
/// there: in all of the domain, with the type in which it travels. Throws Error, as made_fields().
std::vector<Field> sent_fields(const StreamSpec &spec);

/// What each bin of a quantile takes, for each of its points that several ranks have part of: a count, or a
/// sum of weights.
std::size_t bytes_of_bin(const Reduction &quantile);

} // namespace squall::io
