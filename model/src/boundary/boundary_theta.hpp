/// Which potential temperature a boundary file's T_B* hold: of moist air, theta (1 + r_v / r_d q_v), or of
/// dry.
///
/// WRF's own programs write what WRF integrates: with USE_THETA_M = 1, from version 4.0 on, that of moist air
/// (init_domain_rk of dyn_em/module_initialize_real.F); with 0 that of dry. Versions 3.7 to 3.9 had the
/// attribute but wrote dry theta, which WRF converted as it read it; older ones have neither. Squall's own
/// `prepare` once wrote dry theta under a header like that of WRF 4.
#pragma once

#include <string>

#include "boundary/boundary_file.hpp"
#include "settings/config.hpp"

namespace squall {

struct BoundaryTheta {
    bool moist = false;
    std::string note; ///< for the user, where the file's header does not say so; else ""
};

/// By the header of the file, and of initial.file where that does not say; and by the values: at run.start
/// they are those of initial.file along the sides, which has both. Values count more than a header. Local:
/// one rank reads them and tells the others. Throws std::runtime_error as BoundaryFile and InputFile do.
BoundaryTheta theta_of(const BoundaryFile &file, const Config &config);

} // namespace squall
