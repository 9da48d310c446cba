/// How land with leaves of its own computes its processes: [land] of a run file as its columns know it.
#pragma once

#include "settings/land_config.hpp"

namespace squall {

/// By default as WRF's Noah-MP.
struct LandOptions {
    /// Where the share of the ground under leaves comes from: the year's greatest, that of the season, or
    /// the areas of leaves and stems.
    enum class Cover { most, season, leaf_area };
    /// Air below which all that falls is snow: by degrees (Jordan), 2.2 K above freezing (BATS), freezing.
    enum class Snowfall { jordan, bats, freezing };

    Cover cover = Cover::most;
    Snowfall snowfall = Snowfall::jordan;
    /// What plants lack water by: the soil's moisture, the potential of its water (CLM), or that as in SSiB.
    enum class Stress { moisture, potential, ssib };
    Stress stress = Stress::moisture;
    bool groundwater = false; ///< an aquifer lies below the soil, which does not drain freely
    bool koren = false;       ///< frozen soil hinders diffusion (Koren et al. 1999), it is not sealed in part
};

inline LandOptions land_options(const LandConfig &config) {
    using Cover = LandOptions::Cover;
    using Snowfall = LandOptions::Snowfall;
    LandOptions o;
    if (config.leaf_cover == "season") o.cover = Cover::season;
    if (config.leaf_cover == "leaf-area") o.cover = Cover::leaf_area;
    if (config.snowfall == "bats") o.snowfall = Snowfall::bats;
    if (config.snowfall == "freezing") o.snowfall = Snowfall::freezing;
    if (config.water_stress == "potential") o.stress = LandOptions::Stress::potential;
    if (config.water_stress == "ssib") o.stress = LandOptions::Stress::ssib;
    o.groundwater = config.has_groundwater();
    o.koren = config.frozen_soil == "koren";
    return o;
}

} // namespace squall
