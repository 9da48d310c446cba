/// From a flow to the mass that passes the faces of a patch.
#pragma once

#include <span>
#include <vector>

#include "globe/block.hpp"
#include "globe/grid.hpp"
#include "winds/flow.hpp"

namespace squall::transport {

/// A patch, the globe that it is of, its levels, and the surface pressure.
class PatchOfGlobe {
  public:
    /// The ground is that of `flow`; null: winds of analyses come with their surface pressure.
    PatchOfGlobe(const GlobeGrid &globe, const Levels &levels, const Patch &patch, const Flow *flow);

    /// Of all cells (j, i) [Pa].
    void set_surface(std::span<const double> pressure);

    const GlobeGrid &globe() const { return globe_; }
    const Levels &levels() const { return levels_; }
    const Patch &patch() const { return patch_; }
    bool flat() const { return flat_; }
    /// Of the western face; the last one of the globe is the first.
    double west(int i) const {
        return globe_.lon_faces[static_cast<std::size_t>((patch_.x0 + i) % globe_.nlon)];
    }
    double south(int j) const { return globe_.lat_faces[static_cast<std::size_t>(patch_.y0 + j)]; }
    double lon(int i) const { return globe_.lon[static_cast<std::size_t>(patch_.x0 + i)]; }
    double lat(int j) const { return globe_.lat[static_cast<std::size_t>(patch_.y0 + j)]; }
    double area(int j) const { return globe_.area[static_cast<std::size_t>(patch_.y0 + j)]; }
    /// [Pa] in cell (i, j), of the patch; and at its south-western corner, i to nx, j to ny.
    double surface(int i, int j) const { return surface_[index(i, j)]; }
    double corner_surface(int i, int j) const { return corners_[index(i, j)]; }
    /// Air in a cell of a column with that surface pressure [kg].
    double air(int k, int j, double surface_pressure) const {
        return area(j) / gravity *
               (levels_.pressure(k, surface_pressure) - levels_.pressure(k + 1, surface_pressure));
    }

  private:
    std::size_t index(int i, int j) const { return static_cast<std::size_t>(j * (patch_.shape.nx + 1) + i); }
    const GlobeGrid &globe_;
    const Levels &levels_;
    Patch patch_;
    bool flat_ = true;
    std::vector<double> surface_, corners_;
};

/// Fills `fluxes` with what passes in `step` seconds around `middle`, seconds after the start. Over flat
/// ground as much leaves each cell as enters it; over mountains, too, where some passes the ground: the
/// published test has a wind that blows through them.
void find_fluxes(const Flow &flow, const PatchOfGlobe &where, double middle, double step, MassFluxes &fluxes);

} // namespace squall::transport
