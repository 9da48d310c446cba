/// For plans: what computing ranks send to servers, how much of it they can compress first, and the memory of
/// bins.
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
    double share = 0; ///< share of a frame's bytes in chunks that lie within one patch
};

/// `starts`: for each dimension that is divided into patches, the indices in the domain at which patches
/// begin, ascending from 0. All combinations are patches. Throws Error for the same declarations as
/// Session::open.
Encodable encodable(const StreamSpec &spec, const std::map<std::string, std::vector<std::int64_t>> &starts);

/// Sources that ranks stage and send to servers in addition to the written fields, because the servers reduce
/// them: on the whole domain, with the type in which they are sent. Throws Error, as made_fields().
std::vector<Field> sent_fields(const StreamSpec &spec);

/// Bytes of one bin of a quantile, for each point to which several ranks contribute: a count, or a sum of
/// weights.
std::size_t bytes_of_bin(const Reduction &quantile);

} // namespace squall::io
