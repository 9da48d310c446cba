/// Whether a stream can go on in a file of an earlier run.
#pragma once

#include <string>

#include "declare/engine.hpp"
#include "read/source.hpp"

namespace squall::io {

/// How many frames of a file are before a stream's first, and how many it has in all.
struct Continuation {
    std::int64_t frames = 0, there = 0;
};

/// Whether a stream whose first frame is of this time goes on in the file at `path`.
bool goes_on_in(const StreamSpec &spec, const std::string &path, const Time &first);

/// Where it does. Throws Error: what of the file is not as the stream declares it (attributes are not looked
/// at), or that it is full.
Continuation continuation(const Layout &layout, const Engine &engine, const std::string &path,
                          const Time &first);

} // namespace squall::io
