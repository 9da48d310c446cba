/// Thermal radiation of all wavelengths, by emissivities of the path between two levels.
///
/// Flux emissivities of vapour, carbon dioxide and ozone, and how the first two overlap: Sasamori (1968, J.
/// Appl. Meteor. 7, 721-729), joined where their forms change as in the Planet Simulator (Fraedrich et al.
/// 2005, Meteor. Z. 14, 299-304, and its reference manual), with the continuum of vapour between the lines
/// from there, which here counts by amount alone. They were found for diffuse light, so that paths are
/// vertical; amounts of vapour and carbon dioxide count by pressure over that of the ground.
/// Cloud: what a path lets through is exp(-depth), with drops 0.144 m2 g-1 (Stephens 1978, JAS 35, 2123-2132,
/// mean of up and down), crystals 0.0735, flakes 0.00234 (Dudhia 1989, JAS 46, 3077-3107); it fills its layer
/// with the layer's mean content, and what air and cloud let through is multiplied.
#pragma once

#include "physics/radiation/broadband/batch.hpp"

namespace squall::radiation {

/// Amounts of what absorbs on a path: vapour [g cm-2] with its pressure and without, carbon dioxide with its
/// pressure and ozone [cm at 0 degrees and 1013.25 hPa].
struct Absorbers {
    real vapour = 0, continuum = 0, carbon_dioxide = 0, ozone = 0;
};

/// Part of a black body's flux that clear air lets through, 0 to 1. Amounts must not be negative.
real clear_transmission(const Absorbers &path);

class EmissivityLongwave {
  public:
    /// Sets the fluxes of columns. Masks are not looked at.
    void solve(std::span<const Request> requests);

  private:
    void fill(std::span<const Request> batch, int layers);
    void set_transmission(int from, int to, real *transmission) const;
    void add_row(int from, int layers);
    void solve(std::span<const Request> batch, int layers);

    Rows<real> vapour_, continuum_, carbon_dioxide_, ozone_, cloud_; ///< above an interface
    Rows<real> of_layer_, of_interface_;                             ///< black-body flux [W m-2]
    Rows<real> from_ground_;                                         ///< what an interface sees of the ground
    Rows<real> down_, up_;                                           ///< at interfaces [W m-2]
    bool cloudy_ = false;                                            ///< any column of the batch
};

} // namespace squall::radiation
