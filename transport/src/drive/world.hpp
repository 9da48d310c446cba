/// The globe of a run: its grid, its wind, its air and tracers, and how these go on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "moments/advection.hpp"
#include "runfile/settings.hpp"
#include "tracers/processes.hpp"
#include "winds/analysed.hpp"
#include "winds/fluxes.hpp"
#include "winds/weather.hpp"

namespace squall::transport {

RunSpan span_of(const Settings &settings);
/// What is wrong with a file that a tracer's sources name, with the line of the run file.
ConfigError fault_of_file(const Settings &settings, const TracerSettings &tracer,
                          const std::exception &problem);

class World {
  public:
    /// At the start, or where run.restart_from ends. `settings` must outlive it. Collective over `comm`.
    /// Throws ConfigError on all ranks: patches that are too small, a restart frame of another run.
    World(const Settings &settings, MPI_Comm comm);

    void advance(); ///< one step. Collective; throws AgreedError
    /// Throws AgreedError where something is not a number. Collective.
    void look() const;

    std::int64_t step() const { return step_; } ///< how many were made since the start
    const Block &block() const { return block_; }
    const PatchOfGlobe &where() const { return where_; }
    const Flow *flow() const { return flow_.get(); } ///< null: winds of analyses
    /// At the middle of the last step.
    const Weather &weather() const { return weather_; }
    double courant() const { return advection_.courant(); }
    int parts() const { return advection_.parts(); }
    /// How many cells the wind crosses in each row of the patch at most, in the last part of a step.
    const std::vector<int> &reach() const { return neighbours_.sides().reach(); }

    /// What reading winds has cost; none for winds by formula. Collective.
    std::optional<WindCosts> wind_costs() const;
    /// How fast it was, and by how much the mass of each tracer has changed. Collective.
    std::string summary() const;

  private:
    void read_winds(double begin);
    void set_start();
    void set_weather(double time);
    std::vector<double> masses() const;

    const Settings &settings_;
    GlobeGrid globe_;
    Levels levels_;
    std::unique_ptr<Flow> flow_;
    Neighbours neighbours_;
    PatchOfGlobe where_;
    std::optional<AnalysedWind> winds_;
    Block block_;
    MassFluxes fluxes_;
    Weather weather_;
    Advection advection_;
    ColumnProcesses processes_;
    std::int64_t step_ = 0, first_step_ = 0;
    std::vector<double> masses_at_start_;
    double seconds_ = 0; ///< that steps have taken
};

} // namespace squall::transport
