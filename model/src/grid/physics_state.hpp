/// What column physics leaves behind from one step to the next.
#pragma once

#include "core/array.hpp"
#include "grid/convection_state.hpp"
#include "grid/fire_state.hpp"
#include "grid/gravity_wave_state.hpp"
#include "grid/radiation_state.hpp"
#include "grid/surface_state.hpp"

namespace squall {

/// Part of a restart. Empty in a run without microphysics, but for the surface, radiation
/// and gravity waves.
struct PhysicsState {
    PhysicsState() = default;
    explicit PhysicsState(Shape s) : heating(s), rain(s), snow(s), graupel(s) {}

    /// Rate of change of State::theta in the last call of the microphysics, on layers [K s-1]
    /// (WRF's H_DIABATIC): the next step's dynamics sees it from its beginning, so that the heating
    /// starts no shock (Skamarock et al. 2019, section 3.1.4).
    Array3 heating;
    Array2 rain;    ///< accumulated precipitation of all kinds at the surface [mm] (RAINNC)
    Array2 snow;    ///< of it snow and ice [mm] (SNOWNC)
    Array2 graupel; ///< of it graupel [mm] (GRAUPELNC)

    RadiationState radiation;
    SurfaceState surface;
    ConvectionState convection;
    GravityWaveState gravity_waves;
    FireState fire;
};

} // namespace squall
