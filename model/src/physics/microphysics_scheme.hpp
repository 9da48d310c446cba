/// What a microphysics scheme is: a function of a batch of columns, known by its name.
///
/// Adding one is a folder beside this file and a line in schemes.cpp; the run file, the species of
/// the run and the output follow from that line.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "physics/column.hpp"
#include "settings/physics_config.hpp"

namespace squall {

struct ScalarSet;

/// Water in the forms that schemes may tell apart, in the order of a run's scalars.
enum class Water { vapour, cloud, rain, ice, snow, graupel };

/// Species whose particles a scheme counts, too; in the order of a run's scalars.
enum class Number { rain, ice, snow, graupel };

/// A batch of columns at the end of a time step. Mixing ratios are per mass of dry air and may come
/// in slightly negative from transport; species the scheme does not declare have a null origin.
struct MoistColumns {
    int n = 0;                   ///< columns, at most columns_at_a_time
    int nz = 0;                  ///< layers
    real dt = 0;                 ///< [s]
    bool as_wrf = false;         ///< WRF's forms where the scheme's differ on purpose
    ConstColumns exner;          ///< (p / p0)^(R/cp)
    ConstColumns pressure;       ///< [Pa]
    ConstColumns density;        ///< of dry air [kg m-3]
    ConstColumns mass;           ///< of dry air in layers [kg m-2]: what falls is shared out by it
    ConstColumns depth;          ///< of layers [m]
    ConstColumns height;         ///< of the middle of layers [m]
    ConstColumns updraught = {}; ///< vertical wind at the lower faces of layers [m s-1]
    Columns theta;               ///< potential temperature [K], to be advanced
    Columns vapour, cloud, rain; ///< [kg kg-1], to be advanced
    Columns ice, snow, graupel;  ///< [kg kg-1], to be advanced
    Columns rain_number = {}, ice_number = {}; ///< particles [kg-1], to be advanced
    real *rain_sum = nullptr;    ///< precipitation of all kinds at the ground [mm], to be added to
    real *snow_sum = nullptr;    ///< of it snow and ice [mm]
    real *graupel_sum = nullptr; ///< of it graupel [mm]
    Columns snow_number = {}, graupel_number = {}; ///< particles [kg-1], to be advanced
};

/// One object per thread: it holds what working storage it needs. What it makes of a column depends
/// on nothing but that column, so that it does not matter how columns are batched.
class MicrophysicsScheme {
  public:
    virtual ~MicrophysicsScheme() = default;

    /// Advances the columns by dt. Allocates nothing.
    virtual void advance(const MoistColumns &columns) = 0;
};

struct MicrophysicsEntry {
    std::string title;         ///< one line, with its source
    std::vector<Water> waters; ///< the species it works on
    std::function<std::unique_ptr<MicrophysicsScheme>(int nz)> make;
    std::vector<Number> numbers = {};                          ///< of which species it counts particles
    real longest_step = std::numeric_limits<real>::infinity(); ///< that it goes through at once [s]
    bool simple_ice = false; ///< cloud and rain are ice and snow where it freezes
};

/// In how many parts of equal length a scheme goes through a step of dt seconds.
inline int parts_of_step(real dt, real longest_step) {
    return std::max(1, static_cast<int>(std::lround(dt / longest_step)));
}

/// All schemes, by the name that physics.microphysics takes.
const std::map<std::string, MicrophysicsEntry> &microphysics_schemes();

/// Index of a number among a run's scalars, where they follow its waters in the scheme's order; -1: not
/// counted.
int index_of(Number number, const MicrophysicsEntry &scheme, const ScalarSet &scalars);

/// Whether cloud and rain of a run are ice and snow where it freezes.
bool has_simple_ice(const PhysicsConfig &config);

/// One of them. Throws std::runtime_error if there is none of this name.
const MicrophysicsEntry &microphysics_scheme(const std::string &name);

} // namespace squall
