/// What a run file says of the run as a whole and of the ranks that compute it.
#pragma once

#include <string>

namespace squall {

/// [run]
struct RunConfig {
    std::string name;                          ///< default: the run file's name without extension
    std::string directory;                     ///< where everything is written; default runs/<name>
    std::string start = "2000-01-01T00:00:00"; ///< calendar time of step 0 (ISO 8601, UTC)
    double duration = 0;                       ///< [s], from start (also after a restart)
    double time_step = 0;                      ///< [s]; the first, of a run that adapts it
    bool adaptive_time_step = false;           ///< by the Courant numbers
    double target_courant_horizontal = 0.84, target_courant_vertical = 1.2;
    double max_step_increase = 0.05;    ///< from one step to the next, of its length
    double min_time_step = 0;           ///< [s]; 0: a third of time_step
    double max_time_step = 0;           ///< [s]; 0: 8 s per km of dx, where sound permits
    int acoustic_substeps = 4;          ///< even, >= 2
    std::string compatibility = "none"; ///< none | wrf: WRF's forms where Squall's differ on purpose
    std::string restart_from;           ///< restart frame to continue from; empty: cold start
    bool as_wrf() const { return compatibility == "wrf"; }
};

/// [parallel]
struct ParallelConfig {
    int ranks_x = 0, ranks_y = 0; ///< 0: chosen
    int threads = 0;              ///< 0: OMP_NUM_THREADS or 1 per rank's share of cores
    int tile_x = 0, tile_y = 0;   ///< cells per tile; 0: sized for the L2 cache
    std::string device = "cpu";   ///< or "gpu"
};

} // namespace squall
