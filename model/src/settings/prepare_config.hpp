/// What a run file says of how its initial state is made.
#pragma once

#include <string>
#include <vector>

namespace squall {

/// [prepare]: what `squall prepare` makes initial.file and boundary.file from; the model does not look
/// at it, but its keys are checked with the others. The defaults are those of the Python package.
struct PrepareConfig {
    std::vector<std::string> analysis;   ///< files, with wildcards
    std::string member;                  ///< of an ensemble; empty: there is one
    std::string terrain;                 ///< a file of heights
    int terrain_smoothing = 1;           ///< passes
    std::string geography;               ///< a folder of geogrid's data sets
    std::string sea_surface_temperature; ///< a file of monthly means, for analyses without
    std::string projection;              ///< empty: by the latitude of the middle
    double center_latitude = 0, center_longitude = 0, standard_longitude = 0; ///< [degrees]
    double true_latitude_1 = 0, true_latitude_2 = 0;                          ///< [degrees]
    double top = 5000;                                                        ///< [Pa]
    double lowest_layer = 50;                                                 ///< [m]
    double stretch = 1.2;
    std::vector<double> eta;
    double etac = 0.2;
    bool use_surface = true;
    bool remove_divergence = true;
};

} // namespace squall
