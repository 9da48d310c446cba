/// Restart frames: all moments, to the last bit.
#pragma once

#include "frames/globe.hpp"
#include "globe/block.hpp"

namespace squall::transport {

class GlobeRestart {
  public:
    /// All arguments but `session` must outlive this object. Throws ConfigError.
    GlobeRestart(io::Session &session, const StreamConfig &stream, const Settings &settings,
                 const PatchOfGlobe &where);
    double interval() const { return interval_; }
    void write(std::int64_t step, const Block &block);
    void close() { out_.close(); }

  private:
    const Settings &settings_;
    const PatchOfGlobe &where_;
    double interval_;
    io::Stream out_;
};

/// The stream of that name, with room for its frames.
StreamConfig restart_stream(const Settings &settings);

/// As that stream is declared.
io::StreamSpec restart_spec(const StreamConfig &stream, const Settings &settings, const GlobeGrid &globe);

/// Reads the last frame of run.restart_from; returns the number of its step. Throws ConfigError for a frame
/// of another grid, scheme or tracers, and for values that are not numbers. Collective over `comm`.
std::int64_t read_restart(const Settings &settings, const PatchOfGlobe &where, Block &block, MPI_Comm comm);

} // namespace squall::transport
