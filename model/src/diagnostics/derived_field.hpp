/// What an entry of the table of derived fields says.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "diagnostics/seen_air.hpp"

namespace squall {

/// What a run must have for a field.
enum class Need { vapour, cloud, ice, echoes, rain, snow, graupel, skin };

/// What stands where a field has no value: the fill value of netCDF for floats.
inline constexpr real missing = real(9.9692099683868690e+36F);

/// CF's cell_methods of what is summed up.
inline constexpr const char *since_the_start = "Time: sum (since the start of the run)";

/// Results of a computation of columns: one for each field that it makes.
using Planes = std::array<Field2, 4>;

/// How fields are made of the air on a tile (k not looked at), halos excluded.
using OfLayers = std::function<void(const SeenAir &, const Range &, Field3)>;
using OfColumns = std::function<void(const SeenAir &, const Range &, const Planes &)>;

/// Names and words are those of squall.diagnose.TABLE, which makes the same of a file.
struct DerivedField {
    std::string name, description, units;
    std::string standard_name; ///< of CF; empty where CF has none
    std::string source;        ///< the formula and where it is from
    std::vector<Need> needs;
    OfLayers layers;   ///< one of the two is set
    OfColumns columns; ///< fields next to each other in the table that one computation makes share it:
    std::string made_with = {}; ///< its name, where there is more than one result,
    std::size_t result = 0;     ///< and which this is
    bool may_miss = false;      ///< whether it may have no value somewhere
    std::string cell_methods = {};
};

/// Kernels of a function of points, f(air, i, k, j), and of columns, f(air, i, j).
template <class F> OfLayers on_layers(F f) {
    return [f](const SeenAir &seen, const Range &tile, Field3 out) {
        const SeenAir air = seen;
        for_each(tile.with_k(0, air.grid.nz), [&](int i, int k, int j) { out(i, k, j) = f(air, i, k, j); });
    };
}
template <class F> OfColumns on_columns(F f) {
    return [f](const SeenAir &seen, const Range &tile, const Planes &out) {
        const SeenAir air = seen;
        for_each_column(tile, [&, plane = out[0]](int i, int j) { plane(i, j) = f(air, i, j); });
    };
}

// The table, by kind: one file each.
std::vector<DerivedField> air_fields();
std::vector<DerivedField> surface_fields();
std::vector<DerivedField> water_fields();
std::vector<DerivedField> wind_fields();
std::vector<DerivedField> radar_fields();
std::vector<DerivedField> vorticity_fields();
std::vector<DerivedField> storm_fields();
std::vector<DerivedField> parcel_fields();

} // namespace squall
