/// What the frames of a history have, without values and ranks.
#pragma once

#include <string>
#include <vector>

#include "frames/fields.hpp"
#include "frames/footprints.hpp"
#include "frames/globe.hpp"
#include "globe/grid.hpp"
#include "output/places.hpp"

namespace squall::transport {

/// Name under which a field is put of which the stream makes another.
std::string source_name(const std::string &name);

class HistoryDeclaration {
  public:
    /// All arguments must outlive this object. Throws ConfigError.
    HistoryDeclaration(const StreamConfig &stream, const Settings &settings, const GlobeGrid &globe);

    io::StreamSpec spec() const;
    const StreamConfig &stream() const { return stream_; }
    Axes axes() const {
        const bool rows = stations.empty() && !footprints.any();
        return {rows && stream_.average.empty(), rows};
    }
    /// Whether the stream has means or stations in place of the fields on the grid.
    bool makes() const { return !stream_.average.empty() || !stations.empty(); }

    const std::vector<Place> stations;
    const Footprints footprints;
    const std::vector<GlobeField> fields;

  private:
    void declare_stations(io::StreamSpec &spec) const;
    void declare_footprints(io::StreamSpec &spec) const;
    void declare_field(io::StreamSpec &spec, const GlobeField &field) const;

    const StreamConfig &stream_;
    const Settings &settings_;
    const GlobeGrid &globe_;
};

} // namespace squall::transport
