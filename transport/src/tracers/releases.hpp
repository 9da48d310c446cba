/// Releases of mass at points, along lines and over areas, between two heights and for a time.
#pragma once

#include <vector>

#include "tracers/process.hpp"
#include "tracers/sources.hpp"

namespace squall::transport {

/// The release of the keys eruption_*.
ReleaseSettings eruption_of(const SourceSettings &settings);

/// An area has the same mass per m2 everywhere; a line, of great circles, the same per m; heights have it by
/// the profile. What would come below the ground or above the top comes into the lowest or the topmost layer.
class Release : public ColumnProcess {
  public:
    Release(const ReleaseSettings &settings, const PatchOfGlobe &where);
    void apply(const TracerRow &row, double begin, double step) const override;

  private:
    struct Cell {
        int i, j; ///< of the patch
        double share;
    };
    void place_area(const PatchOfGlobe &where);
    void place_line(const PatchOfGlobe &where);
    void add_point(const PatchOfGlobe &where, double lon, double lat, double share);
    double profile_between(double low, double high) const;

    ReleaseSettings settings_;
    std::vector<Cell> cells_;
};

} // namespace squall::transport
