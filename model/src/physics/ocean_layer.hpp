/// A mixed layer of the ocean that wind deepens and the surface's fluxes heat and cool: Pollard, Rhines and
/// Thompson (1973, Geophys. Fluid Dyn. 4, 381-404), as Davis et al. (2008, MWR 136, 1990-2005) have it under
/// hurricanes (WRF's sf_ocean_physics = 1).
///
/// The layer of depth h and temperature T lies on water that cools by G per metre and was T0 at the surface
/// over a layer h0 deep when the run began. Wind drives its transport (U, V), which the Earth's rotation
/// turns:
///   dU/dt = f V + tau_x / rho,  dV/dt = -f U + tau_y / rho
/// It takes up heat, Q / (rho c) in time, and entrains until its bulk Richardson number is 1:
///   h^2 = -A / G + (A^2 / G^2 + 2 (U^2 + V^2) / N^2)^1/2,  N^2 = g a G
/// where A is the heat that the layer has over the water below it less what it has by its depth alone, and a
/// is how much water expands, 1e-5 K-1 times its degrees Celsius. It never becomes shallower by itself, nor
/// colder than the water at the start less 5 K.
#pragma once

#include "grid/surface_state.hpp"
#include "physics/surface_columns.hpp"
#include "settings/physics_config.hpp"

namespace squall {

class OceanLayer {
  public:
    explicit OceanLayer(const PhysicsConfig &config);

    /// Advances the layer by dt where there is water, and the skin's temperature with it, by the fluxes and
    /// the radiation of now. Allocates nothing.
    void advance(const SurfaceColumns &columns) const;

  private:
    void advance(const SurfaceColumns &columns, int i) const;

    real first_depth_, lapse_rate_; ///< [m], [K m-1]
    real relaxation_time_;          ///< [s]; 0: none
};

/// The ocean at the start, as warm as the skin, in columns of a patch that have none yet: those of a nest may
/// have their parent's.
void begin_ocean(const PhysicsConfig &config, Shape shape, SurfaceState &surface);

} // namespace squall
