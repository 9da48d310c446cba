/// What a run file says, after checking: plain data in SI units.
///
/// Every member is a key of the run file (the comment gives its table); docs/reference lists
/// them. A default written here is the default of the key.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "settings/assimilation_config.hpp"
#include "settings/domain_config.hpp"
#include "settings/dynamics_config.hpp"
#include "settings/fire_config.hpp"
#include "settings/land_config.hpp"
#include "settings/nest_config.hpp"
#include "settings/output_config.hpp"
#include "settings/physics_config.hpp"
#include "settings/prepare_config.hpp"
#include "settings/run_config.hpp"
#include "settings/small_files.hpp"
#include "settings/wind_farm_config.hpp"

namespace squall {

struct Config {
    std::string file; ///< the run file
    std::string text; ///< what is in it, without overrides
    SmallFiles files; ///< that it names
    RunConfig run;
    DomainConfig domain;
    VerticalConfig vertical;
    DynamicsConfig dynamics;
    PhysicsConfig physics;
    LandConfig land;
    BoundaryConfig boundary;
    NudgingConfig nudging;
    DigitalFilterConfig digital_filter;
    DiffusionConfig diffusion;
    DampingConfig damping;
    InitialConfig initial;
    WindFarmConfig wind_farm;
    std::vector<TracerConfig> tracers;
    FireConfig fire;
    std::vector<IgnitionConfig> ignitions;
    std::vector<NestConfig> nests; ///< of the whole run, parents before their nests
    DomainIdentity identity;
    OutputConfig output;
    std::vector<StreamConfig> streams;
    std::vector<StreamConfig> nest_streams; ///< those of nests that a table of their own tells, history_d02
    ParallelConfig parallel;
    PrepareConfig prepare;
};

/// The file that says where on Earth a domain lies, of `config.initial.file`; empty: it lies on a plane.
inline const std::string &projection_file(const Config &config) {
    return config.identity.id == 1 ? config.initial.file : config.identity.outermost_file;
}

/// Whether the fire burns on the domain that these are the settings of.
inline bool burns(const Config &config) { return config.fire.on && config.fire.nest == config.identity.name; }

/// A run file that cannot be used; what() is one complete message with file, line, the
/// offending text and what would work.
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace squall
