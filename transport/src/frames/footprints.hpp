/// Where a satellite looks, and when.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "globe/grid.hpp"
#include "runfile/settings.hpp"

namespace squall::transport {

struct Footprint {
    double seconds = 0;                 ///< after run.start
    double longitude = 0, latitude = 0; ///< [degrees]
    int i = 0, j = 0;                   ///< the cell of the globe that it lies in
};

/// The footprints of a stream, each in the frame that is nearest to it in time; half-way, in the later one.
class Footprints {
  public:
    Footprints() = default;
    /// Reads a table of comma-separated values with the columns `time` (a date, or seconds since `start`),
    /// `longitude` and `latitude` [degrees], in any order of time. `interval`: from one frame to the next
    /// [s]. Throws ConfigError: the file, the line and what is wrong.
    Footprints(const SmallFiles &files, const std::string &file, const std::string &start, double interval,
               const GlobeGrid &globe);

    bool any() const { return !all_.empty(); }
    /// Those of the frame of a time, seconds after the start, in the order of time.
    std::span<const Footprint> of_frame(double seconds) const;
    /// The most that a frame has.
    std::int64_t most() const { return most_; }

  private:
    std::int64_t frame_of(double seconds) const;

    std::vector<Footprint> all_;
    double interval_ = 1;
    std::int64_t most_ = 0;
};

/// Those of a stream; of one that has none, none. Throws as the constructor does.
Footprints footprints_of(const StreamConfig &stream, const Settings &settings, const GlobeGrid &globe);

} // namespace squall::transport
