/// Correlated-k coefficients of gases (RRTMGP: Pincus, Mlawer and Delamere 2019, JAMES 11, 3074-3089),
/// as they are in the files of that publication.
///
/// The spectrum is cut into bands and these into g-points, which all rows here are along: tables and
/// the work of a layer lie g-point after g-point in memory, so that loops over them vectorise without
/// gathering, and a column's bits cannot depend on its neighbours. In the rows of tables each band has a slot
/// of its own, which begins on a cache line.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/scratch.hpp"
#include "physics/radiation/gases.hpp"

namespace squall::radiation {

/// Below and above the tables' tropopause other gases matter.
enum Region { below, above };

/// Columns of gas are in this many molecules per cm2, so that single precision holds coefficients.
inline constexpr double column_unit = 1e24;

/// What a layer's work has room for; a band has a `slot` of as many g-points.
inline constexpr int most_bands = 16, most_minors = 128, slot = 16;

/// Values in a row of slots of all bands.
inline constexpr int slots_row = slot * most_bands;

/// Begins on a cache line.
using Table = std::vector<real, CacheLineAllocator<real>>;

struct Band {
    int begin, end;               ///< g-points
    double low, high;             ///< wavenumbers [cm-1]
    std::array<Gas, 2> key[2];    ///< the two gases whose mixture absorbs most, by region
    std::vector<real> balance[2]; ///< ratio of the two in the reference, by temperature
    int minors[2];                ///< how many minor absorbers it has
};

/// A gas that absorbs in a band in proportion to its own amount.
struct MinorAbsorber {
    int band;
    int first; ///< of its coefficients, a slot, in a row of them
    Gas gas;
    bool with_density;  ///< also in proportion to the density of the air
    Gas scaled_by;      ///< and of the fraction of this gas; no_gas: of none
    bool by_complement; ///< of what is not that gas
};

struct GasTables {
    int points = 0;    ///< g-points
    int mixtures = 0;  ///< tabulated mixtures of two gases
    int pressures = 0; ///< tabulated, one more than in the reference: the tropopause is there twice
    int temperatures = 0;
    double log_pressure = 0, log_pressure_step = 0; ///< of the first, and to the next (negative) [ln Pa]
    double log_tropopause = 0;
    double temperature = 0, temperature_step = 0; ///< [K]
    std::vector<Band> bands;
    Table major; ///< (temperature, pressure, mixture, slots) [1 / column_unit]
    std::array<std::vector<MinorAbsorber>, 2> minors;
    std::array<Table, 2> minor; ///< (temperature, mixture, slots of all) [1 / column_unit]

    Table planck_fraction;                          ///< as major: a point's share of its band; longwave only
    double planck_temperature = 0, planck_step = 0; ///< of the first, and to the next [K]
    int planck_temperatures = 0;
    std::vector<real> planck; ///< (temperature, band), radiance [W m-2 sr-1]

    std::array<Table, 2> rayleigh; ///< (temperature, mixture, slots); shortwave only
    std::vector<real> sunlight;    ///< irradiance at the top, point by point [W m-2]
    double irradiance = 0;         ///< their sum

    /// Throws std::runtime_error for a file that is not there or is none of these.
    static GasTables read(const std::string &path);
    /// Values in a row of slots of all minor absorbers.
    int minor_row(Region region) const { return slot * static_cast<int>(minors[region].size()); }
    bool longwave() const { return !planck.empty(); }
};

} // namespace squall::radiation
