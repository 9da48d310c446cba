/// Orographic gravity-wave drag and low-level blocking: waves by Kim and Arakawa (1995, J. Atmos. Sci. 52,
/// 1875) and Hong, Choi, Chang, Park and Kim (2008, Weather and Forecasting 23, 523); blocking by Kim and
/// Doyle (2005, Q. J. R. Meteorol. Soc. 131, 1893) and Choi and Hong (2015, J. Geophys. Res. Atmos. 120,
/// 12445), which is WRF's gwd_opt = 1 up to version 4.7, from which limits are taken where the papers leave
/// them open. The equations stand in orography.hpp and stress.hpp.
#pragma once

#include "physics/gravity_wave_drag_scheme.hpp"

namespace squall {

GravityWaveDragEntry kim_arakawa_scheme();

} // namespace squall
