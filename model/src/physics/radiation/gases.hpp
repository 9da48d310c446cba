/// The gases whose absorption the tables of RRTMGP know.
#pragma once

#include <array>
#include <string>

#include "core/real.hpp"

namespace squall::radiation {

/// In the order of `gas_names`. Dry air comes first: what mixing ratios are of.
enum Gas {
    dry_air,
    h2o,
    co2,
    o3,
    n2o,
    co,
    ch4,
    o2,
    n2,
    ccl4,
    cfc11,
    cfc12,
    cfc22,
    hfc143a,
    hfc125,
    hfc23,
    hfc32,
    hfc134a,
    cf4,
    no2,
    gas_count,
    no_gas = -1
};

inline constexpr std::array<const char *, gas_count> gas_names{
    "dry_air", "h2o",   "co2",   "o3",      "n2o",    "co",    "ch4",   "o2",      "n2",  "ccl4",
    "cfc11",   "cfc12", "cfc22", "hfc143a", "hfc125", "hfc23", "hfc32", "hfc134a", "cf4", "no2"};

/// Molecules of each gas per molecule of dry air, whose own entry is 1.
using MixingRatios = std::array<real, gas_count>;

/// The gas of this name; no_gas if there is none.
inline Gas gas_named(const std::string &name) {
    for (int n = 0; n < gas_count; ++n)
        if (name == gas_names[static_cast<std::size_t>(n)]) return static_cast<Gas>(n);
    return no_gas;
}

} // namespace squall::radiation
