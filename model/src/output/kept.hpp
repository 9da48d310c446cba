/// What histories keep from step to step since their last frames, in restarts.
#pragma once

#include <string>

#include "diagnostics/since_last_frame.hpp"
#include "parallel/decomposition.hpp"
#include "squall/io.hpp"

namespace squall {

/// The name that a restart has for a field that a stream follows.
std::string kept_name(const std::string &stream, const RunningField &field);

/// The name that a restart has for when the interval began for which a stream's next frame stands, an f64
/// in seconds since run.start.
std::string interval_name(const std::string &stream);

/// Puts what a stream keeps into a frame of a restart.
void put_kept(io::Frame &restart, const std::string &stream, const Patch &patch, const SinceLastFrame &since);

/// Reads it from the last frame of a file. What the file has not, because it is of a run without, begins
/// anew. Local. Throws io::Error.
void read_kept(const io::Reader &file, const std::string &stream, const Patch &patch, SinceLastFrame &since);

} // namespace squall
