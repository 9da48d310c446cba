/// The boundary layer of Yonsei University: Hong, Noh and Dudhia (2006, MWR 134, 2318-2341), with the stable
/// boundary layer of Hong (2010, QJRMS 136, 1481-1496) and the cooling of cloud tops of Wilson and Fovell
/// (2018, Weather and Forecasting 33, 1055-1075).
///
/// Below the top of the boundary layer diffusivities follow a profile (Troen and Mahrt 1986), heat and
/// momentum have a countergradient flux, and entrainment at the top is explicit; above, diffusivities follow
/// the local Richardson number (Louis 1979). One implicit step. Equations are of Hong, Noh and Dudhia unless
/// another is named.
///
/// Where WRF 4.7 departs from the papers, this follows WRF: no countergradient flux of vapour; a Prandtl
/// number of 1 + 0.272 instead of 1 at neutral stability; the thermal excess weakened in thin lowest layers
/// (Shin and Hong 2011); background diffusivities of 0.1 (momentum) and 0.01 m2 s-1; mixing length above the
/// boundary layer of at most 30 m or a tenth of the layers' distance; the step is implicit over twice the
/// time step.
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

BoundaryLayerEntry ysu_scheme();

} // namespace squall
