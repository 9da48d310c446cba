/// What a microphysics scheme is: a function of a batch of columns, known by its name.
///
/// Adding one is a folder beside this file and a line in schemes.cpp; the run file, the species of
/// the run and the output follow from that line.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/loop.hpp"
#include "core/scratch.hpp"
#include "physics/moist_columns.hpp"
#include "settings/physics_config.hpp"

namespace squall {

struct ScalarSet;

/// One object per thread: it holds what working storage it needs. What it makes of a column depends
/// on nothing but that column, so that it does not matter how columns are batched.
class MicrophysicsScheme {
  public:
    virtual ~MicrophysicsScheme() = default;

    /// Advances the columns by dt. Allocates nothing.
    virtual void advance(const MoistColumns &columns) = 0;
};

struct MoistPatch;
/// Runs a scheme as a kernel on the columns of tiles.
using MoistLaunch = std::function<void(const MoistPatch &, const std::vector<Range> &tiles,
                                       std::vector<ScratchMemory> &scratch)>;

/// Who knows how large the particles of clouds are: the scheme of that name, wdm of its droplets alone; else
/// rules of how much there is (radiation/clouds.hpp).
enum class SizesOf { content, morrison, thompson, wdm };

struct MicrophysicsEntry {
    std::string title;         ///< one line, with its source
    std::vector<Water> waters; ///< the species it works on
    std::function<std::unique_ptr<MicrophysicsScheme>(int nz)> make;
    std::vector<Number> numbers = {};                          ///< of which species it counts particles
    real longest_step = std::numeric_limits<real>::infinity(); ///< that it goes through at once [s]
    bool simple_ice = false; ///< cloud and rain are ice and snow where it freezes
    SizesOf sizes = SizesOf::content;
    bool tells_sizes_in_wrf = true;                                  ///< to radiation
    MoistLaunch launch = {};                                         ///< of one that is a kernel
    std::function<int(int nz)> scratch_rows = [](int) { return 0; }; ///< that it then needs
};

/// All schemes, by the name that physics.microphysics takes.
const std::map<std::string, MicrophysicsEntry> &microphysics_schemes();

/// Index of a number among a run's scalars, where they follow its waters in the scheme's order; -1: not
/// counted.
int index_of(Number number, const MicrophysicsEntry &scheme, const ScalarSet &scalars);

/// Whether cloud and rain of a run are ice and snow where it freezes.
bool has_simple_ice(const PhysicsConfig &config);

/// Whether a run's air carries aerosols.
bool carries_aerosol(const PhysicsConfig &config);

/// One of them. Throws std::runtime_error if there is none of this name.
const MicrophysicsEntry &microphysics_scheme(const std::string &name);

} // namespace squall
