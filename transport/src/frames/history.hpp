/// A history of the globe: frames that xarray, CDO and ncview open as they are, on the grid, as zonal means
/// or at stations.
#pragma once

#include <vector>

#include "frames/fields.hpp"
#include "frames/globe.hpp"
#include "globe/block.hpp"
#include "output/places.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

class GlobeHistory {
  public:
    /// All arguments but `session` must outlive this object. `flow`: null for winds of analyses. Throws
    /// ConfigError. Every rank makes it.
    GlobeHistory(io::Session &session, const StreamConfig &stream, const Settings &settings,
                 const PatchOfGlobe &where, const Flow *flow, MPI_Comm comm);

    const StreamConfig &settings() const { return stream_; }
    /// Writes the frame of a time, seconds after the start. Collective. Throws io::Error.
    void write(double seconds, const Block &block);
    void close() { out_.close(); }

  private:
    io::StreamSpec declare();
    void declare_stations(io::StreamSpec &spec);
    void declare_field(io::StreamSpec &spec, const GlobeField &field) const;
    void put_fixed();
    void put(io::Frame &frame, const GlobeField &field, double seconds, const Block &block) const;
    std::vector<double> values_of(const GlobeField &field, double seconds, const Block &block) const;
    std::vector<double> derived(const GlobeField &field, double seconds, const Block &block) const;
    std::vector<double> mixing_ratios(const Block &block, int tracer) const;
    std::vector<double> exact(const Block &block, int tracer, double seconds) const;
    std::vector<double> air(const Block &block) const;
    std::vector<double> pressures(const Block &block) const;
    std::vector<double> columns(const Block &block, int tracer) const;
    std::vector<double> surface_pressures(const Block &block) const;
    Axes axes() const { return {stream_.average.empty() && stations_.empty(), stations_.empty()}; }
    bool makes() const { return !stream_.average.empty() || !stations_.empty(); }

    const StreamConfig &stream_;
    const Settings &settings_;
    const PatchOfGlobe &where_;
    const Flow *flow_;
    MPI_Comm comm_;
    std::vector<Place> stations_;
    std::vector<GlobeField> fields_;
    io::Stream out_;
};

} // namespace squall::transport
