/// What a run file says of how observations enter the run: nudging to analyses, and the digital filter.
#pragma once

#include <string>

namespace squall {

/// [nudging]: analyses that the whole domain is drawn to.
struct NudgingConfig {
    std::string file;                                        ///< a wrffdda_d01 file; empty: none
    std::string scheme = "grid";                             ///< grid | spectral
    double wind = 3e-4, temperature = 3e-4, moisture = 3e-4; ///< of the departure [s-1]
    bool wind_in_boundary_layer = true, temperature_in_boundary_layer = true,
         moisture_in_boundary_layer = true;

    // Of the scheme "spectral".
    bool spectral() const { return scheme == "spectral"; }
    double geopotential = 3e-4; ///< [s-1]
    bool geopotential_in_boundary_layer = true;
    int waves_x = 3, waves_y = 3; ///< the shortest that are drawn, in the domain's width and length
    /// Layers from the ground, or in the boundary layer and above it, in which nudging grows: those without
    /// any, and those until all of it.
    int wind_above = 0, temperature_above = 0, moisture_above = 0, geopotential_above = 0;
    int wind_growth = 1, temperature_growth = 1, moisture_growth = 1, geopotential_growth = 1;
    int lid =
        0; ///< layer, from 1, in which temperature and moisture have half of it, and above none; 0: none
    double end = 0;  ///< after run.start [s]; 0: with the run
    double ramp = 0; ///< in which the coefficients fall to nothing, from then on [s]
};

/// [digital_filter]: how a run is initialised.
struct DigitalFilterConfig {
    std::string scheme = "none";   ///< none | launch | diabatic | twice
    std::string weights = "dolph"; ///< dolph | lanczos
    double span = 3600;            ///< of the integration that is filtered [s]
    /// Whether the run is integrated backward first, and begins at run.start.
    bool backward() const { return scheme == "diabatic" || scheme == "twice"; }
    double cutoff = 3600; ///< period of the shortest waves that stay [s]
};

} // namespace squall
