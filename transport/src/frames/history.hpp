/// A history of the globe: frames that xarray, CDO and ncview open as they are, on the grid, as zonal means,
/// at stations or where a satellite looks.
#pragma once

#include <span>
#include <vector>

#include "frames/history_declaration.hpp"
#include "frames/values.hpp"
#include "globe/block.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

class GlobeHistory {
  public:
    /// All arguments but `session` must outlive this object. `flow`: null for winds of analyses. Throws
    /// ConfigError. Every rank makes it.
    GlobeHistory(io::Session &session, const StreamConfig &stream, const Settings &settings,
                 const PatchOfGlobe &where, const Flow *flow, MPI_Comm comm);

    const StreamConfig &settings() const { return content_.stream(); }
    /// Writes the frame of a time, seconds after the start. Collective. Throws io::Error.
    void write(double seconds, const Block &block);
    void close() { out_.close(); }

  private:
    void put_fixed();
    void put(io::Frame &frame, const GlobeField &field, double seconds, const Block &block,
             std::span<const Footprint> seen);
    bool goes_by_rows(const GlobeField &field) const;
    void put_rows(io::Frame &frame, const Block &block);
    void put_footprints(io::Frame &frame, std::span<const Footprint> seen) const;
    void put_seen(io::Frame &frame, const GlobeField &field, std::span<const Footprint> seen);
    Columns columns_of(std::span<const Footprint> seen) const;

    const Settings &settings_;
    const PatchOfGlobe &where_;
    MPI_Comm comm_;
    FieldValues field_values_;
    HistoryDeclaration content_;
    Columns columns_;           ///< that the stream looks at
    std::vector<float> values_; ///< of a field there
    io::Stream out_;
};

} // namespace squall::transport
