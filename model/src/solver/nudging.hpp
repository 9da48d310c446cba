/// Analyses that the whole domain is drawn to (grid nudging, Stauffer and Seaman 1990, Mon. Wea. Rev. 118,
/// 1250; WRF's grid_fdda):
///   dx/dt = ... + G W (x_a - x)
/// of wind, of the potential temperature of dry air and of vapour, with x_a linear in time between the
/// analyses of a wrffdda file, G falling linearly to nothing over nudging.ramp from nudging.end on, and W 0
/// in the boundary layer where the run file says so, else 1. The rates hold for a time step.
///
/// Spectral nudging (Miguez-Macho, Stenchikov and Robock 2004, J. Geophys. Res. 109, D13104; grid_fdda = 2)
/// takes of x_a - x the long waves of the domain alone (LongWaves), of the geopotential too, and
///   W = (k - a) / b, from 0 to 1
/// in layer k from the ground, where a layers have none of it, or those in and below which the boundary layer
/// ends, and b is in how many it grows; of temperature and vapour half in the layer `lid`, and none above.
/// That of geopotential is of the level below a layer, and as WRF has it (run.compatibility) it knows nothing
/// of the boundary layer's height: a = 1.
#pragma once

#include <cstdint>

#include "core/array.hpp"
#include "initial/analysis_file.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

class Nudging {
  public:
    enum Drawn { of_u, of_v, of_theta, of_vapour, of_geopotential, fields };

    static bool wanted(const Config &config) { return !config.nudging.file.empty(); }

    /// Opens nudging.file. Throws std::runtime_error as AnalysisFile, and where its analyses end before
    /// nudging does.
    Nudging(const Config &config, const Patch &patch);

    /// Whether read() has something to do at `seconds` after run.start.
    bool reads_at(double seconds) const { return acts_at(seconds) && record_at(seconds) != record_; }

    /// Reads the analyses around a time. Throws std::runtime_error, perhaps on this rank alone. Local.
    void read(double seconds);

    /// Whether there is anything to add at a time.
    bool acts_at(double seconds) const { return strength(seconds) > 0; }
    /// Of the coefficients, 0 to 1.
    double strength(double seconds) const;
    /// How far `seconds` is from the first to the second of the analyses that were read, 0 to 1.
    real share(double seconds) const;

    /// One of the analyses' fields at two times; theta is that of dry air minus 300 K.
    struct Field {
        Array3 before, after;
    };
    const Field &u() const { return u_; }
    const Field &v() const { return v_; }
    const Field &theta() const { return theta_; }
    const Field &vapour() const { return vapour_; }
    /// Perturbation geopotential at interfaces, of spectral nudging [m2 s-2].
    const Field &geopotential() const { return geopotential_; }
    bool as_wrf() const { return as_wrf_; }
    const NudgingConfig &settings() const { return config_; }
    /// Whether any of it is kept out of the boundary layer.
    bool spares_boundary_layer() const {
        return !config_.wind_in_boundary_layer || !config_.temperature_in_boundary_layer ||
               !config_.moisture_in_boundary_layer ||
               (config_.spectral() && !config_.geopotential_in_boundary_layer);
    }

  private:
    std::int64_t record_at(double seconds) const { return file_.around(seconds).before; }
    double end_of(std::int64_t record) const;
    void check_waves() const;
    bool lifts() const { return config_.spectral() && config_.geopotential > 0; }

    NudgingConfig config_;
    Patch patch_;
    AnalysisFile file_;
    double interval_ = 0; ///< of the last record [s]
    std::int64_t record_ = -1;
    Field u_, v_, theta_, vapour_, geopotential_;
    bool as_wrf_;
};

} // namespace squall
