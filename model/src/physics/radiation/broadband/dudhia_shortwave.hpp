/// Sunlight of all wavelengths, by what is taken from it on its way down: Dudhia (1989, JAS 46, 3077-3107).
///
/// * Air scatters in proportion to its mass on the slanted path, which stands for aerosol and ozone too.
/// * Vapour absorbs as in Lacis and Hansen (1974, JAS 31, 118-133).
/// * Cloud reflects and absorbs by its water on the slanted path and by the sun's height, between the values
///   that Dudhia took from Stephens (1978, JAS 35, 2123-2132), and as one cloud from the top down; it fills
///   its layer with the layer's mean content. Rain and graupel count as a twentieth of their mass in drops.
/// * Light comes to the top of the model as it comes to that of the atmosphere: scattering was fitted so.
///
/// What was scattered and reflected goes up and out, and is not absorbed again: the published scheme does not
/// look at it. It does not tell the beam from diffuse light either: `direct` is set at the ground only, by
/// what is usual where it is so clear.
#pragma once

#include "physics/radiation/broadband/batch.hpp"

namespace squall::radiation {

class DudhiaShortwave {
  public:
    /// Sets the fluxes of columns; zero by night. Masks are not looked at.
    void solve(std::span<const Request> requests);

  private:
    void fill(std::span<const Request> batch, int layers);
    void go_down(int layer);
    void solve(std::span<const Request> batch, int layers);

    Rows<double> vapour_, air_, water_;  ///< of a layer on the vertical path [g cm-2], [kg m-2], [g m-2]
    Rows<double> down_, returned_;       ///< light at interfaces; what a layer sends back of it [W m-2]
    Rows<double> albedo_, absorptivity_; ///< of cloud for the sun's height, by decades of its water
    Rows<double> sum_;                   ///< what is known of the way down so far, in the order of `Sums`
};

} // namespace squall::radiation
