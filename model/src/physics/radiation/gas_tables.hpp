/// Correlated-k coefficients of gases (RRTMGP: Pincus, Mlawer and Delamere 2019, JAMES 11, 3074-3089),
/// as they are in the files of that publication.
///
/// The spectrum is cut into bands and these into g-points, which all rows here are along: tables and
/// the work of a layer lie g-point after g-point in memory, so that loops over them vectorise without
/// gathering, and a column's bits cannot depend on its neighbours. A band is a few vectors: so rows may be
/// read up to `overrun` values beyond a band's end (core/loop.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/real.hpp"
#include "physics/radiation/gases.hpp"

namespace squall::radiation {

/// Below and above the tables' tropopause other gases matter.
enum Region { below, above };

/// Columns of gas are in this many molecules per cm2, so that single precision holds coefficients.
inline constexpr double column_unit = 1e24;

/// What a layer's work has room for.
inline constexpr int most_bands = 16, most_minors = 32;

struct Band {
    int begin, end;               ///< g-points
    double low, high;             ///< wavenumbers [cm-1]
    std::array<Gas, 2> key[2];    ///< the two gases whose mixture absorbs most, by region
    std::vector<real> balance[2]; ///< ratio of the two in the reference, by temperature
};

/// A gas that absorbs in a band in proportion to its own amount.
struct MinorAbsorber {
    int band;
    int first; ///< of its coefficients in a row of them: one for each g-point of the band
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
    std::vector<real> major; ///< (temperature, pressure, mixture, point) [1 / column_unit]
    std::array<std::vector<MinorAbsorber>, 2> minors;
    std::array<std::vector<real>, 2> minor; ///< (temperature, mixture, coefficients of all) [1 / column_unit]
    std::array<int, 2> minor_row{};         ///< coefficients in a row

    std::vector<real> planck_fraction;              ///< as major: a point's share of its band; longwave only
    double planck_temperature = 0, planck_step = 0; ///< of the first, and to the next [K]
    int planck_temperatures = 0;
    std::vector<real> planck; ///< (temperature, band), radiance [W m-2 sr-1]

    std::array<std::vector<real>, 2> rayleigh; ///< (temperature, mixture, point); shortwave only
    std::vector<real> sunlight;                ///< irradiance at the top, point by point [W m-2]
    double irradiance = 0;                     ///< their sum

    /// Throws std::runtime_error for a file that is not there or is none of these.
    static GasTables read(const std::string &path);
    bool longwave() const { return !planck.empty(); }
};

} // namespace squall::radiation
