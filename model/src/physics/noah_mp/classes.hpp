/// Classes of vegetation as Noah-MP knows them: WRF's table MPTABLE.TBL. Soil is noah::soil, whose table both
/// share.
#pragma once

#include <array>

#include "core/real.hpp"

namespace squall::noah_mp {

/// Of visible and near infrared light.
using Bands = std::array<real, 2>;

/// A class of vegetation. Areas of leaves and stems are one-sided, over that of the ground, in the middle of
/// each month of the northern hemisphere.
struct Vegetation {
    int roots;              ///< layers of soil that they reach
    real roughness;         ///< of the canopy for momentum [m]
    real top, bottom;       ///< of the canopy [m]
    real melt_exponent;     ///< of the snow's density in the share of ground that it covers
    real cover_depth;       ///< depth of snow in that share [m]
    real wind_absorption;   ///< by the canopy
    real orientation;       ///< of leaves, from -0.4 (upright) to 0.6 (level): chi of Ross
    real carboxylation;     ///< greatest rate at 25 degrees Celsius [umol m-2 s-1]
    real least_warmth;      ///< of growth [K]
    real least_conductance; ///< of leaves [umol m-2 s-1]
    real ball_berry;        ///< slope of conductance over photosynthesis
    real quantum_yield;     ///< CO2 taken up per photon
    real nitrogen;          ///< of foliage that lacks none [per cent]
    Bands leaf_reflectance, stem_reflectance, leaf_transmittance, stem_transmittance;
    std::array<real, 12> leaf_area, stem_area;
};

/// Row from 0 on, of noah::vegetation.
Vegetation vegetation(int row);

} // namespace squall::noah_mp
