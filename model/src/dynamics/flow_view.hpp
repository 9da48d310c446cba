/// What the slow terms read of a stage.
#pragma once

#include "core/array.hpp"

namespace squall {

/// The state at a stage and its mass fluxes (mass_flux.hpp).
struct FlowView {
    ConstField3 u, v, w, ph;
    ConstField2 mu;
    ConstField3 ru, rv, omega;
    ConstField2 muu, muv; ///< full column mass on faces
};

} // namespace squall
