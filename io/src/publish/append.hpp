/// Where a stream goes on in a file of an earlier run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "engines/engine.hpp"

namespace squall::io {

/// How many frames of a file are before a stream's first, and how many it has in all.
struct Continuation {
    std::int64_t frames = 0, there = 0;
    std::vector<bool> gained = {}; ///< of the fields, those that it has not
    /// Attributes that the file has and the declaration lacks.
    std::vector<Attribute> attributes = {};
    /// Per-frame fields whose attribute _FillValue the declaration lacks, and which have fill values in the
    /// frames before it.
    std::vector<std::string> filled = {};
};

/// Where a stream whose first frame is of this time goes on in the file at `path`; none: there is no file, or
/// it is made anew. Throws Error: what of the file is not as the stream declares it (attributes are not
/// looked at, and files of clients may gain fields), or that it is full.
std::optional<Continuation> continuation(const Layout &layout, const std::string &path, const Time &first);

} // namespace squall::io
