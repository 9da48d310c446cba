/// What a run file says of the outermost domain: its cells, its levels, how it begins, what its sides follow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grid/grid.hpp"

namespace squall {

/// [domain] (a tree: nests become children, `parent` then names the enclosing domain)
struct DomainConfig {
    int nx = 0, ny = 0, nz = 0; ///< cells
    double dx = 0, dy = 0;      ///< [m]; dy defaults to dx
    Boundaries boundaries;      ///< boundary_west/east/south/north
};

/// [vertical]; only for built-in cases (a wrfinput file brings its own levels)
struct VerticalConfig {
    std::string coordinate = "sigma"; ///< sigma | hybrid
    double etac = 0.2;                ///< where hybrid levels become pressure levels
    double top = 0;                   ///< height of the model top [m]
    double stretch = 1;               ///< thickness of a layer over that of the one below, >= 1
    std::vector<double> eta;          ///< explicit interfaces instead of top-and-stretch spacing
};

/// [initial]: exactly one of `case` and `file`. Parameters of a case are keys of [initial].
struct InitialConfig {
    std::string case_name;              ///< see initial/cases
    std::string file;                   ///< a wrfinput_d01 file
    std::string sounding;               ///< in WRF's input_sounding format, of cases that take one
    std::string surface;                ///< a table of what the surface does over time, of columns
    std::string geostrophic;            ///< a table of the geostrophic wind by height (and time), of columns
    std::string vertical_wind = "flow"; ///< over the terrain, or that of the file
    std::map<std::string, double> parameters; ///< of the case, SI units, all present (defaults filled in)
};

/// [boundary]: what happens at the sides of a domain with specified boundaries.
struct BoundaryConfig {
    std::string file;            ///< a wrfbdy_d01 file
    int specified_rows = 1;      ///< rows that follow the file (WRF's spec_zone)
    int relaxation_rows = 4;     ///< rows inside them that are drawn to it (WRF's relax_zone)
    double relaxation_decay = 0; ///< by how much less from row to row, in the exponent (WRF's spec_exp)
    std::string lower_file;      ///< a wrflowinp_d01 file: temperature and ice of the sea over time
};

} // namespace squall
