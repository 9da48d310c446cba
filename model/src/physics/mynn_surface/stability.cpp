#include "physics/mynn_surface/stability.hpp"

#include <algorithm>
#include <cmath>

#include "physics/revised_mm5/stability.hpp"

namespace squall::mynn_surface {
namespace {

using revised_mm5::psi_heat;
using revised_mm5::psi_momentum;

} // namespace

real stability_of(real richardson, const Layer &l, real start) {
    const real neutral = std::log((l.z + l.z0) / l.z0), neutral_heat = std::log((l.z + l.z0) / l.z0_heat);
    real zeta = start * richardson < 0 ? real(0) : start;
    for (int step = 1; step < 20; ++step) {
        const real before = zeta, low = before * l.z0 / l.z, low_heat = before * l.z0_heat / l.z;
        const real heat = std::max(neutral_heat - (psi_heat(before + low) - psi_heat(low_heat)), real(1));
        const real momentum = std::max(neutral - (psi_momentum(before + low) - psi_momentum(low)), real(1));
        zeta = richardson * momentum * momentum / heat;
        if (!(std::abs(before - zeta) > real(0.01))) return zeta;
    }
    return fitted_stability(richardson, l);
}

/// Equations 42 to 44 of the paper.
real fitted_stability(real ri, const Layer &l) {
    const real a = std::log(std::clamp(l.z / l.z0, real(100), real(1e5)));
    const real b = std::log(std::clamp(l.z0 / l.z0_heat, real(0.5), real(100)));
    if (ri <= 0) {
        const real slope = (real(0.003) * b + real(0.0059)) * a * a + (real(-0.0828) * b + real(0.8845)) * a +
                           real(0.1739) * b * b + real(-0.9213) * b + real(-0.1057);
        return std::clamp((real(0.045) * a * ri + slope) * ri, real(-15), real(0));
    }
    if (ri <= real(0.2)) {
        const real square = (real(0.5738) * b + real(-0.4399)) * a + real(-4.901) * b + real(52.50);
        const real slope = (real(-0.0539) * b + real(1.540)) * a + real(-0.669) * b + real(-3.282);
        return std::clamp((square * ri + slope) * ri, real(0), real(4));
    }
    return std::clamp((real(0.7529) * a + real(14.94)) * ri + real(0.1569) * a + real(-0.3091) * b +
                          real(-1.303),
                      real(1), real(20));
}

} // namespace squall::mynn_surface
